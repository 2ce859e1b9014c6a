"""`python -m tests.truth --programs 500 --seed 7`: claims about random programs, all judged."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from pathlib import Path
from random import SystemRandom

from tests.truth.asking import Engine
from tests.truth.judge import Judgement, judged
from tests.truth.programs import Program, program
from tests.truth.shrink import shrunk

SHOWN = 10  # false claims, and reasons of open ones


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.truth", description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument(
        "--seed", type=int, default=None, help="of the first program; new each time"
    )
    parser.add_argument("--lines", type=int, default=3, help="asked of `reach`, per program")
    parser.add_argument("--show", action="store_true", help="print the programs with a false claim")
    given = parser.parse_args()
    seed = SystemRandom().randrange(10**9) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    warnings.simplefilter("ignore")
    total, began = Judgement(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Path(folder))
        for each in range(seed, seed + given.programs):
            made = program(each)
            found = judged(made, engine, given.lines)
            total.add(found)
            for claim in found.false:
                print(f"FALSE seed {each}: {claim}", flush=True)
            if found.false and given.show:
                print(_smallest(made, found.false[0], engine, given.lines), flush=True)
    print(told(total, time.perf_counter() - began))
    return 1 if total.false else 0


def _smallest(made: Program, claim: str, engine: Engine, lines: int) -> str:
    """The text of a smaller program with a false claim of the same kind."""
    kind = claim.split(":")[0].split("{")[0]
    small = shrunk(
        made, lambda each: any(kind in other for other in judged(each, engine, lines).false)
    )
    return small.text.partition("on: bool\n")[2]


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
            *[
                f"  {count} open: {reason}"
                for reason, count in total.open_reasons.most_common(SHOWN)
            ],
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
