"""What a worker does with its job, told to a driver that only listens; and the walls' small parts."""

from __future__ import annotations

import os
import posix
import resource
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from symcrete.explore.options import Options
from symcrete.explore.reach.goals import goal_at
from symcrete.explore.reach.reached import Reached
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.program.source.target import Target, targets_of
from symcrete.run.untouched.forks import Answered, Gone, fork_once
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.use import Ending
from symcrete.sandbox.messages.board import Board
from symcrete.sandbox.messages.doings import Exploring, Importing, Running
from symcrete.sandbox.messages.ends import Died, Ended
from symcrete.sandbox.messages.jobs import Explain, Explore, Reach, ServeCalls
from symcrete.sandbox.messages.words import (
    Begun,
    Blamed,
    Decided,
    Enough,
    Explained,
    Kept,
    Mistake,
    Play,
    Played,
    Reported,
    Told,
    WantsReplay,
)
from symcrete.sandbox.walls import limits, notices, paths
from symcrete.sandbox.walls.blocked import Blocked
from symcrete.sandbox.walls.confine import Protection
from symcrete.sandbox.walls.paths import FileOperation
from symcrete.sandbox.worker.answering import explain_input, reach_goal
from symcrete.sandbox.worker.exploring import blamed, explore_target, patience
from symcrete.sandbox.worker.serving import serve_calls

PROGRAM = """\
COUNT = 0

def f(x: int) -> int:
    if x > 7:
        return 1
    return 0

def count(x):
    global COUNT
    COUNT += x
    return COUNT
"""

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
_names = iter(range(1000))


class Listening:
    """The driver's end of a link, in the same process."""

    budget = 10.0
    protection = Protection("")

    def __init__(self, *orders: object) -> None:
        self._orders = orders
        self.sent: list[Any] = []
        self.done: list[object] = []

    def send(self, message: object) -> None:
        self.sent.append(message)

    def doing(self, what: object, limit: float = float("inf")) -> None:
        self.done.append(what)

    def orders(self, words: object) -> Iterator[Any]:
        return iter(self._orders)

    def heard(self, kind: type) -> list[Any]:
        return [each for each in self.sent if type(each) is kind]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / f"worked_{next(_names)}.py"
    file.write_text(PROGRAM)
    return file


@pytest.fixture
def target(file: Path) -> Target:
    return targets_of(f"{file}::f")[0]


OPTIONS = Options(max_runs=30, budget=10.0, goals=("branches",))


def test_a_worker_that_explores_tells_each_input_as_it_is_found(target: Target) -> None:
    link: Any = Listening()

    explore_target(Explore(target, OPTIONS), link)

    (reported,) = link.heard(Reported)
    assert link.heard(Begun) == [Begun("function", False, leaves_nothing=True)]
    assert len(link.heard(Kept)) == 2
    assert reported.report.status == "complete"
    assert link.done[0] == Importing(target.source.module)
    assert any(isinstance(each, Running) for each in link.done)


def test_what_ended_an_earlier_worker_is_not_run_again(target: Target) -> None:
    first: Any = Listening()
    explore_target(Explore(target, OPTIONS), first)
    (start, *_) = [each for each in first.done if isinstance(each, Running)]
    link: Any = Listening()

    explore_target(Explore(target, OPTIONS, after=(Ended(Died("SIGSEGV"), start),)), link)

    (blamed,) = link.heard(Blamed)
    assert blamed.input == start.input
    assert start.input not in [each.assignment for each in link.heard(Kept)]


def test_a_worker_that_reaches_has_its_input_replayed_by_the_driver(file: Path) -> None:
    goal = goal_at(f"{file}:5")
    link: Any = Listening(
        *[Told(Replayed(Ending.RETURNED, returned="1", lines=frozenset({5})))] * 4
    )

    reach_goal(Reach(goal.target, OPTIONS, goal, None), link)

    (decided,) = link.heard(Decided)
    assert isinstance(decided.verdict, Reached)
    assert int(decided.verdict.args["x"]) > 7
    assert link.heard(WantsReplay)[-1].call.args == decided.verdict.args
    assert Exploring() in link.done


def test_a_worker_that_explains_tells_the_path(target: Target) -> None:
    link: Any = Listening(Told(Replayed(Ending.RETURNED, returned="0")))

    explain_input(Explain(target, OPTIONS, "x=3"), link)

    (explained,) = link.heard(Explained)
    assert explained.explanation.path_condition == "x <= 7"
    assert [line for line, _, _ in explained.explanation.branches] == [4]


def test_an_input_that_cannot_be_read_is_a_mistake_of_the_user(target: Target) -> None:
    link: Any = Listening()

    explain_input(Explain(target, OPTIONS, "y=3"), link)

    assert [type(each) for each in link.sent] == [Mistake]
    assert "y" in link.sent[0].text


@pytest.fixture(autouse=True)
def _environment() -> Iterator[None]:
    """A worker forgets the variables of its process, which here is that of the tests."""
    places: list[Any] = [os.environ._data, posix.environ]  # type: ignore[attr-defined]
    known = [dict(each) for each in places]
    yield
    os.environ._data = places[0]  # type: ignore[attr-defined]
    for place, former in zip(places, known, strict=True):
        place.clear()
        place.update(former)


@pytest.fixture
def serving(file: Path) -> Iterator[ServeCalls]:
    finders, path = list(sys.meta_path), list(sys.path)
    yield ServeCalls((str(file.parent),), file.stem, str(file), True, "", False, 0.0, False, ())
    sys.meta_path[:], sys.path[:] = finders, path


def test_calls_are_played_afresh_until_there_are_enough(serving: ServeCalls) -> None:
    orders = [Play(number, "count", Call({"x": "2"}), 5.0) for number in range(2)]
    link: Any = Listening(*orders, Enough(), Play(9, "count", Call({"x": "2"}), 5.0))

    serve_calls(serving, link)

    # The second call finds the module as the first one did.
    assert [(each.number, each.did.returned) for each in link.sent] == [(0, "2"), (1, "2")]
    assert all(type(each) is Played for each in link.sent)


def test_a_call_after_others_finds_what_they_left(serving: ServeCalls) -> None:
    call = Call({"x": "2"})
    orders = [Play(number, "count", call, 5.0, after_others=True) for number in range(2)]
    link: Any = Listening(*orders, Enough())

    serve_calls(serving, link)

    assert [each.did.returned for each in link.sent] == ["2", "4"]


def test_the_sides_that_a_call_takes_are_told_by_name(serving: ServeCalls) -> None:
    orders = [Play(number, "f", Call({"x": x}), 5.0) for number, x in enumerate(("9", "3"))]
    link: Any = Listening(*orders, Enough())

    serve_calls(serving, link)

    high, low = [each.did for each in link.sent]
    assert (high.returned, low.returned) == ("1", "0")
    assert len(high.sides) == len(low.sides) == 1
    assert high.sides != low.sides


# -- walls


def test_limits_hold_from_then_on() -> None:
    def work() -> bytes:
        taken = limits.limit_file_size(4096), limits.no_core_dumps()
        set_to = [
            resource.getrlimit(each)[0] for each in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)
        ]
        return f"{taken} {set_to}\n".encode()

    assert fork_once(work, 20) == Answered(b"(True, True) [4096, 0]")


def test_an_allocation_beyond_the_limit_is_a_memory_error() -> None:
    def work() -> bytes:
        limits.limit_memory(1 << 30)
        try:
            bytearray(4 << 30)
        except MemoryError:
            return b"refused\n"
        return b"given\n"

    assert fork_once(work, 20) == Answered(b"refused")


def test_a_process_that_must_die_with_its_parent_ends_if_that_is_gone_already() -> None:
    parent = os.getpid()

    assert fork_once(lambda: limits.die_with(parent) or b"lives\n", 20) == Answered(b"lives")  # type: ignore[func-returns-value]
    assert fork_once(lambda: limits.die_with(parent + 1) or b"lives\n", 20) == Gone(1)  # type: ignore[func-returns-value]


def test_an_operation_is_within_folders_if_each_place_it_touches_is(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    folders = [str(inside)]

    def within(name: str, *touched: Path) -> bool:
        return paths.within(FileOperation(name, tuple(map(str, touched))), folders)

    assert within("open", inside / "a")
    assert not within("open", outside / "a")
    assert not within("open", inside / "link" / "a")
    assert not within("rename", inside / "a", outside / "a")
    # Removing a link touches the link, not what it leads to.
    assert within("remove", inside / "link")
    assert not within("open", tmp_path / "inside-not")
    assert within("open", Path("/dev/null"))


def test_an_operation_that_the_system_refuses_anyway_changes_nothing(tmp_path: Path) -> None:
    there, missing = tmp_path / "there", tmp_path / "missing"
    there.touch()

    def nothing(name: str, *touched: Path, flags: int = 0) -> bool:
        return paths.changes_nothing(FileOperation(name, tuple(map(str, touched)), flags))

    assert nothing("remove", missing)
    assert not nothing("remove", there)
    assert nothing("rename", missing, there)
    assert nothing("mkdir", there)
    assert nothing("mkdir", missing / "deeper")
    assert not nothing("mkdir", missing)
    assert nothing("open", missing, flags=os.O_WRONLY)
    assert not nothing("open", missing, flags=os.O_WRONLY | os.O_CREAT)
    assert nothing("open", there, flags=os.O_CREAT | os.O_EXCL)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with (tmp_path / "board").open("w+b") as held:
        made = Board(held.fileno())
        yield made
        made.close()


def test_what_was_stopped_is_fetched_once(board: Board) -> None:
    driver, worker = socket.socketpair()
    worker.setblocking(False)
    with driver, worker:
        fetched = notices.Notices(worker, board)
        quiet = fetched.drain()

        notices.tell(driver, board, Blocked("files", "unlink('/etc/passwd')"))
        notices.tell(driver, board, Blocked("processes", "fork()"))

        assert quiet == []
        assert [each.effect for each in fetched.drain()] == ["files", "processes"]
        assert fetched.drain() == []


def test_a_listener_is_handed_over_with_facts_about_the_worker(board: Board) -> None:
    driver, worker = socket.socketpair()
    with driver, worker, open(os.devnull) as listener:
        told = notices.Facts("x86_64", landlocked=True)
        notices.Notices(worker, board).hand_over(listener.fileno(), told)

        received = notices.receive(driver)

        assert received is not None
        descriptor, facts = received
        assert facts == told
        assert os.fstat(descriptor).st_rdev == os.fstat(listener.fileno()).st_rdev
        os.close(descriptor)


def test_a_worker_that_ends_without_handing_over_has_no_listener() -> None:
    driver, worker = socket.socketpair()
    worker.close()

    with driver:
        assert notices.receive(driver) is None


def test_an_input_too_long_for_the_board_is_blamed_without_an_internal_error() -> None:
    arguments = arguments_of(lambda n: n + 1, {"n": "int"}, "f")

    assert blamed(arguments, "{'n': 3}").args == {"n": "3"}
    assert blamed(arguments, "too long to keep").args == {"input": "'too long to keep'"}


def test_a_run_has_more_time_on_a_busy_machine_as_long_as_it_is_patient_itself() -> None:
    assert [patience(load, 2) for load in (0.5, 2.0, 4.0, 20.0)] == [1.0, 1.0, 2.0, 3.0]
