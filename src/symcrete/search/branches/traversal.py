"""One traversal of the execution tree, from the top: the open branches by context and by depth.

Context-guided search takes one branch for each context, where the traversal meets it first. Queues
are kept up to date as the tree grows, so that nothing is scanned when a decision is due.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias, TypeVar

from symcrete.tree.tree import Node

# A branch is a number here, twice its site plus the side taken, as in the events of a run.
Context: TypeAlias = tuple[int, ...]  # branches, the last one first
Entry: TypeAlias = tuple[int, Context, Node]  # depth, context (perhaps a longer one), branch
NEVER = -1  # a depth that no branch has


class Alike:
    """Open branches with the same context: those that are met first, and the rest."""

    __slots__ = ("context", "due", "first", "rest")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.due = NEVER  # the depth of `first`
        self.first: list[Entry] = []
        self.rest: list[Entry] = []

    def look_below(self, depth: int) -> bool:
        """Find those that are met first after this depth; False if there are none."""
        self.rest += self.first
        self.due = min((entry[0] for entry in self.rest if entry[0] > depth), default=NEVER)
        self.first = [entry for entry in self.rest if entry[0] == self.due]
        self.rest = [entry for entry in self.rest if entry[0] != self.due]
        return self.due != NEVER


class Traversal:
    """The open branches in the order in which one walks down the tree, by contexts of k
    branches.
    """

    def __init__(self, k: int) -> None:
        self.k = k
        self.depth = -1  # the depth that the walk has come to
        self._alike: dict[Context, Alike] = {}
        self._due: list[list[Alike]] = []  # by depth, the branches that are met there

    def add(self, entry: Entry, cache: set[Context]) -> None:
        """Take in a branch; one above the present depth, or in a context selected before, waits
        for the next traversal.
        """
        depth, context, _ = entry
        context = context[: self.k]
        alike = self._alike.get(context)
        if alike is None:
            alike = self._alike[context] = Alike(context)
        if depth == alike.due:
            alike.first.append(entry)
        elif depth <= self.depth or depth > alike.due >= 0 or context in cache:
            alike.rest.append(entry)
        else:
            alike.rest += alike.first
            alike.first, alike.due = [entry], depth
            self._plan(alike)

    def _plan(self, alike: Alike) -> None:
        while len(self._due) <= alike.due:
            self._due.append([])
        self._due[alike.due].append(alike)

    def next(self, random: Random) -> Alike | None:
        """The branches of a random context that is due at the present depth, or at the next depth
        that has one; None at the bottom.
        """
        while True:
            while self.depth < 0 or not self._due[self.depth]:
                if self.depth + 1 >= len(self._due):
                    return None
                self.depth += 1
            alike = drawn(self._due[self.depth], random)
            if alike.due == self.depth:
                return alike

    def put_off(self, alike: Alike) -> None:
        """Plan the branches of this context further down, since all of its first ones were tried
        by others.
        """
        if alike.look_below(self.depth):
            self._plan(alike)

    def entries(self) -> Iterator[Entry]:
        for alike in self._alike.values():
            yield from alike.first
            yield from alike.rest

    def clear(self) -> None:
        self._alike.clear()


T = TypeVar("T")


def drawn(some: list[T], random: Random) -> T:
    """Take out one of the elements at random, and return it."""
    position = int(random.random() * len(some))
    some[position], some[-1] = some[-1], some[position]
    return some.pop()
