"""The walk's answers on random constraints, one after another, until it has walked so many steps.

    python -m experiments.walk_steps 10000000

Half of the constraints are true at a secret point, so that "unsat" would be wrong; every "sat" is
evaluated. Stops at the first wrong answer, with the constraint's number.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from experiments.random_constraints import RandomConstraints
from symcrete.solve.solver import Sat, Unsat
from symcrete.solve.walk.walk import Walk
from symcrete.terms.evaluate import all_hold
from symcrete.terms.term import forget

POINTS = 4_000  # for one constraint
SAMPLES = 200  # of a constraint said to have no solution


class WrongAnswer(AssertionError):
    """The walk said sat or unsat, and it is not so."""


def check_steps(steps: int, seed: int = 0) -> Counter[str]:
    """Walk that many steps; how many there were of each kind of answer."""
    counts: Counter[str] = Counter()
    number = 0
    while counts["steps"] < steps:
        if number % 1000 == 999:
            forget()  # or the terms of all these constraints would fill the memory
        counts += _checked(number, seed)
        number += 1
    return counts


def _checked(number: int, seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    constraints = RandomConstraints(random.Random(f"{seed} {number}"))
    planted, secret = constraints.planted()
    free = constraints.free()
    near = constraints.assignment()
    for constraint, known in ((planted, secret), (free, None)):
        walk = Walk(seed=number, points=POINTS, seconds=60)
        answer = walk.solve(constraint, near)
        counts["steps"] += walk.spent
        counts["constraints"] += 1
        if isinstance(answer, Sat):
            counts["satisfied"] += 1
            if not all_hold(constraint.conditions, answer.assignment):
                raise WrongAnswer(f"constraint {number} of seed {seed}: false Sat {answer}")
        elif isinstance(answer, Unsat):
            counts["refuted"] += 1
            samples = [known] if known else [constraints.assignment() for _ in range(SAMPLES)]
            if any(all_hold(constraint.conditions, sample) for sample in samples):
                raise WrongAnswer(f"constraint {number} of seed {seed}: false Unsat {answer}")
    return counts


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    counts = check_steps(steps)
    print(", ".join(f"{count:,} {word}" for word, count in counts.items()) + ": no wrong answer")


if __name__ == "__main__":
    main()
