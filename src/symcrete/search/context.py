"""Strategies that look at how an execution came to a branch."""

from __future__ import annotations

import heapq
from functools import cached_property
from typing import TypeAlias

from symcrete.program.icfg import ProgramGraph
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

    The walk is a heap of groups: what was skipped for the same context stays together, and the next
    walk looks at a group's branches one by one, when their depth comes.
    """

    first_k = 1
    increasing = True
    without_dominators = True

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._k = guide.parameter("k", self.first_k)
        self._cache: set[tuple[int, ...]] = set()  # contexts selected
        self._ahead: list[tuple[int, float, Group]] = []  # to be examined in this walk
        self._skipped: dict[tuple[int, ...], Group] = {}  # by context, for the next one
        self._alike: Group = []  # no longer context will tell these from others
        self._irrelevant: dict[tuple[int, int], bool] = {}

    @cached_property
    def _graph(self) -> ProgramGraph:
        return self._guide.graph()

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._ahead or self._start_again():
            branch = self._next()
            flip = untried(branch.node)
            if flip is not None and self._is_new(branch):
                self._cache.add(branch.context)
                return flip
        while self._alike:
            flip = untried(heapq.heappop(self._alike)[2].node)
            if flip is not None:
                return flip
        return None

    def _next(self) -> Examined:
        """The branch nearest the root among those not examined in this walk."""
        group = self._ahead[0][2]
        branch = heapq.heappop(group)[2]
        if group:
            heapq.heapreplace(self._ahead, (*group[0][:2], group))
        else:
            heapq.heappop(self._ahead)
        return branch

    def _start_again(self) -> bool:
        """From the top with longer contexts; False when nothing was skipped."""
        groups = list(self._skipped.values())
        self._skipped = {}
        if self.increasing:
            self._k += 1
            self._ahead = [(*group[0][:2], group) for group in groups]
            heapq.heapify(self._ahead)
        else:
            self._alike = [entry for group in [self._alike, *groups] for entry in group]
            heapq.heapify(self._alike)
        return bool(self._ahead)

    def _is_new(self, branch: Examined) -> bool:
        """Whether nothing was selected in its k-context; otherwise it is skipped for now."""
        branch.lengthen(self._k, self)
        if branch.context not in self._cache:
            return True
        entry = (branch.node.depth, self._guide.random.random(), branch)
        if branch.oldest.parent is None:
            heapq.heappush(self._alike, entry)
        else:
            heapq.heappush(self._skipped.setdefault(branch.context, []), entry)
        return False

    def is_irrelevant(self, above: int, branch: int) -> bool:
        """Whether every path to the branch passes the one above."""
        pair = (above, branch)
        found = self._irrelevant.get(pair)
        if found is None:
            found = self.without_dominators and self._graph.dominates(
                (above >> 1, bool(above & 1)), (branch >> 1, bool(branch & 1))
            )
            self._irrelevant[pair] = found
        return found

    def learn(self, feedback: Feedback) -> None:
        for node in new_nodes(feedback):
            flip = untried(node)
            if flip is None:
                continue
            branch = Examined(node, taken=not flip.side)
            if self._is_new(branch):
                entry = (node.depth, self._guide.random.random(), branch)
                heapq.heappush(self._ahead, (*entry[:2], [entry]))


class Examined:
    """A branch of the tree and as much of its context as has been asked for."""

    __slots__ = ("context", "node", "oldest")

    def __init__(self, node: Node, *, taken: bool) -> None:
        self.node = node
        self.context: tuple[int, ...] = (2 * node.site + taken,)  # the branch, then backwards
        self.oldest = node  # everything from here on is in the context or irrelevant

    def lengthen(self, k: int, search: ContextGuided) -> None:
        while len(self.context) < k and self.oldest.parent is not None:
            above = 2 * self.oldest.parent.site + self.oldest.taken
            self.oldest = self.oldest.parent
            if not search.is_irrelevant(above, self.context[0]):
                self.context += (above,)


Group: TypeAlias = list[tuple[int, float, Examined]]  # a heap: by depth, at random within a depth


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
