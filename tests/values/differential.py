"""Compare rewritten code on tracked inputs with CPython on plain ones.

An operation is a small function. On each input four things are checked:

1. it returns or raises as CPython does: value, type, class of the exception, and what became of its
arguments; 2. its terms, evaluated under the input it ran on, give that very result; 3. under
another input that satisfies the recorded conditions they give what CPython gives for that input; 4.
runs that took the same branches so far come to the same next branch.

Only a run that says itself that it dropped a term is let off 2 to 4.
"""

from __future__ import annotations

import collections
import datetime
import inspect
import typing
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from tests.values.catalogue import Entry

from symcrete.errors import AssumptionFailed, RunCut
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes.annotations import shape_of
from symcrete.inputs.shapes.library import scaled
from symcrete.inputs.shapes.shape import Shape
from symcrete.instrument.hooks import Hooks
from symcrete.instrument.loader import Rewritten
from symcrete.terms.evaluate import Assignment, all_hold, evaluate
from symcrete.values.build.variables import tracked_input
from symcrete.values.library.dates import ConcolicDate
from symcrete.values.library.identifiers import ConcolicUUID
from symcrete.values.library.moments import ConcolicDatetime, ConcolicTime, ConcolicTimedelta
from symcrete.values.library.pure_paths import TrackedPath
from symcrete.values.numbers.complexes import ConcolicComplex
from symcrete.values.numbers.decimals import ConcolicDecimal
from symcrete.values.numbers.rationals import ConcolicFraction
from symcrete.values.rows import tables
from symcrete.values.rows.tables import STANDS_FOR, family_of
from symcrete.values.text.content.strings import ConcolicBytes, ConcolicStr
from symcrete.values.text.methods.bytearrays import ConcolicByteArray
from symcrete.values.tracking import recording
from symcrete.values.tracking.comparing import raw
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, tracked
from symcrete.values.tracking.numeric import untracked as plain_scalar
from symcrete.values.tracking.recording import Recording, held
from symcrete.values.tracking.truth import Truth

PRELUDE = """
import bisect, collections, copy, enum, fnmatch, functools, json, hashlib, heapq, io, itertools, math, operator
import struct, zlib
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath, PurePosixPath
from re import RegexFlag
from time import strptime
from types import MappingProxyType
from uuid import UUID
"""
OPEN = object()
VIEWS = frozenset({type({}.keys()), type({}.values()), type({}.items())})
PLAIN = frozenset({int, str, bool, bytes, type(None)})
POOL = Pool(integers=(0, 1, 2, 3, -1, 7), floats=(0.0, 1.5, 2.0), texts=("a", "b", "ab"))


@dataclass
class World:
    """Rewritten operations, and what they report to."""

    rewritten: Rewritten = field(default_factory=Rewritten)

    def __post_init__(self) -> None:
        self.record = Recording(self.rewritten.sites)
        self.rewritten.on_numbered = self.record.fit
        self.hooks = Hooks(self.record)
        self.hooks.install()

    def functions(self, source: str, file: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """The operation as it is, and rewritten."""
        plain: dict[str, Any] = {}
        exec(compile(source, file, "exec"), plain)
        changed: dict[str, Any] = {"__name__": "operations"}
        exec(self.rewritten.compile(source, file), changed)
        return plain["operation"], changed["operation"]


@dataclass(frozen=True)
class Outcome:
    """What a call did."""

    kind: str
    value: Any
    arguments: tuple[Any, ...]


@dataclass
class Operation:
    """One modelled operation, ready to be tried."""

    name: str
    plain: Callable[..., Any]
    changed: Callable[..., Any]
    shapes: dict[str, Shape]
    world: World
    agreed: int = 0  # inputs on which value, type, exception and mutation agree
    elsewhere: int = 0  # other inputs of the same path on which the terms agree
    lost: int = 0  # runs that dropped a term, and said so
    refused: int = 0  # inputs that are none, such as equal keys
    paths: dict[Any, Any] = field(default_factory=dict)

    def sample(self, random: Random) -> Assignment:
        given: Assignment = {}
        for name, shape in self.shapes.items():
            shape.sample(name, POOL, random, given)
        return given

    def on_plain(self, given: Assignment) -> Outcome:
        arguments = [shape.plain(name, given) for name, shape in self.shapes.items()]
        try:
            value = drained(self.plain(*arguments))
        except Exception as error:
            return Outcome("raised", type(error).__name__, tuple(arguments))
        return Outcome("returned", value, tuple(arguments))

    def on_tracked(self, given: Assignment) -> Outcome | None:
        """The outcome with its terms; None for an input that is none."""
        record = self.world.record
        record.start()
        record.live = True
        self.world.hooks.allow(100_000)
        former = recording.activate(record)
        try:
            arguments = [tracked_input(shape, name, given) for name, shape in self.shapes.items()]
            try:
                value = drained(self.changed(*arguments))
            except Exception as error:
                return Outcome("raised", type(error).__name__, tuple(arguments))
            return Outcome("returned", value, tuple(arguments))
        except AssumptionFailed:
            return None
        finally:
            recording.activate(former)

    def check(self, random: Random, others: int = 3) -> None:
        """One random input, and the first of so many others that takes the same path."""
        given = self.sample(random)
        found = self.on_tracked(given)
        if found is None:
            self.refused += 1
            return
        record = self.world.record
        events, losses = list(record.events), dict(record.losses)
        conditions = [*record.assumptions, *[held(event) for event in events]]
        expected = self.on_plain(given)
        self._same(found, expected, given, "the values differ")
        self.agreed += 1
        if losses:
            self.lost += 1
            return
        assert all_hold(conditions, given), self._said(given, "its own conditions do not hold")
        self._follow(events, given)
        self._same(evaluated(found, given), expected, given, "the terms differ")
        for _ in range(others):
            other = perturbed(given, random)
            if other == given or not all_hold(conditions, other):
                continue
            built = self._built(other)
            if built is None:
                continue
            other = built
            expected = self.on_plain(other)
            self._same(
                evaluated(found, other), expected, other, f"the terms differ from {given} on"
            )
            self.elsewhere += 1
            return

    def _follow(self, events: list[Any], given: Assignment) -> None:
        node = self.paths
        for code, term in [*events, (0, None)]:
            here = (code >> 1, term) if term is not None else None
            if node.setdefault("branch", here) != here:
                before = node["branch"]
                raise AssertionError(self._said(given, f"comes to {here}, others to {before}"))
            node = node.setdefault(code & 1, {})

    def _built(self, other: Assignment) -> Assignment | None:
        """An input with all its variables; None if it is none, or is numbered otherwise."""
        again = dict(other)
        former = recording.activate(Recording(self.world.rewritten.sites))
        try:
            for name, shape in self.shapes.items():
                tracked_input(shape, name, again)
        except (AssumptionFailed, RunCut):
            return None
        finally:
            recording.activate(former)
        same = all(again.get(n, v) == v for n, v in other.items() if v == v)
        return again if same else None

    def _same(self, found: Outcome, expected: Outcome, given: Assignment, how: str) -> None:
        found = plain_outcome(found)
        if found.kind != expected.kind or not alike(found.value, expected.value):
            raise AssertionError(self._said(given, f"{how}: {found} instead of {expected}"))
        for mine, theirs in zip(found.arguments, expected.arguments, strict=True):
            if not alike(mine, theirs):
                raise AssertionError(self._said(given, f"{how}: {found} instead of {expected}"))

    def _said(self, given: Assignment, what: str) -> str:
        return f"{self.name} on {given}: {what}"


def operation(entry: Entry, world: World) -> Operation:
    """An entry of the catalogue, compiled as it is and rewritten."""
    indented = "\n".join("    " + line for line in entry.body.split("\n"))
    source = f"{PRELUDE}\ndef operation({entry.parameters}):\n{indented}\n"
    plain, changed = world.functions(source, f"<{entry.name}>")
    hints = typing.get_type_hints(plain, include_extras=True)
    shapes = {each: shape_of(hints[each], each) for each in inspect.signature(plain).parameters}
    return Operation(entry.name, plain, changed, shapes, world)


def drained(value: Any) -> Any:
    """An iterator as the list of what it brings."""
    return list(value) if isinstance(value, collections.abc.Iterator) else value


def plain_outcome(outcome: Outcome) -> Outcome:
    if outcome.kind == "raised":
        value = outcome.value
    else:
        value = recording.silently(untracked, outcome.value)
    arguments = [recording.silently(untracked, each) for each in outcome.arguments]
    return Outcome(outcome.kind, value, tuple(arguments))


def untracked(value: Any) -> Any:
    """The plain value of this run, of the type it stands for."""
    return rebuilt(value, plain_scalar, None)


def evaluated(outcome: Outcome, given: Assignment) -> Outcome:
    """The outcome that its terms have under an input."""

    def evaluate_scalar(scalar: Any) -> Any:
        return evaluated_scalar(scalar, given)

    def all_of(value: Any) -> Any:
        return rebuilt(value, evaluate_scalar, given)

    value = outcome.value if outcome.kind == "raised" else recording.silently(all_of, outcome.value)
    arguments = [recording.silently(all_of, each) for each in outcome.arguments]
    return Outcome(outcome.kind, value, tuple(arguments))


def evaluated_scalar(value: Any, given: Assignment) -> Any:
    """The value that the terms of a tracked scalar have under an input."""

    def part(each: Any) -> Any:
        return evaluated_scalar(each, given) if tracked(each) else each

    kind = type(value)
    if kind is ConcolicInt or kind is ConcolicFloat or kind is Truth:  # most are one of these
        return evaluate(value.term, given)
    match value:
        case ConcolicComplex():
            return complex(part(value.real), part(value.imag))
        case ConcolicDate():
            return datetime.date(*map(part, value._date))
        case ConcolicDatetime():
            return datetime.datetime(*map(part, (*value._date, *value._clock)))
        case ConcolicTime():
            return datetime.time(*map(part, value._clock))
        case ConcolicTimedelta():
            return datetime.timedelta(microseconds=part(value.micros))
        case ConcolicDecimal():
            return scaled(evaluate(value.digits, given), value.places)
        case ConcolicFraction():
            return Fraction(part(value.above), part(value.below))
        case ConcolicUUID():
            return uuid.UUID(int=part(value.int))
        case ConcolicByteArray():
            return bytearray(evaluate(value.content.whole, given))
        case ConcolicStr() | ConcolicBytes():
            return evaluate(value.content.whole, given)
        case TrackedPath():
            return type_of(value)(part(value.tracked_text))
        case _:
            return evaluate(value.term, given)


def type_of(value: Any) -> Any:
    return STANDS_FOR.get(type(value), type(value))


def rebuilt(value: Any, scalar: Callable[[Any], Any], given: Assignment | None) -> Any:
    """A value with every tracked scalar replaced, open containers by their length under `given`."""
    if tracked(value):
        return scalar(value)
    kind = type(value)
    family = family_of(kind)
    parts: Iterator[Any]
    if family is None:
        return value
    is_open = kind in tables.OPEN and value.length is not None
    if given is not None and is_open and family in ("dict", "set"):
        return OPEN  # nobody has looked at it, nor changed it
    if family == "dict":
        pairs = [
            (rebuilt(key, scalar, given), rebuilt(dict.__getitem__(value, key), scalar, given))
            for key in raw(value, family)
        ]
        if kind is collections.defaultdict:
            return collections.defaultdict(value.default_factory, pairs)
        return dict(pairs) if kind in tables.OPEN else kind(dict(pairs))
    if given is not None and is_open:
        count = evaluate(value.length, given)
        parts = iter(value.first(count))
    else:
        parts = raw(value, family)
    items = [rebuilt(each, scalar, given) for each in parts]
    if family == "view":
        return items
    stands_for = type_of(value)
    return stands_for(*items) if hasattr(stands_for, "_fields") else stands_for(items)


def alike(mine: Any, theirs: Any) -> bool:
    """Equal, of the same types all the way down; nan is like nan, 0.0 is not like -0.0."""
    if mine is OPEN:
        return True
    kind = type(theirs)
    if kind in VIEWS:
        theirs = list(theirs)
        kind = list
    if type(mine) is not kind:
        return False
    if kind in PLAIN:
        return bool(mine == theirs)
    if isinstance(mine, float):
        return repr(mine) == repr(theirs)
    if isinstance(mine, dict):
        if len(mine) != len(theirs):
            return False
        return alike(list(mine.items()), list(theirs.items()))
    if isinstance(mine, set | frozenset):
        return len(mine) == len(theirs) and all(any(alike(a, b) for b in theirs) for a in mine)
    if isinstance(mine, list | tuple | collections.deque):
        return len(mine) == len(theirs) and all(map(alike, mine, theirs))
    if isinstance(mine, complex):
        return alike(mine.real, theirs.real) and alike(mine.imag, theirs.imag)
    if isinstance(mine, Decimal):  # the sign of a zero is no part of a term
        return str(mine).lstrip("-") == str(theirs).lstrip("-") and (
            mine == theirs or mine.is_nan()
        )
    return bool(mine == theirs)


def perturbed(given: Assignment, random: Random) -> Assignment:
    """An input near this one: few variables changed, sometimes all in the same way."""
    other = dict(given)  # of numbers and texts only
    names = [name for name, value in given.items() if type(value) in (int, bool, float)]
    if not names:
        return other
    for name in random.sample(names, min(len(names), random.choice((1, 1, 1, 2, 3)))):
        value = other[name]
        if isinstance(value, bool):
            other[name] = not value
        elif isinstance(value, int):
            is_length = name.startswith("len(")  # a long container takes long to build
            change = random.choice((1, -1, 2, 3, 5) if is_length else (1, -1, 2, 5, 100))
            other[name] = max(0, value + change) if is_length else value + change
        else:
            other[name] = value + random.choice((1.0, -0.5, 100.0))
    if random.random() < 0.2:
        shift = random.choice((1, 10, 1000))
        for name in names:
            if type(given[name]) is int and not name.endswith("?") and not name.startswith("len("):
                other[name] = given[name] + shift
    return other
