"""`range` with a tracked bound: each step asks whether there is another number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import ConcolicInt, pinned, untracked
from symcrete.values.tracking.operators import OPERATORS, truth_of
from symcrete.values.tracking.truth import Truth


class ConcolicRange:
    """A stand-in for `range`, which cannot be subclassed. The step is a plain number."""

    def __init__(self, start: Any, stop: Any, step: int) -> None:
        self.start, self.stop, self.step = start, stop, step

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return range

    def plain(self) -> range:
        return range(untracked(self.start), untracked(self.stop), self.step)

    def steps(self, site: int) -> Iterator[Any]:
        """The numbers; whether there is a next one is an outcome of `site`."""
        record = recording.active()
        at = self.start
        while True:
            more = truth_of(at < self.stop if self.step > 0 else at > self.stop)
            if type(more) is Truth:
                more = record.passed(site, more.term, int.__bool__(more))
            if not more:
                return
            yield at
            at = at + self.step

    def __iter__(self) -> Iterator[Any]:
        return self.steps(recording.active().dynamic_site("for"))

    def __len__(self) -> Any:
        if self.step == 1:
            return max_zero(self.stop - self.start)
        return len(self._pinned())

    def __bool__(self) -> bool:
        return bool(self.start < self.stop if self.step > 0 else self.start > self.stop)

    def __contains__(self, value: Any) -> bool:
        return bool(range_contains(self, value))

    def __getitem__(self, index: Any) -> Any:
        return self._pinned()[pinned(index) if not isinstance(index, slice) else index]

    def __reversed__(self) -> Iterator[int]:
        return reversed(self._pinned())

    def __eq__(self, other: object) -> bool:
        theirs = other._pinned() if isinstance(other, ConcolicRange) else other
        return self._pinned() == theirs

    def __hash__(self) -> int:
        return hash(self._pinned())

    def __repr__(self) -> str:
        return repr(self._pinned())

    def index(self, value: Any) -> int:
        return self._pinned().index(value)

    def count(self, value: Any) -> int:
        return self._pinned().count(value)

    def _pinned(self) -> range:
        """The plain range; that the bounds are these is a branch of its own."""
        return range(pinned(self.start), pinned(self.stop), self.step)


def max_zero(value: Any) -> Any:
    """The number, or 0 if it is negative; that is a branch."""
    return value if value > 0 else 0


def range_contains(numbers: ConcolicRange, value: Any) -> Any:
    """`value in numbers` as a Truth or bool."""
    if numbers.step != 1 or type(value) not in (int, ConcolicInt):
        return value in numbers._pinned()
    compare, both = OPERATORS["le"], OPERATORS["and_"]
    return both(compare(numbers.start, value), compare(value + 1, numbers.stop))


def concolic_range(*args: Any) -> Any:
    """`range(...)`: a ConcolicRange where a bound is tracked, else a plain range."""
    for arg in args:
        if type(arg) is ConcolicInt or type(arg) is Truth:
            break
    else:
        return range(*args)
    step = pinned(+args[2] if type(args[2]) is Truth else args[2]) if len(args) == 3 else 1
    range(*[untracked(arg) for arg in args])  # raises what range raises
    start, stop = (0, args[0]) if len(args) == 1 else args[:2]
    return ConcolicRange(start, stop, step)
