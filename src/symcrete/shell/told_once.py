"""What a person is told once in a folder, besides results.

At the first run: what to do with what it found. On a Python newer than this version was tested
with: that it is. `.symcrete` of the folder keeps what was told.
"""

from __future__ import annotations

import contextlib
import os

from symcrete import VERSION

NEWEST_TESTED = (3, 13)  # the newest Python that the test suite runs on

AFTER_THE_FIRST_RUN = (
    "-o tests keeps these inputs as tests, `symcrete report` shows them on a page, "
    "`symcrete init` sets up a project (said once in a folder)"
)

_TOLD = os.path.join(".symcrete", "told")  # the file with the last notice about Python


def untested_python(version: tuple[int, int]) -> str:
    """A warning for a Python that is newer than all that this version was tested with, or ""."""
    if version <= NEWEST_TESTED:
        return ""
    ours = ".".join(map(str, NEWEST_TESTED))
    theirs = ".".join(map(str, version))
    return f"this is Python {theirs}; symcrete {VERSION} was tested up to {ours}"


def was_told(notice: str) -> bool:
    """Whether an earlier command in this folder gave the notice."""
    with contextlib.suppress(OSError), open(_TOLD, encoding="utf-8", errors="replace") as file:
        return file.read() == notice
    return False


def keep_as_told(notice: str) -> None:
    """Note that this was told in this folder, so that it is not told again. Only a folder that has
    `.symcrete` can note it.
    """
    if os.path.isdir(os.path.dirname(_TOLD)):
        with contextlib.suppress(OSError), open(_TOLD, "w", encoding="utf-8") as file:
            file.write(notice)
