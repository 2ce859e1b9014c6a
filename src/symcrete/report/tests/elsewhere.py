"""Make this interpreter believe that it runs on another day, on another machine, for somebody else.

A test that notices has recorded something it did not set. Called in a process that does nothing
else, before the program is imported.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

AHEAD = 403 * 86400 + 41_213  # seconds: another year, month, day, weekday and time of day
ENVIRONMENT = {
    "HOME": "/home/somebody-else",
    "USER": "somebody-else",
    "LOGNAME": "somebody-else",
    "USERNAME": "somebody-else",
    "LANG": "C.UTF-8",
    "TZ": "XST-05:45",
    "COLUMNS": "71",
    "LINES": "19",
}
KEPT = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")


def environment(former: dict[str, str]) -> dict[str, str]:
    """Another user's: nothing of the present one but what is needed to start Python."""
    return {name: former[name] for name in KEPT if name in former} | ENVIRONMENT


def pretend(*, own_datetime: bool = True) -> None:
    """Change clock, user, host and free memory; `own_datetime` also for `datetime.now`.

    The classes of `datetime` are C and read the clock themselves, so they are replaced by Python's
    own second implementation; a program with extensions that need the first cannot have that.
    """
    if own_datetime:
        _slow_datetime()
    _set_clock_ahead()
    os.getlogin = lambda: ENVIRONMENT["USER"]
    os.cpu_count = lambda: 3
    uname, sysconf = os.uname, os.sysconf
    there = os.uname_result((uname().sysname, "elsewhere", *uname()[2:]))
    os.uname = lambda: there
    os.sysconf = lambda name: 12_345 if name in _MEMORY else sysconf(name)


_MEMORY = ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES")


def _slow_datetime() -> None:
    """Have `datetime` loaded without its extension."""
    sys.modules.pop("datetime", None)
    sys.modules["_datetime"] = None  # type: ignore[assignment]
    try:
        import datetime  # noqa: F401  (only its being there matters)
    finally:
        del sys.modules["_datetime"]


def _set_clock_ahead() -> None:
    now, now_ns, at = time.time, time.time_ns, time.clock_gettime

    def ahead(function: Any, position: int) -> Any:
        """A function of `time` that takes the time of day where it is given none."""

        def with_time(*args: Any) -> Any:
            return function(*args) if len(args) > position else function(*args, moment(function))

        return with_time

    def moment(function: Any) -> Any:
        seconds = now() + AHEAD
        return localtime(seconds) if function in (time_strftime, time_asctime) else seconds

    localtime, time_strftime, time_asctime = time.localtime, time.strftime, time.asctime
    time.time = lambda: now() + AHEAD
    time.time_ns = lambda: now_ns() + AHEAD * 10**9
    time.clock_gettime = lambda clock: at(clock) + AHEAD * (clock == time.CLOCK_REALTIME)
    time.localtime = ahead(localtime, 0)
    time.gmtime = ahead(time.gmtime, 0)
    time.ctime = ahead(time.ctime, 0)
    time.strftime = ahead(time_strftime, 1)
    time.asctime = ahead(time_asctime, 0)
