"""Whole projects: functions per second, where the time goes, what the second run costs, and peers.

    python -m benchmarks.projects [--modules N] [--budget 1s] [--peer FUNCTIONS]

Two projects: 40 trivial functions, and modules of the standard library copied into a folder. Each is
covered with one worker held to one processor and with two, from an empty cache, and once more with a
full one. Wall clock, and the processor time of the command with all its children. Where Dask is
installed (`pip install -e .[dask]`) the library is covered on a cluster of this machine too, once
with a worker killed in the middle; where CrossHair is (`.[bench]`), it covers the trivial functions
and some of the library's in the same run.
"""

from __future__ import annotations

import argparse
import compileall
import contextlib
import ctypes
import importlib.util
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import symcrete

_SET_CHILD_SUBREAPER = 36  # of prctl
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


def measured(
    command: list[str],
    folder: Path,
    *,
    processors: int | None = None,
    meanwhile: Callable[[int], None] = lambda pid: None,
) -> tuple[Cost, str]:
    """Run a command, held to so many processors; its cost with all its children, and what it
    printed. `meanwhile` is called with its number once it runs.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    allowed = sorted(os.sched_getaffinity(0))[:processors]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, allowed),
    )
    meanwhile(process.pid)
    text = process.communicate()[0]
    wall = time.perf_counter() - began
    _reap_orphans()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Cost(wall, processor), text


def _adopt_orphans() -> None:
    """Have processes whose parents were killed end as children of this one, on Linux: a parent that
    nobody reaps does not count in its own parent's time.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _reap_orphans() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def covered(
    folder: Path, budget: str, *more: str, keep: bool = False, **how: Any
) -> tuple[Cost, list[dict[str, Any]]]:
    """Cover every function below a folder, from an empty cache unless it is to be kept."""
    if not keep:
        shutil.rmtree(folder / ".symcrete", ignore_errors=True)
    command = [sys.executable, "-m", "symcrete", "cover", ".", "--json", f"--budget={budget}"]
    cost, text = measured([*command, *more], folder, **how)
    return cost, json.loads(text)["targets"]


def trivial(folder: Path, count: int = TRIVIAL) -> Path:
    """A module of trivial functions."""
    text = "".join(
        f"def f{n}(x: int) -> int:\n    if x > {n}:\n        return 1\n    return 0\n\n\n"
        for n in range(count)
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


def tell(name: str, folder: Path, budget: str, start: float) -> float:
    """Measure one project and print it; the wall clock of two workers. `start`: seconds of the
    processor that a command takes for one trivial function.
    """
    walls: dict[int, float] = {}
    for workers in (1, 2):
        first, targets = covered(folder, budget, f"--workers={workers}", processors=workers)
        again, _ = covered(folder, budget, f"--workers={workers}", processors=workers, keep=True)
        walls[workers] = first.wall
        count = len(targets)
        branches = sum(each["branches"]["covered"] for each in targets)
        total = sum(each["branches"]["total"] for each in targets)
        running = sum(each["seconds_running"] for each in targets)
        solving = sum(each["seconds_solving"] for each in targets)
        rest = first.processor - start - running - solving
        print(
            f"{name}, {workers} worker{'s' * (workers > 1)} on as many processors: {count} functions,"
            f" {branches} of {total} branches, {first.wall:.1f} s ({count / first.wall:.1f} functions/s),"
            f" {first.processor:.1f} s of the processor"
            f" ({1000 * (first.processor - start) / count:.0f} ms each after the start);"
            f" start {start:.1f} s, running {running:.1f} s, solving {solving:.1f} s, the rest"
            f" (forks, confirming, reports) {max(0.0, rest):.1f} s;"
            f" second run {again.processor:.2f} s ({again.processor / first.processor:.3f} of the first)",
            flush=True,
        )
    print(f"{name}: two workers are {walls[1] / walls[2]:.2f} times as fast as one", flush=True)
    return walls[2]


def cluster(folder: Path, budget: str, local: float) -> None:
    """The library on a Dask cluster of this machine; once with a worker killed in the middle."""
    if importlib.util.find_spec("distributed") is None:
        print("Dask is not installed: not measured")
        return
    whole, targets = covered(folder, budget, "--workers=2", "--cluster=local")
    branches = sum(each["branches"]["covered"] for each in targets)
    print(
        f"--cluster local: {whole.wall:.1f} s, {whole.wall / local:.2f} of two workers,"
        f" {len(targets)} functions, {branches} branches",
        flush=True,
    )

    def kill_one(pid: int) -> None:
        time.sleep(whole.wall / 2)
        workers = [each for each in _descendants(pid) if "spawn_main" in _command_line(each)]
        for each in workers[:1]:
            os.kill(each, signal.SIGKILL)
        print(f"killed {len(workers[:1])} of {len(workers)} processes of the cluster")

    _, targets = covered(folder, budget, "--workers=2", "--cluster=local", meanwhile=kill_one)
    failed = sum(each["status"] == "failed" for each in targets)
    branches = sum(each["branches"]["covered"] for each in targets)
    print(f"a worker killed: {len(targets)} functions, {branches} branches, {failed} failed")


def _descendants(pid: int) -> list[int]:
    """The processes that a process started, whichever of its threads did, and theirs."""
    try:
        threads = [each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    children = [int(each) for text in threads for each in text.split()]
    return [*children, *(each for child in children for each in _descendants(child))]


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def peer(what: str, names: list[str], folder: Path) -> Cost | None:
    """CrossHair on the same functions; None if it is not installed."""
    if importlib.util.find_spec("crosshair") is None:
        print("CrossHair is not installed: not measured")
        return None
    command = [sys.executable, "-m", "crosshair", "cover", "--per_condition_timeout", "1", *names]
    cost, _ = measured(command, folder)
    print(f"CrossHair on {what}: {cost.wall:.1f} s, processor {cost.processor:.1f} s", flush=True)
    return cost


def main() -> int:
    line = argparse.ArgumentParser(prog="python -m benchmarks.projects")
    line.add_argument("--modules", type=int, default=16, help=f"of {len(MODULES)}")
    line.add_argument("--budget", default="1s", help="per function")
    line.add_argument(
        "--peer", type=int, default=100, help="functions of the library for CrossHair"
    )
    options = line.parse_args()
    _adopt_orphans()
    # As pip leaves every package that it installs, CrossHair among them: our own is often run from
    # a clone, and `PYTHONDONTWRITEBYTECODE` would have it compiled in every process.
    compileall.compile_dir(os.path.dirname(symcrete.__file__), quiet=1)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with contextlib.ExitStack() as closing:
        one, small, large = [
            Path(closing.enter_context(tempfile.TemporaryDirectory())) for _ in range(3)
        ]
        start, _ = covered(trivial(one, 1), options.budget, "--workers=1")
        print(f"one trivial function: {start.wall:.2f} s, processor {start.processor:.2f} s")
        ours = tell("trivial", trivial(small), options.budget, start.processor)
        theirs = peer("these", [f"trivial.f{n}" for n in range(TRIVIAL)], small)
        if theirs is not None:
            print(f"two workers took {ours / theirs.wall:.2f} of CrossHair's time")
        local = tell("library", library(large, options.modules), options.budget, start.processor)
        cluster(large, options.budget, local)
        _, targets = covered(large, options.budget, "--workers=2", keep=True)
        names = [each["target"].replace(".py::", ".") for each in targets][: options.peer]
        peer(f"{len(names)} functions of the library", names, large)
    return 0


if __name__ == "__main__":
    sys.exit(main())
