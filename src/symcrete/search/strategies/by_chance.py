"""Strategies that leave the choice to chance."""

from __future__ import annotations

from symcrete.search.branches.frontier import Frontier
from symcrete.search.strategy import (
    Feedback,
    Flip,
    Guide,
    Procedure,
    Sample,
    Scripted,
    Step,
    new_nodes,
    untried,
)
from symcrete.tree.tree import ExecutionTree, Grown, Node, Side

TRIES_ON_PATH = 8  # nodes drawn before the path is searched for open ones; chosen, not measured
COINS = 60  # coins tossed by one call of the random generator, which costs more than looking at one


class RandomInput:
    """Random inputs alone, without any solving."""

    def __init__(self, guide: Guide) -> None:
        pass

    def choose(self, tree: ExecutionTree) -> Step:
        return Sample()

    def learn(self, feedback: Feedback) -> None:
        pass


class RandomState:
    """Any open branch, all alike (KLEE's random-state)."""

    def __init__(self, guide: Guide) -> None:
        self._random = guide.random
        self._open = Frontier()

    def choose(self, tree: ExecutionTree) -> Flip | None:
        return self._open.draw(self._random)

    def learn(self, feedback: Feedback) -> None:
        self._open.add(new_nodes(feedback))


class RandomPath:
    """Walk down from the root and toss a coin wherever both sides still lead to something open.

    KLEE's random-path (Cadar, Dunbar and Engler, OSDI 2008): favours branches high in the tree and
    is not drawn into a loop that forks again and again.
    """

    def __init__(self, guide: Guide) -> None:
        self._random = guide.random

    def choose(self, tree: ExecutionTree) -> Flip | None:
        # A walk tosses a coin for every branch, so this loop makes no call but one for many coins.
        node, coins, still_open = tree.root, 1, Side.OPEN
        while node is not None and not node.closed:
            if coins == 1:
                coins = self._random.getrandbits(COINS) | 1 << COINS
            side = coins & 1
            coins >>= 1
            if node.state[side] is still_open:
                return Flip(node, side == 1)
            child = node.children[side]
            if child is None or child.closed:
                side = 1 - side
                if node.state[side] is still_open:
                    return Flip(node, side == 1)
                child = node.children[side]
            node = child
        return None

    def learn(self, feedback: Feedback) -> None:
        pass


class Uniform(Scripted):
    """Walk down a path and take the other side of each branch with probability one half.

    CREST's uniform random search (Burnim and Sen, ASE 2008). The walk goes on from where it
    flipped; through sides that were taken before it needs no run.
    """

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._random = guide.random

    def procedure(self) -> Procedure:
        while True:
            node = self.tree.root
            if node is None or node.closed:
                yield Sample()
            while node is not None and not node.closed:
                side = live_side(node, self._random.random() < 0.5)
                if node.state[side] is Side.OPEN:
                    yield Flip(node, side)
                if node.state[side] is Side.SEEN:
                    node = node.children[side]


def live_side(node: Node, wish: bool) -> bool:
    """The side wished for, or the other one where there is nothing open behind that."""
    child = node.children[wish]
    live = node.state[wish] is Side.OPEN or (child is not None and not child.closed)
    return wish if live else not wish


class RandomBranch(Scripted):
    """A random branch of the last path, then one of the path to which that led.

    CREST's random branch search (Burnim and Sen, ASE 2008). When the last path has nothing left, or
    after many flips without news, it starts again from a random input; and where that leads to
    nothing new, from any open branch.
    """

    ROUNDS_WITHOUT_NEWS = 10_000  # flips; chosen, not measured

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._random = guide.random
        self._everywhere = Frontier()
        self._path: list[Node] = []
        self._rounds = guide.parameter("rounds", self.ROUNDS_WITHOUT_NEWS)
        self._quiet = 0

    def procedure(self) -> Procedure:
        while True:
            flip = self._on_last_path()
            if flip is not None and self._quiet < self._rounds:
                yield flip
                continue
            self._quiet = 0
            yield Sample()
            flip = self._everywhere.draw(self._random)
            if flip is not None and self._on_last_path() is None:
                yield flip

    def _on_last_path(self) -> Flip | None:
        """A random open flip on the last path; None if it has none."""
        path = self._path
        for _ in range(TRIES_ON_PATH):
            if path:
                flip = untried(path[int(self._random.random() * len(path))])
                if flip is not None:
                    return flip
        path[:] = [node for node in path if Side.OPEN in node.state]
        return untried(self._random.choice(path)) if path else None

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        self._quiet = 0 if feedback.new else self._quiet + 1
        self._everywhere.add(new_nodes(feedback))
        if feedback.grown is not None and (feedback.new or feedback.result == "ran"):
            self._path = path_of(feedback.grown)


def path_of(grown: Grown) -> list[Node]:
    """Every branch of a run, the last one first."""
    found: list[Node] = []
    node = grown.last
    while node is not None:
        found.append(node)
        node = node.parent
    return found
