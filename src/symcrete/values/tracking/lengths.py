"""Containers whose length is an input: the length is a term until something depends on the
structure.

An open container knows the elements its concrete length has and can make those further on, so that
`xs == [1, 2, 3]` is one condition whatever length `xs` has in this run. Anything that walks, cuts
or grows the structure fixes the length first: "is there a first element, a second, ..." are
branches, the same ones that a loop over the container reports, and search flips them like any
other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.term import Term, int_const
from symcrete.values.rows.tables import OPEN
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import concolic_int
from symcrete.values.tracking.truth import truth

LONGEST_INPUT = 1000  # elements of a container that is built for an input; chosen, not measured


class OpenLength:
    """A base for containers whose length may be open."""

    __slots__ = ()
    length: Term | None  # while it is open; `fixed` ends that


def count_of(container: Any) -> int:
    """The number of elements in this run."""
    return OPEN[type(container)](container)


def is_open(container: Any) -> bool:
    """Whether a value is a container whose length is still a term."""
    return type(container) in OPEN and container.length is not None


def length_of(container: Any) -> Any:
    """`len(container)` with its term; the container stays open."""
    count = count_of(container)
    return count if container.length is None else concolic_int(count, container.length)


def has(container: Any, index: int) -> tuple[Term, bool]:
    """The condition that there are more than `index` elements, and whether it holds in this run."""
    term: Term = container.length
    return integers.lt(int_const(index), term), index < count_of(container)


def nonempty(container: Any) -> Any:
    """`bool(container)` as a Truth or bool."""
    if container.length is None:
        return count_of(container) > 0
    term, holds = has(container, 0)
    return truth(holds, term)


def fixed(container: Any, site: int | None = None) -> Any:
    """The container itself; from here on its length is a plain number, which is reported as
    branches.

    Within `recording.silently` it stays open, as the branches would not be recorded: who asked for
    silence has fixed what matters before.
    """
    record = recording.active()
    if container.length is not None and not record.silent:
        if site is None:
            site = record.dynamic_site("length")
        count = count_of(container)
        for index in range(count + 1):
            term, holds = has(container, index)
            record.passed(site, term, holds)
        container.length = None
    return container


def fixed_kind(value: Any) -> Any:
    """The value itself; the length of an open container is fixed."""
    return fixed(value) if type(value) in OPEN else value


def stepped(container: Any, site: int, item: Callable[[Any, int], Any]) -> Any:
    """The elements in order; whether there is a next one is an outcome of `site`.

    The container may grow and shrink meanwhile, as Python allows for lists.
    """
    record = recording.active()
    index = 0
    while True:
        if container.length is not None:
            term, more = has(container, index)
            record.passed(site, term, more)
        else:
            more = index < count_of(container)
        if not more:
            return
        yield item(container, index)
        index += 1
