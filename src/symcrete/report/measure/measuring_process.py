"""One confined process that runs inputs of a module under coverage.py and tells what it measured.

Started by `measured`. The job comes on standard input; the answers are JSON lines on the descriptor
that the job names: one for the import of the module, one for each input.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
import warnings
from typing import Any

from symcrete.codec import decoded
from symcrete.run.drain import drain
from symcrete.run.untouched.forks import Answered, CannotKill, fork_once
from symcrete.run.untouched.given import given_by
from symcrete.run.untouched.played import Call
from symcrete.run.untouched.replayer import function_called, imported_plainly, patching
from symcrete.sandbox.walls import limits
from symcrete.sandbox.walls.confine import confine
from symcrete.sandbox.walls.effects import allowance
from symcrete.world.importing.concealed import CONCEALED

CALL_SECONDS = 15.0  # for one call, which took at most a second when it was found
_ELSEWHERE = "(not the program)"  # the context of whatever runs between two calls


def main() -> None:
    """Read the job, do it, and end without waiting for threads that the program left behind."""
    job = json.load(sys.stdin)
    limits.die_with(job["driver"])
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    import coverage  # an optional dependency

    if job["confined"]:
        allow = allowance(job["allow"])
        confine(job["work"], allow=allow, forks=True, keep=(job["channel"],))
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    measure = coverage.Coverage(data_file=None, branch=job["branch"])
    if not any(measure.get_option(f"run:{name}") for name in ("source", "source_pkgs", "include")):
        measure.set_option("run:include", [os.path.join(job["root"], "*")])
    Measuring(job, measure).work()
    os._exit(0)


class Measuring:
    """The module, and what coverage.py sees of its import and of every call."""

    def __init__(self, job: dict[str, Any], measure: Any) -> None:
        self._job = job
        self._measure = measure
        self._module: Any = None

    def work(self) -> None:
        """Tell the lines or arcs of the import, then those of each call in a fork of its own."""
        sys.path[:0] = [self._job["root"]]
        self._measure.start()
        self._measure.switch_context("import")
        try:
            CONCEALED.conceal()
            self._module = imported_plainly(self._job["module"], self._job["file"])
            CONCEALED.forget()
        except BaseException as error:
            self._say({"failed": f"{type(error).__name__}: {error}"})
            return
        self._say({"number": -1, "files": self._seen()})
        for number, (scope, plain) in enumerate(self._job["calls"]):
            call = decoded(Call, plain)
            with contextlib.suppress(CannotKill):  # it ends itself, by its alarm
                fate = fork_once(
                    lambda scope=scope, call=call: self._measured(scope, call),  # type: ignore[misc]
                    CALL_SECONDS,
                    _end_yourself,
                )
                if isinstance(fate, Answered) and fate.data:
                    self._say({"number": number, "files": json.loads(fate.data)})

    def _measured(self, scope: str, call: Call) -> bytes:
        self._measure.switch_context("call")
        with patching(call) as monkeypatch, contextlib.suppress(BaseException):
            given = given_by(call, monkeypatch)
            drain(given.played(function_called(self._module, scope, call)))
        return json.dumps(self._seen()).encode() + b"\n"

    def _seen(self) -> dict[str, list[Any]]:
        """The arcs or lines that were executed, by file, since the context was last switched."""
        self._measure.switch_context(_ELSEWHERE)  # brings the counts into the data
        data = self._measure.get_data()
        data.set_query_contexts(["^(import|call)$"])
        told = data.arcs if data.has_arcs() else data.lines
        return {file: sorted(told(file) or ()) for file in sorted(data.measured_files())}

    def _say(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self._job["channel"], data) :]


def _end_yourself() -> None:
    """A call that hangs ends by itself: walls may keep its parent from ending it."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(math.ceil(CALL_SECONDS) + 1)
