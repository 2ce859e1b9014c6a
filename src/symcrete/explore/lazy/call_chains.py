"""Calls that take what other calls return, and whether to abstract them pays.

What such a call is given is known only when the calls before it are followed, so that little of
what was learned of one serves the next. Calls inside it are worst: they have to be searched for
each place that the call around them may be given.
"""

from __future__ import annotations

from typing import Any

from symcrete.explore.lazy.callee_path import is_inside
from symcrete.explore.lazy.imitate import hangs_on_results
from symcrete.run.trace import Called

# abstract paths given up in a row after searching such calls; then their callees are followed;
# chosen, not measured
MOST_PATHS_GIVEN_UP = 3
# times that calls inside such calls come up; then their callees are followed; chosen, not measured
MOST_NESTED_CALLS = 10


class Chains:
    """Keeps account of calls that take what other calls return, and whether abstracting them
    pays.
    """

    def __init__(self) -> None:
        self._calls: dict[str, Any] = {}  # by name, the arguments of the calls on the abstract path
        # by name, whether a call takes such results, as far as was asked
        self._hanging: dict[str, bool] = {}
        self._searched: set[str] = set()  # callees that were searched for this path
        self._given_up: dict[str, int] = {}  # by callee, paths given up in a row
        self._nested: dict[str, int] = {}  # by callee, how often a nested call of it came up
        self._outermost: set[str] = set()  # callees that the function under test calls itself

    def begin(self, calls: tuple[Called, ...]) -> None:
        """Begin with another abstract path, which has these calls."""
        self._calls = {call.name: call.key for call in calls}
        self._hanging = {}
        self._searched = set()
        self._outermost.update([call.callee.label for call in calls])

    def end(self, *, given_up: bool) -> None:
        """Say how the search for the path ended."""
        for label in self._searched:
            self._given_up[label] = self._given_up.get(label, 0) + 1 if given_up else 0

    def is_outermost(self, call: Called) -> bool:
        """Whether the function under test makes this call, not another callee."""
        return call.name in self._calls

    def comes_up(self, call: Called) -> None:
        """Count this call if it is made inside another one that takes what other calls return."""
        if not self.is_outermost(call) and self._hangs(call):
            self._nested[call.callee.label] = self._nested.get(call.callee.label, 0) + 1

    def met(self, inside: tuple[Called, ...]) -> None:
        """Take note of calls inside another one that takes what other calls return; they are not
        counted, since the way they are on may never be taken.
        """
        for call in inside:
            if call.callee.label not in self._nested and self._hangs(call):
                self._nested[call.callee.label] = 0

    def is_searched(self, call: Called) -> None:
        """Note that the callee of this call is searched for this path."""
        if self.is_outermost(call) and self._hangs(call):
            self._searched.add(call.callee.label)

    def unpaying_inside(self) -> list[str]:
        """Callees to follow from now on that only other callees call."""
        # They are followed before others: that may be all that the calls around them need.
        if sum(self._nested.values()) < MOST_NESTED_CALLS or self._outermost & self._nested.keys():
            return []
        return list(self._nested)

    def unpaying(self) -> list[str]:
        """Callees to follow from now on, for which abstract paths have to be searched again."""
        if sum(self._nested.values()) >= MOST_NESTED_CALLS:
            return list(self._nested)
        return [label for label, count in self._given_up.items() if count >= MOST_PATHS_GIVEN_UP]

    def _hangs(self, call: Called) -> bool:
        """Whether this call, or the outermost one it is made in, was given results of abstract
        calls.
        """
        outer = next((name for name in self._calls if is_inside(call.name, name)), None)
        if outer is None:
            return False
        if outer not in self._hanging:
            self._hanging[outer] = hangs_on_results(self._calls[outer])
        return self._hanging[outer]
