"""Tables 1 to 3 of LATEST: lazy expansion against plain search, with the report's numbers beside
ours.

    python -m experiments.lazy [--full] [--paper FILE] [--keep]

Table 1 has three small programs, Table 2 a calculator of one to four operations, Table 3 a parser
of PL/0 with texts of 7 and 8 words. Texts and grammars are not printed in the report; ours are
stated in `experiments/subjects/lazy`. For the calculator and the parser the valid inputs found are
compared with all there are, which are derived from the grammar without running the parser. Runs are
executions of the program, abstract, partly expanded or whole; the report calls them iterations.

"covered" is the number of runs after which no new branch was found. "errors" are runs of lazy search
that show, when everything else is done, that the subscripts of the Python programs cannot fail,
which C does not ask: where plain and lazy search are compared they are left out. Plain search needs
none for it, its paths show it on the way.

The quick form takes the calculator up to two operations and a PL/0 text of 4 words; --full takes
all. Plain search is run where it ends; with two operations, and on PL/0, it is cut after PLAIN_RUNS
(in the quick form QUICK_PLAIN_RUNS). FILE (default experiments/facts/latest_tables.json) has the
report's numbers. --keep also writes the tables to experiments/results.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.committed import RESULTS, Table, as_text, keep
from experiments.lazy_summaries import summarised
from experiments.subjects.lazy import calculator, pl0, testme, top, valid_inputs
from symcrete.explore.compose import prepare
from symcrete.explore.cover.summary import summarise
from symcrete.explore.findings import TargetReport
from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.loop.parts import Listener, Parts
from symcrete.explore.loop.progress import Kept
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

SUBJECTS = Path(__file__).parent / "subjects" / "lazy"
PAPER = Path(__file__).parent / "facts" / "latest_tables.json"

PLAIN_RUNS = 20_000
QUICK_PLAIN_RUNS = 3_000

Kinds = tuple[Any, ...]  # what makes two valid inputs the same


@dataclass(frozen=True, slots=True)
class Row:
    """One program, searched in one way."""

    tool: str
    what: str
    report: TargetReport
    covered_after: int  # runs when the last branch was covered
    for_errors: int = 0  # runs at the end, on operations that may fail
    valid: str = ""

    def cells(self, paper: dict[str, Any] | None) -> list[str]:
        branches = self.report.branches
        done = 100 * branches.covered / branches.total if branches.total else 100.0
        status = "" if self.report.status in ("complete", "covered") else " (cut)"
        theirs = "-"
        if paper:
            theirs = f"{paper['time']}, {paper['iterations']} runs"
            theirs += f", {paper['valid']} valid" if "valid" in paper else ""
        return [
            self.tool,
            self.what,
            f"{self.report.seconds:.1f}s{status}",
            str(self.report.runs),
            str(self.covered_after),
            str(self.for_errors),
            str(self.report.paths),
            self.valid,
            f"{done:.1f}",
            theirs,
        ]


HEAD = [
    "tool",
    "program",
    "time",
    "runs",
    "covered",
    "errors",
    "paths",
    "valid inputs",
    "branches %",
    "the report's",
]


def buffer(count: int, *, closed: bool = False) -> str:
    """The type of so many free cells, closed by a concrete 0 if asked for."""
    return f"tuple[{', '.join(['int'] * count + ['Literal[0]'] * closed)}]"


def search(target: str, **options: Any) -> tuple[TargetReport, int, int]:
    """The report, the runs after which the last branch was covered, and those for errors."""
    given = options_from({"budget": 6 * 3600.0, "replay": False, "paths": True} | options)
    found = targets_of(f"{SUBJECTS}/{target}")[0]
    began = time.perf_counter()
    covered_after = 0

    def note(parts: Parts, kept: Kept) -> None:
        nonlocal covered_after
        covered_after = exploration.progress.runs

    listener = Listener(on_kept=note)
    wanted = EveryBranch(given.within, paths=given.paths)
    exploration, phase = prepare(found, wanted, given, listener=listener, began=began)
    status = exploration.explore(phase)
    for_errors = exploration.runs_for_errors if isinstance(exploration, LazyExploration) else 0
    return summarise(exploration, given, status, began), covered_after, for_errors


# -- Table 1


def table1() -> Iterator[Row]:
    programs = [
        ("program1", "top.py::program1", top.PROGRAM1_LENGTHS, "locate_within"),
        ("program2", "top.py::program2", top.PROGRAM2_LENGTHS, "locate_within"),
        ("program3", "testme.py::program3", testme.PROGRAM3_LENGTHS, "strcmp"),
    ]
    for name, target, lengths, callee in programs:
        types = {each: buffer(count, closed=True) for each, count in lengths.items()}
        # As in the report buffers start with other characters and a 0 at the end.
        start = ", ".join([f"{each}=({'120, ' * (n - 1)}0, 0)" for each, n in lengths.items()])
        for tool, options in (("plain", {}), ("lazy", {"lazy": callee})):
            done = search(target, types=types, start=start, strategy="dfs", **options)
            yield Row(tool, name, *done)


# -- Table 2


def calculator_kinds(text: Sequence[int], operations: int) -> Kinds:
    """The kinds of the words up to the end, and whether a division by 0 ends the calculation."""
    kinds: list[Any] = []
    for word in range(2 * operations + 1):
        kind = calculator.lex(list(text), word)
        if kind == calculator.END:
            break
        kinds.append(kind)
        zero = kind == calculator.NUMBER and calculator.number(list(text), word) == 0
        if zero and len(kinds) > 1 and kinds[-2] == calculator.OVER:
            return (*kinds, "by zero")
    return tuple(kinds)


def table2(most: int, plain_runs: int) -> Iterator[Row]:
    for operations in range(1, most + 1):
        words = 2 * operations + 1
        types = {"text": buffer(words * calculator.WIDTH), "operations": f"Literal[{operations}]"}
        every = {calculator_kinds(t, operations) for t in valid_inputs.calculator_texts(operations)}
        name = f"{operations} operation{'s' * (operations > 1)}"
        tools: dict[str, dict[str, Any]] = {
            "plain": {"strategy": "dfs", "max_runs": None if operations == 1 else plain_runs},
            "lazy": {"strategy": "bfs", "lazy": "lex, number"},
        }
        for tool, options in tools.items():
            if tool == "plain" and operations > 2:
                continue
            done = search("calculator.py::calculate", types=types, **options)
            found = {calculator_kinds(text, operations) for text in returned(done[0])}
            yield Row(tool, name, *done, compared(found, every))


# -- Table 3


def pl0_kinds(text: Sequence[int]) -> Kinds:
    count = pl0.parse(list(text))
    return tuple([pl0.lex(list(text), word) for word in range(count)])


def table3(sizes: Sequence[int], plain_runs: int) -> Iterator[Row]:
    tools: dict[str, dict[str, Any]] = {
        "plain": {"max_runs": plain_runs},
        "lazy": {"lazy": "lex, strcmp", "only_returning": True},
    }
    for words in sizes:
        types = {"text": buffer(words * pl0.WIDTH)}
        every = set(valid_inputs.pl0_programs(words))
        for tool, options in tools.items():
            done = search("pl0.py::parse", types=types, strategy="dfs", **options)
            found = {pl0_kinds(text) for text in returned(done[0])}
            yield Row(tool, f"{words} words", *done, compared(found, every))


# -- Figure 7


def figure7(sizes: Sequence[int]) -> Table:
    """Plain search, search with summaries and lazy search of `top`, by the number of free cells."""
    rows = []
    for n in sizes:
        types = {"text": buffer(n, closed=True)}
        start = f"text=({'120, ' * (n - 1)}0, 0)"
        plain, _, _ = search("top.py::top_within", types=types, start=start, strategy="dfs")
        rejected = sum(found.error == "RejectedError" for found in plain.inputs)
        lazy, _, for_errors = search(
            "top.py::top_within",
            types=types,
            start=start,
            strategy="dfs",
            lazy="locate_within",
            lazy_as_published=True,
            paths=False,
        )
        runs = (plain.paths - rejected, summarised(n).runs, lazy.runs - for_errors)
        theirs = (3 * n - 1, 2 * n + 3, 10)
        cells = [f"{ours} ({printed})" for ours, printed in zip(runs, theirs, strict=True)]
        rows.append([str(n), *cells])
    head = ["cells", "plain (3n - 1)", "summaries (2n + 3)", "lazy (10)"]
    return Table("Figure 7: runs to cover top (the report's)", head, rows)


# -- comparison


def returned(report: TargetReport) -> list[Sequence[int]]:
    """The texts that the program accepted."""
    accepted = [found for found in report.inputs if found.outcome == "returned"]
    return [ast.literal_eval(found.args["text"]) for found in accepted]


def compared(found: set[Kinds], every: set[Kinds]) -> str:
    if found == every:
        return f"{len(found)}, all"
    return f"{len(found & every)} of {len(every)}, {len(found - every)} others"


def paper_numbers(file: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The report's cells by tool and program."""
    try:
        tables = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"without the report's numbers: cannot read {file.name}: {error}", file=sys.stderr)
        return {}
    tools = {"plain": "CUTE", "lazy": "LATEST"}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for tool, theirs in tools.items():
        for row in tables["table1"]:
            found[tool, row["program"].removesuffix(".c")] = row[theirs]
        for row in tables["table2_calculator"]:
            found[tool, f"{row['ops']} operation{'s' * (row['ops'] > 1)}"] = row[theirs]
        for row in tables["table3_pl0"]:
            found[tool, f"{row['tokens']} words"] = row[theirs]
    return {key: cells for key, cells in found.items() if cells}


def as_table(
    title: str, rows: Iterable[Row], paper: dict[tuple[str, str], dict[str, Any]]
) -> tuple[Table, list[Row]]:
    """The table with the report's numbers beside ours, and its rows."""
    done = list(rows)
    table = Table(title, HEAD, [row.cells(paper.get((row.tool, row.what))) for row in done])
    for what in dict.fromkeys(row.what for row in done):
        by_tool = {row.tool: row for row in done if row.what == what}
        if len(by_tool) == 2:
            plain, lazy = by_tool["plain"], by_tool["lazy"]
            factor = plain.report.runs / (lazy.report.runs - lazy.for_errors)
            least = "" if plain.report.status == "complete" else "more than "
            times = f"{least}{factor:.1f} times fewer runs than plain search"
            table.rows.append(["lazy", what, *[""] * (len(HEAD) - 3), times])
    return table, done


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m experiments.lazy")
    parser.add_argument("--full", action="store_true", help="four operations, 7 and 8 words")
    parser.add_argument("--paper", type=Path, default=PAPER, help="the report's numbers (JSON)")
    parser.add_argument("--keep", action="store_true", help="write the tables as data")
    options = parser.parse_args(arguments)
    paper = paper_numbers(options.paper)
    plain_runs = PLAIN_RUNS if options.full else QUICK_PLAIN_RUNS
    parts = {
        "Table 1: three small programs": table1(),
        "Table 2: a calculator": table2(4 if options.full else 2, plain_runs),
        "Table 3: a parser of PL/0": table3((7, 8) if options.full else (4,), plain_runs),
    }
    tables, rows = [], []
    for title, part in parts.items():
        table, done = as_table(title, part, paper)
        print(f"\n{as_text(table)}", flush=True)
        tables.append(table)
        rows += done
    tables.append(figure7((3, 9, 20)))
    print(f"\n{as_text(tables[-1])}")
    if options.keep:
        keep(tables, RESULTS / "lazy.json")
    lazily = [row for row in rows if row.tool == "lazy" and row.valid]
    return int(any(not row.valid.endswith("all") for row in lazily))


if __name__ == "__main__":
    sys.exit(main())
