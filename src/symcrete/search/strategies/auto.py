"""The default strategy: cheap inputs while they bring something, then branches nobody covered.

Random runs cost tens of microseconds and a query hundreds, so the search starts with draws and
returns to a few of them whenever solving stalls. Among flips, one that leads straight to an
uncovered outcome comes first, those tried least before; where there is none, the order is that of
context-guided search. Some flips lead around a wanted side that was proved infeasible where it was
tried, and where news stays away the branches of short runs take turns; both and the draws become
rare where they bring nothing.

How it compares with the others: `docs/papers/strategies.md`, measured by `experiments/context.py`.
"""

from __future__ import annotations

import heapq
from collections import deque

from symcrete.program.source.sites import Outcome
from symcrete.search.branches.detour import Detours
from symcrete.search.strategies.late_contexts import LateContexts
from symcrete.search.strategy import Feedback, Flip, Guide, Sample, new_nodes, untried
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import ExecutionTree, Node, Side

# Random runs before the first flip: a run costs tens of microseconds, a query hundreds; their
# number is chosen, not measured.
FIRST_DRAWS = 24
# Flips in a row that covered nothing new, after which inputs are drawn again; and how many, half as
# many each time they bring nothing, but never fewer than FEWEST_DRAWS. With draws and detours for
# what is stuck, email's date parser went from 17 of 62 branches to 50 in 10 s.
FLIPS_WITHOUT_NEWS = 20
DRAWS_WHEN_STUCK = 12
FEWEST_DRAWS = 3
# Tries that an outcome counts with from the start, so that branches of the target itself come
# first, then the errors of its operations, then what is in the functions it calls.
ERRORS_LATER = 2
CALLEES_LATER = 4
# a query that takes longer than this counts as several tries; chosen, not measured
SECONDS_PER_TRY = 0.1
# tries of the straight way to an outcome before other paths are tried in turn
TRIES_BEFORE_DETOURS = 1
# A kind of flip that brought nothing IN_A_ROW times takes its turn half as often, but still once in
# SELDOM; chosen, not measured.
IN_A_ROW = 6
SELDOM = 16
# seconds of random draws per second of queries that gave up; chosen, not measured
DRAW_SHARE = 0.25


class Auto:
    """Draws, then outcomes nobody covered, then branches in new contexts."""

    def __init__(self, guide: Guide) -> None:
        self._coverage = guide.coverage
        self._draws = guide.parameter("draws", FIRST_DRAWS)
        self._most = self._when_stuck = guide.parameter("draws-when-stuck", DRAWS_WHEN_STUCK)
        self._promising = Promising(guide.coverage)
        self._contexts = LateContexts(guide)
        self._quiet = 0.0  # flips since something new was covered, a long query counted as several
        self._owed = 0.0  # seconds of draws still to be spent, for queries that gave up
        self._straight = True  # whether the last flip was to go straight to an uncovered outcome
        self._detours = Detours(guide.coverage)
        self._around = Share()  # flips on a detour, while there is one
        self._small = Share()  # branches of short runs, where no flip has a goal
        self._turn: Share | None = None  # whose turn the step under way is

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        if self._draws > 0:
            self._draws -= 1
            return Sample()
        if self._owed > 0 and self._coverage.wanted:
            return Sample()
        if self._around.due():
            flip = self._detours.choose()
            if flip is not None:
                self._turn = self._around
                return flip
        if self._quiet > FLIPS_WITHOUT_NEWS and self._coverage.wanted:
            self._quiet = 0
            self._draws = self._when_stuck
            self._when_stuck = min(self._most, max(FEWEST_DRAWS, self._when_stuck // 2))
        # An outcome tried often in vain may need another path first: every other flip is for one of
        # those.
        self._straight = not self._straight or self._promising.fewest_tries <= TRIES_BEFORE_DETOURS
        if self._straight:
            return self._promising.choose() or self._in_context(tree) or Sample()
        return self._in_context(tree) or self._promising.choose() or Sample()

    def _in_context(self, tree: ExecutionTree) -> Flip | Sample | None:
        if self._quiet > FLIPS_WITHOUT_NEWS // 2 and self._small.due():
            flip = self._contexts.of_short_runs()
            if flip is not None:
                self._turn = self._small
                return flip
        return self._contexts.in_context(tree)

    def learn(self, feedback: Feedback) -> None:
        self._detours.learn(feedback)
        if feedback.result == "unknown":
            self._owed += DRAW_SHARE * feedback.solving
        elif self._owed > 0 and isinstance(feedback.step, Sample):
            self._owed -= feedback.running
        if self._turn is not None:
            self._turn.learn(bool(feedback.new))
            self._turn = None
        if feedback.new and isinstance(feedback.step, Sample):
            self._when_stuck = min(self._most, 2 * self._when_stuck)
        tries = feedback.solving / SECONDS_PER_TRY + isinstance(feedback.step, Flip)
        self._quiet = 0 if feedback.new else self._quiet + tries
        if isinstance(feedback.step, Flip):
            step = feedback.step
            self._promising.took((step.node.site, step.side), feedback.solving)
        nodes = new_nodes(feedback)
        self._contexts.add(nodes)
        for node in nodes:
            flip = untried(node)
            if flip is not None:
                self._promising.add((node.site, flip.side), node)


class Share:
    """How often a kind of flip takes its turn: every other time, and more seldom the longer it
    brings nothing.
    """

    def __init__(self) -> None:
        self._every = 2
        self._since = self._in_vain = 0

    def due(self) -> bool:
        """Whether it is its turn now."""
        self._since = (self._since + 1) % self._every
        return self._since == 0

    def learn(self, new: bool) -> None:
        """Take in whether the last turn brought something new."""
        self._in_vain = 0 if new else self._in_vain + 1
        if new:
            self._every = 2
        elif self._in_vain % IN_A_ROW == 0:
            self._every = min(SELDOM, 2 * self._every)


class Promising:
    """Flips whose outcome nobody has covered: the outcome tried least, its oldest branch first."""

    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage
        self._branches: dict[Outcome, deque[Node]] = {}
        self._tries: dict[Outcome, float] = {}
        self._ranked: list[tuple[float, int, Outcome]] = []  # each outcome with branches once
        self._count = 0

    def add(self, outcome: Outcome, node: Node) -> None:
        """Take in a branch that leads to an outcome, unless that is covered."""
        if self._coverage.has(*outcome):
            return
        if outcome not in self._branches:
            self._branches[outcome] = deque()
            self._tries.setdefault(outcome, self._handicap(outcome))
            self._rank(outcome)
        self._branches[outcome].append(node)

    @property
    def fewest_tries(self) -> float:
        """The tries of the outcome that was tried least; 0 if there is none."""
        return self._ranked[0][0] if self._ranked else 0

    def choose(self) -> Flip | None:
        """The next flip to an uncovered outcome; None if no open branch leads to one."""
        while self._ranked:
            tries, _, outcome = heapq.heappop(self._ranked)
            if tries < self._tries[outcome]:  # its last query took long
                self._rank(outcome)
                continue
            nodes = self._branches[outcome]
            while nodes and nodes[0].state[outcome[1]] is not Side.OPEN:
                nodes.popleft()
            if not nodes or self._coverage.has(*outcome):
                del self._branches[outcome]
                continue
            self._tries[outcome] += 1
            self._rank(outcome)
            return Flip(nodes.popleft(), outcome[1])
        return None

    def _handicap(self, outcome: Outcome) -> float:
        """The tries that an outcome counts with at first, so that others come before it."""
        if self._coverage.wants(*outcome):
            return 0
        return ERRORS_LATER if self._coverage.counts(bit(*outcome)) else CALLEES_LATER

    def took(self, outcome: Outcome, seconds: float) -> None:
        """Count a long query for an outcome as several tries."""
        if outcome in self._tries:
            self._tries[outcome] += seconds / SECONDS_PER_TRY

    def _rank(self, outcome: Outcome) -> None:
        self._count += 1
        heapq.heappush(self._ranked, (self._tries[outcome], self._count, outcome))
