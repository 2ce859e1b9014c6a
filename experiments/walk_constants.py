"""The walk's constants, chosen on one half of the formulas and measured on the other.

    python -m experiments.walk_constants [--full] [--seeds 3] [--keep]

CORAL and FloPSy are divided by their order, every second formula to each half. Each constant of
`symcrete.solve.walk.attempt` is changed by itself to a smaller and to a larger value; the values
that solve most of the first half, and of those the ones with the fewest points, are taken together
and measured on the second half beside the ones in use.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from experiments.committed import FACTS, RESULTS, Table, as_text, keep
from experiments.formulas import Formula
from experiments.mann_whitney import mann_whitney
from experiments.walk import read_sets
from experiments.walk_programs import solve
from symcrete.solve.solver import Sat
from symcrete.solve.walk import attempt
from symcrete.solve.walk.walk import Walk

POINTS = 20_000  # for one formula, as in `walk.py`
# The constants in use are between the others.
TRIED: dict[str, tuple[float, ...]] = {
    "MOST_POINTS_COMPARED": (4, 16, 64),
    "MOST_POINTS_TRIED": (50, 200, 800),
    "MOVE_ROUNDS": (1, 3, 9),
    "HOPELESS": (0.5, 0.9, 0.99),
    "NEAR": (1e-9, 1e-6, 1e-3),
}


@contextmanager
def constants(values: Mapping[str, float]) -> Iterator[None]:
    """The walk with these constants instead of its own."""
    before = {name: getattr(attempt, name) for name in values}
    for name, value in values.items():
        setattr(attempt, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(attempt, name, value)


def halves(formulas: Sequence[Formula]) -> tuple[list[Formula], list[Formula]]:
    """Every second formula in each, only those with a solution."""
    whole = [formula for formula in formulas if formula.satisfiable]
    return whole[::2], whole[1::2]


def measured(
    formulas: Sequence[Formula], values: Mapping[str, float], seeds: range
) -> tuple[list[int], float]:
    """Formulas solved, by seed, and the mean of points that a formula took."""
    solved, points = [], []
    with constants(values):
        for seed in seeds:
            walks = []
            for formula in formulas:
                walk = Walk(seed=seed, points=POINTS, seconds=60)
                walks.append(isinstance(solve(walk, formula)[-1], Sat))
                points.append(walk.spent)
            solved.append(sum(walks))
    return solved, statistics.mean(points)


def chosen(formulas: Sequence[Formula], seeds: range) -> tuple[dict[str, float], list[list[str]]]:
    """The best value of each constant on these formulas, and what each value gave."""
    best: dict[str, float] = {}
    rows = []
    for name, values in TRIED.items():
        ranks = []
        for value in values:
            solved, points = measured(formulas, {name: value}, seeds)
            used = " (in use)" if value == getattr(attempt, name) else ""
            rows.append(
                [name, f"{value:g}{used}", f"{statistics.mean(solved):.1f}", f"{points:.0f}"]
            )
            ranks.append((-sum(solved), points, value))
        best[name] = min(ranks)[2]
    return best, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="ten seeds")
    parser.add_argument("--seeds", type=int, help="how many (default: 3, with --full 10)")
    parser.add_argument("--keep", action="store_true", help="write the tables as data")
    given = parser.parse_args()
    seeds = range(given.seeds or (10 if given.full else 3))
    sets = read_sets(FACTS)
    first, second = halves([formula for each in sets.values() for formula in each])
    best, rows = chosen(first, seeds)
    head = ["constant", "value", f"solved of {len(first)}", "points for a formula"]
    tables = [Table(f"First half: each constant changed by itself, {len(seeds)} seeds", head, rows)]
    rows = []
    used, _ = measured(second, {}, seeds)
    for what, values in (("in use", {}), ("chosen on the first half", best)):
        solved, points = measured(second, values, seeds)
        shown = ", ".join(f"{name}={value:g}" for name, value in values.items()) or "-"
        p = f"{mann_whitney(solved, used):.3f}"
        rows.append([what, shown, f"{statistics.mean(solved):.1f}", f"{points:.0f}", p])
    head = ["constants", "values", f"solved of {len(second)}", "points for a formula", "p"]
    tables.append(Table("Second half, held out", head, rows))
    for table in tables:
        print(f"\n{as_text(table)}")
    if given.keep:
        keep(tables, RESULTS / "walk-constants.json")


if __name__ == "__main__":
    main()
