"""`python -m tests.truth --programs 500 --seed 7`: claims about random programs, all judged."""

from __future__ import annotations

import argparse
import functools
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from random import SystemRandom

from tests.truth.judge import Judgement
from tests.truth.parts import judged_apart

SHOWN = 10  # reasons of what is open
PART = 50  # programs that one process judges: starting it takes as long as four of them
OFTEN = 100  # programs after which the numbers so far are printed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.truth", description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument(
        "--seed", type=int, default=None, help="of the first program; new each time"
    )
    parser.add_argument("--lines", type=int, default=3, help="asked of `reach`, per program")
    parser.add_argument("--seconds", type=float, default=2.0, help="for one question")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the programs with a false claim")
    given = parser.parse_args()
    seed = SystemRandom().randrange(10**9) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    end = seed + given.programs
    parts = [range(first, min(first + PART, end)) for first in range(seed, end, PART)]
    judge = functools.partial(
        judged_apart, lines=given.lines, show=given.show, seconds=given.seconds
    )
    total, began, asked = Judgement(), time.perf_counter(), 0
    with ThreadPoolExecutor(given.processes) as pool:
        for found, shown in pool.map(judge, parts):
            total.add(found)
            print("".join([f"{line}\n" for line in shown]), end="", flush=True)
            asked += PART
            if asked % OFTEN == 0 and asked < given.programs:
                print(so_far(total, seed + asked, time.perf_counter() - began), flush=True)
    print(told(total, time.perf_counter() - began))
    return 1 if total.false else 0


def so_far(total: Judgement, following: int, seconds: float) -> str:
    """The numbers of a run that goes on, in one line, and the seed from which another could."""
    claims = total.infeasible + total.lines_unreachable
    return (
        f"{total.programs} programs in {seconds:.0f} s, {len(total.false)} false of {claims} proofs,"
        f" {total.open_feasible} of {total.feasible} feasible sides open; --seed {following} goes on"
    )


def told(total: Judgement, seconds: float) -> str:
    """The numbers, one line each."""
    open_share = total.open_feasible / max(1, total.feasible)
    line_share = total.lines_open / max(1, total.lines)
    return "\n".join(
        [
            f"{total.programs} programs in {seconds:.0f} s, {len(total.false)} false claims",
            f"conditions: {total.covered} covered, {total.infeasible} infeasible, "
            f"{total.open_feasible} of {total.feasible} feasible ones open ({open_share:.1%})",
            f"lines: {total.lines} asked, {total.lines_reached} reached, "
            f"{total.lines_unreachable} unreachable, {total.lines_open} open but executed ({line_share:.1%})",
            f"path conditions: {total.conditions} evaluated",
            *([f"{total.lost} programs ended their process"] if total.lost else []),
            *[
                f"  {count} open: {reason}"
                for reason, count in total.open_reasons.most_common(SHOWN)
            ],
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
