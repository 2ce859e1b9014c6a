"""A worker's process as its driver sees it: what it says, prints, is about to do, and its end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.sandbox.watching import PLACE

from symcrete.sandbox.driver.births import Task
from symcrete.sandbox.driver.process import WorkerProcess


def worker(entry: str, folder: Path, job: object) -> contextlib.closing[WorkerProcess]:
    task = Task(f"entries:{entry}", environment=PLACE)
    return contextlib.closing(WorkerProcess(task, job, str(folder), 20.0))


def heard(process: WorkerProcess) -> Iterator[dict[str, Any]]:
    """Everything that a worker says until its end."""
    until = time.monotonic() + 60
    while not process.has_ended() and time.monotonic() < until:
        yield from process.pump(0.1)
    yield from process.pump_rest()


def test_what_a_worker_says_comes_as_events_up_to_its_end(tmp_path: Path) -> None:
    with worker("echo", tmp_path, {"word": "hello"}) as process:
        events = list(heard(process))

        names = [each["event"] for each in events]
        (echo,) = [each for each in events if each.get("name") == "echo"]
        assert names[0] == "Ready"
        assert names[-1] == "Finished"
        assert echo["fields"]["job"]["word"] == "hello"
        assert process.kill() == 0


def test_a_worker_that_is_killed_says_so_by_its_code(tmp_path: Path) -> None:
    with worker("ends_by", tmp_path, {"ways": ["sleep"]}) as process:
        while process.at_work() is None:
            process.pump(0.1)

        assert not process.has_ended()
        assert process.kill() == -9
        assert process.has_ended()


def test_what_the_program_prints_is_kept_apart_from_what_the_worker_says(tmp_path: Path) -> None:
    with worker("flood", tmp_path, {}) as process:
        events = list(heard(process))

        assert process.stdout.count > 100_000
        assert len(str(events)) < 10_000
