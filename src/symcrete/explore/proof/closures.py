"""Functions that the import made or chose, as it may not do on another machine.

`_next = counter()` binds a function whose closure outlives every run: calling it reads state. Which
function or class a name means may depend on what the import finds: on the environment, or on a
module that is installed or not.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator, Set
from types import FunctionType, ModuleType
from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.mentioned import used_words
from symcrete.explore.proof.object_state import given_kinds
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.explore.proof.unchanging import is_constant
from symcrete.explore.rewritten import ImportedProgram
from symcrete.program.source.module import SHARED_TREES, parsed, walked
from symcrete.program.state.at_import import STAR, Taken
from symcrete.program.state.facts import ModuleFacts
from symcrete.program.state.origins import origins_behind
from symcrete.program.state.owners import IMPORTING
from symcrete.run.module_reads import is_of_system, may_take
from symcrete.values.tracking.modelled import watch_calls

TAKEN = ", which the import took from the system"


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


def functions_chosen(parts: Parts) -> Iterator[Obstacle]:
    """Functions and classes named by the target, or of given objects, that the import chose by
    what the system told it.
    """
    rewritten, modules = parts.imported.rewritten, parts.imported.modules()
    names = _names_used(parts)
    for module in modules:
        file = str(module.__file__)
        if file not in rewritten.files and not may_take(file):
            continue
        facts = rewritten.facts_of(file)
        for name in sorted(names & vars(module).keys()) if facts.taken else ():
            taken = taken_of(facts, name)
            if taken is not None and callable(vars(module)[name]):
                if is_of_system(taken, modules, rewritten.facts_of, or_moment=True):
                    yield Obstacle(f"depends on `{name}`{TAKEN}")


def imports_assumed(parts: Parts) -> Iterator[str]:
    """What is taken for granted of modules that may be installed or not, where the import chose by
    one of them what the target uses: `fast cannot be imported`.
    """
    rewritten, modules = parts.imported.rewritten, parts.imported.modules()
    of_program = {module.__name__ for module in modules}
    found: dict[str, None] = {}
    names = _names_used(parts)
    for file in rewritten.files:
        facts = rewritten.facts_of(file)
        for name, taken in facts.taken.items():
            if names.isdisjoint(name.split(".")) and name != STAR:
                continue
            for origin, asked in origins_behind(taken, modules, rewritten.facts_of):
                if origin == IMPORTING and not _is_among(asked, of_program):
                    is_there = _is_among(asked, sys.modules.keys())
                    found[f"{asked} {'can' if is_there else 'cannot'} be imported"] = None
    yield from found


def taken_of(facts: ModuleFacts, name: str) -> Taken | None:
    """What a name of a module was made of at import; of one that no text binds, what chose the
    `from module import *` that may do.
    """
    if name in facts.taken or STAR not in facts.taken:
        return facts.taken.get(name)
    return None if name in _names_stored(parsed(facts.file)) else facts.taken[STAR]


@functools.lru_cache(maxsize=SHARED_TREES)
def _names_stored(tree: ast.Module) -> frozenset[str]:
    """The names that a module binds somewhere, but for imports."""
    found: set[str] = set()
    for each in walked(tree):
        match each:
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(each.name)
    return frozenset(found)


def _names_used(parts: Parts) -> set[str]:
    """The names that the target and what it calls use, and those of the classes of given objects
    and of what these extend.
    """
    kinds = {base.__name__ for kind in given_kinds(parts) for base in kind.__mro__}
    return used_words(parts) | kinds


def _is_among(module: str, names: Set[str]) -> bool:
    """Whether a module is one of these; a relative import says the end of its name."""
    return module in names or any(each.endswith(f".{module}") for each in list(names))
