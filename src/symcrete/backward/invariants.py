"""What a local always is, however often its loop turns: an interval and a rest.

Every number that a local of a function ever holds was put there by one of the statements that
assign it, or handed in. So the least set that is closed under all these statements, whatever their
order, contains it: `i = 0` and `i += 2` give the even numbers from 0 on. Sets are intervals (a
counter that only grows stays above its first value) together with rests (`x % 6 == 3`).
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Callable, Iterator

from symcrete.backward.sorts import Sorts
from symcrete.backward.view.program_view import Program
from symcrete.program.lowering.three_address import (
    Assign,
    Call,
    Caught,
    Compute,
    Constant,
    Flow,
    Opaque,
    Operand,
    Statement,
)
from symcrete.slotted import dataclass
from symcrete.terms.term import Sort

ROUNDS_BEFORE_WIDENING = 3  # rounds in which intervals grow step by step; chosen, not measured
# rounds after which nothing is taken for known; once bounds are widened, each round can only divide
# a modulus, which soon comes to 1
MOST_ASSIGNED_ROUNDS = 40


@dataclass(frozen=True, slots=True)
class Numbers:
    """The integers from `low` to `high` that leave `rest` when divided by `modulus`.

    With a modulus of 0 it is the one number `rest`.
    """

    low: int | None = None  # None: there is no least
    high: int | None = None
    modulus: int = 1
    rest: int = 0

    def __contains__(self, value: int) -> bool:
        above = self.low is None or self.low <= value
        below = self.high is None or value <= self.high
        fits = value == self.rest if self.modulus == 0 else value % self.modulus == self.rest
        return above and below and fits

    def joined(self, other: Numbers) -> Numbers:
        """The least such set that holds both."""
        modulus = math.gcd(self.modulus, other.modulus, self.rest - other.rest)
        return _numbers(
            None if self.low is None or other.low is None else min(self.low, other.low),
            None if self.high is None or other.high is None else max(self.high, other.high),
            modulus,
            self.rest,
        )

    def widened(self, larger: Numbers) -> Numbers:
        """A larger set without the bounds that moved."""
        low = self.low if larger.low == self.low else None
        high = self.high if larger.high == self.high else None
        return _numbers(low, high, larger.modulus, larger.rest)


ANY = Numbers()


def _numbers(low: int | None, high: int | None, modulus: int, rest: int) -> Numbers:
    if modulus == 0:
        return Numbers(rest, rest, 0, rest)
    return Numbers(low, high, modulus, rest % modulus)


def _one(value: int) -> Numbers:
    return Numbers(value, value, 0, value)


def _add(a: Numbers, b: Numbers) -> Numbers:
    return _numbers(
        None if a.low is None or b.low is None else a.low + b.low,
        None if a.high is None or b.high is None else a.high + b.high,
        math.gcd(a.modulus, b.modulus),
        a.rest + b.rest,
    )


def _negated(a: Numbers) -> Numbers:
    low = None if a.high is None else -a.high
    high = None if a.low is None else -a.low
    return _numbers(low, high, a.modulus, -a.rest)


def _subtract(a: Numbers, b: Numbers) -> Numbers:
    return _add(a, _negated(b))


def _multiply(a: Numbers, b: Numbers) -> Numbers:
    modulus = math.gcd(a.modulus * b.modulus, a.modulus * b.rest, b.modulus * a.rest)
    low = high = None
    bounds = (a.low, a.high, b.low, b.high)
    if None not in bounds:
        corners = [
            x * y
            for x in (a.low, a.high)
            for y in (b.low, b.high)
            if x is not None and y is not None
        ]
        low, high = min(corners), max(corners)
    elif _is_natural(a) and _is_natural(b):
        assert a.low is not None
        assert b.low is not None
        low = a.low * b.low
    return _numbers(low, high, modulus, a.rest * b.rest)


def _is_natural(a: Numbers) -> bool:
    return a.low is not None and a.low >= 0


def _rest(a: Numbers, b: Numbers) -> Numbers:
    """`a % b`; it raises where b is 0."""
    if b.modulus != 0 or b.rest == 0:
        return ANY
    by = b.rest
    low, high = (0, by - 1) if by > 0 else (by + 1, 0)
    modulus = math.gcd(a.modulus, by)
    if a.modulus == 0:
        return _one(a.rest % by)
    return _numbers(low, high, modulus, a.rest)


Meaning = Callable[[Numbers, Numbers], Numbers]
_OF_TWO: dict[str, Meaning] = {
    "add": _add,
    "iadd": _add,
    "sub": _subtract,
    "isub": _subtract,
    "mul": _multiply,
    "imul": _multiply,
    "mod": _rest,
    "imod": _rest,
}
_SAME = frozenset({"copy", "hint", "index", "pos"})


class Invariants:
    """The numbers that the locals of functions always are."""

    def __init__(self, program: Program, sorts: Sorts) -> None:
        self._program = program
        self._sorts = sorts
        self._known: dict[Flow, dict[str, Numbers]] = {}

    def of(self, flow: Flow, name: str) -> Numbers:
        """The numbers that a local can hold; all of them where it may hold anything else."""
        if self._sorts.of(flow, name) is not Sort.INT:
            return ANY
        if flow not in self._known:
            self._known[flow] = self._found(flow)
        return self._known[flow].get(name, ANY)

    def _found(self, flow: Flow) -> dict[str, Numbers]:
        """By local, a set that holds every number that a statement of the function can put into it;
        empty if no such sets are found within MOST_ASSIGNED_ROUNDS.
        """
        known = dict.fromkeys([*flow.parameters, *flow.shared, *_bound_inside(flow)], ANY)
        for round_ in range(MOST_ASSIGNED_ROUNDS):
            changed = False
            for statement in flow.statements:
                for name, numbers in self._assigned(flow, statement, known):
                    former = known.get(name)
                    new = numbers if former is None else former.joined(numbers)
                    if new == former:
                        continue
                    if former is not None and round_ >= ROUNDS_BEFORE_WIDENING:
                        new = former.widened(new)
                    known[name] = new
                    changed = True
            if not changed:
                return known
        return {}

    def _assigned(
        self, flow: Flow, statement: Statement, known: dict[str, Numbers]
    ) -> Iterator[tuple[str, Numbers]]:
        """What a statement may put into locals, as far as its operands are known to hold
        anything.
        """
        match statement:
            case Assign(target=target, operation=operation, args=args):
                given = [self._operand(flow, each, known) for each in args]
                if operation == "global" or (operation not in _OF_TWO and operation not in _SAME):
                    yield target, ANY
                elif None not in given:
                    numbers = [each for each in given if each is not None]
                    only = operation in _SAME and len(numbers) == 1
                    yield target, numbers[0] if only else _computed(operation, numbers)
            case Call(target=target, callee="len"):
                found, value = self._program.resolve(flow, "len")
                yield target, Numbers(low=0) if found and value is builtins.len else ANY
            case Call(target=target) | Compute(target=target):
                yield target, ANY
            case Caught(target=str() as target):
                yield target, ANY
            case Opaque(writes=writes):
                for name in writes:
                    yield name, ANY

    def _operand(self, flow: Flow, operand: Operand, known: dict[str, Numbers]) -> Numbers | None:
        """The numbers of an operand; None as long as nothing was found that it can hold."""
        if isinstance(operand, Constant):
            return _one(operand.value) if type(operand.value) is int else ANY
        if self._sorts.of(flow, operand) is not Sort.INT:
            return ANY
        return known.get(operand)


def _computed(operation: str, numbers: list[Numbers]) -> Numbers:
    meaning = _OF_TWO.get(operation)
    return ANY if meaning is None or len(numbers) != 2 else meaning(*numbers)


def _bound_inside(flow: Flow) -> set[str]:
    """Locals that `:=` binds inside an expression, such as a comprehension."""
    return {
        each.target.id
        for statement in flow.statements
        if isinstance(statement, Compute)
        for each in ast.walk(statement.node)
        if isinstance(each, ast.NamedExpr)
    }
