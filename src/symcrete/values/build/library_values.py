"""Tracked values of the standard library's types, and functions that answer from a table."""

from __future__ import annotations

import copy
import datetime
from typing import Any

from symcrete.inputs.shapes.callables import AwaitableShape, Awaited, CallableShape
from symcrete.inputs.shapes.library import (
    MOST_PLACES,
    ODD_DECIMALS,
    AwareShape,
    DayShape,
    DecimalShape,
    FieldsShape,
    FractionShape,
    PathShape,
    TimedeltaShape,
    UuidShape,
)
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, int_const, var
from symcrete.values.build.variables import Builder, counted, report_choice, require, tracked_input
from symcrete.values.library.dates import concolic_date, day_in_month
from symcrete.values.library.identifiers import concolic_uuid
from symcrete.values.library.moments import concolic_datetime, concolic_time, concolic_timedelta
from symcrete.values.library.pure_paths import concolic_path
from symcrete.values.numbers.complexes import concolic_complex
from symcrete.values.numbers.decimals import concolic_decimal
from symcrete.values.numbers.rationals import concolic_fraction, coprime
from symcrete.values.tracking import recording
from symcrete.values.tracking.comparing import same
from symcrete.values.tracking.numeric import concolic_int, untracked
from symcrete.values.tracking.recording import silently

_MAKERS = {
    complex: concolic_complex,
    datetime.time: concolic_time,
    datetime.date: concolic_date,
    datetime.datetime: concolic_datetime,
}


def _fields(shape: FieldsShape, name: str, given: Assignment) -> Any:
    parts = [tracked_input(part, where, given) for where, part in shape.names(name)]
    return _MAKERS[shape.kind](*parts)


def _day(shape: DayShape, name: str, given: Assignment) -> Any:
    parts = [tracked_input(part, where, given) for where, part in shape.names(name)]
    term, holds = day_in_month(*parts[:3])
    recording.active().assume(term)
    require(holds)
    return _MAKERS[shape.kind](*parts)


def _aware(shape: AwareShape, name: str, given: Assignment) -> Any:
    """A moment or time of day with a time zone, without terms: the models know none with one."""
    recording.active().lose_input(name)
    return shape.plain(name, given)


def _timedelta(shape: TimedeltaShape, name: str, given: Assignment) -> Any:
    days, seconds, micros = [tracked_input(part, where, given) for where, part in shape.names(name)]
    return concolic_timedelta((days * 86_400 + seconds) * 1_000_000 + micros)


def _decimal(shape: DecimalShape, name: str, given: Assignment) -> Any:
    """Which special value it is (or none) and how many decimal places it has are branches; the
    digits are an int variable.
    """
    which = given.setdefault(name + shape.which, 0)
    report_choice(name + shape.which, which, 1 + len(ODD_DECIMALS))
    if which:
        return ODD_DECIMALS[which - 1]
    places = sum(1 for _ in counted(f"{name}.places", MOST_PLACES, given))
    digits = f"{name}.digits"
    value = given.setdefault(digits, 0)
    return concolic_decimal(concolic_int(value, var(digits, Sort.INT)), places)


def _fraction(shape: FractionShape, name: str, given: Assignment) -> Any:
    above, below = f"{name}.numerator", f"{name}.denominator"
    numerator = concolic_int(given.setdefault(above, 0), var(above, Sort.INT))
    denominator = concolic_int(given.setdefault(below, 1), var(below, Sort.INT))
    record = recording.active()
    record.assume(integers.le(int_const(1), denominator.term))
    record.assume(coprime(numerator.term, denominator.term))
    plain = untracked(numerator), untracked(denominator)
    require(plain[1] >= 1 and silently(shape.plain, name, given).denominator == plain[1])
    return concolic_fraction(numerator, denominator)


def _uuid(shape: UuidShape, name: str, given: Assignment) -> Any:
    variable = f"{name}.int"
    value, term = given.setdefault(variable, 0), var(variable, Sort.INT)
    record = recording.active()
    record.assume(integers.le(int_const(0), term))
    record.assume(integers.lt(term, int_const(1 << 128)))
    require(0 <= value < 1 << 128)
    return concolic_uuid(concolic_int(value, term))


def _path(shape: PathShape, name: str, given: Assignment) -> Any:
    return concolic_path(shape.kind, tracked_input(shape.text, name, given))


class Answers:
    """A function that is an input: each list of arguments has an answer of its own, and whether
    arguments equal earlier ones is a branch.
    """

    def __init__(self, shape: CallableShape, name: str, given: Assignment) -> None:
        self._shape, self._name, self._given = shape, name, given
        self._table: list[tuple[tuple[Any, ...], dict[str, Any], Any]] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._shape.raises:
            self._raise_if_it_does()
        for asked, keywords, answer in self._table:
            alike = len(asked) == len(args) and keywords.keys() == kwargs.keys()
            named = [(value, kwargs[key]) for key, value in keywords.items()] if alike else []
            if alike and all(map(same, asked, args)) and all(same(*pair) for pair in named):
                return answer
        index = len(self._table)
        answer = tracked_input(
            self._shape.answer, self._shape.answer_name(self._name, index), self._given
        )
        self._given[self._shape.asked_name(self._name, index)] = silently(_plain, args)
        if kwargs:
            self._given[self._shape.keywords_name(self._name, index)] = silently(_plain, kwargs)
        self._table.append((args, kwargs, answer))
        return answer

    def _raise_if_it_does(self) -> None:
        """Raise the exception that the input chose for this function, if it chose one; the choice
        is a branch.
        """
        variable, count = self._shape.error_name(self._name), len(self._shape.raises)
        which = self._given.setdefault(variable, 0)
        report_choice(variable, which, 1 + count)
        if which:
            raise self._shape.raises[which - 1]


def _plain(value: Any) -> Any:
    """A copy of the arguments without terms, as they are now: the record of what was asked."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple([_plain(each) for each in value])
    if isinstance(value, list):
        return [_plain(each) for each in list.__iter__(value)]
    if isinstance(value, dict):
        return {_plain(key): _plain(each) for key, each in dict.items(value)}
    return copy.copy(untracked(value))


def _callable(shape: CallableShape, name: str, given: Assignment) -> Any:
    index = 0
    while shape.asked_name(name, index) in given:
        del given[shape.asked_name(name, index)]
        given.pop(shape.keywords_name(name, index), None)
        index += 1
    return Answers(shape, name, given)


def _awaitable(shape: AwaitableShape, name: str, given: Assignment) -> Any:
    return Awaited(tracked_input(shape.answer, shape.answer_name(name), given))


BUILDERS: dict[type, Builder] = {
    FieldsShape: _fields,
    DayShape: _day,
    AwareShape: _aware,
    TimedeltaShape: _timedelta,
    DecimalShape: _decimal,
    FractionShape: _fraction,
    UuidShape: _uuid,
    PathShape: _path,
    CallableShape: _callable,
    AwaitableShape: _awaitable,
}
