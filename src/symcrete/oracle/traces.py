"""Tracebacks, classes, names and standard output, for a program that compares what others do.

A copy of this file is imported beside a program under test (`oracle/joint.py`), as written: what it
looks at is no condition of the program. What it says must not depend on whether the program is
rewritten, so it looks past our own frames.
"""

from __future__ import annotations

import functools
import inspect
import opcode
import sys
from types import TracebackType
from typing import Any

_ENGINE = "symcrete."  # modules of ours, whose frames are in tracebacks of rewritten code
_CONTRACTS = ("icontract", "deal")  # packages whose frames are between a caller and a function
_RAISE = opcode.opmap["RAISE_VARARGS"]  # what a `raise` statement is compiled to
# where a generator stands that an exception is thrown into: at a `yield`, or before its first one
_WAITING = ("YIELD_VALUE", "RESUME", "RETURN_GENERATOR", "POP_TOP")


def chose_its_words() -> bool:
    """Whether a `raise` statement made the exception that is being handled, `sys.exit` did, or a
    program threw it into a generator; the words of operations are CPython's.
    """
    if sys.exc_info()[0] is SystemExit:
        return True
    own = frames(sys.exc_info()[2])
    if not own:
        return False
    last = own[-1]
    done = last.tb_frame.f_code.co_code[last.tb_lasti]
    return done == _RAISE or opcode.opname[done] in _WAITING


def at_home(kind: type) -> bool:
    """Whether a class is what its module has under the name of it; one that a call makes is not."""
    found: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is kind


def frames(trace: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, the outermost first, without those of the engine."""
    found: list[TracebackType] = []
    while trace is not None:
        if not str(trace.tb_frame.f_globals.get("__name__", "")).startswith(_ENGINE):
            found.append(trace)
        trace = trace.tb_next
    return found


def line_in(file: str) -> int:
    """The line of a file that raised the exception that is being handled, or called what did; 0 if
    no line of it did.
    """
    lines = [
        each.tb_lineno
        for each in frames(sys.exc_info()[2])
        if each.tb_frame.f_code.co_filename.endswith(file)
    ]
    return lines[-1] if lines else 0


def broke_precondition() -> bool:
    """Whether the exception that is being handled says that a function must not be called so: a
    precondition of icontract or deal failed, before any code of the program was entered.
    """
    last: TracebackType | None = None
    for each in frames(sys.exc_info()[2]):
        module = str(each.tb_frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] in _CONTRACTS:
            last = each
        elif not module.startswith("joint_"):
            return False
    if last is None:
        return False
    # The wrapper of icontract has a result once it has called the function.
    before = last.tb_frame.f_code.co_name == "wrapper" and "result" not in last.tb_frame.f_locals
    return before or "PreContractError" in [each.__name__ for each in _mro(sys.exc_info()[0])]


def _mro(kind: type[BaseException] | None) -> tuple[type, ...]:
    return kind.__mro__ if kind is not None else ()


def print_to(out: Any) -> Any:
    """Make this standard output from now on; gives what was it until now."""
    former, sys.stdout = sys.stdout, out
    return former


def of_stdout(name: str) -> Any:
    """An attribute of the interpreter's own standard output."""
    return getattr(sys.__stdout__, name)


def kinds_in(values: Any) -> list[str]:
    """The names of the classes of some values, and of what is in tuples among them, sorted: those
    of two equal sets differ where an element of one is 1 and that of the other is True.
    """
    found = [type(each).__qualname__ for each in values]
    for each in values:
        found += kinds_in(each) if isinstance(each, tuple | frozenset) else []
    return sorted(found)


def parts_of(one: Any, other: Any) -> tuple[Any, Any]:
    """Two sequences as they are to be compared, part by part; while a program is explored, parts
    that nothing has looked at are left out (`values/models/iteration.py`).
    """
    return one, other


def named_in(module: Any, name: str) -> Any:
    """What a dotted name means in a module; of a property, its function.

    A `singledispatchmethod` is called as a method of its object: called by its class, it would
    choose the implementation for the object itself.
    """
    owner, found, stored = None, module, ""
    for part in name.split("."):
        stored = part
        if isinstance(found, type) and part.startswith("__") and not part.endswith("__"):
            stored = f"_{found.__name__.lstrip('_')}{part}"
        owner, found = found, getattr(found, stored)
    written = inspect.getattr_static(owner, stored, None) if isinstance(owner, type) else None
    if isinstance(written, functools.singledispatchmethod):
        if not isinstance(written.func, staticmethod | classmethod):
            return functools.partial(_of_object, stored)
    if isinstance(found, property):
        return found.fget
    return found.func if isinstance(found, functools.cached_property) else found


def _of_object(name: str, owner: Any, /, *args: Any, **keywords: Any) -> Any:
    """What a method of an object returns."""
    return getattr(owner, name)(*args, **keywords)


def slots_of(kind: type) -> list[str]:
    """The names of the slots of a class and those it inherits from, as they are stored."""
    found: list[str] = []
    for cls in kind.__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name in ("__dict__", "__weakref__"):
                continue
            private = name.startswith("__") and not name.endswith("__")
            found.append(f"_{cls.__name__.lstrip('_')}{name}" if private else name)
    return found
