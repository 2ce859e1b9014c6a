"""Random programs of fixed seeds: no false claim, and little that can happen is left open."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from tests.truth.asking import Engine
from tests.truth.judge import Judgement, judged
from tests.truth.programs import program

PROGRAMS = 300
GROUPS = 6
MOST_OPEN = 0.02  # of the sides that some input takes


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_claim_about_a_random_program_is_false(group: int, tmp_path: Path) -> None:
    total = Judgement()
    for seed in range(group, PROGRAMS, GROUPS):
        total.add(_judged(seed, tmp_path))

    assert not total.false
    assert total.covered > 150
    assert total.infeasible > 100
    assert total.open_feasible <= MOST_OPEN * total.feasible, total.open_reasons
    assert total.lines_reached > 10
    assert total.lines_unreachable > 10


# Programs about which a false claim was made once.
@pytest.mark.parametrize("seed", [201, 100041, 500376])
def test_no_claim_is_false_where_one_was(seed: int, tmp_path: Path) -> None:
    assert not _judged(seed, tmp_path).false


def _judged(seed: int, folder: Path) -> Judgement:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of programs that compare a literal with `is`
        found = judged(program(seed), Engine(folder), lines=1)
    found.false = [f"seed {seed}: {claim}" for claim in found.false]
    return found
