"""Random programs of fixed seeds: no false claim, and little that can happen is left open."""

from __future__ import annotations

import multiprocessing

import pytest
from tests.truth.judge import Judgement
from tests.truth.parts import judge_part

PROGRAMS = 300
GROUPS = 6
PART = 25  # programs that one process judges: their terms and modules would stay in this one
SECONDS = 1.0  # for one question; of 2,700 programs 0.1 % of the feasible sides stayed open
MOST_OPEN = 0.02  # of the sides that some input takes


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_claim_about_a_random_program_is_false(group: int) -> None:
    size = PROGRAMS // GROUPS
    first = group * size

    total = _judged([range(part, part + PART) for part in range(first, first + size, PART)])

    assert not total.false
    assert total.programs == size
    assert total.covered > 150
    assert total.infeasible > 100
    assert total.open_feasible <= MOST_OPEN * total.feasible, total.open_reasons
    assert total.lines_reached > 10
    assert total.lines_unreachable > 10


def test_no_claim_is_false_where_one_was() -> None:
    once_false = [201, 100041, 500376]  # seeds

    total = _judged([range(seed, seed + 1) for seed in once_false])

    assert not total.false
    assert total.programs == len(once_false)


def _judged(parts: list[range]) -> Judgement:
    total = Judgement()
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for part in parts:
            found, shown = pool.apply(
                judge_part, (part,), {"lines": 1, "show": False, "seconds": SECONDS}
            )
            found.false = shown
            total.add(found)
    return total
