"""CREST's searches as its code has them (Burnim and Sen, ASE 2008): what CGS and IPPC compare with.

CREST forgets which sides it has taken and solves for them again. A side that was taken is entered
here without a run, on the path of the first run that took it: this costs CREST's searches nothing,
where they would spend a run. `dfs`, `random-branch` and `uniform` never go back to such sides.
"""

from __future__ import annotations

from symcrete.search.strategies.by_chance import path_of
from symcrete.search.strategy import Feedback, Flip, Guide, Procedure, Sample, Scripted, new_nodes
from symcrete.tree.tree import Node, Side

MOST_PICKED = 1000  # constraints of one path that random search picks before it gives the path up
MOST_ENTERED = 1000  # sides entered in a row without a run, after which uniform search starts again


class BoundedDepthFirst(Scripted):
    """The earliest branch first, then what comes after it on the path that this led to.

    The depth bounds how many branches are flipped on top of each other. A run that strays from what
    was predicted is not followed. There is no restart.
    """

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._depth = guide.parameter("depth", 1_000_000)  # branches: no limit
        self._starts: list[tuple[Node, ...]] = []  # new branches of runs that others asked for

    def procedure(self) -> Procedure:
        ahead: list[tuple[tuple[Node, ...], int, int]] = []  # path, place on it, depth left
        while True:
            if not ahead:
                if not self._starts:
                    yield None
                    continue
                ahead.append((self._starts.pop(0), 0, self._depth))
            path, place, depth = ahead.pop()
            if place >= len(path) or depth <= 0:
                continue
            node = path[place]
            side = next((each for each in (True, False) if node.state[each] is Side.OPEN), None)
            if side is None:
                ahead.append((path, place + 1, depth))
                continue
            feedback = yield Flip(node, side)
            assert feedback is not None
            followed = feedback.result == "ran"
            ahead.append((path, place + 1, depth - followed))
            if followed:
                ahead.append((new_nodes(feedback), 0, depth - 1))

    def learn(self, feedback: Feedback) -> None:
        asked = feedback.step is self._asked
        super().learn(feedback)
        if not asked and new_nodes(feedback):
            self._starts.append(new_nodes(feedback))


class RandomBranchOfCrest(Scripted):
    """Any branch of the last path, then any of the path to which its other side leads.

    A round without new coverage counts, also one in which nothing could be solved; after many the
    search starts again from a random input.
    """

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._random = guide.random
        self._rounds = guide.parameter("rounds", 10_000)  # chosen, not measured
        self._path: list[Node] = []
        self._quiet = 0

    def procedure(self) -> Procedure:
        while True:
            if self._quiet >= self._rounds or not self._path or _closed(self._path[0]):
                self._quiet = 0
                yield Sample()
                continue
            self._quiet += 1
            waiting = list(self._path)
            for _ in range(MOST_PICKED):
                if not waiting:
                    break
                node = waiting.pop(int(self._random.random() * len(waiting)))
                side = not _side_on(node, self._path)
                if node.state[side] is Side.SEEN:
                    self._path = path_through(node, side)
                    break
                if node.state[side] is Side.OPEN:
                    feedback = yield Flip(node, side)
                    if feedback is not None and (feedback.new or feedback.result == "ran"):
                        break

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        self._quiet = 0 if feedback.new else self._quiet
        if feedback.grown is not None and (feedback.new or feedback.result == "ran"):
            self._path = path_of(feedback.grown)[::-1]


class UniformOfCrest(Scripted):
    """Down the path, the other side of each branch with probability one half; then from the top.

    The walk goes on along the path to which a flip led.
    """

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._random = guide.random
        self._path: list[Node] = []

    def procedure(self) -> Procedure:
        entered = 0
        while True:
            if not self._path or _closed(self._path[0]) or entered >= MOST_ENTERED:
                entered = 0
                yield Sample()
            depth = 0
            while depth < len(self._path):
                node = self._path[depth]
                depth += 1
                if self._random.random() < 0.5:
                    entered += 1
                    continue
                side = not _side_on(node, self._path)
                if node.state[side] is Side.OPEN:
                    entered = 0
                    yield Flip(node, side)
                elif node.state[side] is Side.SEEN:
                    entered += 1
                    self._path = path_through(node, side)

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        if feedback.grown is not None and (feedback.new or feedback.result == "ran"):
            self._path = path_of(feedback.grown)[::-1]


def path_through(node: Node, side: bool) -> list[Node]:
    """The branches of the first run that took this side of a branch, in order."""
    path = [*node.ancestors()][::-1]
    path.append(node)
    below = node.children[side]
    while below is not None:
        path.append(below)
        below = below.children[below.trace.events[below.depth][0] & 1]
    return path


def _side_on(node: Node, path: list[Node]) -> bool:
    """The side that a path takes at one of its branches; of its last, the one first taken."""
    place = node.depth + 1
    if place < len(path):
        return path[place].taken
    return bool(node.trace.events[node.depth][0] & 1)


def _closed(first: Node) -> bool:
    return first.closed
