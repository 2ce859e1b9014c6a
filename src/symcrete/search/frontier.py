"""Branches with an open side, kept ready for a draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from random import Random

from symcrete.search.strategy import Flip, untried
from symcrete.tree.tree import Node


class Frontier:
    """Draws one of them, all alike; settled ones are dropped when they come up."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self._nodes = list(nodes)

    def add(self, nodes: Iterable[Node]) -> None:
        self._nodes += nodes

    def draw(self, random: Random) -> Flip | None:
        nodes = self._nodes
        while nodes:
            position = int(random.random() * len(nodes))
            flip = untried(nodes[position])
            if flip is not None:
                return flip
            nodes[position] = nodes[-1]
            nodes.pop()
        return None


class WeightedFrontier:
    """Draws one in proportion to its weight, which is at most one and may fall as coverage grows.

    Flips lie in shelves of equal weight up to a factor of two. A draw picks a shelf by what it
    could weigh at most and accepts a flip by what it does weigh: exact, though weights are looked
    up only when drawn.
    """

    SHELVES = 64

    def __init__(self, weight: Callable[[Flip], float]) -> None:
        self._weight = weight
        self._shelves: list[list[Flip]] = [[] for _ in range(self.SHELVES)]

    def add(self, flip: Flip) -> None:
        self._shelves[self._shelf(self._weight(flip))].append(flip)

    def draw(self, random: Random) -> Flip | None:
        while True:
            level = self._pick(random)
            if level is None:
                return None
            shelf = self._shelves[level]
            position = int(random.random() * len(shelf))
            flip = shelf[position]
            weight = self._weight(flip)
            lower = self._shelf(weight) if weight else None
            if lower == level:
                if random.random() < math.ldexp(weight, level):
                    return flip
                continue
            shelf[position] = shelf[-1]
            shelf.pop()
            if lower is not None:
                self._shelves[lower].append(flip)

    def _pick(self, random: Random) -> int | None:
        filled = [(i, math.ldexp(len(shelf), -i)) for i, shelf in enumerate(self._shelves) if shelf]
        left = random.random() * sum(weight for _, weight in filled)
        for level, weight in filled:
            left -= weight
            if left < 0:
                return level
        return filled[-1][0] if filled else None

    def _shelf(self, weight: float) -> int:
        """The i with weight in (2^-(i+1), 2^-i]."""
        mantissa, exponent = math.frexp(weight)
        return min(self.SHELVES - 1, max(0, -exponent + (mantissa == 0.5)))
