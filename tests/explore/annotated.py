"""One function for each kind of annotation, with a branch that needs a particular value."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath
from typing import Annotated, Any, Literal, NamedTuple, NewType, TypedDict, TypeVar
from uuid import UUID


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Right(enum.Flag):
    READ = 1
    WRITE = 2
    RUN = 4


@dataclasses.dataclass
class Order:
    quantity: int
    price: float = 1.0

    def __post_init__(self) -> None:
        if self.quantity <= 0:
            raise ValueError("nothing ordered")


class Point(NamedTuple):
    x: int
    y: int


class Total(TypedDict):
    name: int
    size: int


class Partial(TypedDict, total=False):
    left: int
    right: int


Meters = NewType("Meters", int)
N = TypeVar("N", bound=float)


@dataclasses.dataclass(frozen=True)
class Gt:
    gt: float


@dataclasses.dataclass(frozen=True)
class Ge:
    ge: float


@dataclasses.dataclass(frozen=True)
class Lt:
    lt: float


@dataclasses.dataclass(frozen=True)
class Le:
    le: float


@dataclasses.dataclass(frozen=True)
class MultipleOf:
    multiple_of: float


@dataclasses.dataclass(frozen=True)
class Len:
    min_length: int
    max_length: int


class Account:
    def __init__(self, owner: int, limit: int = 0) -> None:
        self.owner, self.limit, self.balance = owner, limit, 0
        self.closed = False

    def deposit(self, amount: int) -> None:
        if amount <= 0:
            raise ValueError("a deposit is positive")
        self.balance += amount

    def close(self) -> None:
        self.closed = True

    def rich(self, than: int) -> bool:
        return True if self.balance > than > 1000 else False

    @property
    def stuck(self) -> bool:
        return True if self.closed and self.balance == 77 else False

    @classmethod
    def of(cls, owner: int) -> bool:
        return True if cls(owner).owner == 31 else False

    @staticmethod
    def fee(amount: int) -> bool:
        return True if amount * 3 == 123 else False


class Tree:
    def __init__(self, value: int, left: Tree | None = None, right: Tree | None = None) -> None:
        self.value, self.left, self.right = value, left, right


def a_list(xs: list[int]) -> bool:
    return True if len(xs) == 3 and xs[0] + xs[1] == 2 * xs[2] + 77 else False


def a_nested_list(xs: list[list[int]]) -> bool:
    return True if len(xs) == 2 and len(xs[1]) == 2 and xs[1][1] == 1234 else False


def a_pair(p: tuple[int, float]) -> bool:
    return True if p == (12, 3.5) else False


def a_tuple_of_any_length(t: tuple[int, ...]) -> bool:
    return True if len(t) > 2 and sum(t) == 4321 else False


def a_dict(d: dict[int, int]) -> bool:
    return True if d.get(17) == 23 and len(d) == 2 else False


def a_dict_of_lists(d: dict[int, list[int]]) -> bool:
    return True if 5 in d and d[5] == [6, 7] else False


def a_set(s: set[int]) -> bool:
    return True if 5 in s and len(s) == 3 else False


def a_frozenset(s: frozenset[int]) -> bool:
    return True if s == {41, 42} else False


def an_optional(x: int | None) -> bool:
    return True if x is None else False


def a_union(x: int | float | None) -> bool:
    return True if isinstance(x, float) and x == 1.25 else False


def a_literal(x: Literal[1, "two", 3]) -> bool:
    return True if x == "two" else False


def an_enum(c: Color) -> bool:
    return True if c is Color.BLUE else False


def a_flag(r: Right) -> bool:
    return True if r == Right.READ | Right.RUN else False


def a_dataclass_with_an_invariant(o: Order) -> bool:
    return True if o.quantity == 12 and o.price == 2.5 else False


def a_named_tuple(p: Point) -> bool:
    return True if p.x == 3 * p.y and p.y > 100 else False


def a_total_typed_dict(t: Total) -> bool:
    return True if t["name"] == 99 and t["size"] < -5 else False


def a_partial_typed_dict(t: Partial) -> bool:
    return True if "left" not in t and t.get("right") == 8 else False


def a_new_type(m: Meters) -> bool:
    return True if m == 4242 else False


def a_bounded_type_variable(n: N) -> bool:
    return True if n == 7.75 else False


def an_annotated_int(n: Annotated[int, Gt(10), MultipleOf(7)]) -> bool:
    return True if n % 10 == 3 and n > 500 else False


def an_annotated_float(x: Annotated[float, Ge(0.0), Le(1.0)]) -> bool:
    return True if x * 8 == 7.0 else False


def an_annotated_text(s: Annotated[str, Len(3, 5)], n: Annotated[int, Lt(0)]) -> bool:
    return True if len(s) == 4 and s[3] == "q" and n == -len(s) else False


def an_annotated_list(xs: Annotated[list[int], Len(2, 4)]) -> bool:
    return True if xs[0] == xs[1] == 321 else False


def a_class_by_its_constructor(a: Account) -> bool:
    return True if a.owner == 4 and a.limit == 5000 else False


def a_class_by_two_method_calls(a: Account) -> bool:
    return True if a.closed and a.balance == 250 else False


def a_recursive_class(t: Tree) -> bool:
    return (
        True
        if t.left is not None and t.left.right is not None and t.left.right.value == 9
        else False
    )


def a_sequence(xs: Sequence[int]) -> bool:
    return True if xs and xs[-1] == 55 else False


def an_iterable(xs: Iterable[int]) -> bool:
    return True if sum(xs) == 1001 else False


def an_iterator(xs: Iterator[int]) -> bool:
    return True if next(xs, 0) == 3 and next(xs, 0) == 4 else False


def a_mapping(m: Mapping[int, int]) -> bool:
    return True if any(k == v + 500 for k, v in m.items()) else False


def anything(x: Any) -> bool:
    match x:
        case {"k": 3}:
            return True
        case [1, *rest] if len(rest) == 2:
            return True
        case int() if x == 1717:
            return True
    return False


def no_annotation(xs, limit):
    return True if len(xs) == 4 and xs[2] > limit > 900 else False


def a_complex(z: complex) -> bool:
    return True if z.imag == 2.0 and z.real > 100.0 else False


def a_date(d: date) -> bool:
    return True if d.month == 2 and d.day == 29 and d.year > 2000 else False


def a_datetime(d: datetime) -> bool:
    return True if d > datetime(2030, 1, 1) and d.minute == 17 else False


def a_timedelta(t: timedelta) -> bool:
    return True if timedelta(hours=5) < t < timedelta(hours=5, minutes=1) else False


def a_decimal(d: Decimal) -> bool:
    return True if d * 3 == Decimal("7.5") else False


def a_fraction(f: Fraction) -> bool:
    return True if f + 1 == Fraction(10, 7) else False


def a_uuid(u: UUID) -> bool:
    return True if u.version == 4 else False


def a_path(p: PurePath) -> bool:
    return True if p.suffix == ".py" else False


def a_callable(f: Callable[[int], int]) -> bool:
    return True if f(1) == 10 and f(2) == 20 and f(1) == 10 else False


def a_deque(d: deque[int]) -> bool:
    return True if len(d) == 2 and d[1] == 45 else False


def a_counter(c: Counter[int]) -> bool:
    return True if c[3] == 12 else False


def a_defaultdict(d: defaultdict[int, list[int]]) -> bool:
    return True if d[7] == [8] else False


def an_ordered_dict(d: OrderedDict[int, int]) -> bool:
    return True if list(d) == [5, 4] else False


def star_args(*args: int) -> bool:
    return True if len(args) == 2 and args[0] == args[1] + 600 else False


def star_kwargs(**kwargs: int) -> bool:
    return True if kwargs.get("a") == 9 else False


def keyword_only(*, x: int, y: int = 2) -> bool:
    return True if x == y * 1000 + 1 else False


def two_parameters_that_are_one(a: list[int], b: list[int]) -> bool:
    a.append(1)
    return True if b and b[-1] == 1 and a is b else False


def a_generator(n: int) -> Iterator[bool]:
    for i in range(3):
        yield True if n * 2 == i + 100 else False


async def a_coroutine(n: int) -> bool:
    return True if n == 808 else False


async def an_async_generator(n: int) -> AsyncIterator[bool]:
    yield True if n == 909 else False


def merged_intervals(intervals: list[tuple[int, int]]) -> bool:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(intervals):
        if low > high:
            return False
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return True if len(merged) == 2 and merged[1] == (10, 20) else False


def a_float_in_a_list(xs: list[float]) -> bool:
    return True if xs and math.sqrt(abs(xs[0])) == 12.0 else False


def a_text(s: str) -> bool:
    return True if s.upper() == "HELLO" else False


def some_bytes(b: bytes) -> bool:
    return True if b[:2] == b"PK" and len(b) == 4 else False


def a_byte_array(b: bytearray) -> bool:
    b.append(3)
    return True if b == bytearray((1, 2, 3)) else False


def a_flag_of_truth(b: bool, c: bool) -> bool:
    return True if b and not c else False


def an_int(n: int) -> bool:
    return True if n * n == 12321 and n < 0 else False


def a_float(x: float) -> bool:
    return True if x * 4.0 == 27.0 else False


def a_dict_by_text(d: dict[str, int]) -> bool:
    return True if d.get("size") == 77 and len(d) == 2 else False


def a_set_of_texts(s: set[str]) -> bool:
    return True if "abc" in s and len(s) == 2 else False


def words_counted(words: list[str]) -> bool:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return True if counts.get("the") == 2 else False


def a_decimal_from_a_text(s: str) -> bool:
    return True if Decimal(s) * 3 == Decimal("7.5") else False


def a_path_from_a_text(p: str) -> bool:
    return True if PurePath(p).suffix == ".py" else False


def a_json_document(s: str) -> bool:
    return True if json.loads(s).get("k") == 1 else False
