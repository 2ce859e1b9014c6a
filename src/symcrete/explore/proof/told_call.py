"""A library call that an open branch hangs on, in the words of the person who wrote it.

Runs know a method by its class (`TextIOWrapper.read()`); the text has `sys.stdin.read()`.
"""

from __future__ import annotations

import ast
import contextlib
import re
from pathlib import Path
from typing import Literal, TypeAlias

from symcrete.program.source.module import parsed, walked
from symcrete.run.trace import Loss

_STDIN = frozenset({"input", "stdin", "fileinput", "getpass"})
_CHANCE = frozenset({"random", "secrets", "Random", "SystemRandom", "uuid1", "uuid4", "urandom"})
_SEEDED = (".Random", ".seed")  # how calls end that make a generator from a seed, or set one
ReadFrom: TypeAlias = Literal["standard input", "chance", ""]  # what a call reads; "" if neither
# characters; of a longer call the name that runs know is shown; chosen, not measured
LONGEST_TOLD_CALL = 60


def as_written(file: str, line: int, what: str) -> str:
    """The call in a line that runs know as `what`, as it is written there; `what` itself if it is
    not found.
    """
    if not re.fullmatch(r"[\w.]+\(\)", what):
        return what  # it is a sentence, not a name
    name = what.removesuffix("()").rpartition(".")[2]
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        for node in walked(parsed(file)):
            if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or line):
                called = ast.unparse(node.func)
                if called.rpartition(".")[2] == name and len(called) <= LONGEST_TOLD_CALL:
                    return f"{called}()"
    return what


def source_of(call: str, what: str = "") -> ReadFrom:
    """The name of what a call reads, "standard input" or "chance"; else "".

    `call` is as written; `what` is as runs know it.
    """
    words = set(f"{call}.{what}".replace("(", ".").replace(")", ".").split("."))
    if words & _STDIN:
        return "standard input"
    return "chance" if words & _CHANCE else ""


def told_read(file: str, line: int, what: str) -> str:
    """The sentence for a branch that depends on what a call gives."""
    call = as_written(file, line, what)
    return _told_source(call, what) or f"depends on what {call} gives, which is no input"


def told_loss(file: str, line: int, what: str) -> str:
    """The sentence for a branch that depends on a value whose term a call dropped, with its
    place.
    """
    if not file:
        return what
    call, place = as_written(file, line, what), f"{Path(file).name}:{line}"
    told = _told_source(call, what)
    return f"{told} ({place})" if told else f"a value left the tracked world in {call} at {place}"


def names_source(file: str, line: int, what: str) -> bool:
    """Whether `told_loss` says what was read there, and not only which call dropped a term."""
    return not file or bool(_told_source(as_written(file, line, what), what))


def _told_source(call: str, what: str) -> str:
    source = source_of(call, what)
    # What a generator without a seed draws is an input and does not come here; so an object other
    # than that of the module has a seed.
    owner = call.rpartition(".")[0]
    own_object = what.startswith("Random.") and owner not in ("", "random")
    seeded = own_object or call.removesuffix("()").endswith(_SEEDED)
    if source == "chance" and seeded:
        return (
            f"depends on the numbers that `{call}` makes from its seed: nobody can solve for them"
        )
    if source == "chance":
        return f"depends on chance: what `{call}` draws is no input"
    return f"depends on {source}, which `{call}` reads and no input sets" if source else ""


def nearest_loss(losses: list[Loss], file: str, line: int) -> Loss:
    """The last loss above a line of a file; the first of all if there is none."""
    above = [each for each in losses if each[0] == file and each[1] <= line]
    return max(above, key=lambda each: each[1], default=losses[0])
