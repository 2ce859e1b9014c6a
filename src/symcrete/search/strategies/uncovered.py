"""Strategies that steer toward what nobody has covered, with the help of the control-flow graph."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from operator import itemgetter
from typing import TypeAlias

from symcrete.program.graph.distances import FAR, Distances
from symcrete.program.source.sites import Outcome
from symcrete.search.branches.frontier import Frontier, WeightedFrontier
from symcrete.search.strategies.by_chance import path_of
from symcrete.search.strategy import (
    Feedback,
    Flip,
    Guide,
    Procedure,
    Sample,
    Scripted,
    Search,
    new_nodes,
    untried,
)
from symcrete.tree.coverage import bit, outcomes
from symcrete.tree.tree import ExecutionTree, Node, Side


class CarFast(Scripted):
    """The branch of the last path whose other side is uncovered and has most statements depending
    on it; then one of the path to which that led.

    CarFast (Park et al., FSE 2012), as the authors of context-guided search have it: when no branch
    of the path will do it starts again from a random input; and where that takes a path known
    before, from any open branch.
    """

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._guide = guide
        self._last: Node | None = None  # the last branch of the last path
        self._paths = 0  # paths so far
        self._is_known = False  # whether the last path was known before
        self._done: set[int] = set()  # sites of which both sides are covered
        self._everywhere = Frontier()

    @cached_property
    def _dependents(self) -> dict[Outcome, int]:
        return self._guide.graph().dependents

    def procedure(self) -> Procedure:
        while True:
            while (yield from self._greedily()):
                pass
            yield Sample()
            if self._is_known and not self._wanted(self._last):
                yield self._everywhere.draw(self._guide.random) or Sample()

    def _greedily(self) -> Search:
        """Try the branches of the last path, best first; whether this led to another path."""
        before, flips = self._paths, self._wanted(self._last)
        flips.sort(key=lambda flip: -self._dependents.get((flip.node.site, flip.side), 0))
        for flip in flips:
            if flip.node.state[flip.side] is Side.OPEN:
                yield flip
                if self._paths > before:
                    return True
        return False

    def _wanted(self, node: Node | None) -> list[Flip]:
        """Flips to uncovered outcomes, at the branches of the path down to this one."""
        done, covered, found = self._done, self._guide.coverage.has, []
        while node is not None:
            if node.site not in done:
                flip = untried(node)
                if flip is not None and not covered(node.site, flip.side):
                    found.append(flip)
                elif covered(node.site, True) and covered(node.site, False):
                    done.add(node.site)
            node = node.parent
        return found[::-1]

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        if feedback.grown is None:
            return
        self._everywhere.add(feedback.grown.nodes)
        if feedback.new or feedback.result == "ran":
            self._last = feedback.grown.last
            self._paths += 1
            self._is_known = not feedback.grown.nodes


# the distance to anything uncovered, the outcome, the flip
Scored: TypeAlias = tuple[int, Outcome, Flip]


class CfgDirected(Scripted):
    """The branch of the last path with the shortest way, in the graph, to something uncovered.

    CREST's CfgHeuristicSearch (Burnim and Sen, ASE 2008). A round scores the branches of one path
    by the distance of their other side, plus one for each time the same branch came before, and
    forces them in that order; a flip that does not cover anything new is followed along the graph.
    A round with success is followed by one on the new path, any other by a restart from a random
    input, which also forgets what was covered (the exploration does not).
    """

    RUNS_PER_ROUND = 30
    FURTHEST = 100  # a longer way along the graph than any round has runs for

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._guide = guide
        self._random = guide.random
        self._runs_per_round = guide.parameter("runs", self.RUNS_PER_ROUND)
        self._covered = 0  # outcomes covered since the last restart
        self._path: list[Scored] = []  # the open branches
        self._runs = 0  # runs left in this round
        self._news = False  # whether the last step covered something new since the restart
        self._everywhere = Frontier()

    @cached_property
    def _distances(self) -> Distances:
        return distances_left(self._guide)

    def procedure(self) -> Procedure:
        while True:
            while (yield from self._round()):
                pass
            self._covered = 0
            self._distances.reset()
            yield Sample()
            if not any(flip.node.state[flip.side] is Side.OPEN for _, _, flip in self._path):
                yield self._everywhere.draw(self._random) or Sample()

    def _round(self) -> Search:
        """Force the branches of the last path, best first, until one brings something new; whether
        one did.
        """
        self._runs = self._runs_per_round
        for score, flip in self._best_first(self._path):
            if self._runs <= 0:
                return False
            if flip.node.state[flip.side] is Side.OPEN and (yield from self._force(flip, score)):
                return True
        return False

    def _best_first(self, path: list[Scored]) -> Iterator[tuple[int, Flip]]:
        """The flips of a path with their scores, lowest first and at random among equals; those
        with score 0 come at once.
        """
        times: dict[Outcome, int] = {}
        rest: list[tuple[int, Flip]] = []
        random = self._random.random
        for last in range(len(path) - 1, -1, -1):  # the list is shuffled on the way
            position = int(random() * (last + 1))
            distance, outcome, flip = drawn = path[position]
            path[position], path[last] = path[last], drawn
            seen = times.get(outcome, 0)
            times[outcome] = seen + 1
            score = distance + seen
            if score == 0:
                yield score, flip
            elif score <= FAR:  # the others are never tried
                rest.append((score, flip))
        rest.sort(key=itemgetter(0))
        yield from rest

    def _force(self, flip: Flip, reach: int) -> Search:
        """Take the other side of a branch and, if that brings nothing, go on along the graph;
        whether something new was covered.
        """
        feedback = yield flip
        assert feedback is not None
        self._runs -= feedback.trace is not None
        if self._news:
            return True
        if feedback.result != "ran":
            return False
        reach = min(reach, self.FURTHEST) - 1
        return (yield from self._along(flip.node.children[flip.side], reach))

    def _along(self, node: Node | None, reach: int) -> Search:
        """Force the next branches of the path as long as something uncovered is within reach;
        whether something new was covered.
        """
        if node is None:
            return False
        for side in self._random.sample((False, True), 2):
            if self._distances.of((node.site, side)) > reach:
                continue
            if node.state[side] is Side.OPEN:
                if (yield from self._force(Flip(node, side), reach)):
                    return True
            elif (yield from self._along(node.children[side], reach - 1)):
                return True
        return False

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        self._news = False
        if feedback.trace is None or feedback.grown is None:
            return
        self._everywhere.add(feedback.grown.nodes)
        new = feedback.trace.covered & self._guide.coverage.own_bits & ~self._covered
        self._news = bool(new)
        self._covered |= new
        self._distances.cover(outcomes(new))
        if new or isinstance(feedback.step, Sample):
            self._path = [
                (self._distances.of(outcome), outcome, flip)
                for flip in map(untried, path_of(feedback.grown))
                if flip is not None
                for outcome in ((flip.node.site, flip.side),)
            ]


class CovNew:
    """At random, favouring branches near uncovered code and runs that covered something of late.

    KLEE's nurs:covnew (Cadar, Dunbar and Engler, OSDI 2008): the weight is 1/d^2 + 1/i^2, where d
    is the distance to something uncovered and i counts instructions since the path last covered
    something new, less a thousand; here a branch stands for ten instructions.
    """

    GRACE = 100  # branches, which stand for KLEE's thousand instructions

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._grace = guide.parameter("grace", self.GRACE)
        self._open = WeightedFrontier(self._weight)
        self._since: dict[
            Node | None, int
        ] = {}  # branches since something new was covered; absent where nothing ever was

    @cached_property
    def _distances(self) -> Distances:
        return distances_left(self._guide)

    def choose(self, tree: ExecutionTree) -> Flip | None:
        return self._open.draw(self._guide.random)

    def _weight(self, flip: Flip) -> float:
        """Half of KLEE's weight, so that it is at most one; nothing once the side is settled."""
        node = flip.node
        if node.state[flip.side] is not Side.OPEN:
            return 0.0
        distance = 1 + self._distances.of((node.site, flip.side))
        since = self._since.get(node)
        recent = 0.0 if since is None else 1 / max(1, since - self._grace)
        return 0.5 * (1 / distance**2 + recent**2)  # the mean

    def learn(self, feedback: Feedback) -> None:
        if feedback.new:
            self._distances.cover(outcomes(feedback.new))
        for node in new_nodes(feedback):
            flip = untried(node)
            if flip is None:
                continue
            if feedback.new & bit(node.site, not flip.side):
                self._since[node] = 0
            elif node.parent in self._since:
                self._since[node] = self._since[node.parent] + 1
            self._open.add(flip)


def distances_left(guide: Guide) -> Distances:
    """The distances to the outcomes that are not covered so far."""
    distances = Distances(guide.graph(), guide.goals)
    distances.cover(each for each in guide.goals if guide.coverage.has(*each))
    return distances
