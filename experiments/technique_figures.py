"""The measured picture of each page in `docs/techniques`, drawn from the committed results."""

from __future__ import annotations

import re

from experiments.bars import draw_bars
from experiments.committed import Result, Table

Bars = dict[str, dict[str, float]]

NUMBER = re.compile(r"\d+(?:\.\d+)?")


def conditions_of_a_call(result: Result) -> str:
    """IPPC: how many conditions a query has, and how many when it begins with the goal alone."""
    bars: Bars = {}
    rows = _rows(_table(result, "DFS with slicing"))
    for column, name in {"DFS last": "the whole path", "IPPC last": "partial paths (IPPC)"}.items():
        for row in rows:
            if row["column"] == column:
                bars.setdefault(row["subject"], {})[name] = float(row["size"])
    return draw_bars(bars, across="conditions sent to the solver in a call, mean", logarithmic=True)


def branches_by_strategy(result: Result) -> str:
    """Context-guided search: the share of branches that each strategy covers in as many runs."""
    shown = ("cgs", "carfast", "random-branch", "crest-dfs", "dfs")
    bars: Bars = {}
    for table in result.tables:
        subject, total, runs = re.findall(r"^(\S+): (\d+) branches, (\d+) runs", table.title)[0]
        covered = {row["strategy"]: row["branches covered"] for row in _rows(table)}
        bars[f"{subject}, {runs} runs"] = {
            strategy: round(100 * float(covered[strategy]) / int(total), 1)
            for strategy in shown
            if strategy in covered
        }
    return draw_bars(bars, across="percent of the branches covered", longest=100)


def covered_by_solver(result: Result) -> str:
    """The concolic walk: what can be covered where conditions are beyond linear ones."""
    bars: Bars = {}
    for row in _rows(_table(result, "Table 5.2")):
        shares = {solver: _first(row[solver]) for solver in ("linear", "z3", "walk", "auto")}
        known = {solver: share for solver, share in shares.items() if share is not None}
        if known and NUMBER.match(row["LoC"]):
            bars[row["program"]] = known
    return draw_bars(bars, across="percent of the targets covered", longest=100)


def runs_until_done(result: Result) -> str:
    """Lazy expansion: runs until every valid input is found, plain search beside it."""
    bars: Bars = {}
    notes: dict[tuple[str, str], str] = {}
    titles = {"Table 1": "", "Table 2": "calculator, ", "Table 3": "PL/0, "}
    for title, before in titles.items():
        for row in _rows(_table(result, title)):
            if row["runs"]:
                subject = f"{before}{row['program']}"
                bars.setdefault(subject, {})[row["tool"]] = float(row["runs"])
                if "cut" in row["time"]:
                    notes[subject, row["tool"]] = "not done"
    return draw_bars(bars, across="runs until it is done", logarithmic=True, notes=notes)


def segments_until_decided(result: Result) -> str:
    """From a line backwards: pieces of paths looked at until all lines of a program are decided."""
    tools = {"jCUTE": "jCUTE, forward", "SPF-CW": "SPF-CW, forward", "reach (Cilocnoc)": "reach"}
    bars: Bars = {}
    notes: dict[tuple[str, str], str] = {}
    for row in _rows(_table(result, "Table 4.2")):
        for column, tool in tools.items():
            segments, covered = (
                _first(row[f"segments: {column}"]),
                _first(row[f"covered: {column}"]),
            )
            if segments is not None:
                bars.setdefault(row["program"], {})[tool] = segments
                if covered is not None and covered < float(row["reachable"]):
                    notes[row["program"], tool] = f"{covered:g} of {row['reachable']} reached"
    return draw_bars(
        bars,
        across="pieces of paths looked at, all lines of a program",
        logarithmic=True,
        notes=notes,
    )


def blocks_by_time(result: Result) -> str:
    """Draw or solve: the share of basic blocks that each strategy covers in as many seconds."""
    shown = ("greedy", "greedy-paper", "cgs", "klee", "dfs", "random-input@uniform")
    averages = re.compile(r"average at (\S+) s")
    bars: Bars = {}
    for row in _rows(_table(result, "Table 3")):
        if found := averages.match(row["subject"]):
            bars[f"after {found[1]} s"] = {
                name.partition("@")[0]: float(row[name]) for name in shown if row.get(name)
            }
    return draw_bars(
        bars, across="percent of the basic blocks covered, mean over programs", longest=100
    )


def _table(result: Result, beginning: str) -> Table:
    """The table of a result whose title begins so."""
    return next(table for table in result.tables if table.title.startswith(beginning))


def _rows(table: Table) -> list[dict[str, str]]:
    """Rows by the names of their columns; of two columns of one name the first."""
    return [dict(reversed(list(zip(table.head, row, strict=True)))) for row in table.rows]


def _first(cell: str) -> float | None:
    """The number a cell begins with, if it does."""
    found = NUMBER.match(cell)
    return float(found[0]) if found else None
