"""The default strategy draws inputs for queries that took long and brought no answer."""

from __future__ import annotations

from random import Random

from symcrete.program.sites import SiteTable
from symcrete.run.trace import Trace
from symcrete.search.auto import Auto
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
    return Trace(given, events, (), covered, "returned", None, (), 0, 0.0)


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
