"""Explore a few paths of a loop over a list; prints what it took. Run by test_long_paths."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from symcrete.explore.compose import prepare
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

PROGRAM = """
def levels(items: list[int]) -> int:
    above = 0
    for level in range(20):
        for item in items:
            if item > level:
                above += 1
    return above
"""
RUNS = 6


def explored(folder: Path, branches: int, order: str) -> dict[str, object]:
    file = folder / "levels.py"
    file.write_text(PROGRAM)
    options = options_from(
        {"paths": True, "max_runs": RUNS, "run_seconds": 60.0, "strategy": "dfs", "order": order}
    )
    target = targets_of(f"{file}::levels")[0]
    exploration, phase = prepare(target, EveryBranch(paths=True), options)
    count = branches // 20
    start = {"len(items)": count, **{f"items[{i}]": i % 25 - 2 for i in range(count)}}
    began = time.process_time()
    exploration.explore(replace(phase, first=(start,)))
    took = time.process_time() - began
    assert exploration.progress.every is not None
    lengths = [len(trace.events) for trace in exploration.progress.every]
    return {
        "paths": exploration.paths,
        "longest": max(lengths),
        "endings": sorted({trace.ending for trace in exploration.progress.every}),
        "failures": list(exploration.progress.solver_failures),
        "per branch": took / sum(lengths),
        "megabytes": most_megabytes(),
    }


def most_megabytes() -> float:
    """The most memory this program has held; `ru_maxrss` would count what its parent held too."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    print(json.dumps(explored(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
