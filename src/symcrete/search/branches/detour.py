"""Detours: where no input takes a wanted side on this path, leave the path and come back to it.

The branches to leave at are those that speak of the same variables as the wanted condition: on
another side of one of them it may have a solution. A run that left usually ends elsewhere, so it is
led back: wherever it takes a side that the path did not take, the side that the path took is next.
That way `{"k": 32}`, whose two digits cannot be worth 1, becomes `{"k": 3'}`, `{"k": 3}}`,
`{"k": 3}` and `{"k": 1}`.
"""

from __future__ import annotations

from collections import deque

from symcrete.program.source.sites import Outcome
from symcrete.run.trace import Trace
from symcrete.search.strategy import Feedback, Flip
from symcrete.slotted import dataclass
from symcrete.terms.visit import names
from symcrete.tree.coverage import Coverage
from symcrete.tree.tree import Node, Side

MOST_EXITS = 16  # branches of one path to leave at, the nearest to the goal; chosen, not measured
MOST_FLIPS_BACK = 12  # flips to lead one run back to the path; chosen, not measured
MOST_TRIES = 60  # tries for one wanted outcome; chosen, not measured
# a query that takes longer counts as several tries; chosen, not measured
SECONDS_PER_ATTEMPT = 0.02


@dataclass(frozen=True, slots=True)
class Detour:
    """One flip on the way back to a goal."""

    flip: Flip
    goal: Outcome
    # outcomes of the path that was left, after the place where it was left, and both of the goal's
    # site; as in the events of a run
    route: frozenset[int]
    steps: int  # flips made so far to lead a run back


class Detours:
    """Flips that lead around a wanted side which has no solution where it was tried."""

    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage
        self._waiting: deque[Detour] = deque()
        self._tries: dict[Outcome, float] = {}  # by wanted outcome
        self._asked: Detour | None = None

    def choose(self) -> Flip | None:
        """The next flip on a detour to an outcome that is still wanted; None if there is none."""
        while self._waiting:
            found = self._waiting.popleft()
            flip = found.flip
            if not self._coverage.wants(*found.goal) or self._tries[found.goal] > MOST_TRIES:
                continue
            if flip.node.state[flip.side] is Side.OPEN:
                self._asked = found
                return flip
        return None

    def learn(self, feedback: Feedback) -> None:
        """Take in what a step brought: a run on a detour is led back, and detours are planned
        around a wanted side that is infeasible.
        """
        step = feedback.step
        asked, self._asked = self._asked, None
        if not isinstance(step, Flip):
            return
        outcome = (step.node.site, step.side)
        if asked is not None and asked.flip is step:
            self._tries[asked.goal] += 1 + feedback.solving / SECONDS_PER_ATTEMPT
            if feedback.trace is not None and asked.steps < MOST_FLIPS_BACK:
                self._lead_back(asked, feedback.trace)
        if feedback.result == "infeasible" and self._coverage.wants(*outcome):
            self._leave_before(step.node, outcome)

    def _leave_before(self, goal: Node, outcome: Outcome) -> None:
        """Plan detours around a side without a solution: at the path's branches over the same
        variables, the nearest first.
        """
        if self._tries.setdefault(outcome, 0) > MOST_TRIES:
            return
        wanted = names(goal.term)
        route = {2 * goal.site, 2 * goal.site + 1}
        turns = 0
        taken = goal.taken
        for node in goal.ancestors():
            if not wanted.isdisjoint(names(node.term)):
                detour = Detour(Flip(node, not taken), outcome, frozenset(route), 0)
                turns += self._left(detour)
                if turns == MOST_EXITS:
                    break
            route.add(2 * node.site + taken)
            taken = node.taken

    def _left(self, detour: Detour) -> bool:
        """Plan to leave the path here, or to go on from where an earlier run left; whether there
        is anything to plan.
        """
        node, side = detour.flip.node, detour.flip.side
        if node.state[side] is Side.OPEN:
            self._waiting.append(detour)
            return True
        below = node.children[side]
        return below is not None and self._lead_back(detour, below.trace)

    def _lead_back(self, detour: Detour, trace: Trace) -> bool:
        """Plan to flip the first branch that goes where the path did not, or the goal itself if it
        is met; whether there is one.

        Where an earlier run took the path's side, the way leads on along that run.
        """
        found: Flip | None = None
        node = detour.flip.node.children[detour.flip.side]
        # Where a term was lost a run may end before one that passed the same branches.
        while node is not None and node.depth < len(trace.events):
            code = trace.events[node.depth][0]
            side = bool(code & 1)
            if node.site == detour.goal[0] and node.state[detour.goal[1]] is Side.OPEN:
                found = Flip(node, detour.goal[1])
                break
            if found is None and code not in detour.route and code ^ 1 in detour.route:
                if node.state[not side] is Side.OPEN:
                    found = Flip(node, not side)
                elif node.children[not side] is not None:
                    side = not side
            node = node.children[side]
            trace = trace if node is None or side == code & 1 else node.trace
        if found is None:
            return False
        ahead = Detour(found, detour.goal, detour.route, detour.steps + 1)
        self._waiting.appendleft(ahead)
        return True
