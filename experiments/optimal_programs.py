"""Tables 3 and 4 and Figure 4 of "Towards Optimal Concolic Testing" again, on numeric functions.

    python -m experiments.optimal_programs                     a few subjects, seconds each
    python -m experiments.optimal_programs --full              all counterparts of Table 2
    python -m experiments.optimal_programs --seconds 5,15,30 --subjects 15 --repetitions 3

What counts is the conditions, both sides, of every function that the subject may call, which is
the paper's inter-procedural graph; the paper has minutes where this has seconds, and counts
instructions. Each exploration is a process of its own that is ended when its time is up, so that a
solver which overruns costs its strategy and nobody else.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from experiments.optimal_figure import draw_curves
from experiments.subjects.optimal.catalogue import SUBJECTS, Numeric
from symcrete.explore.compose import prepare
from symcrete.explore.loop import Budget, Exploration
from symcrete.explore.options import options_from
from symcrete.explore.world import World
from symcrete.program.icfg import program_graph
from symcrete.program.sites import Site
from symcrete.program.target import Target, targets_of
from symcrete.search.outcome_chain import OutcomeChain
from symcrete.search.strategy import Feedback, Flip
from symcrete.tree.coverage import Coverage

ROOT = Path(__file__).parents[1]
PAPER = ROOT.parent / "shared" / "experiments" / "gsl_table3.json"
# Ours beside the names of Table 3; klee stands for KLEE's random-path and covnew in turn.
STRATEGIES = {
    "greedy": "G",
    "greedy-plus": "",
    "klee": "RCN",
    "random-state": "RSS",
    "random-path": "RPS",
    "dfs": "DFS",
    "random-input": "R",
}
PAPER_MINUTES = ("5min", "15min", "30min")
LOADING = 20.0  # seconds that a process may take before its exploration begins


@dataclass
class Progress:
    """One exploration: what was covered when, and what had been done by then."""

    outcomes: int = 0
    news: list[tuple[float, int]] = field(default_factory=list)  # seconds, outcomes covered
    work: list[tuple[float, int, int]] = field(default_factory=list)  # seconds, draws, solver calls

    def percent_at(self, seconds: float) -> float:
        covered = max((count for when, count in self.news if when <= seconds), default=0)
        return 100 * covered / max(1, self.outcomes)

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
    stop = time.perf_counter() + LOADING
    while receiver.poll(max(0.0, stop - time.perf_counter())):
        try:
            message = receiver.recv()
        except EOFError:
            break
        match message:
            case ("begin", outcomes):
                progress.outcomes = outcomes
                stop = time.perf_counter() + seconds + 0.2
            case ("news", when, count):
                progress.news.append((when, count))
            case ("work", when, draws, calls):
                progress.work.append((when, draws, calls))
    process.kill()
    process.join()
    return progress


def _explore(
    subject: Numeric, strategy: str, seconds: float, seed: int, sender: Connection
) -> None:
    target = _target(subject)
    options = options_from(
        {"strategy": strategy, "budget": seconds, "seed": seed, "replay": False, "sandbox": False}
    )
    exploration, world = prepare(target, options, time.perf_counter())
    _widen(exploration.coverage, _reachable(target, world))
    began = time.perf_counter()  # loading is the same for all; what a strategy prepares counts
    exploration.budget = Budget(began + seconds, None)
    _listen(exploration, sender, began)
    sender.send(("begin", exploration.coverage.wanted.bit_count()))
    exploration.explore()


def _target(subject: Numeric) -> Target:
    file = ROOT / Path(*subject.module.split(".")).with_suffix(".py")
    return next(each for each in targets_of(str(file)) if each.scope == subject.function)


def _reachable(target: Target, world: World) -> tuple[Site, ...]:
    """The conditions of everything that the target may call."""
    rewritten = world.rewritten
    graph = program_graph(rewritten.files, rewritten.sites, str(target.source.file), target.scope)
    states = OutcomeChain(graph).successors
    return tuple(
        rewritten.sites[n] for n in sorted({number for number, _ in states if number >= 0})
    )


def _widen(coverage: Coverage, sites: tuple[Site, ...]) -> None:
    """Every strategy is to cover these instead of the target's own."""
    coverage.own = sites
    coverage.__post_init__()


def _listen(exploration: Exploration, sender: Connection, began: float) -> None:
    learn = exploration.strategy.learn
    coverage = exploration.coverage
    whole = coverage.wanted
    draws = calls = 0
    told = 0.0

    def listen(feedback: Feedback) -> None:
        nonlocal draws, calls, told
        learn(feedback)
        now = time.perf_counter() - began
        if isinstance(feedback.step, Flip):
            calls += 1
        else:
            draws += 1
        if feedback.new & whole:
            sender.send(("news", now, (coverage.seen & whole).bit_count()))
        if now - told > 0.05 or isinstance(feedback.step, Flip):
            told = now
            sender.send(("work", now, draws, calls))

    exploration.strategy.learn = listen  # type: ignore[method-assign]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", help="when to look, such as 5,15,30")
    parser.add_argument("--full", action="store_true", help="20 subjects, three repetitions")
    parser.add_argument("--subjects", type=int, help="how many, in the order of Table 2")
    parser.add_argument("--repetitions", type=int)
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--data", type=Path, default=PAPER, help="the paper's tables")
    parser.add_argument("--figure", type=Path, default=Path("optimal_programs.svg"))
    given = parser.parse_args(arguments)
    looks = [
        float(each) for each in (given.seconds or ("5,15,30" if given.full else "1,2,4")).split(",")
    ]
    subjects = SUBJECTS[: given.subjects or (20 if given.full else 5)]
    repetitions = given.repetitions or (3 if given.full else 1)
    names = given.strategies.split(",")
    found: dict[tuple[str, str], list[Progress]] = {}
    for subject in subjects:
        for name in names:
            found[subject.function, name] = [
                explore(subject, name, max(looks), seed) for seed in range(repetitions)
            ]
        print_subject(subject, names, looks, found)
    print_averages(subjects, names, looks, found, paper_averages(given.data))
    print_work(subjects, [each for each in names if each.startswith("greedy")], looks, found)
    given.figure.write_text(figure(subjects, names, max(looks), found))
    print(f"\nFigure 4, coverage over time: {given.figure}")


def mean_percent(runs: Sequence[Progress], seconds: float) -> float:
    return statistics.fmean(run.percent_at(seconds) for run in runs)


def print_subject(
    subject: Numeric,
    names: Sequence[str],
    looks: Sequence[float],
    found: dict[tuple[str, str], list[Progress]],
) -> None:
    runs = found[subject.function, names[0]]
    print(
        f"{subject.function} ({subject.table_name or '-'}), {runs[0].outcomes} outcomes", flush=True
    )
    for name in names:
        cells = "".join(f"{mean_percent(found[subject.function, name], at):8.1f}" for at in looks)
        print(f"  {name:14}{cells}", flush=True)


def average(
    subjects: Sequence[Numeric],
    name: str,
    seconds: float,
    found: dict[tuple[str, str], list[Progress]],
) -> float:
    return statistics.fmean(mean_percent(found[each.function, name], seconds) for each in subjects)


def print_averages(
    subjects: Sequence[Numeric],
    names: Sequence[str],
    looks: Sequence[float],
    found: dict[tuple[str, str], list[Progress]],
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
    found: dict[tuple[str, str], list[Progress]],
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
    found: dict[tuple[str, str], list[Progress]],
) -> str:
    moments = [seconds * step / 100 for step in range(101)]
    curves = {name: [(at, average(subjects, name, at, found)) for at in moments] for name in names}
    return draw_curves(curves, across="seconds", up="outcomes covered, percent")


if __name__ == "__main__":
    main()
