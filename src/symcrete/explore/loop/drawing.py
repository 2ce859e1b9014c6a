"""Random inputs for an exploration: drawn anew, or changed from one that covered something."""

from __future__ import annotations

from symcrete.explore.first_inputs import defaults
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import Progress, largest
from symcrete.inputs.draw.mutation import mutated
from symcrete.search.strategy import Sample
from symcrete.terms.evaluate import Assignment, all_hold

MUTATED = 0.5  # the share of draws that start from an input kept before; chosen, not measured
SHARES = {"any": MUTATED, "fresh": 0.0, "kept": 1.0}
REDRAWN = 8  # times that an input with too large numbers is drawn again; chosen, not measured
# a number that is too large for the first draws; chosen, not measured
LARGE_FOR_FIRST_DRAWS = 1_000_000
AS_USUAL = 0.5  # the share of arguments left at their defaults; chosen, not measured
CAUTIOUS = 40  # runs in which large numbers are avoided; chosen, not measured
EITHER = Sample()


def drawn(parts: Parts, progress: Progress, step: Sample = EITHER) -> Assignment:
    """A random input: a new one, or a changed version of a kept one, as the step says.

    It seldom has numbers as large as those whose runs had to be cut, which takes a second; and the
    first inputs have small ones, because flips start from the first run that came to a branch.
    """
    if parts.pool.uniform:
        return parts.runner.sample(parts.pool, parts.random)
    too_large = progress.endless or (LARGE_FOR_FIRST_DRAWS if progress.runs < CAUTIOUS else 0)
    found = _draw(parts, progress, step)
    for _ in range(REDRAWN if too_large else 0):
        if largest(found) < too_large:
            break
        found = _draw(parts, progress, step)
    return found


def _draw(parts: Parts, progress: Progress, step: Sample) -> Assignment:
    random, pool = parts.random, parts.pool
    share = SHARES[step.source]
    if progress.kept and (share == 1.0 or random.random() < share):
        trace = random.choice(progress.kept).trace
        changed = mutated(trace.assignment, pool, random)
        if all_hold((*trace.assumptions, *trace.bounds), changed):  # still an input
            return changed
    found = parts.runner.sample(pool, random)
    # Where no run has returned yet, as where the name of an encoding is wanted, defaults are a good
    # guess.
    if progress.raised and not parts.coverage.came_back:
        for usual in defaults(parts.runner.function, parts.arguments):
            found |= usual if random.random() < AS_USUAL else {}
    return found
