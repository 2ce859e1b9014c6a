"""Lists, tuples of any length, sets and dicts: a length, and as many elements."""

from __future__ import annotations

import collections
import types
import typing
from collections.abc import Callable
from random import Random
from typing import Any

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    SampledShape,
    Shape,
    TupleShape,
    Written,
    decides,
    depth_of,
    joined,
    write,
)
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

PLAIN_LENGTHS = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6)  # elements: most programs look at few
# elements of a container inside objects: less than one on average, so that draws of a tree whose
# nodes hold a list of nodes come to an end
DEEP_LENGTHS = (0, 0, 0, 1, 1, 2)
# elements: larger numbers of the program are no lengths to draw, since each element has to be
# built; chosen, not measured
LONGEST_DRAWN = 24
# levels, as `depth_of` counts them: from the first on DEEP_LENGTHS are drawn, below the second as
# few elements as the type allows; chosen, not measured
FEW_BELOW, EMPTY_BELOW = 3, 9
LEAST_MENTIONED = 3  # elements: shorter lengths are drawn anyway
MENTIONED_LENGTH_DRAWN = 0.15  # share of lengths that the program mentions; chosen, not measured
AROUND_A_LENGTH = (-1, 0, 0, 1)  # what is added to such a length; chosen, not measured
ALIKE_DRAWN = 0.25  # share of sequences with equal elements; chosen, not measured
DRAWS_PER_ELEMENT = 3  # draws for each element of a set, which has to differ; chosen, not measured
# values tried for an element that has to differ, besides one for each of the others; chosen
MORE_CANDIDATES = 40


def length_name(name: str) -> str:
    return f"len({name})"


def draw_length(pool: Pool, random: Random, least: int, most: int | None, depth: int = 0) -> int:
    """A random length: mostly short, sometimes a number that the program mentions, or one beside
    it.
    """
    if depth >= FEW_BELOW:
        length = 0 if depth > EMPTY_BELOW else random.choice(DEEP_LENGTHS)
        return _within(length, least, most)
    length = random.choice(PLAIN_LENGTHS)
    mentioned = [each for each in pool.integers if LEAST_MENTIONED <= each <= LONGEST_DRAWN]
    if mentioned and random.random() < MENTIONED_LENGTH_DRAWN:
        length = random.choice(mentioned) + random.choice(AROUND_A_LENGTH)
    return _within(length, least, most)


def _within(length: int, least: int, most: int | None) -> int:
    length = max(least, length)
    return length if most is None else min(most, length)


@dataclass(frozen=True, slots=True)
class SequenceShape:
    """list[T], tuple[T, ...] and what is made of the elements in turn: a deque, an iterator."""

    element: Shape
    kind: Callable[[list[Any]], Any] = list
    least: int = 0
    most: int | None = None

    @property
    def decides(self) -> bool:
        return decides(self.element)

    def count(self, name: str, given: Assignment) -> int:
        return int(given.get(length_name(name), self.least))

    def element_name(self, name: str, index: int) -> str:
        return f"{name}[{index}]"

    def plain(self, name: str, given: Assignment) -> Any:
        count = self.count(name, given)
        return self.kind([self.element.plain(f"{name}[{i}]", given) for i in range(count)])

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        depth = depth_of(name) if decides(self.element) else 0
        count = draw_length(pool, random, self.least, self.most, depth)
        given[length_name(name)] = count
        alike = random.random() < ALIKE_DRAWN  # equal elements are what many programs look for
        for i in range(count):
            where = f"{name}[{i}]"
            if alike and i and isinstance(self.element, _SCALARS) and random.random() < 0.5:
                given[where] = given[f"{name}[{random.randrange(i)}]"]
            else:
                self.element.sample(where, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        parts = [write(self.element, f"{name}[{i}]", given) for i in range(self.count(name, given))]
        texts = ", ".join([part.text for part in parts])
        if self.kind is tuple:
            return joined(parts, f"({texts},)" if len(parts) == 1 else f"({texts})")
        if self.kind is list:
            return joined(parts, f"[{texts}]")
        if self.kind is iter:
            return joined(parts, f"iter([{texts}])")
        if self.kind is collections.deque:
            made = joined(parts, f"deque([{texts}])")
            return Written(made.text, made.imports | {("collections", "deque")})
        raise NoLiteral(f"no literal for {self.kind}")


_SCALARS = (IntShape, FloatShape, BoolShape)


@dataclass(frozen=True, slots=True)
class SetShape:
    """set[T] and frozenset[T]: elements that differ."""

    element: Shape
    kind: Callable[[list[Any]], Any] = set
    least: int = 0
    most: int | None = None

    @property
    def decides(self) -> bool:
        return decides(self.element) or has_length(self.element)

    def count(self, name: str, given: Assignment) -> int:
        return int(given.get(length_name(name), self.least))

    def element_name(self, name: str, index: int) -> str:
        return f"list({name})[{index}]"

    def put_in(self, name: str, given: Assignment) -> list[int]:
        """The numbers of the elements in the order in which they are put into the set.

        CPython's order of a set depends on that order, so that one is made to depend on nothing
        but the elements.
        """
        count = self.count(name, given)
        values = [self.element.plain(self.element_name(name, i), given) for i in range(count)]
        return sorted(range(count), key=lambda i: _sort_key(values[i]))

    def plain(self, name: str, given: Assignment) -> Any:
        order = self.put_in(name, given)
        return self.kind([self.element.plain(self.element_name(name, i), given) for i in order])

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        wanted = draw_length(pool, random, self.least, at_most(self.element, self.most))
        drawn = 0
        taken: list[Any] = []
        for _ in range(DRAWS_PER_ELEMENT * wanted):
            if drawn == wanted:
                break
            where = self.element_name(name, drawn)
            self.element.sample(where, pool, random, given)
            value = self.element.plain(where, given)
            if value not in taken:
                taken.append(value)
                drawn += 1
        given[length_name(name)] = max(drawn, self.least)
        for i in range(drawn, self.least):
            where = self.element_name(name, i)
            make_distinct(self.element, where, given, taken)
            taken.append(self.element.plain(where, given))

    def write(self, name: str, given: Assignment) -> Written:
        order = self.put_in(name, given)
        parts = [write(self.element, self.element_name(name, i), given) for i in order]
        # Elements that are equal are one, also where an input has not been made plainer yet.
        texts = ", ".join(dict.fromkeys([part.text for part in parts]))
        if not parts:
            return Written(f"{self.kind.__name__}()")
        text = f"{{{texts}}}" if self.kind is set else f"frozenset({{{texts}}})"
        return joined(parts, text)


def _sort_key(value: Any) -> tuple[str, Any, str]:
    """What elements are sorted by: numbers by size, tuples by their parts, the rest by its repr."""
    if isinstance(value, int | float) and value == value:
        return "", value, ""
    if type(value) is tuple:
        return "tuple", tuple([_sort_key(each) for each in value]), ""
    return type(value).__name__, 0, repr(value)


@dataclass(frozen=True, slots=True)
class DictShape:
    """dict[K, V]: keys that differ, and a value for each."""

    key: Shape
    value: Shape
    kind: Callable[[list[Any]], Any] = dict
    least: int = 0
    most: int | None = None

    @property
    def decides(self) -> bool:
        return decides(self.key) or decides(self.value) or has_length(self.key)

    @property
    def element(self) -> Shape:
        return self.key

    def count(self, name: str, given: Assignment) -> int:
        return int(given.get(length_name(name), self.least))

    def element_name(self, name: str, index: int) -> str:
        return f"list({name})[{index}]"

    def value_name(self, name: str, index: int) -> str:
        return f"list({name}.values())[{index}]"

    def plain(self, name: str, given: Assignment) -> Any:
        pairs = []
        for i in range(self.count(name, given)):
            key = self.key.plain(self.element_name(name, i), given)
            pairs.append((key, self.value.plain(self.value_name(name, i), given)))
        return self.kind(pairs)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        most = 0 if decides(self.value) and depth_of(name) > EMPTY_BELOW else self.most
        SetShape(self.key, set, self.least, most).sample(name, pool, random, given)
        for i in range(self.count(name, given)):
            self.value.sample(self.value_name(name, i), pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        parts: list[Written] = []
        texts: list[str] = []
        for i in range(self.count(name, given)):
            key = write(self.key, self.element_name(name, i), given)
            value = write(self.value, self.value_name(name, i), given)
            parts += (key, value)
            texts.append(f"{key.text}: {value.text}")
        text = "{" + ", ".join(texts) + "}"
        kind = getattr(self.kind, "__name__", "dict")
        if self.kind is dict:
            return joined(parts, text)
        kind, _, factory = kind.partition(":")  # a defaultdict also says what makes its values
        made = joined(parts, f"{kind}({factory}, {text})" if factory else f"{kind}({text})")
        return Written(made.text, made.imports | {("collections", kind)})


def has_length(shape: Shape) -> bool:
    """Whether a shape is, or has inside a tuple, a container: its length has to be decided before
    the value can be hashed.
    """
    if isinstance(shape, TupleShape):
        return any(has_length(part) for part in shape.parts)
    return isinstance(shape, SequenceShape | SetShape | DictShape)


def at_most(shape: Shape, most: int | None = None) -> int | None:
    """The number of different values that a shape has, if they are few; else `most`, a bound known
    otherwise.
    """
    found = _few(shape)
    if found is None or most is None:
        return most if found is None else found
    return min(found, most)


def _few(shape: Shape) -> int | None:
    """The number of different values that a shape has; None if they are many, or not counted."""
    match shape:
        case BoolShape():
            return 2
        case ConstantShape():
            return 1
        case ChoiceShape(choices=choices):
            counts = [_few(each) for each in choices]
            return None if None in counts else sum(each for each in counts if each is not None)
        case TupleShape(parts=parts):
            total = 1
            for part in parts:
                count = _few(part)
                if count is None:
                    return None
                total *= count
            return total
        case IntShape(low=low, high=high, multiple=multiple) if (
            low is not None and high is not None
        ):
            return max(0, high // multiple - -(-low // multiple) + 1)
        case _:
            return None


def make_distinct(shape: Shape, name: str, given: Assignment, taken: list[Any]) -> bool:
    """Give an input a value that is not among those taken; False if none was found."""
    before = dict(given)
    for attempt in range(len(taken) + MORE_CANDIDATES):
        given.clear()
        given.update(before)
        _candidate(shape, name, given, attempt)
        if shape.plain(name, given) not in taken:
            return True
    return False


def _candidate(shape: Shape, name: str, given: Assignment, attempt: int) -> None:
    """Give an input the value that is tried at this attempt."""
    match shape:
        case IntShape():
            start = shape.plainest
            steps = attempt * shape.multiple
            given[name] = start + steps if shape.allows(start + steps) else start - steps
        case FloatShape():
            given[name] = shape.plainest + attempt
        case BoolShape():
            given[name] = bool(attempt % 2)
        case ChoiceShape(choices=choices):
            which = given[name + shape.which] = attempt % len(choices)
            _candidate(choices[which], name, given, attempt // len(choices))
        case TupleShape(parts=parts) if parts:
            first, where = shape.parts_of(name)[0]
            _candidate(first, where, given, attempt)
        case SampledShape() if attempt == 0:
            given[name] = shape.plainest
        case _:
            shape.sample(name, Pool(), Random(attempt), given)


def dict_maker(kind: Any, value: Any) -> Callable[[list[Any]], Any]:
    """What makes a dict of this class, whose values are of this type, from pairs."""
    if kind is collections.OrderedDict:
        return collections.OrderedDict
    if kind is collections.defaultdict:
        factory = typing.get_origin(value) or value
        is_class = isinstance(factory, type) and factory is not types.UnionType
        return default_dict_of(factory if is_class else int)
    return dict


def default_dict_of(factory: type) -> Callable[[list[Any]], Any]:
    """A function that makes a defaultdict from pairs, with this class for its missing values."""

    def make(pairs: list[Any]) -> Any:
        return collections.defaultdict(factory, pairs)

    make.__name__ = f"defaultdict:{factory.__name__}"
    return make


def counter_of(pairs: list[Any]) -> Any:
    """The Counter with these counts."""
    return collections.Counter(dict(pairs))


counter_of.__name__ = "Counter"
