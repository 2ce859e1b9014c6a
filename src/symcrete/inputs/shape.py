"""What an input of a type is made of: variables, and the plain value built from them.

The concolic counterpart, which gives each variable its term, is `values.build`. Where a type leaves
a choice (None or an int, how many elements), the choice is a variable too.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from symcrete.inputs.sampling import Pool
from symcrete.terms.evaluate import Assignment


class Shape(Protocol):
    """One type of input. `name` is the path of the input, such as `order.items[2]`."""

    def plain(self, name: str, given: Assignment) -> Any:
        """The value without terms; a variable that is not given has its plainest value."""
        ...

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        """Give every variable of this input a value."""
        ...


@dataclass(frozen=True, slots=True)
class IntShape:
    def plain(self, name: str, given: Assignment) -> Any:
        return given.get(name, 0)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[name] = pool.integer(random)


@dataclass(frozen=True, slots=True)
class FloatShape:
    def plain(self, name: str, given: Assignment) -> Any:
        return given.get(name, 0.0)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[name] = pool.float(random)


@dataclass(frozen=True, slots=True)
class BoolShape:
    def plain(self, name: str, given: Assignment) -> Any:
        return given.get(name, False)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[name] = random.random() < 0.5


@dataclass(frozen=True, slots=True)
class ConstantShape:
    """A type with one value, such as None."""

    value: Any

    def plain(self, name: str, given: Assignment) -> Any:
        return self.value

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        pass


@dataclass(frozen=True, slots=True)
class ChoiceShape:
    """One of several shapes: Optional, Union, Literal, Enum. The variable `name?` says which."""

    choices: tuple[Shape, ...]

    def plain(self, name: str, given: Assignment) -> Any:
        return self.choices[given.get(f"{name}?", 0)].plain(name, given)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[f"{name}?"] = which = random.randrange(len(self.choices))
        self.choices[which].sample(name, pool, random, given)


@dataclass(frozen=True, slots=True)
class TupleShape:
    parts: tuple[Shape, ...]

    def plain(self, name: str, given: Assignment) -> Any:
        return tuple([p.plain(f"{name}[{i}]", given) for i, p in enumerate(self.parts)])

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for i, part in enumerate(self.parts):
            part.sample(f"{name}[{i}]", pool, random, given)


@dataclass(frozen=True, slots=True)
class SampledShape:
    """A type whose values come from sampling alone and carry no terms; `maker` draws one."""

    maker: Any  # (pool, random) -> value
    plainest: Any

    def plain(self, name: str, given: Assignment) -> Any:
        value = given.get(name, self.plainest)
        return copy.deepcopy(value)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[name] = self.maker(pool, random)
