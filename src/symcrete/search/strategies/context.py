"""Strategies that look at how an execution came to a branch."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import itemgetter

from symcrete.program.source.sites import Outcome
from symcrete.search.branches.traversal import Alike, Context, Traversal, drawn
from symcrete.search.strategy import (
    Feedback,
    Flip,
    Guide,
    Sample,
    new_nodes,
    untried,
)
from symcrete.terms.visit import names
from symcrete.tree.tree import ExecutionTree, Node, Side


class ContextGuided:
    """Flip a branch in the contexts in which it has not been flipped: context-guided search.

    Algorithm 2 of Seo and Kim (FSE 2014). The k-context of a branch is the branch and the k-1
    before it that do not dominate it. The tree is walked from the top, depth by depth and at random
    within a depth; a branch whose k-context was selected before is skipped; then k grows.

    Branches that even longer contexts do not tell from others come last, those nearest the root
    first.
    """

    first_k = 1  # branches of the first contexts
    increasing = True  # whether k grows
    without_dominators = True  # whether contexts leave out the branches that dominate
    across_calls = False  # whether what a callee must pass dominates what follows the call

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._cache: set[Context] = set()  # k-contexts selected
        k = guide.parameter("k", self.first_k)
        # This traversal and the next ones, which are made ready while runs are at hand.
        ready = READY if self.increasing else 1
        self._traversals = [Traversal(k + further) for further in range(ready)]
        # depth, chance, branch: those that even longer contexts do not tell from others
        self._last: list[tuple[int, float, Node]] = []
        self._are_last: set[Node] = set()
        # by branch: which branches every path to it must pass
        self._irrelevant: dict[int, Mapping[int, bool]] = {}

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        random = self._guide.random
        while True:
            traversal = self._traversals[0]
            alike = traversal.next(random)
            if alike is None:
                if self._traverse_again():
                    continue
                return self._one_of_the_last()
            if alike.context in self._cache:
                self._skip(alike, traversal.k)
                continue
            while alike.first:
                flip = untried(drawn(alike.first, random)[2])
                if flip is not None:
                    self._cache.add(alike.context)
                    return flip
            traversal.put_off(alike)

    def _skip(self, alike: Alike, k: int) -> None:
        """Leave these branches until contexts are longer, or to the end if even longer ones would
        not tell them apart.
        """
        if self.increasing and len(alike.context) == k:
            return
        for depth, _, node in alike.first + alike.rest:
            if node not in self._are_last and Side.OPEN in node.state:
                self._are_last.add(node)
                heapq.heappush(self._last, (depth, self._guide.random.random(), node))

    def _one_of_the_last(self) -> Flip | None:
        while self._last:
            flip = untried(self._last[0][2])
            if flip is not None:
                return flip
            heapq.heappop(self._last)
        return None

    def _traverse_again(self) -> bool:
        """Begin another traversal, by contexts of one branch more if k grows; False if no open
        branch is left for it.
        """
        done = self._traversals[0]
        left = (
            entry
            for entry in done.entries()
            if Side.OPEN in entry[2].state and entry[2] not in self._are_last
        )
        some = next(left, None)
        if some is None:
            done.clear()
            return False
        if len(self._traversals) == 1:
            again = Traversal(done.k + self.increasing)
            for depth, _, node in (some, *left):
                again.add((depth, self.context_of(node, again.k), node), NOTHING_YET)
            self._traversals.append(again)
        self._traversals.pop(0)
        return True

    def learn(self, feedback: Feedback) -> None:
        self.add(new_nodes(feedback))

    def add(self, nodes: tuple[Node, ...]) -> None:
        """Take in branches that were added to the tree."""
        now, *later = self._traversals
        k = now.k + len(later)
        for node in nodes:
            if Side.OPEN in node.state:
                depth = node.depth
                entry = depth, self.context_of(node, k), node
                now.add(entry, self._cache)
                for traversal in later:
                    traversal.add(entry, NOTHING_YET)

    def context_of(self, node: Node, k: int) -> Context:
        """The k-context of a branch, on the path of the first run that came by."""
        return self.context(node.trace.events, node.depth, k)

    def context(self, events: Sequence[tuple[int, object]], depth: int, k: int) -> Context:
        """The k-context of the branch at this depth of a path; shorter than k where the path has
        fewer branches before it.
        """
        branch = events[depth][0]
        irrelevant = self._irrelevant.get(branch)
        if irrelevant is None:
            irrelevant = NOTHING
            if self.without_dominators:
                irrelevant = Irrelevant(branch, self._guide, across_calls=self.across_calls)
            self._irrelevant[branch] = irrelevant
        context = [branch]
        while depth > 0 and len(context) < k:
            depth -= 1
            above = events[depth][0]
            if not irrelevant[above]:
                context.append(above)
        return tuple(context)


class Irrelevant(dict[int, bool]):
    """For one branch, whether a path to it must pass another one; found out when asked."""

    def __init__(self, branch: int, guide: Guide, *, across_calls: bool = False) -> None:
        self._outcome = (branch >> 1, bool(branch & 1))
        self._guide = guide
        self._across_calls = across_calls

    def __missing__(self, above: int) -> bool:
        found = self._guide.graph().dominates(
            (above >> 1, bool(above & 1)), self._outcome, across_calls=self._across_calls
        )
        self[above] = found
        return found


NOTHING: Mapping[int, bool] = defaultdict(bool)  # no branch is left out of a context

# traversals, of this and the next lengths of contexts, that are kept up to date as runs come;
# chosen, not measured
READY = 3
NOTHING_YET: set[Context] = set()  # contexts selected before a traversal has begun


class FixedContext(ContextGuided):
    """Context-guided search with k = 5 from the start (the paper's section on fixed k)."""

    first_k = 5
    increasing = False


class ContextWithDominators(ContextGuided):
    """Context-guided search that keeps dominating branches in the context (CGS-nodom)."""

    without_dominators = False


class ContextAsPublished(ContextGuided):
    """Context-guided search over all branches that a run executes, as the paper has it.

    A context also has branches that no input decides, and what a callee passes on each of its ways
    dominates what comes after the call. `cgs` looks at symbolic branches only.
    """

    across_calls = True

    def context_of(self, node: Node, k: int) -> Context:
        executed = node.trace.executed
        place = bisect_right(executed, node.depth, key=itemgetter(1)) - 1
        if place < 0:  # the run was made without the order of its branches
            return super().context_of(node, k)
        return self.context(executed, place, k)


class ContextForUncovered:
    """Sides nobody covered first, each in contexts in which it was not tried; then as `cgs`.

    The context of a branch is the branch and the k-1 before it whose conditions share a variable
    with its own: others make no difference to whether it can be flipped. Each side has a k of its
    own, which grows when its contexts are used up and it is still not covered. Sides with the
    smallest k come first, and among them those with most code behind them; an input is drawn
    whenever all that is left has a larger k than the last.

    Measured in `experiments/context.py` on large generated programs, where `cgs` spends its runs on
    sides that are covered already.
    """

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._rest = ContextGuided(guide)
        self._waiting: dict[Outcome, list[Node]] = {}  # open branches, in the order they were met
        self._k: dict[Outcome, int] = {}  # by side, the k that it has come to
        # k, minus the code behind it, chance, the side
        self._ranked: list[tuple[int, int, float, Outcome]] = []
        self._cache: set[tuple[bool, Context]] = set()  # contexts selected, and the side wanted
        self._last_k = 1

    @cached_property
    def _dependents(self) -> dict[Outcome, int]:
        return self._guide.graph().dependents

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._ranked:
            k, _, _, outcome = heapq.heappop(self._ranked)
            if self._guide.coverage.has(*outcome):
                del self._waiting[outcome]
                continue
            more, self._last_k = k > self._last_k, k
            if more:
                self._rank(outcome)
                return Sample()
            flip = self._in_a_new_context(outcome)
            if outcome in self._waiting:
                self._rank(outcome)
            if flip is not None:
                return flip
        return self._rest.choose(tree)

    def _in_a_new_context(self, outcome: Outcome) -> Flip | None:
        """A branch to flip for this side in a context of its k; None if they were all selected.

        Then k grows, or the side is forgotten, until it is met again, if no branch has a longer
        context.
        """
        side, k = outcome[1], self._k[outcome]
        nodes = [node for node in self._waiting[outcome] if node.state[side] is Side.OPEN]
        longest = 0
        for place, node in enumerate(nodes):
            context = self.context(node, k)
            longest = max(longest, len(context))
            if (side, context) not in self._cache:
                self._cache.add((side, context))
                del nodes[place]
                self._waiting[outcome] = nodes
                return Flip(node, side)
        if longest < k:
            del self._waiting[outcome]
        else:
            self._waiting[outcome] = nodes
            self._k[outcome] += 1
        return None

    def context(self, node: Node, k: int) -> Context:
        """The branch and the k-1 before it, nearest first, whose conditions share an input with
        its own.
        """
        events, depth = node.trace.events, node.depth
        own = names(node.term)
        context = [2 * node.site]
        while depth > 0 and len(context) < k:
            depth -= 1
            code, term = events[depth]
            if not own.isdisjoint(names(term)):
                context.append(code)
        return tuple(context)

    def _rank(self, outcome: Outcome) -> None:
        behind, chance = self._dependents.get(outcome, 0), self._guide.random.random()
        heapq.heappush(self._ranked, (self._k[outcome], -behind, chance, outcome))

    def learn(self, feedback: Feedback) -> None:
        self._rest.learn(feedback)
        covered = self._guide.coverage.has
        for node in new_nodes(feedback):
            flip = untried(node)
            if flip is None or covered(node.site, flip.side):
                continue
            outcome = node.site, flip.side
            if outcome not in self._waiting:
                self._waiting[outcome] = []
                self._k.setdefault(outcome, 1)
                self._rank(outcome)
            self._waiting[outcome].append(node)


class Subpath:
    """The open branch at the end of the least travelled subpath.

    Li, Su, Wang and Li, "Steering symbolic execution to less traveled paths" (OOPSLA 2013): of the
    last n branches before each way on it is counted how often they have been travelled.
    """

    def __init__(self, guide: Guide) -> None:
        self._random = guide.random
        self._length = guide.parameter("length", 4)  # branches; chosen, not measured
        self._travelled: dict[tuple[int, ...], int] = {}
        # open branches, by the subpath they would complete
        self._waiting: dict[tuple[int, ...], list[Node]] = {}
        self._ranked: list[list[tuple[int, ...]]] = []  # subpaths, by how often they were travelled

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
