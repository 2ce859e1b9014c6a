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

    Branches wait in groups of one context, of which at most one is selected before k grows: so a
    walk costs what it selects, not what it skips.
    """

    first_k = 1
    increasing = True
    without_dominators = True

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._k = guide.parameter("k", self.first_k)
        self._cache: set[Context] = set()  # k-contexts selected
        self._waiting: dict[Context, Group] = {}  # by k-context, those that were not
        self._ahead: list[list[Context]] = []  # the same by depth of the nearest
        self._depth = 0  # of this walk: nothing is ahead above it
        self._skipped: dict[Context, Group] = {}  # for the next walk, by the context it goes by
        self._unsorted: list[Group] = []  # for the next walk too
        self._alike: Group = []  # no longer context will tell these from others
        self._irrelevant: dict[int, Mapping[int, bool]] = {}  # to each branch

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._depth < len(self._ahead) or self._start_again():
            level = self._ahead[self._depth]
            if not level:
                self._depth += 1
                continue
            context = _drawn(level, self._guide.random)
            group = self._waiting.get(context, [])
            flip = _nearest(group)
            if flip is None:
                self._waiting.pop(context, None)
            elif flip.node.depth > self._depth:
                self._look_at(context, group)  # a nearer one has been settled by others
            else:
                self._cache.add(context)
                self._unsorted.append(self._waiting.pop(context))
                return flip
        return _nearest(self._alike)

    def _start_again(self) -> bool:
        """From the top with contexts longer by one; False when no branch is left to tell apart."""
        for group in self._unsorted:
            for entry in group:
                self._skip(entry)
        self._waiting, self._skipped, self._unsorted = self._skipped, {}, []
        if self.increasing:
            self._k += 1
        else:
            for group in self._waiting.values():
                self._alike += group
            self._waiting = {}
            heapq.heapify(self._alike)
        for context, group in self._waiting.items():
            heapq.heapify(group)
            self._look_at(context, group)
        return bool(self._waiting)

    def _look_at(self, context: Context, group: Group) -> None:
        depth = group[0][0]
        while len(self._ahead) <= depth:
            self._ahead.append([])
        self._ahead[depth].append(context)
        self._depth = min(self._depth, depth)

    def _skip(self, entry: Entry) -> None:
        """Keep a branch for the next walk, unless its context cannot grow."""
        branch = entry[2]
        if len(branch.context) <= self._k:
            branch.lengthen(self._k + 1)
            if len(branch.context) <= self._k:
                heapq.heappush(self._alike, entry)
                return
        group = self._skipped.get(branch.context)
        if group is None:
            self._skipped[branch.context] = [entry]
        else:
            group.append(entry)

    def examined(self, node: Node, *, taken: bool) -> Examined:
        branch = 2 * node.site + taken
        irrelevant = self._irrelevant.get(branch)
        if irrelevant is None:
            irrelevant = Irrelevant(branch, self._guide) if self.without_dominators else NOTHING
            self._irrelevant[branch] = irrelevant
        return Examined(node, branch, irrelevant)

    def learn(self, feedback: Feedback) -> None:
        for node in new_nodes(feedback):
            flip = untried(node)
            if flip is None:
                continue
            branch = self.examined(node, taken=not flip.side)
            branch.lengthen(self._k + 1)
            context = branch.context[: self._k]
            entry = (node.depth, self._guide.random.random(), branch)
            if context in self._cache:
                self._skip(entry)
                continue
            group = self._waiting.setdefault(context, [])
            heapq.heappush(group, entry)
            if group[0] is entry:
                self._look_at(context, group)


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


class Examined:
    """A branch of the tree and as much of its context as has been asked for."""

    __slots__ = ("context", "irrelevant", "node", "oldest")

    def __init__(self, node: Node, branch: int, irrelevant: Mapping[int, bool]) -> None:
        self.node = node
        self.context: Context = (branch,)  # and then backwards
        self.oldest = node  # everything from here on is in the context or irrelevant
        self.irrelevant = irrelevant

    def lengthen(self, k: int) -> None:
        context, here = self.context, self.oldest
        while len(context) < k and here.parent is not None:
            above = 2 * here.parent.site + here.taken
            here = here.parent
            if not self.irrelevant[above]:
                context = (*context, above)
        self.context, self.oldest = context, here


Context: TypeAlias = tuple[int, ...]  # each branch as twice its site plus its side
Entry: TypeAlias = tuple[int, float, Examined]  # by depth, at random within a depth
Group: TypeAlias = list[Entry]  # a heap


def _drawn(contexts: list[Context], random: Random) -> Context:
    """One of them at random, taken out."""
    position = int(random.random() * len(contexts))
    contexts[position], contexts[-1] = contexts[-1], contexts[position]
    return contexts.pop()


def _nearest(group: Group) -> Flip | None:
    """The open branch of least depth."""
    while group:
        flip = untried(group[0][2].node)
        if flip is not None:
            return flip
        heapq.heappop(group)
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
