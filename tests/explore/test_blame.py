"""What is to blame when a call cannot be realised."""

from __future__ import annotations

from symcrete.explore.lazy.blame import Charges
from symcrete.solve.backends.z3.backend import Arithmetic
from symcrete.solve.solver import Unsat
from symcrete.terms.integers import eq, le
from symcrete.terms.term import Sort, int_const, var

LENGTH, END = var("len(text)", Sort.INT), var("word#1", Sort.INT)
AROUND = (le(LENGTH, END), eq(END, int_const(2)), le(int_const(0), LENGTH))
NEAR = {"len(text)": 2, "word#1": 2}


def charges():
    return Charges(AROUND, Arithmetic().solve, shrink=True)


def test_what_a_run_decided_in_other_words_is_blamed_on_the_conditions_it_follows_from():
    found = charges()

    found.decided((le(LENGTH, int_const(2)),), (le(LENGTH, int_const(2)),), NEAR)

    assert found.verdict() == frozenset(AROUND[:2])


def test_nothing_is_proved_where_a_run_decided_what_does_not_follow():
    found = charges()

    found.decided((le(LENGTH, int_const(1)),), (le(LENGTH, int_const(1)),), NEAR)

    assert found.verdict() is None


def test_conditions_that_are_blamed_already_are_not_looked_for_again():
    found = charges()
    found.add(frozenset(AROUND[:1]))

    goal = le(int_const(3), LENGTH)
    found.refused(Unsat((*AROUND, goal)), goal, NEAR)
    asked = found.verdict()

    assert asked == frozenset(AROUND[:2])
