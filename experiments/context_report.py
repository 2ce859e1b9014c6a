"""Tables and plots of the comparison in `experiments.context`."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from math import comb
from pathlib import Path
from typing import Protocol

from experiments.committed import Table
from experiments.mann_whitney import mann_whitney
from experiments.optimal_figure import draw_curves

MARKS = (0.05, 0.1, 0.25, 0.5, 1.0)
SIGNIFICANT = 0.05


class Result(Protocol):
    """One exploration."""

    subject: str
    strategy: str
    runs: int
    branches: int
    curve: list[tuple[int, int]]

    def covered(self, run: int) -> int: ...


def write_report(measured: Sequence[Result], paper: Sequence[str], out: Path) -> str:
    """The tables as text, also written beside the plots."""
    parts, verdicts = [], []
    for subject in dict.fromkeys(each.subject for each in measured):
        rows = [each for each in measured if each.subject == subject]
        runs = rows[0].runs
        parts.append(_table(subject, rows, runs, paper))
        verdicts.append(_verdict(subject, rows, runs))
        _plot(rows, runs, out / f"{subject.replace(' ', '_')}.svg")
    parts.append(_summary(verdicts))
    text = "\n\n".join(parts)
    (out / "report.md").write_text(text + "\n", encoding="utf-8")
    return text


def _by_strategy(rows: Sequence[Result]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for row in rows:
        found.setdefault(row.strategy, []).append(row)
    return found


def _table(subject: str, rows: Sequence[Result], runs: int, paper: Sequence[str]) -> str:
    by_strategy = _by_strategy(rows)
    marks = [round(share * runs) for share in MARKS]
    ends = {name: [each.covered(runs) for each in those] for name, those in by_strategy.items()}
    target = min(statistics.mean(ends[name]) for name in ends if name in paper)
    head = ["strategy", *(f"{mark} runs" for mark in marks), "p against cgs", "runs to target"]
    lines = [
        f"### {subject}: {rows[0].branches} branches, {len(by_strategy.get('cgs', rows))} seeds, "
        f"target {target:.1f}",
        "",
        "| " + " | ".join(head) + " |",
        "|---" * len(head) + "|",
    ]
    for name in sorted(ends, key=lambda each: -statistics.mean(ends[each])):
        those = by_strategy[name]
        means = [statistics.mean(each.covered(mark) for each in those) for mark in marks]
        cells = [name, *(f"{mean:.1f}" for mean in means), _chance(name, ends)]
        cells.append(_to_target(those, target))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _chance(name: str, ends: dict[str, list[int]]) -> str:
    if name == "cgs" or "cgs" not in ends:
        return ""
    return f"{mann_whitney(ends['cgs'], ends[name]):.3f}"


def _to_target(rows: Sequence[Result], target: float) -> str:
    """The mean over the seeds that got there, and how many did not."""
    reached = [next((at for at, n in row.curve if n >= target), None) for row in rows]
    there = [at for at in reached if at is not None]
    if not there:
        return "-"
    missing = len(reached) - len(there)
    return f"{statistics.mean(there):.0f}" + (f" ({missing} never)" if missing else "")


def _verdict(subject: str, rows: Sequence[Result], runs: int) -> tuple[str, str, str]:
    """Whether `cgs` has the highest mean, shares it as far as chance can tell, or is behind."""
    ends = {n: [each.covered(runs) for each in r] for n, r in _by_strategy(rows).items()}
    mean: Callable[[str], float] = lambda name: statistics.mean(ends[name])
    if "cgs" not in ends:
        return subject, "", ""
    if least_chance(min(map(len, ends.values()))) >= SIGNIFICANT:
        return subject, "not decided: too few seeds", ""
    rivals = [name for name in ends if name not in ("cgs", "auto") and not name.startswith("cgs-")]
    better = [name for name in rivals if mean(name) > mean("cgs")]
    if not better:
        return subject, "highest", ""
    surely = [name for name in better if mann_whitney(ends["cgs"], ends[name]) < SIGNIFICANT]
    return subject, "behind" if surely else "tied", ", ".join(surely or better)


def least_chance(seeds: int) -> float:
    """The smallest p that a two-sided Mann-Whitney test of so many seeds each can give."""
    return min(1.0, 2 / comb(2 * seeds, seeds))


def as_tables(measured: Sequence[Result]) -> list[Table]:
    """Mean branches at the end, by subject and strategy, with the test against `cgs`."""
    tables = []
    for subject in dict.fromkeys(each.subject for each in measured):
        rows = [each for each in measured if each.subject == subject]
        runs = rows[0].runs
        ends = {n: [each.covered(runs) for each in r] for n, r in _by_strategy(rows).items()}
        seeds = min(map(len, ends.values()))
        decides = least_chance(seeds) < SIGNIFICANT
        cells = [
            [name, f"{statistics.mean(ends[name]):.1f}", _chance(name, ends) if decides else "-"]
            for name in sorted(ends, key=lambda each: -statistics.mean(ends[each]))
        ]
        title = f"{subject}: {rows[0].branches} branches, {runs} runs, {seeds} seeds"
        tables.append(Table(title, ["strategy", "branches covered", "p against cgs"], cells))
    return tables


def _summary(verdicts: Sequence[tuple[str, str, str]]) -> str:
    lines = [
        "### cgs against the others",
        "",
        "| subject | cgs is | others above |",
        "|---|---|---|",
    ]
    lines += [f"| {' | '.join(row)} |" for row in verdicts]
    good = sum(verdict in ("highest", "tied") for _, verdict, _ in verdicts)
    lines += ["", f"highest or tied on {good} of {len(verdicts)}"]
    return "\n".join(lines)


def _plot(rows: Sequence[Result], runs: int, file: Path) -> None:
    """Mean coverage over runs, strategies in the order in which they ended."""
    steps = [1, *range(max(1, runs // 100), runs + 1, max(1, runs // 100))]
    curves = {}
    for name, those in _by_strategy(rows).items():
        curves[name] = [
            (float(step), statistics.mean(each.covered(step) for each in those)) for step in steps
        ]
    ordered = dict(sorted(curves.items(), key=lambda item: -item[1][-1][1]))
    top = float(max(points[-1][1] for points in curves.values()))
    text = draw_curves(ordered, across="runs", up="branches covered", top=top)
    file.write_text(text, encoding="utf-8")
