"""The rows of the models' table: what stands for which function of Python and its library.

Each file of models exports its rows as one tuple, `MODELS`; the vocabulary lists the files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """Rewritten code that calls `original` calls `function`, with the same arguments."""

    original: Callable[..., Any]
    function: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Method:
    """Rewritten code that calls this method of an untracked object calls `function(object, ...)`.

    For a class method the first argument is the class.
    """

    kind: type
    name: str
    function: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Called:
    """Rewritten code that calls an object of this class calls `function(object, ...)`.

    The object may be a class, and `kind` its metaclass.
    """

    kind: type
    function: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Transparent:
    """Functions that keep the terms of what they are given by themselves: called as they are."""

    functions: tuple[Callable[..., Any], ...]

    def __init__(self, *functions: Callable[..., Any]) -> None:
        object.__setattr__(self, "functions", functions)


@dataclass(frozen=True, slots=True)
class TransparentMethods:
    """Methods of a class that keep terms by themselves; `names` is parted by spaces."""

    kind: type
    names: str


@dataclass(frozen=True, slots=True)
class Pure:
    """Library functions known by name, so that nothing is imported that the program does not use.

    Rewritten code that calls one calls `function(original, ...)`; `names` is parted by spaces.
    """

    module: str
    names: str
    function: Callable[..., Any]


ModelRow: TypeAlias = Model | Method | Called | Transparent | TransparentMethods | Pure
