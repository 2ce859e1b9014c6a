"""Inputs are chosen whose results tell their paths apart."""

from __future__ import annotations

import textwrap
from pathlib import Path

from symcrete.clock import Moment
from symcrete.explore import compose
from symcrete.explore.minimise.results_apart import results_apart
from symcrete.explore.options import Options
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

PROGRAM = """
    def price(total: int, share: float, member: bool) -> float:
        if member:
            return total * share * 0.9
        return total * share

    def named(n: int) -> str:
        return "many" if n > 3 else "few"
"""


def test_equal_results_are_told_apart_by_other_numbers(tmp_path: Path) -> None:
    (tmp_path / "apart.py").write_text(textwrap.dedent(PROGRAM))
    target = targets_of(f"{tmp_path / 'apart.py'}::price")[0]
    exploration, _ = compose.prepare(target, EveryBranch(), Options(max_runs=10))
    runner = exploration.parts.runner
    with runner:
        given = [{"total": 0, "share": 0.0, "member": side} for side in (False, True)]
        traces = [runner.run(each) for each in given]

    found = results_apart(runner, traces, [lambda trace: True] * 2, Moment())

    assert [each.result for each in traces] == ["0.0", "0.0"]
    assert [each.result for each in found] == ["100.0", "90.0"]
    assert [each.assignment["total"] for each in found] == [10, 10]


def test_results_that_inputs_do_not_decide_are_left(tmp_path: Path) -> None:
    (tmp_path / "apart.py").write_text(textwrap.dedent(PROGRAM))
    target = targets_of(f"{tmp_path / 'apart.py'}::named")[0]
    exploration, _ = compose.prepare(target, EveryBranch(), Options(max_runs=10))
    runner = exploration.parts.runner
    with runner:
        traces = [runner.run({"n": each}) for each in (0, 1)]

    found = results_apart(runner, traces, [lambda trace: True] * 2, Moment())

    assert found == traces
