"""Small parts of search, each by itself: equations of a loop, what is known, what is drawn."""

from __future__ import annotations

from random import Random

import pytest

from symcrete.search.branches.smallest import SmallestFirst
from symcrete.search.branches.traversal import drawn
from symcrete.search.chains.elimination import LoopEquations
from symcrete.search.chains.knowledge import Knowledge


def loop_of_two() -> LoopEquations:
    """0 and 1 lead to each other with probability 1/2, and else out, to 2."""
    equations = LoopEquations([0, 1], [[1, 2], [0, 2], []])
    equations.refactor({0: [0.5, 0.5], 1: [0.5, 0.5]})
    return equations


def test_the_equations_of_a_loop_are_solved() -> None:
    equations = loop_of_two()

    equations.assign({0: 1.0, 1: 4.0})

    # x0 = 1 + x1 / 2 and x1 = 4 + x0 / 2.
    assert equations.value(0) == pytest.approx(4.0)
    assert equations.value(1) == pytest.approx(6.0)


def test_a_changed_row_changes_the_solution_and_the_same_row_does_not() -> None:
    equations = loop_of_two()
    equations.assign({0: 1.0, 1: 4.0})

    same = equations.refactor({0: [0.5, 0.5]})
    changed = equations.refactor({0: [0.0, 1.0]})

    assert not same
    assert changed
    assert equations.value(0) == pytest.approx(1.0)


def test_a_state_of_a_loop_is_visited_again_and_again() -> None:
    # From 0 a run comes back with probability 1/4: 1 + 1/4 + 1/16 + ... = 4/3.
    assert loop_of_two().visits(0) == pytest.approx(4 / 3)


def test_a_run_covers_what_it_goes_through_for_the_first_time() -> None:
    known = Knowledge("entry", {"entry": ["left", "right"], "left": [], "right": []})

    first = known.observe(["entry", "left"])
    again = known.observe(["entry", "left"])

    assert set(first) == {"entry", "left"}
    assert again == []
    assert list(known.candidates()) == [("entry", "right")]


def test_what_is_given_up_is_no_candidate_any_more() -> None:
    known = Knowledge("entry", {"entry": ["left", "right"], "left": [], "right": []})
    known.observe(["entry", "left"])

    known.give_up(["right"])

    assert known.done


def test_what_is_drawn_is_taken_out_and_every_one_comes() -> None:
    some = [1, 2, 3, 4]

    order = [drawn(some, Random(seed)) for seed in range(4)]

    assert sorted(order) == [1, 2, 3, 4]
    assert some == []


def test_without_branches_there_is_no_smallest_one() -> None:
    assert SmallestFirst().choose() is None
