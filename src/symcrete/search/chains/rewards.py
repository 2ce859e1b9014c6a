"""How much new coverage the next run is expected to bring, kept up to date run by run.

R_s = (1 if s is uncovered else 0) + sum over t of Pr(s,t) R_t ("Towards Optimal Concolic Testing",
section 4.2). Without loops this is one sweep from the sinks to the entry; the states of a loop form
a sparse linear system. After a run only what depends on the rows and states it changed is computed
again, and states from which everything is covered have R = 0 for good and are not looked at again.

In a loop these equations count a state once for every visit. With `once=True` every uncovered state
counts once per run: its reward is lowered to the probability of not coming back to it, which makes
R_s exactly the expected number of newly covered states. That takes the diagonal of the inverse of
each loop that has changed, where states are uncovered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush

from symcrete.search.chains.components import strongly_connected
from symcrete.search.chains.elimination import LoopEquations
from symcrete.search.chains.markov import MarkovChain, State


class ExpectedReward:
    """The solution of the reward equations over the states 0..n-1 of one graph."""

    def __init__(
        self,
        targets: Sequence[Sequence[int]],
        row: Callable[[int], Sequence[float]],
        covered: Collection[int] = (),
        *,
        once: bool = False,
    ) -> None:
        """`row(s)` gives the probabilities of `targets[s]` as they are when it is called."""
        self._targets = targets
        self._row = row
        self._once = once
        self._covered = [False] * len(targets)
        self._reward = [1.0] * len(targets)
        # R; within loops only of the states where runs enter them
        self._value = [0.0] * len(targets)
        self._behind = [0.0] * len(targets)  # in loops: the part of R from other components
        self._members = strongly_connected(targets)
        self._component = component = [0] * len(targets)
        for place, members in enumerate(self._members):
            for state in members:
                component[state] = place
        self._loops = [
            LoopEquations(members, targets)
            if len(members) > 1 or members[0] in targets[members[0]]
            else None
            for members in self._members
        ]
        # by state, the states of other components that lead to it
        self._sources: list[list[int]] = [[] for _ in targets]
        # by component, the components that lead to it
        self._upstream: list[set[int]] = [set() for _ in self._members]
        for state, following in enumerate(targets):
            for target in following:
                if component[target] != component[state]:
                    self._sources[target].append(state)
                    self._upstream[component[target]].add(component[state])
        self._entries = [
            [state for state in members if self._sources[state]] for members in self._members
        ]
        # By component, how many of its states are uncovered and of the components after it alive;
        # at 0 it is dead: nothing new can come of it.
        self._alive = [len(members) for members in self._members]
        for upstream in self._upstream:
            for place in upstream:
                self._alive[place] += 1
        self._rows_changed: dict[int, set[int]] = {}
        self._constants_changed: dict[int, set[int]] = {}
        self._agenda: list[int] = []
        self.update(range(len(targets)), covered)

    def of(self, state: int) -> float:
        """R of this state."""
        place = self._component[state]
        loop = self._loops[place]
        if loop is None or not self._alive[place]:
            return self._value[state]
        return loop.value(state)

    def update(self, rows: Iterable[int], newly_covered: Iterable[int] = ()) -> None:
        """Take in that these rows may have changed and that these states are now covered."""
        for state in newly_covered:
            if not self._covered[state]:
                self._covered[state] = True
                self._reward[state] = 0.0
                self._touch(self._constants_changed, state)
                self._lose(self._component[state])
        for state in rows:
            self._touch(self._rows_changed, state)
        self._settle()

    def weigh(self, rewards: Mapping[int, float]) -> None:
        """Give uncovered states rewards other than 1."""
        for state, reward in rewards.items():
            if not self._covered[state] and reward != self._reward[state]:
                self._reward[state] = reward
                self._touch(self._constants_changed, state)
        self._settle()

    def _touch(self, kind: dict[int, set[int]], state: int) -> None:
        place = self._component[state]
        if self._alive[place]:
            if place not in kind:
                kind[place] = set()
                heappush(self._agenda, place)
            kind[place].add(state)

    def _lose(self, place: int) -> None:
        """Count down what keeps a component alive; when nothing is left, the components before it
        lose one, too.
        """
        work = [place]
        while work:
            place = work.pop()
            self._alive[place] -= 1
            if not self._alive[place]:
                work.extend(self._upstream[place])
                for state in self._members[place]:
                    self._publish(state, 0.0)

    def _settle(self) -> None:
        """Compute again what has changed; components are numbered from the sinks on, so each is
        dealt with once.
        """
        while self._agenda:
            place = heappop(self._agenda)
            rows = self._rows_changed.pop(place, set())
            constants = self._constants_changed.pop(place, set())
            if not self._alive[place] or not (rows or constants):
                continue
            loop = self._loops[place]
            if loop is None:
                (state,) = self._members[place]
                self._publish(state, self._reward[state] + self._beyond(state))
            else:
                self._settle_loop(loop, rows, constants)
                for state in self._entries[place]:
                    self._publish(state, loop.value(state))

    def _settle_loop(self, loop: LoopEquations, rows: set[int], constants: set[int]) -> None:
        refactored = loop.refactor({state: self._row(state) for state in rows})
        affected = rows | constants
        for state in affected:
            self._behind[state] = self._beyond(state)
        if refactored and self._once:
            affected.update(state for state in loop.members if not self._covered[state])
        loop.assign({state: self._constant(loop, state) for state in affected})

    def _constant(self, loop: LoopEquations, state: int) -> float:
        reward = self._reward[state]
        if reward and self._once:
            reward /= loop.visits(state)
        return reward + self._behind[state]

    def _beyond(self, state: int) -> float:
        """The part of R that comes from other components."""
        place = self._component[state]
        total = 0.0
        for target, probability in zip(self._targets[state], self._row(state), strict=True):
            if self._component[target] != place:
                total += probability * self._value[target]
        return total

    def _publish(self, state: int, value: float) -> None:
        if value != self._value[state]:
            self._value[state] = value
            for source in self._sources[state]:
                self._touch(self._constants_changed, source)


def expected_rewards(
    chain: MarkovChain[State], covered: Collection[State] = (), *, once: bool = False
) -> dict[State, float]:
    """R of every state of a chain with known probabilities."""
    number = {state: place for place, state in enumerate(chain.successors)}
    rows = list(chain.successors.values())
    solution = ExpectedReward(
        [[number[target] for target in row] for row in rows],
        lambda state: list(rows[state].values()),
        [number[state] for state in covered],
        once=once,
    )
    return {state: solution.of(place) for state, place in number.items()}
