"""Strategies beside the default on the functions of this repository, with equal processor time.

    python -m experiments.deciding [--strategies auto,priced] [--half tuning|held-out] [--seeds 1]
                                  [--seconds 0.5,2] [--out build/deciding.jsonl] [--keep]

The functions are those of `benchmarks.stdlib` (but for `tokenize`), the examples, and the subjects of the studies on
search strategies. Constants of strategies are chosen on every other of them (`--half tuning`);
what is told is measured on the rest. Each exploration is a process of its own; the branches of the
one function that counts are counted after each of the moments, in seconds of the processor since
the program was loaded. Results are appended to a file, so that a run that was cut off goes on.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.stdlib import LIBRARY, ROWS

from experiments.committed import RESULTS, Table, as_text, keep
from experiments.context_subjects import SUBJECTS as OF_CONTEXTS
from experiments.sign_test import sign_test
from experiments.subjects.optimal.catalogue import HARDER, SUBJECTS
from symcrete.clock import processor
from symcrete.explore.compose import prepare
from symcrete.explore.loop.parts import Listener, Parts
from symcrete.explore.loop.phase import Budget
from symcrete.explore.loop.progress import Kept
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

ROOT = Path(__file__).parents[1]
SOLVER_SECONDS = 0.5  # for one query
PATIENCE = 40.0  # times the time of an exploration that it may take on a busy machine


@dataclass(frozen=True, slots=True)
class Function:
    """One function to explore, and where branches count if that is elsewhere."""

    corpus: str
    name: str
    target: str
    within: str = ""
    instrument: tuple[str, ...] = ()
    types: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Measured:
    """Branches covered, with the seconds of the processor at which there were more."""

    name: str
    strategy: str
    seed: int
    seconds: float
    branches: int = 0
    curve: list[tuple[float, int]] = field(default_factory=list)
    runs: int = 0

    @property
    def key(self) -> tuple[str, str, int, float]:
        return self.name, self.strategy, self.seed, self.seconds

    def percent(self, at: float) -> float:
        """Percent of the branches that were covered by a moment."""
        covered = max((count for when, count in self.curve if when <= at), default=0)
        return 100 * covered / max(1, self.branches)


def functions() -> Iterator[Function]:
    """All of them, corpus by corpus."""
    for row in ROWS:
        if row.module == "tokenize":  # what reports errors uses it, and it cannot be loaded twice
            continue
        modules = row.counted, row.module, *row.also
        target = f"{LIBRARY}::{row.entry}"
        yield Function("stdlib", row.counted, target, row.counted, modules)
    for file in sorted((ROOT / "examples").glob("*.py")):
        for found in targets_of(str(file)):
            name = f"examples/{file.stem}::{found.scope}"
            yield Function("examples", name, f"{file}::{found.scope}")
    for numeric in (*SUBJECTS, *HARDER):
        file = ROOT / Path(*numeric.module.split(".")).with_suffix(".py")
        target = f"{file}::{numeric.function}"
        yield Function("subjects", numeric.function, target)
    for each in OF_CONTEXTS:
        given = each.target, each.within, each.instrument, tuple(each.types.items())
        yield Function("subjects", each.name, *given)


def measure(function: Function, strategy: str, seed: int, seconds: float) -> Measured:
    """Explore in a process of its own; nothing covered where that ends before its time."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_explore, args=(function, strategy, seed, seconds, sender))
    process.start()
    sender.close()
    found = Measured(function.name, strategy, seed, seconds)
    stop = time.monotonic() + PATIENCE * (seconds + 2.0)
    while receiver.poll(max(0.0, stop - time.monotonic())):
        try:
            found.branches, when, covered, found.runs = receiver.recv()
        except EOFError:
            break
        found.curve.append((when, covered))
    process.kill()
    process.join()
    return found


def _explore(
    function: Function, strategy: str, seed: int, seconds: float, sender: Connection
) -> None:
    options = options_from(
        {
            "strategy": strategy,
            "seed": seed,
            "budget": seconds,
            "within": function.within,
            "instrument": function.instrument,
            "types": dict(function.types),
            "solver_seconds": SOLVER_SECONDS,
            "replay": False,
        }
    )
    sys.path.insert(0, str(Path(function.target.partition("::")[0]).parent))
    began = 0.0

    def note(parts: Parts, kept: Kept | None) -> None:
        coverage = parts.coverage
        count = sum(coverage.has_branch(branch) for branch in coverage.branches)
        spent = round(processor() - began, 4)
        sender.send((len(coverage.branches), spent, count, exploration.progress.runs))

    (target, *_) = targets_of(function.target)
    exploration, phase = prepare(
        target,
        EveryBranch(function.within),
        options,
        listener=Listener(on_kept=note),
        clock=processor,
    )
    began = processor()
    exploration.explore(replace(phase, budget=Budget(began + seconds, None, processor)))
    note(exploration.parts, None)


def read(file: Path) -> dict[tuple[str, str, int, float], Measured]:
    """What was measured before."""
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    found = [Measured(**json.loads(line)) for line in lines if line.endswith("}")]
    return {each.key: each for each in found}


def tables(
    chosen: Sequence[Function],
    names: Sequence[str],
    seeds: int,
    looks: Sequence[float],
    found: dict[tuple[str, str, int, float], Measured],
) -> list[Table]:
    """Percent of branches by corpus and moment, and on how many functions who is ahead."""
    whole = [
        each
        for each in chosen
        if all(
            found.get((each.name, name, seed, max(looks)), NOTHING).branches
            for name in names
            for seed in range(seeds)
        )
    ]

    def mean(function: Function, name: str, at: float) -> float:
        return statistics.fmean(
            found[function.name, name, seed, max(looks)].percent(at) for seed in range(seeds)
        )

    rows = []
    for corpus in ("stdlib", "examples", "subjects", "all"):
        some = [each for each in whole if corpus in ("all", each.corpus)]
        for at in looks if some else ():
            cells = [f"{statistics.fmean(mean(each, n, at) for each in some):.1f}" for n in names]
            rows.append([corpus, str(len(some)), f"{at:g}", *cells])
    means = Table(
        f"Percent of branches, mean over functions, {seeds} seeds",
        ["corpus", "functions", "seconds", *names],
        rows,
    )
    duels = []
    for name in names[1:]:
        for at in looks:
            ahead = sum(mean(each, name, at) > mean(each, names[0], at) for each in whole)
            behind = sum(mean(each, name, at) < mean(each, names[0], at) for each in whole)
            chance = f"{sign_test(ahead, behind):.3f}"
            duels.append([name, f"{at:g}", str(ahead), str(behind), chance])
    head = ["strategy", "seconds", f"ahead of {names[0]} on", "behind on", "p, sign test"]
    return [means, Table(f"Against {names[0]}, by functions", head, duels)]


def by_function(
    chosen: Sequence[Function],
    names: Sequence[str],
    seeds: int,
    looks: Sequence[float],
    found: dict[tuple[str, str, int, float], Measured],
) -> Table:
    """Percent of the branches of every function at every moment."""
    rows = []
    for function in chosen:
        for at in looks:
            cells = [
                [found[function.name, name, seed, max(looks)].percent(at) for seed in range(seeds)]
                for name in names
            ]
            row = [f"{statistics.fmean(each):.1f}" for each in cells]
            rows.append([function.name, f"{at:g}", *row])
    return Table("Percent of branches", ["function", "seconds", *names], rows)


NOTHING = Measured("", "", 0, 0.0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--strategies", default="auto,priced")
    parser.add_argument("--half", choices=("tuning", "held-out", "both"), default="held-out")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--seconds", default="0.5,2", help="when to look, of the processor")
    parser.add_argument("--only", default="", help="functions whose name has this")
    parser.add_argument("--out", type=Path, default=ROOT / "build/deciding.jsonl")
    parser.add_argument(
        "--keep", action="store_true", help="write experiments/results/deciding.json"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="every function")
    given = parser.parse_args(arguments)
    names, looks = given.strategies.split(","), [float(x) for x in given.seconds.split(",")]
    parts = {"tuning": (0,), "held-out": (1,), "both": (0, 1)}[given.half]
    chosen = [each for n, each in enumerate(functions()) if n % 2 in parts]
    chosen = [each for each in chosen if given.only in each.name]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    found = read(given.out)
    with given.out.open("a", encoding="utf-8") as out:
        for seed in range(given.seeds):
            for function in chosen:
                for name in names:
                    if (function.name, name, seed, max(looks)) in found:
                        continue
                    done = measure(function, name, seed, max(looks))
                    found[done.key] = done
                    out.write(json.dumps(asdict(done)) + "\n")
                    out.flush()
    made = tables(chosen, names, given.seeds, looks, found)
    shown = [*made, by_function(chosen, names, given.seeds, looks, found)]
    for table in shown if given.verbose else made:
        print(f"\n{as_text(table)}")
    if given.keep:
        keep(made, RESULTS / "deciding.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
