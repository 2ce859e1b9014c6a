"""Plain search and lazy expansion by turns, for the same branches: `--lazy` is not below plain.

What one of them covers is covered for both, and each goes on from the inputs that the other found.
The turn goes to the search that has gone without a find for less, so that one that stalls costs no
more than the longest stretch in which the other found nothing: what plain search alone covers in
some time, the race covers in that time and such a stretch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symcrete.explore.findings import Status
from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.phase import Phase
from symcrete.explore.loop.progress import Progress
from symcrete.search.strategy import Strategy
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

# the shortest turn, in seconds, and in runs where work is counted: enough for plain search to cover
# most small functions (benchmarks/lazy_parsers.py)
TURN_SECONDS = 0.3
TURN_RUNS = 100
# the share of what a search has spent without a find that its next turn takes, if that is longer:
# turns that grow cut fewer searches for an abstract path short; chosen, not measured
TURN_SHARE = 0.25


@dataclass(slots=True)
class Lane:
    """One of the searches, and what it has spent since its last find."""

    search: Exploration | LazyExploration
    strategy: Strategy
    first: tuple[Assignment, ...]  # inputs to begin the next turn with
    idle: float = 0.0  # seconds or runs since it found something
    finds: int = 0
    turns: int = 0
    is_done: bool = False  # nothing was left for it to try


class Race:
    """One target being explored in two ways by turns."""

    def __init__(self, plain: Exploration, lazy: LazyExploration, lazy_strategy: Strategy) -> None:
        self._plain, self._lazy = plain, lazy
        self._lazy_strategy = lazy_strategy
        self._lanes: tuple[Lane, ...] = ()

    @property
    def parts(self) -> Parts:
        return self._plain.parts

    @property
    def standing(self) -> Exploration | LazyExploration:
        """The search whose tree the report is about: the one that is whole, or else the plain."""
        lazily = self._lazy.proved_whole and not self._plain.proved_before_losses
        return self._lazy if lazily else self._plain

    @property
    def progress(self) -> Progress:
        return self.standing.progress

    @property
    def proved_whole(self) -> bool:
        return self.standing.proved_whole

    @property
    def proved_before_losses(self) -> bool:
        return self.standing.proved_before_losses

    @property
    def paths(self) -> int:
        return self.standing.paths

    def explore(self, phase: Phase) -> Status:
        """Explore by turns until the phase is over, one of the searches has covered everything, or
        neither has anything left to try; returns how it ended.
        """
        self._lanes = self._lanes or (
            Lane(self._plain, phase.strategy, phase.first),
            Lane(self._lazy, self._lazy_strategy, phase.first[:1]),
        )
        while not phase.over(self._plain.progress.runs):
            ready = [lane for lane in self._lanes if not lane.is_done]
            if not ready:
                return self._plain.ending()
            status = self._turn(min(ready, key=lambda lane: lane.idle), phase)
            if status != Status.BUDGET:
                return status
        return Status.COVERED if self.parts.coverage.complete else Status.BUDGET

    def _turn(self, lane: Lane, phase: Phase) -> Status:
        """Let one search go on for a turn; what it finds is handed to the other."""
        kept, spent = self._plain.progress.kept, self._meter(phase)
        before, least = len(kept), TURN_RUNS if phase.budget.counts_work else TURN_SECONDS
        most = max(least, TURN_SHARE * lane.idle)

        def over() -> bool:
            return phase.arrived() or spent() >= most

        status = lane.search.explore(
            replace(phase, strategy=lane.strategy, first=lane.first, arrived=over)
        )
        lane.first = ()
        lane.turns += 1
        lane.is_done = (
            status == Status.BUDGET and not over() and not phase.over(self._plain.progress.runs)
        )
        found = kept[before:]
        lane.finds += len(found)
        lane.idle = 0.0 if found else lane.idle + spent()
        for other in self._lanes:
            if other is not lane and found:
                other.first += tuple([each.trace.assignment for each in found])
                other.is_done = False
        return status

    def _meter(self, phase: Phase) -> Callable[[], float]:
        """Tells what was spent since now: runs where work is counted, else seconds."""
        progress, clock = self._plain.progress, self.parts.clock
        if phase.budget.counts_work:
            runs = progress.runs
            return lambda: progress.runs - runs
        began = clock()
        return lambda: clock() - began

    def draw_on(self, phase: Phase) -> None:
        self._plain.draw_on(phase)

    def notes(self) -> list[str]:
        """Sentences for the report: which search found what, and what was abstracted."""
        if not self._lanes or not self._lanes[1].turns:
            return ["plain search was done before any call was abstracted"]
        plain, lazy = [lane.finds for lane in self._lanes]
        said = f"inputs found by plain search: {plain}, with calls abstracted: {lazy}"
        return [said, *self._lazy.notes()]
