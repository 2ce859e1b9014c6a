"""Which conditions of a decision a run shows to decide it, and which are hidden by others."""

from __future__ import annotations

import ast

from symcrete.explore.cover.decisions import Evaluation, decisions_of, evaluations
from symcrete.program.source.sites import ModuleSites, SiteTable
from symcrete.terms.term import Sort, var

TERM = var("x", Sort.BOOL)


def evaluated(condition: str, *sides: tuple[str, bool]) -> list[Evaluation]:
    """The decision of an `if`, evaluated with these sides of its conditions, in order."""
    tree = ast.parse(f"def f():\n    if {condition}:\n        pass\n")
    table = SiteTable()
    ModuleSites(tree, "f.py", table)
    number = {site.text: site.number for site in table.sites}
    events = [(2 * number[text] + side, TERM) for text, side in sides]
    return list(evaluations(decisions_of(tree, table.sites), events))


def test_the_last_condition_of_a_false_and_decides_alone() -> None:
    (found,) = evaluated("a and b", ("a", True), ("b", False))

    assert found.deciding() == {(1, False)}
    assert list(found.hiding()) == [((0, True), 1)]


def test_all_conditions_of_a_true_and_decide() -> None:
    (found,) = evaluated("a and b", ("a", True), ("b", True))

    assert found.deciding() == {(0, True), (1, True)}
    assert list(found.hiding()) == []


def test_a_later_truth_hides_what_was_false_before() -> None:
    (found,) = evaluated("(a and b) or c", ("a", False), ("c", True))

    assert found.deciding() == {(2, True)}
    assert list(found.hiding()) == [((0, False), 1)]


def test_a_negated_part_is_turned() -> None:
    (found,) = evaluated("not (a and b) or c", ("a", True), ("b", True), ("c", False))

    assert found.deciding() == {(0, True), (1, True), (2, False)}


def test_a_decision_that_was_left_in_the_middle_shows_nothing() -> None:
    (found,) = evaluated("a and b", ("a", True))

    assert found.deciding() == frozenset()
    assert list(found.hiding()) == []


def test_every_round_of_a_loop_is_an_evaluation() -> None:
    found = evaluated("a or b", ("a", False), ("b", True), ("a", True))

    assert [each.deciding() for each in found] == [{(1, True)}, {(0, True)}]


def test_a_single_condition_is_no_decision() -> None:
    assert evaluated("a", ("a", True)) == []
