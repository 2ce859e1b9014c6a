"""Lines picked at random from the standard library: what `reach` decides, beside plain forward
search, and in what time.

    python -m benchmarks.reach                   # 60 lines, 10 s each and for each of the two
    python -m benchmarks.reach --budget 2s --lines 20
    python -m benchmarks.reach --results out.jsonl   # keeps what it has, goes on where it stopped

Each line runs in a process of its own, first with `reach`, then with ordinary exploration of the
function around the line, which stops when the line is executed. Inputs of both are confirmed by a
replay. Same seed, same lines.
"""

from __future__ import annotations

import argparse
import inspect
import json
import multiprocessing
import resource
import statistics
import time
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.compose import prepare
from symcrete.explore.options import options_from, seconds
from symcrete.explore.reach.line_confirmed import confirmed
from symcrete.explore.reach.reached import Goal
from symcrete.explore.reach.symcretic import reach
from symcrete.explore.wanted import OneLine
from symcrete.program.source.module import source_of_module
from symcrete.program.source.place import executable_lines, place_of
from symcrete.program.source.sites import functions
from symcrete.run.untouched.replay import replay_once

MODULES = "shlex textwrap urllib.parse ipaddress configparser "
MODULES += "fractions statistics calendar difflib posixpath"
SLACK = 8.0  # seconds after the budget until a process is ended


@dataclass(frozen=True)
class Row:
    """One line under one of the two searches."""

    verdict: str
    seconds: float
    processor: float  # seconds, with those of the interpreters that confirm
    detail: str

    @property
    def decided(self) -> bool:
        return self.verdict in ("reached", "unreachable")


class Results:
    """Rows by line and search, kept in a file if there is one."""

    def __init__(self, file: Path | None, budget: float) -> None:
        self._file = file
        self._budget = budget
        self._rows: dict[str, Row] = {}
        if file is not None and file.exists():
            for text in file.read_text().splitlines():
                entry = json.loads(text)
                self._rows[entry.pop("key")] = Row(**entry)

    def row(self, kind: str, module: str, line: int) -> Row:
        key = f"{kind} {module}:{line} {self._budget:g} s"
        if key not in self._rows:
            row = self._rows[key] = Row(*apart(SEARCHES[kind], module, line, self._budget))
            if self._file is not None:
                with self._file.open("a") as out:
                    out.write(json.dumps({"key": key, **asdict(row)}) + "\n")
        return self._rows[key]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", default="10s", help="for each line and each search")
    parser.add_argument("--lines", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, help="a file to keep results in and go on from")
    parser.add_argument("--only", choices=tuple(SEARCHES), help="just one of the two searches")
    parser.add_argument("-v", "--verbose", action="store_true", help="the reasons too")
    given = parser.parse_args()
    results = Results(given.results, seconds(given.budget))
    picked = pick(given.lines, given.seed)
    kinds = [given.only] if given.only else list(SEARCHES)
    rows: dict[str, list[Row]] = {kind: [] for kind in kinds}
    print(f"{'line':<26} " + " ".join(f"{kind:<25}" for kind in kinds) + " text")
    for module, line in picked:
        for kind in kinds:
            rows[kind].append(results.row(kind, module, line))
        last = [rows[kind][-1] for kind in kinds]
        cells = [f"{row.verdict} {row.seconds:.1f} s ({row.processor:.1f})" for row in last]
        text = place(module, line).text[:44]
        print(
            f"{module + ':' + str(line):<26} " + " ".join(f"{c:<25}" for c in cells) + f" {text}",
            flush=True,
        )
        if given.verbose and rows[kinds[0]][-1].detail:
            print(f"    {rows[kinds[0]][-1].detail[:230]}")
    print(f"\n{len(picked)} lines, {given.budget} each")
    print("seconds on the clock (and of the processor)")
    for kind in kinds:
        _tally(kind, rows[kind])
    if len(kinds) == 2:
        _compare(*rows.values())


def _tally(kind: str, rows: list[Row]) -> None:
    verdicts = Counter(row.verdict for row in rows)
    decided = [row for row in rows if row.decided]
    words = ", ".join(f"{count} {word}" for word, count in verdicts.most_common())
    print(f"{kind:<8} decides {len(decided):>3}: {words}")
    print(f"{'':<8} {_times(rows)}; of those decided {_times(decided)}")


def _compare(ours: list[Row], theirs: list[Row]) -> None:
    pairs = list(zip(ours, theirs, strict=True))
    both = [(a, b) for a, b in pairs if a.decided and b.decided]
    only = sum(a.decided and not b.decided for a, b in pairs)
    other = sum(b.decided and not a.decided for a, b in pairs)
    print(f"only reach decides {only}, only forward {other}, both {len(both)}")
    print(f"{'':<8} reach {_times([a for a, _ in both])}; forward {_times([b for _, b in both])}")


def _times(rows: list[Row]) -> str:
    if not rows:
        return "none"
    clock, processor = [row.seconds for row in rows], [row.processor for row in rows]
    middle = f"{statistics.median(clock):.2f} ({statistics.median(processor):.2f})"
    return f"median {middle}, sum {sum(clock):.0f} ({sum(processor):.0f})"


def pick(count: int, seed: int) -> list[tuple[str, int]]:
    """The same number from each module, as far as it goes."""
    random = Random(seed)
    modules = MODULES.split()
    found = []
    for number, module in enumerate(modules):
        source = source_of_module(module)
        tree = source.tree()
        bodies = [
            range(node.body[0].lineno, (node.end_lineno or 0) + 1) for _, node in functions(tree)
        ]
        runs = executable_lines(tree, str(source.file))
        lines = [line for line in runs if any(line in body for body in bodies)]
        share = count // len(modules) + (number < count % len(modules))
        found += [(module, line) for line in sorted(random.sample(sorted(set(lines)), share))]
    return found


def place(module: str, line: int) -> Any:
    return place_of(source_of_module(module), line, module)


def by_reach(module: str, line: int, budget: float) -> tuple[str, str]:
    verdict = reach(Goal(place(module, line), f"{module}:{line}"), options_from({"budget": budget}))
    detail = getattr(verdict, "reason", "") or getattr(verdict, "phase", "")
    return str(verdict.as_json()["verdict"]), detail


def by_forward(module: str, line: int, budget: float) -> tuple[str, str]:
    where = place(module, line)
    began = time.perf_counter()
    goal = Goal(where, f"{module}:{line}")
    options = options_from({"budget": budget})
    wanted = OneLine(str(where.source.file), where.line)
    exploration, phase = prepare(goal.target, wanted, options, began=began)
    parts = exploration.parts
    watch = parts.watch
    real: list[bool] = []
    assert watch is not None

    def arrived() -> bool:
        trace = watch.take()
        if trace is not None and not real:
            found = confirmed(trace, goal, parts, replay_once, options.replay_seconds)
            if found is not None:
                real.append(True)
        return bool(real)

    exploration.explore(replace(phase, whole_tree=True, arrived=arrived))
    if arrived():
        return "reached", ""
    # Without declared types a whole tree proves nothing, here as in `reach`.
    typed = all(
        parameter.annotation is not parameter.empty
        for parameter in inspect.signature(parts.runner.function).parameters.values()
    )
    return ("unreachable", "") if exploration.proved_whole and typed else ("undecided", "")


SEARCHES = {"reach": by_reach, "forward": by_forward}


def apart(work: Any, module: str, line: int, budget: float) -> tuple[str, float, float, str]:
    """The answer of a process of its own, and how long it took by the clock and the processor."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()

    def run() -> None:
        try:
            theirs.send(work(module, line, budget))
        except SymcreteError as error:
            theirs.send(("undecided", str(error)))
        except BaseException as error:
            theirs.send(("crashed", f"{type(error).__name__}: {error}"))

    process = context.Process(target=run, daemon=True)
    began, before = time.perf_counter(), _processor()
    process.start()
    verdict, detail = "hung", ""
    if ours.poll(budget + SLACK):
        verdict, detail = ours.recv()
    took = time.perf_counter() - began
    process.kill()
    process.join()
    return verdict, took, _processor() - before, detail


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
