"""Run-time values in the place of what cannot be solved for.

DART and CUTE replace a term outside their theory by the value it had in the run. What is then found
is evaluated on the real condition; that nothing is found proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import FLOAT, OPAQUE, theory, theory_of
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.terms import floats, integers, logic
from symcrete.terms import operations as ops
from symcrete.terms.evaluate import NOT_COMPUTABLE, Assignment, all_hold, evaluate
from symcrete.terms.term import CONST, FALSE, VAR, Term, const, int_const, intern
from symcrete.terms.texts import modelled
from symcrete.terms.visit import names, postorder, seen_by_solvers

# times that functions are replaced by their values at the last answer; chosen, not measured
VALUE_ROUNDS = 3

# How an operation is built again, so that what its new arguments make constant is computed.
_BUILD: dict[Any, Callable[..., Term]] = {
    ops.MUL: integers.mul,
    ops.FLOORDIV: integers.floordiv,
    ops.MOD: integers.mod,
    ops.POW: integers.power,
    ops.LSHIFT: integers.lshift,
    ops.RSHIFT: integers.rshift,
    ops.BITAND: integers.bitand,
    ops.BITOR: integers.bitor,
    ops.BITXOR: integers.bitxor,
    ops.ABS: integers.absolute,
    ops.BIT_LENGTH: integers.bit_length,
    ops.LE0: lambda term: integers.le(term, int_const(0)),
    ops.EQ0: lambda term: integers.eq(term, int_const(0)),
    ops.NOT: logic.negate,
    ops.AND: lambda *parts: logic.conjoin(list(parts)),
    ops.OR: lambda *parts: logic.disjoin(list(parts)),
    ops.IFF: logic.same_truth,
    ops.ITE: logic.choose,
    ops.FLT: floats.lt,
    ops.FLE: floats.le,
    ops.FEQ: floats.eq,
    ops.TO_FLOAT: floats.to_float,
    ops.TRUEDIV: floats.int_div,
    ops.ISNAN: floats.is_nan,
    ops.ISINF: floats.is_inf,
}


def replaced(
    condition: Term, near: Assignment, unsolvable: Callable[[Term], bool], memo: dict[Term, Term]
) -> Term:
    """The condition with each outermost subterm that is `unsolvable` replaced by its run-time
    value.

    A subterm that cannot be computed makes the condition false, as it is for such inputs.
    """
    try:
        for node in _outside(condition, unsolvable, memo):
            if unsolvable(node):
                memo[node] = const(evaluate(node, near))
            else:
                memo[node] = _rebuilt(node, memo)
        return memo[condition]
    except NOT_COMPUTABLE:
        return FALSE


def _outside(root: Term, unsolvable: Callable[[Term], bool], memo: dict[Term, Term]) -> list[Term]:
    """The subterms of a condition, arguments before what uses them. An unsolvable subterm is one
    of them; what is within it is not, since the whole of it becomes a constant.
    """
    order: list[Term] = []
    stack = [(root, False)]
    seen: set[Term] = set()
    while stack:
        term, ready = stack.pop()
        if ready:
            order.append(term)
            continue
        if term in seen or term in memo:
            continue
        seen.add(term)
        stack.append((term, True))
        if not unsolvable(term):
            stack += [(arg, False) for arg in seen_by_solvers(term)]
    return order


def _rebuilt(node: Term, memo: dict[Term, Term]) -> Term:
    op, args = node.op, node.args
    if op is VAR or op is CONST:
        return node
    if op is ops.MODELLED:
        return modelled(args[0], memo[args[1]], memo[args[2]])
    parts = [memo[arg] for arg in args if arg.__class__ is Term]
    if op is ops.LINEAR:
        total = int_const(args[0])
        for part, factor in zip(parts, args[2::2], strict=True):
            total = integers.add(total, integers.scale(part, factor))
        return total
    if all(part is arg for part, arg in zip(parts, args, strict=True)):
        return node
    if all(part.op is CONST for part in parts):
        return const(op.function(*[part.args[0] for part in parts]))
    build = _BUILD.get(op)
    return build(*parts) if build is not None else intern(op, tuple(parts))


class Concretise:
    """A solver that replaces opaque applications by their run-time values and asks the one inside
    it for the rest.
    """

    def __init__(self, inner: Solver) -> None:
        self.inner = inner

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        if not theory_of(constraint) & OPAQUE:
            return self.inner.solve(constraint, near)
        # Applications as unknowns first: if even these contradict, it is proved.
        free = self.inner.solve(constraint, near)
        if isinstance(free, Unsat) or _confirmed(free, constraint):
            return free
        return self._guessed(constraint, near) or self._pinned(constraint, near)

    def _guessed(self, constraint: PathConstraint, near: Assignment) -> Sat | None:
        """An answer found with the applications' values in the run, then with their values at what
        was found, a few times; None if it fails.
        """
        at = near
        tried: set[tuple[Term, ...]] = set()
        for _ in range(VALUE_ROUNDS):
            conditions = _all_replaced(constraint, at, lambda term: term.op.opaque)
            if conditions is None or conditions in tried:
                return None
            tried.add(conditions)
            answer = self.inner.solve(PathConstraint(conditions[:-1], conditions[-1]), near)
            if not isinstance(answer, Sat):
                return None
            if all_hold(constraint.conditions, answer.assignment):
                return answer
            at = answer.assignment
        return None

    def _pinned(self, constraint: PathConstraint, near: Assignment) -> Answer:
        """Solve with every variable that an opaque function looks at kept as it was in the run."""
        fixed: set[str] = set()
        for node in postorder(constraint.conditions, seen_by_solvers):
            if node.op.opaque:
                fixed |= names(node)
        reason = "a function that only evaluation knows"
        if names(constraint.goal) <= fixed:
            return Unknown(reason)  # nothing is left to vary
        conditions = _all_replaced(
            constraint,
            near,
            lambda term: term.op.opaque or (term.op is VAR and term.args[0] in fixed),
            varying=True,
        )
        if conditions is None:
            return Unknown(reason)
        answer = self.inner.solve(PathConstraint(conditions[:-1], conditions[-1]), near)
        return answer if _confirmed(answer, constraint) else Unknown(reason)


def _all_replaced(
    constraint: PathConstraint,
    at: Assignment,
    unsolvable: Callable[[Term], bool],
    *,
    varying: bool = False,
) -> tuple[Term, ...] | None:
    """The conditions with `unsolvable` terms replaced by their values `at` an assignment, without
    those that become true; None if one becomes false, or none is left.

    Unless `varying`, conditions without opaque functions stay as they are.
    """
    memo: dict[Term, Term] = {}
    made: list[Term] = []
    for condition in constraint.conditions:
        known = varying or theory(condition) & OPAQUE
        left = replaced(condition, at, unsolvable, memo) if known else condition
        if left is FALSE:
            return None
        if left.op is not CONST:
            made.append(left)
    return tuple(made) if made else None


def _confirmed(answer: Answer, constraint: PathConstraint) -> bool:
    return isinstance(answer, Sat) and all_hold(constraint.conditions, answer.assignment)


_SOLVABLE = frozenset(
    {VAR, CONST, ops.LINEAR, ops.LE0, ops.EQ0, ops.NOT, ops.AND, ops.OR, ops.IFF, ops.ITE}
    | {ops.MODELLED}
)


def beyond_linear(term: Term) -> bool:
    """Whether linear arithmetic over integers and truth values cannot express this node."""
    return term.op not in _SOLVABLE or bool(
        theory(term) & FLOAT and term.op in (VAR, CONST, ops.ITE)
    )
