"""Which theory a condition belongs to, which decides who can solve it."""

from __future__ import annotations

from symcrete.constraint.form import form
from symcrete.constraint.path import PathConstraint
from symcrete.terms import operations as ops
from symcrete.terms.term import CONST, Sort, Term
from symcrete.terms.visit import postorder, seen_by_solvers

ONLY_LINEAR = 0  # sums, quotients and remainders by constants, choices
PRODUCT = 1  # a product, quotient or power of unknowns
BITS = 2  # bit operations and shifts that are no quotient or remainder
FLOAT = 4  # doubles
ROUNDING = 8  # between doubles and integers
OPAQUE = 16  # a function that only evaluation knows

# unknowns; with more, products of reals are too much for some solvers; chosen, not measured
CROWD = 3

_KEY = "theory"
_BITS = frozenset({ops.BITAND, ops.BITOR, ops.BITXOR, ops.LSHIFT, ops.RSHIFT, ops.BIT_LENGTH})
_PRODUCTS = frozenset({ops.MUL, ops.FMUL})
_QUOTIENTS = frozenset({ops.FLOORDIV, ops.MOD, ops.FDIV, ops.TRUEDIV, ops.FFLOORDIV, ops.FMOD})
_ROUNDING = frozenset(
    {ops.TO_FLOAT, ops.TRUEDIV, ops.TRUNC, ops.FLOOR, ops.CEIL, ops.ROUND, ops.FFLOORDIV, ops.FMOD}
)
_COMPARISONS = frozenset({ops.FLT, ops.FLE, ops.FEQ})


def theory_of(constraint: PathConstraint) -> int:
    """The theories that all conditions together need, as bits; ONLY_LINEAR if none."""
    found = theory(constraint.goal)
    for condition in constraint.prefix:
        notes = condition.notes
        if notes is not None and _KEY in notes:
            found |= notes[_KEY]
        else:
            found |= theory(condition)
    return found


def theory(term: Term) -> int:
    """The theories that a term needs, as bits; ONLY_LINEAR if none."""
    notes = term.notes
    if notes is not None:
        found = notes.get(_KEY)
        if found is not None:
            return int(found)
    if form(term) is not None:
        assert term.notes is not None
        term.notes[_KEY] = ONLY_LINEAR
        return ONLY_LINEAR
    for node in postorder([term], _undecided):
        notes = node.notes
        if notes is None:
            notes = node.begin_notes()
        if _KEY not in notes:
            notes[_KEY] = _of_node(node)
    assert term.notes is not None
    return int(term.notes[_KEY])


def _undecided(node: Term) -> list[Term]:
    """The arguments whose theory is not known yet and that a solver would see."""
    args = seen_by_solvers(node)
    return [arg for arg in args if arg.notes is None or _KEY not in arg.notes]


def _of_node(node: Term) -> int:
    op, args = node.op, node.args
    if op.opaque:
        return OPAQUE | (FLOAT if node.sort is Sort.FLOAT else 0)
    found = FLOAT if node.sort is Sort.FLOAT or op is ops.ISNAN or op is ops.ISINF else 0
    # Solvers see the model of a modelled term, and never what computes it exactly.
    for arg in args[1:] if op is ops.MODELLED else args:
        if arg.__class__ is Term and arg.notes is not None:
            found |= arg.notes[_KEY]
    if op in _BITS:
        found |= BITS
    if op in _ROUNDING:
        found |= ROUNDING | FLOAT
    if op in _COMPARISONS:
        found |= FLOAT
        if args[0].sort is not args[1].sort:
            found |= ROUNDING
    known = [arg.op is CONST for arg in args if arg.__class__ is Term]
    if (
        (op in _PRODUCTS and not any(known))
        or (op in _QUOTIENTS and not known[1])
        or op is ops.POW
        or op is ops.FPOW
        or op is ops.FSQRT
    ):
        found |= PRODUCT
    return found


def words(found: int) -> str:
    """The theories as words for people."""
    if not found:
        return "linear"
    table = ("products", PRODUCT), ("bits", BITS), ("floats", FLOAT), ("rounding", ROUNDING)
    return "+".join([word for word, bit in (*table, ("opaque", OPAQUE)) if found & bit])
