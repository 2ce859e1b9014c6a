"""What a run gets that reads a name of the program which something changes.

A name that another function of the program sets keeps the value that it has; one that is a flag, or
that only its readers change, is an input. Both are noted with the run, so that a test sets them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ConstantShape
from symcrete.program.state.reads import Change, ModuleFacts, StateRead
from symcrete.values.build.late_inputs import late_input
from symcrete.values.tracking import recording
from symcrete.world.module_state import shape_of_name

SOURCE = "module state"


def changes_of(facts: ModuleFacts, name: str) -> list[Change]:
    """The places that rebind a name of this module, or change what it holds."""
    found = [facts.rebound[name]] if name in facts.rebound else []
    return found + [each for each in facts.uses.get(("", name), []) if each.how == "changed"]


def reader_of(
    read: StateRead, modules: Iterable[ModuleType], facts: ModuleFacts
) -> Callable[[Any], Any] | None:
    """The function that gives the value for a read of a name; None where the name is read as it
    is.
    """
    if read.kind != "name":
        return None
    module = next((each for each in modules if str(each.__file__) == read.file), None)
    if module is None or read.name not in vars(module):
        return None
    value = vars(module)[read.name]
    changes = changes_of(facts, read.name)
    if read.name in facts.stored_otherwise or (not changes and type(value) is not bool):
        return None
    free = all(each.scope == read.scope or _is_told_nothing(module, each) for each in changes)
    late = late_of(module, read.name, free=free)
    return None if late is None else _reader(late, value)


def late_of(module: ModuleType, name: str, *, free: bool) -> Late | None:
    """A name of a module as an input; None where its value cannot be written down."""
    shape = shape_of_name(vars(module)[name], free=free)
    return None if shape is None else Late(f"{module.__name__}.{name}", shape, SOURCE)


def _is_told_nothing(module: ModuleType, change: Change) -> bool:
    """Whether the function that makes a change has no parameters: it counts up, say, and does not
    set any value.
    """
    code = getattr(vars(module).get(change.scope), "__code__", None)
    return not change.scope or (code is not None and code.co_argcount + code.co_kwonlyargcount == 0)


def _reader(late: Late, initial: Any) -> Callable[[Any], Any]:
    is_constant = isinstance(late.shape, ConstantShape)

    def read(value: Any) -> Any:
        if recording.active().given is None or value is not initial:
            return value
        found = late_input(late)
        return value if is_constant else found

    return read
