"""The concolic walk's Tables 5.2 and 5.3 again, on the CORAL and FloPSy constraints.

    python -m experiments.walk            the walk as published and ours, seven seeds
    python -m experiments.walk --full     with the variations of Table 5.3, and ours move by move
    python -m experiments.walk --steps N  N steps on random constraints, every answer checked

The formulas are read from `coral.json` and `opti.json` in `--data`. The other programs of the
tables need the whole engine and are not run here.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.formulas import Formula, read_formulas
from experiments.mann_whitney import mann_whitney
from experiments.random_constraints import RandomConstraints
from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Answer, Sat, Solver, Unsat
from symcrete.solve.walk import Walk
from symcrete.solve.walk_attempt import MOVES
from symcrete.solve.walk_paper import PaperWalk
from symcrete.terms.evaluate import all_hold
from symcrete.terms.term import forget

DATA = Path(__file__).parents[2] / "shared" / "experiments"
TEXT: dict[str, Any] = {"step": "normal", "tabu": "min", "overshoot": False}

# Table 5.2 (median percent solved), and Table 5.3 (fraction of that), where it is legible.
DISSERTATION = {"coral": 78, "opti": 50}
VARIATIONS: list[tuple[str, dict[str, Any], dict[str, float]]] = [
    ("tabu disabled (T=0)", {"tabu": 0}, {"coral": 0.57, "opti": 1.0}),
    ("bisection disabled", {"bisection": False}, {"coral": 0.86, "opti": 0.33}),
    ("10 steps (I=10)", {"steps": 10}, {"coral": 0.82, "opti": 1.0}),
    ("30 steps (I=30)", {"steps": 30}, {"coral": 0.94, "opti": 1.0}),
    ("300 steps (I=300)", {"steps": 300}, {"coral": 1.04, "opti": 1.0}),
]


@dataclass
class Outcome:
    """One solver on one set of formulas, over the seeds."""

    solved: list[int] = field(default_factory=list)  # per seed
    refuted: set[str] = field(default_factory=set)
    missed: dict[str, int] = field(default_factory=dict)  # how many seeds did not solve it
    seconds: dict[str, list[float]] = field(default_factory=dict)
    formulas: int = 0

    @property
    def percent(self) -> list[float]:
        return [100 * count / self.formulas for count in self.solved]

    @property
    def median(self) -> float:
        return statistics.median(self.percent)

    @property
    def medians(self) -> list[float]:
        """The median time of each formula."""
        return [statistics.median(times) for times in self.seconds.values()]


def run(
    make: Callable[[int], Solver], formulas: Sequence[Formula], seeds: Iterable[int]
) -> Outcome:
    outcome = Outcome(formulas=len(formulas))
    for seed in seeds:
        count = 0
        for formula in formulas:
            before = time.process_time()  # other people's load is not ours
            answers = solve(make(seed), formula)
            outcome.seconds.setdefault(formula.name, []).append(time.process_time() - before)
            if any(isinstance(answer, Sat) for answer in answers):
                count += 1
            elif all(isinstance(answer, Unsat) for answer in answers):
                assert not formula.satisfiable, f"{formula.name} has a solution"
                outcome.refuted.add(formula.name)
            else:
                outcome.missed[formula.name] = outcome.missed.get(formula.name, 0) + 1
        outcome.solved.append(count)
    return outcome


def solve(solver: Solver, formula: Formula) -> list[Answer]:
    """The answers for its paths, up to the first that is solved."""
    answers: list[Answer] = []
    for path in formula.paths:
        answer = solver.solve(PathConstraint(path[:-1], path[-1]), formula.start)
        answers.append(answer)
        if isinstance(answer, Sat):
            assert all_hold(path, answer.assignment), f"{formula.name}: {answer}"
            break
    return answers


def effectiveness(sets: dict[str, list[Formula]], seeds: range) -> dict[tuple[str, str], Outcome]:
    """Table 5.2: what each solves, and how long it takes."""
    solvers: dict[str, Callable[[int], Solver]] = {
        "walk-paper, authors' code": lambda seed: PaperWalk(seed=seed, seconds=60),
        "walk-paper, the text": lambda seed: PaperWalk(seed=seed, seconds=60, **TEXT),
        "walk": lambda seed: Walk(seed=seed),
    }
    found = {}
    print(f"\nTable 5.2: percent solved over {len(seeds)} seeds, and CPU seconds per formula")
    print(f"{'program':8} {'solver':26} {'med.':>5} {'var.':>5} {'dissert.':>8}   solved per seed")
    for name, formulas in sets.items():
        for label, make in solvers.items():
            outcome = found[name, label] = run(make, formulas, seeds)
            variance = statistics.pvariance(outcome.percent)
            print(
                f"{name:8} {label:26} {outcome.median:5.1f} {variance:5.1f} {DISSERTATION[name]:8}"
                f"   {outcome.solved} of {len(formulas)}"
            )
    print(f"\n{'program':8} {'solver':26} {'median s':>9} {'slowest median':>15}   never solved")
    for (name, label), outcome in found.items():
        never = [f for f, count in outcome.missed.items() if count == len(seeds)]
        print(
            f"{name:8} {label:26} {statistics.median(outcome.medians):9.4f}"
            f" {max(outcome.medians):15.4f}   {', '.join(never) or '-'}"
        )
    for (name, label), outcome in found.items():
        if outcome.refuted:
            print(
                f"proved unsatisfiable by {label} in {name}: {', '.join(sorted(outcome.refuted))}"
            )
    return found


def influence(
    sets: dict[str, list[Formula]], seeds: range, base: dict[tuple[str, str], Outcome]
) -> None:
    """Table 5.3: the fraction of the baseline that each variation reaches."""
    label = "walk-paper, authors' code"
    print("\nTable 5.3: fraction of the baseline's median; p of the Mann-Whitney test against it")
    print(f"{'variation':22} {'program':8} {'ours':>5} {'dissert.':>8} {'p':>7}   solved per seed")
    for title, parameters, expected in VARIATIONS:
        for name, formulas in sets.items():
            changed = run(_paper_walk(parameters), formulas, seeds)
            baseline = base[name, label]
            fraction = changed.median / baseline.median
            p = mann_whitney(changed.solved, baseline.solved)
            print(
                f"{title:22} {name:8} {fraction:5.2f} {expected[name]:8.2f} {p:7.4f}"
                f"   {changed.solved}"
            )


def _paper_walk(parameters: dict[str, Any]) -> Callable[[int], Solver]:
    return lambda seed: PaperWalk(seed=seed, seconds=60, **parameters)


def versus(sets: dict[str, list[Formula]], base: dict[tuple[str, str], Outcome]) -> None:
    print("\nWalk against the paper's, two-sided Mann-Whitney test on formulas solved per seed")
    for name in sets:
        ours = base[name, "walk"].solved
        for label in ("walk-paper, authors' code", "walk-paper, the text"):
            p = mann_whitney(ours, base[name, label].solved)
            print(f"{name:8} walk {ours} against {label} {base[name, label].solved}: p = {p:.4f}")


def worth_of_moves(sets: dict[str, list[Formula]], seeds: range) -> None:
    """Ours without each of its moves: what is missed, and how many points a solution takes."""
    formulas = [formula for each in sets.values() for formula in each if formula.satisfiable]
    print("\nOur moves: solved of all satisfiable formulas within 20,000 points, mean points each")
    counts: dict[str, list[int]] = {}
    for without in (None, *sorted(MOVES)):
        solved, points = [], []
        for seed in seeds:
            walks = []
            for formula in formulas:
                walk = Walk(seed=seed, points=20_000, seconds=60, moves=MOVES - {without})
                walks.append((walk, solve(walk, formula)))
            solved.append(sum(isinstance(answers[-1], Sat) for _, answers in walks))
            points += [walk.spent for walk, _ in walks]
        counts[without or "all"] = solved
        p = mann_whitney(solved, counts["all"])
        print(
            f"{'all' if without is None else 'without ' + without:18}"
            f" {statistics.mean(solved):6.1f} of {len(formulas)}"
            f" {statistics.mean(points):8.0f} points   p = {p:.4f}"
        )


def check_steps(steps: int, seed: int) -> None:
    """Walk that many steps over random constraints; stop at the first wrong answer."""
    done = number = satisfied = refuted = 0
    while done < steps:
        if number % 1000 == 999:
            forget()  # or the terms of all these constraints would fill the memory
        constraints = RandomConstraints(random.Random(f"{seed} {number}"))
        planted, secret = constraints.planted()
        free = constraints.free()
        near = constraints.assignment()
        for constraint, known in ((planted, secret), (free, None)):
            walk = Walk(seed=number, points=4_000, seconds=60)
            answer = walk.solve(constraint, near)
            done += walk.spent
            if isinstance(answer, Sat):
                satisfied += 1
                if not all_hold(constraint.conditions, answer.assignment):
                    sys.exit(f"constraint {number} of seed {seed}: false Sat {answer}")
            elif isinstance(answer, Unsat):
                refuted += 1
                samples = [known] if known else [constraints.assignment() for _ in range(200)]
                if any(all_hold(constraint.conditions, sample) for sample in samples):
                    sys.exit(f"constraint {number} of seed {seed}: false Unsat {answer}")
        number += 1
    print(
        f"{done} steps over {2 * number} constraints: {satisfied} satisfied, {refuted} refuted, "
        "no wrong answer"
    )


def read_sets(data: Path) -> dict[str, list[Formula]]:
    try:
        return {
            "coral": read_formulas(data / "coral.json", "benchmarks"),
            "opti": read_formulas(data / "opti.json", "functions"),
        }
    except FileNotFoundError as error:
        sys.exit(f"{error.filename} is missing; say with --data where coral.json and opti.json are")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder of coral.json and opti.json"
    )
    parser.add_argument("--seeds", type=int, default=7)
    parser.add_argument("--full", action="store_true", help="with all variations (minutes)")
    parser.add_argument("--steps", type=int, help="check so many steps on random constraints")
    options = parser.parse_args()
    if options.steps:
        check_steps(options.steps, seed=0)
        return
    sets, seeds = read_sets(options.data), range(options.seeds)
    base = effectiveness(sets, seeds)
    versus(sets, base)
    if options.full:
        influence(sets, seeds, base)
        worth_of_moves(sets, seeds)


if __name__ == "__main__":
    main()
