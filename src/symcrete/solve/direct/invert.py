"""A condition computed backwards: which values of one input could make it true.

The other inputs keep their values, so the way from the condition down to the input is a chain of
operations with one unknown operand each, and each can be undone: a sum by a difference, a remainder
by the next number with that remainder. What comes out is a guess for evaluation to judge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from symcrete.terms import operations as ops
from symcrete.terms.evaluate import NOT_COMPUTABLE, Assignment, evaluator
from symcrete.terms.term import CONST, VAR, Sort, Term
from symcrete.terms.visit import names

EQ, LE, GE = "==", "<=", ">="
_FLIPPED = {EQ: EQ, LE: GE, GE: LE}
# levels of a term that are computed backwards, by recursion; chosen, not measured
DEEPEST_INVERTED = 40
# nodes of a text's model computed backwards; beyond, solvers are faster; chosen, not measured
LARGEST_MODEL = 400
# levels at which more than one value is tried: a loop with `n //= 2` doubled them with each of its
# turns, and no budget ended that; chosen, not measured
LEVELS_THAT_BRANCH = 8
# terms looked at for one condition: with `n += n // 2` in a loop, each turn has twice as many ways
# down as the last; chosen, not measured
MOST_WAYS_DOWN = 2_000
WIDEST_INVERTED = 4096  # bits: shifts by more are not inverted; chosen, not measured
LARGEST_ROOT = 64  # of powers with this exponent or more no root is taken; chosen, not measured
LARGEST_ROOTED = 2**900  # numbers whose root is taken as a double, which ends at 2**1024; chosen
# What is added to a whole number to find doubles that are rounded to it; chosen, not measured.
WITHIN_ROUNDING = (0.0, 0.25, -0.25)
MOST_MULTIPLES = 8  # multiples of a modulus tried on either side; chosen, not measured


def candidates(condition: Term, name: str, near: Assignment) -> Iterator[Any]:
    """Values of the variable that may make the condition true, the most promising first."""
    tried: set[Any] = set()
    try:
        for value in _condition(condition, True, name, _Values(near), 0):
            key = value.hex() if value.__class__ is float else value
            if key not in tried:
                tried.add(key)
                yield value
    except (*NOT_COMPUTABLE, _TooMany):
        return


class _TooMany(Exception):
    """All the terms were looked at that may be for one condition."""


class _Values:
    """What terms are for an assignment, each computed once: the ways down a condition, of which
    there are hundreds where a loop divides, ask for the same parts again and again.
    """

    __slots__ = ("_given", "_known", "left")

    def __init__(self, given: Assignment) -> None:
        self._given = given
        self._known: dict[Term, Any] = {}
        self.left = MOST_WAYS_DOWN  # terms that may still be looked at

    def go_down(self) -> None:
        """Count a term that is looked at; raises _TooMany once there are no more to be had."""
        self.left -= 1
        if self.left < 0:
            raise _TooMany

    def of(self, term: Term) -> Any:
        """The value of a term; raises what computing it raises."""
        try:
            return self._known[term]
        except KeyError:
            found = self._known[term] = (term.evaluator or evaluator(term))(self._given)
            return found


def _condition(term: Term, wanted: bool, name: str, near: _Values, depth: int) -> Iterator[Any]:
    """Values of the variable that may give the condition the wanted truth value."""
    near.go_down()
    op, args = term.op, term.args
    if depth > DEEPEST_INVERTED or name not in (term.names or names(term)):
        return
    if op is ops.NOT:
        yield from _condition(args[0], not wanted, name, near, depth + 1)
    elif op is VAR:
        yield wanted
    elif op is ops.LE0:
        yield from _integer(args[0], LE if wanted else GE, 0 if wanted else 1, name, near, depth)
    elif op is ops.EQ0:
        if wanted:
            yield from _integer(args[0], EQ, 0, name, near, depth)
        else:
            yield from _integer(args[0], GE, 1, name, near, depth)
            yield from _integer(args[0], LE, -1, name, near, depth)
    elif op is ops.AND or op is ops.OR:
        for part in args:
            if bool(near.of(part)) != wanted:
                yield from _condition(part, wanted, name, near, depth + 1)
    elif op is ops.IFF:
        for part in args:
            yield from _condition(part, not near.of(part), name, near, depth + 1)
    elif op is ops.ITE:
        chosen = args[1] if near.of(args[0]) else args[2]
        yield from _condition(chosen, wanted, name, near, depth + 1)
        yield from _condition(args[0], not near.of(args[0]), name, near, depth + 1)
    elif op is ops.MODELLED:
        if args[1].size <= LARGEST_MODEL:
            yield from _condition(args[1], wanted, name, near, depth + 1)
    elif op in (ops.FLT, ops.FLE, ops.FEQ):
        yield from _comparison(term, wanted, name, near, depth)
    elif op is ops.ISNAN or op is ops.ISINF:
        special = math.nan if op is ops.ISNAN else math.inf
        target = special if wanted else 0.0
        yield from _double(args[0], EQ, target, name, near, depth)


def _comparison(term: Term, wanted: bool, name: str, near: _Values, depth: int) -> Iterator[Any]:
    """Values of the variable that bring one side of a comparison of doubles to the other side's
    value.
    """
    left, right = term.args
    equal = term.op is ops.FEQ
    for side, other, sign in ((left, right, LE), (right, left, GE)):
        if name not in (side.names or names(side)) or name in (other.names or names(other)):
            continue
        aim = near.of(other)
        if equal:
            relations = [EQ] if wanted else [GE, LE]
        else:
            relations = [sign if wanted else _FLIPPED[sign]]
        strict = (term.op is ops.FLT) == wanted
        for relation in relations:
            yield from _towards(side, relation, aim, strict, name, near, depth)


def _towards(
    side: Term, relation: str, aim: Any, strict: bool, name: str, near: _Values, depth: int
) -> Iterator[Any]:
    """Values of the variable that may bring one side of a comparison to the aim or, if `strict`,
    beyond it, in the direction of the relation.
    """
    up = relation == GE
    if side.sort is Sort.INT:
        if math.isinf(aim) or math.isnan(aim):
            return
        whole = math.ceil(aim) if up else math.floor(aim)
        if strict and whole == aim and relation != EQ:
            whole += 1 if up else -1
        yield from _integer(side, relation, whole, name, near, depth)
        return
    aim = float(aim)
    if not strict or relation == EQ:
        yield from _double(side, relation, aim, name, near, depth)
    if relation != EQ:
        step = 1.0 if up else -1.0
        # A plain number first, then the very next double.
        plain = math.floor(aim) + 1.0 if up else math.ceil(aim) - 1.0
        yield from _double(side, relation, plain, name, near, depth)
        yield from _double(side, relation, math.nextafter(aim, step * math.inf), name, near, depth)
        yield from _double(side, relation, aim + step * max(1.0, abs(aim)), name, near, depth)


def _integer(
    term: Term, relation: str, target: int, name: str, near: _Values, depth: int
) -> Iterator[Any]:
    """Values for which the integer term is related to the target."""
    near.left -= 1  # as `go_down`, without a call: this is nearly all that looking back takes
    if near.left < 0:
        raise _TooMany
    op, args = term.op, term.args
    depth += 1
    if op is VAR:
        yield target
        return
    if depth > DEEPEST_INVERTED:
        return
    if op is ops.LINEAR:
        for place in range(1, len(args), 2):
            if name in (args[place].names or names(args[place])):
                rest = near.of(term) - args[place + 1] * near.of(args[place])
                yield from _scaled(
                    args[place], args[place + 1], relation, target - rest, name, near, depth
                )
        return
    if op is ops.ITE:
        test = near.of(args[0])
        yield from _integer(args[1] if test else args[2], relation, target, name, near, depth)
        yield from _condition(args[0], not test, name, near, depth)
        return
    if op is ops.MODELLED:
        if args[1].size <= LARGEST_MODEL:
            yield from _integer(args[1], relation, target, name, near, depth)
        return
    if op is CONST:
        return
    if len(args) == 1 and name in (args[0].names or names(args[0])):
        yield from _unary(op, args[0], relation, target, name, near, depth)
    elif len(args) == 2 and not op.opaque:
        left, right = args
        if left is right:
            yield from _square(op, left, relation, target, name, near, depth)
        elif name not in (right.names or names(right)):
            yield from _left(op, left, near.of(right), relation, target, name, near, depth)
        elif name not in (left.names or names(left)):
            yield from _right(op, near.of(left), right, relation, target, name, near, depth)


def _scaled(
    atom: Term, factor: int, relation: str, target: int, name: str, near: _Values, depth: int
) -> Iterator[Any]:
    """Values of the variable for which factor * atom is related to the target."""
    if factor == 0:
        return
    quotient, remainder = divmod(target, factor)
    if factor < 0:
        relation = _FLIPPED[relation]
    if remainder and relation == EQ:
        return
    if remainder and relation == GE:
        quotient += 1
    yield from _integer(atom, relation, quotient, name, near, depth)


def _unary(
    op: Any, inner: Term, relation: str, target: int, name: str, near: _Values, depth: int
) -> Iterator[Any]:
    if op is ops.ABS:
        if target < 0 and relation != GE:
            return
        aims = [target, -target] if near.of(inner) >= 0 else [-target, target]
        for aim in aims:
            yield from _integer(inner, EQ, aim, name, near, depth)
    elif op is ops.BIT_LENGTH:
        aim = (1 << target) >> 1 if 0 <= target < WIDEST_INVERTED else 0
        yield from _integer(inner, EQ, aim, name, near, depth)
    elif op in (ops.TRUNC, ops.FLOOR, ops.CEIL, ops.ROUND):
        for shift in WITHIN_ROUNDING:
            yield from _double(inner, relation, target + shift, name, near, depth)


def _square(
    op: Any, inner: Term, relation: str, target: int, name: str, near: _Values, depth: int
) -> Iterator[Any]:
    """Values of the variable for which x * x is related to the target; of other operations on x
    and x, none.
    """
    if op is not ops.MUL or target < 0:
        return
    root = math.isqrt(target)
    if relation == EQ and root * root != target:
        return
    if relation == GE and root * root < target:
        root += 1
    for aim in (root, -root):
        yield from _integer(inner, EQ, aim, name, near, depth)


def _left(
    op: Any,
    inner: Term,
    other: int,
    relation: str,
    target: int,
    name: str,
    near: _Values,
    depth: int,
) -> Iterator[Any]:
    """Values of the variable, which is in `inner`, for which `inner op other` is related to the
    target.
    """
    aims: list[int] = []
    if op is ops.MUL:
        yield from _scaled(inner, other, relation, target, name, near, depth)
        return
    if op is ops.FLOORDIV and other:
        first, last = target * other, target * other + other - (1 if other > 0 else -1)
        aims = [last, first] if relation == LE else [first, last]
    elif op is ops.MOD and other:
        now = near.of(inner)
        rest = target
        if relation != EQ and not 0 <= target < other:
            rest = 0 if relation == LE else other - 1
        up, down = now + (rest - now) % other, now - (now - rest) % other
        # Further multiples too: a scaled sum does not take every value.
        for turn in range(MOST_MULTIPLES):
            aims += [up + turn * other, down - turn * other]
    elif op is ops.BITAND:
        kept = near.of(inner) & ~other
        aims = [kept | (target & other), target & other, target, other]
    elif op is ops.BITOR:
        aims = [target & ~other, target, 0]
    elif op is ops.BITXOR:
        aims = [target ^ other]
    elif op is ops.RSHIFT and 0 <= other < WIDEST_INVERTED:
        aims = [target << other]
    elif op is ops.LSHIFT and 0 <= other < WIDEST_INVERTED:
        aims = [target >> other, (target >> other) + 1]
    elif op is ops.POW and 0 < other < LARGEST_ROOT and target >= 0:
        root = round(target ** (1 / other)) if target < LARGEST_ROOTED else 0
        aims = [root, -root, root + 1, root - 1]
    for aim in aims if depth < LEVELS_THAT_BRANCH else aims[:1]:
        yield from _integer(inner, EQ, aim, name, near, depth)


def _right(
    op: Any,
    other: int,
    inner: Term,
    relation: str,
    target: int,
    name: str,
    near: _Values,
    depth: int,
) -> Iterator[Any]:
    """Values of the variable, which is in `inner`, for which `other op inner` is related to the
    target.
    """
    if op in (ops.MUL, ops.BITAND, ops.BITOR, ops.BITXOR):
        yield from _left(op, inner, other, relation, target, name, near, depth)
        return
    aims: list[int] = []
    if op is ops.FLOORDIV:
        aims = [other // target, other // target + 1] if target else [abs(other) + 1]
    elif op is ops.MOD:
        aims = [other - target, abs(other) + 1, 1, 2]
    elif op is ops.LSHIFT or op is ops.POW:
        base = 2 if op is ops.LSHIFT else abs(other)
        goal = abs(target // other) if op is ops.LSHIFT and other else abs(target)
        if goal > 0 and base > 1:
            aim = round(math.log(goal, base))
            aims = [aim, aim + 1, max(0, aim - 1)]
    elif op is ops.RSHIFT:
        aims = [0, max(0, other.bit_length() - abs(target).bit_length()), other.bit_length()]
    for aim in aims if depth < LEVELS_THAT_BRANCH else aims[:1]:
        yield from _integer(inner, EQ, aim, name, near, depth)


def _double(
    term: Term, relation: str, target: float, name: str, near: _Values, depth: int
) -> Iterator[Any]:
    """Values of the variable for which the double term is about the target."""
    near.go_down()
    op, args = term.op, term.args
    depth += 1
    if op is VAR:
        yield target
        return
    if depth > DEEPEST_INVERTED or op.opaque:
        return
    if op is ops.ITE:
        test = near.of(args[0])
        yield from _double(args[1] if test else args[2], relation, target, name, near, depth)
        yield from _condition(args[0], not test, name, near, depth)
        return
    if op is ops.MODELLED:
        yield from _double(args[1], relation, target, name, near, depth)
        return
    if op is ops.TO_FLOAT:
        if math.isfinite(target):
            for whole in (math.floor(target), math.ceil(target)):
                yield from _integer(args[0], EQ, whole, name, near, depth)
        return
    if len(args) == 1:
        aims = _undo_unary(op, target)
        for aim in aims:
            yield from _double(args[0], EQ, aim, name, near, depth)
        return
    left, right = args
    if name not in (right.names or names(right)):
        inner, aims = left, _undo_left(op, target, near.of(right), near.of(left))
    elif name not in (left.names or names(left)):
        inner, aims = right, _undo_right(op, near.of(left), target)
    elif left is right and op is ops.FMUL and target >= 0:
        inner, aims = left, [math.sqrt(target), -math.sqrt(target)]
    elif left is right and op is ops.FADD:
        inner, aims = left, [target / 2]
    else:
        return
    for aim in aims:
        if inner.sort is Sort.INT:
            for whole in (math.floor(aim), math.ceil(aim)) if math.isfinite(aim) else ():
                yield from _integer(inner, EQ, whole, name, near, depth)
            continue
        # What undoing rounded away is mostly one double off.
        yield from _double(inner, relation, aim, name, near, depth)
        yield from _double(inner, relation, math.nextafter(aim, math.inf), name, near, depth)
        yield from _double(inner, relation, math.nextafter(aim, -math.inf), name, near, depth)


def _undo_unary(op: Any, target: float) -> list[float]:
    if op is ops.FNEG:
        return [-target]
    if op is ops.FABS:
        return [target, -target] if not target < 0 else []
    if op is ops.FSQRT:
        return [target * target] if not target < 0 else []
    return []


def _undo_left(op: Any, target: float, other: Any, now: Any) -> list[float]:
    """Doubles x for which `x op other` is about the target; `now` is the present value of x."""
    if op is ops.FADD:
        return [target - other]
    if op is ops.FSUB:
        return [target + other]
    if op is ops.FMUL:
        return [target / other] if other else []
    if op is ops.FDIV or op is ops.TRUEDIV:
        return [target * other]
    if op is ops.FFLOORDIV:
        # The beginning and the middle of the doubles that have this quotient.
        middle = target + 0.5  # as quotients go up by 1
        return [target * other, middle * other]
    if op is ops.FMOD and other:
        return [now - now % other + target]
    if op is ops.FPOW and other and target >= 0:
        return [target ** (1.0 / other), -(target ** (1.0 / other))]
    return []


def _undo_right(op: Any, other: Any, target: float) -> list[float]:
    """Doubles x for which `other op x` is about the target."""
    if op is ops.FADD:
        return [target - other]
    if op is ops.FSUB:
        return [other - target]
    if op is ops.FMUL:
        return [target / other] if other else []
    if (op is ops.FDIV or op is ops.TRUEDIV) and target:
        return [other / target]
    return []
