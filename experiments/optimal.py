"""Table 1 of "Towards Optimal Concolic Testing": how far strategies are from the optimal one.

    python -m experiments.optimal [--chains FILE] [--full] [--repetitions N]

prints what each strategy costs as a multiple of the optimum: the mean cost over all chains of a
size by the mean optimum, as in the paper. Without --chains only fresh chains are used, generated as
the paper describes. They are heavy-tailed: what random testing costs differs tenfold between two
sets of 50 chains. The authors' own chains give the paper's numbers.

Two ways of counting cost are shown. In the paper, strategies pay for every transition a test walks
while the optimum pays 1 per random test, and the optimum is too high on some chains; the consistent
way has both pay 1 per random test and divides by the exact optimum.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance

from experiments import optimal_greedy, optimal_heuristics
from experiments.optimal_chains import SimulatedProgram, generate, load
from experiments.optimal_ledger import Attempt, Stall, Strategy

SIZES = (5, 10, 15, 20)
TOLERANCE = 0.1


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    name: str
    strategy: Strategy
    paper: tuple[float, ...] = ()


ROWS = (
    Row("Optimal", optimal_heuristics.optimal, (1, 1, 1, 1)),
    Row("RT", optimal_heuristics.random_testing, (138.9, 11.3, 44.2, 114.7)),
    Row("RCN", optimal_heuristics.cover_new_of_the_authors, (1.7, 14.4, 15.1, 12.7)),
    Row("RCN, corrected", optimal_heuristics.cover_new),
    Row("RSS", optimal_heuristics.random_state, (12.8, 50.7, 64.0, 68.1)),
    Row("RPS", optimal_heuristics.random_path, (12.8, 50.6, 63.9, 68.5)),
    Row("DFS", optimal_heuristics.depth_first, (7.1, 27.4, 21.8, 18.6)),
    Row("DART", optimal_heuristics.dart, (1.8, 13.0, 12.8, 13.0)),
    Row("GS", optimal_heuristics.generational, (1.9, 13.5, 13.9, 13.3)),
    Row("CGS", optimal_heuristics.context_guided, (1.8, 12.6, 13.6, 13.8)),
    Row("SGS", optimal_heuristics.subpath_guided, (11.2, 32.4, 29.4, 25.5)),
    Row("G (greedy)", optimal_greedy.greedy, (2.1, 4.8, 3.1, 4.8)),
    Row("greedy-plus", optimal_greedy.greedy_plus),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What all strategies cost on one chain: means and their squared standard errors."""

    size: int
    optimum: float
    optimum_of_the_authors: float
    consistent: tuple[tuple[float, float], ...]
    authors: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    value: float
    error: float  # one standard error


def measure(program: SimulatedProgram, *, repetitions: int, seed: str) -> Measured:
    consistent, authors = [], []
    stalls: dict[int, Stall] = {}
    for row in ROWS:
        random = Random(f"{seed} {program.name} {row.name}")
        paid: list[tuple[float, float]] = []
        for _ in range(repetitions):
            attempt = Attempt(program, random, random, stalls=stalls)
            row.strategy(attempt)
            paid.append((attempt.consistent, attempt.authors))
        consistent.append(_mean_and_error([cost for cost, _ in paid]))
        authors.append(_mean_and_error([cost for _, cost in paid]))
    return Measured(
        program.size,
        program.optimum.cost,
        program.optimum_of_the_authors,
        tuple(consistent),
        tuple(authors),
    )


def _mean_and_error(costs: Sequence[float]) -> tuple[float, float]:
    mean = fmean(costs)
    return mean, variance(costs, mean) / len(costs) if len(costs) > 1 else 0.0


def measure_all(
    programs: Iterable[SimulatedProgram], *, repetitions: int, seed: str, workers: int
) -> list[Measured]:
    task = partial(measure, repetitions=repetitions, seed=seed)
    if workers == 1:
        return [task(program) for program in programs]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(task, programs, chunksize=4))


def ratios(
    measured: Sequence[Measured],
    costs: Callable[[Measured], tuple[tuple[float, float], ...]],
    optimum: Callable[[Measured], float],
) -> list[Ratio]:
    """For every row, the mean cost over some chains by their mean optimum."""
    whole = sum(optimum(chain) for chain in measured)
    return [
        Ratio(
            sum(costs(chain)[row][0] for chain in measured) / whole,
            sqrt(sum(costs(chain)[row][1] for chain in measured)) / whole,
        )
        for row in range(len(ROWS))
    ]


def print_table(title: str, columns: Mapping[int, Sequence[Ratio]]) -> None:
    print(f"\n{title}")
    print(f"{'':16}" + "".join(f"{f'{size} states':>24}" for size in columns))
    for place, row in enumerate(ROWS):
        cells = []
        for column, ratio_of in zip(range(len(SIZES)), columns.values(), strict=False):
            ratio = ratio_of[place]
            paper = f"({row.paper[column]:.1f})" if row.paper else ""
            cells.append(f"{ratio.value:9.2f} ±{ratio.error:5.2f} {paper:>7}")
        print(f"{row.name:16}" + "".join(f"{cell:>24}" for cell in cells))


def print_deviations(columns: Mapping[int, Sequence[Ratio]]) -> None:
    """Which of the paper's numbers ours differ from."""
    apart = []
    for place, row in enumerate(ROWS[1:], 1):
        for column, (size, ratio_of) in enumerate(columns.items()):
            if row.paper:
                relative = ratio_of[place].value / row.paper[column] - 1
                if abs(relative) > TOLERANCE:
                    apart.append(f"{row.name} at {size} states by {relative:+.0%}")
    print(f"More than {TOLERANCE:.0%} from the paper: {', '.join(apart) or 'none'}.")


def print_not_above_greedy(columns: Mapping[int, Sequence[Ratio]]) -> None:
    greedy = [row.strategy for row in ROWS].index(optimal_greedy.greedy)
    heuristics = range(1, greedy)
    behind = [
        f"{ROWS[place].name} at {size} states"
        for size, ratio_of in columns.items()
        for place in heuristics
        if ratio_of[place].value <= ratio_of[greedy].value
    ]
    print(f"Heuristics not above greedy: {', '.join(behind) or 'none'}.")


def report(measured: Sequence[Measured], *, stored: bool) -> None:
    """Both tables. Only on the stored chains is the authors' optimum used, and the paper's numbers
    are something to agree with."""
    sizes = sorted({chain.size for chain in measured})
    by_size = {size: [chain for chain in measured if chain.size == size] for size in sizes}
    authors = {
        size: ratios(
            some, lambda m: m.authors, lambda m: m.optimum_of_the_authors if stored else m.optimum
        )
        for size, some in by_size.items()
    }
    consistent = {
        size: ratios(some, lambda m: m.consistent, lambda m: m.optimum)
        for size, some in by_size.items()
    }
    print("Mean cost / mean optimum ± standard error, in brackets the paper's Table 1.")
    print_table("As the authors counted", authors)
    if stored:
        print_deviations(authors)
    print_not_above_greedy(authors)
    print_table("Counted consistently", consistent)
    print_not_above_greedy(consistent)


def fresh(seed: int, density: float | None, chains: int) -> dict[int, list[SimulatedProgram]]:
    """Chains as the paper describes; the stored ones of 10 states and more fit a density of 0.2."""
    random = Random(seed)
    return {
        size: [
            generate(
                random,
                f"fresh {size}-{number}",
                size,
                density=density if density is not None else (0.5 if size == 5 else 0.2),
                rare=0.8 if size == 5 else 0.2,
            )
            for number in range(chains)
        ]
        for size in SIZES
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m experiments.optimal")
    parser.add_argument("--chains", type=Path, help="stored chains (JSON) to use as well")
    parser.add_argument("--full", action="store_true", help="1,000 repetitions, as in the paper")
    parser.add_argument("--repetitions", type=int, help="per chain and strategy (default 40)")
    parser.add_argument("--fresh", type=int, default=50, help="fresh chains per size (default 50)")
    parser.add_argument("--density", type=float, help="of branches in fresh chains")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args(arguments)
    repetitions = options.repetitions or (1000 if options.full else 40)

    def run(title: str, programs: Mapping[int, Sequence[SimulatedProgram]], stored: bool) -> None:
        started = time.perf_counter()
        chains = [program for some in programs.values() for program in some]
        print(f"\n== {title} chains, {repetitions} repetitions ==")
        seed = str(options.seed)
        measured = measure_all(chains, repetitions=repetitions, seed=seed, workers=options.workers)
        report(measured, stored=stored)
        print(f"({time.perf_counter() - started:.0f} s)")

    if options.chains is not None:
        try:
            programs = load(options.chains)
        except (OSError, ValueError, KeyError) as error:
            print(f"cannot read chains from {options.chains}: {error!r}", file=sys.stderr)
            return 2
        run("Stored", programs, True)
    if options.fresh:
        run("Fresh", fresh(options.seed, options.density, options.fresh), False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
