"""Strategies beside the default: functions, curves and verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiments.deciding import Function, Measured, functions, measure, tables
from experiments.sign_test import sign_test


@pytest.mark.parametrize(
    "ahead, behind, chance",
    [(0, 0, 1.0), (5, 0, 0.0625), (0, 5, 0.0625), (7, 1, 18 / 256), (3, 3, 1.0)],
)
def test_the_sign_test_has_the_known_probabilities(ahead: int, behind: int, chance: float) -> None:
    assert sign_test(ahead, behind) == pytest.approx(chance)


def test_every_corpus_is_there_and_no_function_twice() -> None:
    found = list(functions())

    assert {each.corpus for each in found} == {"stdlib", "examples", "subjects"}
    names = [each.name for each in found]
    assert len(names) == len(set(names))


def test_a_curve_tells_what_was_covered_by_a_moment() -> None:
    measured = Measured("f", "auto", 0, 1.0, branches=4, curve=[(0.1, 1), (0.4, 3)])

    assert [measured.percent(at) for at in (0.05, 0.1, 0.5)] == [0.0, 25.0, 75.0]


def test_functions_that_one_strategy_lacks_are_left_out() -> None:
    both, alone = Function("stdlib", "f", "f"), Function("stdlib", "g", "g")
    rows = [
        Measured("f", "auto", 0, 1.0, branches=4, curve=[(0.1, 1)]),
        Measured("f", "priced", 0, 1.0, branches=4, curve=[(0.1, 2)]),
        Measured("g", "auto", 0, 1.0, branches=4, curve=[(0.1, 4)]),
    ]

    means, duels = tables([both, alone], ["auto", "priced"], 1, [1.0], {r.key: r for r in rows})

    assert means.rows == [["stdlib", "1", "1", "25.0", "50.0"], ["all", "1", "1", "25.0", "50.0"]]
    assert duels.rows == [["priced", "1", "1", "0", "1.000"]]


def test_an_exploration_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "small.py"
    file.write_text("def f(a: int) -> int:\n    if a == 77:\n        return 1\n    return 2\n")

    found = measure(Function("examples", "f", f"{file}::f"), "priced", 0, 0.5)

    assert found.branches == 2
    assert found.percent(0.5) == 100.0
