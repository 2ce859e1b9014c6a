"""The linear equations of a loop, factored once and kept up to date row by row.

x_s = constant_s + sum over t in the loop of Pr(s,t) x_t. The states are eliminated in a sparse
order, so that each is expressed by a constant and by states after it. A changed row or constant is
followed along that order only, and a value is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from symcrete.search.chains.components import elimination_order


class LoopEquations:
    """The equations of one strongly connected component.

    Weights are normalised with sums of probabilities only, never with differences (Grassmann,
    Taksar and Heyman), which keeps a loop accurate that is left once in a million rounds.
    """

    def __init__(self, members: Sequence[int], targets: Sequence[Sequence[int]]) -> None:
        self.members, later = elimination_order(members, targets)
        size = len(self.members)
        self._place = place = {state: i for i, state in enumerate(self.members)}
        self._inside = [  # positions of the targets in the loop, None for those outside
            [place.get(target) for target in targets[state]] for state in self.members
        ]
        self._later = [[place[state] for state in states] for states in later]
        self._earlier: list[list[int]] = [[] for _ in range(size)]
        for i, following in enumerate(self._later):
            for j in following:
                self._earlier[j].append(i)
        self._rows: list[Sequence[float]] = [[] for _ in range(size)]
        self._upper: list[list[float]] = [[] for _ in range(size)]  # weights of the later states
        # by position, the weights of the earlier states that were substituted
        self._lower: list[dict[int, float]] = [{} for _ in range(size)]
        self._leaving = [0.0] * size  # the chance to leave the loop before any later state
        self._pivot = [0.0] * size  # what the weights were divided by
        self._given = [0.0] * size  # the constants as they were assigned
        self._constant = [0.0] * size  # the given constants, with the earlier states substituted
        self._stale: set[int] = set()  # constants to be computed again
        self._value = [0.0] * size
        self._computed = [0] * size  # the version for which the value holds
        self._version = 1
        self._inverse: list[dict[int, float]] = [{} for _ in range(size)]  # rows of the inverse
        self._inverted = [0] * size  # the version of the factors for which these entries hold
        self._factored = 1  # the version of the factors

    def refactor(self, rows: Mapping[int, Sequence[float]]) -> bool:
        """Take new probabilities of the targets of some states; whether any factor changed."""
        for state, row in rows.items():
            self._rows[self._place[state]] = row
        dirty = _Ascending(self._place[state] for state in rows)
        changed = False
        for i in dirty:
            if self._eliminate(i):
                changed = True
                self._stale.add(i)
                dirty.update(self._later[i])
        self._version += changed
        self._factored += changed
        return changed

    def assign(self, constants: Mapping[int, float]) -> None:
        """Take new constants of some states."""
        for state, constant in constants.items():
            i = self._place[state]
            if constant != self._given[i]:
                self._given[i] = constant
                self._stale.add(i)

    def value(self, state: int) -> float:
        """The solution for one state."""
        if self._stale:
            self._substitute()
        last = self._place[state]
        if self._computed[last] != self._version:
            for i in reversed(self._ahead(last, self._computed, self._version)):
                value = self._constant[i]
                for j, weight in zip(self._later[i], self._upper[i], strict=True):
                    value += weight * self._value[j]
                self._value[i] = value
                self._computed[i] = self._version
        return self._value[last]

    def visits(self, state: int) -> float:
        """How often a run that is in this state will be in it, now included: one entry of the
        inverse.
        """
        place = self._place[state]
        if self._inverted[place] != self._factored:
            for i in reversed(self._ahead(place, self._inverted, self._factored)):
                self._invert(i)
        return self._inverse[place][place]

    def _invert(self, i: int) -> None:
        """The entries of the inverse between a state and those by which it is expressed.

        They follow from the entries among the latter (Takahashi, Fagan and Chen), so all those that
        are ever needed take no longer than the elimination did.
        """
        inverse, later, pivot = self._inverse, self._later[i], self._pivot[i]
        lower = [(k, self._lower[k][i]) for k in later if i in self._lower[k]]
        own = inverse[i]
        for j in later:
            own[j] = 0.0
            row = inverse[j]
            entry = 0.0
            for k, weight in lower:
                entry += row[k] * weight
            row[i] = entry / pivot
        diagonal = 1 / pivot
        for k, weight in zip(later, self._upper[i], strict=True):
            row = inverse[k]
            diagonal += row[i] * weight
            for j in later:
                own[j] += row[j] * weight
        own[i] = diagonal
        self._inverted[i] = self._factored

    def _eliminate(self, i: int) -> bool:
        """Express a state by the later ones; whether that came out differently."""
        weights: dict[int, float] = {}
        leaving = 0.0
        whole = 0.0
        for j, probability in zip(self._inside[i], self._rows[i], strict=True):
            whole += probability
            if j is None:
                leaving += probability
            else:
                weights[j] = probability
        leaving += max(0.0, 1.0 - whole)
        lower: dict[int, float] = {}
        for k in self._earlier[i]:
            weight = weights.pop(k, 0.0)
            if weight:
                lower[k] = weight
                leaving += weight * self._leaving[k]
                for j, share in zip(self._later[k], self._upper[k], strict=True):
                    weights[j] = weights.get(j, 0.0) + weight * share
        weights.pop(i, None)
        pivot = leaving + sum(weights.values())
        if pivot <= 0.0:
            raise ValueError(f"runs never leave the loop through state number {self.members[i]}")
        leaving /= pivot
        upper = [weights.get(j, 0.0) / pivot for j in self._later[i]]
        before = self._pivot[i], self._leaving[i], self._upper[i], self._lower[i]
        self._pivot[i], self._leaving[i], self._upper[i], self._lower[i] = (
            pivot, leaving, upper, lower,
        )  # fmt: skip
        return before != (pivot, leaving, upper, lower)

    def _substitute(self) -> None:
        """Compute the constants again that depend on what has changed."""
        dirty = _Ascending(self._stale)
        self._stale = set()
        self._version += 1
        for i in dirty:
            constant = self._given[i]
            for k, weight in self._lower[i].items():
                constant += weight * self._constant[k]
            constant /= self._pivot[i]
            if constant != self._constant[i]:
                self._constant[i] = constant
                dirty.update(self._later[i])

    def _ahead(self, first: int, done: Sequence[int], version: int) -> list[int]:
        """`first` and the states by which it is expressed, directly or not, in elimination order.

        Those done in this version are left out, with the states by which they are expressed: these
        are done, too.
        """
        found = {first}
        work = [first]
        while work:
            for j in self._later[work.pop()]:
                if j not in found and done[j] != version:
                    found.add(j)
                    work.append(j)
        return sorted(found)


class _Ascending:
    """A set of positions, gone through in ascending order while larger ones are added."""

    def __init__(self, positions: Iterable[int]) -> None:
        self._known = set(positions)
        self._heap = list(self._known)
        heapify(self._heap)

    def update(self, positions: Iterable[int]) -> None:
        for position in positions:
            if position not in self._known:
                self._known.add(position)
                heappush(self._heap, position)

    def __iter__(self) -> Iterator[int]:
        while self._heap:
            yield heappop(self._heap)
