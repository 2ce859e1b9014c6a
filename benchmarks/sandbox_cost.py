"""What safety costs: `cover` with the sandbox and without, and the parts of it.

Run as `python benchmarks/sandbox_cost.py [rounds]`. All measures take turns in every round, so
that a busy machine slows them alike; processor time depends less on it than the clock does.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from symcrete.sandbox.driver.process import Task, WorkerProcess
from symcrete.sandbox.messages.board import Board

CONFINING = """
import sys, time, ctypes
from symcrete.sandbox.walls.confine import confine
begun = time.perf_counter()
confine(sys.argv[1], memory=4 << 30)
print(time.perf_counter() - begun)
"""
HOOKED = """
import os, sys, time
from symcrete.sandbox.walls import audit
if sys.argv[2] == "on":
    audit.install(sys.argv[1])
def opens():
    begun = time.perf_counter()
    for _ in range(20_000):
        os.close(os.open("/dev/null", os.O_RDONLY))
    return (time.perf_counter() - begun) / 20_000
print(min(opens() for _ in range(3)))
"""


def nothing(job: object, link: object) -> None:
    """The job of a worker that is only started."""


def in_child(code: str, *arguments: str) -> float:
    command = [sys.executable, "-c", code, *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def plain_interpreter() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - begun


def worker_until_ready(confined: bool, work: str) -> float:
    begun = time.perf_counter()
    here = {"PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}
    task = Task("sandbox_cost:nothing", environment=here, confined=confined)
    worker = WorkerProcess(task, {}, work)
    try:
        while not any(event["event"] == "Ready" for event in worker.pump(1.0)):
            continue
        return time.perf_counter() - begun
    finally:
        worker.close()


def board_entry() -> float:
    board = Board(os.memfd_create("board"))
    what = {"kind": "run", "input": {"total": "100", "code": "'SAVE'"}}
    begun = time.perf_counter()
    for _ in range(10_000):
        board.write(what, 5.0)
    return (time.perf_counter() - begun) / 10_000


PLAIN = "def f(x: int) -> int:\n    return x\n"
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")


def covering(target: str, *flags: str) -> float:
    """A fixed amount of work by the command line."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "symcrete.cli", "cover", target, "--max-runs", "400", "-q"]
    subprocess.run([*command, "--no-journal", "--strategy", "bfs", *flags], check=True)
    return time.perf_counter() - begun


def processor_time_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 20
    with tempfile.TemporaryDirectory() as work:
        plain = os.path.join(work, "plain.py")
        with open(plain, "w") as file:
            file.write(PLAIN)
        measures: dict[str, Callable[[], float]] = {
            "cover examples": lambda: covering(EXAMPLES, "--all-inputs"),
            "the same, not confined": lambda: covering(EXAMPLES, "--all-inputs", "--no-sandbox"),
            "cover a function without branches": lambda: covering(plain),
            "the same, not confined ": lambda: covering(plain, "--no-sandbox"),
            "confine()": lambda: in_child(CONFINING, work),
            "a plain interpreter, start to end": plain_interpreter,
            "a worker, start to ready": lambda: worker_until_ready(True, work),
            "the same, not confined  ": lambda: worker_until_ready(False, work),
            "an entry on the board": board_entry,
            "os.open + os.close": lambda: in_child(HOOKED, work, "off"),
            "the same under the audit hook": lambda: in_child(HOOKED, work, "on"),
        }
        clock: dict[str, list[float]] = {name: [] for name in measures}
        processor: dict[str, list[float]] = {name: [] for name in measures}
        for _ in range(rounds):
            for name, measure in measures.items():
                before = processor_time_of_children()
                clock[name].append(measure())
                processor[name].append(processor_time_of_children() - before)
    print(f"{'milliseconds':40} {'median':>9} {'best':>9} {'processor':>11}")
    for name in measures:
        middle, best = statistics.median(clock[name]), min(clock[name])
        used = statistics.median(processor[name])
        whole = any(word in name for word in ("cover", "interpreter", "ready", "same, not"))
        told = f"{used * 1e3:11.1f}" if whole else ""
        print(f"{name:40} {middle * 1e3:9.3f} {best * 1e3:9.3f} {told}")
    on, off = processor["cover examples"], processor["the same, not confined"]
    ratio = statistics.median(on) / statistics.median(off)
    print(f"cover with the sandbox / without: {ratio:.3f} of processor time (at most 1.1)")
    on, off = (
        processor["cover a function without branches"],
        processor["the same, not confined "],
    )
    more = statistics.median(on) - statistics.median(off)
    print(f"start-up with the sandbox: {more * 1e3:.0f} ms of processor time more (at most 150)")


if __name__ == "__main__":
    main()
