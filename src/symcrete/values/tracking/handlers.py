"""Whether the program may catch what is raised now.

Some errors are so far away that nobody wants inputs for them (an int with more digits than `str`
writes). Where they would leave the target they end a run and lead nowhere else; where a handler
waits for them they decide what is executed, and are a branch like any other.
"""

from __future__ import annotations

import dis
import sys
from types import CodeType, FrameType

from symcrete.values.tracking.followed import rewritten_files

_ranges: dict[CodeType, list[tuple[int, int]]] = {}


def may_be_caught() -> bool:
    """Whether a frame of rewritten code is inside a `try` or `with` now."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_filename in rewritten_files and code.co_exceptiontable:
            found = _ranges.get(code)
            if found is None:
                found = _ranges[code] = _guarded(code)
            if any(start <= frame.f_lasti < end for start, end in found):
                return True
        frame = frame.f_back
    return False


def _guarded(code: CodeType) -> list[tuple[int, int]]:
    """The ranges of instructions that have a handler, from CPython's own table."""
    return [(entry.start, entry.end) for entry in dis._parse_exception_table(code)]  # type: ignore[attr-defined]
