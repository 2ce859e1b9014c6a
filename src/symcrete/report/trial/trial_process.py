"""One run of pytest over candidates for test files, confined, in a process of its own.

Started by `trial`. The job comes on standard input; what happens is told as JSON lines on the
descriptor that the job names.
"""

from __future__ import annotations

import gc
import json
import os
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

from symcrete.explore.confirm.withheld import environment_in, without_environment
from symcrete.report.trial import elsewhere
from symcrete.sandbox.walls import limits, semaphores, shared_memory
from symcrete.sandbox.walls.confine import confine

MOST_OF_A_REASON = 200  # characters; chosen, not measured
_VALUE = re.compile(r"""'[^']*'|"[^"]*"|\w{3,}""")  # shorter words and numbers tell nothing


def main() -> None:
    """Read the job, do it, and end without waiting for threads that tests left behind."""
    job = json.load(sys.stdin)
    limits.die_with(job["driver"])
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    if job["elsewhere"]:
        elsewhere.pretend(own_datetime=job["own_datetime"])
    gc.disable()  # until pytest is ready: importing leaves no garbage
    import pytest  # after the clock is set, which it would keep

    if job["confined"]:
        confine(job["work"], memory=job["memory"], keep=(job["channel"],))
        semaphores.stand_in()  # the walls leave no others, and modules make some at import
        shared_memory.stand_in()
    sys.dont_write_bytecode = True
    sys.argv = ["pytest"]
    pytest.hookimpl(hookwrapper=True)(_Teller.pytest_pyfunc_call)  # marks the function
    teller = _Teller(job)
    options = ["-q", "-p", "no:cacheprovider", "--capture=sys", "-o", "addopts="]
    options += [f"--basetemp={job['work']}/basetemp"]
    if job["bare"]:
        options += ["--noconftest", "-c", os.devnull, f"--rootdir={job['work']}"]
    code = pytest.main([*options, *job["files"]], plugins=[teller])
    teller.say({"ended": int(code)})
    os._exit(0)


class _Teller:
    """A plugin that shuffles the tests and tells how each of them ended."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._job = job
        self._channel = job["channel"]

    def say(self, message: dict[str, Any]) -> None:
        os.write(self._channel, json.dumps(message).encode() + b"\n")

    def pytest_sessionstart(self) -> None:
        """Look for garbage from now on: files and the program are imported next."""
        gc.freeze()
        gc.enable()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        wanted = {tuple(each) for each in self._job["tests"]}
        without = {tuple(each) for each in self._job["without"]}
        items[:] = [
            i for i in items if _place(i.nodeid)[:2] in wanted and key(i.nodeid) not in without
        ]
        # The order of two tests does not depend on which others there are.
        order = self._job["order"]
        items.sort(key=lambda i: random.Random(f"{order} {key(i.nodeid)[1:]}").random())
        if self._job["backwards"]:
            items.reverse()
        self.say({"modules": {name: _file(name) for name in self._job["modules"]}})

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.say(
                {
                    "broken": os.path.basename(report.nodeid),
                    "why": without_environment(str(report.longrepr)),
                }
            )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.say({"begins": key(nodeid)})

    def pytest_pyfunc_call(self, pyfuncitem: Any) -> Iterator[None]:
        """Run the test, and once more in every time zone if it asks for local time.

        A test that closes a standard stream fails and ends the process, since the tests after it
        would fail by that.
        """
        streams = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}
        asked = elsewhere.LocalTime.asked
        outcome: Any = yield
        if elsewhere.LocalTime.asked > asked and outcome.excinfo is None:
            self._in_every_zone(pyfuncitem)
        for name, stream in streams.items():
            if getattr(stream, "closed", False):
                self.say({"failed": key(pyfuncitem.nodeid), "why": f"it closes sys.{name}"})
                os._exit(1)

    def _in_every_zone(self, item: Any) -> None:
        given = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
        if "tmp_path" in given:
            return  # the files of the first time are there
        for _ in elsewhere.in_every_zone():
            try:
                item.obj(**given)
            except Exception as error:
                why = f"it depends on the time zone: {error}"
                self.say({"failed": key(item.nodeid), "why": " ".join(why.split())})
                return

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.say({"failed": key(report.nodeid), "why": _reason(report)})


def key(nodeid: str) -> tuple[str, str, str]:
    """File, test and case of what pytest calls `folder/test_m.py::test_f[x > 0]`."""
    file, test, case = _place(nodeid)
    return file, test, case


def _place(nodeid: str) -> tuple[str, str, str]:
    path, _, rest = nodeid.partition("::")
    test, bracket, case = rest.partition("[")
    return os.path.basename(path), test, case[:-1] if bracket else ""


def _file(module: str) -> str:
    found = getattr(sys.modules.get(module), "__file__", None)
    return os.path.realpath(found) if found else ""


def _reason(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    if tells_environment(text):
        return "it depends on a variable of this machine's environment"
    first = told_reason(text, str(report.longrepr))
    return (
        first if len(first) <= MOST_OF_A_REASON else first[: MOST_OF_A_REASON - len("...")] + "..."
    )


def told_reason(message: str, shown: str) -> str:
    """Why a test failed, in words of its own source: other values are left out, or shown as `...`,
    because they may tell something about this machine.

    message: of the exception; shown: all that pytest shows of the failure, with the source.
    """
    # pytest leaves the class of the error out where only `assert` could have raised it.
    stated = message.startswith("assert ")
    kind, _, rest = (f"AssertionError: {message}" if stated else message).partition(": ")
    source = [line for line in shown.splitlines() if not line.startswith("E ")]
    if rest.startswith("assert "):
        known = "\n".join(source)
        first = rest.partition("\n")[0]
        hidden = _VALUE.sub(
            lambda found: found[0] if found[0].strip("'\"") in known else "...", first
        )
        return f"{kind}: {hidden}"
    failing = [line.lstrip("> ") for line in source if line.startswith(">")]
    return f"{kind}: {failing[0]}" if failing else kind


def tells_environment(text: str) -> bool:
    """Whether a message has a piece of a variable's value in it, which may be a secret."""
    return any(environment_in(text, words=True))
