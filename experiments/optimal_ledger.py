"""What a simulated strategy has paid, under both ways of counting found in the paper's Table 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log, log1p
from random import Random
from typing import TypeAlias

from experiments.optimal_chains import Run, SimulatedProgram

TESTS_AT_MOST = 1_000_000  # a strategy is stopped there, as in the paper


@dataclass
class Attempt:
    """One repetition: a strategy covering a simulated program.

    Consistent accounting: a random test costs 1, a symbolic execution the cost of its path. The
    authors' accounting: a random test costs the transitions it walks; a symbolic execution its
    path, plus the transitions walked beyond the path, plus the transitions of the whole run. The
    optimum they divide by is computed the first way.
    """

    program: SimulatedProgram
    random: Random
    after_solving: Random  # for what a run does beyond the path that was solved
    covered: int = 0
    tests: int = 0
    consistent: float = 0.0
    authors: float = 0.0
    stalls: dict[int, Stall] = field(default_factory=dict)  # shared by repetitions, for speed

    @property
    def going(self) -> bool:
        return self.covered != self.program.everything and self.tests < TESTS_AT_MOST

    def missing(self, state: int) -> bool:
        return not self.covered >> state & 1

    def random_test(self) -> Run:
        run = self.program.sample(self.random, self.program.chain.initial)
        self.count_random(1, run.edges)
        self.covered |= run.mask
        return run

    def count_random(self, tests: int, edges: float) -> None:
        self.tests += tests
        self.consistent += tests
        self.authors += edges

    def execute(self, path: Sequence[int]) -> tuple[int, ...]:
        """Solve the path and run the input found; the states of that run."""
        rest = self.program.sample(self.after_solving, path[-1])
        whole = (*path, *rest.path[1:])
        cost = sum(self.program.costs.get(edge, 0.0) for edge in pairwise(path))
        self.tests += 1
        self.consistent += cost
        self.authors += cost + rest.edges + len(whole) - 1
        for state in whole:
            self.covered |= 1 << state
        return whole

    def random_tests_until_something_new(self) -> None:
        """As many random tests as it takes, drawn at once: the number of failures is geometric."""
        stall = self.stalls.get(self.covered)
        if stall is None:
            stall = self.stalls[self.covered] = Stall.of(self.program, self.covered)
        failures = stall.failures(self.random)
        allowed = TESTS_AT_MOST - self.tests
        if failures >= allowed:
            self.count_random(allowed, allowed * stall.edges)
            return
        run = self.random.choices(stall.news, [run.probability for run in stall.news])[0]
        self.count_random(failures + 1, failures * stall.edges + run.edges)
        self.covered |= run.mask


@dataclass(frozen=True, slots=True)
class Stall:
    """Random testing at some coverage: which runs bring something new, and how likely."""

    news: list[Run]
    chance: float
    edges: float  # walked on average by a run that brings nothing

    @classmethod
    def of(cls, program: SimulatedProgram, covered: int) -> Stall:
        runs = program.runs[program.chain.initial]
        news = [run for run in runs if run.mask & ~covered]
        olds = [run for run in runs if not run.mask & ~covered]
        weight = sum(run.probability for run in olds)
        edges = sum(run.probability * run.edges for run in olds) / weight if weight else 0.0
        return cls(news, 1.0 if not olds else sum(run.probability for run in news), edges)

    def failures(self, random: Random) -> int:
        if self.chance >= 1:
            return 0
        return int(log(1 - random.random()) / log1p(-self.chance))


Strategy: TypeAlias = Callable[[Attempt], None]
