"""Which conditions of a path share variables with the one to be flipped, directly or through
others.

The rest of the path cannot be broken by changing only those variables, so it need not be solved
again (CUTE's incremental solving). The index outlives the query: the next constraint mostly shares
its prefix with the last one, and only what differs is looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from symcrete.constraint.form import AT_LEAST, AT_MOST, form
from symcrete.terms.term import Term
from symcrete.terms.visit import names

# Groups without conditions are dropped once there are more groups than the first number, and the
# second for each condition of the path; chosen, not measured.
MOST_EMPTY_GROUPS, MOST_GROUPS_EACH = 1000, 4
AFTER_EVERYTHING = 1 << 60  # a position after every condition of any path
_Names = frozenset[str]
_Sum = tuple[int, tuple[tuple[str, int], ...]]


class Dependence:
    """An index over one path; `follow` moves it to another.

    With `tightest`, of several bounds on the same sum only the tightest counts, the others follow
    from it: of the conditions `0 < n`, `1 < n`, ... that a loop leaves, the last.
    """

    def __init__(self, *, tightest: bool = False) -> None:
        self.path: list[Term] = []
        # Conditions over the same variables are one group: its positions in the path, ascending.
        self._positions: dict[_Names, list[int]] = {}
        self._occupied = 0  # groups that have a position
        self._groups_of: dict[str, list[_Names]] = {}
        self._first: dict[Term, int] = {}  # by condition, its first place
        self._tightest = tightest
        # by sum, its tightest bound and the place of that
        self._best: dict[_Sum, tuple[int, int]] = {}
        # by place, what `_best` held before, to go back to
        self._before: dict[int, tuple[_Sum, tuple[int, int] | None]] = {}
        self._superseded: dict[int, int] = {}  # by place, the later place with a tighter bound
        self._implied: set[int] = set()  # places whose condition follows from an earlier one

    def follow(self, prefix: tuple[Term, ...]) -> int:
        """Make the index cover this prefix; it may reach further along the same path.

        Returns how many leading conditions it had before.
        """
        path = self.path
        known = len(path)
        count = len(prefix)
        if known >= count:
            if tuple(path[:count]) == prefix:
                return known
        elif tuple(path) == prefix[:known]:
            self._extend(prefix, known)
            return known
        shared = first_difference(path, prefix)
        self._shorten(shared)
        self._extend(prefix, shared)
        return shared

    def connected(self, goal: Term, count: int) -> tuple[list[int], bool]:
        """The positions below `count` that depend on the goal's variables, ascending, and whether
        the path may have conditions on other variables: also one at `count` or later counts.
        """
        seen: set[str] = set(goal.names if goal.names is not None else names(goal))
        todo = list(seen)
        groups: set[_Names] = set()
        found: list[int] = []
        groups_of = self._groups_of
        while todo:
            for group in groups_of.get(todo.pop(), ()):
                if group in groups:
                    continue
                positions = self._positions[group]
                if not positions or positions[0] >= count:
                    continue
                groups.add(group)
                if positions[-1] < count:
                    found += positions
                else:
                    found += positions[: bisect_left(positions, count)]
                if not group <= seen:
                    todo += group - seen
                    seen |= group
        if self._superseded:
            superseded = self._superseded
            found = [place for place in found if superseded.get(place, count) >= count]
        found.sort()
        return found, len(groups) < self._occupied

    def place_of(self, condition: Term) -> int:
        """Where the condition first stands on the path; a large number if it does not."""
        return self._first.get(condition, AFTER_EVERYTHING)

    def _extend(self, prefix: tuple[Term, ...], start: int) -> None:
        positions, first = self._positions, self._first
        for place in range(start, len(prefix)):
            condition = prefix[place]
            first.setdefault(condition, place)
            if self._tightest and self._follows_from_another(condition, place):
                self._implied.add(place)
                continue
            group = condition.names
            if group is None:
                group = names(condition)
            held = positions.get(group)
            if held is None:
                positions[group] = held = []
                for name in group:
                    self._groups_of.setdefault(name, []).append(group)
            self._occupied += not held
            held.append(place)
        self.path += prefix[start:]

    def _follows_from_another(self, condition: Term, place: int) -> bool:
        """Whether an earlier bound on the same sum is at least as tight; if not, this one is noted
        as the tightest.
        """
        shape = form(condition)
        if shape is None or shape.relation > AT_LEAST:
            return False
        key = (shape.relation, shape.pairs)
        bound = shape.bound if shape.relation == AT_MOST else -shape.bound
        best = self._best.get(key)
        if best is not None:
            if bound >= best[0]:
                return True
            self._superseded[best[1]] = place
        self._before[place] = key, best
        self._best[key] = bound, place
        return False

    def _shorten(self, count: int) -> None:
        for place in range(len(self.path) - 1, count - 1, -1):
            condition = self.path[place]
            if self._first[condition] == place:
                del self._first[condition]
            if place in self._implied:
                self._implied.discard(place)
                continue
            held = self._positions[names(condition)]
            held.pop()
            self._occupied -= not held
            if place in self._before:
                self._go_back(*self._before.pop(place))
        del self.path[count:]
        if len(self._positions) > MOST_EMPTY_GROUPS + MOST_GROUPS_EACH * len(self.path):
            self._drop_empty_groups()

    def _go_back(self, key: _Sum, best: tuple[int, int] | None) -> None:
        if best is None:
            del self._best[key]
        else:
            self._best[key] = best
            del self._superseded[best[1]]

    def _drop_empty_groups(self) -> None:
        self._positions = {group: held for group, held in self._positions.items() if held}
        self._groups_of = {}
        for group in self._positions:
            for name in group:
                self._groups_of.setdefault(name, []).append(group)


def first_difference(one: Sequence[Term], two: Sequence[Term]) -> int:
    """How many leading conditions two paths share."""
    low, high = 0, min(len(one), len(two))
    # Halving with slice comparisons: a handful of calls into C instead of a loop over the path.
    while low < high:
        middle = (low + high + 1) // 2
        if tuple(one[low:middle]) == tuple(two[low:middle]):
            low = middle
        else:
            high = middle - 1
    return low
