"""Bounded solving: inputs of 8 bits, then 16, 32 and 64, until an answer is found.

Small widths first: they are fast and give small inputs. "Unsat" is a proof where the conditions
keep every integer input within the width; without integer inputs they do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.constraint.form import ranges
from symcrete.constraint.path import PathConstraint
from symcrete.solve.lowering.bits import BitLowering, Bits
from symcrete.solve.lowering.lowerer import CannotLower
from symcrete.solve.per_thread import shared
from symcrete.solve.solver import SAT, UNSAT, Answer, OutOfTime, Sat, Unknown, Unsat
from symcrete.terms.evaluate import Assignment, first_broken
from symcrete.terms.term import Term
from symcrete.terms.visit import names

WIDTHS = (8, 16, 32, 64)  # bits of an integer, tried one after the other: narrow ones are quick
# nodes kept in a backend's form, over all widths; beyond, all are forgotten; chosen, not measured
MOST_BOUNDED_NODES = 200_000


class LoweredWidths:
    """The expressions of one backend and what was lowered into them, shared by all its solvers in
    a thread.
    """

    def __init__(self, expressions: Callable[[], Bits]) -> None:
        self._expressions = expressions
        self._open()

    def _open(self) -> None:
        self.build = self._expressions()
        self.at = {width: BitLowering(self.build, width) for width in WIDTHS}

    def renew_if_full(self) -> None:
        """Forget all expressions if there are too many of them."""
        if sum(lowering.nodes for lowering in self.at.values()) > MOST_BOUNDED_NODES:
            self._open()


class Widths:
    """The part the bit-vector backends share; a subclass builds, checks and reads models."""

    def __init__(self, *, seconds: float, clock: Clock = wall) -> None:
        self.seconds = seconds
        self._clock = clock
        self.lowered: LoweredWidths | None = None

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        if self.lowered is None:
            self.lowered = shared(
                f"bits of {type(self).__module__}", lambda: LoweredWidths(self.expressions)
            )
        self.lowered.renew_if_full()
        conditions = constraint.conditions
        deadline = self._clock() + self.seconds
        undecided: Unknown | None = None
        for place, width in enumerate(WIDTHS):
            # The later widths take what the earlier ones left.
            left = deadline - self._clock()
            if left <= 0:
                break
            share = left / (len(WIDTHS) - place)
            try:
                answer = self._at(width, conditions, near, share, left)
            except CannotLower as refusal:
                return Unknown(str(refusal))
            if not isinstance(answer, Unknown):
                return answer
            undecided = answer
        return undecided or OutOfTime.after(self.seconds)

    def _at(
        self,
        width: int,
        conditions: tuple[Term, ...],
        near: Assignment,
        share: float,
        left: float,
    ) -> Answer:
        """The answer among integers of this width, in this share of the seconds that are left."""
        assert self.lowered is not None
        lowering = self.lowered.at[width]
        lowered = [lowering.condition(condition) for condition in conditions]
        narrowed = any(each for _, each in lowered) or not _bounded(conditions, near, width)
        # Any verdict on what is not narrowed is final, so that wider numbers need no time.
        seconds = share if narrowed else left
        verdict = self.check([expression for expression, _ in lowered], seconds)
        if verdict == SAT:
            asked = sorted(set().union(*[names(condition) for condition in conditions]))
            assignment = dict(near)
            self.read(asked, assignment, width)
            if first_broken(conditions, assignment) is None:
                return Sat(assignment)
            return Unknown("an answer that evaluation refutes")
        if verdict == UNSAT:
            if narrowed:
                return Unknown(f"nothing among integers of {width} bits, which is no proof")
            return Unsat(conditions)
        return OutOfTime.after(self.seconds)

    @property
    def build(self) -> Any:
        """What builds the backend's expressions at present."""
        assert self.lowered is not None
        return self.lowered.build

    def expressions(self) -> Bits:
        """What builds the backend's expressions, without any so far."""
        raise NotImplementedError  # abstract: each subclass has its own

    def check(self, expressions: list[Any], seconds: float) -> int:
        """Whether the conditions can hold together: SAT, UNSAT or UNDECIDED."""
        raise NotImplementedError  # abstract: each subclass has its own

    def read(self, names: list[str], assignment: Assignment, width: int) -> None:
        """Put the last model's values of these variables into the assignment."""
        raise NotImplementedError  # abstract: each subclass has its own


def _bounded(conditions: tuple[Term, ...], near: Assignment, width: int) -> bool:
    """Whether the conditions themselves keep every integer input within the width."""
    known = ranges(conditions)
    half = 1 << (width - 1)
    for name in set().union(*[names(condition) for condition in conditions]):
        if near.get(name).__class__ in (bool, float):
            continue
        low, high = known.get(name, (None, None))
        if low is None or high is None or low < -half or high >= half:
            return False
    return True
