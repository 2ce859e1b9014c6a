"""The same input with some elements of a text or container taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symcrete.inputs.shapes.containers import length_name
from symcrete.terms.evaluate import Assignment

_LENGTH = re.compile(r"len\((.+)\)")


def containers_in(assignment: Assignment) -> list[str]:
    """The names of texts and containers in an assignment, the outermost and shortest first: a long
    one costs many runs.
    """
    found = [match[1] for name in assignment if (match := _LENGTH.fullmatch(name))]
    return sorted(found, key=lambda name: (name.count("["), assignment[length_name(name)]))


def shorter(assignment: Assignment, container: str) -> Iterator[tuple[int, int]]:
    """Ranges of elements to take out, as (start, stop): all, halves, quarters, ..., single ones;
    the last first.
    """
    size = count = assignment.get(length_name(container), 0)
    while size > 0:
        for start in range(count - size, -size, -size):
            yield max(start, 0), max(start, 0) + size
        size //= 2


def without(assignment: Assignment, container: str, start: int, stop: int) -> Assignment:
    """The assignment without these elements; those behind them move up."""
    count = assignment[length_name(container)]
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
    changed[length_name(container)] = count - (stop - start)
    return changed
