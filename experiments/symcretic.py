"""Tables 4.1 to 4.3 of symcretic execution's evaluation, rerun on Python versions of its
programs.

    python -m experiments.symcretic              # 2 runs for each target, 3 s for each
    python -m experiments.symcretic --full       # 7 runs and 60 s, as in the dissertation
    python -m experiments.symcretic --keep       # also writes the tables to experiments/results

The dissertation's columns come from a file given with --tables (looked for in experiments/facts
first); its comparators are run, too (`symcretic_forward.py`). Python ints do not overflow: `dart`
and `narrow` wrap to 32 bits by a function of their own, which the symbolic phase sees as
arithmetic. Segments are counted as the dissertation does: straight pieces of a search between two
branching points. Seconds of `reach` are wall clock for the whole answer, with the import of the
program and the replay of the input in two fresh interpreters, which the comparators and the
dissertation do not have.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import symcrete
from experiments.committed import RESULTS, Table, as_text, keep
from experiments.mann_whitney import mann_whitney
from experiments.subjects.symcretic.targets import TARGETS, Marked, line, source
from experiments.symcretic_forward import TOOLS, forward

TABLES = Path(__file__).parent / "facts" / "symcretic_tables.json"
FEWEST_RUNS = 5  # with fewer, even samples that do not overlap give no p below 0.01
PROGRAMS = {
    "dart": ("dart",),
    "easy-loop": ("easy_loop",),
    "hard-loop": ("hard_loop",),
    "narrow": ("narrow",),
    "sine": ("sine_second", "sine_fourth"),
    "tcas": ("tcas_upward", "tcas_downward", "tcas_unresolved", "tcas_both"),
    "trityp": ("trityp_scalene", "trityp_isosceles", "trityp_equilateral"),
    "tsafe": ("tsafe_near", "tsafe_conflict", "tsafe_turn", "tsafe_heading1", "tsafe_heading2"),
    "slicing": ("slicing",),
    "unreach": ("unreach",),
    "external": ("external",),
}
ENTRIES = {
    "tcas": ("tcas",),
    "tsafe": ("conflict", "turn_logic"),
}


@dataclass(slots=True)
class Row:
    """All runs of one tool on one program."""

    reachable: int = 0
    covered: list[int] = field(default_factory=list)
    proved: list[int] = field(default_factory=list)
    to_cover: list[int] = field(default_factory=list)
    total: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    phases: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="7 runs, 60 s for each target")
    parser.add_argument("--runs", type=int, help="runs for each target")
    parser.add_argument("--seconds", type=float, help="for each target")
    parser.add_argument("--tables", type=Path, default=TABLES, help="the dissertation's numbers")
    parser.add_argument("--keep", action="store_true", help="write the tables as data")
    parser.add_argument("programs", nargs="*", help="only these")
    given = parser.parse_args()
    runs = given.runs or (7 if given.full else 2)
    seconds = given.seconds or (60.0 if given.full else 3.0)
    theirs = _published(given.tables)
    wanted = given.programs or list(PROGRAMS)
    rows = {name: _measure(name, runs, seconds) for name in wanted}
    beside = {
        tool: {name: _measure_forward(name, tool, runs, seconds) for name in wanted}
        for tool in TOOLS
    }
    tables = [
        _table_1(wanted, theirs),
        _table_2(rows, beside, theirs, runs, seconds),
        _table_3(rows, beside, theirs),
        _tests(rows, beside, runs),
    ]
    for table in tables:
        print(f"\n{as_text(table)}")
    if given.keep:
        keep(tables, RESULTS / "symcretic.json")
    return _acceptance(rows)


def _published(path: Path) -> dict[str, Any]:
    if path.exists():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    print(f"no {path.name} at hand (--tables FILE): the dissertation's columns stay empty")
    return {}


def _measure(program: str, runs: int, budget: float) -> Row:
    row = Row()
    marked = [each for each in TARGETS if each.target in PROGRAMS[program]]
    row.reachable = sum(each.reachable for each in marked)
    for seed in range(runs):
        covered = proved = total = 0
        seconds = 0.0
        for each in marked:
            found = _reach(each, seed, budget)
            total += found.segments
            seconds += found.seconds
            if isinstance(found, symcrete.Reached):
                covered += 1
                row.to_cover.append(found.segments)
                row.phases.add(found.phase)
                assert each.reachable, f"{each.target} is not as unreachable as was thought"
            elif isinstance(found, symcrete.Unreachable):
                proved += 1
                assert not each.reachable, f"a wrong proof for {each.target}"
            else:
                row.open.add(each.target)
        row.covered.append(covered)
        row.proved.append(proved)
        row.total.append(total)
        row.seconds.append(seconds)
        print(".", end="", file=sys.stderr, flush=True)
    return row


def _reach(marked: Marked, seed: int, budget: float) -> Any:
    function = getattr(importlib.import_module(marked.module), marked.entry)
    return symcrete.reach(function, line=line(marked), budget=f"{budget:g}s", seed=seed)


def _measure_forward(program: str, tool: str, runs: int, budget: float) -> Row:
    row = Row()
    marked = [each for each in TARGETS if each.target in PROGRAMS[program]]
    for seed in range(runs):
        found = [forward(each, tool, seed, budget) for each in marked]
        row.covered.append(sum(each.covered for each in found))
        row.to_cover += [each.segments for each in found if each.covered]
        row.total.append(sum(each.segments for each in found))
        row.seconds.append(sum(each.seconds for each in found))
        print(",", end="", file=sys.stderr, flush=True)
    return row


def _table_1(wanted: list[str], theirs: dict[str, Any]) -> Table:
    rows = []
    for name in wanted:
        old = theirs.get("table4_1", {}).get(name, {})
        sizes = zip(
            (*_size(name), len(PROGRAMS[name])), ("loc", "ifs", "loops", "targets"), strict=True
        )
        rows.append([name, *[f"{ours} ({old.get(key, '-')})" for ours, key in sizes]])
    title = "Table 4.1: the programs (the dissertation's Java versions)"
    return Table(title, ["program", "lines", "ifs", "loops", "targets"], rows)


def _size(program: str) -> tuple[int, int, int]:
    """Lines, ifs and loops of the entry points and the functions beside them that they call."""
    marked = next(each for each in TARGETS if each.target == PROGRAMS[program][0])
    tree = ast.parse(source(marked).read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    wanted = list(ENTRIES.get(program, (marked.entry,)))
    for name in wanted:
        for node in ast.walk(functions[name]):
            match node:
                case ast.Call(func=ast.Name(id=called)):
                    if called in functions and called not in wanted:
                        wanted.append(called)
                case _:
                    pass
    nodes = [node for name in wanted for node in ast.walk(functions[name])]
    lines = {
        number
        for name in wanted
        for number in range(functions[name].lineno, (functions[name].end_lineno or 0) + 1)
    }
    text = source(marked).read_text(encoding="utf-8").splitlines()
    code = [n for n in lines if text[n - 1].strip() and not text[n - 1].strip().startswith("#")]
    ifs = sum(isinstance(node, ast.If | ast.IfExp) for node in nodes)
    return len(code), ifs, sum(isinstance(node, ast.For | ast.While) for node in nodes)


def _table_2(
    rows: dict[str, Row],
    beside: dict[str, dict[str, Row]],
    theirs: dict[str, Any],
    runs: int,
    seconds: float,
) -> Table:
    shown = []
    for name, row in rows.items():
        old = theirs.get("table4_2", {}).get(name, {})
        cells = [name, str(row.reachable)]
        for key, part in (
            ("covered", "covered"),
            ("segments_to_cover", "to_cover"),
            ("total_segments", "total"),
        ):
            for tool, measured in beside.items():
                cells.append(f"{_mean(getattr(measured[name], part))} ({_shown(old, key, tool)})")
            cells.append(f"{_mean(getattr(row, part))} ({_shown(old, key, 'Cilocnoc')})")
        shown.append([*cells, _mean(row.proved)])
    sums = [
        sum(statistics.mean(each.covered) for each in one.values())
        for one in (*beside.values(), rows)
    ]
    reachable = sum(row.reachable for row in rows.values())
    together = [f"{ours:.2f} ({old})" for ours, old in zip(sums, (4.86, 11, 12), strict=True)]
    shown.append(["together", str(reachable), *together, *[""] * 7])
    tools = [*beside, "reach (Cilocnoc)"]
    head = [
        f"{what}: {tool}" for what in ("covered", "segments to cover", "segments") for tool in tools
    ]
    title = f"Table 4.2: means of {runs} runs, {seconds:g} s for each target; in brackets as printed, of 15 targets"
    return Table(title, ["program", "reachable", *head, "proved unreachable"], shown)


def _mean(values: Sequence[float]) -> str:
    return f"{statistics.mean(values):.4g}" if values else "-"


def _shown(old: dict[str, Any], key: str, tool: str) -> str:
    value = old.get(key, {}).get(tool)
    return "-" if value is None else f"{value:g}" if value < 1e6 else f"{value:.0f}"


def _table_3(
    rows: dict[str, Row], beside: dict[str, dict[str, Row]], theirs: dict[str, Any]
) -> Table:
    shown = []
    for name, row in rows.items():
        old = theirs.get("table4_3_seconds", {}).get(name, {})
        cells = [
            f"{_spread(measured[name].seconds)} ({_pair(old.get(tool))})"
            for tool, measured in beside.items()
        ]
        ours = f"{_spread(row.seconds)} ({_pair(old.get('Cilocnoc'))})"
        shown.append([name, *cells, ours, ", ".join(sorted(row.phases))])
    head = ["program", *beside, "reach (Cilocnoc)", "phases that reached it"]
    return Table("Table 4.3: seconds for all targets of a program (as printed)", head, shown)


def _spread(seconds: list[float]) -> str:
    deviation = statistics.stdev(seconds) if len(seconds) > 1 else 0.0
    return f"{statistics.mean(seconds):.2f} +- {deviation:.2f}"


def _pair(value: dict[str, float] | None) -> str:
    return "-" if value is None else f"{value['mean']:.2f} +- {value['sd']:.2f}"


def _tests(rows: dict[str, Row], beside: dict[str, dict[str, Row]], runs: int) -> Table:
    """Section 4.6: Mann-Whitney tests of segments and of covered targets, program by program."""
    shown = []
    for name, row in rows.items():
        for tool, measured in beside.items():
            other = measured[name]
            chances = [
                f"{mann_whitney(one, two):.4f}" if runs >= FEWEST_RUNS else "too few runs"
                for one, two in ((other.covered, row.covered), (other.total, row.total))
            ]
            fewer = statistics.mean(other.total) / max(statistics.mean(row.total), 1.0)
            shown.append([name, tool, f"{fewer:.1f}", *chances])
    head = ["program", "against", "its segments / ours", "p, covered", "p, segments"]
    return Table("Mann-Whitney, two-tailed", head, shown)


def slowness() -> float:
    """How many processes each processor has to share itself among; the limits are for one."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _acceptance(rows: dict[str, Row]) -> int:
    """What the issue asks for; says what is missing."""
    missing = []
    for name, row in rows.items():
        if min(row.covered) < row.reachable:
            missing.append(
                f"{name}: {min(row.covered)} of {row.reachable} targets covered in some run"
            )
    checks: dict[str, Callable[[Row], bool]] = {
        "unreach": lambda row: max(row.total) == 1 and min(row.proved) == 1,
        "slicing": lambda row: max(row.total) < 50 and min(row.proved) == 1,
        "hard-loop": lambda row: statistics.mean(row.seconds) < 2 * slowness(),
    }
    missing += [f"{n}: limit missed" for n, ok in checks.items() if n in rows and not ok(rows[n])]
    undecided = sorted(name for row in rows.values() for name in row.open)
    print()
    if undecided:
        print(f"neither reached nor proved: {', '.join(undecided)}")
    print("\n".join(missing) or "every reachable target is covered; all limits are kept")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
