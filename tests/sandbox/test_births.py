"""A worker that is a fork of a zygote is like one that is a new interpreter, and quicker there."""

import contextlib
import os
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
    assert os.path.dirname(forked["temporary"]) == forked["work"]


@linux
def test_a_change_of_the_drivers_environment_reaches_the_next_fork(
    zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Task("entries:say_variable", environment=PLACE)
    found = []
    for text in ("one", "two"):
        monkeypatch.setenv("SHOP", text)
        events = list(watched(task, {"name": "SHOP"}, budget=20, workers=Fresh(zygotes)))
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
    assert zygote._process.poll() is None
