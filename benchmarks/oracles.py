"""Whether `diff` and `check` decide what is known, how fast, and whether they are right.

    python -m benchmarks.oracles [--budget 10s] [NAME ...]

The pairs are in `benchmarks/programs/pairs.py`, which says of each whether its functions are the
same, the promises in `benchmarks/programs/promises.py`, which says of each whether it is kept. A
wrong verdict is shown as such, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import symcrete
from benchmarks.programs import pairs, promises

PROGRAMS = Path(__file__).parent / "programs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", default="10s")
    given = parser.parse_args()
    wrong = compare_pairs(given.names, given.budget) + check_promises(given.names, given.budget)
    return 1 if wrong else 0


def compare_pairs(names: list[str], budget: str) -> int:
    """Show the verdict on each pair; gives how many are wrong."""
    table = Table("pairs")
    for name in [each for each in (*pairs.SAME, *pairs.DIFFERENT) if not names or each in names]:
        one, other = (f"{PROGRAMS / 'pairs.py'}::{name}_{side}" for side in "ab")
        began = time.perf_counter()
        found = symcrete.diff(one, other, budget=budget)
        shown = found.reason or next((str(each.a.args) for each in found.differences), "")
        expected = "same" if name in pairs.SAME else "differs"
        table.add(name, found.verdict, expected, time.perf_counter() - began, shown)
    return table.end()


def check_promises(names: list[str], budget: str) -> int:
    """Show the verdict on each promise; gives how many are wrong."""
    table = Table("promises")
    for name in [each for each in (*promises.HOLDS, *promises.FAILS) if not names or each in names]:
        began = time.perf_counter()
        found = symcrete.check(f"{PROGRAMS / 'promises.py'}::{name}", budget=budget)
        shown = found.reason or "; ".join(each.call for each in found.failures)
        expected = "holds" if name in promises.HOLDS else "fails"
        table.add(name, found.verdict, expected, time.perf_counter() - began, shown)
    return table.end()


class Table:
    """Verdicts as they come in, and how many are right."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.count = self.decided = self.wrong = 0

    def add(self, name: str, verdict: str, expected: str, seconds: float, shown: str) -> None:
        right = verdict == expected
        mistaken = not right and verdict != "undecided"
        self.count, self.decided = self.count + 1, self.decided + right
        self.wrong += mistaken
        mark = "" if right else "  WRONG" if mistaken else "  open"
        print(f"{name:<12} {verdict:<10} {seconds:5.1f} s{mark}  {shown[:90]}", flush=True)

    def end(self) -> int:
        print(f"{self.decided} of {self.count} {self.what} decided, {self.wrong} wrongly")
        return self.wrong


if __name__ == "__main__":
    raise SystemExit(main())
