"""Kill, interrupt and starve runs at hundreds of moments: nothing found is lost, nothing is half.

Run as `python -m tests.hostile.soak [--kills 500] [--interrupts 100] [--seed 0]`: about half an hour
on two quiet cores. `make soak` takes a quarter of the moments, `make soak FULL=1` all.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FAILING = str(Path(__file__).parent / "failing")
PROGRAM = """
import hashlib

def f(x: int, y: int) -> int:
    found = 0
    if x * 3 == y + 700:
        found += 1
    if x * 5 + y == 901234:
        found += 2
    if y * 7 - x == 30011:
        found += 4
    if x + y * 11 == 712345:
        found += 8
    for start in range(abs(x) % 1000):
        if hashlib.sha256(str(x + y + start).encode()).hexdigest().startswith("0000000000"):
            return -1
    return found
"""


class Broken(Exception):
    """A promise that was not kept."""


def slowness() -> float:
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def start(folder: Path, *flags: str, **environment: str) -> subprocess.Popen[str]:
    (folder / "prog.py").write_text(PROGRAM)
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), environment.pop("PYTHONPATH", "")]))
    return subprocess.Popen(
        [sys.executable, "-m", "symcrete.cli", *flags],
        cwd=folder,
        env={**os.environ, **environment, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def cover(folder: Path, budget: str, **environment: str) -> subprocess.Popen[str]:
    return start(
        folder, "cover", "prog.py", "--budget", budget, "--json", "-o", "out", **environment
    )


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


def check_files(folder: Path) -> dict[str, int]:
    """Every journal is whole but for its last line, every test file is whole or not there."""
    events: dict[str, int] = {}
    for journal in folder.glob(".symcrete/*.jsonl"):
        *lines, rest = journal.read_bytes().split(b"\n")
        for line in lines:
            if line:
                event = json.loads(line).get("event", "")
                events[event] = events.get(event, 0) + 1
        if rest and not rest.startswith((b'{"v": 1', b'{"journ')):
            raise Broken(f"the journal ends with {rest[:40]!r}")
    for file in folder.glob("out/*.py"):
        text = file.read_text()
        ast.parse(text)
        if "# written by symcrete" not in text:
            raise Broken(f"half of a test file: {text[-200:]}")
    return events


def no_worker_is_left(workers: list[int]) -> None:
    until = time.monotonic() + 2.0 * slowness()
    while any(Path(f"/proc/{pid}").exists() and not _is_zombie(pid) for pid in workers):
        if time.monotonic() > until:
            raise Broken(f"workers outlive the driver: {workers}")
        time.sleep(0.02)


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_for(process: subprocess.Popen[str], folder: Path, chance: random.Random) -> None:
    """Sometimes for a moment only, mostly until something is found, and then a little longer."""
    if chance.random() < 0.25:
        time.sleep(chance.uniform(0.1, 1.0))
        return
    until = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < until:
        if any(b'"kept"' in file.read_bytes() for file in folder.glob(".symcrete/*.jsonl")):
            break
        time.sleep(0.02)
    time.sleep(chance.uniform(0.0, 1.0))


def kill_the_driver(folder: Path, chance: random.Random) -> str:
    process = cover(folder, "30s")
    wait_for(process, folder, chance)
    workers = children(process.pid)
    process.kill()
    _, stderr = process.communicate()
    if "Traceback" in stderr:
        raise Broken(stderr)
    no_worker_is_left(workers)
    before = check_files(folder)
    if before.get("kept") and chance.random() < 0.1:
        again = start(folder, "resume", "--json")
        time.sleep(2.0 * slowness())
        again.send_signal(signal.SIGINT)
        stdout, stderr = again.communicate(timeout=60)
        if again.returncode not in (0, 130) or "Traceback" in stderr:
            raise Broken(f"resume: exit {again.returncode}\n{stderr}")
        if stdout and json.loads(stdout)["targets"]:
            if not json.loads(stdout)["targets"][0]["inputs"]:
                raise Broken(f"resume forgot what was found: {stdout}\n{stderr}")
        return "resumed"
    return "with inputs" if before.get("kept") else "before the first input"


def kill_a_worker(folder: Path, chance: random.Random) -> str:
    process = cover(folder, "2s")
    wait_for(process, folder, chance)
    workers = children(process.pid)
    if workers:
        try:
            os.kill(chance.choice(workers), signal.SIGKILL)
        except ProcessLookupError:
            workers = []
    stdout, stderr = process.communicate(timeout=60)
    if process.returncode not in (0, 1, 4) or "Traceback" in stderr:
        raise Broken(f"exit {process.returncode}\n{stderr}")
    events = check_files(folder)
    inputs = json.loads(stdout)["targets"][0]["inputs"] if stdout else []
    if events.get("kept") and not inputs:
        raise Broken(f"{events['kept']} inputs were found, none is reported\n{stdout}\n{stderr}")
    return "worker killed" if workers else "too late"


def interrupt(folder: Path, chance: random.Random) -> str:
    process = cover(folder, "30s")
    wait_for(process, folder, chance)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    stdout, stderr = process.communicate(timeout=60)
    seconds = time.monotonic() - begun
    if process.returncode == 0 and "Traceback" not in stderr:
        return "had ended by itself"
    if process.returncode == -signal.SIGINT and _is_before_main(stderr):
        return "while Python was starting"
    if process.returncode != 130 or "Traceback" in stderr:
        raise Broken(f"exit {process.returncode}\n{stderr}")
    if seconds > slowness():
        raise Broken(f"{seconds:.2f} s from Ctrl-C to the end")
    events = check_files(folder)
    if events.get("input") and not json.loads(stdout)["targets"][0]["inputs"]:
        raise Broken("inputs were found, none is reported")
    return "written" if events.get("input") else "before the first input"


def _is_before_main(stderr: str) -> bool:
    """Whether a traceback shows no function of ours: modules were being imported."""
    frames = [line for line in stderr.splitlines() if line.lstrip().startswith("File ")]
    ours = [line for line in frames if "symcrete" in line]
    return all(line.endswith("in <module>") for line in ours)


def fail_at_every_write(folder: Path) -> Iterator[str]:
    """Until a run has fewer writes than that."""
    number = 0
    while True:
        number += 1
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        environment = {"PYTHONPATH": FAILING, "FAIL_AT": str(number), "FAIL_IN": str(folder)}
        process = cover(folder, "0.5s", **environment)
        stdout, stderr = process.communicate(timeout=60)
        if process.returncode not in (0, 4) or "Traceback" in stderr:
            raise Broken(f"write {number}: exit {process.returncode}\n{stderr}")
        check_files(folder)
        if process.returncode == 0 and not json.loads(stdout)["targets"][0]["inputs"]:
            raise Broken(f"write {number}: no inputs\n{stderr}")
        if "No space left" not in stderr and not list(folder.glob("out/*.py")):
            raise Broken(f"write {number} failed in silence\n{stderr}")
        if "No space left" not in stderr:
            yield "not noticed" if number < 10 else "all"
            if number >= 10:
                return
        else:
            yield "said"


def repeat(
    name: str, count: int, trial: Callable[[Path, random.Random], str], chance: random.Random
) -> int:
    results: dict[str, int] = {}
    failures, began = 0, time.monotonic()
    for number in range(count):
        with tempfile.TemporaryDirectory(prefix="soak-") as place:
            try:
                result = trial(Path(place), chance)
            except (Broken, ValueError, subprocess.TimeoutExpired) as error:
                failures += 1
                result = "FAILED"
                print(f"{name} {number}: {type(error).__name__}: {error}", flush=True)
        results[result] = results.get(result, 0) + 1
    told = ", ".join(f"{count} {result}" for result, count in sorted(results.items()))
    seconds = time.monotonic() - began
    print(f"{name}: {count} times in {seconds:.0f} s; {told}", flush=True)
    return failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--interrupts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    failures = repeat("kill -9 of a worker", arguments.kills // 2, kill_a_worker, chance)
    failures += repeat(
        "kill -9 of the driver", arguments.kills - arguments.kills // 2, kill_the_driver, chance
    )
    failures += repeat("Ctrl-C", arguments.interrupts, interrupt, chance)
    with tempfile.TemporaryDirectory(prefix="soak-") as place:
        results = []
        try:
            for result in fail_at_every_write(Path(place) / "run"):
                results.append(result)
        except Broken as error:
            failures += 1
            print(f"a failing write: {error}", flush=True)
    print(f"an error at the n-th write: n up to {len(results)}, {results.count('said')} said")
    print("no promise broken" if not failures else f"{failures} promises broken")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
