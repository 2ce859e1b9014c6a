"""Dates whose year, month and day carry terms.

A date is its three numbers, or, where it was computed from another, the number of its day: then
year, month and day are opaque functions of that number, and comparing and subtracting stay linear.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin, disjoin, negate
from symcrete.terms.operations import opaque
from symcrete.terms.term import FALSE, Sort, Term, int_const, intern
from symcrete.values.rows.model_rows import Method, Model, ModelRow
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import concolic_int, int_term, tracked, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.unchanging_values import Unchanging

LAST_DAY = datetime.date.max.toordinal()  # the number of the calendar's last day
# days before each month of a year that is no leap year
_DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_SHORT = frozenset({4, 6, 9, 11})  # months of 30 days


def _term(value: Any) -> Term:
    found = int_term(value)
    assert found is not None
    return found


def _leap(year: Term) -> Term:
    def divides(number: int) -> Term:
        return integers.eq(integers.mod(year, int_const(number)), int_const(0))

    return conjoin([divides(4), disjoin([negate(divides(100)), divides(400)])])


def day_in_month(year: Any, month: Any, day: Any) -> tuple[Term, bool]:
    """The condition that a month has such a day, and whether it does in this run."""
    year_term, month_term, day_term = _term(year), _term(month), _term(day)
    is_short = disjoin([integers.eq(month_term, int_const(each)) for each in sorted(_SHORT)])
    february = choose(_leap(year_term), int_const(29), int_const(28))
    last = choose(integers.eq(month_term, int_const(2)), february, int_const(31))
    last = choose(is_short, int_const(30), last)
    condition = conjoin([integers.le(int_const(1), day_term), integers.le(day_term, last)])
    return condition, _exists(untracked(year), untracked(month), untracked(day))


def _exists(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def day_number(year: Any, month: Any, day: Any) -> Any:
    """`date(year, month, day).toordinal()` as a tracked int."""
    before = integers.sub(_term(year), int_const(1))
    total = integers.scale(before, 365)
    for number, sign in ((4, 1), (100, -1), (400, 1)):
        total = integers.add(
            total, integers.scale(integers.floordiv(before, int_const(number)), sign)
        )
    month_term = _term(month)
    start = int_const(_DAYS_BEFORE[11])
    for index in range(10, -1, -1):
        is_month = integers.eq(month_term, int_const(index + 1))
        start = choose(is_month, int_const(_DAYS_BEFORE[index]), start)
    late = conjoin([integers.lt(int_const(2), month_term), _leap(_term(year))])
    total = integers.add(integers.add(total, start), integers.from_truth(late))
    total = integers.add(total, _term(day))
    value = datetime.date(untracked(year), untracked(month), untracked(day)).toordinal()
    return concolic_int(value, total)


def _year_of(number: int) -> int:
    return datetime.date.fromordinal(number).year


def _month_of(number: int) -> int:
    return datetime.date.fromordinal(number).month


def _day_of(number: int) -> int:
    return datetime.date.fromordinal(number).day


_PARTS = [
    opaque(part, Sort.INT, f"date.{part.__name__}") for part in (_year_of, _month_of, _day_of)
]


def parts_of_day(number: Any) -> tuple[Any, Any, Any]:
    """Year, month and day of a day's number."""
    term = _term(number)
    date = datetime.date.fromordinal(untracked(number))
    values = (date.year, date.month, date.day)
    year, month, day = [
        concolic_int(value, intern(op, (term,))) for value, op in zip(values, _PARTS, strict=True)
    ]
    return year, month, day


class Day(Unchanging):
    """What dates and datetimes share: year, month, day, and the day's number once it is known."""

    _date: tuple[Any, Any, Any]
    _number: Any

    @property
    def year(self) -> Any:
        return self._date[0]

    @property
    def month(self) -> Any:
        return self._date[1]

    @property
    def day(self) -> Any:
        return self._date[2]

    def toordinal(self) -> Any:
        if self._number is None:
            self._number = day_number(*self._date)
        return self._number

    def weekday(self) -> Any:
        return (self.toordinal() + 6) % 7

    def isoweekday(self) -> Any:
        return (self.toordinal() + 6) % 7 + 1


class ConcolicDate(Day, datetime.date):
    """A date whose numbers carry terms."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return datetime.date

    def replace(self, year: Any = None, month: Any = None, day: Any = None) -> Any:
        given = [
            mine if new is None else new
            for mine, new in zip(self._date, (year, month, day), strict=True)
        ]
        return date_model(*given)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, datetime.timedelta):
            return NotImplemented
        return date_of_number(OPERATORS["add"](self.toordinal(), other.days))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta):
            return date_of_number(OPERATORS["sub"](self.toordinal(), other.days))
        if _is_date(other):
            return days_apart(self, other)
        return NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return days_apart(other, self) if _is_date(other) else NotImplemented


def with_day(made: Any, date: Sequence[Any], number: Any) -> Any:
    """A new date or datetime itself, which has these as year, month and day, and the number of the
    day if that is known.
    """
    made._date, made._number = tuple(date), number
    return made


def concolic_date(year: Any, month: Any, day: Any, number: Any = None) -> Any:
    """The tracked date of a day that exists; a plain one where no part is tracked."""
    plain = [untracked(each) for each in (year, month, day)]
    if not any(tracked(each) for each in (year, month, day)):
        return datetime.date(*plain)
    made = datetime.date.__new__(ConcolicDate, *plain)
    return with_day(made, (year, month, day), number)


def date_of_number(number: Any) -> Any:
    """The date of a day's number; outside of the calendar it raises OverflowError, as adding days
    to a date does, which is a branch.
    """
    if not tracked(number):
        if not 1 <= number <= LAST_DAY:
            raise OverflowError("date value out of range")
        return datetime.date.fromordinal(number)
    term, plain = _term(number), untracked(number)
    inside = [integers.le(int_const(1), term), integers.le(term, int_const(LAST_DAY))]
    if not recording.active().implicit("OverflowError", conjoin(inside), 1 <= plain <= LAST_DAY):
        raise OverflowError("date value out of range")
    return concolic_date(*parts_of_day(number), number)


def days_apart(left: Any, right: Any) -> Any:
    """`left - right` of two dates as a timedelta."""
    from symcrete.values.library.moments import concolic_timedelta  # which builds on this module

    days = OPERATORS["sub"](left.toordinal(), right.toordinal())
    return concolic_timedelta(days * 86_400_000_000)


def _is_date(value: Any) -> bool:
    return isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)


def computed(value: Any) -> bool:
    """Whether the number of a date's day is known: it was computed from another date, or somebody
    asked for `toordinal()`.
    """
    return getattr(value, "_number", None) is not None


def _compared(name: str) -> Any:
    compare = OPERATORS[name]

    def method(self: Any, other: Any) -> Any:
        if not _is_date(other):
            return NotImplemented
        if computed(self) or computed(other):
            return compare(self.toordinal(), other.toordinal())
        return compare(self._date, (other.year, other.month, other.day))

    return method


def dropping(kind: Any, base: Any, names: str) -> None:
    """Give a tracked class the methods `names` (separated by blanks) of its plain class `base`:
    they get the plain value, and the loss is noted.
    """

    def make(name: str) -> Any:
        plain = getattr(base, name)

        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            recording.active().lose(f"{base.__name__}.{name}()")
            return plain(untracked(self), *args, **kwargs)

        return method

    for name in names.split():
        setattr(kind, name, make(name))


for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(ConcolicDate, f"__{_name}__", _compared(_name))
dropping(
    ConcolicDate,
    datetime.date,
    "__repr__ __str__ __format__ isoformat strftime ctime isocalendar timetuple",
)
ConcolicDate.__name__ = ConcolicDate.__qualname__ = "date"


def plain_date(value: Any) -> datetime.date:
    """The plain date behind a tracked one."""
    return datetime.date(*[untracked(each) for each in value._date])


def date_model(*args: Any, **named: Any) -> Any:
    """`date(year, month, day)`: that there is such a day is a branch."""
    parts = [
        *args,
        *[named[each] for each in ("year", "month", "day")[len(args) :] if each in named],
    ]
    if len(parts) != 3 or len(args) + len(named) != 3 or not any(tracked(each) for each in parts):
        return foreign(datetime.date, *args, **named)
    if any(int_term(each) is None for each in parts):
        return foreign(datetime.date, *args, **named)
    check_day(*parts)
    return concolic_date(*parts)


def fit_in_c(*values: Any) -> None:
    """Raise OverflowError for numbers that do not fit into 32 bits, a branch each; CPython checks
    that before anything else.
    """
    least, most = -(2**31), 2**31 - 1
    for value in values:
        term, plain = _term(value), untracked(value)
        inside = conjoin([integers.le(int_const(least), term), integers.le(term, int_const(most))])
        if not recording.active().implicit("OverflowError", inside, least <= plain <= most):
            raise OverflowError("Python int too large to convert to C int")


def check_day(year: Any, month: Any, day: Any) -> None:
    """Raise what `date(year, month, day)` raises; each reason is a branch."""
    fit_in_c(year, month, day)
    record = recording.active()
    for value, most in ((year, 9999), (month, 12)):
        plain = untracked(value)
        inside = [
            integers.le(int_const(1), _term(value)),
            integers.le(_term(value), int_const(most)),
        ]
        record.implicit("ValueError", conjoin(inside), 1 <= plain <= most)
        if not 1 <= plain <= most:
            break
    else:
        term, holds = day_in_month(year, month, day)
        if term is not FALSE:
            record.implicit("ValueError", term, holds)
    datetime.date(untracked(year), untracked(month), untracked(day))  # raises if there is none


def fromordinal_model(kind: Any, number: Any) -> Any:
    """`date.fromordinal(number)`: that there is such a day is a branch."""
    if kind is not datetime.date or not tracked(number) or int_term(number) is None:
        return foreign(kind.fromordinal, number)
    fit_in_c(number)
    plain = untracked(number)
    inside = [
        integers.le(int_const(1), _term(number)),
        integers.le(_term(number), int_const(LAST_DAY)),
    ]
    recording.active().implicit("ValueError", conjoin(inside), 1 <= plain <= LAST_DAY)
    datetime.date.fromordinal(plain)  # raises if there is none
    return concolic_date(*parts_of_day(number), number)


MODELS: tuple[ModelRow, ...] = (
    Model(datetime.date, date_model),
    Method(datetime.date, "fromordinal", fromordinal_model),
)
