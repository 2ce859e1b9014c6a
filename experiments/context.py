"""Context-guided search against the other strategies, as in its paper (Seo and Kim, FSE 2014).

    python -m experiments.context            quick: eight subjects and three generated programs, 2
                                             seeds, the paper's strategies, a quarter of the runs
    python -m experiments.context --full     eleven subjects, 30 seeds, all strategies; generated
                                             programs, 10 seeds
    python -m experiments.context --report   only the tables and plots of what was measured

Every exploration starts from a random input, which is the same for all strategies of a seed. After
each run the branches covered so far are counted (coverage.py's, over the whole module). The tables
give their mean at five marks, the runs until a target coverage (the lowest mean that any of the
paper's strategies reached in the end), and two-sided Mann-Whitney tests of the last mark against
`cgs`. Each subject has its number of runs: until strategies gain little more, as in the paper, or
as many as there is time for where conditions are slow to solve. Results are appended to a file as
they come, one line each: a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from experiments.committed import RESULTS, keep
from experiments.context_report import as_tables, write_report
from experiments.context_subjects import SUBJECTS, Subject, generated
from symcrete.explore.compose import prepare
from symcrete.explore.loop.parts import Listener, Parts
from symcrete.explore.loop.phase import Budget
from symcrete.explore.loop.progress import Kept
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

# As the paper has them: contexts over all branches, and CREST's own orders.
PAPER = ("cgs", "cgs-paper", "cfg", "crest-random", "generational", "crest-dfs", "carfast")
VARIANTS = ("cgs-uncovered", "cgs-fixed-k", "cgs-nodom", "random-branch", "dfs")
OTHERS = (
    "bfs",
    "dart",
    "uniform",
    "random-state",
    "random-path",
    "covnew",
    "klee",
    "subpath",
    "random-input",
)
OUT = Path("build") / "experiments" / "context"
PATIENCE = 300.0  # seconds to wait for one exploration on a busy machine
SEEDS_WHERE_GENERATED = 10  # of generated programs, which take long to make ready
TASKS_PER_PROCESS = 25


@dataclass(frozen=True, slots=True)
class Task:
    """One exploration."""

    subject: Subject
    strategy: str
    seed: int
    runs: int

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.subject.name, self.strategy, self.seed, self.runs


@dataclass(frozen=True, slots=True)
class Measured:
    """What it covered: (run, branches) whenever there were more."""

    subject: str
    strategy: str
    seed: int
    runs: int
    branches: int
    curve: list[tuple[int, int]]
    done: int  # runs made; fewer than asked for where the search had nothing left, or no time
    seconds: float
    covered_set: str = ""  # the branches covered in the end, a bit each, in hexadecimal
    processor: float = 0.0  # seconds

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.subject, self.strategy, self.seed, self.runs

    def covered(self, run: int) -> int:
        return max((count for at, count in self.curve if at <= run), default=0)


class WorkAndTime(Budget):
    """So many runs, but no more than so much of the processor."""

    def spent(self, runs: int) -> bool:
        return super().spent(runs) or time.process_time() >= self.deadline


def measure(task: Task) -> Measured:
    """Explore, and note each time the number of branches grows."""
    subject, began = task.subject, time.perf_counter()
    options = options_from(
        {
            "strategy": task.strategy,
            "solver": subject.solver,
            "seed": task.seed,
            "max_runs": task.runs,
            "within": subject.within,
            "instrument": subject.instrument,
            "types": dict(subject.types),
            "solver_seconds": subject.solver_seconds,
            "replay": False,
        }
    )
    sys.path.insert(0, str(Path(subject.target.partition("::")[0]).parent))
    curve: list[tuple[int, int]] = []

    def note(parts: Parts, kept: Kept) -> None:
        coverage = parts.coverage
        count = sum(coverage.has_branch(branch) for branch in coverage.branches)
        if not curve or count > curve[-1][1]:
            curve.append((exploration.progress.runs, count))

    exploration, phase = prepare(
        targets_of(subject.target)[0],
        EveryBranch(subject.within),
        options,
        listener=Listener(on_kept=note),
        began=began,
    )
    sys.path.pop(0)
    budget = WorkAndTime(time.process_time() + subject.seconds, task.runs)
    chance = Random(f"{subject.name} {task.seed}")
    parts, progress = exploration.parts, exploration.progress
    start = parts.arguments.sample(parts.pool, chance)
    processor = time.process_time()
    exploration.explore(replace(phase, budget=budget, first=(start,)))
    processor = round(time.process_time() - processor, 2)
    seconds = round(time.perf_counter() - began, 3)
    branches = parts.coverage.branches
    covered = sum(1 << n for n, each in enumerate(branches) if parts.coverage.has_branch(each))
    return Measured(
        *task.key, len(branches), curve, progress.runs, seconds, f"{covered:x}", processor
    )


def tasks(given: argparse.Namespace, made: Sequence[Subject]) -> Iterator[Task]:
    """Seed by seed, so that whatever is there when one stops can be compared."""
    subjects = [each for each in (*SUBJECTS, *made) if given.full or each.quick]
    if given.only:
        subjects = [each for each in subjects if each.name in given.only.split(",")]
    for seed in range(given.seeds):
        for subject in subjects:
            if subject in made and seed >= SEEDS_WHERE_GENERATED:
                continue
            chosen = strategies_for(subject, subject in made, full=given.full)
            for strategy in given.strategies.split(",") if given.strategies else chosen:
                yield Task(subject, strategy, seed, runs_of(subject, given))


def runs_of(subject: Subject, given: argparse.Namespace) -> int:
    """How many, by what was asked for on the command line."""
    runs: int = given.runs or (subject.runs if given.full else subject.runs // 4)
    return runs


def strategies_for(subject: Subject, made: bool, *, full: bool) -> tuple[str, ...]:
    if made:
        return ("cgs", "cgs-paper", "cgs-uncovered", "carfast", "auto")
    return (*PAPER, *VARIANTS, "auto", *(OTHERS if full and not subject.slow else ()))


def read(file: Path) -> list[Measured]:
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.endswith("}")]
    return [Measured(**{**row, "curve": [(a, b) for a, b in row["curve"]]}) for row in rows]


def work(wanted: list[Task], file: Path) -> None:
    """In a process of its own that is replaced now and then: a crash costs one exploration."""
    left = list(wanted)
    with file.open("a", encoding="utf-8") as out:
        while left:
            some = left[:TASKS_PER_PROCESS]
            done = 0
            for done, found in enumerate(measured_elsewhere(some), 1):
                out.write(json.dumps(asdict(found)) + "\n")
                out.flush()
                if sys.stderr.isatty():
                    share = f"{len(wanted) - len(left) + done}/{len(wanted)}"
                    print(
                        f"\r{share} {found.subject} {found.strategy}\033[K", end="", file=sys.stderr
                    )
            if done < len(some):
                print(f"no result of {some[done].key}: its process ended", file=sys.stderr)
                done += 1
            left = left[done:]


def measured_elsewhere(some: Sequence[Task]) -> Iterator[Measured]:
    """As they come; fewer than asked for if the process ends before it is through."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_measured, args=(some, sender))
    process.start()
    sender.close()
    try:
        while receiver.poll(PATIENCE):
            yield receiver.recv()
    except EOFError:
        pass
    finally:
        process.kill()
        process.join()


def _send_measured(some: Sequence[Task], sender: Connection) -> None:
    for task in some:
        sender.send(measure(task))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="30 seeds, about four hours")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--runs", type=int, help="instead of each subject's own number")
    parser.add_argument("--only", help="subjects, by name, with commas between")
    parser.add_argument("--strategies", help="by name, with commas between")
    parser.add_argument(
        "--keep",
        nargs="?",
        const="context",
        metavar="NAME",
        help="write experiments/results/NAME.json; NAME is context if none is given",
    )
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args(arguments)
    given.seeds = given.seeds or (30 if given.full else 2)
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / "measured.jsonl"
    made = list(generated(given.out / "generated"))
    if not given.report:
        known = {each.key for each in read(file)}
        work([task for task in tasks(given, made) if task.key not in known], file)
    asked = {each.name: runs_of(each, given) for each in (*SUBJECTS, *made)}
    measured = [
        each
        for each in read(file)
        if each.runs == asked.get(each.subject) and each.seed < given.seeds
    ]
    text = write_report(measured, PAPER, given.out)
    print(text)
    if given.keep:
        keep(as_tables(measured), RESULTS / f"{given.keep}.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
