"""Strategies that look at how an execution came to a branch."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping
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
from symcrete.tree.tree import ExecutionTree, Node


class ContextGuided:
    """Flip a branch in the contexts in which it has not been flipped: context-guided search.

    Algorithm 2 of Seo and Kim (FSE 2014). The k-context of a branch is the branch and the k-1
    before it that do not dominate it. The tree is walked from the top, depth by depth and at random
    within a depth; a branch whose k-context was selected before is skipped; then k grows.

    Branches wait in groups of one context, of which at most one is selected before k grows and the
    groups are split: so a walk costs what it selects, not what it skips. Branches that no longer
    context will tell from others come last, those nearest the root first.
    """

    first_k = 1
    increasing = True
    without_dominators = True

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._k = guide.parameter("k", self.first_k)
        self._cache: set[Context] = set()  # k-contexts selected
        self._groups: dict[Context, Group] = {}
        self._ahead: list[list[Group]] = []  # by depth of the nearest, those to select from
        self._depth = 0  # of this walk: nothing is ahead above it
        self._alike: list[Entry] = []
        self._irrelevant: dict[int, Mapping[int, bool]] = {}  # to each branch

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._depth < len(self._ahead) or self._start_again():
            level = self._ahead[self._depth]
            if not level:
                self._depth += 1
                continue
            group = _drawn(level, self._guide.random)
            flip = _nearest(group.entries)
            if flip is None or group.context in self._cache:
                continue
            if flip.node.depth > self._depth:
                self._look_at(group)  # a nearer one has been settled by others
            else:
                self._cache.add(group.context)
                return flip
        return _nearest(self._alike)

    def _look_at(self, group: Group) -> None:
        depth = group.entries[0][0]
        while len(self._ahead) <= depth:
            self._ahead.append([])
        self._ahead[depth].append(group)
        self._depth = min(self._depth, depth)

    def _start_again(self) -> bool:
        """From the top with contexts longer by one; False when no branch is left to tell apart."""
        groups, self._groups = self._groups, {}
        self._k += self.increasing
        for group in groups.values():
            if self.increasing:
                self._split(group)
            else:
                self._alike += group.entries
        heapq.heapify(self._alike)
        return bool(self._groups)

    def _split(self, group: Group) -> None:
        """By one branch more; those that have none are alike."""
        k = self._k
        parts: dict[int, list[Entry]] = {}
        for entry in group.entries:
            context = entry[2]
            if len(context) < k:
                depth, chance, _, node = entry
                context = self.context([code for code, _ in node.trace.events], depth, k + LEAD)
                entry = (depth, chance, context, node)
            if len(context) < k:
                self._alike.append(entry)
            elif context[k - 1] in parts:
                parts[context[k - 1]].append(entry)
            else:
                parts[context[k - 1]] = [entry]
        for branch, entries in parts.items():
            heapq.heapify(entries)
            longer = (*group.context, branch)
            part = self._groups[longer] = Group(longer, entries)
            self._look_at(part)

    def learn(self, feedback: Feedback) -> None:
        self.add(new_nodes(feedback))

    def add(self, nodes: tuple[Node, ...]) -> None:
        """Take in the branches that one run added to the tree."""
        passed = [code for code, _ in nodes[0].trace.events] if nodes else []
        for node in nodes:
            if untried(node) is None:
                continue
            context = self.context(passed, node.depth, self._k + LEAD)
            entry = (node.depth, self._guide.random.random(), context, node)
            context = context[: self._k]
            group = self._groups.get(context)
            if group is None:
                group = self._groups[context] = Group(context, [])
            heapq.heappush(group.entries, entry)
            if group.entries[0] is entry and context not in self._cache:
                self._look_at(group)

    def context(self, passed: list[int], depth: int, k: int) -> Context:
        """The k-context of the branch at this depth of a path; shorter only where that begins."""
        branch = passed[depth]
        irrelevant = self._irrelevant.get(branch)
        if irrelevant is None:
            irrelevant = Irrelevant(branch, self._guide) if self.without_dominators else NOTHING
            self._irrelevant[branch] = irrelevant
        context = [branch]
        while depth > 0 and len(context) < k:
            depth -= 1
            above = passed[depth]
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
Entry: TypeAlias = tuple[int, float, Context, Node]  # depth, chance, the context and more, branch
LEAD = 4  # branches that are looked up before they are needed, while the run is at hand


class Group:
    """Branches of one context."""

    __slots__ = ("context", "entries")

    def __init__(self, context: Context, entries: list[Entry]) -> None:
        self.context = context
        self.entries = entries  # a heap: by depth, at random within a depth


def _drawn(groups: list[Group], random: Random) -> Group:
    """One of them at random, taken out."""
    position = int(random.random() * len(groups))
    groups[position], groups[-1] = groups[-1], groups[position]
    return groups.pop()


def _nearest(entries: list[Entry]) -> Flip | None:
    """The open branch of least depth."""
    while entries:
        flip = untried(entries[0][3])
        if flip is not None:
            return flip
        heapq.heappop(entries)
    return None


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
