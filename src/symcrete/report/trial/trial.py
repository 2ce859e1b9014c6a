"""Try test files before they are kept: what does not hold under other conditions is no test.

Each variation is one confined process of plain pytest over all files, in an order of its own; they
run at the same time. A process that hangs or dies is started again without the test to blame.
Starting pytest takes most of the time, so all that must not matter is changed at once; only where a
test then fails is it run once more, to tell which of the changes it notices.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.report.job_process import telling
from symcrete.report.trial import elsewhere
from symcrete.sandbox.driver.folder import furnished, work_folder
from symcrete.slotted import dataclass

TRIAL_START_SECONDS = 60.0  # until the first word, on a machine that is busy with other things
TEST_SECONDS = 15.0  # for one test: its call took at most a second when it was found
_JUDGED = (0, 1, 5)  # exit codes of pytest: all passed, some failed, there were none
MOST_RESTARTS_PER_VARIATION = 20  # processes, each without one more test; chosen, not measured

Key = tuple[str, str, str]  # file, test, case


@dataclass(frozen=True, slots=True)
class Variation:
    """One way to run the tests that must not matter to them."""

    what: str  # for the reason of a test that is left out
    hash_seed: str
    order: int  # seed of the order of tests
    backwards: bool = False  # in that order from its end
    away: bool = False  # another current folder
    elsewhere: bool = False  # clock, environment, user and free memory


# Of any two tests each comes before the other once: what one leaves behind, the other meets.
AS_WRITTEN = Variation("", "0", 1)
REARRANGED = Variation("in another order, folder and hash seed", "1", 1, backwards=True, away=True)
ELSEWHERE = replace(REARRANGED, what="on another day, for another user", elsewhere=True)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Files to be tried, and which of their tests."""

    files: tuple[Path, ...]
    tests: tuple[tuple[str, str], ...]  # name of a file, name of a test
    modules: tuple[str, ...] = ()  # of the program: where do the files find them?


@dataclass(frozen=True, slots=True)
class Conditions:
    """How candidates are run."""

    confined: bool = True
    memory: int | None = None  # bytes of address space


@dataclass(slots=True)
class Verdicts:
    """What happened in all variations."""

    failed: dict[Key, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)  # files that cannot be imported, and why
    modules: dict[str, str] = field(default_factory=dict)  # where each was found
    failure: str = ""  # nothing could be tried

    def take(self, other: Verdicts, variation: Variation) -> None:
        """Add what another variation showed."""
        for key, why in other.failed.items():
            told = f"{variation.what}: {why}" if variation.what else why
            self.failed.setdefault(key, told)
        for file, why in other.broken.items():
            self.broken.setdefault(file, why)
        self.modules |= other.modules if not self.modules else {}
        self.failure = self.failure or other.failure

    @property
    def hold(self) -> bool:
        """Whether every test passed in every variation."""
        return not (self.failed or self.broken or self.failure)


def tried(candidates: Candidates, conditions: Conditions) -> Verdicts:
    """Run all variations; a test counts as failed if it failed in one of them."""
    with ThreadPoolExecutor(2) as pool:  # one for each of the two variations
        plain = pool.submit(_trial, candidates, conditions, AS_WRITTEN)
        changed = pool.submit(_trial, candidates, conditions, ELSEWHERE)
    found = Verdicts()
    found.take(plain.result(), AS_WRITTEN)
    noticed = {(file, test) for file, test, case in changed.result().failed.keys() - found.failed}
    if noticed:
        tests = tuple(sorted(noticed))
        files = tuple([each for each in candidates.files if each.name in dict(tests)])
        less = replace(candidates, files=files, tests=tests)
        found.take(_trial(less, conditions, REARRANGED), REARRANGED)
    found.take(changed.result(), ELSEWHERE)
    return found


def _trial(candidates: Candidates, conditions: Conditions, variation: Variation) -> Verdicts:
    """What one variation shows. If files cannot be imported elsewhere they are tried again with the
    usual `datetime`; if pytest itself fails, again without the project's configuration.
    """
    verdicts = _attempt(candidates, conditions, variation, bare=False, own_datetime=True)
    own_datetime = not (variation.elsewhere and verdicts.broken)
    if not own_datetime:
        verdicts = _attempt(candidates, conditions, variation, bare=False, own_datetime=False)
    if verdicts.failure:
        verdicts = _attempt(candidates, conditions, variation, bare=True, own_datetime=own_datetime)
    return verdicts


def _attempt(
    candidates: Candidates,
    conditions: Conditions,
    variation: Variation,
    *,
    bare: bool,
    own_datetime: bool,
) -> Verdicts:
    found = Verdicts()
    without: list[Key] = []
    for _ in range(MOST_RESTARTS_PER_VARIATION):
        with work_folder() as work:
            job = {
                "driver": os.getpid(),
                "files": [str(each) for each in candidates.files],
                "tests": candidates.tests,
                "modules": candidates.modules,
                "without": without,
                "order": variation.order,
                "backwards": variation.backwards,
                "elsewhere": variation.elsewhere,
                "own_datetime": own_datetime,
                "confined": conditions.confined,
                "memory": None if variation.elsewhere else conditions.memory,
                "bare": bare,
                "work": work,
            }
            running, ended = _listened(_process(job, work, variation), found)
        if ended in _JUDGED or (ended is not None and found.broken):
            return found
        if running is None:
            first = "pytest did not come to its first test"
            found.failure = first if ended is None else f"pytest ended with code {ended}"
            return found
        found.failed.setdefault(running, "it does not end here, or ends the process")
        without.append(running)
    return found


def _process(
    job: dict[str, Any], work: str, variation: Variation
) -> contextlib.AbstractContextManager[int]:
    """A context with the descriptor on which a new process tells what happens to the tests; the
    process is ended on leaving.
    """
    surroundings = dict(os.environ)
    surroundings.pop("PYTEST_ADDOPTS", None)
    if variation.elsewhere:
        surroundings = elsewhere.environment(surroundings)
    surroundings |= {
        "PYTHONHASHSEED": variation.hash_seed,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        **furnished(work),
    }
    folder = work if variation.away or variation.elsewhere else None
    return telling("symcrete.report.trial.trial_process", job, surroundings, folder)


def _listened(
    process: contextlib.AbstractContextManager[int], found: Verdicts, clock: Clock = wall
) -> tuple[Key | None, int | None]:
    """Put into `found` what a process tells. Gives the test that began last, if any did, and
    pytest's exit code, or None if the process died or took too long.
    """
    running: Key | None = None
    with process as channel:
        buffer = b""
        until = clock() + TRIAL_START_SECONDS
        while True:
            left = until - clock()
            if left <= 0 or not select.select([channel], [], [], left)[0]:
                return running, None
            data = os.read(channel, 1 << 16)  # what a pipe holds
            if not data:
                return running, None
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                said = json.loads(line)
                until = clock() + TEST_SECONDS
                match said:
                    case {"begins": [file, test, case]}:
                        running = (file, test, case)
                    case {"failed": [file, test, case], "why": why}:
                        found.failed.setdefault((file, test, case), why)
                    case {"broken": file, "why": why}:
                        found.broken.setdefault(file, why)
                    case {"modules": modules}:
                        found.modules |= modules
                    case {"ended": code}:
                        return running, code
                    case _:
                        pass


def as_shown(case: str) -> tuple[str, str]:
    """The name of a case as it is, and as pytest shows it unless a project turned that off: with
    another backslash before each.
    """
    return case, case.encode("unicode_escape").decode()


def lines_to_blame(why: str, file: str) -> list[int]:
    """The lines of a file that the words of a failed import name, innermost last."""
    return [int(each) for each in re.findall(rf"{re.escape(file)}:(\d+)", why)]


def last_words(why: str) -> str:
    """The sentence that ends the words of a failed import."""
    lines: Sequence[str] = [line.strip() for line in why.strip().splitlines() if line.strip()]
    return lines[-1].removeprefix("E").strip() if lines else "it cannot be imported"
