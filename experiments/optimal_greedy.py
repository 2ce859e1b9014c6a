"""The greedy algorithm and its improvement on simulated programs.

These make the same decisions as `symcrete.search.chains.decision.Greedy` and
`symcrete.search.chains.lookahead.LookAhead` (a test compares them), written for acyclic chains of a few
states, because one table takes some ten million of them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import inf

from experiments.optimal_chains import Run, SimulatedProgram
from experiments.optimal_ledger import TESTS_AT_MOST, Attempt
from symcrete.search.chains.lookahead import PSEUDO_COUNT, RECONSIDER

WORTH_FORESEEING = 8  # fewer decisions are made faster than foreseen


class Estimate:
    """Transition counts of one repetition, with the pseudo-counts already in them."""

    def __init__(self, program: SimulatedProgram, weight: float) -> None:
        self.targets = program.targets
        self.sinks_first = program.sinks_first
        self.initial = program.chain.initial
        self._counts = [[weight] * len(targets) for targets in self.targets]
        self._total = [weight * len(targets) for targets in self.targets]
        self.rows = [
            [1 / len(targets)] * len(targets) if targets else [] for targets in self.targets
        ]

    def count(self, path: Sequence[int], times: int = 1) -> None:
        for state, target in pairwise(path):
            targets = self.targets[state]
            if len(targets) > 1:
                counts = self._counts[state]
                counts[targets.index(target)] += times
                self._total[state] = total = self._total[state] + times
                self.rows[state] = [count / total for count in counts]

    def bounds(self, runs: Mapping[Run, int]) -> tuple[list[list[float]], list[list[float]]]:
        """Rows below and above all that come up while these runs are counted one by one."""
        more = [[0] * len(targets) for targets in self.targets]
        for run, times in runs.items():
            for state, target in pairwise(run.path):
                more[state][self.targets[state].index(target)] += times
        low, high = list(self.rows), list(self.rows)
        for state, added in enumerate(more):
            visits = sum(added)
            if visits and len(added) > 1:
                counts, total = self._counts[state], self._total[state]
                low[state] = [count / (total + visits) for count in counts]
                high[state] = [(c + m) / total for c, m in zip(counts, added, strict=True)]
        return low, high

    def rewards(
        self,
        reward: Sequence[float],
        order: Sequence[int],
        rows: Sequence[Sequence[float]] | None = None,
    ) -> list[float]:
        """R of the states in `order`, which has every state after those it leads to."""
        rows = self.rows if rows is None else rows
        solution = [0.0] * len(reward)
        for state in order:
            value = reward[state]
            for target, probability in zip(self.targets[state], rows[state], strict=True):
                value += probability * solution[target]
            solution[state] = value
        return solution


def greedy(attempt: Attempt, *, foresight: bool = True) -> None:
    """Algorithm 2 after every single test, with Laplace's estimate.

    With foresight, tests are drawn in advance, and where bounds on the rewards show that all
    decisions among them would be for random testing, these decisions are left out. The tests are
    the same as without.
    """
    program = attempt.program
    estimate = Estimate(program, 1.0)
    estimate.count(attempt.random_test().path)
    drawn: deque[Run] = deque()
    while attempt.going:
        covered = attempt.covered
        distance, parent = _cheapest(program, covered)
        missing = [attempt.missing(state) for state in range(program.size)]
        frontier = [
            (state, distance[state])
            for state in range(program.size)
            if missing[state] and distance[state] < inf
        ]
        order = _leading_to(program, missing)
        ahead = 1
        while attempt.covered == covered and attempt.tests < TESTS_AT_MOST:
            reward = estimate.rewards(missing, order)
            best, chosen = reward[estimate.initial], None
            for state, cost in frontier:
                if reward[state] > best * cost:
                    best, chosen = reward[state] / cost, state
            if chosen is not None:
                estimate.count(attempt.execute(_path(parent, chosen)))
                break
            runs = _draw(attempt, drawn, ahead if ahead >= WORTH_FORESEEING else 1)
            if len(runs) > 1:
                low, high = estimate.bounds(Counter(runs[:-1]))
                least = estimate.rewards(missing, order, low)[estimate.initial]
                most = estimate.rewards(missing, order, high)
                if all(most[state] <= least * cost for state, cost in frontier):
                    ahead *= 2
                else:
                    drawn.extendleft(reversed(runs[1:]))
                    runs = runs[:1]
                    ahead //= 2
            elif foresight:
                ahead += 1
            for run, times in Counter(runs).items():
                estimate.count(run.path, times)
                attempt.count_random(times, times * run.edges)
                attempt.covered |= run.mask


def _draw(attempt: Attempt, drawn: deque[Run], number: int) -> list[Run]:
    """The next random tests, up to the first that covers something new."""
    program = attempt.program
    runs = []
    for _ in range(min(number, TESTS_AT_MOST - attempt.tests)):
        run = drawn.popleft() if drawn else program.sample(attempt.random, program.chain.initial)
        runs.append(run)
        if run.mask & ~attempt.covered:
            break
    return runs


def greedy_plus(attempt: Attempt) -> None:
    """Weigh every uncovered state by its price; see `symcrete.search.lookahead`."""
    program = attempt.program
    estimate = Estimate(program, PSEUDO_COUNT)
    distance, parent = _cheapest(program, program.everything)
    paths = [_path(parent, state) for state in range(program.size)]
    solving = [
        distance[path[-1]] if len(path) > 1 and len(program.targets[path[-2]]) > 1 else inf
        for path in paths
    ]
    through = [0] * program.size
    runs = 0

    def random_tests(number: int) -> None:
        nonlocal runs
        for run, times in Counter(_draw(attempt, deque(), number)).items():
            estimate.count(run.path, times)
            attempt.count_random(times, times * run.edges)
            attempt.covered |= run.mask
            runs += times
            for state in run.path:
                through[state] += times

    random_tests(1)
    while attempt.going:
        missing = [attempt.missing(state) for state in range(program.size)]
        order = _leading_to(program, missing)
        executions = [
            (state, solving[state], [before for before in paths[state][:-1] if missing[before]])
            for state in order
            if solving[state] < inf
        ]
        covered = attempt.covered
        while attempt.covered == covered and attempt.tests < TESTS_AT_MOST:
            price = _prices(estimate, solving, through, runs)
            worth = [cost if gone else 0.0 for cost, gone in zip(price, missing, strict=True)]
            reward = estimate.rewards(worth, order)
            best, chosen = reward[estimate.initial], None
            for state, cost, before in executions:
                gain = reward[state]
                for passed in before:
                    gain += worth[passed]
                if gain > best * cost:
                    best, chosen = gain / cost, state
            if chosen is None:
                random_tests(max(1, runs // RECONSIDER))
            else:
                path = attempt.execute(paths[chosen])
                estimate.count(path[len(paths[chosen]) - 1 :])


def _prices(
    estimate: Estimate, solving: Sequence[float], through: Sequence[int], runs: int
) -> list[float]:
    price = list(solving)
    price[estimate.initial] = 1.0
    for state in reversed(estimate.sinks_first):
        if through[state]:
            price[state] = min(price[state], runs / through[state])
        cost = price[state]
        for target, probability in zip(estimate.targets[state], estimate.rows[state], strict=True):
            if cost < price[target] * probability:
                price[target] = cost / probability
    return price


def _cheapest(program: SimulatedProgram, covered: int) -> tuple[list[float], list[int | None]]:
    """The cheapest paths through covered states."""
    distance = [inf] * program.size
    parent: list[int | None] = [None] * program.size
    distance[program.chain.initial] = 0.0
    for state in reversed(program.sinks_first):
        if distance[state] < inf and covered >> state & 1:
            for target in program.targets[state]:
                further = distance[state] + program.costs[state, target]
                if further < distance[target]:
                    distance[target] = further
                    parent[target] = state
    return distance, parent


def _path(parent: Sequence[int | None], state: int) -> tuple[int, ...]:
    path = [state]
    before = parent[state]
    while before is not None:
        path.append(before)
        before = parent[before]
    return tuple(reversed(path))


def _leading_to(program: SimulatedProgram, missing: Sequence[bool]) -> list[int]:
    """The states from which something missing can be reached, sinks first."""
    leading: set[int] = set()
    order = []
    for state in program.sinks_first:
        if missing[state] or not leading.isdisjoint(program.targets[state]):
            leading.add(state)
            order.append(state)
    return order
