"""Which outcomes were covered, and which are still wanted."""

from __future__ import annotations

import ast
from random import Random

from tests.tree.traces import trace

from symcrete.program.source.sites import ModuleSites, SiteTable
from symcrete.tree.coverage import ERROR_TRIES, Coverage, bit, outcomes
from symcrete.tree.tree import ExecutionTree, Side

PROGRAM = """
def f(x):
    if x > 0:
        x = -x
    while x:
        x += 1
    return 1 // x

def g(x):
    return x if x else 0
"""


def coverage_of(scope: str = "f") -> Coverage:
    table = SiteTable()
    sites = ModuleSites(ast.parse(PROGRAM), "m.py", table)
    own, branches = tuple(sites.own(scope)), tuple(sites.own_branches(scope))
    return Coverage(table, own, branches, scope=scope, file="m.py")


def test_outcomes_of_a_set_are_those_it_was_made_of() -> None:
    random = Random(1)
    wanted = {(random.randrange(300), random.random() < 0.5) for _ in range(100)}

    found = list(outcomes(sum(bit(site, side) for site, side in wanted)))

    assert found == sorted(wanted)


def test_at_first_both_sides_of_the_target_s_own_conditions_are_wanted() -> None:
    coverage = coverage_of()

    assert [site.kind for site in coverage.own] == ["if", "while"]
    assert list(outcomes(coverage.wanted)) == [(0, False), (0, True), (1, False), (1, True)]
    assert not coverage.complete


def test_adding_gives_what_is_new_and_wants_it_no_longer() -> None:
    coverage = coverage_of()

    first = coverage.add(bit(0, True) | bit(2, True))
    second = coverage.add(bit(0, True) | bit(0, False))

    assert list(outcomes(first)) == [(0, True), (2, True)]
    assert list(outcomes(second)) == [(0, False)]
    assert coverage.has(0, True) and not coverage.wants(0, True)
    assert coverage.wants(1, True) and not coverage.has(1, True)


def test_outcomes_of_other_functions_are_seen_but_do_not_count() -> None:
    coverage = coverage_of()

    new = coverage.add(bit(2, True))

    assert new and not coverage.counts(new)
    assert coverage.counts(bit(1, False))


def test_it_is_complete_when_nothing_is_wanted() -> None:
    coverage = coverage_of()

    coverage.add(sum(bit(site, side) for site in (0, 1) for side in (False, True)))

    assert coverage.complete


def test_wanting_other_conditions_replaces_those_wanted_before() -> None:
    coverage = coverage_of()

    coverage.want(coverage.own[:1])

    assert list(outcomes(coverage.wanted)) == [(0, False), (0, True)]


def test_an_arc_is_covered_by_any_outcome_that_implies_it() -> None:
    coverage = coverage_of()
    taken = next(each for each in coverage.branches if each.line == 3 and each.side)

    assert not coverage.has_branch(taken)
    coverage.add(bit(0, True))

    assert coverage.has_branch(taken)
    assert not coverage.has_branch(taken, covered=bit(0, False))


def test_an_operation_that_can_fail_is_an_error_of_the_target_once_it_was_met() -> None:
    coverage = coverage_of()
    inside = coverage.sites.add("ZeroDivisionError", "m.py", 7, 11, "f", implicit=True)
    outside = coverage.sites.add("ZeroDivisionError", "m.py", 10, 11, "g", implicit=True)

    coverage.add(bit(inside, True) | bit(outside, True))

    assert list(coverage.errors) == [inside]
    assert coverage.counts(bit(inside, False))
    assert not coverage.counts(bit(outside, False))


def test_an_operation_that_an_earlier_exploration_met_is_an_error_of_the_target_at_once() -> None:
    coverage = coverage_of()
    site = coverage.sites.add("ZeroDivisionError", "m.py", 7, 11, "f", implicit=True)

    again = Coverage(coverage.sites, coverage.own, coverage.branches, scope="f", file="m.py")

    assert list(again.errors) == [site]
    assert again.counts(bit(site, False))


def test_errors_are_settled_once_each_failed_or_was_tried_often_enough() -> None:
    coverage, tree = coverage_of(), ExecutionTree()
    site = coverage.sites.add("ZeroDivisionError", "m.py", 7, 11, "f", implicit=True)
    coverage.add(bit(site, True))
    grown = tree.add(trace(*[site] * (ERROR_TRIES + 1)))

    assert not coverage.errors_settled(tree)
    for node in grown.nodes[:ERROR_TRIES]:
        tree.settle(node, False, Side.UNKNOWN)
    assert coverage.errors_settled(tree)


def test_an_error_that_occurred_is_settled() -> None:
    coverage, tree = coverage_of(), ExecutionTree()
    site = coverage.sites.add("ZeroDivisionError", "m.py", 7, 11, "f", implicit=True)
    tree.add(trace(site))

    coverage.add(bit(site, False))

    assert coverage.errors_settled(tree)
