"""Simulated programs for Table 1 of "Towards Optimal Concolic Testing": chains with solving costs.

A simulated program is an acyclic Markov chain whose transitions have a symbolic execution cost.
`generate` makes fresh ones as the paper describes; `load` reads stored ones.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

from symcrete.search.chains.components import strongly_connected
from symcrete.search.chains.markov import MarkovChain
from symcrete.search.chains.mdp import CoverageProcess, Optimum, cheapest_executions


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity: they are counted by millions
class Run:
    """The rest of a run from some state: the states from there to a sink."""

    path: tuple[int, ...]
    mask: int
    probability: float

    @property
    def edges(self) -> int:
        return len(self.path) - 1


@dataclass(frozen=True)
class SimulatedProgram:
    """A chain, what its transitions cost to solve, and everything precomputed from the two."""

    name: str
    chain: MarkovChain[int]
    costs: dict[tuple[int, int], float]
    runs: list[list[Run]] = field(init=False)  # from every state
    _cumulative: list[list[float]] = field(init=False)

    def __post_init__(self) -> None:
        assert sorted(self.chain.successors) == list(range(self.size))
        assert all(len(component) == 1 for component in strongly_connected(self.targets))
        runs: list[list[Run]] = [[] for _ in range(self.size)]
        for state in self.sinks_first:
            if not self.targets[state]:
                runs[state] = [Run((state,), 1 << state, 1.0)]
            for target, probability in self.chain.successors[state].items():
                for run in runs[target]:
                    path = (state, *run.path)
                    longer = Run(path, run.mask | 1 << state, run.probability * probability)
                    runs[state].append(longer)
        cumulative = [list(accumulate(run.probability for run in some)) for some in runs]
        object.__setattr__(self, "runs", runs)
        object.__setattr__(self, "_cumulative", cumulative)

    @property
    def size(self) -> int:
        return len(self.chain.successors)

    @cached_property
    def targets(self) -> list[list[int]]:
        return [sorted(self.chain.successors[state]) for state in range(self.size)]

    @cached_property
    def sinks_first(self) -> list[int]:
        return [component[0] for component in strongly_connected(self.targets)]

    @cached_property
    def everything(self) -> int:
        return (1 << self.size) - 1

    @cached_property
    def process(self) -> CoverageProcess[int]:
        return CoverageProcess(self.chain, cheapest_executions(self.chain, self.costs))

    @cached_property
    def optimum(self) -> Optimum[int]:
        return self.process.solve()

    @cached_property
    def optimum_of_the_authors(self) -> float:
        """The optimum of the decision process as the authors wrote it down.

        Their model has symbolic executions with only one possible outcome do nothing at all, which
        makes their optimum too high on a few chains.
        """
        allowed = [
            action
            for action in self.process.actions
            if action.path is None or len(action.outcomes) > 1
        ]
        return self.process.solve(allowed=allowed).cost

    def sample(self, random: Random, start: int) -> Run:
        return self.runs[start][self.sample_index(random, start)]

    def sample_index(self, random: Random, start: int) -> int:
        cumulative = self._cumulative[start]
        return min(bisect(cumulative, random.random() * cumulative[-1]), len(cumulative) - 1)

    def cost(self, path: Sequence[int]) -> float:
        return sum(self.costs[edge] for edge in pairwise(path))


def load(path: Path) -> dict[int, list[SimulatedProgram]]:
    """Stored chains by their number of states."""
    stored = json.loads(path.read_text())["chains"]
    return {
        int(size): [
            _program(entry["id"], entry["n"], entry["init"], entry["edges"]) for entry in entries
        ]
        for size, entries in stored.items()
    }


def _program(
    name: str, size: int, initial: int, edges: Sequence[tuple[int, int, float, float]]
) -> SimulatedProgram:
    rows: dict[int, dict[int, float]] = {state: {} for state in range(size)}
    costs = {}
    for source, target, probability, cost in edges:
        rows[source][target] = probability
        costs[source, target] = cost
    return SimulatedProgram(name, MarkovChain(initial, rows), costs)


def generate(
    random: Random, name: str, size: int, *, density: float, rare: float
) -> SimulatedProgram:
    """A fresh chain: state i leads to i+1 and, with probability `density`, to one further state.

    A fifth of the states ends runs. With probability `rare` one side of a branch has a probability
    of one to nine in ten thousand; otherwise both sides are drawn uniformly. Solving a transition
    costs 2 to 1000.
    """
    last = size - 1
    ends = {last, *random.sample(range(1, last), max(0, size // 5 - 1))}
    edges: list[tuple[int, int, float, float]] = []

    def link(source: int, target: int, probability: float) -> None:
        edges.append((source, target, probability, float(random.randint(2, 1000))))

    for state in range(last):
        if state in ends:
            continue
        if state == last - 1:
            link(state, last, 1.0)
        elif state + 1 in ends or random.random() < density:
            if state + 1 in ends:
                other = state + 2
                ends -= {other} - {last}  # one of the two has to go on
            else:
                other = random.randint(state + 2, last)
            first, second = _split(random, rare)
            link(state, state + 1, first)
            link(state, other, second)
        else:
            link(state, state + 1, 1.0)
    return _program(name, size, 0, edges)


def _split(random: Random, rare: float) -> tuple[float, float]:
    if random.random() < rare:
        small = random.randint(1, 9) * 1e-4
        return (small, 1 - small) if random.random() < 0.5 else (1 - small, small)
    first, second = random.random(), random.random()
    return first / (first + second), second / (first + second)
