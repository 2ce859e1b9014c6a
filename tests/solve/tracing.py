"""The smallest concolic tester: integers that record comparisons, and the paper's Algorithm 1.

For tests and benchmarks of solvers; the engine does not come into it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var

Path = list[Term]


class Traced:
    """An integer with its term; a comparison goes to the path when it is asked for its truth."""

    def __init__(self, term: Term, value: int, path: Path) -> None:
        self.term, self.value, self.path = term, value, path

    def _other(self, other: object) -> Traced:
        if isinstance(other, Traced):
            return other
        assert isinstance(other, int)
        return Traced(int_const(other), other, self.path)

    def __add__(self, other: object) -> Traced:
        other = self._other(other)
        return Traced(integers.add(self.term, other.term), self.value + other.value, self.path)

    def __sub__(self, other: object) -> Traced:
        other = self._other(other)
        return Traced(integers.sub(self.term, other.term), self.value - other.value, self.path)

    def __mul__(self, other: object) -> Traced:
        other = self._other(other)
        return Traced(integers.mul(self.term, other.term), self.value * other.value, self.path)

    def __rsub__(self, other: object) -> Traced:
        return self._other(other) - self

    def __mod__(self, other: int) -> Traced:
        return Traced(integers.mod(self.term, int_const(other)), self.value % other, self.path)

    def __floordiv__(self, other: int) -> Traced:
        return Traced(
            integers.floordiv(self.term, int_const(other)), self.value // other, self.path
        )

    def __and__(self, other: int) -> Traced:
        return Traced(integers.bitand(self.term, int_const(other)), self.value & other, self.path)

    __radd__, __rmul__ = __add__, __mul__

    def _branch(self, condition: Term, taken: bool) -> bool:
        if not condition.is_const:
            self.path.append(condition if taken else negate(condition))
        return taken

    def __lt__(self, other: object) -> bool:
        other = self._other(other)
        return self._branch(integers.lt(self.term, other.term), self.value < other.value)

    def __le__(self, other: object) -> bool:
        other = self._other(other)
        return self._branch(integers.le(self.term, other.term), self.value <= other.value)

    def __gt__(self, other: object) -> bool:
        return self._other(other) < self

    def __ge__(self, other: object) -> bool:
        return self._other(other) <= self

    def __eq__(self, other: object) -> bool:
        other = self._other(other)
        return self._branch(integers.eq(self.term, other.term), self.value == other.value)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Explored:
    inputs: list[Assignment] = field(default_factory=list)
    paths: set[tuple[Term, ...]] = field(default_factory=set)
    branches: int = 0  # executed
    flips: int = 0
    infeasible: int = 0
    unknown: int = 0

    def run(self, function: Callable[..., object], near: Assignment) -> Path:
        path = run(function, near)
        self.inputs.append(near)
        self.paths.add(tuple(path))
        self.branches += len(path)
        return path

    def flip(self, solver: Solver, path: Path, place: int, near: Assignment) -> Answer:
        constraint = PathConstraint(tuple(path[:place]), negate(path[place]))
        answer = solver.solve(constraint, near)
        self.flips += 1
        self.infeasible += isinstance(answer, Unsat)
        self.unknown += isinstance(answer, Unknown)
        return answer


def run(function: Callable[..., object], near: Assignment) -> Path:
    path: Path = []
    function(*[Traced(var(name, Sort.INT), value, path) for name, value in near.items()])
    return path


def explore(
    function: Callable[..., object],
    start: Assignment,
    solver: Solver,
    *,
    runs: int = 10**9,
    earliest: bool = False,
) -> Explored:
    """Algorithm 1: flip the last branch not flipped before; or CREST's order, the first one."""
    explored = Explored()
    path = explored.run(function, start)
    if earliest:
        _earliest(explored, function, solver, runs, start, path)
    else:
        _deepest(explored, function, solver, runs, start, path)
    return explored


def _deepest(
    explored: Explored,
    function: Callable[..., object],
    solver: Solver,
    runs: int,
    near: Assignment,
    path: Path,
) -> None:
    negated = [False] * len(path)
    place = len(path) - 1
    while place >= 0 and len(explored.inputs) < runs:
        if not negated[place]:
            negated[place] = True
            answer = explored.flip(solver, path, place, near)
            if isinstance(answer, Sat):
                near = answer.assignment
                path = explored.run(function, near)
                negated = negated[: place + 1] + [False] * (len(path) - place - 1)
                place = len(path)
        place -= 1


def _earliest(
    explored: Explored,
    function: Callable[..., object],
    solver: Solver,
    runs: int,
    near: Assignment,
    path: Path,
) -> None:
    stack = [(near, path, 0)]
    while stack and len(explored.inputs) < runs:
        near, path, place = stack.pop()
        if place == len(path):
            continue
        stack.append((near, path, place + 1))
        answer = explored.flip(solver, path, place, near)
        if isinstance(answer, Sat):
            stack.append((answer.assignment, explored.run(function, answer.assignment), place + 1))


def is_sorted(a: Traced, b: Traced, c: Traced) -> bool:
    """The unit of the paper's overview."""
    return a <= b and a <= c and b <= c


def gcd(a: Traced, b: Traced) -> Traced:
    if a < 1 or b < 1 or a > 500 or b > 500:
        return a
    while a != b:
        if a < b:
            b = b - a
        else:
            a = a - b
    return a


def bubble_sort(*values: Traced) -> list[Traced]:
    cells = list(values)
    for last in range(len(cells) - 1, 0, -1):
        for place in range(last):
            if cells[place] > cells[place + 1]:
                cells[place], cells[place + 1] = cells[place + 1], cells[place]
    return cells


def triangle(a: Traced, b: Traced, c: Traced) -> str:
    if a <= 0 or b <= 0 or c <= 0:
        return "none"
    if a + b <= c or a + c <= b or b + c <= a:
        return "none"
    if a == b and b == c:
        return "equilateral"
    if a == b or b == c or a == c:  # noqa: SIM109  (each comparison is a branch)
        return "isosceles"
    return "scalene"
