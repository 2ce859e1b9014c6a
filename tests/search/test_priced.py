"""One decision over all kinds of steps: what is likely, cheap and not tried in vain comes first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from symcrete.constraint.theory import FLOAT, ONLY_LINEAR, PRODUCT
from symcrete.explore.compose import prepare
from symcrete.explore.loop.drawing import drawn
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.sites import SiteTable
from symcrete.program.source.target import targets_of
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.pricing.priced import Priced
from symcrete.search.pricing.prices import Kind, Prices, Spending, Successes
from symcrete.search.pricing.straight import OF_A_CALLEE, Straight
from symcrete.search.strategies.combine import Overheard
from symcrete.search.strategy import Feedback, Flip, Guide, Sample
from symcrete.terms.integers import eq, mul
from symcrete.terms.term import Sort, Term, const, var
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import ExecutionTree, Node


def test_a_time_out_counts_with_all_the_time_it_took() -> None:
    spending = Spending(0.001)
    before = spending.mean

    spending.learn(2.0)

    assert before == 0.001
    assert spending.mean == pytest.approx((2 * 0.001 + 2.0) / 3)


def test_what_is_dear_in_one_theory_makes_no_other_dearer() -> None:
    prices = Prices()
    linear = prices.of(ONLY_LINEAR).mean

    prices.of(PRODUCT | FLOAT).learn(2.0)

    assert prices.of(ONLY_LINEAR).mean == linear
    assert prices.of(PRODUCT | FLOAT).mean > 0.5


def test_second_tries_have_chances_of_their_own() -> None:
    prices = Prices()

    for _ in range(20):
        prices.chances(ONLY_LINEAR, 1).learn(success=False)

    assert prices.chances(ONLY_LINEAR, 0).chance == 0.5
    assert prices.chances(ONLY_LINEAR, 1).chance < 0.1


def test_a_success_makes_the_next_one_likelier() -> None:
    successes = Successes(1.0)

    successes.learn(success=True)

    assert successes.chance == pytest.approx(2 / 3)


def test_kinds_in_vain_share_time_by_what_was_hoped_of_them() -> None:
    kinds = Kind("dear", 1.0, 0.01), Kind("cheap", 0.25, 0.01)
    spent: Counter[str] = Counter()

    for _ in range(4000):
        kind = max(kinds, key=lambda each: each.rate)
        seconds = 0.02 if kind.name == "dear" else 0.0005
        kind.learn(0.0, seconds)
        spent[kind.name] += round(10_000 * seconds)

    assert spent["dear"] / spent["cheap"] == pytest.approx(4.0, rel=0.1)


def test_a_find_makes_its_kind_worth_more_and_gives_heart_to_others() -> None:
    found, other = Kind("a", 0.3, 0.001), Kind("b", 0.3, 0.001)
    for kind in (found, other):
        kind.learn(0.0, 1.0)
    before = other.rate

    found.learn(1.0, 0.001)
    other.take_heart(0.3)

    assert found.rate > 8 * before
    assert before < other.rate < found.rate


def straight_over(*conditions: Term) -> tuple[Straight, Prices, list[Node], Coverage]:
    """A run that took the false side of each condition; their true sides are open."""
    sites = SiteTable()
    numbers = [sites.add("if", "p.py", n, 0, "f", str(n)) for n in range(len(conditions))]
    events = tuple((2 * n, term) for n, term in zip(numbers, conditions, strict=True))
    covered = sum(bit(number, False) for number in numbers)
    trace = Trace({}, events, (), covered, Ending.RETURNED, None, (), 0, 0.0)
    coverage = Coverage(sites, tuple(sites.sites), (), scope="f", file="p.py")
    coverage.add(covered)
    prices = Prices()
    straight = Straight(coverage, prices)
    nodes = list(ExecutionTree().add(trace).nodes)
    for node in nodes:
        straight.add(node, True)
    return straight, prices, nodes, coverage


X, Y, FIVE = var("x", Sort.INT), var("y", Sort.INT), const(5)
LINEAR_CONDITION = eq(X, FIVE)
PRODUCT_CONDITION = eq(mul(X, Y), FIVE)


def test_the_cheaper_theory_comes_first() -> None:
    straight, _, nodes, _ = straight_over(PRODUCT_CONDITION, LINEAR_CONDITION)

    assert straight.worth() > 0
    assert straight.choose() == Flip(nodes[1], True)
    assert straight.worth() > 0
    assert straight.choose() == Flip(nodes[0], True)
    assert straight.worth() == 0


def test_a_theory_that_turns_out_dear_waits() -> None:
    straight, prices, nodes, _ = straight_over(LINEAR_CONDITION, PRODUCT_CONDITION)

    for _ in range(5):
        prices.of(ONLY_LINEAR).learn(1.0)

    assert straight.worth() > 0
    assert straight.choose() == Flip(nodes[1], True)


def test_an_outcome_that_was_covered_meanwhile_is_not_offered() -> None:
    straight, _, nodes, coverage = straight_over(LINEAR_CONDITION)

    coverage.add(bit(nodes[0].site, True))

    assert straight.worth() == 0


def test_conditions_of_callees_are_worth_less() -> None:
    straight, _, nodes, coverage = straight_over(LINEAR_CONDITION)
    other = coverage.sites.add("if", "q.py", 1, 0, "g", "x")

    assert straight.value((nodes[0].site, True)) == 1.0
    assert straight.value((other, True)) == OF_A_CALLEE


def test_a_query_without_an_answer_makes_room_for_draws() -> None:
    sites = SiteTable()
    site = sites.add("if", "p.py", 1, 0, "f", "x")
    trace = Trace(
        {}, ((2 * site, LINEAR_CONDITION),), (), bit(site, False), Ending.RETURNED, None, (), 0, 0.0
    )
    coverage = Coverage(sites, tuple(sites.sites), (), scope="f", file="p.py")
    coverage.add(trace.covered)
    strategy = Priced(Guide(Random(0), coverage, parameters={"draws": 0}))
    tree = ExecutionTree()
    strategy.learn(Feedback(Sample(), "ran", trace, tree.add(trace), trace.covered))
    for _ in range(50):
        step = strategy.choose(tree)
        if isinstance(step, Flip):
            break
        strategy.learn(Feedback(Sample("fresh"), "ran", trace, running=0.001))
    assert isinstance(step, Flip)

    strategy.learn(Feedback(step, "unknown", solving=1.0))

    assert isinstance(strategy.choose(tree), Sample)


PROGRAM = """
def f(a: int, b: int, text: str) -> int:
    if a * 3 + b == 123456789:
        return 1
    if text.startswith("ab") and len(text) == 4:
        return 2
    return 3
"""


def test_draws_are_fresh_or_changed_as_the_step_says(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text(PROGRAM)
    options = options_from({"strategy": "priced", "max_runs": 300, "replay": False})
    exploration, phase = prepare(targets_of(str(file))[0], EveryBranch(), options)
    sources: Counter[str] = Counter()

    def hear(feedback: Feedback) -> None:
        step = feedback.step
        sources[step.source if isinstance(step, Sample) else "flip"] += 1

    status = exploration.explore(replace(phase, strategy=Overheard(phase.strategy, hear)))

    assert status in ("complete", "covered")
    assert {"fresh", "kept", "flip"} <= set(sources)
    kept = exploration.progress.kept[-1].trace.assignment
    exploration.progress.kept[:] = exploration.progress.kept[-1:]
    changed = [drawn(exploration.parts, exploration.progress, Sample("kept")) for _ in range(20)]
    fresh = [drawn(exploration.parts, exploration.progress, Sample("fresh")) for _ in range(20)]
    alike = [sum(each.get(name) == value for name, value in kept.items()) for each in changed]
    others = [sum(each.get(name) == value for name, value in kept.items()) for each in fresh]
    assert sum(alike) > sum(others)
