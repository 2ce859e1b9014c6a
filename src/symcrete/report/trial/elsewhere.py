"""Make this interpreter believe that it runs on another day, on another machine, for somebody else.

A test that notices has recorded something it did not set. Called in a process that does nothing
else, before the program is imported.
"""

from __future__ import annotations

import os
import sys
import time
import types
from collections.abc import Iterator
from typing import Any

from symcrete.run.untouched.another_machine import USER, pretend_another_machine

AHEAD = 403 * 86400 + 41_213  # seconds: another year, month, day, weekday and time of day
ENVIRONMENT = {
    "HOME": f"/home/{USER}",
    "USER": USER,
    "LOGNAME": USER,
    "USERNAME": USER,
    "LANG": "C.UTF-8",
    "TZ": "XST-05:45",
    "COLUMNS": "71",
    "LINES": "19",
}
# Time zones, each an hour from the next. Two would not do: a coarse result, such as the date of a
# moment, is the same in most pairs of zones.
ZONES = tuple([f"XST{hours:+d}" for hours in range(-13, 13)])
KEPT = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")


def environment(former: dict[str, str]) -> dict[str, str]:
    """The environment variables of another user: nothing of the present one but what Python needs
    to start.
    """
    return {name: former[name] for name in KEPT if name in former} | ENVIRONMENT


def pretend(*, own_datetime: bool = True) -> None:
    """Change clock, user, host and free memory; with `own_datetime`, `datetime.now` changes too.

    The classes of `datetime` are C and read the clock themselves, so they are replaced by Python's
    own second implementation; a program with extensions that need the first cannot have that.
    """
    if own_datetime:
        _slow_datetime()
    set_ahead(time)
    pretend_another_machine()


def _slow_datetime() -> None:
    """Have `datetime` loaded without its extension.

    What is imported by its name is a copy: a test may put a class of its own in the place of
    `datetime.date`, and the others must not take that for the one they know.
    """
    sys.modules.pop("datetime", None)
    sys.modules["_datetime"] = None  # type: ignore[assignment]
    try:
        import datetime
    finally:
        del sys.modules["_datetime"]
    copied = types.ModuleType("datetime")
    copied.__dict__.update(vars(datetime))
    sys.modules["datetime"] = copied
    # Time zones are C, too, and want the first implementation; without them Python's own are taken.
    if "zoneinfo" not in sys.modules:
        sys.modules["_zoneinfo"] = None  # type: ignore[assignment]


class LocalTime:
    """Counts how often the program has converted a moment to local time, or back."""

    asked = 0


def in_every_zone() -> Iterator[str]:
    """Set one time zone after the other, and the former one again at the end."""
    former = os.environ["TZ"]
    try:
        for zone in ZONES:
            os.environ["TZ"] = zone
            time.tzset()
            yield zone
    finally:
        os.environ["TZ"] = former
        time.tzset()


def _noting(function: Any) -> Any:
    def noted(*args: Any) -> Any:
        LocalTime.asked += 1
        return function(*args)

    return noted


def set_ahead(clock: Any) -> None:
    """Make the functions of a module like `time` tell a later moment, and count in `LocalTime` how
    often local time is asked for.
    """
    now, now_ns, at = clock.time, clock.time_ns, clock.clock_gettime
    localtime, strftime, asctime = clock.localtime, clock.strftime, clock.asctime

    def ahead(function: Any, position: int, *, broken_down: bool = False) -> Any:
        """A function that takes the present moment where it is given none."""

        def with_moment(*args: Any) -> Any:
            if len(args) > position and args[position] is not None:
                return function(*args)
            seconds = now() + AHEAD
            return function(*args[:position], localtime(seconds) if broken_down else seconds)

        return with_moment

    clock.time = lambda: now() + AHEAD
    clock.time_ns = lambda: now_ns() + AHEAD * 10**9  # nanoseconds
    clock.clock_gettime = lambda which: at(which) + AHEAD * (which == clock.CLOCK_REALTIME)
    clock.localtime = _noting(ahead(localtime, 0))
    clock.mktime = _noting(clock.mktime)
    clock.gmtime = ahead(clock.gmtime, 0)
    clock.ctime = _noting(ahead(clock.ctime, 0))
    clock.strftime = ahead(strftime, 1, broken_down=True)
    clock.asctime = ahead(asctime, 0, broken_down=True)
