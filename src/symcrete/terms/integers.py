"""Integer terms: sums kept as linear forms, comparisons brought to `<= 0` and `== 0`.

A program that subtracts in a loop, as Euclid's algorithm does, would nest one node per step; as a
linear form the term stays as small as the number of inputs in it. Above `WIDEST_SUM` atoms a sum is
nested after all, so that adding up a long list stays linear in its length.
"""

from __future__ import annotations

import math
from typing import Any

from symcrete.terms.logic import choose, negate
from symcrete.terms.operations import (
    ABS,
    BIT_LENGTH,
    BITAND,
    BITOR,
    BITXOR,
    EQ0,
    FLOORDIV,
    ITE,
    LE0,
    LINEAR,
    LSHIFT,
    MOD,
    MUL,
    POW,
    RSHIFT,
)
from symcrete.terms.term import (
    CONST,
    FALSE,
    TRUE,
    Operation,
    Term,
    int_const,
    intern,
    memo,
)

# the largest constant exponent for which a power is a product; chosen, not measured
LARGEST_UNROLLED = 8
# bits; a shift by a constant number of bits up to this is a product or a quotient; chosen, not
# measured
WIDEST_SCALED = 4096
WIDEST_SUM = 24  # atoms in one linear form: adding forms takes time in proportion to it

# Terms built before, by left and right operand: a run mostly repeats what an earlier one computed.
# Code that cannot afford a call looks here first.
SUMS: dict[tuple[Term, Term], Term] = memo()
_forms: dict[tuple[Term, Term], tuple[Any, ...]] = memo()  # the linear forms of differences
DIFFERENCES: dict[tuple[Term, Term], Term] = memo()
PRODUCTS: dict[tuple[Term, Term], Term] = memo()
AT_MOST: dict[tuple[Term, Term], Term] = memo()
LESS: dict[tuple[Term, Term], Term] = memo()
MORE: dict[tuple[Term, Term], Term] = memo()
AT_LEAST: dict[tuple[Term, Term], Term] = memo()
EQUAL: dict[tuple[Term, Term], Term] = memo()
DIFFERENT: dict[tuple[Term, Term], Term] = memo()


def as_linear(term: Term) -> tuple[Any, ...]:
    """(constant, atom, coefficient, atom, coefficient, ...) whose value is the term's."""
    if term.op is LINEAR:
        return term.args
    if term.op is CONST:
        return (term.args[0],)
    return (0, term, 1)


def linear(form: tuple[Any, ...]) -> Term:
    """The term of a linear form whose atoms are in order of their index, without zeros."""
    if len(form) == 1:
        return int_const(form[0])
    if len(form) == 3 and form[0] == 0 and form[2] == 1:
        atom: Term = form[1]
        return atom
    return intern(LINEAR, form)


def add(left: Term, right: Term) -> Term:
    key = (left, right)
    found = SUMS.get(key)
    if found is None:
        found = SUMS[key] = linear(_combined(left, right, 1))
    return found


def sub(left: Term, right: Term) -> Term:
    key = (left, right)
    found = DIFFERENCES.get(key)
    if found is None:
        found = DIFFERENCES[key] = linear(_difference(left, right))
    return found


def _difference(left: Term, right: Term) -> tuple[Any, ...]:
    """The linear form of left - right; kept, since loops mostly compare what they then subtract."""
    key = (left, right)
    found = _forms.get(key)
    if found is None:
        found = _forms[key] = _combined(left, right, -1)
    return found


def _combined(left: Term, right: Term, factor: int) -> tuple[Any, ...]:
    """The linear form of left + factor * right."""
    a, b = as_linear(left), as_linear(right)
    if len(a) == 1:  # a constant and a sum, the commonest case of all
        return (a[0] + factor * b[0], *_times(b, factor))
    if len(b) == 1:
        return (a[0] + factor * b[0], *a[1:])
    if len(a) + len(b) > 2 * WIDEST_SUM + 2:
        # One side becomes an atom of its own: the sum nests instead of being copied at every step.
        if len(a) > WIDEST_SUM + 1:
            a = (0, left, 1)
        if len(b) > WIDEST_SUM + 1:
            b = (0, right, 1)
    out: list[Any] = [a[0] + factor * b[0]]
    i = j = 1
    while i < len(a) and j < len(b):
        if a[i] is b[j]:
            coefficient = a[i + 1] + factor * b[j + 1]
            if coefficient:
                out += (a[i], coefficient)
            i += 2
            j += 2
        elif a[i].index < b[j].index:
            out += a[i : i + 2]
            i += 2
        else:
            out += (b[j], factor * b[j + 1])
            j += 2
    out += a[i:]
    for k in range(j, len(b), 2):
        out += (b[k], factor * b[k + 1])
    return tuple(out)


def _times(form: tuple[Any, ...], factor: int) -> tuple[Any, ...]:
    """The atoms of a form with their coefficients multiplied by the factor."""
    if factor == 1:
        return form[1:]
    out: list[Any] = []
    for k in range(1, len(form), 2):
        out += (form[k], factor * form[k + 1])
    return tuple(out)


def scale(term: Term, factor: int) -> Term:
    """`factor * term`."""
    if factor == 0:
        return int_const(0)
    if factor == 1:
        return term
    form = as_linear(term)
    out = [form[0] * factor]
    for k in range(1, len(form), 2):
        out += (form[k], form[k + 1] * factor)
    return linear(tuple(out))


def neg(term: Term) -> Term:
    return scale(term, -1)


def invert(term: Term) -> Term:
    """`~term`."""
    return add(scale(term, -1), int_const(-1))


def mul(left: Term, right: Term) -> Term:
    key = (left, right)
    found = PRODUCTS.get(key)
    if found is None:
        found = PRODUCTS[key] = _product(left, right)
    return found


def _product(left: Term, right: Term) -> Term:
    if left.op is CONST:
        return scale(right, left.args[0])
    if right.op is CONST:
        return scale(left, right.args[0])
    if left.index > right.index:
        left, right = right, left
    return intern(MUL, (left, right))


def floordiv(left: Term, right: Term) -> Term:
    """`left // right`; the divisor must not be zero."""
    if right.op is CONST and right.args[0] == 1:
        return left
    return _fold(FLOORDIV, left, right)


def mod(left: Term, right: Term) -> Term:
    """`left % right`; the divisor must not be zero."""
    return _fold(MOD, left, right)


def power(base: Term, exponent: Term) -> Term:
    """`base ** exponent`; the exponent must not be negative, small constant ones become
    products.
    """
    if exponent.op is CONST and exponent.args[0] <= LARGEST_UNROLLED:
        result = int_const(1)
        for _ in range(exponent.args[0]):
            result = mul(result, base)
        return result
    return _fold(POW, base, exponent)


def lshift(left: Term, right: Term) -> Term:
    """`left << right`; the right one must not be negative."""
    if right.op is CONST and right.args[0] <= WIDEST_SCALED:
        return scale(left, 1 << right.args[0])
    return _fold(LSHIFT, left, right)


def rshift(left: Term, right: Term) -> Term:
    """`left >> right`; the right one must not be negative."""
    if right.op is CONST and right.args[0] <= WIDEST_SCALED:
        return floordiv(left, int_const(1 << right.args[0]))
    return _fold(RSHIFT, left, right)


def bitand(left: Term, right: Term) -> Term:
    mask = right.args[0] if right.op is CONST else left.args[0] if left.op is CONST else None
    other = left if right.op is CONST else right
    if mask == 0:
        return int_const(0)
    if mask == -1:
        return other
    if mask is not None and mask > 0 and mask & (mask + 1) == 0:
        return mod(other, int_const(mask + 1))  # low bits: a modulus, which linear solvers know
    return _symmetric(BITAND, left, right)


def bitor(left: Term, right: Term) -> Term:
    return _symmetric(BITOR, left, right)


def bitxor(left: Term, right: Term) -> Term:
    return int_const(0) if left is right else _symmetric(BITXOR, left, right)


def absolute(term: Term) -> Term:
    return int_const(abs(term.args[0])) if term.op is CONST else intern(ABS, (term,))


def bit_length(term: Term) -> Term:
    return int_const(term.args[0].bit_length()) if term.op is CONST else intern(BIT_LENGTH, (term,))


def _symmetric(op: Operation, left: Term, right: Term) -> Term:
    if left.index > right.index:
        left, right = right, left
    return _fold(op, left, right)


def _fold(op: Operation, left: Term, right: Term) -> Term:
    if left.op is CONST and right.op is CONST:
        return int_const(op.function(left.args[0], right.args[0]))
    return intern(op, (left, right))


def from_truth(term: Term) -> Term:
    """The integer term that is 1 where the condition holds and 0 where it does not."""
    return choose(term, int_const(1), int_const(0))


def le(left: Term, right: Term) -> Term:
    key = (left, right)
    found = AT_MOST.get(key)
    if found is None:
        found = AT_MOST[key] = _at_most_zero(_difference(left, right))
    return found


def lt(left: Term, right: Term) -> Term:
    key = (left, right)
    found = LESS.get(key)
    if found is None:
        constant, *rest = _difference(left, right)
        found = LESS[key] = _at_most_zero((constant + 1, *rest))
    return found


def gt(left: Term, right: Term) -> Term:
    key = (left, right)
    found = MORE.get(key)
    if found is None:
        found = MORE[key] = negate(_at_most_zero(_difference(left, right)))
    return found


def ge(left: Term, right: Term) -> Term:
    key = (left, right)
    found = AT_LEAST.get(key)
    if found is None:
        found = AT_LEAST[key] = negate(lt(left, right))
    return found


def eq(left: Term, right: Term) -> Term:
    key = (left, right)
    found = EQUAL.get(key)
    if found is None:
        found = EQUAL[key] = _is_zero(_difference(left, right))
    return found


def ne(left: Term, right: Term) -> Term:
    key = (left, right)
    found = DIFFERENT.get(key)
    if found is None:
        found = DIFFERENT[key] = negate(_is_zero(_difference(left, right)))
    return found


def _at_most_zero(form: tuple[Any, ...]) -> Term:
    if len(form) == 1:
        return TRUE if form[0] <= 0 else FALSE
    if _is_truth_choice(form):
        condition, then, other = form[1].args
        return choose(
            condition,
            TRUE if form[0] + form[2] * then.args[0] <= 0 else FALSE,
            TRUE if form[0] + form[2] * other.args[0] <= 0 else FALSE,
        )
    divisor = _divisor(form)
    if form[2] < 0:
        # -a + k <= 0 is not (a - k + 1 <= 0): one shape for a condition and its negation
        return negate(intern(LE0, (_divided(form, -divisor, 1 - form[0]),)))
    if divisor == 1:
        return intern(LE0, (linear(form),))
    return intern(LE0, (_divided(form, divisor, form[0]),))


def _divisor(form: tuple[Any, ...]) -> int:
    """The greatest common divisor of all factors; most sums have a 1 among them."""
    return 1 if -1 <= form[2] <= 1 else math.gcd(*form[2::2])


def _divided(form: tuple[Any, ...], divisor: int, constant: int) -> Term:
    """The term that is at most 0 just where the form's sum plus this constant is, over the integers
    and with the common divisor taken out. A negative divisor turns the sum's signs.
    """
    size = abs(divisor)
    out: list[Any] = [-(-constant // size)]  # round up: sum/size <= floor(-constant/size)
    for k in range(1, len(form), 2):
        out += (form[k], form[k + 1] // divisor)
    return linear(tuple(out))


def _is_zero(form: tuple[Any, ...]) -> Term:
    if len(form) == 1:
        return TRUE if form[0] == 0 else FALSE
    if _is_truth_choice(form):
        condition, then, other = form[1].args
        return choose(
            condition,
            TRUE if form[0] + form[2] * then.args[0] == 0 else FALSE,
            TRUE if form[0] + form[2] * other.args[0] == 0 else FALSE,
        )
    divisor = _divisor(form)
    if form[0] % divisor:
        return FALSE
    if form[2] < 0:
        divisor = -divisor
    elif divisor == 1:
        return intern(EQ0, (linear(form),))
    out: list[Any] = [form[0] // divisor]
    for k in range(1, len(form), 2):
        out += (form[k], form[k + 1] // divisor)
    return intern(EQ0, (linear(tuple(out)),))


def _is_truth_choice(form: tuple[Any, ...]) -> bool:
    """Whether a form is a single if-then-else between constants: comparing it with a constant is
    then its condition, the negation of that, or decided.
    """
    if len(form) != 3 or form[1].op is not ITE:
        return False
    return form[1].args[1].op is CONST and form[1].args[2].op is CONST
