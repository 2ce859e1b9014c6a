"""Markov chains of programs: which control location is likely to come next.

A program is abstracted to its control locations and the probability, over random inputs, of going
from one to the next (Definitions 3.1 and 3.3 of "Towards Optimal Concolic Testing", ICSE 2018). The
probabilities are either known (`MarkovChain`) or estimated from the runs seen so far
(`EstimatedChain`, Definition 4.1).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import log2
from typing import Generic, Protocol, TypeVar

from symcrete.search.chains.components import strongly_connected
from symcrete.slotted import dataclass

State = TypeVar("State", bound=Hashable)

RENEWED_AFTER = 1.1  # times as many runs as at the last pooling; chosen, not measured
TOLERANCE = 1e-9  # how far the probabilities out of a state may be from adding up to 1, by rounding


@dataclass(frozen=True, slots=True)
class MarkovChain(Generic[State]):
    """A chain with known probabilities; what is missing to 1 is the probability that a run ends."""

    initial: State
    successors: Mapping[State, Mapping[State, float]]  # every state is a key

    def __post_init__(self) -> None:
        if self.initial not in self.successors:
            raise ValueError(f"the initial state {self.initial!r} is not a state of the chain")
        for state, row in self.successors.items():
            for target, probability in row.items():
                if target not in self.successors:
                    raise ValueError(f"{state!r} leads to {target!r}, which is not a state")
                if not 0 <= probability <= 1 + TOLERANCE:
                    raise ValueError(f"{state!r} leads to {target!r} with {probability}")
            if sum(row.values()) > 1 + TOLERANCE:
                raise ValueError(f"the probabilities out of {state!r} add up to more than 1")

    @property
    def states(self) -> tuple[State, ...]:
        return tuple(self.successors)

    @property
    def sinks(self) -> tuple[State, ...]:
        """The states no transition leaves, where every run ends."""
        return tuple(state for state, row in self.successors.items() if not row)

    def ending(self, state: State) -> float:
        """The probability that a run in this state ends there."""
        remainder = 1.0 - sum(self.successors[state].values())
        return remainder if remainder > TOLERANCE else 0.0

    def probability(self, path: Sequence[State]) -> float:
        """How likely a run that starts where the path does is to begin with this path."""
        product = 1.0
        for state, target in pairwise(path):
            product *= self.successors[state].get(target, 0.0)
        return product

    def reachable(self) -> set[State]:
        """The states some run from the initial state can cover."""
        found = {self.initial}
        work = [self.initial]
        while work:
            for target, probability in self.successors[work.pop()].items():
                if probability > 0 and target not in found:
                    found.add(target)
                    work.append(target)
        return found


class Estimator(Protocol):
    """Turns the transitions seen out of one state into probabilities."""

    def row(self, visits: int, taken: Sequence[int], outcomes: int) -> list[float]:
        """Probabilities of the known transitions, in the order of `taken`.

        `visits` counts how often runs were in the state, `outcomes` how many ways on there are:
        one more than the known transitions where a run has to be able to end.
        """

    def learn(self, runs: int, rows: Iterable[tuple[int, Sequence[int]]]) -> bool:
        """Look at the counts of all states after a run; whether the probabilities of all of them
        change by that.
        """


@dataclass(frozen=True, slots=True)
class Laplace:
    """Estimates (#(s,t) + w) / (#s + n w). Definition 4.1 has w = 1.

    A smaller weight says that rare branches are rarer: with w = 1 a side that n visits have missed
    keeps the probability 1/(n + 2), with w = 0.1 about a tenth of that.
    """

    weight: float = 1.0

    def row(self, visits: int, taken: Sequence[int], outcomes: int) -> list[float]:
        total = visits + self.weight * outcomes
        return [(count + self.weight) / total for count in taken]

    def learn(self, runs: int, rows: Iterable[tuple[int, Sequence[int]]]) -> bool:
        return False


class GoodTuring:
    """Estimates the unseen by the share that was seen once, pooled over states visited equally
    often.

    Most branches have two sides, where the share seen once at one state says nothing: it is 1 after
    one visit and 0 after two. So the sides are pooled over all branching states whose visits have
    the same binary logarithm. One notional sighting is added to each pool, so that nothing possible
    becomes impossible. Transitions not seen yet share the mass equally.
    """

    def __init__(self, *, renewal: float = RENEWED_AFTER) -> None:
        self._renewal = renewal  # pool again when the number of runs has grown by this factor
        self._next = 1.0
        self._unseen: dict[int, float] = {}

    def row(self, visits: int, taken: Sequence[int], outcomes: int) -> list[float]:
        if visits == 0:
            return [1 / outcomes] * len(taken)
        missing = sum(1 for count in taken if not count)
        if outcomes > len(taken) and visits == sum(taken):
            missing += 1  # runs have to be able to end here, and none has yet
        if missing == 0:
            return [count / visits for count in taken]
        mass = self._unseen.get(_magnitude(visits))
        if mass is None:
            mass = 1 / (visits + 2)
        return [(1 - mass) * count / visits if count else mass / missing for count in taken]

    def learn(self, runs: int, rows: Iterable[tuple[int, Sequence[int]]]) -> bool:
        if runs < self._next:
            return False
        self._next = max(runs + 1, runs * self._renewal)
        once: dict[int, int] = {}
        seen: dict[int, int] = {}
        for visits, taken in rows:
            if visits and len(taken) > 1:
                pool = _magnitude(visits)
                once[pool] = once.get(pool, 0) + sum(1 for count in taken if count == 1)
                seen[pool] = seen.get(pool, 0) + visits
        self._unseen = {pool: (once[pool] + 1) / (seen[pool] + 2) for pool in seen}
        return True


def _magnitude(visits: int) -> int:
    return int(log2(visits))


@dataclass(frozen=True, slots=True)
class Observation:
    """What one run changed: states by their numbers in the chain."""

    rows: Collection[int]  # states whose probabilities may differ now
    newly_covered: Sequence[int]
    grown: bool  # whether the run showed a state or a transition that was not known


class EstimatedChain(Generic[State]):
    """The chain of a program as the runs so far suggest it.

    The control flow graph is given at the start; a run that leaves it adds to it. States are
    numbered in the order they become known, for the solvers that work on integers.
    """

    def __init__(
        self,
        initial: State,
        successors: Mapping[State, Iterable[State]],
        *,
        estimator: Estimator | None = None,
    ) -> None:
        self.estimator: Estimator = Laplace() if estimator is None else estimator
        self.states: list[State] = []
        self.number: dict[State, int] = {}
        self.targets: list[list[int]] = []
        self.covered: list[bool] = []
        self.uncovered = 0
        self.runs = 0
        self.random_runs = 0  # those of `runs` in which nothing was solved for
        self.random_runs_through: list[int] = []  # by state
        self._slot: list[dict[int, int]] = []  # where a target stands in `targets` and `_taken`
        self._taken: list[list[int]] = []  # by state, how often each of its targets came next
        self._visits: list[int] = []
        self._endless: set[int] | None = None  # what `_closed_in` gives, once it is known
        self.initial = self._know(initial)
        for state, targets in successors.items():
            source = self._know(state)
            for target in targets:
                self._link(source, self._know(target))

    def observe(self, run: Sequence[State], *, forced: int = 0, times: int = 1) -> Observation:
        """Take in one run, or so many alike, given as the states it went through, in order.

        The first `forced` transitions were solved for. They cover their states but say nothing
        about random inputs, and are not counted. (Definition 4.1 counts all: leave it at 0.)
        """
        known = len(self.states)
        path = [self._know(state) for state in run]
        grown = len(self.states) > known
        for state, target in pairwise(path):
            grown |= self._link(state, target)
        for state, target in pairwise(path[forced:]):
            self._taken[state][self._slot[state][target]] += times
        for state in path[forced:]:
            self._visits[state] += times
        passed = dict.fromkeys(path)
        newly = [state for state in passed if not self.covered[state]]
        for state in newly:
            self.covered[state] = True
        self.uncovered -= len(newly)
        self.runs += times
        if not forced:
            self.random_runs += times
            for state in passed:
                self.random_runs_through[state] += times
        if self.estimator.learn(self.runs, zip(self._visits, self._taken, strict=True)):
            return Observation(range(len(self.states)), newly, grown)
        return Observation(passed, newly, grown)

    def row(self, state: int) -> list[float]:
        """Probabilities of `targets[state]`, in that order."""
        taken = self._taken[state]
        if not taken:
            return []
        outcomes = len(taken) + (state in self._closed_in())
        return self.estimator.row(self._visits[state], taken, outcomes)

    def visits(self, state: State) -> int:
        """#s: how often the counted parts of runs were in this state."""
        return self._visits[self.number[state]]

    def taken(self, state: State, target: State) -> int:
        """#(s,t): how often the counted parts of runs went on from one to the other."""
        source = self.number[state]
        slot = self._slot[source].get(self.number[target])
        return 0 if slot is None else self._taken[source][slot]

    def covered_states(self) -> set[State]:
        return {state for state, covered in zip(self.states, self.covered, strict=True) if covered}

    def estimate(self) -> MarkovChain[State]:
        """The estimated chain as it is now."""
        rows: dict[State, dict[State, float]] = {}
        for number, state in enumerate(self.states):
            targets = [self.states[target] for target in self.targets[number]]
            rows[state] = dict(zip(targets, self.row(number), strict=True))
        return MarkovChain(self.states[self.initial], rows)

    def _know(self, state: State) -> int:
        number = self.number.get(state)
        if number is None:
            number = self.number[state] = len(self.states)
            self.states.append(state)
            self.targets.append([])
            self.covered.append(False)
            self.uncovered += 1
            self.random_runs_through.append(0)
            self._slot.append({})
            self._taken.append([])
            self._visits.append(0)
        return number

    def _link(self, source: int, target: int) -> bool:
        if target in self._slot[source]:
            return False
        self._slot[source][target] = len(self.targets[source])
        self.targets[source].append(target)
        self._taken[source].append(0)
        self._endless = None
        return True

    def _closed_in(self) -> set[int]:
        """The states of loops without a way out: runs do end there, by a limit or an error."""
        if self._endless is None:
            self._endless = set()
            for component in strongly_connected(self.targets):
                inside = set(component)
                if all(self.targets[s] and inside.issuperset(self.targets[s]) for s in component):
                    self._endless |= inside
        return self._endless


def to_dot(chain: MarkovChain[State], covered: Collection[State] = ()) -> str:
    """The chain in Graphviz's language; states not in `covered` are dashed, as in Figure 3."""
    number = {state: place for place, state in enumerate(chain.successors)}
    lines = ["digraph chain {"]
    for state, place in number.items():
        style = "solid" if state in covered else "dashed"
        text = str(state).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  s{place} [label="{text}", style={style}];')
    for state, row in chain.successors.items():
        for target, probability in row.items():
            lines.append(f'  s{number[state]} -> s{number[target]} [label="{probability:.4g}"];')
    return "\n".join([*lines, "}", ""])
