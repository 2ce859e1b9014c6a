"""What somebody else would write to extend the tool, one of each: see CONTRIBUTING.md."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, TextIO

from symcrete.constraint.path import PathConstraint
from symcrete.explore.findings import Report
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes.shape import Written
from symcrete.search.strategy import Feedback, Flip, Guide, Sample, untried
from symcrete.solve.solver import Answer, Sat, Unknown
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.term import Sort, int_const, var
from symcrete.terms.visit import names
from symcrete.tree.tree import ExecutionTree, Node
from symcrete.values.rows.kind_rows import Kind
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import concolic_int, untracked
from symcrete.values.tracking.operators import OPERATORS

# -- a backend: small integers, one after the other

asked: list[PathConstraint] = []


class Counting:
    """Tries 0, 1, 2, ... for one integer of the goal after the other."""

    def __init__(self, *, seconds: float, seed: int) -> None:
        self.seconds, self.seed = seconds, seed

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        asked.append(constraint)
        for name in sorted(names(constraint.goal)):
            for value in range(1000):
                candidate = {**near, name: value}
                if all_hold(constraint.conditions, candidate):
                    return Sat(candidate)
        return Unknown("no number below a thousand")


# -- a strategy: the newest branch that is still open


class Newest:
    """Flips the branch that was met last of all."""

    def __init__(self, guide: Guide) -> None:
        self._nodes: list[Node] = []
        self._has_drawn = False

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._nodes:
            flip = untried(self._nodes.pop())
            if flip is not None:
                return flip
        drawn, self._has_drawn = self._has_drawn, True
        return None if drawn else Sample()

    def learn(self, feedback: Feedback) -> None:
        if feedback.grown is not None:
            self._nodes += feedback.grown.nodes


# -- an output format: one line for each target


class Lines:
    """The target and its status."""

    def emit(self, report: Report, out: TextIO) -> None:
        for target in report.targets:
            out.write(f"{target.target}: {target.status}\n")


# -- a kind of value: an angle, which is a number of degrees


class Angle:
    """A direction; north, which is 0, counts as none."""

    def __init__(self, degrees: int) -> None:
        self.degrees = degrees

    def __bool__(self) -> bool:
        return self.degrees != 0

    def __int__(self) -> int:
        return self.degrees


class TrackedAngle(Angle):
    """An angle whose degrees carry a term."""

    degrees: Any


@dataclass(frozen=True, slots=True)
class AngleShape:
    """From 0 to 359 degrees."""

    def plain(self, name: str, given: Assignment) -> Angle:
        return Angle(given.get(f"{name}.degrees", 0))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[f"{name}.degrees"] = random.randrange(360)

    def write(self, name: str, given: Assignment) -> Written:
        text = f"Angle({self.plain(name, given).degrees})"
        return Written(text, frozenset({(__name__, "Angle")}))


def build_angle(shape: AngleShape, name: str, given: Assignment) -> TrackedAngle:
    """An input: the degrees are a variable between two bounds."""
    variable = f"{name}.degrees"
    value, term = given.setdefault(variable, 0), var(variable, Sort.INT)
    record = recording.active()
    record.assume(integers.le(int_const(0), term))
    record.assume(integers.lt(term, int_const(360)))
    return TrackedAngle(concolic_int(value, term))


def _plain(value: TrackedAngle) -> Angle:
    return Angle(untracked(value.degrees))


ANGLE = Kind(
    TrackedAngle,
    stands_for=Angle,
    plain=_plain,
    truth=lambda value: OPERATORS["ne"](value.degrees, 0),
    to_int=lambda value: value.degrees,
)
