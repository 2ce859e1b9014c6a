"""The default strategy: draws for queries without an answer, and less of what brings nothing."""

from __future__ import annotations

from random import Random

from symcrete.program.source.sites import SiteTable
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.strategies.auto import IN_A_ROW, SELDOM, Auto, Share
from symcrete.search.strategy import Feedback, Flip, Guide, Sample
from symcrete.terms.term import Sort, var
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import ExecutionTree


def a_run(sites: SiteTable) -> Trace:
    """It takes the false side of two conditions."""
    first = sites.add("if", "program.py", 1, 0, "f", "x")
    second = sites.add("if", "program.py", 2, 0, "f", "y")
    x, y = var("x", Sort.BOOL), var("y", Sort.BOOL)
    events = ((2 * first, x), (2 * second, y))
    covered = bit(first, False) | bit(second, False)
    given = {"x": False, "y": False}
    return Trace(given, events, (), covered, Ending.RETURNED, None, (), 0, 0.0)


def test_time_spent_in_vain_is_matched_by_draws() -> None:
    sites = SiteTable()
    trace = a_run(sites)
    coverage = Coverage(sites, tuple(sites.sites), ())
    strategy = Auto(Guide(Random(0), coverage, parameters={"draws": 0}))
    tree = ExecutionTree()
    coverage.add(trace.covered)
    strategy.learn(Feedback(Sample(), "ran", trace, tree.add(trace)))
    flip = strategy.choose(tree)
    assert isinstance(flip, Flip)

    strategy.learn(Feedback(flip, "unknown", solving=0.2))
    steps = []
    for _ in range(4):
        steps.append(type(strategy.choose(tree)))
        strategy.learn(Feedback(Sample(), "ran", running=0.02))

    assert steps == [Sample, Sample, Sample, Flip]


def turns(share: Share, steps: int) -> int:
    return sum(share.due() for _ in range(steps))


def test_what_brings_nothing_takes_its_turn_less_and_less() -> None:
    share = Share()
    often = turns(share, 2 * SELDOM)

    for _ in range(IN_A_ROW):
        share.learn(new=False)
    less = turns(share, 2 * SELDOM)
    for _ in range(100 * IN_A_ROW):
        share.learn(new=False)
    seldom = turns(share, 2 * SELDOM)

    assert (often, less, seldom) == (SELDOM, SELDOM // 2, 2)


def test_news_bring_back_its_turns() -> None:
    share = Share()
    for _ in range(100 * IN_A_ROW):
        share.learn(new=False)

    share.learn(new=True)

    assert turns(share, 2 * SELDOM) == SELDOM
