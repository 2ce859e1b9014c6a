"""What solving took: the numbers of the report, and IPPC's measures of a constraint solver's
burden.
"""

from __future__ import annotations

from typing import Any

from symcrete.clock import Clock, wall
from symcrete.constraint.path import PathConstraint
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, Sat, Solver, Unsat
from symcrete.terms.evaluate import Assignment


@dataclass(slots=True)
class Counts:
    """Queries are what the search asked; calls are what a backend was asked, each about some
    conditions.
    """

    queries: int = 0
    calls: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    conditions: int = 0  # over all calls
    largest: int = 0  # conditions in the largest call
    cached: int = 0  # queries answered by what was known: answers, cores, inputs
    nearby: int = 0  # queries answered in closed form, or by trying every input where few exist
    wrong: int = 0  # answers of a backend that evaluation refuted, and its crashes
    seconds: float = 0.0  # inside backends

    def count_known(self) -> None:
        """A query was answered by what was known."""
        self.cached += 1

    def count_nearby(self) -> None:
        """A query was answered in closed form, or by trying every input."""
        self.nearby += 1

    def count_wrong(self) -> None:
        """A backend gave an answer that evaluation refuted, or crashed."""
        self.wrong += 1

    @property
    def mean_size(self) -> float:
        """IPPC's "average constraint size"."""
        return self.conditions / self.calls if self.calls else 0.0

    def as_json(self) -> dict[str, Any]:
        """The `solver` object of `cover --json`."""
        return {
            "calls": self.calls,
            "sat": self.sat,
            "unsat": self.unsat,
            "unknown": self.unknown,
            "mean_size": round(self.mean_size, 2),
            "cached": self.cached,
            "nearby": self.nearby,
            "queries": self.queries,
            "seconds": round(self.seconds, 6),
        }


class CountCalls:
    """A solver that counts the calls which reach the backend inside it."""

    def __init__(self, inner: Solver, counts: Counts, clock: Clock = wall) -> None:
        self.inner = inner
        self.counts = counts
        self._clock = clock

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        counts, clock = self.counts, self._clock
        size = len(constraint.prefix) + 1
        started = clock()
        answer = self.inner.solve(constraint, near)
        counts.seconds += clock() - started
        counts.calls += 1
        counts.conditions += size
        if size > counts.largest:
            counts.largest = size
        if answer.__class__ is Sat:
            counts.sat += 1
        elif answer.__class__ is Unsat:
            counts.unsat += 1
        else:
            counts.unknown += 1
        return answer


class CountQueries:
    """The outermost solver: it counts the queries of the search."""

    def __init__(self, inner: Solver, counts: Counts) -> None:
        self.inner = inner
        self.counts = counts

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        answer = self.inner.solve(constraint, near)
        self.counts.queries += 1
        return answer
