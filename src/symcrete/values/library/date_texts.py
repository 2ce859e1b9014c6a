"""Dates read from a text: `strptime` with a plain format, and `fromisoformat`.

The text is matched with a pattern, CPython's own for a format, and the date is made of the numbers
in it; every reason to refuse the text is a branch.
"""

from __future__ import annotations

import _strptime  # type: ignore[import-not-found]
import datetime
import functools
import re
import time
from typing import Any

from symcrete.inputs.draw.read_texts import STRPTIME
from symcrete.values.containers import dicts
from symcrete.values.library.dates import check_day, date_model, day_number
from symcrete.values.library.moments import datetime_model
from symcrete.values.library.noted_readers import note_reader
from symcrete.values.regex import matches as regex
from symcrete.values.rows.model_rows import Method, Model, ModelRow
from symcrete.values.text.content.strings import ConcolicStr
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import pinned, tracked, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.truth import Truth

# The directives of a format that are modelled: numbers, months by their name, and `%%`.
_KNOWN = frozenset("YymdHMSfbB%")
_LAST_OF_2000 = 68  # `%y`: 00 to 68 are years from 2000 on, 69 to 99 years of the 1900s
_DIGITS_OF_MICROSECONDS = 6
_WEEKDAY_OF_DAY_0 = 6  # of the day before the first of year 1, counted from Monday
_FIELDS = ("Y", "m", "d", "H", "M", "S", "f")
# What `strptime` takes for a part that the format does not have.
_FIRST = {"Y": 1900, "m": 1, "d": 1, "H": 0, "M": 0, "S": 0, "f": 0}

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_SHORT_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)
_WEEK = re.compile(r"\d{4}-?W\d\d(-?\d)?", re.ASCII)
_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:.(\d\d):(\d\d)(?::(\d\d))?)?", re.ASCII | re.DOTALL)


@functools.lru_cache(maxsize=64)  # formats; chosen, not measured
def _pattern(form: str) -> re.Pattern[str] | None:
    """CPython's pattern for a format; None for one with other directives, or the same one twice."""
    directives = re.findall("%(.?)", form, re.DOTALL)
    named = [each for each in directives if each != "%"]
    if not _KNOWN.issuperset(directives) or len(named) != len(set(named)):
        return None
    pattern: re.Pattern[str] = _strptime.TimeRE().compile(form)
    return pattern


def _names_of_months(which: str) -> dict[str, int]:
    """The numbers of the months by their names in lower case: short for "b", full for "B"."""
    locale = _strptime.LocaleTime()
    names = locale.a_month if which == "b" else locale.f_month
    return {name: number for number, name in enumerate(names) if name}


def _read(text: Any, form: Any) -> dict[str, Any] | None:
    """The numbers that a text has in the places of a format, by directive; an empty dict if the
    text does not fit. None if the format is not modelled or the text is not tracked.
    """
    pattern = _pattern(form) if type(form) is str and type(text) is ConcolicStr else None
    if pattern is None or {"B", "b"} <= pattern.groupindex.keys():
        return None
    match = regex.one_match("match", pattern, text, ())
    if match is None or not _holds(OPERATORS["eq"](match.end(), callee(len)(text))):
        return {}
    found = dict(_FIRST)
    for name in pattern.groupindex:
        part = match.group(name)
        if name in "bB":
            found["m"] = dicts.read(_names_of_months(name), part.lower())
        elif name == "y":
            year = callee(int)(part)
            early = _holds(OPERATORS["le"](year, _LAST_OF_2000))
            found["Y"] = year + (2000 if early else 1900)
        elif name == "f":
            digits = pinned(callee(len)(part))
            found["f"] = callee(int)(part) * 10 ** (_DIGITS_OF_MICROSECONDS - digits)
        else:
            found[name] = callee(int)(part)
    return found


def _holds(condition: Any) -> bool:
    """Whether a condition holds in this run; it is a branch where it may be different."""
    if type(condition) is not Truth:
        return bool(condition)
    return recording.active().implicit("ValueError", condition.term, int.__bool__(condition))


def strptime_model(kind: Any, text: Any, form: Any) -> Any:
    """`datetime.strptime(text, form)`."""
    found = _read(text, form) if kind is datetime.datetime else None
    if found is None:
        note_reader(text, f"{STRPTIME}{form}")
        return foreign(kind.strptime, text, form)
    if not found:
        return kind.strptime(untracked(text), form)  # raises
    return datetime_model(*[found[name] for name in _FIELDS])


def struct_time_model(text: Any, form: Any = "%a %b %d %H:%M:%S %Y") -> Any:
    """`time.strptime(text, form)`: a `struct_time` that holds tracked numbers."""
    has_year = type(form) is str and ("%Y" in form or "%y" in form or "%d" not in form)
    found = _read(text, form) if has_year else None  # without one, 29 February has rules of its own
    if found is None:
        note_reader(text, f"{STRPTIME}{form}")
        return foreign(time.strptime, text, form)
    if not found:
        return time.strptime(untracked(text), form)  # raises
    day = found["Y"], found["m"], found["d"]
    if any(tracked(each) for each in day):
        check_day(*day)
    number = day_number(*day)
    weekday = (number + _WEEKDAY_OF_DAY_0) % 7  # days of a week
    in_year = number - day_number(found["Y"], 1, 1) + 1
    clock = found["H"], found["M"], found["S"]
    return time.struct_time((*day, *clock, weekday, in_year, -1, None, None))


def _numbers(match: Any) -> list[Any]:
    return [callee(int)(part) for part in match.groups() if part is not None]


def iso_day_model(kind: Any, text: Any) -> Any:
    """`date.fromisoformat(text)`; weeks drop the term."""
    if kind is not datetime.date or type(text) is not ConcolicStr:
        return foreign(kind.fromisoformat, text)
    for pattern in (_DAY, _SHORT_DAY):
        match = regex.one_match("fullmatch", pattern, text, ())
        if match is not None:
            return date_model(*_numbers(match))
    if regex.one_match("fullmatch", _WEEK, text, ()) is not None:
        return foreign(kind.fromisoformat, text)
    return kind.fromisoformat(untracked(text))  # raises


def iso_moment_model(kind: Any, text: Any) -> Any:
    """`datetime.fromisoformat(text)`; all but the usual form drops the term."""
    if kind is not datetime.datetime or type(text) is not ConcolicStr:
        return foreign(kind.fromisoformat, text)
    match = regex.one_match("fullmatch", _MOMENT, text, ())
    if match is not None:
        return datetime_model(*_numbers(match))
    note_reader(text, "fromisoformat")
    return foreign(kind.fromisoformat, text)


MODELS: tuple[ModelRow, ...] = (
    Method(datetime.datetime, "strptime", strptime_model),
    Method(datetime.date, "fromisoformat", iso_day_model),
    Method(datetime.datetime, "fromisoformat", iso_moment_model),
    Model(time.strptime, struct_time_model),
)
