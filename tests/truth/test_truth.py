"""Random programs of fixed seeds: no false claim, and little that can happen is left open."""

from __future__ import annotations

import pytest
from tests.truth.judge import Judgement
from tests.truth.parts import judged_apart

PROGRAMS = 300
GROUPS = 6
PART = 50  # programs that one process judges: their terms and modules would stay in this one
SECONDS = 0.7  # for one question; of 2,700 programs 0.1 % of the feasible sides stayed open at 1.0
MOST_OPEN = 0.02  # of the sides that some input takes


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_claim_about_a_random_program_is_false(group: int) -> None:
    size = PROGRAMS // GROUPS
    first = group * size

    total = _judged([range(part, part + PART) for part in range(first, first + size, PART)])

    assert not total.false
    assert total.programs + total.lost == size
    assert total.lost <= 1  # Yices sometimes ends its process where it is interrupted
    assert total.covered > 150
    assert total.infeasible > 100
    assert total.open_feasible <= MOST_OPEN * total.feasible, total.open_reasons
    assert total.lines_reached > 10
    assert total.lines_unreachable > 10


def test_no_claim_is_false_where_one_was() -> None:
    once_false = [201, 100041, 500376, 484354805, 388343554]  # seeds

    total = _judged([range(seed, seed + 1) for seed in once_false])

    assert not total.false
    assert total.programs == len(once_false)


def test_programs_that_end_their_process_are_counted_and_told() -> None:
    found, shown = judged_apart(range(7, 9), unknown_option=1)

    assert (found.programs, found.lost) == (0, 2)
    assert shown == [f"seed {seed}: its process ended with code 1" for seed in (7, 8)]


def _judged(parts: list[range]) -> Judgement:
    total = Judgement()
    for part in parts:
        found, shown = judged_apart(part, lines=1, show=False, seconds=SECONDS)
        found.false = [line for line in shown if line.startswith("FALSE")]
        total.add(found)
    return total
