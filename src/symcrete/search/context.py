"""Strategies that look at how an execution came to a branch."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

from symcrete.search.strategy import (
    Feedback,
    Flip,
    Guide,
    Sample,
    new_nodes,
    untried,
)
from symcrete.terms.term import Term
from symcrete.tree.tree import ExecutionTree, Node


class ContextGuided:
    """Flip a branch in the contexts in which it has not been flipped: context-guided search.

    Algorithm 2 of Seo and Kim (FSE 2014). The k-context of a branch is the branch and the k-1
    before it that do not dominate it. The tree is walked from the top, depth by depth and at random
    within a depth; a branch whose k-context was selected before is skipped; then k grows.

    Branches that no longer context will tell from others come last, those nearest the root first.
    """

    first_k = 1
    increasing = True
    without_dominators = True

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._k = guide.parameter("k", self.first_k)
        self._cache: set[Context] = set()  # k-contexts selected
        self._depth = -1  # where this walk is
        self._level: list[Entry] = []  # there, one for each new context
        self._ahead: list[list[Entry]] = []  # by depth, what this walk still comes to
        self._skipped: list[list[Entry]] = []  # by depth, for the next walk
        self._alike: list[tuple[int, float, Node]] = []
        self._irrelevant: dict[int, Mapping[int, bool]] = {}  # to each branch

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._level or self._go_on():
            entry = _drawn(self._level, self._guide.random)
            flip = untried(entry[1])
            if flip is not None:
                self._cache.add(entry[0][: self._k])
                return flip
        while self._alike:
            flip = untried(self._alike[0][2])
            if flip is not None:
                return flip
            heapq.heappop(self._alike)
        return None

    def _go_on(self) -> bool:
        """To the next depth with a new context; False when no branch is left to tell apart."""
        while not self._level:
            self._depth += 1
            if self._depth < len(self._ahead):
                self._level = self._new_ones(self._ahead[self._depth])
            elif any(self._skipped):
                self._ahead, self._skipped, self._depth = self._skipped, [], -1
                self._k += self.increasing
            else:
                self._depth -= 1
                return False
        return True

    def _new_ones(self, level: list[Entry]) -> list[Entry]:
        """Of one depth, a branch at random for each k-context not selected; the rest is skipped."""
        k, cache, random = self._k, self._cache, self._guide.random.random
        found: dict[Context, Entry] = {}
        times: dict[Context, int] = {}
        skipped: list[Entry] = []
        whole: list[Entry] = []  # no longer context will tell them from others
        for entry in level:
            context, node = entry
            if len(context) < k:
                context = self.context(node.trace.events, node.depth, k + LEAD)
                entry = (context, node)
            context = context[:k]
            if context in cache:
                (skipped if self.increasing and len(context) == k else whole).append(entry)
            elif context not in found:
                found[context] = entry
            else:
                count = times[context] = times.get(context, 1) + 1
                if random() * count >= count - 1:
                    found[context], entry = entry, found[context]
                skipped.append(entry)
        level.clear()
        if skipped:
            _room(self._skipped, self._depth).extend(skipped)
        for _, node in whole:
            heapq.heappush(self._alike, (node.depth, random(), node))
        return list(found.values())

    def learn(self, feedback: Feedback) -> None:
        self.add(new_nodes(feedback))

    def add(self, nodes: tuple[Node, ...]) -> None:
        """Take in branches that were added to the tree."""
        k = self._k + LEAD
        for node in nodes:
            if untried(node) is not None:
                # Above where the walk is, others have grown the tree: that is for the next walk.
                walk = self._ahead if node.depth > self._depth else self._skipped
                _put(walk, (self.context(node.trace.events, node.depth, k), node))

    def context(self, events: Sequence[tuple[int, Term]], depth: int, k: int) -> Context:
        """The k-context of the branch at this depth of a path; shorter only where that begins."""
        branch = events[depth][0]
        irrelevant = self._irrelevant.get(branch)
        if irrelevant is None:
            irrelevant = Irrelevant(branch, self._guide) if self.without_dominators else NOTHING
            self._irrelevant[branch] = irrelevant
        context = [branch]
        while depth > 0 and len(context) < k:
            depth -= 1
            above = events[depth][0]
            if not irrelevant[above]:
                context.append(above)
        return tuple(context)


class Irrelevant(dict[int, bool]):
    """Which branches every path to one branch must pass; found out when asked."""

    def __init__(self, branch: int, guide: Guide) -> None:
        self._outcome = (branch >> 1, bool(branch & 1))
        self._guide = guide

    def __missing__(self, above: int) -> bool:
        found = self._guide.graph().dominates((above >> 1, bool(above & 1)), self._outcome)
        self[above] = found
        return found


NOTHING: Mapping[int, bool] = defaultdict(bool)

# A branch is a number here, twice its site plus the side taken, as in the events of a run.
Context: TypeAlias = tuple[int, ...]  # backwards
Entry: TypeAlias = tuple[Context, Node]  # its context, and a few branches more
LEAD = 2  # branches that are looked up before they are needed, while the run is at hand


def _put(walk: list[list[Entry]], entry: Entry) -> None:
    _room(walk, entry[1].depth).append(entry)


def _room(walk: list[list[Entry]], depth: int) -> list[Entry]:
    while len(walk) <= depth:
        walk.append([])
    return walk[depth]


def _drawn(entries: list[Entry], random: Random) -> Entry:
    """One of them at random, taken out."""
    position = int(random.random() * len(entries))
    entries[position], entries[-1] = entries[-1], entries[position]
    return entries.pop()


class FixedContext(ContextGuided):
    """Context-guided search with k = 5 from the start (the paper's section on fixed k)."""

    first_k = 5
    increasing = False


class ContextWithDominators(ContextGuided):
    """Context-guided search that keeps dominating branches in the context (CGS-nodom)."""

    without_dominators = False


class Subpath:
    """The open branch at the end of the least travelled subpath.

    Li, Su, Wang and Li, "Steering symbolic execution to less traveled paths" (OOPSLA 2013): of the
    last n branches before each way on it is counted how often they have been travelled.
    """

    def __init__(self, guide: Guide) -> None:
        self._random = guide.random
        self._length = guide.parameter("length", 4)
        self._travelled: dict[tuple[int, ...], int] = {}
        self._waiting: dict[tuple[int, ...], list[Node]] = {}  # by the subpath they would complete
        self._ranked: list[list[tuple[int, ...]]] = []  # by how often they were travelled

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        for count, subpaths in enumerate(self._ranked):
            while subpaths:
                position = int(self._random.random() * len(subpaths))
                subpath = subpaths[position]
                if self._travelled.get(subpath, 0) == count:
                    flip = self._draw(self._waiting[subpath])
                    if flip is not None:
                        return flip
                    del self._waiting[subpath]
                else:
                    self._rank(subpath)
                subpaths[position] = subpaths[-1]
                subpaths.pop()
        return None

    def _draw(self, nodes: list[Node]) -> Flip | None:
        while nodes:
            position = int(self._random.random() * len(nodes))
            nodes[position], nodes[-1] = nodes[-1], nodes[position]
            flip = untried(nodes.pop())
            if flip is not None:
                return flip
        return None

    def _rank(self, subpath: tuple[int, ...]) -> None:
        count = self._travelled.get(subpath, 0)
        while len(self._ranked) <= count:
            self._ranked.append([])
        self._ranked[count].append(subpath)

    def learn(self, feedback: Feedback) -> None:
        if isinstance(feedback.step, Flip):
            self._travel(
                (
                    2 * feedback.step.node.site + feedback.step.side,
                    *self._before(feedback.step.node),
                )
            )
        for node in new_nodes(feedback):
            flip = untried(node)
            if flip is None:
                continue
            before = self._before(node)
            self._travel((2 * node.site + (not flip.side), *before))
            subpath = (2 * node.site + flip.side, *before)
            if subpath in self._waiting:
                self._waiting[subpath].append(node)
            else:
                self._waiting[subpath] = [node]
                self._rank(subpath)

    def _travel(self, subpath: tuple[int, ...]) -> None:
        self._travelled[subpath] = self._travelled.get(subpath, 0) + 1

    def _before(self, node: Node) -> tuple[int, ...]:
        """The branches before one, nearest first, as many as a subpath has besides itself."""
        found = []
        for _ in range(self._length - 1):
            if node.parent is None:
                break
            found.append(2 * node.parent.site + node.taken)
            node = node.parent
        return tuple(found)
