"""The forward phase of `reach`: runs without terms and runs that are followed, in turn."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.loop.constants import nearby_pool
from symcrete.explore.loop.loop import Budget, Exploration
from symcrete.explore.loop.scout import Scout
from symcrete.explore.options import Options
from symcrete.explore.reach.reached import Goal
from symcrete.explore.rewritten import World
from symcrete.program.graph.distances import DistancesTo
from symcrete.program.graph.icfg import program_graph
from symcrete.program.source.target import Target
from symcrete.run.trace import Trace
from symcrete.run.watch_line import WatchedRunner
from symcrete.search.strategies.combine import Interleave, Noting
from symcrete.search.strategies.toward import Toward
from symcrete.search.strategy import Strategy
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import bit

SCOUTING_SHARE = 0.1  # of the budget, for runs without terms before anything else
LOOKING_SHARE = 0.2  # of the budget, for exploring before the backward search
ROUND_SHARE = 0.08  # of the budget, for exploring and scouting in turn
MOST_SCOUTED = 1_000_000
MOST_STARTS = 12  # inputs that scouting hands on at a time


@dataclass(frozen=True, slots=True)
class _UntilArrived(Budget):
    """Lazy search asks between all of its runs."""

    arrived: Callable[[], bool] = lambda: False

    def spent(self, runs: int) -> bool:
        return self.arrived() or Budget.spent(self, runs)


@dataclass(slots=True)
class ForwardPhase:
    """`accept` is given a run that did what is wanted, and says whether it is confirmed."""

    goal: Goal
    target: Target
    options: Options
    exploration: Exploration
    world: World
    runner: WatchedRunner
    began: float
    accept: Callable[[Trace], bool]
    attempt: Callable[[Assignment], bool]  # follows an input and accepts it
    outcomes: frozenset[tuple[int, bool]]  # of the branch whose side is wanted
    found: bool = False
    _noting: Noting = field(init=False)
    _scout: Scout | None = None
    _distances: DistancesTo | None = None

    def __post_init__(self) -> None:
        self._noting = Noting(self.exploration.strategy)

    def look_around(self, *, follow: bool) -> bool:
        """What is easy to come by needs no search: many cheap runs, then a few to `follow`."""
        if isinstance(self.exploration, LazyExploration):
            return False
        if not self._scouted(SCOUTING_SHARE) and follow:
            self._explored(self._noting, LOOKING_SHARE)
        return self.found

    def search(self) -> bool:
        """Until the budget is spent; whether every path was explored without success."""
        exploration = self.exploration
        toward = Toward(self._known_distances())
        for lesson in self._noting.lessons:
            toward.learn(lesson)
        # Distances mislead where a value must be built up first: then news of any kind helps.
        strategy = Interleave([toward, self._noting])
        if isinstance(exploration, LazyExploration):
            self._lazily(exploration, strategy)
            return False  # abstract paths that do not lead to the line were left alone
        while not self.found and not exploration.budget.spent(exploration.runs):
            settled = self._explored(strategy, ROUND_SHARE)
            if self.found or exploration.proved_whole:
                break
            self._scouted(1.0 if settled else ROUND_SHARE)
        return not self.found and exploration.proved_whole

    # -- runs without terms

    def _scouted(self, share: float) -> bool:
        """Try inputs for this share of the budget."""
        exploration, scout = self.exploration, self._ready_scout()
        whole, before = exploration.budget, scout.runs
        for kept in exploration.kept:
            scout.learn(kept.trace.assignment, kept.trace.covered)
        if whole.max_runs is None:
            scout.search(self._came_there, self._until(share), MOST_SCOUTED)
        else:
            most = min(int(whole.max_runs * share) + 1, whole.max_runs - exploration.runs)
            scout.search(self._came_there, math.inf, most)
            exploration.runs += scout.runs - before
        if not self.found:
            exploration.starts = scout.news(MOST_STARTS)
        return self.found

    def _ready_scout(self) -> Scout:
        if self._scout is None:
            function, exploration = self.runner.function, self.exploration
            names = getattr(function, "func", function).__globals__
            source, scope = self.target.source, self.target.scope
            self._scout = Scout(
                self.runner,
                exploration.arguments,
                exploration.pool,
                exploration.random,
                nearby=lambda: nearby_pool(source, scope, names, exploration.pool),
                distances=lambda: self._known_distances().of,
            )
        return self._scout

    def _came_there(self, assignment: Assignment, covered: int) -> bool:
        """Of the run that just ended."""
        watch, goal = self.runner.watch, self.goal
        if not watch.seen or (goal.error is not None and goal.error not in watch.raised):
            return False
        if goal.side is not None and not any(covered & bit(*each) for each in self.outcomes):
            return False
        self.found = self.attempt(assignment)
        return self.found

    # -- runs that are followed

    def _explored(self, strategy: Strategy, share: float) -> bool:
        """Explore for this share of the budget; whether nothing was left to try before."""
        exploration, whole = self.exploration, self.exploration.budget
        runs = whole.max_runs
        if runs is not None:
            runs = min(runs, exploration.runs + int(runs * share) + 1)
        part = replace(whole, deadline=self._until(share), max_runs=runs)
        exploration.budget = part
        exploration.strategy = strategy
        exploration.arrived = self._arrived
        exploration.whole_tree = True
        exploration.explore()
        exploration.budget = whole
        self._arrived()
        return not part.spent(exploration.runs)

    def _lazily(self, exploration: LazyExploration, strategy: Strategy) -> None:
        """Realise only what leads to the goal, if the function itself and no callee holds it."""
        budget = exploration.budget
        exploration.budget = _UntilArrived(budget.deadline, budget.max_runs, self._arrived)
        if self.goal.place.scope == self.target.scope and self.goal.error is None:
            exploration.wanted = self._leads_there
        self._explored(strategy, 1.0)

    def _leads_there(self, trace: Trace) -> bool:
        """Of the abstract run that just ended."""
        if self.goal.side is None:
            return self.runner.watch.seen
        return any(trace.covered & bit(*each) for each in self.outcomes)

    def _arrived(self) -> bool:
        if not self.found:
            trace, self.runner.reached = self.runner.reached, None
            self.found = trace is not None and self.accept(trace)
        return self.found

    # -- how far, how long

    def _known_distances(self) -> DistancesTo:
        if self._distances is None:
            files, sites = self.world.rewritten.files, self.world.rewritten.sites
            place, file = self.goal.place, str(self.goal.place.source.file)
            graph = program_graph(files, sites, file, self.target.scope)
            # A line in the middle of a statement is no point of the graph.
            goals = graph.at_line(file, place.line) or graph.at_line(file, place.statement)
            self._distances = DistancesTo(graph, goals)
        return self._distances

    def _until(self, share: float) -> float:
        now = time.perf_counter()
        return min(now + self.options.budget * share, self.began + self.options.budget)
