"""The concolic walk's Tables 5.2 and 5.3 again, and its research questions 1 to 3.

    python -m experiments.walk            two or three minutes: few seeds, short budgets
    python -m experiments.walk --full     seven seeds; goes on where it stopped

The formulas are read from `coral.json` and `opti.json` in `--data`. Columns: the walk as published,
ours, `linear` (run-time values for what is not linear, as jCUTE does), z3, z3 and our walk together
(the tests of both, as the dissertation combines tools), and Symcrete as it comes. All but the last
explore depth-first, as the dissertation's tools do. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from experiments import walk_variants
from experiments.formulas import Formula, read_formulas
from experiments.mann_whitney import mann_whitney
from experiments.walk_programs import PROGRAMS, Cell, Program, explored, solve, solved
from experiments.walk_variants import VARIANTS, solver_name
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Sat
from symcrete.solve.walk.attempt import MOVES
from symcrete.solve.walk.walk import Walk

ROOT = Path(__file__).parents[1]
DATA = ROOT / "experiments" / "facts"
RESULTS = ROOT / ".symcrete" / "walk.jsonl"
COLUMNS = ("walk-paper", "walk", "linear", "z3", "auto")
TOGETHER = "z3 + walk"
THEIRS = {  # LoC-weighted averages of the dissertation's tools, section 5.7.1
    "walk-paper": "78 (CW)",
    "linear": "41 (jCUTE), 26 (SPF-Mixed)",
    "z3": "68 (Pex)",
    TOGETHER: "82 (Pex + CW)",
}


class Study:
    """Cells of the tables, computed when asked for and, with a file, kept for the next time."""

    def __init__(self, data: Path, *, seconds: float, file: Path | None) -> None:
        self.formulas = read_sets(data)
        self.seconds = seconds  # for a function or a formula
        self._file = file
        self._cells: dict[str, Cell] = {}
        if file is not None and file.exists():
            for line in file.read_text().splitlines():
                entry = json.loads(line)
                self._cells[entry.pop("key")] = _cell_from(entry)

    def cell(self, column: str, program: Program, seed: int) -> Cell:
        key = f"{column} | {program.name} | {seed} | {self.seconds:g} s"
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = self._computed(column, program, seed)
            self._keep(key, found)
        return found

    def cells(self, column: str, program: Program, seeds: range) -> list[Cell]:
        if column == TOGETHER:
            pairs = zip(
                self.cells("z3", program, seeds), self.cells("walk", program, seeds), strict=True
            )
            return [one.joined(other) for one, other in pairs]
        return [self.cell(column, program, seed) for seed in seeds]

    def _computed(self, column: str, program: Program, seed: int) -> Cell:
        if program.name in self.formulas:
            make = partial(make_solver, column, seconds=self.seconds, seed=seed, ippc="off")
            return solved(self.formulas[program.name], make)
        strategy = "auto" if column == "auto" else "dfs"
        options = {"solver": column, "strategy": strategy, "seed": seed, "budget": self.seconds}
        return explored(program, options)

    def _keep(self, key: str, cell: Cell) -> None:
        print(f"  {key}: {cell.percent:.0f} %, {cell.seconds:.1f} s", file=sys.stderr, flush=True)
        if self._file is not None:
            entry = {
                "key": key,
                "covered": sorted(cell.covered),
                "refuted": sorted(cell.refuted),
                "total": cell.total,
                "seconds": cell.seconds,
            }
            self._file.parent.mkdir(exist_ok=True)
            with self._file.open("a") as out:
                out.write(json.dumps(entry) + "\n")


def _cell_from(entry: dict[str, Any]) -> Cell:
    return Cell(
        frozenset(entry["covered"]),
        entry["total"],
        entry["seconds"],
        frozenset(entry["refuted"]),
    )


def effectiveness(study: Study, seeds: range) -> dict[str, float]:
    """Table 5.2 for every column; gives the weighted averages."""
    shown = [*COLUMNS[:-1], TOGETHER, COLUMNS[-1]]
    print(f"\nTable 5.2: percent covered, median over {len(seeds)} seeds (least-most); seconds")
    print(f"{'program':8} {'LoC':>4} {'dissert.':>8}  " + " ".join(f"{c:>21}" for c in shown))
    medians: dict[str, dict[str, float]] = {column: {} for column in shown}
    times: dict[str, dict[str, float]] = {column: {} for column in shown}
    for program in PROGRAMS.values():
        row = []
        for column in shown:
            cells = study.cells(column, program, seeds)
            percents = [cell.percent for cell in cells]
            median = medians[column][program.name] = statistics.median(percents)
            seconds = times[column][program.name] = statistics.median(c.seconds for c in cells)
            spread = f"{min(percents):.0f}-{max(percents):.0f}"
            row.append(f"{median:5.1f} {spread:>7} {seconds:6.1f}s")
        print(
            f"{program.name:8} {program.loc:>4} {program.percent:>8}  "
            + " ".join(f"{cell:>21}" for cell in row)
        )
    averages = {column: weighted(medians[column]) for column in shown}
    print(
        f"{'weighted':8} {'':>4} {'78':>8}  "
        + " ".join(f"{averages[c]:13.1f} {weighted(times[c]):6.1f}s" for c in shown)
    )
    questions(study, seeds, averages, {column: weighted(times[column]) for column in shown})
    return averages


def weighted(by_program: dict[str, float]) -> float:
    """The mean with the dissertation's lines of code as weights."""
    total = sum(PROGRAMS[name].loc for name in by_program)
    return sum(PROGRAMS[name].loc * value for name, value in by_program.items()) / total


def questions(
    study: Study, seeds: range, averages: dict[str, float], seconds: dict[str, float]
) -> None:
    """RQ1 to RQ3, with the Mann-Whitney test for each program."""
    pairs = {
        "RQ1: the walk instead of simplification": ("linear", "walk-paper"),
        "RQ1, ours": ("linear", "walk"),
        "RQ2: what the walk adds to a strong solver": ("z3", TOGETHER),
    }
    for title, (before, after) in pairs.items():
        print(f"\n{title}: {before} {averages[before]:.1f} %, {after} {averages[after]:.1f} %")
        print(f"  dissertation: {THEIRS.get(before, '-')}; {THEIRS.get(after, '-')}")
        for program in PROGRAMS.values():
            first, second = (
                [cell.percent for cell in study.cells(column, program, seeds)]
                for column in (before, after)
            )
            if first != second:
                p = mann_whitney(first, second)
                medians = f"{statistics.median(first):5.1f} -> {statistics.median(second):5.1f}"
                print(f"  {program.name:8} {medians}   p = {p:.4f}")
    print("\nRQ3: coverage per second (dissertation: walk 1.1, SPF-CORAL 0.7, SPF-Mixed 0.2 %/s)")
    for column, average in averages.items():
        print(f"  {column:12} {average / max(seconds[column], 1e-9):8.1f} %/s")


def formulas_in_detail(study: Study, seeds: range) -> None:
    """The numbers behind CORAL and FloPSy: per seed, and what is never solved."""
    print(
        "\nCORAL and FloPSy: solved per seed; seconds for all; never solved; proved unsatisfiable"
    )
    for name, formulas in study.formulas.items():
        for column in ("walk-paper", solver_name("the text"), "walk", "auto"):
            cells = study.cells(column, PROGRAMS[name], seeds)
            never = {formula.name for formula in formulas}.difference(*(c.covered for c in cells))
            refuted = frozenset[str]().union(*(cell.refuted for cell in cells))
            counts = [len(cell.covered) for cell in cells]
            seconds = statistics.median(cell.seconds for cell in cells)
            print(
                f"{name:6} {column:22} {counts} of {len(formulas)}  {seconds:6.2f} s  "
                f"{', '.join(sorted(never - refuted)) or '-'}  ({', '.join(refuted) or '-'})"
            )


def influence(study: Study, seeds: range, programs: list[Program]) -> None:
    """Table 5.3: the fraction of the baseline that each variation reaches."""
    print("\nTable 5.3: fraction of the baseline's median (dissertation's); p of Mann-Whitney")
    base = {program.name: _percents(study, "walk-paper", program, seeds) for program in programs}
    for title, (_, theirs) in VARIANTS.items():
        fractions: dict[str, float] = {}
        parts = []
        for program in programs:
            changed = _percents(study, solver_name(title), program, seeds)
            before = base[program.name]
            fraction = statistics.median(changed) / max(statistics.median(before), 1e-9)
            fractions[program.name] = fraction
            p = mann_whitney(changed, before)
            if changed != before:
                parts.append(
                    f"{program.name} {fraction:.2f} ({theirs.get(program.name, 1.0):.2f}) p={p:.3f}"
                )
        average = weighted(fractions)
        print(f"{title:22} average {average:.2f} ({theirs['average']:.2f}); {', '.join(parts)}")


def _percents(study: Study, column: str, program: Program, seeds: range) -> list[float]:
    return [cell.percent for cell in study.cells(column, program, seeds)]


def worth_of_moves(sets: dict[str, list[Formula]], seeds: range) -> None:
    """Ours without each of its moves: what is missed, and how many points a solution takes."""
    formulas = [formula for each in sets.values() for formula in each if formula.satisfiable]
    print("\nOur moves: solved of all satisfiable formulas within 20,000 points, mean points each")
    counts: dict[str, list[int]] = {}
    for without in (None, *sorted(MOVES)):
        found, points = [], []
        for seed in seeds:
            walks = []
            for formula in formulas:
                walk = Walk(seed=seed, points=20_000, seconds=60, moves=MOVES - {without})
                walks.append((walk, solve(walk, formula)))
            found.append(sum(isinstance(answers[-1], Sat) for _, answers in walks))
            points += [walk.spent for walk, _ in walks]
        counts[without or "all"] = found
        p = mann_whitney(found, counts["all"])
        print(
            f"{'all' if without is None else 'without ' + without:18}"
            f" {statistics.mean(found):6.1f} of {len(formulas)}"
            f" {statistics.mean(points):8.0f} points   p = {p:.4f}"
        )


def read_sets(data: Path) -> dict[str, list[Formula]]:
    try:
        return {
            "coral": read_formulas(data / "coral.json", "benchmarks"),
            "opti": read_formulas(data / "opti.json", "functions"),
        }
    except FileNotFoundError as error:
        sys.exit(f"{error.filename} is missing; say with --data where coral.json and opti.json are")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder of coral.json and opti.json"
    )
    parser.add_argument("--seeds", type=int, help="how many (default: 1, with --full 7)")
    parser.add_argument("--seconds", type=float, help="for each function or formula")
    parser.add_argument("--full", action="store_true", help="all seeds and variations (an hour)")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="where --full keeps what it has computed"
    )
    options = parser.parse_args()
    walk_variants.register()
    seeds = range(options.seeds or (7 if options.full else 1))
    seconds = options.seconds or (5.0 if options.full else 1.5)
    study = Study(options.data, seconds=seconds, file=options.results if options.full else None)
    programs = [p for p in PROGRAMS.values() if options.full or p.name in ("coral", "opti")]
    parts: list[Callable[[], object]] = [
        lambda: effectiveness(study, seeds),
        lambda: formulas_in_detail(study, seeds),
        lambda: influence(study, seeds, programs),
    ]
    if options.full:
        parts.append(lambda: worth_of_moves(study.formulas, seeds))
    for part in parts:
        part()


if __name__ == "__main__":
    main()
