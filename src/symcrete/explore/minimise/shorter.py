"""The same input with some elements of a text or container, or some earlier calls, taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symcrete.inputs.shapes.containers import length_name
from symcrete.inputs.shapes.objects import calls_name
from symcrete.run.history import EARLIER, earlier_call
from symcrete.terms.evaluate import Assignment

_LENGTH = re.compile(r"len\((.+)\)")
_CALLS = calls_name("")  # how the name of the calls of an object's methods ends


def containers_in(assignment: Assignment) -> list[str]:
    """The names of texts and containers in an assignment, and of the calls that come before the
    run's own; the outermost and shortest first: a long one costs many runs.
    """
    found = [match[1] for name in assignment if (match := _LENGTH.fullmatch(name))]
    found += [name for name in assignment if name.endswith(_CALLS)]
    if count_of(assignment, EARLIER) and EARLIER not in found:
        found.append(EARLIER)
    return sorted(found, key=lambda name: (name.count("["), count_of(assignment, name)))


def count_name(container: str) -> str:
    """The variable that says how many elements, or calls, there are."""
    return container if container.endswith(_CALLS) else length_name(container)


def count_of(assignment: Assignment, container: str) -> int:
    """How many elements, or calls, there are."""
    count = assignment.get(count_name(container))
    if count is None and container == EARLIER:
        count = 0  # earlier calls are no variable: the first choice of none ends them
        while assignment.get(f"{earlier_call(count)}?", 0) > 0:
            count += 1
    return count or 0


def shorter(assignment: Assignment, container: str) -> Iterator[tuple[int, int]]:
    """Ranges of elements to take out, as (start, stop): all, halves, quarters, ..., single ones;
    the last first.
    """
    size = count = count_of(assignment, container)
    while size > 0:
        for start in range(count - size, -size, -size):
            yield max(start, 0), max(start, 0) + size
        size //= 2


def without(assignment: Assignment, container: str, start: int, stop: int) -> Assignment:
    """The assignment without these elements; those behind them move up."""
    count = count_of(assignment, container)
    stop = min(stop, count)
    owner = re.escape(container)
    # How the variables of its elements, keys and values are named.
    element = re.compile(rf"(?<![\w.])({owner}|list\({owner}(?:\.values\(\))?\))\[(\d+)\]")
    changed: Assignment = {}
    for name, value in assignment.items():
        match = element.search(name)
        index = int(match[2]) if match else -1
        if match is None or index < start:
            changed[name] = value
        elif stop <= index < count:
            moved = f"{match[1]}[{index - stop + start}]"
            changed[name[: match.start()] + moved + name[match.end() :]] = value
    if count_name(container) in assignment:
        changed[count_name(container)] = count - (stop - start)
    return changed
