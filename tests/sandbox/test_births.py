"""A worker that is a fork of a zygote is like one that is a new interpreter, and quicker there."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.sandbox.watching import PLACE, watched

from symcrete.sandbox.driver.births import INTERPRETERS, Births, Task, Zygotes, can_fork
from symcrete.sandbox.driver.watch import Fresh
from symcrete.sandbox.walls.effects import allowance

linux = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux only")


@pytest.fixture
def zygotes() -> Iterator[Zygotes]:
    with contextlib.closing(Zygotes()) as made:
        yield made


def told(births: Births, **options: Any) -> dict[str, Any]:
    task = Task("entries:tell_everything", environment=PLACE, **options)
    events = watched(task, {}, budget=20, workers=Fresh(births))
    return next(event for event in events if event["event"] == "all")


@linux
def test_a_fork_has_the_environment_the_folder_and_the_walls_of_an_interpreter(
    zygotes: Zygotes, tmp_path: Any
) -> None:
    forked, started = (told(each, cwd=str(tmp_path)) for each in (zygotes, INTERPRETERS))

    assert forked.keys() == started.keys()
    assert forked["cwd"] == started["cwd"] == str(tmp_path)
    assert forked["collects"] and started["collects"]  # it is off only while we import
    assert os.path.dirname(forked["temporary"]) == forked["work"]


@linux
def test_a_change_of_the_drivers_environment_reaches_the_next_fork(
    zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Task("entries:say_variable", environment=PLACE)
    found = []
    for text in ("one", "two"):
        monkeypatch.setenv("COLUMNS", text)  # one of those that are not kept from a program
        events = list(watched(task, {"name": "COLUMNS"}, budget=20, workers=Fresh(zygotes)))
        found += [event["text"] for event in events if event["event"] == "variable"]

    assert found == ["one", "two"]
    assert len(zygotes._ready) == 1


@linux
def test_after_a_zygote_was_killed_workers_are_born_all_the_same(zygotes: Zygotes) -> None:
    first = told(zygotes)
    (zygote,) = zygotes._ready.values()
    zygote._process.kill()
    zygote._process.wait()

    second = told(zygotes)

    assert first.keys() == second.keys()


@linux
def test_zygotes_end_with_everything_they_bore(zygotes: Zygotes) -> None:
    told(zygotes)
    (zygote,) = zygotes._ready.values()
    pid = zygote._process.pid

    zygotes.close()

    assert not os.path.exists(f"/proc/{pid}")


def test_a_worker_that_may_start_processes_is_an_interpreter_of_its_own() -> None:
    assert not can_fork(Task("entries:echo", allow=allowance(("processes",))))
    assert not can_fork(Task("entries:echo", confined=False))


@linux
def test_the_end_of_one_fork_leaves_the_zygote_and_its_other_forks_alone(zygotes: Zygotes) -> None:
    for _ in range(2):
        told(zygotes, forks=True)  # its leftovers are looked for

    (zygote,) = zygotes._ready.values()

    assert not zygote.ended
    assert zygote._process.pid in _children()


BASE = "symcrete.sandbox.worker.learned:Learned"


def _children() -> list[int]:
    """The processes that this one started and has not reaped."""
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
        return [int(each) for each in file.read().split()]


@linux
def test_a_zygote_that_needs_more_than_the_base_is_a_fork_of_the_bases() -> None:
    with contextlib.closing(Zygotes(BASE)) as zygotes:
        found = told(zygotes)
        base, own = zygotes._ready.values()
        started = base._process.pid in _children(), own._process.pid in _children()
        pids = [each._process.pid for each in (base, own)]

    assert found.keys() == told(INTERPRETERS).keys()
    assert started == (True, False)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)


@linux
@pytest.mark.parametrize("which", [0, 1])
def test_after_a_base_or_its_fork_was_killed_workers_are_born_all_the_same(which: int) -> None:
    with contextlib.closing(Zygotes(BASE)) as zygotes:
        first = told(zygotes)
        killed = list(zygotes._ready.values())[which]
        os.kill(killed._process.pid, signal.SIGKILL)

        second, third = told(zygotes), told(zygotes)

    assert first.keys() == second.keys() == third.keys()


@linux
def test_what_has_another_hash_seed_comes_of_another_base() -> None:
    with contextlib.closing(Zygotes(BASE)) as zygotes:
        for seed in ("0", "1"):
            task = Task("entries:tell_everything", environment={**PLACE, "PYTHONHASHSEED": seed})
            list(watched(task, {}, budget=20, workers=Fresh(zygotes)))

        assert len(zygotes._ready) == 4
