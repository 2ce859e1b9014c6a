"""Inputs whose results tell their paths apart: a discount of nothing shows no discount.

The plainest input of a path is often one with which every path gives the same, as a price of 0
does. Where the inputs decide the result, and another path has it too, other plain values are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from symcrete.clock import Moment
from symcrete.explore.minimise.minimise import Wanted, alike
from symcrete.explore.minimise.plain_texts import Roles
from symcrete.run.runner import Runner
from symcrete.run.trace import Trace
from symcrete.terms.evaluate import Assignment, first_broken

# numbers tried in place of others, since their products and fractions differ; chosen, not measured
TELLING = (10, 3, 100, 7, 50, 2)
MOST_RUNS_APART = 8  # for one input; chosen, not measured


def results_apart(
    runner: Runner, traces: Sequence[Trace], wanted: Sequence[Wanted], stop: Moment
) -> list[Trace]:
    """The runs. One whose result another has, too, is replaced by a run with a result of its own
    that ends alike and does what is wanted, if such a run is found by `stop`.
    """
    chosen = list(traces)
    counted = Counter([each.result for each in traces])
    with runner:
        for index, trace in enumerate(chosen):
            if not trace.result or counted[trace.result] < 2:
                continue
            others = {each.result for each in chosen if each is not trace} | {trace.result}
            for number, tried in enumerate(_telling(trace)):
                if number == MOST_RUNS_APART or stop.has_come:
                    break
                found = alike(runner, trace, tried, wanted[index])
                if found is not None and found.result and found.result not in others:
                    chosen[index] = found
                    break
    return chosen


def _telling(trace: Trace) -> Iterator[Assignment]:
    """Inputs on the same path with other numbers: all of them at once, then each alone."""
    roles = Roles(trace.assignment, trace.assumptions)
    numbers = [
        name
        for name, value in trace.assignment.items()
        if type(value) in (int, float)
        and name.replace(".", "").isidentifier()
        and roles.plainer(name, trace.assignment) is None
    ]
    conditions = (*trace.assumptions, *trace.bounds, *trace.conditions)
    for value in TELLING:
        for names in (numbers, *[[name] for name in numbers]):
            given: dict[str, Any] = {n: type(trace.assignment[n])(value) for n in names}
            tried = trace.assignment | given
            if names and first_broken(conditions, tried) is None:
                yield tried
