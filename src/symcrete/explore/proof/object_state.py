"""States of given objects that no constructor and no method of theirs was asked for.

An object is given as its constructor and its methods leave it. Where other code of the program
stores an attribute of such objects, they may be in states that no input has.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.inputs.shapes.objects import InstanceShape
from symcrete.program.source.sites import functions
from symcrete.program.state.reads import ANY_ATTRIBUTE, Change


def states_not_tried(parts: Parts) -> Iterator[Obstacle]:
    """The places of the program that read what other code stores on objects like those given."""
    kinds = given_kinds(parts)
    stored: dict[str, tuple[str, Change]] = {}
    for facts in parts.imported.rewritten.facts.values():
        for name, change in facts.stored_outside.items():
            stored.setdefault(name, (facts.file, change))
    if not kinds or not stored:
        return
    known = set().union(*[_attributes(kind) - _free_fields(kind) for kind in kinds])
    anything = stored.get(ANY_ATTRIBUTE)
    blamed = {name: place for name, place in stored.items() if name in known}
    for file in parts.imported.rewritten.facts:
        tree = ast.parse(Path(file).read_bytes())
        for scope, node in functions(tree):
            for each in ast.walk(node):
                if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load):
                    by = blamed.get(each.attr) or (anything if each.attr in known else None)
                    if by is not None:
                        why = f"depends on `{ast.unparse(each)}`, which {_told(by[1])} sets"
                        yield Obstacle(why, file, each.lineno, scope)


def _told(change: Change) -> str:
    return f"`{change.scope}`" if change.scope else f"line {change.line}"


def given_kinds(parts: Parts) -> list[type]:
    """The classes of the objects in the arguments, however deep."""
    return list(dict.fromkeys(each.kind for each in _given(parts)))


def set_by_itself(kind: type) -> set[str]:
    """Attributes of a class that have only the values which its constructor and methods give."""
    return _attributes(kind) - _free_fields(kind) - set(vars(kind))


def _given(parts: Parts) -> Iterator[InstanceShape]:
    """The shapes of objects in the arguments, however deep."""
    ahead: list[Any] = [each.shape for each in parts.arguments.parameters]
    seen: set[int] = set()
    while ahead:
        shape = ahead.pop()
        if id(shape) in seen:
            continue
        seen.add(id(shape))
        if isinstance(shape, InstanceShape):
            yield shape
            ahead += [part.shape for part in shape.parts]
        elif dataclasses.is_dataclass(shape) and not isinstance(shape, type):
            for each in dataclasses.fields(shape):
                value = getattr(shape, each.name, None)
                ahead += value if isinstance(value, tuple | list) else [value]


def _attributes(kind: type) -> set[str]:
    """Names that objects of a class may have as attributes: all that its text mentions."""
    found = {each.name for each in dataclasses.fields(kind)} if _is_record(kind) else set()
    for base in kind.__mro__[:-1]:
        found |= set(getattr(base, "__annotations__", {}))
        found |= {str(each) for each in _listed(getattr(base, "__slots__", ()))}
        for value in vars(base).values():
            function = inspect.unwrap(value) if callable(value) else getattr(value, "fget", None)
            if isinstance(function, FunctionType):
                found |= set(function.__code__.co_names)
    return found


def _listed(slots: Any) -> tuple[Any, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _free_fields(kind: type) -> set[str]:
    """Fields that the constructor takes as they are: an input has every value of them."""
    if not _is_record(kind) or hasattr(kind, "__post_init__"):
        return set()
    return {each.name for each in dataclasses.fields(kind) if each.init}


def _is_record(kind: type) -> bool:
    return dataclasses.is_dataclass(kind)
