"""The same seed and a budget of work give the same bytes, whatever the hash seed.

Run as `python -m benchmarks.same_result [--functions 100] [--max-runs 60] [TARGET ...]`: covers
every function under three hash seeds and compares the JSON, fields that hold seconds aside.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from symcrete.program.source.target import targets_of

ROOT = Path(__file__).parents[1]
TARGETS = (
    "examples",
    "benchmarks/programs",
    "experiments/subjects/context",
    "experiments/subjects/lazy",
    "colorsys",
    "bisect",
    "textwrap",
    "fnmatch",
    "posixpath",
    "calendar",
    "string",
    "heapq",
    "shlex",
    "statistics",
    "ipaddress",
)
SEEDS = ("0", "1", "4711")


def functions(texts: list[str], count: int) -> list[str]:
    """One label for each, taking from every text in turn."""
    found = []
    for text in texts:
        targets = targets_of(text)
        found.append([target.label for target in targets])
    chosen: list[str] = []
    while len(chosen) < count and any(found):
        for labels in found:
            if labels and len(chosen) < count:
                chosen.append(labels.pop(0))
    return chosen


def covered(labels: list[str], hash_seed: str, max_runs: int) -> list[Any]:
    """The results of one command, by function."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "symcrete.cli", "cover", *labels),
            *("--max-runs", str(max_runs), "--json", "--no-journal"),
        ],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if not done.stdout:
        sys.exit(done.stderr)
    return [_without_seconds(each) for each in json.loads(done.stdout)["targets"]]


def _without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_seconds(v) for k, v in value.items() if not k.startswith("seconds")}
    if isinstance(value, list):
        return [_without_seconds(each) for each in value]
    return value


def difference(one: Any, other: Any, where: str = "") -> str:
    """The first place where two results differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            if one[key] != other[key]:
                return difference(one[key], other[key], f"{where}.{key}")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                return difference(a, b, f"{where}[{i}]")
    return f"{where}: {str(one)[:150]} / {str(other)[:150]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--functions", type=int, default=100)
    parser.add_argument("--max-runs", type=int, default=60)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    labels = functions(arguments.targets or list(TARGETS), arguments.functions)
    labels.sort(key=lambda label: label.partition(":")[0])  # a module's replays share interpreters
    results = [covered(labels, seed, arguments.max_runs) for seed in SEEDS]
    same = 0
    for label, *found in zip(labels, *results, strict=True):
        other = next((each for each in found if json.dumps(each) != json.dumps(found[0])), None)
        same += other is None
        if other is not None:
            print(f"{label}: {difference(found[0], other)}", flush=True)
    print(f"{same} of {len(labels)} functions give the same bytes under {len(SEEDS)} hash seeds")
    sys.exit(0 if same == len(labels) else 1)


if __name__ == "__main__":
    main()
