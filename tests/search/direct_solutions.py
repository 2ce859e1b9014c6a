"""Slow and obvious solutions to compare with: exact fractions, dense elimination, no cleverness."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from random import Random

from symcrete.search.chains.markov import MarkovChain


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        pivot = next(r for r in range(i, size) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(size):
            if r != i and rows[r][i]:
                factor = rows[r][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


def rewards(chain: MarkovChain[int], covered: Collection[int]) -> dict[int, float]:
    """The reward equations as the paper writes them."""
    states = list(chain.states)
    matrix = [
        [Fraction(s == t) - Fraction(chain.successors[s].get(t, 0.0)) for t in states]
        for s in states
    ]
    right = [Fraction(s not in covered) for s in states]
    return dict(zip(states, map(float, solve(matrix, right)), strict=True))


def newly_covered(chain: MarkovChain[int], covered: Collection[int]) -> dict[int, float]:
    """The expected number of distinct uncovered states a run visits, one state at a time."""
    states = list(chain.states)
    total = dict.fromkeys(states, 0.0)
    for goal in states:
        if goal not in covered:
            for state, probability in reach(chain, goal).items():
                total[state] += probability
    return total


def reach(chain: MarkovChain[int], goal: int) -> dict[int, float]:
    states = list(chain.states)
    matrix, right = [], []
    for s in states:
        row = {} if s == goal else chain.successors[s]
        matrix.append([Fraction(s == t) - Fraction(row.get(t, 0.0)) for t in states])
        right.append(Fraction(s == goal))
    return dict(zip(states, map(float, solve(matrix, right)), strict=True))


def random_graph(random: Random, size: int) -> dict[int, list[int]]:
    """Any graph: loops, sinks, unreachable states, states that lead to themselves."""
    return {
        state: sorted({random.randrange(size) for _ in range(random.randint(0, 3))})
        for state in range(size)
    }


def random_run(random: Random, graph: dict[int, list[int]], limit: int = 30) -> list[int]:
    run = [0]
    while graph[run[-1]] and len(run) < limit:
        run.append(random.choice(graph[run[-1]]))
    return run


def random_acyclic_chain(random: Random, size: int) -> MarkovChain[int]:
    """State i leads to one or two later states; the last one is the only sure sink."""
    rows: dict[int, dict[int, float]] = {}
    for state in range(size):
        later = range(state + 1, size)
        targets = random.sample(later, min(len(later), random.choice([1, 2, 2])))
        weights = [random.choice([1.0, 1.0, 0.01]) * (random.random() + 0.01) for _ in targets]
        rows[state] = {t: w / sum(weights) for t, w in zip(targets, weights, strict=True)}
    return MarkovChain(0, rows)


def random_cyclic_chain(random: Random, size: int) -> MarkovChain[int]:
    """Any targets; every state ends the run with some probability."""
    rows: dict[int, dict[int, float]] = {}
    for state, targets in random_graph(random, size).items():
        weights = [random.random() + 0.01 for _ in targets]
        stop = 0.3 * sum(weights)
        rows[state] = {t: w / (sum(weights) + stop) for t, w in zip(targets, weights, strict=True)}
    return MarkovChain(0, rows)
