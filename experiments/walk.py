"""The concolic walk's Tables 5.2 and 5.3 again, and its research questions 1 to 6.

    python -m experiments.walk            minutes: few seeds, short budgets
    python -m experiments.walk --full     seven seeds, all programs in Table 5.3
    python -m experiments.walk --keep     also writes the tables to experiments/results

Cells are kept in `--results`, and a run goes on where the last one stopped. The formulas are read
from `coral.json` and `opti.json` in `--data`. Columns: the walk as published, ours, `linear`
(run-time values for what is not linear, as jCUTE does; integers only), `mixed` (SPF-Mixed), z3, z3
and the walk as published together (the tests of both, as the dissertation combines tools), and
Symcrete as it comes. All but the last explore depth-first, as the dissertation's tools do, and make
no operation fail: Java's arithmetic on doubles does not raise, and a search for inputs that make
Python's raise would spend the time that the dissertation's tools had for branches. Seconds are
those of the processor.
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
from experiments.committed import RESULTS as COMMITTED
from experiments.committed import Table, as_text, keep
from experiments.formulas import Formula, read_formulas
from experiments.mann_whitney import mann_whitney
from experiments.walk_programs import PROGRAMS, Cell, Program, explored, solve, solved
from experiments.walk_variants import VARIANTS, solver_name
from symcrete.clock import processor
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Sat
from symcrete.solve.walk.attempt import MOVES
from symcrete.solve.walk.walk import Walk

ROOT = Path(__file__).parents[1]
DATA = ROOT / "experiments" / "facts"
RESULTS = ROOT / "build" / "walk.jsonl"
COLUMNS = ("walk-paper", "walk", "linear", "mixed", "z3", "auto")
TOGETHER = "z3 + walk-paper"
SHOWN = (*COLUMNS[:-1], TOGETHER, COLUMNS[-1])
THEIRS = {  # LoC-weighted averages of the dissertation's tools, section 5.7.1
    "walk-paper": "78 (CW)",
    "linear": "41 (jCUTE)",
    "mixed": "26 (SPF-Mixed)",
    "z3": "68 (Pex)",
    TOGETHER: "82 (Pex + CW)",
}
# Question, what is compared, and whether the test is one-tailed as the text's is.
PAIRS = (
    ("RQ1", "linear", "walk-paper", False),
    ("RQ1", "mixed", "walk-paper", False),
    ("RQ1, ours", "mixed", "walk", False),
    ("RQ2", "z3", TOGETHER, True),
)
SIGNIFICANT = 0.01  # the text's level
FEWEST_SEEDS = 5  # with fewer, even samples that do not overlap give no p below 0.01
NO_ERRORS = "dfs:errors=no"
# programs of Table 5.3 without --full: those that take seconds
QUICK_VARIATIONS = ("coral", "blind", "hash", "opti", "dart", "power", "tsafe")


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
                self.cells("z3", program, seeds),
                self.cells("walk-paper", program, seeds),
                strict=True,
            )
            return [one.joined(other) for one, other in pairs]
        return [self.cell(column, program, seed) for seed in seeds]

    def _computed(self, column: str, program: Program, seed: int) -> Cell:
        if program.name in self.formulas:
            make = partial(
                make_solver, column, seconds=self.seconds, seed=seed, ippc="off", clock=processor
            )
            return solved(self.formulas[program.name], make)
        options: dict[str, Any] = {"solver": column, "seed": seed, "budget": self.seconds}
        if column != "auto":
            options |= {"strategy": NO_ERRORS, "ippc": "off"}
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


def effectiveness(study: Study, seeds: range, programs: list[Program]) -> Table:
    """Table 5.2 for every column: coverage, its spread over seeds, seconds."""
    rows = []
    medians: dict[str, dict[str, float]] = {column: {} for column in SHOWN}
    times: dict[str, dict[str, float]] = {column: {} for column in SHOWN}
    for program in programs:
        row = [program.name, str(program.loc), str(program.percent)]
        for column in SHOWN:
            cells = study.cells(column, program, seeds)
            percents = [cell.percent for cell in cells]
            median = medians[column][program.name] = statistics.median(percents)
            seconds = times[column][program.name] = statistics.median(c.seconds for c in cells)
            least, most = min(percents), max(percents)
            spread = f" ({least:.0f} to {most:.0f})" if least < most else ""
            row.append(f"{median:.1f}{spread}, {seconds:.1f} s")
        rows.append(row)
    averages = [
        f"{weighted(medians[column]):.1f}, {weighted(times[column]):.1f} s" for column in SHOWN
    ]
    rows.append(["weighted by LoC", "", "78", *averages])
    title = f"Table 5.2: percent covered, median of {len(seeds)} seeds; seconds"
    return Table(title, ["program", "LoC", "dissertation's walk", *SHOWN], rows)


def weighted(by_program: dict[str, float]) -> float:
    """The mean with the dissertation's lines of code as weights."""
    total = sum(PROGRAMS[name].loc for name in by_program)
    return sum(PROGRAMS[name].loc * value for name, value in by_program.items()) / total


def questions(study: Study, seeds: range, programs: list[Program]) -> Table:
    """RQ1 and RQ2: program by program, with the Mann-Whitney test and whether all that the lower
    one covered is covered by the higher, too.
    """
    rows = []
    for question, before, after, one_sided in PAIRS:
        theirs = f"dissertation: {THEIRS.get(before, '-')}; {THEIRS.get(after, 'ours')}"
        for program in programs:
            first, second = study.cells(before, program, seeds), study.cells(after, program, seeds)
            low, high = [cell.percent for cell in first], [cell.percent for cell in second]
            if low == high:
                continue
            lower, higher = (first, second) if sum(low) <= sum(high) else (second, first)
            missed = _all_covered(lower) - _all_covered(higher)
            p = mann_whitney(low, high, one_sided=one_sided)
            rows.append(
                [
                    f"{question}: {before} -> {after}",
                    program.name,
                    f"{statistics.median(low):.1f} -> {statistics.median(high):.1f}",
                    "yes" if not missed else f"but for {len(missed)}",
                    f"{p:.4f}" if len(seeds) >= FEWEST_SEEDS else "too few seeds",
                ]
            )
        averages = [_average(study, column, seeds, programs) for column in (before, after)]
        mean = f"{averages[0]:.1f} -> {averages[1]:.1f} ({theirs})"
        rows.append([f"{question}: {before} -> {after}", "weighted by LoC", mean, "", ""])
    head = ["question", "program", "percent covered", "subsumed", "p"]
    return Table("RQ1, RQ2: programs on which they differ", head, rows)


def _all_covered(cells: list[Cell]) -> frozenset[str]:
    return frozenset[str]().union(*(cell.covered for cell in cells))


def _average(study: Study, column: str, seeds: range, programs: list[Program]) -> float:
    return weighted(
        {p.name: statistics.median(_percents(study, column, p, seeds)) for p in programs}
    )


def efficiency(study: Study, seeds: range, programs: list[Program]) -> Table:
    """RQ3: coverage for each second."""
    rows = []
    theirs = {"walk-paper": "1.1", "mixed": "0.2"}
    for column in SHOWN:
        seconds = weighted(
            {
                p.name: statistics.median(c.seconds for c in study.cells(column, p, seeds))
                for p in programs
            }
        )
        per_second = _average(study, column, seeds, programs) / max(seconds, 1e-9)
        rows.append([column, f"{per_second:.1f}", theirs.get(column, "-")])
    return Table(
        "RQ3: percent covered for each second (SPF-CORAL: 0.7)",
        ["column", "here", "dissertation"],
        rows,
    )


def formulas_in_detail(study: Study, seeds: range) -> Table:
    """The numbers behind CORAL and FloPSy: per seed, and what is never solved."""
    rows = []
    for name, formulas in study.formulas.items():
        for column in ("walk-paper", solver_name("the text"), "walk", "auto"):
            cells = study.cells(column, PROGRAMS[name], seeds)
            never = {formula.name for formula in formulas}.difference(*(c.covered for c in cells))
            refuted = frozenset[str]().union(*(cell.refuted for cell in cells))
            counts = ", ".join(str(len(cell.covered)) for cell in cells)
            seconds = statistics.median(cell.seconds for cell in cells)
            rows.append(
                [
                    name,
                    column,
                    f"{counts} of {len(formulas)}",
                    f"{seconds:.2f}",
                    ", ".join(sorted(never - refuted)) or "-",
                    ", ".join(sorted(refuted)) or "-",
                ]
            )
    head = ["set", "solver", "solved, by seed", "seconds", "never solved", "proved unsatisfiable"]
    return Table("CORAL and FloPSy", head, rows)


def influence(study: Study, seeds: range, programs: list[Program]) -> Table:
    """Table 5.3: the fraction of the baseline that each variation reaches (RQ4 to RQ6)."""
    theirs = walk_variants.published()
    base = {program.name: _percents(study, "walk-paper", program, seeds) for program in programs}
    rows = []
    for title, variant in VARIANTS.items():
        fractions: dict[str, float] = {}
        cells = []
        for program in programs:
            changed = _percents(study, solver_name(title), program, seeds)
            before = base[program.name]
            fraction = statistics.median(changed) / max(statistics.median(before), 1e-9)
            fractions[program.name] = fraction
            p = mann_whitney(changed, before)
            mark = "*" if len(seeds) >= FEWEST_SEEDS and p < SIGNIFICANT else ""
            cells.append(f"{fraction:.2f}{mark} ({_fact(theirs[program.name][variant.fact])})")
        average = f"{weighted(fractions):.2f} ({_fact(theirs['weighted_avg'][variant.fact])})"
        rows.append([variant.question, title, average, *cells])
    head = ["question", "variation", "weighted", *[program.name for program in programs]]
    title = (
        f"Table 5.3: fraction of the baseline's median of {len(seeds)} seeds "
        f"(the dissertation's); * p < {SIGNIFICANT}"
    )
    return Table(title, head, rows)


def _fact(value: float | None) -> str:
    return "?" if value is None else f"{value:g}"


def _percents(study: Study, column: str, program: Program, seeds: range) -> list[float]:
    return [cell.percent for cell in study.cells(column, program, seeds)]


def worth_of_moves(sets: dict[str, list[Formula]], seeds: range) -> Table:
    """Ours without each of its moves: what is missed, and how many points a solution takes."""
    formulas = [formula for each in sets.values() for formula in each if formula.satisfiable]
    counts: dict[str, list[int]] = {}
    rows = []
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
        rows.append(
            [
                "all" if without is None else f"without {without}",
                f"{statistics.mean(found):.1f} of {len(formulas)}",
                f"{statistics.mean(points):.0f}",
                f"{p:.4f}" if len(seeds) >= FEWEST_SEEDS else "too few seeds",
            ]
        )
    return Table(
        "Our moves: formulas solved within 20,000 points", ["moves", "solved", "points", "p"], rows
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
    parser.add_argument(
        "--variant-seeds", type=int, help="for Table 5.3 (default: 2, with --full 7)"
    )
    parser.add_argument("--seconds", type=float, help="for each function or formula")
    parser.add_argument("--full", action="store_true", help="all seeds and variations (hours)")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="where what was computed is kept"
    )
    parser.add_argument("--keep", action="store_true", help="write experiments/results/walk.json")
    options = parser.parse_args()
    walk_variants.register()
    seeds = range(options.seeds or (7 if options.full else 1))
    varied = range(options.variant_seeds or (7 if options.full else 2))
    seconds = options.seconds or (5.0 if options.full else 2.0)
    study = Study(options.data, seconds=seconds, file=options.results)
    programs = list(PROGRAMS.values())
    in_table_3 = [p for p in programs if options.full or p.name in QUICK_VARIATIONS]
    parts: list[Callable[[], Table]] = [
        lambda: effectiveness(study, seeds, programs),
        lambda: questions(study, seeds, programs),
        lambda: efficiency(study, seeds, programs),
        lambda: formulas_in_detail(study, varied),
        lambda: influence(study, varied, in_table_3),
        lambda: worth_of_moves(study.formulas, varied),
    ]
    tables: list[Table] = []
    for part in parts:
        tables.append(part())
        print(f"\n{as_text(tables[-1])}", flush=True)
    if options.keep:
        keep(tables, COMMITTED / "walk.json")


if __name__ == "__main__":
    main()
