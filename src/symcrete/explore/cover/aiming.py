"""Solve for what branches do not ask for: edges of comparisons, each kind of result, conditions
that decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcrete.constraint.path import PathConstraint
from symcrete.explore.cover.aims import TRUTHS, Aim, Aims, Edge
from symcrete.explore.cover.misuse import misuse, other_truth
from symcrete.explore.loop.loop import Exploration, Explored
from symcrete.explore.loop.phase import Phase
from symcrete.explore.options import Options
from symcrete.run.trace import Trace
from symcrete.search.strategy import Sample
from symcrete.slotted import dataclass
from symcrete.solve.solver import Sat
from symcrete.terms.logic import negate

# for one target: edges are cheap, as the way to them is known to be feasible; chosen, not measured
MOST_QUERIES = 60
# queries for one edge, each on another way to its comparison; chosen, not measured
TRIES_PER_EDGE = 2
# branches that are flipped to see a function return the other truth; chosen, not measured
MOST_WAYS_LEFT = 6
AIMING_SHARE = 0.2  # of the budget, at most; chosen, not measured


@dataclass(slots=True)
class _Aiming:
    """The search for runs that meet the aims of one target."""

    exploration: Exploration
    phase: Phase
    aims: Aims
    until: float
    queries: int = 0

    def aim(self) -> None:
        """Add runs that meet what no kept run does."""
        progress = self.exploration.progress
        met: set[Aim] = set()
        for kept in progress.kept:
            met |= self.aims.met(kept.trace, met)
        for trace in [kept.trace for kept in progress.kept]:
            other = self.aims.other_result(trace, met)
            if other is not None:
                self._try(trace, len(trace.events), Edge("another result", other), met)
        self._other_truth(met)
        tries: dict[Aim, int] = {}
        for trace, depth, edge in self._edges(met):
            if edge.aim in met or tries.get(edge.aim, 0) >= TRIES_PER_EDGE:
                continue
            if self.queries >= MOST_QUERIES or self._late():
                return
            tries[edge.aim] = tries.get(edge.aim, 0) + 1
            self._try(trace, depth, edge, met)

    def _other_truth(self, met: set[Aim]) -> None:
        """Where all runs returned the same truth, flip branches of kept runs, from the last back,
        until a run returns the other: it may hang on whether a variable is set, for example.
        """
        seen = met & TRUTHS
        if len(seen) != 1:
            return
        ways = [kept.trace for kept in self.exploration.progress.kept]
        last = [(way, depth) for way in ways for depth in range(len(way.events) - 1, -1, -1)]
        for way, depth in last[:MOST_WAYS_LEFT]:
            code, term = way.events[depth]
            flipped = Edge("another result", negate(term) if code & 1 else term)
            found = self._try(way, depth, flipped, met)
            other = self.aims.other_result(found, met) if found is not None else None
            if found is not None and other is not None:
                self._try(found, len(found.events), Edge("another result", other), met)
            if met >= TRUTHS or self.queries >= MOST_QUERIES or self._late():
                return

    def _edges(self, met: set[Aim]) -> Iterator[tuple[Trace, int, Edge]]:
        """The edges on the ways of kept runs that are not met; runs that are kept meanwhile add
        theirs.
        """
        kept, index = self.exploration.progress.kept, 0
        while index < len(kept):
            trace = kept[index].trace
            for depth, edge in self.aims.edges(trace, met):
                yield trace, depth, edge
            index += 1

    def _late(self) -> bool:
        budget, progress = self.phase.budget, self.exploration.progress
        if budget.counts_work:
            return budget.spent(progress.runs)
        return self.exploration.parts.clock() >= self.until

    def _try(self, trace: Trace, depth: int, edge: Edge, met: set[Aim]) -> Trace | None:
        """The run of an input that is solved for: it takes the first `depth` branches of a run and
        meets an edge there. It is kept if it meets anything new; None if no input was found.
        """
        self.queries += 1
        prefix = trace.assumptions + trace.bounds + trace.held(depth)
        progress = self.exploration.progress
        try:
            constraint = PathConstraint(prefix, edge.condition)
            answer = progress.solver.solve(constraint, trace.assignment)
        except Exception as error:
            progress.fail(error)
            return None
        if not isinstance(answer, Sat):
            return None
        kept = len(progress.kept)
        found, seconds = self.exploration.run(answer.assignment)
        self.exploration.learn(Sample(), found, self.phase, running=seconds)
        new = self.aims.met(found, met)
        if new and len(progress.kept) == kept:
            self.exploration.keep(found, 0)
        met |= new
        self._go_on(found, depth, edge, met)
        return found

    def _go_on(self, trace: Trace, depth: int, edge: Edge, met: set[Aim]) -> None:
        """Where the run made for a condition that should decide has it hidden again, by a later
        condition, solve for the other side of that one.
        """
        if not isinstance(edge.aim[-1], bool) or edge.aim in met or self.queries >= MOST_QUERIES:
            return
        for later, again in self.aims.edges(trace, met):
            if again.aim == edge.aim and later > depth and not self._late():
                self._try(trace, later, again, met)
                return


def aim_beyond_branches(found: Explored, phase: Phase, options: Options, aims: Aims) -> None:
    """Look for inputs on the edges of comparisons and for each kind of result, with what is left of
    the budget; then for values that the program refuses.
    """
    if options.paths or phase.whole_tree:
        return
    if isinstance(found, Exploration):
        _aim(found, phase, options, aims)
    misuse(found, options)
    other_truth(found, options)


def _aim(found: Exploration, phase: Phase, options: Options, aims: Aims) -> None:
    parts, progress = found.parts, found.progress
    if phase.budget.spent(progress.runs) or not progress.kept:
        return
    until = min(phase.budget.deadline, parts.clock() + AIMING_SHARE * options.budget)
    with parts.runner:
        _Aiming(found, phase, aims, until).aim()
