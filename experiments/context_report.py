"""Tables and plots of the comparison in `experiments.context`."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from math import comb
from pathlib import Path
from typing import Protocol

from experiments.committed import Table
from experiments.figures import draw_curves
from experiments.mann_whitney import mann_whitney
from experiments.shapiro_wilk import shapiro_wilk

MARKS = (0.05, 0.1, 0.25, 0.5, 1.0)
SIGNIFICANT = 0.05


class Result(Protocol):
    """One exploration."""

    subject: str
    strategy: str
    runs: int
    branches: int
    curve: list[tuple[int, int]]
    covered_set: str
    processor: float

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


HEAD = [
    "strategy",
    "branches covered",
    "p against cgs",
    "normal, p",
    "only it",
    "only cgs",
    "cpu s",
]


def as_tables(measured: Sequence[Result]) -> list[Table]:
    """By subject and strategy: mean branches at the end, the test against `cgs`, Shapiro and Wilk's
    test of being normal, branches that only it or only `cgs` covered with any seed, and the mean of
    the processor's seconds.
    """
    tables = []
    for subject in dict.fromkeys(each.subject for each in measured):
        rows = [each for each in measured if each.subject == subject]
        runs, by_strategy = rows[0].runs, _by_strategy(rows)
        ends = {n: [each.covered(runs) for each in r] for n, r in by_strategy.items()}
        seeds = min(map(len, ends.values()))
        decides = least_chance(seeds) < SIGNIFICANT
        cells = [
            [
                name,
                f"{statistics.mean(ends[name]):.1f}",
                _chance(name, ends) if decides else "-",
                f"{shapiro_wilk(ends[name])[1]:.2f}"
                if len(set(ends[name])) > 1 < seeds - 1
                else "",
                *_beside(by_strategy[name], by_strategy.get("cgs", [])),
                f"{statistics.mean(each.processor for each in by_strategy[name]):.1f}",
            ]
            for name in sorted(ends, key=lambda each: -statistics.mean(ends[each]))
        ]
        title = f"{subject}: {rows[0].branches} branches, {runs} runs, {seeds} seeds"
        tables.append(Table(title, HEAD, cells))
    return [*_over_programs(measured), *tables]


def _beside(rows: Sequence[Result], others: Sequence[Result]) -> tuple[str, str]:
    """How many branches some of the first covered and none of the others, and the reverse."""
    ours, theirs = (_union(each) for each in (rows, others))
    if not theirs or (ours == theirs and rows[0].strategy == "cgs"):
        return "", ""
    return str((ours & ~theirs).bit_count()), str((theirs & ~ours).bit_count())


def _union(rows: Sequence[Result]) -> int:
    union = 0
    for row in rows:
        union |= int(row.covered_set or "0", 16)
    return union


def _over_programs(measured: Sequence[Result]) -> list[Table]:
    """Generated programs by size: the mean coverage of each strategy, what it took, and on how many
    programs it leads.
    """
    found: dict[str, dict[str, list[Result]]] = {}
    for each in measured:
        if each.subject.startswith("generated"):
            size = each.subject.split()[1]
            found.setdefault(size, {}).setdefault(each.strategy, []).append(each)
    rows = []
    for size, by_strategy in sorted(found.items(), key=lambda each: int(each[0])):
        ends = {name: _by_program(those) for name, those in by_strategy.items()}
        best = {
            program: max(each.get(program, 0.0) for each in ends.values())
            for program in next(iter(ends.values()))
        }
        for name in sorted(ends, key=lambda each: -statistics.mean(ends[each].values())):
            leads = sum(ends[name].get(program) == most for program, most in best.items())
            seconds = statistics.mean(each.processor for each in by_strategy[name])
            mean = statistics.mean(ends[name].values())
            rows.append([size, name, f"{mean:.1f}", f"{leads} of {len(best)}", f"{seconds:.1f}"])
    head = ["lines", "strategy", "branches covered, mean over programs", "leads on", "cpu s"]
    return [Table("Generated programs", head, rows)] if rows else []


def _by_program(rows: Sequence[Result]) -> dict[str, float]:
    """The mean coverage at the end, by subject."""
    ends: dict[str, list[int]] = {}
    for row in rows:
        ends.setdefault(row.subject, []).append(row.covered(row.runs))
    return {subject: statistics.mean(counts) for subject, counts in ends.items()}


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
