"""The arguments of one call: a shape per parameter, in the order of the signature."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.annotations import shape_of
from symcrete.inputs.sampling import Pool
from symcrete.inputs.shape import IntShape, Shape
from symcrete.terms.evaluate import Assignment


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    shape: Shape
    by_keyword: bool


@dataclass(frozen=True, slots=True)
class Arguments:
    """How a target is called."""

    parameters: tuple[Parameter, ...]

    def plain(self, given: Assignment) -> dict[str, Any]:
        """Each argument without terms, by the name of its parameter."""
        return {p.name: p.shape.plain(p.name, given) for p in self.parameters}

    def sample(self, pool: Pool, random: Random) -> Assignment:
        given: Assignment = {}
        for parameter in self.parameters:
            parameter.shape.sample(parameter.name, pool, random, given)
        return given

    def split(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Values by name as the positional and keyword arguments of a call."""
        positional = [values[p.name] for p in self.parameters if not p.by_keyword]
        keywords = {p.name: values[p.name] for p in self.parameters if p.by_keyword}
        return positional, keywords


def arguments_of(
    function: Callable[..., Any], types: Mapping[str, str], where: str, *, skip: int = 0
) -> Arguments:
    """The shapes of a function's parameters; `types` overrides annotations by name.

    Parameters without an annotation follow their default's type, else they are taken for ints.
    `*args` and `**kwargs` are left out; so are parameters with a default whose type has no inputs.
    """
    signature = inspect.signature(function)
    annotations = _annotations(function)
    made: list[Parameter] = []
    for parameter in list(signature.parameters.values())[skip:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        name = parameter.name
        annotation = annotations.get(name, inspect.Parameter.empty)
        if name in types:
            annotation = _given_type(types[name], function, name)
        try:
            shape = _shape(parameter, annotation, f"{where}.{name}")
        except UnsupportedInput:
            if parameter.default is inspect.Parameter.empty:
                raise
            continue
        made.append(
            Parameter(
                name,
                shape,
                parameter.kind is parameter.KEYWORD_ONLY or bool(made and made[-1].by_keyword),
            )
        )
    return Arguments(tuple(made))


def _shape(parameter: inspect.Parameter, annotation: Any, where: str) -> Shape:
    if annotation is not inspect.Parameter.empty:
        return shape_of(annotation, where)
    default = parameter.default
    if default is inspect.Parameter.empty or default is None:
        return IntShape()
    return shape_of(type(default), where)


def _annotations(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # a name only a type checker knows: fall back to what can be read
        return {
            name: value
            for name, value in getattr(function, "__annotations__", {}).items()
            if not isinstance(value, str)
        }


def _given_type(text: str, function: Callable[..., Any], name: str) -> Any:
    namespace = {**vars(typing), **getattr(function, "__globals__", {})}
    try:
        return eval(text, namespace)
    except Exception as error:
        raise UnsupportedInput(f"--types {name}: {text!r} is not a type: {error}") from None
