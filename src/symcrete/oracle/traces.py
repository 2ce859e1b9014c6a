"""Tracebacks and standard output, for a program that compares what others do.

A copy of this file is imported beside a program under test (`oracle/joint.py`), as written: what it
looks at is no condition of the program. What it says must not depend on whether the program is
rewritten, so it looks past our own frames.
"""

from __future__ import annotations

import opcode
import sys
from types import TracebackType
from typing import Any

_ENGINE = "symcrete."  # modules of ours, whose frames are in tracebacks of rewritten code
_RAISE = opcode.opmap["RAISE_VARARGS"]  # what a `raise` statement is compiled to


def chose_its_words() -> bool:
    """Whether a `raise` statement made the exception that is being handled; the words of operations
    are CPython's.
    """
    own = frames(sys.exc_info()[2])
    if not own:
        return False
    last = own[-1]
    return last.tb_frame.f_code.co_code[last.tb_lasti] == _RAISE


def frames(trace: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, the outermost first, without those of the engine."""
    found: list[TracebackType] = []
    while trace is not None:
        if not str(trace.tb_frame.f_globals.get("__name__", "")).startswith(_ENGINE):
            found.append(trace)
        trace = trace.tb_next
    return found


def print_to(out: Any) -> Any:
    """Make this standard output from now on; gives what was it until now."""
    former, sys.stdout = sys.stdout, out
    return former


def of_stdout(name: str) -> Any:
    """An attribute of the interpreter's own standard output."""
    return getattr(sys.__stdout__, name)
