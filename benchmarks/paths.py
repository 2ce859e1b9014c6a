"""Paths per second beside CrossHair, the distance to the limit, growth, and the cost of rewriting.

    python -m benchmarks.paths [--seconds 10] [--no-peers]

Both tools get the same function and the same time, in turn, several times in one run; the medians
count. Rates are per second of processor time, which a busy machine distorts less, and without what
it takes to start an interpreter and import the tool.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import multiprocessing
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, median_low
from typing import Any, NamedTuple

from symcrete.explore.compose import cover, prepare
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.values.vocabulary import vocabulary

ROOT = Path(__file__).parents[1]
SUBJECTS = {
    "gcd": (ROOT / "examples/gcd.py", "gcd"),
    "bubble sort of 5": (ROOT / "examples/bubble_sort.py", "bubble_sort"),
    "triangle": (ROOT / "examples/triangle.py", "triangle"),
    "collatz": (ROOT / "benchmarks/programs/collatz.py", "collatz"),
    "loop of 1,024": (ROOT / "benchmarks/programs/loop.py", "loop"),
}
MEASURED = 20_000  # inputs replayed to time the untouched function


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    peers = not arguments.no_peers and importlib.util.find_spec("crosshair") is not None
    if not peers:
        print("without CrossHair (pip install '.[bench]' brings it)\n")
    print(f"{'':18}{'ours':>22}{'CrossHair':>20}{'ratio':>9}{'as many':>9}{'limit':>8}")
    starting = _read_libraries(peers)
    for name, (file, function) in SUBJECTS.items():
        rounds = [
            _round(file, function, arguments.seconds, starting, peers)
            for _ in range(arguments.rounds)
        ]
        _row(name, file, function, rounds)
    if peers:
        print("ratio: paths per second in the same time; as many: until as many paths are found")
    _growth()
    _rewriting()


class Round(NamedTuple):
    """One turn of both tools: what was explored, and the seconds of the processor."""

    report: TargetReport
    took: float
    peers_paths: int = 0
    peers_took: float = 0.0
    as_many_took: float = 0.0  # ours, for as many paths as the peer found

    @property
    def rate(self) -> float:
        return self.report.paths / self.took


def _round(file: Path, function: str, seconds: float, starting: float, peers: bool) -> Round:
    report, took = _ours(file, function, seconds)
    if not peers:
        return Round(report, took)
    paths, their = _crosshair(file, function, seconds)
    # Paths grow longer as the search goes on: the same paths compare better than the same time.
    _, same = _ours(file, function, seconds, paths)
    return Round(report, took, paths, their - starting, same)


def _read_libraries(peers: bool) -> float:
    """From the disk, by each tool once: whoever comes first would pay for it. The result is what
    the peer takes before it begins."""
    file, function = SUBJECTS["bubble sort of 5"]
    _ours(file, function, 1.0)
    if not peers:
        return 0.0
    _crosshair(file, function, 1.0)
    began = _child_seconds()
    subprocess.run([sys.executable, "-c", "import crosshair.main"], check=True)
    return _child_seconds() - began


def _ours(
    file: Path, function: str, seconds: float, paths: int | None = None
) -> tuple[TargetReport, float]:
    """The report, and the processor time it took, in a process that has done nothing before."""
    with multiprocessing.get_context("spawn").Pool(1) as fresh:
        return fresh.apply(_explored, (file, function, seconds, paths))


def _explored(
    file: Path, function: str, seconds: float, paths: int | None
) -> tuple[TargetReport, float]:
    given: dict[str, Any] = {"paths": True, "replay": False, "budget": seconds}
    given["path_conditions"] = False  # CrossHair prints none
    options = options_from(given | ({"max_runs": paths} if paths else {}))
    vocabulary.use()  # the tables of values, which no import fills, are part of starting
    began = time.process_time()
    report = cover(targets_of(f"{file}::{function}")[0], options)
    return report, time.process_time() - began


def _crosshair(file: Path, function: str, seconds: float) -> tuple[int, float]:
    """Examples printed in path mode, and the time it took."""
    command = [sys.executable, "-m", "crosshair", "cover", f"{file.stem}.{function}"]
    command += ["--coverage_type=path", f"--per_condition_timeout={seconds:g}"]
    command += ["--example_output_format=arg_dictionary"]
    began = _child_seconds()
    done = subprocess.run(
        command, cwd=file.parent, capture_output=True, text=True, timeout=seconds * 6 + 60
    )
    took = _child_seconds() - began
    return len([line for line in done.stdout.splitlines() if re.match(r"\s*[{(]", line)]), took


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _row(name: str, file: Path, function: str, rounds: list[Round]) -> None:
    typical = sorted(rounds, key=lambda each: each.rate)[len(rounds) // 2]
    limit = _limit(file, function, typical.report, typical.took)
    text = f"{name:18}{typical.report.paths:>7} paths {typical.rate:>7.0f}/s"
    if not all(each.peers_paths for each in rounds):
        print(f"{text}{'':38}{limit:>8.2f}")
        return
    paths = median_low([each.peers_paths for each in rounds])
    other = median([each.peers_paths / each.peers_took for each in rounds])
    ratio = median([each.rate * each.peers_took / each.peers_paths for each in rounds])
    as_many = median([each.peers_took / each.as_many_took for each in rounds])
    print(
        f"{text}{paths:>8} {other:>9.1f}/s{ratio:>8.0f}x{as_many:>8.0f}x{limit:>8.2f}", flush=True
    )


def _limit(file: Path, function: str, report: TargetReport, seconds: float) -> float:
    """(untouched run time x runs + time inside solver checks) / our time; 1 is the best."""
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    inputs = [
        {name: eval(text) for name, text in found.args.items()}
        for found in report.inputs[:MEASURED]
    ]
    began = time.process_time()
    for arguments in inputs:
        with contextlib.suppress(ValueError):
            namespace[function](**arguments)
    each = (time.process_time() - began) / max(1, len(inputs))
    return (each * report.runs + report.solver["seconds"]) / seconds


def _growth() -> None:
    """Cost per branch on gcd paths of 100 and of 800 branches, each flipped at its last ones."""
    print("\ngrowth on gcd: microseconds per executed branch, running and solving included")
    costs = []
    for branches in (100, 800):
        steps = branches // 2 - 1
        given = {"paths": True, "strategy": "dfs", "start": f"a={steps + 1}, b=1"}
        options = options_from(given | {"max_runs": 60, "budget": 600.0, "run_seconds": 60.0})
        target = targets_of(f"{ROOT / 'examples/gcd.py'}::gcd")[0]
        exploration, phase = prepare(target, EveryBranch(paths=True), options)
        began = time.process_time()
        exploration.explore(phase)
        took = time.process_time() - began
        lengths = [len(trace.events) for trace in exploration.progress.every or ()]
        costs.append(took / sum(lengths))
        mean = sum(lengths) / len(lengths)
        print(f"  {len(lengths)} paths of {mean:.0f} branches: {1e6 * costs[-1]:6.2f}")
    print(f"  ratio: {costs[1] / costs[0]:.2f}")


def _rewriting() -> None:
    """A long concrete loop, rewritten and untouched, best of five each."""
    target = targets_of(f"{ROOT / 'benchmarks/programs/concrete.py'}::concrete")[0]
    options = options_from({"run_steps": 10**9, "run_seconds": 60.0})
    runner = prepare(target, EveryBranch(), options)[0].parts.runner
    namespace: dict[str, Any] = {}
    exec(compile(target.source.file.read_text(), "concrete.py", "exec"), namespace)
    with runner:
        ours = min(_timed(lambda: runner.run({"n": 1})) for _ in range(5))
    plain = min(_timed(lambda: namespace["concrete"](1)) for _ in range(5))
    print(f"\n200,000 concrete loop steps: {ours / plain:.1f} times the untouched run")


def _timed(work: Any) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
