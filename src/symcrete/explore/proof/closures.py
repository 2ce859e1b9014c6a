"""Functions made while the program was imported that keep something between calls.

`_next = counter()` binds a function whose closure outlives every run: calling it reads state.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from symcrete.explore.proof.unchanging import is_constant
from symcrete.explore.rewritten import ImportedProgram
from symcrete.values.tracking.modelled import watch_calls


def watch_closures(imported: ImportedProgram) -> None:
    """From now on, when a run calls such a function, a read of state is recorded."""
    rewritten = imported.rewritten
    rebound = {name for facts in rewritten.facts_with("nonlocal") for name in facts.nonlocals}
    for module in imported.modules():
        for name, function in _functions(module):
            kept = _kept(function, rebound)
            if kept:
                watch_calls(function, f"{name}(), which keeps `{kept}` between calls,")


def _functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """The functions that a module's names, its containers and its classes hold."""
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            for inner, held in list(vars(value).items()):
                yield from _held(f"{name}.{inner}", held)
        elif isinstance(value, dict) and not name.startswith("__"):
            for each in list(value.values()):
                yield from _held(name, each)
        elif isinstance(value, list | tuple):
            for each in value:
                yield from _held(name, each)
        else:
            yield from _held(name, value)


def _held(name: str, value: Any) -> Iterator[tuple[str, FunctionType]]:
    match value:
        case staticmethod() | classmethod():
            yield from _held(name, value.__func__)
        case property():
            yield from _held(name, value.fget)
        case FunctionType():
            for function in _with_those_it_keeps(value):
                yield name, function


def _with_those_it_keeps(function: FunctionType) -> list[FunctionType]:
    """A function and the functions in its closure, directly or not, each once."""
    found = [function]
    for each in found:
        for cell in each.__closure__ or ():
            held = cell.cell_contents if _is_filled(cell) else None
            if isinstance(held, FunctionType) and all(held is not other for other in found):
                found.append(held)
    return found


def _is_filled(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _kept(function: FunctionType, rebound: set[str]) -> str:
    """A variable of the closure that calls may change; "" if there is none."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name == "__class__":
            continue
        if name in rebound or not _is_filled(cell) or not is_constant(cell.cell_contents):
            return name
    return ""
