"""Tables 4.1 to 4.3 of symcretic execution's evaluation, rerun on Python versions of its
programs.

    python -m experiments.symcretic              # 7 runs for each target, as in the dissertation
    python -m experiments.symcretic --quick      # 3 runs

The dissertation's columns come from a file given with --tables (looked for in experiments/facts
first). Python ints do not overflow: `dart` and `narrow` wrap to 32 bits by a function of their own,
which the symbolic phase sees as arithmetic. Segments are counted as the dissertation does: straight
pieces of the backward search between two branching points. Seconds are wall clock for the whole
answer, with the import of the program and the replay of the input in two fresh interpreters, which
the dissertation's do not have.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import symcrete
from experiments.subjects.symcretic.targets import TARGETS, Marked, line, source

TABLES = Path(__file__).parent / "facts" / "symcretic_tables.json"
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
    """All runs on one program."""

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
    parser.add_argument("--quick", action="store_true", help="3 runs instead of 7")
    parser.add_argument("--runs", type=int, help="runs for each target")
    parser.add_argument("--budget", default="10s", help="for each target (dissertation: 60s)")
    parser.add_argument("--tables", type=Path, default=TABLES, help="the dissertation's numbers")
    parser.add_argument("programs", nargs="*", help="only these")
    given = parser.parse_args()
    runs = given.runs or (3 if given.quick else 7)
    theirs = _published(given.tables)
    wanted = given.programs or list(PROGRAMS)
    rows = {name: _measure(name, runs, given.budget) for name in wanted}
    _table_1(wanted, theirs)
    _table_2(rows, theirs, runs)
    _table_3(rows, theirs)
    return _acceptance(rows)


def _published(path: Path) -> dict[str, Any]:
    if path.exists():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    print(f"no {path.name} at hand (--tables FILE): the dissertation's columns stay empty")
    return {}


def _measure(program: str, runs: int, budget: str) -> Row:
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


def _reach(marked: Marked, seed: int, budget: str) -> Any:
    function = getattr(importlib.import_module(marked.module), marked.entry)
    return symcrete.reach(function, line=line(marked), budget=budget, seed=seed)


def _table_1(wanted: list[str], theirs: dict[str, Any]) -> None:
    print("\n\nTable 4.1: the programs; in brackets the dissertation's Java versions\n")
    print(f"{'program':<10} {'lines':>10} {'ifs':>9} {'loops':>8} {'targets':>9}")
    for name in wanted:
        lines, ifs, loops = _size(name)
        old = theirs.get("table4_1", {}).get(name, {})
        cells = [(lines, "loc", 10), (ifs, "ifs", 9), (loops, "loops", 8)]
        text = " ".join(
            f"{f'{ours} ({old.get(key, chr(45))})':>{width}}" for ours, key, width in cells
        )
        targets = f"{len(PROGRAMS[name])} ({old.get('targets', '-')})"
        print(f"{name:<10} {text} {targets:>9}")


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


def _table_2(rows: dict[str, Row], theirs: dict[str, Any], runs: int) -> None:
    print(f"\nTable 4.2: targets covered and segments explored, means of {runs} runs")
    print("(J jCUTE, S SPF-CW, C Cilocnoc as printed; ours under 'here')\n")
    print(
        f"{'':<10} {'reachable':>9} | {'covered':^27} | "
        f"{'segments to cover':^27} | {'segments':^33}"
    )
    head = f"{'J':>5} {'S':>5} {'C':>5} {'here':>9}"
    print(
        f"{'program':<10} {'':>9} | {head} | {head} | "
        f"{'J':>9} {'S':>6} {'C':>6} {'here':>9}  proved"
    )
    for name, row in rows.items():
        old = theirs.get("table4_2", {}).get(name, {})
        cover = _cells(old.get("covered", {}), 5)
        needed = _cells(old.get("segments_to_cover", {}), 5)
        whole = old.get("total_segments", {})
        totals = " ".join(
            f"{_shown(whole.get(tool)):>{width}}"
            for tool, width in (("jCUTE", 9), ("SPF-CW", 6), ("Cilocnoc", 6))
        )
        mean = f"{statistics.mean(row.to_cover):9.1f}" if row.to_cover else f"{'-':>9}"
        print(
            f"{name:<10} {row.reachable:>9} | {cover} {statistics.mean(row.covered):>9.2f} | "
            f"{needed} {mean} | {totals} {statistics.mean(row.total):>9.1f}  "
            f"{statistics.mean(row.proved):g}"
        )
    reachable = sum(row.reachable for row in rows.values())
    covered = sum(statistics.mean(row.covered) for row in rows.values())
    print(f"{'together':<10} {reachable:>9} | {'(of 15: 4.86, 11, 12)':>17} {covered:>9.2f}")


def _cells(values: dict[str, Any], width: int) -> str:
    return " ".join(f"{_shown(values.get(t)):>{width}}" for t in ("jCUTE", "SPF-CW", "Cilocnoc"))


def _shown(value: Any) -> str:
    return "-" if value is None else f"{value:g}" if value < 1e6 else f"{value:.0f}"


def _table_3(rows: dict[str, Row], theirs: dict[str, Any]) -> None:
    print("\nTable 4.3: seconds for all targets of a program, mean and standard deviation\n")
    print(f"{'program':<10} {'jCUTE':>13} {'SPF-CW':>13} {'Cilocnoc':>13} {'here':>13}  phases")
    for name, row in rows.items():
        old = theirs.get("table4_3_seconds", {}).get(name, {})
        cells = " ".join(f"{_pair(old.get(tool)):>13}" for tool in ("jCUTE", "SPF-CW", "Cilocnoc"))
        spread = statistics.stdev(row.seconds) if len(row.seconds) > 1 else 0.0
        ours = f"{statistics.mean(row.seconds):.2f} +- {spread:.2f}"
        print(f"{name:<10} {cells} {ours:>13}  {', '.join(sorted(row.phases))}")


def _pair(value: dict[str, float] | None) -> str:
    return "-" if value is None else f"{value['mean']:.2f} +- {value['sd']:.2f}"


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
    checks = {
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
