"""Bring the numbers of a failing input as near to zero as they can get.

Where a reader looks for the reason of a failure, 1001 says more than 1099: it is the first number
that fails. Texts are left to `minimise`, whose characters are chosen to be read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from symcrete.clock import Moment
from symcrete.explore.minimise.minimise import Wanted, alike
from symcrete.explore.minimise.plain_texts import Roles
from symcrete.explore.minimise.shorter import containers_in, count_of, shorter, without
from symcrete.run.runner import Runner
from symcrete.run.trace import Trace
from symcrete.terms.evaluate import Assignment

MOST_RUNS_NEAR_ZERO = 400  # of the test: some tenths of a second
# numbers that are tried in pairs, one as 0 and the other as their sum; chosen, not measured
MOST_EXCHANGED = 6


def nearest_zero(runner: Runner, trace: Trace, wanted: Wanted, stop: Moment) -> Trace:
    """A run with smaller numbers and shorter containers that ends alike and does what is wanted."""
    best, left = trace, MOST_RUNS_NEAR_ZERO
    with runner:
        again = True
        while again:
            again = False
            tried: set[tuple[tuple[str, object], ...]] = set()
            for each in _smaller(best.assignment):
                key = tuple(sorted(each.items(), key=lambda item: item[0]))
                if key in tried:
                    continue
                tried.add(key)
                if left == 0 or stop.has_come:
                    return best
                left -= 1
                found = alike(runner, best, each, wanted)
                if found is not None:
                    best, again = found, True
                    break
    return best


def _smaller(given: Assignment) -> Iterator[Assignment]:
    """Inputs that are smaller in one respect, by much first."""
    for container in containers_in(given):
        for start, end in shorter(given, container):
            if end <= count_of(given, container):
                yield without(given, container, start, end)
    roles = Roles(given)
    numbers = [
        (name, value)
        for name, value in given.items()
        if type(value) is int and value and not _is_of_a_text(roles, name, given)
    ]
    for name, value in numbers:
        if name.startswith("len("):
            continue
        for step in _steps(value):
            yield given | {name: value - step}
    for (one, first), (other, second) in itertools.permutations(numbers[:MOST_EXCHANGED], 2):
        if not one.startswith("len(") and not other.startswith("len("):
            if abs(first + second) <= max(abs(first), abs(second)) or first < second:
                yield given | {one: 0, other: first + second}


def _is_of_a_text(roles: Roles, name: str, given: Assignment) -> bool:
    return roles.plainer(name, given) is not None


def _steps(value: int) -> Iterator[int]:
    """What to take from a number: all of it, half, a quarter, ..., one."""
    if value < 0:
        yield 2 * value  # its opposite is plainer
    step = value
    while step:
        yield step
        step = step // 2 if step > 0 else -(-step // 2)
