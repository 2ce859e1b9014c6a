"""What no report, cache or test may hold: values of this machine's environment, its user's folders.

What a run reads of the system is an input, and the two interpreters that replay a call are on two
machines, as far as they know. This is for what comes in another way: a class that takes a variable
while it is imported, a list of folders.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from symcrete.explore.findings import FoundInput
from symcrete.run.use import Ending

# consecutive characters of a value that give it away; not all of it, since pytest shows long texts
# in part; chosen, not measured
PIECE_TOLD = 8
SHORTEST_FOLDER = 5  # characters; a shorter path, as "/usr", may be part of another by chance
# Variables that say where things are, as reports do anyway, or how to show them; those of workers.
NO_SECRETS = frozenset(
    {
        *("PATH", "PWD", "OLDPWD", "PYTHONPATH", "VIRTUAL_ENV", "SHELL", "PYTEST_CURRENT_TEST"),
        *("HOME", "USERPROFILE", "TMPDIR", "HYPOTHESIS_STORAGE_DIRECTORY", "PYTHONHASHSEED"),
        *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
        *("XDG_RUNTIME_DIR", "TERM", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "COLUMNS", "NO_COLOR"),
    }
)


def withheld(found: FoundInput, file: Path) -> FoundInput:
    """The input without its result, where that tells something of this machine.

    file: that of the program, whose text is no secret.
    """
    told = f"{found.returned} {found.raised} {found.message}"
    pieces = [*environment_in(told), *_folders_in(told)]
    if not pieces:
        return found
    given = " ".join((*found.args.values(), *found.setup, *[each.set for each in found.situation]))
    known = file.read_bytes().decode(errors="replace")
    if all(piece in given or piece in known for piece in pieces):
        return found
    reason = "the result tells something of this machine, which is another one elsewhere"
    return replace(
        found,
        outcome=Ending.FLAKY,
        returned=None,
        raised=None,
        message=None,
        seen=(),
        reason=reason,
    )


def environment_in(text: str, *, words: bool = False) -> Iterable[str]:
    """Pieces of a text that are pieces of an environment variable's value, which may be a secret.
    Values that are paths do not count: every traceback has some.

    words: short values count as well, where they are whole words.
    """
    return (text[start:end] for start, end in _told(text, words=words))


def without_environment(text: str) -> str:
    """The text with dots in place of all pieces of environment variables' values."""
    told = {place for start, end in _told(text, words=True) for place in range(start, end)}
    letters = ("\0" if place in told else letter for place, letter in enumerate(text))
    return re.sub("\0+", "...", "".join(letters))


def _told(text: str, *, words: bool) -> Iterable[tuple[int, int]]:
    """Where the pieces of variables begin and end in a text."""
    pieces = _pieces(tuple(os.environ.items()))
    for start in range(len(text) - PIECE_TOLD + 1):
        if text[start : start + PIECE_TOLD] in pieces:
            yield start, start + PIECE_TOLD
    for name, value in os.environ.items() if words else ():
        if name not in NO_SECRETS and not os.path.isabs(value) and len(value) > 2:
            for found in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                yield found.span()


@functools.lru_cache(maxsize=1)
def _pieces(environment: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """All pieces of the values that may be secrets."""
    return frozenset(
        [
            value[start : start + PIECE_TOLD]
            for name, value in environment
            if name not in NO_SECRETS and not os.path.isabs(value)
            for start in range(len(value) - PIECE_TOLD + 1)
        ]
    )


def _folders_in(text: str) -> Iterable[str]:
    """The folders of the user and of the interpreter that a text names."""
    for folder in {os.path.expanduser("~"), sys.prefix, sys.base_prefix, sys.executable}:
        if len(folder) >= SHORTEST_FOLDER and folder in text:
            yield folder
