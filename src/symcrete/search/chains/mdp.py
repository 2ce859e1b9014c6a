"""The optimal concolic testing strategy: the best policy of a Markov decision process with costs.

A state of the process is the set of program states covered so far, an action is random testing or
the symbolic execution of a path, and the optimal strategy is the policy with the least expected
cost until everything is covered (Definition 3.5 of "Towards Optimal Concolic Testing"). Coverage
only grows, so the process has no cycles but self-loops, and one pass over the sets of covered
states solves it exactly. There are exponentially many such sets: this is for chains of some
twenty states, as a yardstick for strategies that can be afforded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Generic, TypeAlias

from symcrete.search.chains.markov import TOLERANCE, MarkovChain, State
from symcrete.slotted import dataclass

Mask: TypeAlias = int  # a set of states; bit i is the chain's i-th state
EdgeCosts: TypeAlias = Mapping[tuple[State, State], float]


@dataclass(frozen=True, slots=True)
class Action(Generic[State]):
    """Random testing, or the symbolic execution of a path from the initial state."""

    path: tuple[State, ...] | None  # None: random testing
    cost: float
    outcomes: tuple[tuple[Mask, float], ...]  # what the test covers, and how likely


@dataclass(frozen=True, slots=True)
class Optimum(Generic[State]):
    """The least expected cost from every reachable coverage, and the action that achieves it."""

    cost: float
    value: Mapping[Mask, float]
    policy: Mapping[Mask, Action[State]]


class CoverageProcess(Generic[State]):
    """The decision process of a chain: what each action costs and may cover."""

    def __init__(
        self,
        chain: MarkovChain[State],
        executions: Iterable[tuple[Sequence[State], float]],
        *,
        random_cost: float = 1.0,
    ) -> None:
        self.chain = chain
        self.bit: dict[State, Mask] = {state: 1 << i for i, state in enumerate(chain.successors)}
        self.goal = self.mask(chain.reachable())
        self._endings: dict[State, dict[Mask, float]] = {}
        self.random_testing: Action[State] = Action(
            None, random_cost, self._outcomes((chain.initial,))
        )
        self.actions: list[Action[State]] = [self.random_testing]
        for path, cost in executions:
            self.actions.append(Action(tuple(path), cost, self._outcomes(path)))

    def mask(self, states: Iterable[State]) -> Mask:
        covered = 0
        for state in states:
            covered |= self.bit[state]
        return covered

    def states(self, mask: Mask) -> set[State]:
        return {state for state, bit in self.bit.items() if mask & bit}

    def step(self, covered: Mask, action: Action[State]) -> dict[Mask, float]:
        """The coverage after an action, with probabilities."""
        following: dict[Mask, float] = {}
        for gained, probability in action.outcomes:
            after = covered | gained
            following[after] = following.get(after, 0.0) + probability
        return following

    def solve(
        self, start: Mask = 0, *, allowed: Iterable[Action[State]] | None = None
    ) -> Optimum[State]:
        """The best policy from this coverage on, with all actions or only the allowed ones."""
        actions = list(self.actions if allowed is None else allowed)
        bound = _LowerBound(self, actions)
        value: dict[Mask, float] = {self.goal: 0.0}
        policy: dict[Mask, Action[State]] = {}
        work = [start]
        while work:
            covered = work[-1]
            if covered in value:
                work.pop()
                continue
            choice = self._best(covered, actions, value, bound)
            if isinstance(choice, list):
                work.extend(choice)
                continue
            value[covered], best = choice
            if best is None:
                raise ValueError("no action ever covers what is left to be covered")
            policy[covered] = best
            work.pop()
        return Optimum(value[start], value, policy)

    def _best(
        self,
        covered: Mask,
        actions: Sequence[Action[State]],
        value: Mapping[Mask, float],
        bound: _LowerBound[State],
    ) -> tuple[float, Action[State] | None] | list[Mask]:
        """The best action and its value, or the successors that have to be solved first."""
        least: float = inf
        best: Action[State] | None = None
        for estimate, action, leaving, following in self._promising(covered, actions, bound):
            if estimate >= least:
                break
            missing = [after for after in following if after not in value]
            if missing:
                return missing
            total = action.cost + sum(p * value[after] for after, p in following.items())
            cost = total / leaving  # repeated until something is covered
            if cost < least:
                least, best = cost, action
        return least, best

    def _promising(
        self, covered: Mask, actions: Sequence[Action[State]], bound: _LowerBound[State]
    ) -> Iterator[tuple[float, Action[State], float, dict[Mask, float]]]:
        """Actions that can cover something new, in the order of what they cost at least."""
        ranked = []
        for place, action in enumerate(actions):
            following = self.step(covered, action)
            following.pop(covered, None)
            leaving = sum(following.values())  # precise also where staying is almost certain
            if leaving > 0:
                least = action.cost + sum(p * bound.of(after) for after, p in following.items())
                ranked.append((least / leaving, place, leaving, following))
        ranked.sort(key=lambda entry: entry[:2])
        for least, place, leaving, following in ranked:
            yield least, actions[place], leaving, following

    def _outcomes(self, path: Sequence[State]) -> tuple[tuple[Mask, float], ...]:
        certain = self.mask(path)
        last = path[-1]
        if last not in self._endings:
            self._endings[last] = visited_sets(self.chain, last, self.bit)
        merged: dict[Mask, float] = {}
        for gained, probability in self._endings[last].items():
            merged[certain | gained] = merged.get(certain | gained, 0.0) + probability
        return tuple(merged.items())


class _LowerBound(Generic[State]):
    """A lower bound of the cost still to be paid: what the dearest uncovered state alone costs."""

    def __init__(self, process: CoverageProcess[State], actions: Sequence[Action[State]]) -> None:
        self._memo: dict[Mask, float] = {}
        alone = []
        for bit in process.bit.values():
            if not bit & process.goal:
                continue
            cheapest: float = inf
            for action in actions:
                reached = sum(p for gained, p in action.outcomes if gained & bit)
                if reached > 0:
                    cheapest = min(cheapest, action.cost / reached)
            alone.append((cheapest, bit))
        self._alone = sorted(alone, reverse=True)

    def of(self, covered: Mask) -> float:
        if covered not in self._memo:
            self._memo[covered] = next(
                (cost for cost, bit in self._alone if not covered & bit), 0.0
            )
        return self._memo[covered]


def visited_sets(
    chain: MarkovChain[State], start: State, bit: Mapping[State, Mask]
) -> dict[Mask, float]:
    """Which sets of states the rest of a run visits from `start`, and how likely (equation 1).

    Loops make infinitely many runs, but a run only moves within the set it has visited or enlarges
    it. So the sets are taken by size, each with the states in which runs entered it, and the moves
    within one set are a small linear system.
    """
    entered: dict[Mask, dict[State, float]] = {bit[start]: {start: 1.0}}
    ended: dict[Mask, float] = {}
    heap = [(1, bit[start])]
    while heap:
        size, mask = heappop(heap)
        for state, times in _times_within(chain, entered.pop(mask), mask, bit).items():
            stop = chain.ending(state)
            if stop:
                ended[mask] = ended.get(mask, 0.0) + times * stop
            for target, probability in chain.successors[state].items():
                if probability > 0 and not bit[target] & mask:
                    larger = mask | bit[target]
                    if larger not in entered:
                        entered[larger] = {}
                        heappush(heap, (size + 1, larger))
                    flow = entered[larger]
                    flow[target] = flow.get(target, 0.0) + times * probability
    return ended


def _times_within(
    chain: MarkovChain[State],
    entered: Mapping[State, float],
    mask: Mask,
    bit: Mapping[State, Mask],
) -> dict[State, float]:
    """How often each state is visited before a run ends or leaves the set `mask`."""
    inside: dict[State, dict[State, float]] = {}
    work = list(entered)
    while work:
        state = work.pop()
        if state not in inside:
            row = chain.successors[state].items()
            inside[state] = {target: p for target, p in row if p > 0 and bit[target] & mask}
            work.extend(inside[state])
    if not any(inside.values()):
        return dict(entered)
    return _expected_visits(inside, entered)


def _expected_visits(
    moves: Mapping[State, Mapping[State, float]], entered: Mapping[State, float]
) -> dict[State, float]:
    """The solution of x = entered + x moves by Gaussian elimination; the systems are tiny."""
    states = list(moves)
    place = {state: i for i, state in enumerate(states)}
    size = len(states)
    matrix = [[float(i == j) for j in range(size)] for i in range(size)]
    for state, row in moves.items():
        for target, probability in row.items():
            matrix[place[target]][place[state]] -= probability
    right = [entered.get(state, 0.0) for state in states]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(matrix[r][i]))
        if abs(matrix[pivot][i]) < TOLERANCE * TOLERANCE:
            raise ValueError(f"runs never leave the loop through {states[i]!r}")
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        right[i], right[pivot] = right[pivot], right[i]
        for r in range(i + 1, size):
            factor = matrix[r][i] / matrix[i][i]
            if factor:
                for c in range(i, size):
                    matrix[r][c] -= factor * matrix[i][c]
                right[r] -= factor * right[i]
    for i in reversed(range(size)):
        right[i] -= sum(matrix[i][c] * right[c] for c in range(i + 1, size))
        right[i] /= matrix[i][i]
    return dict(zip(states, right, strict=True))


def cheapest_executions(
    chain: MarkovChain[State], costs: EdgeCosts[State]
) -> list[tuple[tuple[State, ...], float]]:
    """All paths worth executing symbolically where a path costs the sum of its transitions.

    What an execution covers depends only on the states of its path and on the last one, so the
    cheapest path for each such pair is enough; and a path whose last transition has no alternative
    covers no more than the path without it. Where a run may stop instead, that is an alternative.
    """
    bit = {state: 1 << i for i, state in enumerate(chain.successors)}
    best: dict[tuple[Mask, State], float] = {}
    paths: list[tuple[tuple[State, ...], float]] = []
    heap: list[tuple[float, int, Mask, tuple[State, ...]]] = []
    heappush(heap, (0.0, 0, bit[chain.initial], (chain.initial,)))
    tie = 0
    while heap:
        cost, _, mask, path = heappop(heap)
        state = path[-1]
        if (mask, state) in best:
            continue
        best[mask, state] = cost
        if len(path) > 1 and _has_alternative(chain, path[-2]):
            paths.append((path, cost))
        for target, probability in chain.successors[state].items():
            if probability > 0:
                tie += 1
                further = cost + costs[state, target]
                heappush(heap, (further, tie, mask | bit[target], (*path, target)))
    return paths


def _has_alternative(chain: MarkovChain[State], state: State) -> bool:
    ways = sum(1 for probability in chain.successors[state].values() if probability > 0)
    return ways > 1 or chain.ending(state) > 0
