"""Tables 3 and 4 and Figure 4 of "Towards Optimal Concolic Testing" again, on numeric functions.

    python -m experiments.optimal_programs                     a few subjects, seconds each
    python -m experiments.optimal_programs --full              all counterparts of Table 2
    python -m experiments.optimal_programs --seconds 5,15,30 --subjects 15 --repetitions 3
    python -m experiments.optimal_programs --full --report     only what was measured before

What counts is the basic blocks of every function that the subject may call, which is the paper's
inter-procedural graph; every strategy aims at both sides of their conditions. The paper has minutes
where this has seconds, of the processor's time since machines are shared, and so a query gets a
sixth of a second in the place of its ten. Each exploration is a process of its own that is ended when its time is up,
so that a solver which overruns costs its strategy and nobody else. Four subjects of ours, on which
strategies differ, come after the paper's. Results are kept in a file, one
line each as they come: what was interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeAlias

from experiments.committed import RESULTS, Table
from experiments.committed import keep as commit
from experiments.figures import draw_curves
from experiments.optimal_blocks import Blocks
from experiments.subjects.optimal.catalogue import HARDER, SUBJECTS, Numeric
from symcrete.explore.compose import prepare
from symcrete.explore.loop.phase import Budget
from symcrete.explore.options import options_from
from symcrete.explore.rewritten import ImportedProgram
from symcrete.explore.wanted import EveryBranch
from symcrete.program.graph.icfg import ProgramGraph, program_graph
from symcrete.program.source.sites import Site
from symcrete.program.source.target import Target, targets_of
from symcrete.search.chains.outcome_chain import OutcomeChain
from symcrete.search.strategies.combine import Overheard
from symcrete.search.strategy import Feedback, Flip
from symcrete.tree.coverage import Coverage

ROOT = Path(__file__).parents[1]
PAPER = ROOT / "experiments" / "facts" / "gsl_table3.json"
# Ours beside the names of Table 3; klee stands for KLEE's random-path and covnew in turn. What
# follows an @ is what inputs are drawn from: the paper draws uniformly.
STRATEGIES = {
    "greedy-paper@uniform": "G",
    "greedy": "",
    "greedy-plus": "",
    "klee": "RCN",
    "random-state": "RSS",
    "random-path": "RPS",
    "dfs": "DFS",
    "random-input@uniform": "R",
    "cgs": "",
    "auto": "",
}
PAPER_MINUTES = ("5min", "15min", "30min")
OUT = Path("build") / "experiments" / "optimal_programs"
SOLVER_SECONDS = 10 / 60  # the paper's ten seconds a query, in the measure of its minutes
PATIENCE = 30.0  # times the time of an exploration that it may take on a busy machine


@dataclass
class Progress:
    """One exploration: what was covered when, and what had been done by then."""

    blocks: int = 0
    news: list[tuple[float, int]] = field(default_factory=list)  # seconds, blocks covered
    work: list[tuple[float, int, int]] = field(default_factory=list)  # seconds, draws, solver calls

    def percent_at(self, seconds: float) -> float:
        covered = max((count for when, count in self.news if when <= seconds), default=0)
        return 100 * covered / max(1, self.blocks)

    def work_at(self, seconds: float) -> tuple[int, int]:
        done = [(draws, calls) for when, draws, calls in self.work if when <= seconds]
        return done[-1] if done else (0, 0)


def explore(subject: Numeric, strategy: str, seconds: float, seed: int) -> Progress:
    """Explore in a process that is ended after its time."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_explore, args=(subject, strategy, seconds, seed, sender))
    process.start()
    sender.close()
    progress = Progress()
    stop = time.monotonic() + PATIENCE * (seconds + 5.0)
    while receiver.poll(max(0.0, stop - time.monotonic())):
        try:
            message = receiver.recv()
        except EOFError:
            break
        match message:
            case ("begin", blocks):
                progress.blocks = blocks
            case ("news", when, count):
                progress.news.append((when, count))
            case ("work", when, draws, calls):
                progress.work.append((when, draws, calls))
    process.kill()
    process.join()
    return progress


@dataclass(frozen=True, slots=True)
class UntilCovered(Budget):
    """So much of the processor, or until nothing is left to cover."""

    coverage: Coverage = field(kw_only=True)

    def spent(self, runs: int) -> bool:
        return not self.coverage.wanted or time.process_time() >= self.deadline


def _explore(
    subject: Numeric, strategy: str, seconds: float, seed: int, sender: Connection
) -> None:
    target = _target(subject)
    name, _, prior = strategy.partition("@")
    options = options_from(
        {
            "strategy": name,
            "prior": prior or "mined",
            "budget": 10 * seconds,
            "seed": seed,
            "solver_seconds": SOLVER_SECONDS,
            "replay": False,
            "sandbox": False,
        }
    )
    exploration, phase = prepare(target, EveryBranch(), options)
    imported, coverage = exploration.parts.imported, exploration.parts.coverage
    graph = _graph(target, imported)
    sites = _conditions(graph, imported)
    coverage.want(sites)
    blocks = Blocks(graph, [(site.number, side) for site in sites for side in site.sides])
    began = time.process_time()  # loading is the same for all; what a strategy prepares counts
    budget = UntilCovered(began + seconds, None, coverage=coverage)
    _end_process_after(began + seconds + 1.0)
    heard = Overheard(phase.strategy, _listener(coverage, blocks, sender, began))
    sender.send(("begin", len(blocks)))
    exploration.explore(replace(phase, budget=budget, strategy=heard))


def _end_process_after(seconds: float) -> None:
    """Of the processor: a solver may hear of no other limit."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), most))


def _target(subject: Numeric) -> Target:
    file = ROOT / Path(*subject.module.split(".")).with_suffix(".py")
    return next(each for each in targets_of(str(file)) if each.scope == subject.function)


def _graph(target: Target, imported: ImportedProgram) -> ProgramGraph:
    rewritten = imported.rewritten
    return program_graph(rewritten.files, rewritten.sites, str(target.source.file), target.scope)


def _conditions(graph: ProgramGraph, imported: ImportedProgram) -> tuple[Site, ...]:
    """Those of everything that the target may call."""
    numbers = {number for number, _ in OutcomeChain(graph).successors if number >= 0}
    return tuple(imported.rewritten.sites[number] for number in sorted(numbers))


def _listener(
    coverage: Coverage, blocks: Blocks, sender: Connection, began: float
) -> Callable[[Feedback], None]:
    whole = coverage.wanted
    draws = calls = 0
    told = 0.0

    def listen(feedback: Feedback) -> None:
        nonlocal draws, calls, told
        now = time.process_time() - began
        if isinstance(feedback.step, Flip):
            calls += 1
        else:
            draws += 1
        if feedback.new & whole:
            sender.send(("news", now, blocks.covered(lambda outcome: coverage.has(*outcome))))
        if now - told > 0.05 or feedback.new & whole:
            told = now
            sender.send(("work", now, draws, calls))

    return listen


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", help="when to look, such as 5,15,30")
    parser.add_argument("--full", action="store_true", help="20 subjects, three repetitions")
    parser.add_argument("--subjects", type=int, help="how many, in the order of Table 2")
    parser.add_argument("--only-paper", action="store_true", help="no harder subjects of ours")
    parser.add_argument("--repetitions", type=int)
    parser.add_argument(
        "--keep", action="store_true", help="write experiments/results/optimal.json"
    )
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--data", type=Path, default=PAPER, help="the paper's tables")
    parser.add_argument("--out", type=Path, default=OUT, help="where results are kept")
    parser.add_argument("--figure", type=Path, help="default: figure4.svg beside the results")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    given = parser.parse_args(arguments)
    looks = [
        float(each) for each in (given.seconds or ("5,15,30" if given.full else "1,3")).split(",")
    ]
    count = given.subjects if given.subjects is not None else (20 if given.full else 2)
    subjects = (*SUBJECTS[:count], *(() if given.only_paper else HARDER))
    seeds = range(given.repetitions or (3 if given.full else 1))
    names = given.strategies.split(",")
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / "measured.jsonl"
    found = read(file, max(looks))
    if not given.report:
        for seed, subject, name in itertools.product(seeds, subjects, names):
            if (subject.function, name, seed) not in found:
                progress = explore(subject, name, max(looks), seed)
                found[subject.function, name, seed] = progress
                keep(file, (subject.function, name, seed), max(looks), progress)
    report(subjects, names, seeds, looks, found, given)


Found: TypeAlias = dict[tuple[str, str], list[Progress]]  # by subject and strategy


def read(file: Path, seconds: float) -> dict[tuple[str, str, int], Progress]:
    if not file.exists():
        return {}
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {
        (row["subject"], row["strategy"], row["seed"]): Progress(
            row["blocks"],
            [(a, n) for a, n in row["news"]],
            [(a, d, c) for a, d, c in row["work"]],
        )
        for row in rows
        if _tells_of(row, seconds)
    }


def _tells_of(row: Mapping[str, Any], seconds: float) -> bool:
    """An exploration that lasted longer does, and one that had covered everything before."""
    complete = row["news"] and row["news"][-1][1] == row["blocks"]
    return bool(row["seconds"] >= seconds or complete)


def keep(file: Path, key: tuple[str, str, int], seconds: float, progress: Progress) -> None:
    subject, strategy, seed = key
    row = {"subject": subject, "strategy": strategy, "seed": seed, "seconds": seconds}
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row | asdict(progress)) + "\n")


def report(
    subjects: Sequence[Numeric],
    names: Sequence[str],
    seeds: Iterable[int],
    looks: Sequence[float],
    measured: Mapping[tuple[str, str, int], Progress],
    given: argparse.Namespace,
) -> None:
    """Of the subjects that every strategy has explored, with as many seeds as all have."""
    whole = [
        seed
        for seed in seeds
        if all((each.function, name, seed) in measured for each in subjects for name in names)
    ]
    if not whole:
        whole = [0]
        subjects = [s for s in subjects if all((s.function, name, 0) in measured for name in names)]
    if not subjects:
        print("nothing has been measured yet")
        return
    found = {
        (each.function, name): [measured[each.function, name, seed] for seed in whole]
        for each in subjects
        for name in names
    }
    for subject in subjects:
        print_subject(subject, names, looks, found)
    print(f"\nrepetitions: {len(whole)}")
    print_averages(subjects, names, looks, found, paper_averages(given.data))
    print_work(subjects, [each for each in names if each.startswith("greedy")], looks, found)
    if given.keep:
        commit([as_table(subjects, names, looks, len(whole), found)], RESULTS / "optimal.json")
    figure_file = given.figure or given.out / "figure4.svg"
    figure_file.write_text(figure(subjects, names, max(looks), found))
    print(f"\nFigure 4, coverage over time: {figure_file}")


def mean_percent(runs: Sequence[Progress], seconds: float) -> float:
    return statistics.fmean(run.percent_at(seconds) for run in runs)


def print_subject(
    subject: Numeric,
    names: Sequence[str],
    looks: Sequence[float],
    found: Found,
) -> None:
    runs = found[subject.function, names[0]]
    print(f"{subject.function} ({subject.table_name or '-'}), {runs[0].blocks} blocks", flush=True)
    for name in names:
        cells = "".join(f"{mean_percent(found[subject.function, name], at):8.1f}" for at in looks)
        print(f"  {name:14}{cells}", flush=True)


def average(
    subjects: Sequence[Numeric],
    name: str,
    seconds: float,
    found: Found,
) -> float:
    return statistics.fmean(mean_percent(found[each.function, name], seconds) for each in subjects)


def print_averages(
    subjects: Sequence[Numeric],
    names: Sequence[str],
    looks: Sequence[float],
    found: Found,
    paper: dict[str, dict[str, float]],
) -> None:
    print(f"\nTable 3, percent covered of {len(subjects)} subjects; after the bar, the paper's")
    print(
        " " * 16 + "".join(f"{at:7g}s" for at in looks) + "   |" + "".join(f"{m:>8}" for m in paper)
    )
    for name in names:
        cells = "".join(f"{average(subjects, name, at, found):8.1f}" for at in looks)
        column = STRATEGIES.get(name, "")
        beside = "".join(f"{row[column]:8.1f}" for row in paper.values() if column in row)
        print(f"  {name:14}{cells}   |{beside}")


def as_table(
    subjects: Sequence[Numeric],
    names: Sequence[str],
    looks: Sequence[float],
    seeds: int,
    found: Found,
) -> Table:
    """Percent of blocks covered in the end, by subject, and the averages at every look."""
    head = ["subject", "blocks", *names]
    rows = [
        [subject.function, str(found[subject.function, names[0]][0].blocks)]
        + [f"{mean_percent(found[subject.function, name], max(looks)):.1f}" for name in names]
        for subject in subjects
    ]
    for at in looks:
        averages = [f"{average(subjects, name, at, found):.1f}" for name in names]
        rows.append([f"average at {at:g} s", "", *averages])
    return Table(
        f"Table 3: percent of blocks after {max(looks):g} s of the processor, {seeds} seeds",
        head,
        rows,
    )


def paper_averages(data: Path) -> dict[str, dict[str, float]]:
    if not data.exists():
        print(f"the paper's numbers are not beside ours: no {data}")
        return {}
    table = json.loads(data.read_text())["table3_average_recomputed"]
    return {minutes: table[minutes] for minutes in PAPER_MINUTES}


def print_work(
    subjects: Sequence[Numeric],
    names: Sequence[str],
    looks: Sequence[float],
    found: Found,
) -> None:
    print("\nTable 4, random tests / solver calls (means)")
    for name in names:
        print(f"  {name:24}" + "".join(f"{at:>15g}s" for at in looks))
        for subject in subjects:
            cells = ""
            for at in looks:
                done = [run.work_at(at) for run in found[subject.function, name]]
                draws = statistics.fmean(each[0] for each in done)
                calls = statistics.fmean(each[1] for each in done)
                cells += f"{f'{draws:.0f} / {calls:.0f}':>16}"
            print(f"    {subject.function:22}{cells}")


def figure(
    subjects: Sequence[Numeric],
    names: Sequence[str],
    seconds: float,
    found: Found,
) -> str:
    moments = [seconds * step / 100 for step in range(101)]
    curves = {name: [(at, average(subjects, name, at, found)) for at in moments] for name in names}
    return draw_curves(curves, across="seconds", up="blocks covered, percent")


if __name__ == "__main__":
    main()
