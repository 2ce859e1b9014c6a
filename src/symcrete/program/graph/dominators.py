"""Dominators: what every path from the entry to a place must pass.

Works on plain adjacency lists of numbers, so that functions, whole programs, and their reversals
(post-dominators) are all the same to it. The algorithm is Cooper, Harvey and Kennedy's "A simple,
fast dominance algorithm": the maximal fixed point of dom(n) = {n} + the intersection of dom(p) over
the predecessors p, kept as a tree.
"""

from __future__ import annotations

from collections.abc import Sequence

UNREACHED = -1  # in place of a dominator: no path from the entry leads to the node


class DominatorTree:
    """Tells in constant time which node dominates which."""

    def __init__(self, after: Sequence[Sequence[int]], root: int) -> None:
        self.root = root
        self.parent = immediate_dominators(after, root)
        self._enter, self._leave = _intervals(self.parent, root)

    def dominates(self, a: int, b: int) -> bool:
        """Whether every path from the root to b passes a; False if a or b cannot be reached."""
        entered = self._enter[a]
        return 0 <= entered <= self._enter[b] <= self._leave[a]

    def strictly_dominates(self, a: int, b: int) -> bool:
        return a != b and self.dominates(a, b)


def immediate_dominators(after: Sequence[Sequence[int]], root: int) -> list[int]:
    """The nearest strict dominator of each node; the root has itself, and a node that no path leads
    to has `UNREACHED`.
    """
    order = reverse_postorder(after, root)
    position = [UNREACHED] * len(after)
    for place, node in enumerate(order):
        position[node] = place
    before: list[list[int]] = [[] for _ in order]  # by position, as everything below
    for place, node in enumerate(order):
        for target in after[node]:
            before[position[target]].append(place)
    nearest = [UNREACHED] * len(order)
    nearest[0] = 0
    changed = True
    while changed:
        changed = False
        for place in range(1, len(order)):
            found = UNREACHED
            for source in before[place]:
                if nearest[source] != UNREACHED:
                    found = source if found == UNREACHED else _meet(nearest, found, source)
            if nearest[place] != found:
                nearest[place] = found
                changed = True
    parent = [UNREACHED] * len(after)
    for place, node in enumerate(order):
        parent[node] = order[nearest[place]]
    return parent


def _meet(nearest: list[int], a: int, b: int) -> int:
    """The closest common ancestor in the tree so far; ancestors have smaller positions."""
    while a != b:
        while a > b:
            a = nearest[a]
        while b > a:
            b = nearest[b]
    return a


def reverse_postorder(after: Sequence[Sequence[int]], root: int) -> list[int]:
    """The nodes that can be reached, each before those it leads to, loops aside."""
    seen = bytearray(len(after))
    seen[root] = 1
    order: list[int] = []
    stack = [(root, iter(after[root]))]
    while stack:
        node, targets = stack[-1]
        for target in targets:
            if not seen[target]:
                seen[target] = 1
                stack.append((target, iter(after[target])))
                break
        else:
            order.append(node)
            stack.pop()
    order.reverse()
    return order


def _intervals(parent: Sequence[int], root: int) -> tuple[list[int], list[int]]:
    """Two numbers for each node, such that its interval contains those of all nodes below it in
    the tree.
    """
    children: list[list[int]] = [[] for _ in parent]
    for node, above in enumerate(parent):
        if above != UNREACHED and node != root:
            children[above].append(node)
    enter, leave = [UNREACHED] * len(parent), [UNREACHED] * len(parent)
    count = 0
    stack = [root]
    while stack:
        node = stack[-1]
        if enter[node] == UNREACHED:
            enter[node] = count
            count += 1
            stack += children[node]
        else:
            stack.pop()
            leave[node] = count - 1
    return enter, leave
