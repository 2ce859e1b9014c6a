"""Types of the standard library that are values: complex, Decimal, Fraction, dates, UUID, paths."""

from __future__ import annotations

import calendar
import contextlib
import datetime
import decimal
import enum
import fractions
import io
import math
import pathlib
import re
import typing
import uuid
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import StrShape, drawn, is_usual, spread
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import (
    WHICH,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    Written,
    joined,
    one_of,
    write,
)
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.terms.texts import STR, source


@dataclass(frozen=True, slots=True)
class FieldsShape:
    """A value made of a few numbers, each a variable `name.field`."""

    kind: Any
    fields: tuple[tuple[str, Shape], ...]

    def names(self, name: str) -> list[tuple[str, Shape]]:
        """The path of each field with its shape."""
        return [(f"{name}.{field}", shape) for field, shape in self.fields]

    def values(self, name: str, given: Assignment) -> list[Any]:
        """The plain value of each field."""
        return [shape.plain(where, given) for where, shape in self.names(name)]

    def plain(self, name: str, given: Assignment) -> Any:
        return self.kind(*self.values(name, given))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for where, shape in self.names(name):
            shape.sample(where, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        parts = [write(shape, where, given) for where, shape in self.names(name)]
        made = joined(parts, f"{self.kind.__name__}({', '.join([part.text for part in parts])})")
        module = self.kind.__module__
        imports = set() if module == "builtins" else {(module, self.kind.__name__)}
        return Written(made.text, made.imports | imports)


# Facts of the calendar, as `datetime` has it.
LAST_YEAR = 9999
MONTHS = 12
LAST_SECOND = 86_399  # of a day
LAST_MICROSECOND = 999_999  # of a second
PARTS_OF_A_DATE = 3  # year, month and day

# How dates, durations and other values of the library are drawn; chosen, not measured.
LEAST_YEAR_MENTIONED = 1000  # integers of the program from it on may be years
YEAR_OF_THE_PROGRAM_DRAWN = 0.3  # share of dates in a year that the program mentions
FIRST_RECENT_YEAR, LAST_RECENT_YEAR = 1900, 2100  # between which most years are drawn
RECENT_TIMES = 4  # a recent year is drawn so many times as often as year 1, and as the last year
DAYS_DRAWN = (0, 0, 1, -1, 7, 30, 365)  # of a duration; and once any within MOST_DAYS_DRAWN
MOST_DAYS_DRAWN = 1000
SECONDS_DRAWN = (0, 0, 1, 60, 3600, LAST_SECOND)  # of a duration; and once any of a day
MICROSECONDS_DRAWN = (0, 0, 0, 1, 500_000, LAST_MICROSECOND)  # of a duration
ODD_DECIMAL_DRAWN = 0.06  # share of Decimals that are infinite, NaN or minus zero
PLACES_DRAWN = (0, 0, 1, 2, 2, 3)  # decimal places of a Decimal
LARGEST_DECIMAL_DRAWN = 1e12  # larger floats, as Decimals, would have very many digits
DENOMINATORS_DRAWN = (1, 2, 3)  # of a Fraction; and any other as often as each of these
LARGEST_UUID = 2**128 - 1  # a UUID is a number of 128 bits
UUID_VERSIONS_DRAWN = (1, 3, 4, 5)  # those that the library makes
PATH_PARTS_DRAWN = (1, 1, 2, 3)  # names in a path
WORD_IN_A_PATH_DRAWN = 0.6  # share of the names in a path that the program mentions
LONGEST_NAME_IN_A_PATH = 30  # a text of the program with fewer characters may be in a path

_YEAR, _MONTH, _DAY = IntShape(1, LAST_YEAR), IntShape(1, MONTHS), IntShape(1, 31)
_CLOCK = (("hour", IntShape(0, 23)), ("minute", IntShape(0, 59)), ("second", IntShape(0, 59)))
_CLOCK = (*_CLOCK, ("microsecond", IntShape(0, LAST_MICROSECOND)))  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class DayShape(FieldsShape):
    """A date, with or without the time of the day."""

    def plain(self, name: str, given: Assignment) -> Any:
        return self.kind(*valid_day(self.values(name, given)))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        years = [each for each in pool.integers if LEAST_YEAR_MENTIONED <= each <= LAST_YEAR]
        mentioned = years and random.random() < YEAR_OF_THE_PROGRAM_DRAWN
        drawn = random.choice(years) if mentioned else 0
        if not drawn:
            recent = random.randint(FIRST_RECENT_YEAR, LAST_RECENT_YEAR)
            drawn = random.choice((1, LAST_YEAR, *[recent] * RECENT_TIMES))
        year: Any = self.fields[0][1]
        given[f"{name}.year"] = min(max(drawn, year.low), year.high)
        given[f"{name}.month"] = random.randint(1, MONTHS)
        last = calendar.monthrange(given[f"{name}.year"], given[f"{name}.month"])[1]
        given[f"{name}.day"] = random.choice((1, last, random.randint(1, last)))
        for where, shape in self.names(name)[PARTS_OF_A_DATE:]:
            given[where] = random.choice((0, 0, shape.high, random.randint(0, shape.high)))  # type: ignore[attr-defined]

    def write(self, name: str, given: Assignment) -> Written:
        values = self.values(name, given)
        while len(values) > PARTS_OF_A_DATE and values[-1] == 0:
            values.pop()
        kind = self.kind.__name__
        text = f"{kind}({', '.join([str(value) for value in values])})"
        return Written(text, frozenset({("datetime", kind)}))


# Time zones that an aware datetime is tried in: behind, ahead, and neither.
ZONES = (
    datetime.UTC,
    datetime.timezone(datetime.timedelta(hours=2)),
    datetime.timezone(datetime.timedelta(hours=-5)),
)
_ZONE_TEXTS = ("UTC", "timezone(timedelta(hours=2))", "timezone(timedelta(hours=-5))")


@dataclass(frozen=True, slots=True)
class AwareShape:
    """A datetime or a time with a time zone: the variable `name.zone` is the number of one of
    `ZONES`.
    """

    day: FieldsShape

    def zone(self, name: str, given: Assignment) -> int:
        """The number of the zone in `ZONES`."""
        return int(given.get(f"{name}.zone", 0)) % len(ZONES)

    def plain(self, name: str, given: Assignment) -> Any:
        return self.day.plain(name, given).replace(tzinfo=ZONES[self.zone(name, given)])

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        self.day.sample(name, pool, random, given)
        given[f"{name}.zone"] = random.randrange(len(ZONES))

    def write(self, name: str, given: Assignment) -> Written:
        made = self.day.write(name, given)
        zone = _ZONE_TEXTS[self.zone(name, given)]
        named = ["UTC"] if zone == "UTC" else ["timezone", "timedelta"]
        words = {("datetime", name) for name in named}
        return Written(f"{made.text[:-1]}, tzinfo={zone})", made.imports | words)


def valid_day(values: list[Any]) -> list[Any]:
    """The numbers of a date with the day not beyond the end of its month."""
    year, month, day, *rest = values
    return [year, month, min(day, calendar.monthrange(year, month)[1]), *rest]


@dataclass(frozen=True, slots=True)
class TimedeltaShape(FieldsShape):
    """A duration: days, seconds and microseconds."""

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        days = (*DAYS_DRAWN, random.randint(-MOST_DAYS_DRAWN, MOST_DAYS_DRAWN))
        given[f"{name}.days"] = random.choice(days)
        seconds = (*SECONDS_DRAWN, random.randint(0, LAST_SECOND))
        given[f"{name}.seconds"] = random.choice(seconds)
        given[f"{name}.microseconds"] = random.choice(MICROSECONDS_DRAWN)

    def write(self, name: str, given: Assignment) -> Written:
        values = zip(self.fields, self.values(name, given), strict=True)
        # As people write it: `timedelta(seconds=5)`.
        told = [f"{field}={value}" for (field, _), value in values if value]
        return Written(f"timedelta({', '.join(told)})", frozenset({("datetime", "timedelta")}))


MOST_PLACES = 12  # decimal places of a Decimal that is built; chosen, not measured
# Decimals that are no number times a power of ten.
ODD_DECIMALS = tuple([decimal.Decimal(text) for text in ("Infinity", "-Infinity", "NaN", "-0")])


@dataclass(frozen=True, slots=True)
class DecimalShape:
    """An int `name.digits` divided by ten to the power `name.places`, or one of ODD_DECIMALS."""

    decides: ClassVar[bool] = True
    which: ClassVar[str] = WHICH

    def plain(self, name: str, given: Assignment) -> Any:
        which = given.get(name + self.which, 0)
        if which:
            return ODD_DECIMALS[which - 1]
        return scaled(given.get(f"{name}.digits", 0), given.get(f"{name}.places", 0))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        odd = random.random() < ODD_DECIMAL_DRAWN
        given[name + self.which] = random.randint(1, len(ODD_DECIMALS)) if odd else 0
        places = given[f"{name}.places"] = random.choice(PLACES_DRAWN)
        number = pool.float(random)
        if math.isfinite(number) and abs(number) < LARGEST_DECIMAL_DRAWN:
            given[f"{name}.digits"] = int(decimal.Decimal(str(number)).scaleb(places))
        else:
            given[f"{name}.digits"] = pool.integer(random)

    def write(self, name: str, given: Assignment) -> Written:
        return Written(literal(self.plain(name, given)), frozenset({("decimal", "Decimal")}))


def scaled(digits: int, places: int) -> decimal.Decimal:
    """The Decimal digits / 10 ** places, exactly."""
    sign = 1 if digits < 0 else 0
    parts = tuple([int(char) for char in str(abs(digits))])
    return decimal.Decimal((sign, parts, -places))


@dataclass(frozen=True, slots=True)
class FractionShape:
    """A Fraction: numerator and denominator in lowest terms."""

    def plain(self, name: str, given: Assignment) -> Any:
        numerator = given.get(f"{name}.numerator", 0)
        return fractions.Fraction(numerator, given.get(f"{name}.denominator", 1))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        below = abs(pool.integer(random)) or 1
        drawn = fractions.Fraction(
            pool.integer(random), random.choice((*DENOMINATORS_DRAWN, below))
        )
        given[f"{name}.numerator"] = drawn.numerator
        given[f"{name}.denominator"] = drawn.denominator

    def write(self, name: str, given: Assignment) -> Written:
        value = self.plain(name, given)
        text = f"Fraction({value.numerator}, {value.denominator})"
        return Written(text, frozenset({("fractions", "Fraction")}))


@dataclass(frozen=True, slots=True)
class UuidShape:
    """A UUID: a number of 128 bits."""

    def plain(self, name: str, given: Assignment) -> Any:
        return uuid.UUID(int=given.get(f"{name}.int", 0))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        bits = random.getrandbits(LARGEST_UUID.bit_length())
        drawn = uuid.UUID(int=bits, version=random.choice(UUID_VERSIONS_DRAWN))
        given[f"{name}.int"] = random.choice((0, LARGEST_UUID, drawn.int, drawn.int))

    def write(self, name: str, given: Assignment) -> Written:
        return Written(f'UUID("{self.plain(name, given)}")', frozenset({("uuid", "UUID")}))


@dataclass(frozen=True, slots=True)
class PathShape:
    """A path over a text, drawn from names, endings and parts that the program mentions."""

    kind: Any
    text: ClassVar[StrShape] = StrShape()

    def plain(self, name: str, given: Assignment) -> Any:
        return self.kind(self.text.plain(name, given))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        words = [
            text for text in pool.texts if len(text) < LONGEST_NAME_IN_A_PATH and "\0" not in text
        ]
        parts: list[str] = []
        for _ in range(random.choice(PATH_PARTS_DRAWN)):
            word = random.choice(("a", "b", "dir", "x1"))
            if words and random.random() < WORD_IN_A_PATH_DRAWN:
                mentioned = random.choice(words)
                word = word + mentioned if mentioned.startswith(".") else mentioned
            parts.append(word + random.choice(("", "", "", ".txt", ".py", ".tar.gz")))
        start = random.choice(("", "", "", "/", "../"))
        spread(name, list(map(ord, start + "/".join(parts))), given)


SIMPLE: dict[Any, Shape] = {
    complex: FieldsShape(complex, (("real", FloatShape()), ("imag", FloatShape()))),
    datetime.date: DayShape(datetime.date, (("year", _YEAR), ("month", _MONTH), ("day", _DAY))),
    datetime.datetime: DayShape(
        datetime.datetime, (("year", _YEAR), ("month", _MONTH), ("day", _DAY), *_CLOCK)
    ),
    datetime.time: FieldsShape(datetime.time, _CLOCK),
    datetime.timedelta: TimedeltaShape(
        datetime.timedelta,
        (
            ("days", IntShape(-999_999_999, 999_999_999)),
            ("seconds", IntShape(0, 86_399)),
            ("microseconds", IntShape(0, LAST_MICROSECOND)),
        ),
    ),
    decimal.Decimal: DecimalShape(),
    fractions.Fraction: FractionShape(),
    uuid.UUID: UuidShape(),
}


# The input is one of `ZONES` where a class of time zones of these modules is declared; one of the
# program is built by its constructor.
_ZONE_MODULES = ("datetime", "zoneinfo")
AWARE: dict[Any, AwareShape] = {
    kind: AwareShape(SIMPLE[kind])  # type: ignore[arg-type]
    for kind in (datetime.datetime, datetime.time)
}


def shape_of(kind: type, where: str, leave_open: Callable[[str], None]) -> Shape | None:
    """The shape of a class of the library that is known by its base class; None for others."""
    if issubclass(kind, pathlib.PurePath):
        return PathShape(kind)
    if issubclass(kind, datetime.tzinfo) and kind.__module__ in _ZONE_MODULES:
        leave_open(f"{where} may be any time zone")
        return one_of([ConstantShape(each) for each in ZONES])
    return None


# -- compiled patterns

# Patterns that are tried where any may be given: with a group, anchored, for any case.
_PATTERNS = (r"\w+", r"(\d+)-(\w*)", r"^a")
MOST_PATTERNS = 3  # of the module's own; chosen, not measured


def patterns(names: Mapping[str, Any], of: tuple[Any, ...]) -> list[Shape]:
    """Shapes for compiled patterns: those that a module has names for, then a few of every kind;
    `of` is the type of the texts that they match, as far as it is declared.
    """
    kind = bytes if of[:1] == (bytes,) else str
    held = [each for each in names.values() if isinstance(each, re.Pattern)]
    texts = [text if kind is str else text.encode() for text in _PATTERNS]
    usual = [re.compile(text) for text in texts] + [re.compile(texts[-1], re.IGNORECASE)]
    own = [each for each in held if isinstance(each.pattern, kind)]
    return [PatternShape(each) for each in dict.fromkeys([*own[:MOST_PATTERNS], *usual])]


@dataclass(frozen=True, slots=True)
class PatternShape(ConstantShape):
    """One compiled pattern, written as the call that compiles it."""

    def write(self, name: str, given: Assignment) -> Written:
        pattern = self.value.pattern
        text = literal(pattern)
        if text.replace("\\\\", "\\") == f'"{pattern}"':
            text = f'r"{pattern}"'  # nothing but backslashes is escaped in it
        flags = re.RegexFlag(self.value.flags) & ~re.UNICODE
        named = [f"re.{each.name}" for each in re.RegexFlag if each in flags and each.name]
        rest = f", {' | '.join(named)}" if named else ""
        return Written(f"re.compile({text}{rest})", frozenset({("re", "")}))  # the module itself


# -- files in memory, and contexts that do nothing

MOST_LINES = 4  # lines of a file that is drawn; chosen, not measured
FILE_OF_LINES = 0.5  # share of drawn files that are made line by line; chosen, not measured
# The class in memory that does for each type of file.
FILES: dict[Any, type] = {
    typing.TextIO: io.StringIO,
    typing.IO: io.StringIO,
    io.StringIO: io.StringIO,
    io.TextIOBase: io.StringIO,
    io.TextIOWrapper: io.StringIO,
    io.IOBase: io.StringIO,
    typing.BinaryIO: io.BytesIO,
    io.BytesIO: io.BytesIO,
    io.RawIOBase: io.BytesIO,
    io.BufferedIOBase: io.BytesIO,
    io.BufferedReader: io.BytesIO,
}


@dataclass(frozen=True, slots=True)
class FileShape:
    """A file in memory with some text in it, or the bytes of that text."""

    kind: type

    @property
    def text(self) -> StrShape:
        """The shape of the text."""
        return StrShape(odd=False)

    def content_name(self, name: str) -> str:
        return f"{name}.content"

    def content(self, name: str, given: Assignment) -> str:
        found: str = self.text.plain(self.content_name(name), given)
        return found

    def plain(self, name: str, given: Assignment) -> Any:
        content = self.content(name, given)
        return self.kind(content if self.kind is io.StringIO else content.encode())

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        if random.random() < FILE_OF_LINES:
            source(self.content_name(name), STR)  # known as a text from now on
            lines = [drawn(pool, random) for _ in range(random.randrange(MOST_LINES + 1))]
            text = "\n".join(lines) + "\n" * random.randrange(2)
            codes = [ord(char) for char in text if is_usual(char)]
            spread(self.content_name(name), codes, given)
        else:
            self.text.sample(self.content_name(name), pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        content: Any = self.content(name, given)
        content = content if self.kind is io.StringIO else content.encode()
        called = self.kind.__name__
        return Written(f"{called}({literal(content)})", frozenset({("io", called)}))


@dataclass(frozen=True, slots=True)
class ContextShape:
    """Something that can be entered and left, such as a lock."""

    def plain(self, name: str, given: Assignment) -> Any:
        return contextlib.nullcontext()

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        pass

    def write(self, name: str, given: Assignment) -> Written:
        return Written("nullcontext()", frozenset({("contextlib", "nullcontext")}))


@dataclass(frozen=True, slots=True)
class FlagShape:
    """A Flag: a variable for each bit says whether it is set, also for a bit without a member that
    the class takes.
    """

    kind: type[enum.Flag]
    decides: ClassVar[bool] = True

    def members(self) -> list[enum.Flag]:
        """The members of one bit, then the values that `unnamed` gives."""
        single = [member for member in self.kind if member.value & (member.value - 1) == 0]
        return [*single, *self.unnamed()]

    def unnamed(self) -> list[enum.Flag]:
        """Values of one bit that are no members and that the class takes all the same; of the bits
        above the highest member only the lowest.
        """
        named = [member.value for member in self.kind.__members__.values()]
        bits = [1 << place for place in range(max([0, *named]).bit_length() + 1)]
        found = [_flag_of(self.kind, bit) for bit in bits if bit not in named]
        return [each for each in found if each is not None]

    def has_name(self, name: str, member: enum.Flag) -> str:
        """The variable that says whether the bit of this member is set: a Python expression."""
        kind = self.kind.__name__
        is_named = member.name in self.kind.__members__
        return (
            f"{kind}.{member.name} in {name}" if is_named else f"{kind}({member.value}) in {name}"
        )

    def plain(self, name: str, given: Assignment) -> Any:
        made = self.kind(0)
        for member in self.members():
            if given.get(self.has_name(name, member), False):
                made |= member
        return made

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for member in self.members():
            given[self.has_name(name, member)] = random.random() < 0.5


def _flag_of(kind: type[enum.Flag], bit: int) -> enum.Flag | None:
    """The value of a Flag that has this bit alone; None if the class takes no such value."""
    try:
        made = kind(bit)
    except ValueError:
        return None
    return made if type(made) is kind and made.value == bit else None
