from __future__ import annotations

from symcrete.constraint.path import Origin
from symcrete.solve.wrappers.mattered import MOST_HELD, Mattered
from symcrete.terms.integers import lt
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var

X = var("x", Sort.INT)
LOOP, CHECK, GOAL = 1, 2, 3  # branches


def above(value: int) -> Term:
    return lt(int_const(value), X)


def origin(*met: tuple[int, Term], site: int = GOAL) -> Origin:
    return Origin(site, tuple((2 * branch + 1, term) for branch, term in met))


def test_what_a_core_held_at_a_branch_is_asked_for_first_there_in_its_latest_form():
    mattered = Mattered()
    short = origin((LOOP, above(1)), (CHECK, above(50)))
    long = origin((LOOP, above(1)), (LOOP, above(2)), (LOOP, above(3)), (CHECK, above(60)))

    mattered.refuted((above(1), above(99)), (), above(99), short)

    assert mattered.first(tuple(term for _, term in long.events), long) == [above(3)]


def test_what_mattered_at_one_branch_is_not_asked_for_at_another():
    mattered = Mattered()
    here, there = origin((LOOP, above(1))), origin((LOOP, above(1)), site=CHECK)

    mattered.broken([above(1)], here)

    assert mattered.first((above(1),), here) == [above(1)]
    assert mattered.first((above(1),), there) == []


def test_a_condition_that_was_held_and_not_needed_loses_its_rank():
    mattered = Mattered()
    met = [(10 + number, above(number)) for number in range(MOST_HELD + 1)]
    path = tuple(term for _, term in met)
    mattered.broken(path, origin(*met))

    mattered.refuted(path[1:], path, above(99), origin(*met))

    assert mattered.first(path, origin(*met)) == list(path[1:])


def test_the_side_taken_tells_conditions_of_a_branch_from_their_opposites():
    mattered = Mattered()
    run = Origin(GOAL, ((2 * LOOP, above(1)), (2 * CHECK + 1, above(5))))

    mattered.broken([negate(above(1))], run)

    assert mattered.first((negate(above(1)), above(5)), run) == [negate(above(1))]


def test_without_an_origin_the_terms_themselves_are_counted():
    mattered = Mattered()

    mattered.broken([above(2)], None)

    assert mattered.first((above(1), above(2), above(3)), None) == [above(2)]
