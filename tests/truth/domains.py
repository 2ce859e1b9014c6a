"""Parameters with few values: the annotation, and every value as source text."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from random import Random

MOST_INPUTS = 400  # of one program; with brute force this is about 30 ms

PRELUDE = """\
from __future__ import annotations

import abc
import enum
import functools
import itertools
import math
import operator
import re
from collections import Counter, defaultdict, deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le, Len


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


@dataclass
class Pair:
    n: Annotated[int, Ge(0), Le(2)]
    on: bool
"""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a generated function."""

    name: str
    annotation: str
    kind: str  # what expressions may do with it: int, bool, str, color, opt, pair, list, tuple
    values: tuple[str, ...]
    others: tuple[str, ...] = ()  # of a subtype of the annotation

    @property
    def is_mutable(self) -> bool:
        return self.kind in ("pair", "list")


def parameters(random: Random) -> tuple[Parameter, ...]:
    """One to three parameters whose values make at most MOST_INPUTS inputs."""
    found: list[Parameter] = []
    size = 1
    for name in random.sample(["a", "b", "c"], random.choice([1, 2, 2, 2, 3, 3])):
        made = random.choice(_KINDS)(random, name)
        if found and found[0].is_mutable and random.random() < 0.6:  # so that they may be the same
            made = Parameter(name, found[0].annotation, found[0].kind, found[0].values)
        size *= len(made.values) + len(made.others)
        if size > MOST_INPUTS:
            break
        found.append(made)
    return tuple(found)


def inputs(given: tuple[Parameter, ...]) -> list[dict[str, str]]:
    """Every input of the declared types, by parameter; a value `=a` is the very object of `a`."""
    plain = [
        dict(zip((p.name for p in given), each, strict=False))
        for each in itertools.product(*(p.values for p in given))
    ]
    return plain + _aliased(given, plain)


def odd_inputs(given: tuple[Parameter, ...]) -> list[dict[str, str]]:
    """Inputs with a value of a subtype, such as True for an int."""
    choices = [(*p.values, *p.others) for p in given]
    names = [p.name for p in given]
    found = [dict(zip(names, each, strict=False)) for each in itertools.product(*choices)]
    return [each for each in found if any(each[p.name] in p.others for p in given)]


def _aliased(given: tuple[Parameter, ...], plain: list[dict[str, str]]) -> list[dict[str, str]]:
    found = []
    for first, second in itertools.combinations(given, 2):
        if first.is_mutable and first.annotation == second.annotation:
            alike = [each for each in plain if each[first.name] == each[second.name]]
            found += [{**each, second.name: f"={first.name}"} for each in alike]
    return found


def _int(random: Random, name: str) -> Parameter:
    low = random.choice([0, 0, 1, -1, -2, -3])
    high = low + random.choice([1, 2, 3, 5])
    others = tuple([text for text, value in (("False", 0), ("True", 1)) if low <= value <= high])
    values = tuple([str(each) for each in range(low, high + 1)])
    return Parameter(name, f"Annotated[int, Ge({low}), Le({high})]", "int", values, others)


def _bool(random: Random, name: str) -> Parameter:
    return Parameter(name, "bool", "bool", ("False", "True"))


def _text(random: Random, name: str) -> Parameter:
    pool = ["", "a", "b", "ab", "ba", "A", "1", "12", "-3", " a", "a-b", "x,y", "é", "0", "abc"]
    chosen = sorted(random.sample(pool, random.choice([2, 3, 4])))
    return Parameter(
        name, f"Literal[{', '.join(map(repr, chosen))}]", "str", tuple(map(repr, chosen))
    )


def _number(random: Random, name: str) -> Parameter:
    chosen = sorted(random.sample(range(-9, 30), random.choice([2, 3, 4])))
    return Parameter(
        name, f"Literal[{', '.join(map(str, chosen))}]", "int", tuple(map(str, chosen))
    )


def _color(random: Random, name: str) -> Parameter:
    return Parameter(name, "Color", "color", ("Color.RED", "Color.GREEN", "Color.BLUE"))


def _optional(random: Random, name: str) -> Parameter:
    inner = random.choice([_int, _number])(random, name)
    values = ("None", *inner.values)
    return Parameter(name, f"{inner.annotation} | None", "opt", values, inner.others)


def _tuple(random: Random, name: str) -> Parameter:
    second = _int(random, name)
    values = tuple([f"({first}, {each})" for first in ("False", "True") for each in second.values])
    return Parameter(name, f"tuple[bool, {second.annotation}]", "tuple", values)


def _pair(random: Random, name: str) -> Parameter:
    values = tuple([f"Pair({n}, {on})" for n in range(3) for on in ("False", "True")])
    return Parameter(name, "Pair", "pair", values)


def _list(random: Random, name: str) -> Parameter:
    high = random.choice([1, 1, 2])
    elements = [str(each) for each in range(high + 1)]
    rows = [each for size in range(3) for each in itertools.product(elements, repeat=size)]
    values = tuple([f"[{', '.join(row)}]" for row in rows])
    return Parameter(
        name, f"Annotated[list[Annotated[int, Ge(0), Le({high})]], Len(0, 2)]", "list", values
    )


_KINDS = [
    _int,
    _int,
    _int,
    _bool,
    _text,
    _text,
    _number,
    _color,
    _optional,
    _tuple,
    _pair,
    _list,
    _list,
]
