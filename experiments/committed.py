"""Measured results as data: tables in JSON, with the command, commit and machine that made them.

`experiments/papers.py` renders the pages of `docs/papers` from these files.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
FACTS = ROOT / "experiments" / "facts"  # the papers' own numbers
RESULTS = ROOT / "experiments" / "results"


@dataclass(frozen=True)
class Table:
    """Rows of cells, as they are to be printed."""

    title: str
    head: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Result:
    """What one command measured."""

    command: str
    commit: str
    machine: str
    load: float  # processes that were running or waiting when it was written
    day: str
    tables: list[Table]


def keep(tables: Sequence[Table], file: Path) -> None:
    """Write the tables that this process measured."""
    command = " ".join(["python -m", f"experiments.{Path(sys.argv[0]).stem}", *sys.argv[1:]])
    commit = _git("rev-parse", "--short", "HEAD")
    if _git("status", "--porcelain", "src", "experiments"):
        commit += "+"  # with changes that were committed after it
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    load = round(os.getloadavg()[0], 1)
    day = datetime.now(UTC).date().isoformat()
    made = Result(command, commit, machine, load, day, list(tables))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(asdict(made), indent=1) + "\n", encoding="utf-8")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()


def read(file: Path) -> Result:
    """The result in a file that `keep` wrote."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    return Result(**{**stored, "tables": [Table(**each) for each in stored["tables"]]})


def as_text(table: Table) -> str:
    """A table for a terminal, its columns below each other."""
    lines = [table.head, *table.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.head))]
    shown = [
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) for line in lines
    ]
    return "\n".join([table.title, *[line.rstrip() for line in shown]])


def as_markdown(result: Result) -> str:
    """The tables, and below them how they were made."""
    parts = []
    for table in result.tables:
        lines = [
            f"**{table.title}**",
            "",
            f"| {' | '.join(table.head)} |",
            "|---" * len(table.head) + "|",
        ]
        lines += [f"| {' | '.join(row)} |" for row in table.rows]
        parts.append("\n".join(lines))
    parts.append(
        f"`{result.command}` at {result.commit}, {result.day}; {result.machine}, load {result.load}."
    )
    return "\n\n".join(parts)
