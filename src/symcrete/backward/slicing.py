"""Stretches of a function that a path may pass without a look inside.

A stretch between a dominator and a place below it, closed but for these two ends, that assigns
nothing and writes nothing that the path depends on: whichever way is taken through it, the
conditions below stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from symcrete.program.graph.dominators import UNREACHED, immediate_dominators
from symcrete.program.lowering.three_address import (
    FLOW_ENTRY,
    Assign,
    Call,
    Caught,
    Compute,
    Flow,
    Opaque,
    Return,
    Statement,
)

MOST_DOMINATORS = 40  # dominators looked at above a place; chosen, not measured


class Stretches:
    """The stretches of one flow."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._inside: dict[tuple[int, int], frozenset[int] | None] = {}

    @cached_property
    def dominators(self) -> list[int]:
        after = [[edge.target for edge in edges] for edges in self._flow.after]
        return immediate_dominators(after, FLOW_ENTRY)

    def skip(
        self, place: int, needed: dict[str, str], touches: Callable[[Statement], bool]
    ) -> int | None:
        """The farthest place above from which every way leads here and touches nothing that is
        needed; None if there is none.

        `touches` tells of a statement whether it may write what the path below looks at.
        """
        best: int | None = None
        above = self.dominators[place]
        here = place
        for _ in range(MOST_DOMINATORS):
            if above in (UNREACHED, here):
                break
            inside = self._between(above, place)
            statements = [self._flow.statements[n] for n in inside or ()]
            if any(writes(each, needed) or touches(each) for each in statements):
                break
            if inside and not self._enters_a_loop(above, place):
                best = above
            here, above = above, self.dominators[above]
        return best

    def _enters_a_loop(self, above: int, place: int) -> bool:
        """Whether the place above is in a loop and the one below behind it: where a loop is left,
        a path may also step over it as a whole.
        """
        return any(above in loop and place not in loop for loop in self._flow.loops)

    def _between(self, above: int, place: int) -> frozenset[int] | None:
        """The statements between the two; None where ways lead out of them, or around in a loop."""
        key = (above, place)
        if key not in self._inside:
            self._inside[key] = self._find(above, place)
        return self._inside[key]

    def _find(self, above: int, place: int) -> frozenset[int] | None:
        found: set[int] = set()
        todo = [edge.source for edge in self._flow.before[place]]
        while todo:
            number = todo.pop()
            if number == above or number in found:
                continue
            if number in (FLOW_ENTRY, place):
                return None
            found.add(number)
            todo += [edge.source for edge in self._flow.before[number]]
        for number in (*found, above):
            if isinstance(self._flow.statements[number], Return):
                return None
            for edge in self._flow.after[number]:
                explicit = edge.catches is None
                if explicit and edge.target not in found and edge.target != place:
                    return None
                if not explicit and (edge.target in found or edge.target == place):
                    return None
            if not self._flow.after[number]:
                return None
        return frozenset(found)


def writes(statement: Statement, names: dict[str, str]) -> bool:
    """Whether the statement assigns one of these names."""
    match statement:
        case Assign(target=target) | Compute(target=target) | Call(target=target):
            return target in names
        case Caught(target=str() as target):
            return target in names
        case Opaque(writes=written):
            return any(name in names for name in written)
        case _:
            return False
