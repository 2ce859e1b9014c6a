"""The time as a calendar tells it: `time.localtime` and the like, where no moment is handed to
them. One moment for the whole run, in a place whose clocks show universal time.
"""

from __future__ import annotations

import ast
import datetime
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.library import DayShape
from symcrete.inputs.shapes.shape import ConstantShape, IntShape
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_NAME = "calendar time"
_ROOT = "time.localtime()"
_FIELDS = {
    "year": IntShape(1970, 9999),
    "month": IntShape(1, 12),
    "day": IntShape(1, 31),
    "hour": IntShape(0, 23),
    "minute": IntShape(0, 59),
    "second": IntShape(0, 59),
}
_MOMENT = Late(_ROOT, DayShape(datetime.datetime, tuple(_FIELDS.items())), _NAME)
_SUMMER = Late("time.localtime().tm_isdst", IntShape(0, 1), _NAME)  # whether it is summer time
# Fields of a `struct_time` that only the time zone of a machine says.
_OF_THE_ZONE = ("tm_zone", "tm_gmtoff")
_PARTED, _TEXTS, _FORMAT = ("localtime", "gmtime"), ("ctime", "asctime"), "strftime"
# Directives whose text is a number of so many digits.
_NUMBERS = {
    "%Y": ("year", 4),
    "%m": ("month", 2),
    "%d": ("day", 2),
    "%H": ("hour", 2),
    "%M": ("minute", 2),
    "%S": ("second", 2),
}
# With the flags, the width and the modifier that the C library knows: `%-d`, `%10Y`, `%Ey`.
_DIRECTIVE = re.compile("%[-_0^#]*[0-9]*[EO]?.|[^%]+|%", re.DOTALL)


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for name in _PARTED:
        yield Instead("time", name, _parted(ask, name))
    yield Instead("time", "strftime", _formatted(ask))
    for name in _TEXTS:
        yield Instead("time", name, _as_text(ask, name))


def _moment(ask: Asking, function: str) -> Any:
    """The present moment of the run, which asks for it by this function of `time`."""
    # Noted for the test, which replaces this function.
    ask.value(Late(f"time.{function}", ConstantShape(None), _NAME))
    return ask.value(_MOMENT)


def _parted(ask: Asking, name: str) -> Callable[..., Any]:
    def read(seconds: Any = None, /) -> Any:
        if not ask.running or seconds is not None:
            if ask.running and name == "localtime":
                ask.reads("localtime(), by the time zone")
            return original("time", name)(seconds)
        now = _moment(ask, name)
        first = datetime.date(now.year, 1, 1).toordinal()
        days = (now.weekday(), now.toordinal() - first + 1)
        clock = (now.hour, now.minute, now.second)
        summer = ask.value(_SUMMER) if name == "localtime" else 0
        if name == "localtime" and any(map(ask.mentions, _OF_THE_ZONE)):
            ask.reads("localtime(), by the time zone")
        return time.struct_time((now.year, now.month, now.day, *clock, *days, summer))

    return read


def _formatted(ask: Asking) -> Callable[..., Any]:
    def read(form: Any, moment: Any = None, /) -> Any:
        if not ask.running or moment is not None:
            if ask.running:
                ask.reads("strftime(), by the locale and the time zone")
            return original("time", "strftime")(form, *([] if moment is None else [moment]))
        plain = str(ask.plain(form))
        now = _moment(ask, f"strftime{(plain,)!r}")
        found: Any = ""
        for each in _DIRECTIVE.findall(plain):
            field, digits = _NUMBERS.get(each, ("", 0))
            if field:
                found = found + ask.callee(str)(getattr(now, field)).zfill(digits)
            else:
                found = found + (now.strftime(each) if each.startswith("%") else each)
        return found

    return read


def _as_text(ask: Asking, name: str) -> Callable[..., Any]:
    def read(moment: Any = None, /) -> Any:
        if not ask.running or moment is not None:
            if ask.running and name == "ctime":
                ask.reads("ctime(), by the time zone")
            return original("time", name)(*([] if moment is None else [moment]))
        return _moment(ask, name).ctime()

    return read


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    moments = [each for each in answers if each.root == _ROOT]
    if not moments:
        return
    now = moments[0].value
    summer = next((each.value for each in answers if each.root == _SUMMER.root), 0)
    others = [each for each in answers if each.root not in (_ROOT, _SUMMER.root)]
    names = [each.root.removeprefix("time.") for each in others]
    for name in names:
        if name in _PARTED:
            # all but the last, which says whether it is summer time
            parts = (*now.timetuple()[:-1], summer if name == "localtime" else 0)
            told = f"time.struct_time({literal(parts)})"
            yield from _replaced(name, told, f"lambda *_: {told}", "import time\n\n", targets)
        elif name in _TEXTS:
            told = literal(now.ctime())
            yield from _replaced(name, told, f"lambda *_: {told}", "", targets)
    forms = [ast.literal_eval(name.removeprefix(_FORMAT))[0] for name in names if _FORMAT in name]
    if forms:
        texts = {form: now.strftime(form) for form in forms}
        told = literal(texts[forms[0]] if len(texts) == 1 else texts)
        by = f"lambda *_: {told}" if len(texts) == 1 else f"lambda form, *_: {told}[form]"
        yield from _replaced("strftime", told, by, "", targets)


def _replaced(name: str, told: str, by: str, head: str, targets: Targets) -> Iterable[Setting]:
    for target in targets("time", name):
        line = f"{head}monkeypatch.setattr({literal(target)}, {by})"
        yield Setting(f"time.{name}()", told, line)


CALENDAR_TIME = Source(
    name=_NAME,
    what="`time.localtime`, `gmtime`, `strftime`, `ctime`, `asctime` of the present moment",
    stand_ins=_stand_ins,
    shown=_shown,
)
