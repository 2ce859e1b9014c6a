"""What a proof takes for granted about the interpreter that a program runs in.

Whoever calls a function may have set the context of `decimal` or the locale, may run its module as
a script, or Python without assertions: no input says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.mentioned import (
    ASSERTED,
    IMPORTED,
    LOCALE,
    OF_A_MODULE,
    mentions,
    used_words,
)
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.program.source.module import parsed

_NO_LOCALE = "no locale is set"
_FIRST_DAY = "the first day of the week in calendar is the one that it begins with"
_CONTEXT = "the context of decimal is the one that it sets itself"
_TOLD = {
    LOCALE: _NO_LOCALE,
    "strptime": _NO_LOCALE,
    OF_A_MODULE["__name__"]: "the module is imported by its own name, not run as a script",
    OF_A_MODULE["__package__"]: "the module is imported by its own name, not run as a script",
    OF_A_MODULE["__spec__"]: "the module is imported by its own name, not run as a script",
    OF_A_MODULE["__file__"]: "the file of the module is where it was explored",
    OF_A_MODULE["__debug__"]: "Python runs without -O",
    ASSERTED: "Python runs without -O",
}
_TOLD |= dict.fromkeys(("__doc__", "getdoc"), "Python runs without -OO")
# Errors that may come up anywhere, whatever the inputs are.
_FROM_OUTSIDE = ("KeyboardInterrupt", "MemoryError", "RecursionError", "BaseException")
_TOLD |= dict.fromkeys(_FROM_OUTSIDE, "nothing interrupts a call, and memory and stack suffice")
_TOLD[IMPORTED] = "what can be imported here can be imported"
# What the results of a module stand on, by its name and by the name that its classes and functions
# have as their `__module__`.
_OF_MODULES = {
    "calendar": _FIRST_DAY,
    "decimal": _CONTEXT,
    "zoneinfo": "the time zones are those that are known on this machine",
    "fnmatch": "upper and lower case differ in names of files, as they do on this machine",
    "struct": "numbers have the size and byte order that they have on this machine",
    "_struct": "numbers have the size and byte order that they have on this machine",
    "array": "numbers have the size and byte order that they have on this machine",
}
# By what is taken for granted: what it is about, and the names by which a program sets that.
_SET_BY = {
    _NO_LOCALE: ("the locale", frozenset({"setlocale"})),
    _FIRST_DAY: ("the first day of the week in calendar", frozenset({"setfirstweekday"})),
    _CONTEXT: ("the context of decimal", frozenset({"setcontext", "localcontext"})),
}
_GIVES_CONTEXT = "getcontext"  # gives what has these attributes, which decide results:
_OF_CONTEXT = frozenset({"prec", "rounding", "Emin", "Emax", "clamp", "traps"})


def set_by_program(parts: Parts) -> Iterator[Obstacle]:
    """What would be taken for granted, but is set by functions of the program itself."""
    granted = set(set_by_callers(parts, used_words(parts)))
    setters = {told: row for told, row in _SET_BY.items() if told in granted}
    if not setters:
        return
    files = [str(each.__file__) for each in parts.imported.modules()]
    trees = {each: parsed(each) for each in files if each in parts.imported.rewritten.facts}
    for place, words in mentions(trees).items():
        for told, (what, names) in setters.items():
            sets_context = told == _CONTEXT and _GIVES_CONTEXT in words and words & _OF_CONTEXT
            if words & names or sets_context:
                yield Obstacle(f"depends on {what}, which `{place[1]}` sets")


def set_by_callers(parts: Parts, used: set[str]) -> Iterator[str]:
    """What is taken for granted, in the user's words; `used` has the words that stand in the target
    and in what it calls.
    """
    yield from dict.fromkeys([told for word, told in _TOLD.items() if word in used])
    names = _names(parts.imported.modules())
    yield from sorted({names[word] for word in used if word in names})


def _names(modules: Iterable[ModuleType]) -> dict[str, str]:
    """The names that these modules bind to a module of `_OF_MODULES`, to something that it defines
    or to an object of its classes, each with what is to be told.
    """
    found: dict[str, str] = {}
    for module in modules:
        for name, value in vars(module).items():
            told = _OF_MODULES.get(_origin(value))
            if told is not None:
                found[name] = told
    return found


def _origin(value: Any) -> str:
    """The name of a module: the value itself, or the one that defines it or its class."""
    if isinstance(value, ModuleType):
        return value.__name__
    is_code = isinstance(value, type) or callable(value)
    return str(getattr(value if is_code else type(value), "__module__", ""))
