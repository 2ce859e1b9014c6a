"""What an input of a type is made of: variables, and the plain value built from them.

The concolic counterpart, which gives each variable its term, is `values.build`. Where a type leaves
a choice (None or an int, how many elements), the choice is a variable too.
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Protocol

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.literal import imports_of, literal
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

# Levels, as `depth_of` counts them, down to which a draw chooses freely; chosen, not measured.
# Deeper it takes the first alternative, which holds no others of its own class, so that draws of
# trees come to an end.
DEEPEST_CHOICE = 5
# levels, as `depth_of` counts them; a class whose objects hold others of the class beyond it is
# taken to have none that can be built; chosen, not measured
ENDLESS = 30
# draws from the pool for a number with bounds, before one is drawn between them; chosen
DRAWS_WITHIN_BOUNDS = 8
# How far from its one bound a number is drawn that has no other; chosen, not measured.
OPEN_INT_RANGE = 1000
OPEN_FLOAT_RANGE = 100.0


@dataclass(frozen=True, slots=True)
class Written:
    """A value as source text, with the (module, name) pairs that the text mentions; the name is
    empty where the text mentions the module itself.
    """

    text: str
    imports: frozenset[tuple[str, str]] = frozenset()


class Shape(Protocol):
    """One type of input. `name` is the path of the input, such as `order.items[2]`.

    A shape may also have `decides`, true where building it takes branches (a choice, a
    constructor), `which`, the ending of the variable that says which of its alternatives it is, and
    `write(name, given)`, the source text of the value where the value itself does not tell it.
    """

    def plain(self, name: str, given: Assignment) -> Any:
        """The value without terms; a variable that is not given has its plainest value."""
        ...

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        """Give every variable of this input a value."""
        ...


def decides(shape: Shape) -> bool:
    """Whether building an input of this shape takes branches."""
    return bool(getattr(shape, "decides", False))


WHICH = "?"  # the ending of the variable that says which alternative an input is


def which_of(shape: Shape) -> str:
    """The `which` of a shape that is, or may turn out to be, a choice; empty for others."""
    ending: str = getattr(shape, "which", "")
    return ending


def around(shapes: Sequence[Shape]) -> str:
    """The `which` of a choice between these shapes: an alternative that is a choice itself, at the
    same path, has a shorter one, so that what is chosen in it is another variable.
    """
    return max(map(which_of, shapes), key=len, default="") + WHICH


def write(shape: Shape, name: str, given: Assignment) -> Written:
    """The source text of an input. Raises NoLiteral where there is none."""
    own = getattr(shape, "write", None)
    if own is not None:
        found: Written = own(name, given)
        return found
    value = shape.plain(name, given)
    if type(value) is int:
        return _written_int(value)
    return Written(literal(value), frozenset(imports_of(value)))


# Thousands of paths have the same few numbers as their inputs.
@functools.lru_cache(maxsize=1024)  # numbers; chosen, not measured
def _written_int(value: int) -> Written:
    return Written(literal(value))


def joined(parts: list[Written], text: str) -> Written:
    """A text made of other texts, with the imports of all of them."""
    return Written(text, frozenset().union(*[part.imports for part in parts]))


@dataclass(frozen=True, slots=True)
class IntShape:
    """Any int, or those between two bounds that are multiples of a number."""

    low: int | None = None
    high: int | None = None
    multiple: int = 1

    @property
    def plainest(self) -> int:
        """The value nearest to zero that is allowed."""
        value = 0
        if self.low is not None and self.low > 0:
            value = -(-self.low // self.multiple) * self.multiple
        elif self.high is not None and self.high < 0:
            value = self.high // self.multiple * self.multiple
        return value

    def allows(self, value: int) -> bool:
        above = self.low is None or value >= self.low
        return above and (self.high is None or value <= self.high) and value % self.multiple == 0

    def plain(self, name: str, given: Assignment) -> Any:
        value = given.get(name)
        return self.plainest if value is None else value

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for _ in range(DRAWS_WITHIN_BOUNDS):
            drawn = pool.integer(random) // self.multiple * self.multiple
            if self.allows(drawn):
                given[name] = drawn
                return
        low = self.low if self.low is not None else (self.high or 0) - OPEN_INT_RANGE
        high = self.high if self.high is not None else low + OPEN_INT_RANGE
        drawn = random.randint(low, max(low, high)) // self.multiple * self.multiple
        given[name] = drawn if self.allows(drawn) else self.plainest


@dataclass(frozen=True, slots=True)
class FloatShape:
    """Any float, or those between two bounds; bounds leave out nan."""

    low: float | None = None
    high: float | None = None
    low_open: bool = False  # whether the bound itself is left out
    high_open: bool = False
    multiple: float | None = None

    @property
    def bounded(self) -> bool:
        """Whether some floats are not allowed."""
        return self.low is not None or self.high is not None or self.multiple is not None

    @property
    def plainest(self) -> float:
        """A short value that is allowed: zero, or one at or near a bound; zero if none is found."""
        if self.allows(0.0):
            return 0.0
        low, high = self.low, self.high
        tries = [low, high, 1.0, -1.0]
        if self.multiple is not None:
            tries += [self.multiple, -self.multiple]
            if low is not None:
                tries += [math.ceil(low / self.multiple + k) * self.multiple for k in (0, 1)]
            if high is not None:
                tries += [math.floor(high / self.multiple - k) * self.multiple for k in (0, 1)]
        if low is not None:
            tries += [math.floor(low) + 1.0, math.nextafter(low, math.inf)]
        if high is not None:
            tries += [math.ceil(high) - 1.0, math.nextafter(high, -math.inf)]
        if low is not None and high is not None:
            tries.append((low + high) / 2)
        return next((each for each in tries if each is not None and self.allows(each)), 0.0)

    def allows(self, value: float) -> bool:
        if not self.bounded:
            return True
        above = self.low is None or value > self.low or (value == self.low and not self.low_open)
        below = (
            self.high is None or value < self.high or (value == self.high and not self.high_open)
        )
        whole = self.multiple is None or value % self.multiple == 0
        return above and below and whole

    def plain(self, name: str, given: Assignment) -> Any:
        value = given.get(name, self.plainest)
        # A new nan each time: a list finds a nan by identity, and the text of an input has several.
        return value if value == value else float("nan")

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for _ in range(DRAWS_WITHIN_BOUNDS):
            drawn = pool.float(random)
            if self.multiple is not None and math.isfinite(drawn):
                drawn = drawn // self.multiple * self.multiple
            if self.allows(drawn):
                given[name] = drawn
                return
        low = self.low if self.low is not None else (self.high or 0.0) - OPEN_FLOAT_RANGE
        high = self.high if self.high is not None else low + OPEN_FLOAT_RANGE
        drawn = random.uniform(low, high)
        given[name] = drawn if self.allows(drawn) else self.plainest


@dataclass(frozen=True, slots=True)
class BoolShape:
    """True or False."""

    def plain(self, name: str, given: Assignment) -> Any:
        return bool(given.get(name, False))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[name] = random.random() < 0.5


@dataclass(frozen=True, slots=True)
class ConstantShape:
    """A type with one value, such as None; a value without a literal is written by the name that a
    module has for it.
    """

    value: Any
    named: tuple[str, str] | None = None  # module and name, with dots for what a class has

    def plain(self, name: str, given: Assignment) -> Any:
        return self.value

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        pass

    def write(self, name: str, given: Assignment) -> Written:
        if self.named is not None:
            module, name = self.named
            return Written(name, frozenset({(module, name.partition(".")[0])}))
        return Written(literal(self.value), frozenset(imports_of(self.value)))


@dataclass(frozen=True, slots=True)
class ChoiceShape:
    """One of several shapes: Optional, Union, Literal, Enum. The variable `name?` says which."""

    choices: tuple[Shape, ...]
    likely: float = 0.0  # share of draws that take the first one; in the others all are alike
    which: str = WHICH  # longer where an alternative is a choice too (`around`)
    decides: ClassVar[bool] = True

    def chosen(self, name: str, given: Assignment) -> Shape:
        """The alternative that an assignment chooses."""
        return self.choices[given.get(name + self.which, 0)]

    def plain(self, name: str, given: Assignment) -> Any:
        return self.chosen(name, given).plain(name, given)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        deep = depth_of(name) > DEEPEST_CHOICE
        first = deep or (self.likely and random.random() < self.likely)
        given[name + self.which] = which = 0 if first else random.randrange(len(self.choices))
        self.choices[which].sample(name, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        return write(self.chosen(name, given), name, given)


class LaterShape:
    """The shape of a class that is being read right now; it is known when it is needed."""

    decides: ClassVar[bool] = True
    which: ClassVar[str] = WHICH  # it may turn out to be a choice between subclasses

    def __init__(self, find: Callable[[], Shape]) -> None:
        self._find = find

    @cached_property
    def shape(self) -> Shape:
        return self._find()

    def plain(self, name: str, given: Assignment) -> Any:
        if depth_of(name) > ENDLESS:
            raise AssumptionFailed
        return self.shape.plain(name, given)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        if depth_of(name) <= ENDLESS:
            self.shape.sample(name, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        return write(self.shape, name, given)


def known(shape: Shape) -> Shape:
    """The shape itself, of one that was known only later."""
    while isinstance(shape, LaterShape):
        shape = shape.shape
    return shape


def one_of(shapes: Sequence[Shape], *, likely: float = 0.0) -> Shape:
    """A choice between shapes, or the only one. The alternatives of a shape that is a choice itself
    become alternatives of this one; equal ones count once.
    """
    found: list[Shape] = []
    for shape in shapes:
        choices = shape.choices if isinstance(shape, ChoiceShape) else (shape,)
        found += [each for each in choices if each not in found]
    return found[0] if len(found) == 1 else ChoiceShape(tuple(found), likely, around(found))


@dataclass(frozen=True, slots=True)
class TupleShape:
    """A tuple with a fixed number of parts, each with its shape; with `kind` a named tuple."""

    parts: tuple[Shape, ...]
    kind: Any = None  # a NamedTuple class
    names: tuple[str, ...] = ()
    called: tuple[str, str] | None = None  # the module and name of the class, if not its own

    @property
    def decides(self) -> bool:
        return any(decides(part) for part in self.parts)

    def parts_of(self, name: str) -> list[tuple[Shape, str]]:
        """Each part with its path."""
        if self.names:
            return [(p, f"{name}.{n}") for p, n in zip(self.parts, self.names, strict=True)]
        return list(zip(self.parts, _places(name, len(self.parts)), strict=True))

    def plain(self, name: str, given: Assignment) -> Any:
        values = [part.plain(where, given) for part, where in self.parts_of(name)]
        return tuple(values) if self.kind is None else self.kind(*values)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for part, where in self.parts_of(name):
            part.sample(where, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        parts = [write(part, where, given) for part, where in self.parts_of(name)]
        texts = ", ".join([part.text for part in parts])
        if self.kind is None:
            return joined(parts, f"({texts},)" if len(parts) == 1 else f"({texts})")
        module, name = self.called or (self.kind.__module__, self.kind.__qualname__)
        made = joined(parts, f"{name}({texts})")
        return Written(made.text, made.imports | {(module, name.split(".")[0])})


@functools.lru_cache(maxsize=1024)  # tuples; chosen, not measured
def _places(name: str, count: int) -> tuple[str, ...]:
    """The names of the parts of a tuple, kept since they are asked for in every run."""
    return tuple([f"{name}[{i}]" for i in range(count)])


def import_of(kind: type) -> tuple[str, str]:
    """The module and the name that a test has to import to name a class."""
    return kind.__module__, kind.__qualname__.split(".")[0]


def depth_of(name: str) -> int:
    """How many levels inside an input a part is."""
    return name.count(".") + name.count("[")


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


class Argument(Protocol):
    """What a call says of one of its arguments."""

    @property
    def name(self) -> str: ...

    @property
    def by_keyword(self) -> bool: ...

    @property
    def spread(self) -> str: ...  # "*" or "**": the value is unpacked into the call


def in_a_call(values: Iterable[tuple[Argument, Any]]) -> tuple[list[Any], dict[str, Any]]:
    """Values as the positional and the keyword arguments of a call."""
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for argument, value in values:
        spread = argument.spread
        if spread:
            if spread == "*":
                positional += value
            else:
                keywords |= value
        elif argument.by_keyword:
            keywords[argument.name] = value
        else:
            positional.append(value)
    return positional, keywords
