"""Datetimes, times of the day and durations whose numbers carry terms.

A duration is one number of microseconds; days, seconds and microseconds follow from it, as they do
in CPython.
"""

from __future__ import annotations

import datetime
from typing import Any

from symcrete.terms import floats, integers
from symcrete.terms.logic import conjoin
from symcrete.terms.term import int_const
from symcrete.values.library.dates import (
    LAST_DAY,
    Day,
    check_day,
    computed,
    concolic_date,
    dropping,
    fit_in_c,
    parts_of_day,
    with_day,
)
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import concolic_float, int_term, tracked, untracked
from symcrete.values.tracking.operators import OPERATORS, truth_of
from symcrete.values.tracking.unchanging_values import Unchanging

_A_SECOND = 1_000_000  # microseconds
_A_DAY = 86_400 * _A_SECOND
_MOST_DAYS = 999_999_999  # of a timedelta, as datetime has it
_ORDERED = ("lt", "le", "gt", "ge", "eq", "ne")
_CLOCK = ("hour", "minute", "second", "microsecond")


# -- durations


class ConcolicTimedelta(Unchanging, datetime.timedelta):
    """A duration: its microseconds as a tracked int."""

    micros: Any

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return datetime.timedelta

    @property
    def days(self) -> Any:
        return self.micros // _A_DAY

    @property
    def seconds(self) -> Any:
        return self.micros // _A_SECOND % 86_400

    @property
    def microseconds(self) -> Any:
        return self.micros % _A_SECOND

    def total_seconds(self) -> Any:
        value = datetime.timedelta.total_seconds(untracked(self))
        return concolic_float(value, floats.int_div(self.micros.term, int_const(_A_SECOND)))

    def __bool__(self) -> bool:
        return bool(truth_of(self.micros))

    def __neg__(self) -> Any:
        return concolic_timedelta(-self.micros)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return concolic_timedelta(abs(self.micros))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int):
            return concolic_timedelta(OPERATORS["mul"](self.micros, other))
        return _lost(self, other, "__mul__")

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta):
            return OPERATORS["floordiv"](self.micros, micros_of(other))
        if isinstance(other, int):
            return concolic_timedelta(OPERATORS["floordiv"](self.micros, other))
        return NotImplemented

    def __rfloordiv__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta):
            return OPERATORS["floordiv"](micros_of(other), self.micros)
        return NotImplemented

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta):
            return OPERATORS["truediv"](self.micros, micros_of(other))
        return _lost(self, other, "__truediv__")

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta):
            return OPERATORS["truediv"](micros_of(other), self.micros)
        return NotImplemented

    def __mod__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta):
            return concolic_timedelta(OPERATORS["mod"](self.micros, micros_of(other)))
        return NotImplemented

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other


def _lost(duration: Any, other: Any, name: str) -> Any:
    """The plain product or quotient of a duration and a float, which is rounded; the loss is
    noted.
    """
    method = getattr(datetime.timedelta, name)
    found = method(untracked(duration), untracked(other))
    if found is not NotImplemented:
        recording.active().lose(f"timedelta.{name}")
    return found


def concolic_timedelta(micros: Any) -> Any:
    """The duration of so many microseconds, plain if they are; one that is too long raises
    OverflowError, which is a branch.
    """
    if not tracked(micros):
        return datetime.timedelta(microseconds=micros)
    term, plain = micros.term, untracked(micros)
    least, most = -_MOST_DAYS * _A_DAY, (_MOST_DAYS + 1) * _A_DAY - 1
    inside = conjoin([integers.le(int_const(least), term), integers.le(term, int_const(most))])
    recording.active().implicit("OverflowError", inside, least <= plain <= most)
    days, rest = divmod(plain, _A_DAY)
    made = datetime.timedelta.__new__(ConcolicTimedelta, days, 0, rest)  # raises
    made.micros = micros
    return made


def micros_of(duration: datetime.timedelta) -> Any:
    """The microseconds of a duration, tracked if it is."""
    if type(duration) is ConcolicTimedelta:
        return duration.micros
    return (duration.days * 86_400 + duration.seconds) * _A_SECOND + duration.microseconds


def _duration_operator(name: str, *, reflected: bool) -> Any:
    combine = OPERATORS[name]

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, datetime.timedelta):
            return NotImplemented
        left, right = (other, self) if reflected else (self, other)
        return concolic_timedelta(combine(micros_of(left), micros_of(right)))

    return method


def _durations_compared(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, datetime.timedelta):
            return NotImplemented
        return OPERATORS[name](self.micros, micros_of(other))

    return method


for _name in ("add", "sub"):
    setattr(ConcolicTimedelta, f"__{_name}__", _duration_operator(_name, reflected=False))
    setattr(ConcolicTimedelta, f"__r{_name}__", _duration_operator(_name, reflected=True))
for _name in _ORDERED:
    setattr(ConcolicTimedelta, f"__{_name}__", _durations_compared(_name))
dropping(ConcolicTimedelta, datetime.timedelta, "__repr__ __str__")
ConcolicTimedelta.__name__ = ConcolicTimedelta.__qualname__ = "timedelta"


def plain_duration(value: Any) -> datetime.timedelta:
    """The plain timedelta behind a tracked one."""
    days, rest = divmod(untracked(value.micros), _A_DAY)
    return datetime.timedelta(days, 0, rest)


# Microseconds of each unit, in the order of the parameters of `timedelta`.
_UNITS = {
    "days": _A_DAY,
    "seconds": _A_SECOND,
    "microseconds": 1,
    "milliseconds": 1000,
    "minutes": 60 * _A_SECOND,
    "hours": 3600 * _A_SECOND,
    "weeks": 7 * _A_DAY,
}


def timedelta_model(*args: Any, **named: Any) -> Any:
    """`timedelta(...)`; arguments that are no ints drop their terms."""
    parts = {**dict(zip(_UNITS, args, strict=False)), **named}
    if not any(tracked(each) for each in parts.values()) or len(parts) != len(args) + len(named):
        return foreign(datetime.timedelta, *args, **named)
    if not parts.keys() <= _UNITS.keys() or any(int_term(each) is None for each in parts.values()):
        return foreign(datetime.timedelta, *args, **named)
    total: Any = 0
    for unit, each in parts.items():
        total = OPERATORS["add"](total, OPERATORS["mul"](each, _UNITS[unit]))
    return concolic_timedelta(total)


# -- times of the day


class Clock(Unchanging):
    """What times and datetimes share: hour, minute, second and microsecond."""

    _clock: tuple[Any, Any, Any, Any]

    @property
    def hour(self) -> Any:
        return self._clock[0]

    @property
    def minute(self) -> Any:
        return self._clock[1]

    @property
    def second(self) -> Any:
        return self._clock[2]

    @property
    def microsecond(self) -> Any:
        return self._clock[3]


class ConcolicTime(Clock, datetime.time):
    """A time of the day without a zone."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return datetime.time

    def replace(self, *args: Any, **named: Any) -> Any:
        return _replaced(self, self._clock, _CLOCK, time_model, datetime.time, args, named)


def concolic_time(*clock: Any) -> Any:
    """The tracked time of these parts, which must be valid; a plain one where none is tracked."""
    plain = [untracked(each) for each in clock]
    if not any(tracked(each) for each in clock):
        return datetime.time(*plain)
    made = datetime.time.__new__(ConcolicTime, *plain)
    made._clock = (*clock, 0, 0, 0, 0)[:4]
    return made


def _replaced(
    value: Any, parts: Any, names: Any, make: Any, kind: Any, args: Any, named: Any
) -> Any:
    new = {**dict(zip(names, args, strict=False)), **named}
    if len(args) > len(names) or not new.keys() <= set(names):
        recording.active().lose(f"{kind.__name__}.replace()")
        return kind.replace(untracked(value), *args, **named)
    return make(*[new.get(name, part) for name, part in zip(names, parts, strict=True)])


def _times_compared(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, datetime.time):
            return NotImplemented
        if other.tzinfo is not None:
            return getattr(datetime.time, f"__{name}__")(untracked(self), other)
        theirs = (other.hour, other.minute, other.second, other.microsecond)
        return OPERATORS[name](self._clock, theirs)

    return method


for _name in _ORDERED:
    setattr(ConcolicTime, f"__{_name}__", _times_compared(_name))
dropping(ConcolicTime, datetime.time, "__repr__ __str__ __format__ isoformat strftime")
ConcolicTime.__name__ = ConcolicTime.__qualname__ = "time"


def plain_time(value: Any) -> datetime.time:
    """The plain time behind a tracked one."""
    return datetime.time(*[untracked(each) for each in value._clock])


_LIMITS = (23, 59, 59, 999_999)  # the largest values of the parts in _CLOCK


def check_clock(*clock: Any) -> None:
    """Raise what `time(hour, ...)` raises; each reason is a branch."""
    fit_in_c(*clock)
    for value, most in zip(clock, _LIMITS, strict=False):
        term, plain = int_term(value), untracked(value)
        assert term is not None
        inside = conjoin([integers.le(int_const(0), term), integers.le(term, int_const(most))])
        if not recording.active().implicit("ValueError", inside, 0 <= plain <= most):
            break
    datetime.time(*[untracked(each) for each in clock])  # raises if there is no such time


def time_model(*args: Any, **named: Any) -> Any:
    """`time(hour, ...)`: that there is such a time is a branch; a time zone drops the terms."""
    parts = {**dict(zip(_CLOCK, args, strict=False)), **named}
    if not any(tracked(each) for each in parts.values()) or not parts.keys() <= set(_CLOCK):
        return foreign(datetime.time, *args, **named)
    clock = [parts.get(name, 0) for name in _CLOCK]
    if len(args) > 4 or any(int_term(each) is None for each in clock):
        return foreign(datetime.time, *args, **named)
    check_clock(*clock)
    return concolic_time(*clock)


# -- datetimes


class ConcolicDatetime(Day, Clock, datetime.datetime):
    """A date and a time of the day, without a zone."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return datetime.datetime

    def date(self) -> Any:
        return concolic_date(*self._date, self._number)

    def time(self) -> Any:
        return concolic_time(*self._clock)

    def replace(self, *args: Any, **named: Any) -> Any:
        names = ("year", "month", "day", *_CLOCK)
        parts = (*self._date, *self._clock)
        return _replaced(self, parts, names, datetime_model, datetime.datetime, args, named)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, datetime.timedelta):
            return NotImplemented
        return _at(OPERATORS["add"](instant_of(self), micros_of(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta):
            return _at(OPERATORS["sub"](instant_of(self), micros_of(other)))
        if isinstance(other, datetime.datetime) and other.tzinfo is None:
            return concolic_timedelta(OPERATORS["sub"](instant_of(self), instant_of(other)))
        return datetime.datetime.__sub__(untracked(self), other)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, datetime.datetime) and other.tzinfo is None:
            return concolic_timedelta(OPERATORS["sub"](instant_of(other), instant_of(self)))
        return NotImplemented


def concolic_datetime(*parts: Any, number: Any = None) -> Any:
    """The tracked datetime of these parts, which must be valid; a plain one where none is tracked.
    `number` is that of the day, if it is known.
    """
    plain = [untracked(each) for each in parts]
    if not any(tracked(each) for each in parts):
        return datetime.datetime(*plain)
    made = datetime.datetime.__new__(ConcolicDatetime, *plain)
    with_day(made, parts[:3], number)
    made._clock = (*parts[3:], 0, 0, 0, 0)[:4]
    return made


def instant_of(moment: Any) -> Any:
    """The microseconds since the start of day 0, the one before the calendar's first; a tracked
    int.
    """
    clock = (moment.hour * 60 + moment.minute) * 60 + moment.second
    return moment.toordinal() * _A_DAY + clock * _A_SECOND + moment.microsecond


def _at(instant: Any) -> Any:
    """The datetime that `instant_of` gives this number for; outside of the calendar it raises
    OverflowError, which is a branch.
    """
    term, plain = int_term(instant), untracked(instant)
    assert term is not None
    first, last = _A_DAY, (LAST_DAY + 1) * _A_DAY - 1
    inside = conjoin([integers.le(int_const(first), term), integers.le(term, int_const(last))])
    if not recording.active().implicit("OverflowError", inside, first <= plain <= last):
        raise OverflowError("date value out of range")
    number, rest = instant // _A_DAY, instant % _A_DAY
    seconds, micros = rest // _A_SECOND, rest % _A_SECOND
    clock = (seconds // 3600, seconds // 60 % 60, seconds % 60, micros)
    if not tracked(number):
        date = datetime.date.fromordinal(number)
        return concolic_datetime(date.year, date.month, date.day, *clock)
    return concolic_datetime(*parts_of_day(number), *clock, number=number)


def _moments_compared(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, datetime.datetime) or other.tzinfo is not None:
            return getattr(datetime.datetime, f"__{name}__")(untracked(self), untracked(other))
        if computed(self) or computed(other):
            return OPERATORS[name](instant_of(self), instant_of(other))
        clock = (other.hour, other.minute, other.second, other.microsecond)
        mine = (*self._date, *self._clock)
        return OPERATORS[name](mine, (other.year, other.month, other.day, *clock))

    return method


for _name in _ORDERED:
    setattr(ConcolicDatetime, f"__{_name}__", _moments_compared(_name))
dropping(
    ConcolicDatetime,
    datetime.datetime,
    "__repr__ __str__ __format__ isoformat strftime ctime isocalendar timetuple timestamp "
    "astimezone utctimetuple timetz",
)
ConcolicDatetime.__name__ = ConcolicDatetime.__qualname__ = "datetime"


def plain_datetime(value: Any) -> datetime.datetime:
    """The plain datetime behind a tracked one."""
    return datetime.datetime(*[untracked(each) for each in (*value._date, *value._clock)])


def datetime_model(*args: Any, **named: Any) -> Any:
    """`datetime(year, month, day, ...)`: that there is such a time is a branch; a time zone drops
    the terms.
    """
    names = ("year", "month", "day", *_CLOCK)
    parts = {**dict(zip(names, args, strict=False)), **named}
    if not any(tracked(each) for each in parts.values()) or len(args) > 7:
        return foreign(datetime.datetime, *args, **named)
    if not {"year", "month", "day"} <= parts.keys() <= set(names):
        return foreign(datetime.datetime, *args, **named)
    values = [parts.get(name, 0) for name in names]
    if any(int_term(each) is None for each in values):
        return foreign(datetime.datetime, *args, **named)
    fit_in_c(*values)
    check_day(*values[:3])
    check_clock(*values[3:])
    return concolic_datetime(*values)


MODELS: tuple[ModelRow, ...] = (
    Model(datetime.timedelta, timedelta_model),
    Model(datetime.time, time_model),
    Model(datetime.datetime, datetime_model),
)
