"""The forward phase of `reach`: runs without terms and runs that are followed, in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from symcrete.clock import Clock, Moment, after_work
from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.nearby_constants import nearby_pool
from symcrete.explore.loop.phase import Budget, Phase
from symcrete.explore.loop.scout import Scout
from symcrete.explore.reach.reached import Goal
from symcrete.program.graph.distances import DistancesTo
from symcrete.program.graph.icfg import program_graph
from symcrete.run.trace import Trace
from symcrete.run.watch_line import LineWatch
from symcrete.search.strategies.combine import Interleave, Noting
from symcrete.search.strategies.toward import Toward
from symcrete.search.strategy import Strategy
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import bit

# of the budget, for runs without terms before anything else; chosen, not measured
SCOUTING_SHARE = 0.1
LOOKING_SHARE = 0.2  # of the budget, for exploring before the backward search; chosen, not measured
# of the budget, for a round of exploring or scouting, which take turns; chosen, not measured
ROUND_SHARE = 0.08
MOST_SCOUTED = 1_000_000  # runs without terms in one go, more than any budget allows
MOST_SCOUTED_STARTS = 12  # inputs that scouting hands on at a time; chosen, not measured


@dataclass(slots=True)
class ForwardPhase:
    """The forward search of one quest; `accept` is given a run that came to the goal, and says
    whether it is confirmed.
    """

    goal: Goal
    exploration: Exploration | LazyExploration
    whole: Phase  # the phase that prepare() made
    began: float
    accept: Callable[[Trace], bool]
    # runs an input with terms and says whether it is accepted
    attempt: Callable[[Assignment], bool]
    outcomes: frozenset[tuple[int, bool]]  # the outcomes of the branch whose side is wanted
    found: bool = False
    _noting: Noting = field(init=False)
    _seconds: float = 0.0  # seconds of the budget for all phases
    _starts: tuple[Assignment, ...] = ()  # inputs found by scouting, to be followed
    _scout: Scout | None = None
    _distances: DistancesTo | None = None

    def __post_init__(self) -> None:
        self._noting = Noting(self.whole.strategy)

    @property
    def _clock(self) -> Clock:
        return self.exploration.parts.clock

    @property
    def _watch(self) -> LineWatch:
        watch = self.exploration.parts.watch
        assert watch is not None, "a quest is for a line"
        return watch

    def look_around(self, seconds: float, *, follow: bool) -> bool:
        """Look for inputs that are easily found: many cheap runs and, with `follow`, a short
        exploration; whether one was found.

        All phases together have this many seconds.
        """
        self._seconds = seconds
        if isinstance(self.exploration, LazyExploration):
            return False
        if not self._scouted(SCOUTING_SHARE) and follow:
            self._explored(self._noting, LOOKING_SHARE)
        return self.found

    def attack(self, seconds: float) -> bool:
        """Run inputs without terms for these seconds; whether one of them reached the goal."""
        if isinstance(self.exploration, LazyExploration):
            return False
        self._seconds = max(self._seconds, self._clock() - self.began + seconds)
        return self._scouted(seconds / self._seconds, after_work(seconds, self._clock))

    def search(self, seconds: float) -> bool:
        """Search until these seconds are spent; whether every path was explored without success."""
        exploration, self._seconds = self.exploration, seconds
        toward = Toward(self._known_distances())
        for lesson in self._noting.lessons:
            toward.learn(lesson)
        # Distances mislead where a value must be built up first: then news of any kind helps.
        strategy = Interleave([toward, self._noting])
        if isinstance(exploration, LazyExploration):
            self._lazily(strategy)
            # abstract paths that do not lead to the line were not realised: nothing is proved
            return False
        budget = self._budget(1.0)
        while not self.found and not budget.spent(exploration.progress.runs):
            settled = self._explored(strategy, ROUND_SHARE)
            if self.found or exploration.proved_whole:
                break
            self._scouted(1.0 if settled else ROUND_SHARE)
        return not self.found and exploration.proved_whole

    # -- runs without terms

    def _scouted(self, share: float, until: Moment | None = None) -> bool:
        """Run inputs without terms for this share of the budget; whether one was found. Where runs
        are not counted, `until` takes the place of the share.
        """
        progress, scout = self.exploration.progress, self._ready_scout()
        most, before = self.whole.budget.max_runs, scout.runs
        for kept in progress.kept:
            scout.learn(kept.trace.assignment, kept.trace.covered)
        if most is None:
            until = until or Moment(self._until(share), self._clock)
            scout.search(self._came_there, until, MOST_SCOUTED)
        else:
            some = min(int(most * share) + 1, most - progress.runs)
            scout.search(self._came_there, Moment(), some)
            progress.ran(runs=scout.runs - before)
        if not self.found:
            self._starts = tuple(scout.news(MOST_SCOUTED_STARTS))
        return self.found

    def _ready_scout(self) -> Scout:
        if self._scout is None:
            parts = self.exploration.parts
            function, target = parts.runner.function, parts.target
            names = getattr(function, "func", function).__globals__
            self._scout = Scout(
                parts.runner,
                parts.arguments,
                parts.pool,
                parts.random,
                nearby=lambda: nearby_pool(target.source, target.scope, names, parts.pool),
                distances=lambda: self._known_distances().of,
            )
        return self._scout

    def _came_there(self, assignment: Assignment, covered: int) -> bool:
        """Whether the run that just ended came to the goal."""
        watch, goal = self._watch, self.goal
        if not watch.seen or not goal.is_raised(watch.raised):
            return False
        if goal.side is not None and not any(covered & bit(*each) for each in self.outcomes):
            return False
        self.found = self.attempt(assignment)
        return self.found

    # -- runs that are followed

    def _explored(self, strategy: Strategy, share: float) -> bool:
        """Explore for this share of the budget; whether nothing was left to try before it was
        spent.
        """
        phase = self._phase(strategy, share)
        self.exploration.explore(phase)
        self._arrived()
        return not phase.budget.spent(self.exploration.progress.runs)

    def _phase(self, strategy: Strategy, share: float) -> Phase:
        first = (self.whole.first[0], *self._starts)
        return replace(
            self.whole,
            budget=self._budget(share),
            strategy=strategy,
            first=first,
            whole_tree=True,
            arrived=self._arrived,
        )

    def _budget(self, share: float) -> Budget:
        """This share of the whole budget, in seconds or in runs."""
        runs, most = self.exploration.progress.runs, self.whole.budget.max_runs
        if most is not None:
            most = min(most, runs + int(most * share) + 1)
        return replace(self.whole.budget, deadline=self._until(share), max_runs=most)

    def _lazily(self, strategy: Strategy) -> None:
        """Explore lazily; only paths that lead to the goal are realised, if it is in the function
        itself and not in a callee.
        """
        phase = self._phase(strategy, 1.0)
        within = self.goal.place.scope == self.exploration.parts.target.scope
        if within and self.goal.error is None:
            phase = replace(phase, worth_realising=self._leads_there)
        self.exploration.explore(phase)
        self._arrived()

    def _leads_there(self, trace: Trace) -> bool:
        """Whether the abstract run that just ended leads to the goal."""
        if self.goal.side is None:
            return self._watch.seen
        return any(trace.covered & bit(*each) for each in self.outcomes)

    def _arrived(self) -> bool:
        if not self.found:
            trace = self._watch.take()
            self.found = trace is not None and self.accept(trace)
        return self.found

    # -- how far, how long

    def _known_distances(self) -> DistancesTo:
        if self._distances is None:
            parts = self.exploration.parts
            files, sites = parts.imported.rewritten.files, parts.imported.rewritten.sites
            place, file = self.goal.place, str(self.goal.place.source.file)
            graph = program_graph(files, sites, file, parts.target.scope)
            # A line in the middle of a statement is no point of the graph.
            goals = graph.at_line(file, place.line) or graph.at_line(file, place.statement)
            self._distances = DistancesTo(graph, goals)
        return self._distances

    def _until(self, share: float) -> float:
        now = self._clock()
        return min(now + self._seconds * share, self.began + self._seconds)
