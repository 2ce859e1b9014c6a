"""Replace the values of an input by plainer ones that do the same.

First on the same path, where the path condition decides by evaluation alone and hundreds of
candidates cost no run; then on any path, where a run decides: elements are taken out of texts and
containers, and what is left becomes plainer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from symcrete.clock import Moment
from symcrete.explore.minimise.foreseen import Foreseen
from symcrete.explore.minimise.plain_texts import Roles
from symcrete.explore.minimise.shorter import (
    containers_in,
    count_name,
    count_of,
    shorter,
    without,
)
from symcrete.explore.minimise.twins import twins
from symcrete.run.runner import Runner
from symcrete.run.trace import Trace
from symcrete.terms.evaluate import Assignment, first_broken
from symcrete.terms.term import Term
from symcrete.terms.visit import names

# for one input, to shorten it and again to make its values plainer; chosen, not measured
MOST_MINIMISING_RUNS = 150
MOST_PLAINER_VALUES = 24  # values that are tried for one variable; chosen, not measured
# what the least of several numbers becomes, at most, where all are lowered; chosen, not measured
MOST_LEAST = 5
MOST_LOWERED_IN_PAIRS = 6  # numbers of an input that are lowered two by two: 15 pairs
MOST_LEFT_OUT = 12  # arguments with defaults that are left out one by one; each costs a run
# tried before halves of a number, which are not round: 199 and the like
ROUND = (20, 50, 100, 200, 500, 1_000, 10_000)
LEAST_POWER, MOST_POWER = 4, 64  # exponents of powers of two that are tried; 8 and less are plain
DIGITS_TRIED = (1, 2, 3)  # behind the point, of a float that is rounded; chosen, not measured
LAST_STEPS = (1, 2, 3)  # towards zero, which are tried last; chosen, not measured
SMALL_ENOUGH = 10  # nobody needs a smaller number, but for PLAINEST; chosen, not measured
LARGEST_WITH_DIGITS = 10**100  # numbers above it are not tried with fewer digits; chosen
LARGEST_PLAIN_FLOAT = 1e6  # whole floats below it read as well as ints; chosen, not measured
PLAINEST = (0, 1, -1, 2, 3, 10, 100)

NOTHING_FORESEEN = Foreseen(())

Wanted: TypeAlias = Callable[[Trace], bool]  # asked right after a run: does it still do?


def plainest(
    runner: Runner,
    trace: Trace,
    wanted: Wanted,
    stop: Moment,
    foreseen: Foreseen = NOTHING_FORESEEN,
    also: Sequence[Term] = (),
) -> Trace:
    """A run with plainer values that ends alike and does what is wanted; found by `stop`.

    An input that takes a foreseen path is not run if its known run does not do what is wanted;
    so `wanted` may then depend on nothing but the run that it is given. `also` are conditions
    besides those of the path that have to hold for what is wanted.
    """
    with runner:
        best = _left_out(runner, trace, wanted)
        plain = minimised(best, stop, also)
        same = plain == best.assignment
        best = best if same else alike(runner, best, plain, wanted) or best
        best = _shortened(runner, best, wanted, stop)
        left = MOST_MINIMISING_RUNS
        roles = Roles(best.assignment, best.assumptions)
        defaults = _defaults(best)
        for name in best.assignment:
            if _is_kept(name, best.assignment, defaults):
                continue
            for candidate in itertools.islice(
                _plainer(name, best.assignment, roles), MOST_PLAINER_VALUES
            ):
                if left <= 0 or stop.has_come:
                    return best
                tried = best.assignment | {name: candidate}
                seen = foreseen.run(tried)
                if seen is not None and not wanted(seen):
                    continue
                left -= 1
                found = alike(runner, best, tried, wanted)
                equal = twins(best.assignment, name) if found is None else []
                if equal:
                    left -= 1
                    found = alike(runner, best, tried | dict.fromkeys(equal, candidate), wanted)
                if found is not None:
                    best = found
                    break
    return best


def _left_out(runner: Runner, trace: Trace, wanted: Wanted) -> Trace:
    """The run without the arguments that may be left out, as far as they are not needed."""
    best = trace
    for tried in (_defaults(trace), *trace.defaults[:MOST_LEFT_OUT]):
        if any(best.assignment.get(name) != value for name, value in tried.items()):
            best = alike(runner, best, best.assignment | tried, wanted) or best
    return best


def _defaults(trace: Trace) -> Assignment:
    """The variables that mean the defaults of all arguments that have one."""
    found: Assignment = {}
    for each in trace.defaults:
        found |= each
    return found


def _is_kept(name: str, assignment: Assignment, defaults: Assignment) -> bool:
    """Whether a variable has the value of a default: nothing is plainer than to leave it out."""
    return name in defaults and assignment[name] == defaults[name]


def _shortened(runner: Runner, trace: Trace, wanted: Wanted, stop: Moment) -> Trace:
    """Texts and containers without the elements that nothing wanted depends on, and without such
    earlier calls.
    """
    best, left = trace, MOST_MINIMISING_RUNS
    defaults = _defaults(trace)
    for container in containers_in(trace.assignment):
        if _is_kept(count_name(container), trace.assignment, defaults):
            continue
        # Until nothing can be taken out any more: what is taken out changes what is left to try.
        again = count_of(best.assignment, container) > 0  # it may be gone with what held it
        while again:
            again = False
            for start, end in shorter(best.assignment, container):
                if left <= 0 or stop.has_come:
                    return best
                if end > count_of(best.assignment, container):
                    continue
                left -= 1
                tried = without(best.assignment, container, start, end)
                found = alike(runner, best, tried, wanted)
                equal = _twin_containers(best.assignment, container) if found is None else []
                if equal:
                    left -= 1
                    for each in equal:
                        tried = without(tried, each, start, end)
                    found = alike(runner, best, tried, wanted)
                if found is not None:
                    best, again = found, end - start > 1
                    if again:
                        break
    return best


def _twin_containers(assignment: Assignment, container: str) -> list[str]:
    """Containers that are as long as this one, as the same argument of other calls."""
    length = count_name(container)
    if length not in assignment:
        return []
    found = set(twins(assignment, length))
    return [each for each in containers_in(assignment) if count_name(each) in found]


def alike(runner: Runner, trace: Trace, assignment: Assignment, wanted: Wanted) -> Trace | None:
    """The run of another input, if it ends as this one did and does what is wanted; else None."""
    again = runner.run(assignment)
    same = again.ending == trace.ending and again.error == trace.error
    if first_broken((*again.assumptions, *again.bounds), again.assignment) is not None:
        return None  # no input of the declared type
    return again if same and wanted(again) else None


def minimised(trace: Trace, stop: Moment | None = None, also: Sequence[Term] = ()) -> Assignment:
    """An assignment at least as plain that satisfies every condition of the run, and `also`."""
    stop = stop or Moment()
    best = dict(trace.assignment)
    conditions = (*trace.assumptions, *trace.conditions, *also)
    roles = Roles(best, trace.assumptions)
    defaults = _defaults(trace)
    for tried in _together(best, roles, defaults):
        if first_broken(conditions, tried) is None:
            best = tried
            break
    for name in trace.assignment:
        if stop.has_come:
            return best
        if _is_kept(name, best, defaults):
            continue
        mine = [term for term in conditions if name in names(term)]
        for candidate in _plainer(name, best, roles):
            if stop.has_come:
                return best
            tried = best | {name: candidate}
            if first_broken(mine, tried) is None:
                best = tried
                break
    return _lowered_in_pairs(best, conditions, roles, stop)


def _lowered_in_pairs(
    best: Assignment, conditions: Sequence[Term], roles: Roles, stop: Moment
) -> Assignment:
    """The assignment with pairs of numbers lowered by the same amount: 1000 and 999 as 501 and 500
    where they have to be more than 499, and one apart.
    """
    numbers = [
        name
        for name, value in best.items()
        if type(value) is int and value > MOST_LEAST and roles.plainer(name, best) is None
    ]
    for one, other in itertools.combinations(numbers[:MOST_LOWERED_IN_PAIRS], 2):
        mine = [term for term in conditions if not {one, other}.isdisjoint(names(term))]
        step = min(best[one], best[other])
        while step and not stop.has_come:
            tried = best | {one: best[one] - step, other: best[other] - step}
            if tried[one] >= 0 and tried[other] >= 0 and first_broken(mine, tried) is None:
                best = tried
            else:
                step //= 2
    return best


def _together(assignment: Assignment, roles: Roles, defaults: Assignment) -> Iterator[Assignment]:
    """Assignments with small numbers in place of all positive ones, in the same order: 699, 699, 1
    as 2, 2, 1. Replaced one by one they would break conditions such as `a == b`.
    """
    numbers = {
        name: value
        for name, value in assignment.items()
        if type(value) is int and value > 0 and roles.plainer(name, assignment) is None
        if not _is_kept(name, assignment, defaults)
    }
    order = sorted(set(numbers.values()))
    if len(numbers) < 2 or order[-1] <= len(order):
        return
    for least in range(1, MOST_LEAST + 1):
        yield assignment | {name: least + order.index(value) for name, value in numbers.items()}


def _plainer(name: str, assignment: Assignment, roles: Roles) -> Iterator[Any]:
    found = roles.plainer(name, assignment) if name in assignment else iter(())
    return plainer(assignment[name]) if found is None else found


def plainer(value: Any) -> Iterator[Any]:
    """Values a reader would rather see than this one, plainest first."""
    kind = type(value)
    if kind is bool:
        if value:
            yield False
    elif kind is int:
        yield from (each for each in PLAINEST if _rank(each) < _rank(value))
        yield from _round_numbers(value)
        yield from (
            1 << bits
            for bits in range(LEAST_POWER, min(value.bit_length(), MOST_POWER))
            if value > 0
        )
    elif kind is float:
        yield from (
            float(each) for each in PLAINEST if _float_rank(float(each)) < _float_rank(value)
        )
        if math.isfinite(value) and _float_rank(value) > (1, 0):
            whole = [float(each) for each in (math.floor(value), math.ceil(value))]
            yield from sorted((each for each in whole if each != value), key=abs)
            for digits in DIGITS_TRIED:
                if round(value, digits) != value:
                    yield round(value, digits)


def _rank(value: int) -> tuple[int, bool]:
    return abs(value), value < 0


def _float_rank(value: float) -> tuple[float, float]:
    if value != value:
        return 4, 0  # the last of all
    if math.isinf(value):
        return 3, 0  # after every number
    is_plain = value.is_integer() and abs(value) < LARGEST_PLAIN_FLOAT
    return (0 if is_plain else 2), abs(value) + 0.5 * (value < 0)  # negative ones after positive


def _round_numbers(value: int) -> Iterator[int]:
    """Round numbers, the smallest first; then towards zero by halves; then fewer digits: 47526 as
    40000, 47000, 47500, ...
    """
    sign, size = (-1, -value) if value < 0 else (1, value)
    if size <= SMALL_ENOUGH:
        return
    if value < 0:
        yield size
    yield from (sign * each for each in ROUND if each < size)
    half = size
    halves = []
    while half > SMALL_ENOUGH:
        half //= 2
        halves.append(half)
    for each in reversed(halves):
        yield sign * each
    power = 10 ** (len(str(size)) - 1) if size < LARGEST_WITH_DIGITS else 0
    while power > 1:
        if size // power * power != size:
            yield sign * (size // power * power)
            yield sign * (size // power * power + power)
        power //= 10  # a digit more
    for step in LAST_STEPS:
        yield sign * (size - step)
