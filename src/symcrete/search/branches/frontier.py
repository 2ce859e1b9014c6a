"""Branches with an open side, kept ready for a draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from random import Random

from symcrete.search.strategy import Flip, untried
from symcrete.tree.tree import Node


class Frontier:
    """Branches of which one is drawn, all alike; settled ones are dropped when they come up."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self._nodes = list(nodes)

    def add(self, nodes: Iterable[Node]) -> None:
        self._nodes += nodes

    def draw(self, random: Random) -> Flip | None:
        """A flip to an open side of a random branch; None if there is none."""
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
    """Flips of which one is drawn in proportion to its weight, which is at most one and may fall
    as coverage grows.

    Flips lie in shelves of equal weight up to a factor of two. A draw picks a shelf by what it
    could weigh at most and accepts a flip by what it does weigh: exact, though weights are looked
    up only when drawn. A flip that was drawn stays on its shelf until it weighs nothing.
    """

    SHELVES = 32  # lighter flips lie on the last one

    def __init__(self, weight: Callable[[Flip], float]) -> None:
        self._weight = weight
        self._shelves: list[list[Flip]] = [[] for _ in range(self.SHELVES)]
        self._at_most = [0.0] * self.SHELVES  # what a shelf could weigh

    def add(self, flip: Flip) -> None:
        self._put(flip, self._weight(flip))

    def draw(self, random: Random) -> Flip | None:
        """A random flip, by weight; None if none weighs anything."""
        while True:
            at_most = self._at_most
            total = sum(at_most)
            if total <= 0.0:
                return None
            point, level = random.random() * total, 0
            while point >= at_most[level]:  # the heaviest come first
                point -= at_most[level]
                level += 1
                if level == self.SHELVES:  # by rounding, beyond the end
                    point, level = 0.0, next(each for each, room in enumerate(at_most) if room)
            shelf = self._shelves[level]
            position = int(random.random() * len(shelf))
            flip = shelf[position]
            weight = self._weight(flip)
            if random.random() < weight * (1 << level):
                return flip
            shelf[position] = shelf[-1]
            shelf.pop()
            self._at_most[level] = len(shelf) / (1 << level)
            self._put(flip, weight)

    def _put(self, flip: Flip, weight: float) -> None:
        """Put a flip on the shelf for weights in (2^-(i+1), 2^-i]; nowhere if it weighs nothing."""
        if weight <= 0.0:
            return
        mantissa, exponent = math.frexp(weight)
        level = min(self.SHELVES - 1, (mantissa == 0.5) - exponent)  # a power of two
        shelf = self._shelves[level]
        shelf.append(flip)
        self._at_most[level] = len(shelf) / (1 << level)
