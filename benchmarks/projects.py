"""Whole projects: functions per second, where the time goes, and what the second run costs.

    python -m benchmarks.projects [--modules N] [--budget 1s]

Two projects: 40 trivial functions, and modules of the standard library copied into a folder. Each is covered with one worker
and with two, from an empty cache, and then once more with a full one. Wall clock, and the processor
time of the command with all its children. Where CrossHair is installed (`pip install -e .[bench]`)
it covers the same trivial functions in the same run.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TRIVIAL = 40  # functions of the trivial project
# Plain Python modules of the standard library that import without effects, small ones first.
MODULES = (
    *("colorsys", "fnmatch", "bisect", "textwrap", "shlex", "quopri", "heapq", "string", "netrc"),
    *("calendar", "fractions", "statistics", "difflib", "configparser", "csv", "ipaddress"),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took, in seconds."""

    wall: float
    processor: float


def measured(command: list[str], folder: Path) -> tuple[Cost, str]:
    """Run a command; its cost with all its children, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Cost(wall, processor), done.stdout


def covered(folder: Path, workers: int, budget: str) -> tuple[Cost, list[dict[str, Any]]]:
    """Cover every function below a folder."""
    command = [sys.executable, "-m", "symcrete.cli", "cover", ".", "--json"]
    command += [f"--workers={workers}", f"--budget={budget}"]
    cost, text = measured(command, folder)
    return cost, json.loads(text)["targets"]


def trivial(folder: Path) -> Path:
    """A module of trivial functions."""
    text = "".join(
        f"def f{n}(x: int) -> int:\n    if x > {n}:\n        return 1\n    return 0\n\n\n"
        for n in range(TRIVIAL)
    )
    (folder / "trivial.py").write_text(text)
    return folder


def library(folder: Path, most: int) -> Path:
    """Copies of modules of the standard library, under names of their own."""
    for name in MODULES[:most]:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        shutil.copy(spec.origin, folder / f"their_{name}.py")
    return folder


def tell(name: str, folder: Path, budget: str) -> None:
    """Measure one project and print it."""
    walls: dict[int, float] = {}
    for workers in (1, 2):
        shutil.rmtree(folder / ".symcrete", ignore_errors=True)
        first, targets = covered(folder, workers, budget)
        again, _ = covered(folder, workers, budget)
        walls[workers] = first.wall
        count = len(targets)
        branches = sum(each["branches"]["covered"] for each in targets)
        total = sum(each["branches"]["total"] for each in targets)
        running = sum(each["seconds_running"] for each in targets)
        solving = sum(each["seconds_solving"] for each in targets)
        print(
            f"{name}, {workers} worker{'s' * (workers > 1)}: {count} functions,"
            f" {branches} of {total} branches, {first.wall:.1f} s ({count / first.wall:.1f} functions/s),"
            f" {first.processor:.1f} s of the processor ({1000 * first.processor / count:.0f} ms each);"
            f" running {running:.1f} s, solving {solving:.1f} s, the rest starts, confirms and reports;"
            f" second run {again.wall:.2f} s ({again.wall / first.wall:.3f} of the first)",
            flush=True,
        )
    print(f"{name}: two workers are {walls[1] / walls[2]:.2f} times as fast as one", flush=True)


def peer(folder: Path) -> None:
    """CrossHair on the trivial functions."""
    if importlib.util.find_spec("crosshair") is None:
        print("CrossHair is not installed: not measured")
        return
    names = [f"trivial.f{n}" for n in range(TRIVIAL)]
    cost, _ = measured([sys.executable, "-m", "crosshair", "cover", *names], folder)
    print(
        f"CrossHair on the trivial functions: {cost.wall:.1f} s, processor {cost.processor:.1f} s"
    )


def main() -> int:
    line = argparse.ArgumentParser(prog="python -m benchmarks.projects")
    line.add_argument("--modules", type=int, default=7, help=f"of {len(MODULES)}")
    line.add_argument("--budget", default="1s", help="per function")
    options = line.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as small, tempfile.TemporaryDirectory() as large:
        tell("trivial", trivial(Path(small)), options.budget)
        peer(Path(small))
        tell("library", library(Path(large), options.modules), options.budget)
    return 0


if __name__ == "__main__":
    sys.exit(main())
