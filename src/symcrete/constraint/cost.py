"""What solving a constraint will cost, in seconds: a weighted count of its operations.

The weights are fitted from a query log (`benchmarks/solvers.py --fit`) and frozen, so that the same
constraint has the same price on every machine and in every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symcrete.constraint.path import PathConstraint
from symcrete.slotted import dataclass
from symcrete.terms import operations as ops
from symcrete.terms.term import CONST, VAR, Operation, Term
from symcrete.terms.visit import postorder

# The kinds of operations that have a price; `call` is paid once for a constraint.
KINDS = (
    "call",
    "linear",
    "remainder",
    "product",
    "bits",
    "choice",
    "sum of doubles",
    "product of doubles",
    "comparison of doubles",
    "rounding",
    "opaque",
)
_KIND_OF: dict[Operation, str] = {
    ops.LE0: "linear",
    ops.EQ0: "linear",
    ops.MUL: "product",
    ops.POW: "product",
    ops.ABS: "choice",
    ops.ITE: "choice",
    ops.AND: "choice",
    ops.OR: "choice",
    ops.IFF: "choice",
    ops.BITAND: "bits",
    ops.BITOR: "bits",
    ops.BITXOR: "bits",
    ops.LSHIFT: "bits",
    ops.RSHIFT: "bits",
    ops.BIT_LENGTH: "bits",
    ops.FADD: "sum of doubles",
    ops.FSUB: "sum of doubles",
    ops.FMUL: "product of doubles",
    ops.FDIV: "product of doubles",
    ops.FSQRT: "product of doubles",
    ops.FPOW: "product of doubles",
    ops.FMOD: "product of doubles",
    ops.FFLOORDIV: "product of doubles",
    ops.TRUEDIV: "product of doubles",
    ops.FLT: "comparison of doubles",
    ops.FLE: "comparison of doubles",
    ops.FEQ: "comparison of doubles",
    ops.ISNAN: "comparison of doubles",
    ops.ISINF: "comparison of doubles",
    ops.TO_FLOAT: "rounding",
    ops.TRUNC: "rounding",
    ops.FLOOR: "rounding",
    ops.CEIL: "rounding",
    ops.ROUND: "rounding",
}
MOST_DESCENT_ROUNDS = 200  # rounds of coordinate descent; chosen, not measured
_KEY = "counts"
_PLACE = {kind: place for place, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class Weights:
    """Seconds for one of each of `KINDS`."""

    seconds: tuple[float, ...]

    def cost(self, constraint: PathConstraint) -> float:
        """The seconds that solving the constraint should take, by these weights."""
        total = [0] * len(KINDS)
        total[0] = 1
        for condition in constraint.conditions:
            for place, count in _counts(condition):
                total[place] += count
        return sum(weight * count for weight, count in zip(self.seconds, total, strict=True))


@dataclass(frozen=True, slots=True)
class Observation:
    """One query of a log, and the seconds it took."""

    constraint: PathConstraint
    seconds: float


def cost(constraint: PathConstraint) -> float:
    """The seconds that solving the constraint should take, by the frozen weights."""
    return DEFAULT.cost(constraint)


def _counts(condition: Term) -> tuple[tuple[int, int], ...]:
    """The pairs (place in KINDS, how many) of a condition, each shared node counted once."""
    notes = condition.notes
    if notes is None:
        notes = condition.begin_notes()
    found: tuple[tuple[int, int], ...] | None = notes.get(_KEY)
    if found is None:
        counted: dict[int, int] = {}
        for node in postorder([condition]):
            kind = _kind(node)
            if kind is not None:
                counted[_PLACE[kind]] = counted.get(_PLACE[kind], 0) + 1
        found = notes[_KEY] = tuple(sorted(counted.items()))
    return found


def _kind(node: Term) -> str | None:
    if node.op.opaque:
        return "opaque"
    if node.op is ops.FLOORDIV or node.op is ops.MOD:
        return "remainder" if node.args[1].op is CONST else "product"
    if node.op is VAR or node.op is CONST:
        return None
    return _KIND_OF.get(node.op)


FITTING_ROUNDS = 12  # after which the weights hardly change; chosen, not measured
LEAST_COST = 1e-5  # seconds, added to a prediction, which may be 0; chosen, not measured


def fit(observations: Iterable[Observation], *, rounds: int = FITTING_ROUNDS) -> Weights:
    """The weights, none negative, that predict the mean cost of constraints like the observed.

    Costs scatter in proportion to their size, so errors are weighed by what is predicted; weighing
    them by what was measured would leave out the slow queries that make the mean.
    """
    rows: list[list[float]] = []
    aims: list[float] = []
    for each in observations:
        row = [0.0] * len(KINDS)
        row[0] = 1.0
        for condition in each.constraint.conditions:
            for place, count in _counts(condition):
                row[place] += count
        rows.append(row)
        aims.append(each.seconds)
    weights = [0.0] * len(KINDS)
    weights[0] = sum(aims) / max(1, len(aims))
    for _ in range(rounds):
        scales = []
        for row in rows:
            predicted = sum(weight * count for weight, count in zip(weights, row, strict=True))
            scales.append(1.0 / (predicted + LEAST_COST))
        scaled = [[count * scale for count in row] for row, scale in zip(rows, scales, strict=True)]
        weights = _least_squares(
            scaled, [aim * scale for aim, scale in zip(aims, scales, strict=True)], weights
        )
    return Weights(tuple(weights))


def _least_squares(
    rows: Sequence[Sequence[float]], aims: list[float], start: list[float]
) -> list[float]:
    """The weights with the least squared error, by coordinate descent: each in turn is moved to
    its best value that is not negative.
    """
    weights = list(start)
    columns = [list(column) for column in zip(*rows, strict=True)]
    sizes = [sum(value * value for value in column) for column in columns]
    left = [
        aim - sum(weight * value for weight, value in zip(weights, row, strict=True))
        for aim, row in zip(aims, rows, strict=True)
    ]
    for _ in range(MOST_DESCENT_ROUNDS):
        for place, column in enumerate(columns):
            if not sizes[place]:
                continue
            slope = sum(value * rest for value, rest in zip(column, left, strict=True))
            moved = max(0.0, weights[place] + slope / sizes[place])
            change = moved - weights[place]
            if change:
                weights[place] = moved
                left = [rest - change * value for value, rest in zip(column, left, strict=True)]
    return weights


# Fitted on the corpus of the contract test and four explorations, 150 queries of each stream.
DEFAULT = Weights(
    (
        0.000027,  # call
        0.000006,  # linear
        0.000142,  # remainder
        0.002822,  # product
        0.000514,  # bits
        0.000048,  # choice
        0.001610,  # sum of doubles
        0.001930,  # product of doubles
        0.000501,  # comparison of doubles
        0.000925,  # rounding
        0.000322,  # opaque
    )
)
