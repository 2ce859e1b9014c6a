"""One run without a program: tracked inputs are made, used, and what they reported is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from symcrete.inputs.shapes.annotations import shape_of
from symcrete.program.source.sites import SiteTable
from symcrete.terms.evaluate import Assignment, all_hold, evaluate
from symcrete.values.build.variables import tracked_input
from symcrete.values.text.content.strings import content_of, is_tracked_text
from symcrete.values.tracking.numeric import term_of, untracked
from symcrete.values.tracking.recording import Recording, activate, held


@contextmanager
def run() -> Iterator[Recording]:
    """A recording that everything within the block reports to."""
    record = Recording(SiteTable())
    record.live = True
    before = activate(record)
    try:
        yield record
    finally:
        activate(before)


def tracked(kind: Any, value: Any, name: str = "x") -> tuple[Any, Assignment]:
    """A tracked input of a type, and the variables it is made of."""
    given: Assignment = {name: value}
    return tracked_input(shape_of(kind, name), name, given), given


def plainest(kind: Any, name: str = "x") -> Any:
    """The tracked input of a type whose variables nobody has given."""
    return tracked_input(shape_of(kind, name), name, {})


def agrees(operation: Callable[[Any], Any], kind: Any, value: Any, other: Any) -> bool:
    """Whether an input on the same path gives, by the terms, what CPython gives for it.

    True if the other input leaves the path, of which the terms say nothing.
    """
    with run() as record:
        result = operation(tracked(kind, value)[0])
    with run():
        _, given = tracked(kind, other)
    assert untracked(result) == operation(value)
    if not all_hold([held(event) for event in record.events], given):
        return True
    term = content_of(result).whole if is_tracked_text(result) else term_of(result)
    return bool(evaluate(term, given) == operation(other))
