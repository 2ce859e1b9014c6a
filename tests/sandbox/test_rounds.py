"""A budget over all targets: a little for each, more for those that gain, nothing sought twice."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcrete.explore.findings import FoundInput, Status, Tally, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import Target, targets_of
from symcrete.run.use import Ending
from symcrete.sandbox.driver import driver
from symcrete.sandbox.driver.rounds import SPENT, Rounds
from symcrete.sandbox.messages.events import KeptEvent

PROGRAM = "".join(f"def f{n}(x: int) -> int:\n    return 1 if x > {n} else 0\n" for n in range(4))
FOUND = FoundInput({"x": "8"}, Ending.RETURNED, "1", None, (), "")


class Driver:
    """Stands in for the driver: what each round covers of each function is given."""

    def __init__(self, covered: dict[str, list[int]], clock: list[float]) -> None:
        self.covered = covered
        self.rounds: list[tuple[list[str], float]] = []
        self.before: dict[str, list[int]] = {}
        self.clock = clock

    def cover_all(self, targets: list[Target], options: Options, **more: Any) -> Iterator[Any]:
        self.rounds.append(([target.scope for target in targets], options.budget))
        for target in targets:
            if more["stop"]():
                return
            self.clock[0] += options.budget
            self.before.setdefault(target.scope, []).append(len(more["before"](target).kept))
            more["record"](target, KeptEvent("{'x': 8}", FOUND))
            covered = self.covered[target.scope].pop(0)
            status = Status.COMPLETE if covered == 4 else Status.BUDGET
            yield TargetReport(target.label, status, Tally(4, covered, 0), scope=target.scope)


@pytest.fixture
def wanted(tmp_path: Path) -> list[Target]:
    (tmp_path / "prog.py").write_text(PROGRAM)
    return targets_of(str(tmp_path / "prog.py"))


def covered_in(
    monkeypatch: pytest.MonkeyPatch, wanted: list[Target], total: float, rounds: dict[str, Any]
) -> tuple[Driver, dict[str, TargetReport]]:
    clock = [0.0]
    stand_in = Driver(rounds, clock)
    monkeypatch.setattr(driver, "cover_all", stand_in.cover_all)
    found = Rounds(total, Options(budget=10.0), 1, lambda: clock[0]).cover(wanted)
    return stand_in, {report.target.rpartition("::")[2]: report for report in found}


def test_those_that_are_done_get_nothing_more_and_those_that_gain_do(
    wanted: list[Target], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = {"f0": [4], "f1": [2, 3, 3], "f2": [4], "f3": [1, 1]}

    used, found = covered_in(monkeypatch, wanted, 10.0, rounds)

    assert used.rounds[0] == (["f0", "f1", "f2", "f3"], 1.0)
    assert used.rounds[1][0] == ["f1", "f3"]  # the most promising first
    assert used.rounds[1][1] == 3.0
    assert {name: report.branches.covered for name, report in found.items()} == {
        "f0": 4,
        "f1": 3,
        "f2": 4,
        "f3": 1,
    }


def test_a_later_round_starts_from_what_an_earlier_one_found(
    wanted: list[Target], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = {"f0": [4], "f1": [2, 4], "f2": [4], "f3": [4]}

    used, _ = covered_in(monkeypatch, wanted, 10.0, rounds)

    assert used.before["f1"] == [0, 1]


def test_what_there_was_no_time_for_says_so(
    wanted: list[Target], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = {name: [4] for name in ("f0", "f1", "f2", "f3")}

    _, found = covered_in(monkeypatch, wanted, 0.3, rounds)

    assert [report.status for report in found.values()] == [
        "complete",
        "complete",
        "budget",
        "budget",
    ]
    assert found["f3"].notes == (SPENT,)
    assert {spot.reason for spot in found["f3"].open} == {SPENT}


def test_a_worse_report_does_not_replace_a_better_one(
    wanted: list[Target], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = {"f0": [3, 2], "f1": [4], "f2": [4], "f3": [4]}

    _, found = covered_in(monkeypatch, wanted, 10.0, rounds)

    assert found["f0"].branches == replace(Tally(4, 3, 0))
