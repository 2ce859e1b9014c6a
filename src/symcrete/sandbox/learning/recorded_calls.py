"""Have a project's tests run once, and keep the calls of its functions that they make."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path

from symcrete.clock import Clock, wall
from symcrete.codec import decoded, encoded
from symcrete.errors import BadOption
from symcrete.folders import IMPORT_ROOT
from symcrete.program.source.target import Target
from symcrete.sandbox.driver.folder import furnished, work_folder
from symcrete.sandbox.learning.recorder import RecordTests, Said
from symcrete.slotted import dataclass

SILENCE = 60.0  # seconds without a word after which the tests are taken to hang
MOST_SECONDS = 600.0  # for all tests: longer suites are learned from in part
_CODE = (
    "import sys\n"
    f"if {IMPORT_ROOT!r} not in sys.path: sys.path.append({IMPORT_ROOT!r})\n"
    "from symcrete.sandbox.learning.recorder import main\n"
    "main()"
)


@dataclass(slots=True)
class Calls:
    """What tests called, by file and scope, as inputs that people could have written."""

    by_function: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    complaint: str = ""  # why there may be fewer than the tests make

    def of(self, target: Target) -> tuple[str, ...]:
        """The calls of one target."""
        place = (os.path.realpath(target.source.file), target.scope)
        return tuple(self.by_function.get(place, ()))

    def count(self) -> int:
        """How many calls there are."""
        return sum(map(len, self.by_function.values()))


def recorded(
    tests: str, targets: Sequence[Target], *, confined: bool, clock: Clock = wall
) -> Calls:
    """The calls of the targets that the tests in a folder or file make."""
    if not Path(tests).exists():
        raise BadOption(f"--learn-from: there is no {tests}")
    if importlib.util.find_spec("pytest") is None:
        raise BadOption("--learn-from runs tests with pytest: pip install pytest")
    sources = dict.fromkeys(target.source for target in targets)
    with work_folder() as work:
        channel, theirs = os.pipe()
        job = RecordTests(
            driver=os.getpid(),
            channel=theirs,
            tests=os.path.abspath(tests),
            files=tuple([os.path.realpath(source.file) for source in sources]),
            path=(os.getcwd(), *dict.fromkeys(str(source.root) for source in sources)),
            work=work,
            confined=confined,
        )
        with _process(job, channel):
            return _listened(channel, clock)


@contextlib.contextmanager
def _process(job: RecordTests, channel: int) -> Iterator[None]:
    """A process that does the job; it is ended on leaving, and the channel closed."""
    surroundings = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    surroundings.pop("PYTEST_ADDOPTS", None)
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(job.channel,),
        env={**surroundings, **furnished(job.work)},
        start_new_session=True,
    )
    os.close(job.channel)
    try:
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(json.dumps(encoded(job)).encode())
            process.stdin.close()
        yield
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(channel)


def _listened(channel: int, clock: Clock) -> Calls:
    found = Calls(complaint="pytest did not come to an end")
    buffer, end = b"", clock() + MOST_SECONDS
    while clock() < end:
        if not select.select([channel], [], [], min(SILENCE, end - clock()))[0]:
            return found
        data = os.read(channel, 1 << 16)  # what a pipe holds
        if not data:
            return found
        *lines, buffer = (buffer + data).split(b"\n")
        for said in [decoded(Said, json.loads(line)) for line in lines]:
            if said.call is not None:
                file, scope, text = said.call
                found.by_function.setdefault((file, scope), []).append(text)
            if said.ended is not None:
                found.complaint = _ENDINGS.get(said.ended, f"pytest ended with {said.ended}")
                return found
    return found


# pytest's exit codes: all passed, some failed, there were none.
_ENDINGS = {0: "", 1: "", 5: "there are no tests in it"}
