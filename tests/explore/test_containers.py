"""Explorations over containers: what is found, and what is proved or not."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import targets_of


def explored(tmp_path: Path, program: str, budget: float = 20.0) -> TargetReport:
    file = tmp_path / "program.py"
    file.write_text(program)
    return cover(targets_of(str(file))[0], Options(budget=budget))


def test_a_length_below_zero_is_proved_infeasible(tmp_path: Path) -> None:
    report = explored(tmp_path, "def f(xs: list[int]):\n    if len(xs) < 0:\n        return 1\n")

    assert report.status == "complete"
    assert len(report.infeasible) == 1


def test_a_length_we_do_not_build_is_not_called_infeasible(tmp_path: Path) -> None:
    program = "def f(xs: list[int]):\n    if len(xs) > 100_000:\n        return 1\n"

    report = explored(tmp_path, program)

    assert not report.infeasible
    assert "larger input" in report.open[0].reason


def test_keys_of_a_dict_differ(tmp_path: Path) -> None:
    program = """
def f(d: dict[int, int]):
    if len(d) == 2:
        first, second = d
        if first == second:
            return 1
"""

    report = explored(tmp_path, program)

    assert report.status == "complete"
    assert [spot.text for spot in report.infeasible] == ["first == second"]


def test_a_tracked_key_in_a_plain_dict_keeps_its_term(tmp_path: Path) -> None:
    program = """
def f(a: int, b: int):
    seen = {a: 1}
    seen[b] = 2
    if len(seen) == 1:
        return seen[a]
    return 0
"""

    report = explored(tmp_path, program)

    assert report.status == "complete"
    assert report.conditions.covered == 2


def test_a_pinned_value_is_a_branch_that_later_runs_agree_with(tmp_path: Path) -> None:
    program = """
def f(x: int):
    if "abcdefgh"[x] == "f":
        return 1
"""

    report = explored(tmp_path, program)

    assert report.conditions.covered == 2
    assert not report.notes
    assert report.divergences == 0


def test_an_invariant_that_rejects_is_a_precondition(tmp_path: Path) -> None:
    program = """
from dataclasses import dataclass

@dataclass
class Range:
    low: int
    high: int
    def __post_init__(self):
        if self.low > self.high:
            raise ValueError

def f(r: Range):
    if r.low > r.high:
        return 1
    return 0
"""

    report = explored(tmp_path.joinpath(), program.replace("def f", "def f"))

    target = [each for each in targets_of(str(tmp_path / "program.py")) if each.scope == "f"]
    report = cover(target[0], Options(budget=20.0))
    assert report.status == "complete"
    assert len(report.infeasible) == 1
    assert {found.outcome for found in report.inputs} == {"returned"}


def test_the_order_of_a_computed_set_is_a_loss_that_is_told(tmp_path: Path) -> None:
    program = """
def f(xs: list[int]):
    for x in set(xs):
        if x > 1000:
            return 1
        return 0
"""

    report = explored(tmp_path, program)

    assert report.conditions.covered >= 3
    assert report.status != "complete"


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("return max(xs, key=lambda p: p[1])[0] == 7 if xs else False", "True"),
        ("return sorted(xs)[-1] == (5, 6) if len(xs) == 2 else False", "True"),
        ("return any(a + b == 1000 for a, b in xs)", "True"),
        ("return {a: b for a, b in xs}.get(3) == 4", "True"),
    ],
)
def test_pairs_are_found(body: str, result: str, tmp_path: Path) -> None:
    program = f"def f(xs: list[tuple[int, int]]):\n    if (lambda xs: {body[7:]})(xs):\n        return True\n"

    report = explored(tmp_path, program)

    assert result in [found.returned for found in report.inputs]


def test_what_is_looked_up_and_cast_is_solved_for(tmp_path: Path) -> None:
    program = """
        from typing import Any, cast

        def f(token: dict[str, Any]) -> int:
            code = cast(str, token.get("attrs", {}).get("code"))
            return 1 if code and code[::-1] == "7-EVAS" else 2
        """

    report = explored(tmp_path, textwrap.dedent(program), budget=5.0)

    assert report.conditions.open == 0
    assert '{"attrs": {"code": "SAVE-7"}}' in {each.args["token"] for each in report.inputs}
