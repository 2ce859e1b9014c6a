"""Whether `diff` decides pairs of functions, how fast, and whether it is right.

    python -m benchmarks.oracles [--budget 10s] [NAME ...]

The pairs are in `benchmarks/programs/pairs.py`, which says of each whether its functions are the
same. A wrong verdict is shown as such, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import symcrete
from benchmarks.programs import pairs

PROGRAMS = Path(__file__).parent / "programs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", default="10s")
    given = parser.parse_args()
    wrong = compare_pairs(given.names, given.budget)
    return 1 if wrong else 0


def compare_pairs(names: list[str], budget: str) -> int:
    """Show the verdict on each pair; gives how many are wrong."""
    wrong = decided = 0
    chosen = [name for name in (*pairs.SAME, *pairs.DIFFERENT) if not names or name in names]
    for name in chosen:
        expected = "same" if name in pairs.SAME else "differs"
        began = time.perf_counter()
        one, other = (f"{PROGRAMS / 'pairs.py'}::{name}_{side}" for side in "ab")
        found = symcrete.diff(one, other, budget=budget)
        seconds = time.perf_counter() - began
        right = found.verdict == expected
        mistaken = not right and found.verdict != "undecided"
        wrong, decided = wrong + mistaken, decided + right
        shown = found.reason or next((str(each.a.args) for each in found.differences), "")
        mark = "" if right else "  WRONG" if mistaken else "  open"
        print(f"{name:<12} {found.verdict:<10} {seconds:5.1f} s{mark}  {shown[:90]}", flush=True)
    print(f"{decided} of {len(chosen)} pairs decided, {wrong} wrongly")
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
