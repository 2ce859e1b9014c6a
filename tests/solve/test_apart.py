"""A solver that never comes back costs its query, and nothing else."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from pathlib import Path

import pytest

from symcrete.constraint.path import PathConstraint
from symcrete.explore.compose import cover
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.solve import solvers
from symcrete.solve.solver import Answer, Sat, Unknown
from symcrete.solve.wrappers import apart
from symcrete.solve.wrappers.apart import NEVER_BACK, Apart, Elsewhere
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, int_const, var

X = var("x", Sort.INT)
ASKED = PathConstraint((), integers.eq(X, int_const(1)))
_c = ctypes.CDLL(None)


class Sleeper:
    """Sleeps in C, deaf to signals, when it is asked for the first time; answers after that."""

    made = 0

    def __init__(self, **settings: object) -> None:
        Sleeper.made += 1
        self._number = Sleeper.made

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        if self._number == 1:
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            while True:
                _c.usleep(900_000)
        return Sat({**near, "x": 1})


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "OVERTIME", 0.2)
    Sleeper.made = 0


def test_a_query_is_given_up_and_the_next_one_is_answered() -> None:
    solver = Apart(Sleeper, Elsewhere(), seconds=0.1)
    began = time.monotonic()

    first, second = solver.solve(ASKED, {"x": 0}), solver.solve(ASKED, {"x": 0})

    assert first == Unknown(NEVER_BACK)
    assert second == Sat({"x": 1})
    assert time.monotonic() - began < 20
    assert Sleeper.made == 2


def test_solvers_are_made_and_asked_in_one_thread_that_is_not_this_one() -> None:
    threads: list[threading.Thread] = []

    class Noting:
        def __init__(self) -> None:
            threads.append(threading.current_thread())

        def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
            threads.append(threading.current_thread())
            return Unknown("")

    elsewhere = Elsewhere()
    for _ in range(2):
        Apart(Noting, elsewhere, seconds=5).solve(ASKED, {})

    assert len(set(threads)) == 1
    assert threading.current_thread() not in threads


def test_a_solver_is_asked_by_the_thread_alone_that_made_it() -> None:
    slow_to_make = [1.0, 0.0, 0.0]  # seconds: the first thread is given up meanwhile
    foreign: list[threading.Thread] = []

    class Owned:
        def __init__(self) -> None:
            self._owner = threading.current_thread()
            time.sleep(slow_to_make.pop(0))

        def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
            if threading.current_thread() is not self._owner:
                foreign.append(threading.current_thread())
            return Sat({**near, "x": 1})

    solver = Apart(Owned, Elsewhere(), seconds=0.1)
    answers = [solver.solve(ASKED, {"x": 0}) for _ in range(2)]
    time.sleep(1.2)  # the solver of the thread that was given up is there now

    answers.append(solver.solve(ASKED, {"x": 0}))

    assert answers == [Unknown(NEVER_BACK), Sat({"x": 1}), Sat({"x": 1})]
    assert not foreign


def test_what_a_solver_raises_is_raised_here() -> None:
    class Failing:
        def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Apart(Failing, Elsewhere(), seconds=5).solve(ASKED, {})


def test_an_exploration_goes_on_in_the_same_process_with_all_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = solvers.Backend(f"{__name__}:Sleeper", "sleeps", apart=True)
    monkeypatch.setitem(solvers.SOLVERS, "sleeper", row)
    file = tmp_path / "sleepy.py"
    file.write_text(
        "def f(a: int, b: int) -> int:\n"
        "    if a * b * b + 7 * a == 10**9 + 7:\n        return 1\n"
        "    if a > 100:\n        return 2\n"
        "    if b < -5:\n        return 3\n"
        "    return 4\n"
    )
    options = {"budget": 6.0, "replay": False, "solver": "sleeper", "solver_seconds": 0.1}
    options["goals"] = ("branches",)  # others are solved for by a solver of their own

    report = cover(targets_of(f"{file}::f")[0], options_from(options))

    assert Sleeper.made == 1
    assert report.conditions.covered >= 5
    assert any(NEVER_BACK in each.reason for each in report.open)
