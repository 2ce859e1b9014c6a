"""The clock: at the beginning of 1970, and going on from read to read where a branch needs it.

Nothing waits: `time.sleep` comes back at once, and a clock that is read next is later by as much,
unless the input says otherwise. So a loop that waits comes to its end. `asyncio.sleep` does so
until something else is waited for: of several tasks, and of time limits, pauses say what comes
first. From the first such pause on a run waits, and so does its test.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed, StepLimit
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.library import DayShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, FloatShape, IntShape, Shape
from symcrete.world.source import (
    Answer,
    Asking,
    Everywhere,
    Instead,
    InsteadOfMethod,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_LAST_TIMESTAMP = (
    253402300799  # seconds from 1970 to the end of the year 9999, the last that dates know
)
_SECONDS = FloatShape(low=0.0, high=float(_LAST_TIMESTAMP))
_NANOSECONDS = IntShape(low=0, high=_LAST_TIMESTAMP * 10**9)
_COUNTERS: dict[str, Shape] = {
    "time": _SECONDS,
    "monotonic": _SECONDS,
    "perf_counter": _SECONDS,
    "process_time": _SECONDS,
    "time_ns": _NANOSECONDS,
    "monotonic_ns": _NANOSECONDS,
    "perf_counter_ns": _NANOSECONDS,
}
_DATE = (("year", IntShape(1970, 9999)), ("month", IntShape(1, 12)), ("day", IntShape(1, 31)))
_TIME = (("hour", IntShape(0, 23)), ("minute", IntShape(0, 59)), ("second", IntShape(0, 59)))
_DAY = DayShape(datetime.date, _DATE)
_MOMENT = DayShape(datetime.datetime, (*_DATE, *_TIME, ("microsecond", IntShape(0, 999_999))))
_SLEEP = "time.sleep()"
_SLEEP_OF_TASK = "asyncio.sleep()"
# In one run; chosen, not measured. A loop that waits for something, in seconds, is not to take the
# budget for a wait of many years.
MOST_PAUSES = 500  # each after a clock was read: the loop waits for a time
# In all: the loop waits for something else, or is long. With 1,500, one that waits for a file
# (`while not os.path.exists(path): time.sleep(60)`) was not covered in 3 s, with 1,000 it is.
MOST_UNTIMED_PAUSES = 1000
# Roots that say what a test has to do.
_LOOP = "an event loop"  # the run made one
_WAITS = "asyncio.sleep() waits after "  # so many calls that came back at once
_AT_ONCE = """async def at_once(delay, result=None):
    return result

"""
_FIRST_AT_ONCE = """import asyncio

skipped = iter(PAUSES)

async def at_once(delay, result=None, real=asyncio.sleep):
    return await real(next(skipped, delay), result)

"""
_CLOCK_OF_LOOP = """import time

monkeypatch.setattr("asyncio.BaseEventLoop.time", time.monotonic)
"""
_CLASSES = (("date", "today"), ("datetime", "now"), ("datetime", "today"), ("datetime", "utcnow"))


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for name, shape in _COUNTERS.items():
        yield Instead("time", name, _counter(ask, name, shape))
    yield Instead("time", "sleep", _sleep(ask))
    yield Instead("asyncio", "sleep", _sleep_of_task(ask))
    # Importing it takes as long as a small exploration.
    if "asyncio.events" in sys.modules or ask.mentions("asyncio"):
        yield Everywhere("asyncio.events", "new_event_loop", _new_loop(ask))
    for kind, name in _CLASSES:
        yield InsteadOfMethod("datetime", kind, name, _now(ask, kind, name))


def _counter(ask: Asking, name: str, shape: Shape) -> Callable[[], Any]:
    """Stands in for a clock that never goes back: the input says by how much each read is later
    than the one before.
    """

    def read() -> Any:
        if not ask.running:
            return original("time", name)()
        former = ask.remembered(f"time.{name}", list)
        pauses = ask.remembered(_SLEEP, _Pauses)
        pauses.read = True
        # What was slept since this clock was last read; nothing for one that was not read yet,
        # which begins at 1970 however long the run has slept.
        slept = sum(pauses.seconds[former[1] :]) if former else 0.0
        since = shape
        if slept:
            since = ChoiceShape((ConstantShape(_as(shape, slept)), shape))
        passed = ask.next_value(f"time.{name}()", since, "clock")
        former[:] = [former[0] + passed if former else passed, len(pauses.seconds)]
        return former[0]

    return read


def _sleep(ask: Asking) -> Callable[[Any], Any]:
    def sleep(seconds: Any, /) -> Any:
        if not ask.running or not isinstance(seconds, int | float) or seconds < 0:
            return original("time", "sleep")(seconds)
        _pause(ask, seconds)
        return ask.value(Late(_SLEEP, ConstantShape(None), "clock"))

    return sleep


def _sleep_of_task(ask: Asking) -> Callable[..., Any]:
    async def sleep(delay: Any, result: Any = None) -> Any:
        if not ask.running:
            return await original("asyncio", "sleep")(delay, result)
        pauses = ask.remembered(_SLEEP_OF_TASK, _PausesOfTasks)
        is_number = isinstance(delay, int | float)
        if pauses.wait or not is_number or not _waits_alone():
            if pauses.skipped and not pauses.wait:
                ask.value(Late(f"{_WAITS}{pauses.skipped}", ConstantShape(None), "clock"))
            pauses.wait = True
            return await original("asyncio", "sleep")(ask.plain(delay), result)
        pauses.calls += 1
        if not delay > 0:
            return await original("asyncio", "sleep")(0, result)
        pauses.skipped = pauses.calls
        _pause(ask, delay)
        ask.value(Late(_SLEEP_OF_TASK, ConstantShape(None), "clock"))
        return result

    return sleep


class _PausesOfTasks:
    """How many of the first calls of `asyncio.sleep` in a run come back at once."""

    def __init__(self) -> None:
        self.calls = 0  # of tasks that were alone
        self.skipped = 0  # those up to the last one that would have waited
        self.wait = False  # whether something else was waited for: from then on, all wait


def _new_loop(ask: Asking) -> Callable[[], Any]:
    """Stands in for what makes event loops, which read `time.monotonic` too: a test that replaces
    it gives them the real one.
    """
    make = original("asyncio.events", "new_event_loop")

    def new_event_loop() -> Any:
        if ask.running:
            ask.value(Late(_LOOP, ConstantShape(None), "clock"))
        return make()

    return new_event_loop


def _waits_alone() -> bool:
    """Whether the task that runs is the only one, and nothing was told to happen next or later."""
    loop = original("asyncio", "get_running_loop")()
    # What waits has no other name; a loop of another kind is taken to have something.
    told = getattr(loop, "_scheduled", True) or getattr(loop, "_ready", True)
    return not told and len(original("asyncio", "all_tasks")()) == 1


class _Pauses:
    """The pauses of a run."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.read = False  # whether a clock was read since the last one
        self.timed = 0  # those before each of which a clock was read


def _pause(ask: Asking, seconds: Any) -> None:
    """Let the clocks of the run go on by this; StepLimit if that was done too often."""
    pauses = ask.remembered(_SLEEP, _Pauses)
    pauses.seconds.append(float(ask.plain(seconds)))
    pauses.timed += pauses.read
    pauses.read = False
    if pauses.timed > MOST_PAUSES or len(pauses.seconds) > MOST_UNTIMED_PAUSES:
        raise StepLimit(f"sleeps more than {len(pauses.seconds) - 1} times")


def _as(shape: Shape, seconds: float) -> float | int:
    """A time in the unit of a clock with this shape."""
    return seconds if shape is _SECONDS else int(seconds * 1e9)  # nanoseconds


def _now(ask: Asking, kind: str, name: str) -> Callable[..., Any]:
    """Stands in for a class method that tells the present: each read is an input, and no earlier
    than the one before.
    """
    shape = _DAY if kind == "date" else _MOMENT

    def read(owner: Any, tz: Any = None) -> Any:
        known = (datetime.date, datetime.datetime)
        if not ask.running or owner not in known:
            return getattr(owner, name)(*([tz] if tz is not None else []))
        if owner is datetime.datetime and kind == "date":
            return read_moment(owner)
        ask.remembered(_SLEEP, _Pauses).read = True
        former = ask.remembered(f"{kind}.{name}", list)
        value = ask.next_value(f"{kind}.{name}()", shape, "clock")
        if former and value < former[0]:
            raise AssumptionFailed("the clock does not go back")
        former[:] = [value]
        if tz is None:
            return value
        ask.lose("a time zone of the clock")
        return value.replace(tzinfo=tz)

    read_moment = read if kind == "datetime" else _now(ask, "datetime", name)
    return read


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    reads: dict[str, list[Answer]] = {}
    for each in answers:
        reads.setdefault(each.root.partition("@")[0], []).append(each)
    classes: dict[str, list[str]] = {}
    for root, found in reads.items():
        kind, _, name = root.removesuffix("()").partition(".")
        if root == _SLEEP:
            for target in targets("time", "sleep"):
                line = f"monkeypatch.setattr({literal(target)}, lambda seconds: None)"
                yield Setting(root, "None", line)
        elif root == _SLEEP_OF_TASK:
            yield _told_sleep_of_task(reads, targets)
        elif kind == "time":
            yield from _told_counter(root, name, found, targets, loop=_LOOP in reads)
        elif kind in ("date", "datetime"):
            classes.setdefault(kind, []).append(root)
    for kind, roots in classes.items():
        yield from _told_class(kind, {root: reads[root] for root in roots}, targets)


def _told_sleep_of_task(roots: Iterable[str], targets: Targets) -> Setting:
    """Statements after which as many pauses of tasks as in the run come back at once."""
    waits = [each.removeprefix(_WAITS) for each in roots if each.startswith(_WAITS)]
    pauses = "[0]" if waits == ["1"] else f"[0] * {''.join(waits)}"
    lines = [_FIRST_AT_ONCE.replace("PAUSES", pauses) if waits else _AT_ONCE]
    for target in targets("asyncio", "sleep"):
        lines.append(f"monkeypatch.setattr({literal(target)}, at_once)\n")
    return Setting(_SLEEP_OF_TASK, "None", "".join(lines).rstrip())


def _told_counter(
    root: str, name: str, found: Sequence[Answer], targets: Targets, *, loop: bool
) -> Iterable[Setting]:
    """Statements after which a clock tells what it told the run; `loop`: and event loops, which
    read it too, have the real one.
    """
    values = [found[0].value]
    for each in found[1:]:
        values.append(values[-1] + each.value)
    text = literal(values[0]) if len(set(values)) == 1 else literal(values)
    for target in targets("time", name):
        by = f"lambda: {text}" if len(set(values)) == 1 else f"iter({text}).__next__"
        line = f"monkeypatch.setattr({literal(target)}, {by})"
        if loop and target == "time.monotonic":
            line = _CLOCK_OF_LOOP + line
        yield Setting(root, text, line)


def _told_class(kind: str, reads: dict[str, list[Answer]], targets: Targets) -> Iterable[Setting]:
    """How a test sets the clock of a class of `datetime`: by a subclass that it puts in place of
    the library's class, whose methods cannot be replaced.
    """
    lines = [f"from datetime import {kind}", "", f"class Fixed({kind}):"]
    told: list[str] = []
    several = len(reads) > 1
    for root, found in reads.items():
        name = root.removesuffix("()").partition(".")[2]
        moments = [each.text.replace(f"{kind}(", "(", 1) for each in found]
        moments = [each.removeprefix("(").removesuffix(")") for each in moments]
        parameters = "cls, tz=None" if name == "now" else "cls"
        zone = ", tzinfo=tz" if name == "now" else ""
        lines += ["    @classmethod", f"    def {name}({parameters}):"]
        if len(set(moments)) == 1:
            lines.append(f"        return {kind}({moments[0]}{zone})")
            told.append(f"{kind}({moments[0]})")
        else:
            values = f"moments_{name}" if several else "moments"
            lines.append(f"        return next({values})" + (".replace(tzinfo=tz)" if zone else ""))
            listed = ", ".join([f"{kind}({each})" for each in moments])
            lines.insert(2, f"{values} = iter([{listed}])")
            told.append(f"[{listed}]")
    root = next(iter(reads))
    for target in targets("datetime", kind):
        lines += ["", f"monkeypatch.setattr({literal(target)}, Fixed)"]
    yield Setting(root, told[0], "\n".join(lines))


CLOCK = Source(
    name="clock",
    what="`time.time`, `time.monotonic` and the like, `datetime.now`, `date.today`, pauses by "
    "`time.sleep` and `asyncio.sleep`",
    stand_ins=_stand_ins,
    shown=_shown,
)
