"""Draws do not go on with numbers that loops never come to the end of."""

from __future__ import annotations

from pathlib import Path

from symcrete.explore.compose import prepare
from symcrete.explore.loop.loop import Explored
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

COUNTING = """
def f(n: int) -> int:
    total = 0
    for number in range(n):
        total += number
    return total
"""
WIDE = """
def f(n: int) -> int:
    return 1 if n > 2_000_000 else 0
"""


def drawing(text: str, folder: Path, runs: int, **more: object) -> Explored:
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    given = {"strategy": "random-input", "max_runs": runs, "paths": True, "replay": False}
    options = options_from(given | more)
    wanted = EveryBranch(paths=options.paths)
    exploration, phase = prepare(targets_of(f"{file}::f")[0], wanted, options)
    exploration.explore(phase)
    return exploration


def test_a_number_whose_run_was_cut_is_seldom_drawn_again(tmp_path: Path) -> None:
    exploration = drawing(COUNTING, tmp_path, 400, run_steps=5000)

    assert exploration.progress.runs == 400
    # One in thirty draws would be such a number: 2**31 - 1 or 2**63.
    assert exploration.progress.cut_runs <= 3


def test_numbers_that_cost_nothing_are_drawn_as_before(tmp_path: Path) -> None:
    exploration = drawing(WIDE, tmp_path, 400)

    assert exploration.paths == 2
