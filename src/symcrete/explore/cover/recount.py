"""Count what the inputs of a report really cover: those that were confirmed, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from symcrete.explore.cover.plan import Plan
from symcrete.explore.findings import FoundInput, Spot, Status, Tally, TargetReport

UNCONFIRMED = "an input was found for it, but its replay was not seen to take this side"
REFUTED = "all paths of runs were taken, but a replay took another one"
EXHAUSTED = "tree exhausted"  # the reason of a proof that stands on runs
TOO_LATE = "an input was found for it, but too late to be replayed"
UNWRITTEN = "an input was found for it that cannot be written as Python"


def recounted(
    report: TargetReport, plan: Plan, reason: Callable[[str], str] = lambda name: UNCONFIRMED
) -> TargetReport:
    """The report with its tallies counted from its inputs; `reason` says, by name, why a side is
    open of which the report says nothing.
    """
    taken = sides_of(report.inputs)
    infeasible = tuple([spot for spot in report.infeasible if spot.key not in taken])
    impossible = {spot.key for spot in infeasible}
    known = {spot.key: spot for spot in report.open}
    if _refuted(plan, taken | impossible | set(known), reason):
        doubtful = [spot for spot in infeasible if spot.proof == EXHAUSTED]
        known |= {
            spot.key: replace(spot, reason=REFUTED, proof="", assumes=()) for spot in doubtful
        }
        infeasible = tuple([spot for spot in infeasible if spot.proof != EXHAUSTED])
        impossible = {spot.key for spot in infeasible}
    left = [
        known.get(spot.key) or replace(spot, reason=reason(spot.key))
        for spot in plan.conditions
        if spot.key not in taken and spot.key not in impossible
    ]
    covered = sum(spot.key in taken for spot in plan.conditions)
    branches = Tally(
        len(plan.branches),
        sum(bool(names & taken) for names in plan.branches),
        sum(names <= impossible for names in plan.branches),
    )
    return replace(
        report,
        inputs=tuple(_with_news(report.inputs, plan)),
        status=_status(report.status, left),
        branches=branches,
        conditions=Tally(len(plan.conditions), covered, len(impossible)),
        open=tuple(left),
        infeasible=infeasible,
    )


def _refuted(plan: Plan, told: set[str], reason: Callable[[str], str]) -> bool:
    """Whether a replay did not take a side that a run took: then the runs are not the program's,
    and a tree made of them proves nothing.
    """
    return any(reason(spot.key) == UNCONFIRMED for spot in plan.conditions if spot.key not in told)


def _with_news(inputs: Iterable[FoundInput], plan: Plan) -> Iterator[FoundInput]:
    """Each input with the outcomes that none before it takes."""
    seen: set[str] = set()
    spots = {spot.key: spot for spot in plan.conditions}
    for each in inputs:
        hidden = [spot for spot in each.covers if spot.key not in spots]  # errors of operations
        news = [spot for name, spot in spots.items() if name in each.sides and name not in seen]
        seen |= each.sides
        yield replace(each, covers=(*news, *hidden))


def _status(status: Status, left: list[Spot]) -> Status:
    return Status.BUDGET if left and status in (Status.COMPLETE, Status.COVERED) else status


def sides_of(inputs: Iterable[FoundInput]) -> set[str]:
    """Names of the outcomes that these inputs take."""
    return {name for each in inputs for name in each.sides}


def those_that_add(inputs: Iterable[FoundInput], taken: set[str]) -> list[FoundInput]:
    """The inputs that take a side which neither `taken` has nor an input before them."""
    found = []
    taken = set(taken)
    for each in inputs:
        if not each.sides <= taken:
            taken |= each.sides
            found.append(each)
    return found
