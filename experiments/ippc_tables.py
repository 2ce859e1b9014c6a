"""IPPC's tables, the paper's numbers beside ours, and what the paper claims of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.committed import Table

MEASURES = ("cs_calls", "avg_constraint_size", "branch_coverage_pct", "time_s")
ORDERS = ("last", "first")
MANY = 5.0  # calls of DFS for each run: many flips are infeasible there


@dataclass(frozen=True)
class Cell:
    """One subject under one column: the paper's four measures, and the runs there was time for."""

    calls: float
    size: float
    coverage: float
    seconds: float
    runs: float
    largest: float
    solving: float  # seconds of it in queries

    @property
    def each(self) -> float:
        """Seconds per run, for cells whose time ran out."""
        return self.seconds / max(1, self.runs)


Results = dict[tuple[str, int], dict[str, Cell]]
Printed = dict[tuple[str, int, str], list[float]]


def printed_cells(folder: Path) -> Printed:
    """The paper's Table 2 by subject, iterations and column."""
    file = folder / "ippc_table2.json"
    if not file.exists():
        print(f"(no {file}: the paper's columns are left out)")
        return {}
    return {
        (row["uut"], row["iterations"], tool): [row[key][tool] for key in MEASURES]
        for row in json.loads(file.read_text())["table2"]
        for tool in ("DFS", "CFG", "RND", "IPPC")
        if row["cs_calls"].get(tool) is not None
    }


def print_row(column: str, cell: Cell, printed: Printed, name: str, iterations: int) -> None:
    """A line of Table 2; beside it the paper's of the same count, else of its smallest one."""
    if column == "DFS last":
        ours = f"{'calls':>8} {'size':>8} {'cover %':>8} {'cpu s':>8} {'runs':>6}"
        print(f"  {'':15} {ours}   {'paper: calls':>13} {'size':>8} {'cover %':>8} {'s':>8}")
    tool, _, rest = column.partition(" ")
    counts = sorted(count for uut, count, other in printed if (uut, other) == (name, tool))
    beside = ""
    if counts and len(rest.split()) < 2:  # the paper has no ablations
        count = iterations if iterations in counts else counts[0]
        calls, size, coverage, seconds = printed[name, count, tool]
        beside = f"   {calls:>13} {size:>8} {coverage:>8} {seconds:>8}"
        beside += "" if count == iterations else f"  (at {count})"
    print(
        f"  {column:15} {cell.calls:>8.0f} {cell.size:>8.1f} {cell.coverage:>8.1f} "
        f"{cell.seconds:>8.2f} {cell.runs:>6.0f}{beside}",
        flush=True,
    )


def as_table(results: Results) -> Table:
    """Every cell, and its speed beside the baseline's of the same order."""
    head = ["subject", "iterations", "column", "calls", "size", "covered %", "runs"]
    head += ["cpu s", "DFS / this", "solving s", "DFS / this"]
    rows = []
    for (name, iterations), row in results.items():
        for column, cell in row.items():
            order = column.split()[1] if " " in column else "last"
            baseline = row.get(f"DFS {order}")
            total = f"{_ratio(baseline.each, cell.each):.2f}" if baseline else ""
            solving = f"{_ratio(*_solving(baseline, cell)):.2f}" if baseline else ""
            rows.append(
                [
                    name,
                    str(iterations),
                    column,
                    f"{cell.calls:.0f}",
                    f"{cell.size:.1f}",
                    f"{cell.coverage:.1f}",
                    f"{cell.runs:.0f}",
                    f"{cell.seconds:.2f}",
                    total,
                    f"{cell.solving:.2f}",
                    solving,
                ]
            )
    return Table("DFS with slicing and kept assertions is the baseline", head, rows)


def _solving(baseline: Cell, cell: Cell) -> tuple[float, float]:
    """Seconds of solving for each run, of the baseline and of this one."""
    return baseline.solving / max(1, baseline.runs), cell.solving / max(1, cell.runs)


FIGURE_4 = "Figure 4: runs for each call of DFS, and how much faster than DFS"


def figure_table(results: Results) -> Table:
    """The points of Figure 4: ours, and the paper's for the same subject where it prints them."""
    rows = []
    for (name, iterations), row in results.items():
        for order in ORDERS:
            dfs = row.get(f"DFS {order}")
            if dfs is None:
                continue
            rows.append([name, str(iterations), order, f"{_ratio(dfs.runs, dfs.calls):.2f}"])
            for tool in ("IPPC", "ours"):
                known = f"{tool} {order}" in row
                rows[-1].append(f"{_speedup(row, tool, order):.2f}" if known else "")
    head = ["subject", "iterations", "order", "runs / calls", "IPPC", "ours"]
    return Table(FIGURE_4, head, rows)


def print_tables(results: Results, folder: Path) -> None:
    file = folder / "ippc_table2.json"
    paper = json.loads(file.read_text()) if file.exists() else {}
    _table3(results, paper)
    _table4(results, paper)
    _claims(results)


def _table3(results: Results, paper: dict[str, Any]) -> None:
    """The best of the paper's four; beside it the best of all columns."""
    print("\nTable 3: the best, by runtime first and by coverage first (paper; with all columns)")
    printed = paper.get("table3_best", {})
    for (name, iterations), row in results.items():
        four = {tool: row[tool] for tool in ("CFG", "RND", "DFS first", "IPPC first")}
        theirs = printed.get(name, {})
        quickest, widest = _by_time(four), _by_coverage(four)
        print(
            f"  {name:8} {iterations:>6} {quickest:11} ({theirs.get('runtime_first', ''):9}; {_by_time(row):15})"
            f"  {widest:11} ({theirs.get('coverage_first', ''):9}; {_by_coverage(row)})"
        )


def _by_time(row: dict[str, Cell]) -> str:
    return min(row, key=lambda column: (round(row[column].each, 4), -row[column].coverage))


def _by_coverage(row: dict[str, Cell]) -> str:
    return min(row, key=lambda column: (-row[column].coverage, row[column].each))


def _table4(results: Results, paper: dict[str, Any]) -> None:
    print("\nTable 4: DFS / IPPC in constraint size and in time per run; DFS's calls per run.")
    print("In brackets the time where nothing is sliced; ours is against the baseline.")
    printed = {row["uut"]: row for row in paper.get("table4_ratio_speedup", [])}
    for (name, iterations), row in results.items():
        parts = []
        for order in ORDERS:
            whole, partial = row[f"DFS {order}"], row[f"IPPC {order}"]
            parts.append(
                f"{order}: size {_ratio(whole.size, partial.size):6.1f} calls {_per_run(whole):5.1f} "
                f"IPPC {_ratio(whole.each, partial.each):5.2f}x "
                f"({_unsliced(row, order):.2f}x) ours {_speedup(row, 'ours', order):5.2f}x"
            )
        theirs = printed.get(name)
        beside = ""
        if theirs:
            beside = f"paper: {theirs['avg_const_size_ratio_dfs_over_ippc']}, {theirs['speedup']}x"
        print(f"  {name:8} {iterations:>6} {'   '.join(parts)}   {beside}")


def _claims(results: Results) -> None:
    """What the paper says of its tables, looked up in ours."""
    print("\nClaims")
    rows = [(key, row, order) for key, row in results.items() for order in ORDERS]
    unequal = [
        f"{name} {iterations} {order}"
        for (name, iterations), row, order in rows
        if row[f"DFS {order}"].runs == row[f"IPPC {order}"].runs == iterations
        and abs(row[f"DFS {order}"].coverage - row[f"IPPC {order}"].coverage) > 1e-9
    ]
    print(f"  IPPC and DFS cover equally many branches: {_but(unequal)}")
    sizes = [_ratio(row[f"DFS {order}"].size, row[f"IPPC {order}"].size) for _, row, order in rows]
    print(f"  DFS / IPPC in size: {min(sizes):.1f} to {max(sizes):.1f} (paper: 4.4 to 137.3)")
    many = {
        f"{name} {iterations} {order}": _ratio(row[f"DFS {order}"].each, row[f"IPPC {order}"].each)
        for (name, iterations), row, order in rows
        if _per_run(row[f"DFS {order}"]) > MANY
    }
    if many:
        best = max(many, key=lambda each: many[each])
        print(
            f"  more than {MANY:g} calls a run: {len(many)} rows, DFS / IPPC up to {many[best]:.1f}x ({best})"
        )
    ours = {f"{key[0]} {key[1]} {order}": _speedup(row, "ours", order) for key, row, order in rows}
    worst = min(ours, key=lambda each: ours[each])
    slower = [f"{each} {factor:.2f}x" for each, factor in ours.items() if factor < 0.9]
    print(
        f"  ours is at least 0.9 of DFS: {_but(slower)}; the least is {ours[worst]:.2f}x ({worst})"
    )
    largest = max(row[f"IPPC {order}"].largest for _, row, order in rows)
    whole = max(row[f"DFS {order}"].largest for _, row, order in rows)
    print(f"  largest constraint: DFS {whole:.0f}, IPPC {largest:.0f} (paper: 2922, 157)")


def _but(exceptions: list[str]) -> str:
    return f"not in {', '.join(exceptions)}" if exceptions else "everywhere"


def _speedup(row: dict[str, Cell], tool: str, order: str) -> float:
    """Over the baseline, which slices and keeps asserted what queries share."""
    return _ratio(row[f"DFS {order}"].each, row[f"{tool} {order}"].each)


def _unsliced(row: dict[str, Cell], order: str) -> float:
    return _ratio(row[f"DFS {order} unsliced"].each, row[f"IPPC {order} unsliced"].each)


def _per_run(cell: Cell) -> float:
    return cell.calls / max(1, cell.runs)


def _ratio(one: float, other: float) -> float:
    return one / other if other else 0.0
