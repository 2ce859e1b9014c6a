"""Conditions as mathematical integers and reals.

Integers are exact, with Python's floor division and modulo; a bit operation with a constant mask is
quotients and remainders, one between two unknowns is an unknown of which a few facts are told.
Doubles are narrowed to reals: what comes back is evaluated, and "unsat" is no proof.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Protocol

from symcrete.constraint.form import AT_LEAST, AT_MOST, EQUAL, form
from symcrete.solve.lowering.lowerer import Lowered, Lowering
from symcrete.terms import integers
from symcrete.terms import operations as ops
from symcrete.terms.term import CONST, VAR, Sort, Term

# the greatest exponent that is written out; beyond, a power is an unknown; chosen, not measured
LARGEST_EXPONENT = 64
# the greatest value of an unknown exponent whose base is no constant; beyond, the power is an
# unknown; chosen, not measured
LARGEST_TABLED_EXPONENT = 8
# exponents of doubles that are written out as products; chosen, not measured
PRODUCT_EXPONENTS = (1.0, 2.0, 3.0, 4.0)
# a shift by so many bits or more is an unknown, and so is a greater bit length; chosen, not
# measured
LARGEST_COUNT = 64
# runs of ones in a mask that become quotients and remainders; beyond, the result is an unknown;
# chosen, not measured
MOST_RUNS_OF_ONES = 8
_INFINITY = Fraction(2**1024)  # stands for inf: more than any finite double


class Arithmetic(Protocol):
    """What a backend must be able to build. The divisor of `div` and `mod` is positive, and the
    quotient is rounded down.
    """

    def unknown(self, name: str, sort: Sort) -> Any: ...
    def integer(self, value: int) -> Any: ...
    def rational(self, value: Fraction) -> Any: ...
    def truth(self, value: bool) -> Any: ...
    def linear(self, constant: int, atoms: list[Any], factors: list[int]) -> Any: ...
    def add(self, left: Any, right: Any) -> Any: ...
    def sub(self, left: Any, right: Any) -> Any: ...
    def mul(self, left: Any, right: Any) -> Any: ...
    def div(self, left: Any, divisor: int) -> Any: ...
    def mod(self, left: Any, divisor: int) -> Any: ...
    def quotient(self, left: Any, right: Any) -> Any: ...  # of reals
    def real(self, integer: Any) -> Any: ...
    def floor(self, real: Any) -> Any: ...
    def at_most(self, left: Any, right: Any) -> Any: ...
    def equal(self, left: Any, right: Any) -> Any: ...
    def negation(self, condition: Any) -> Any: ...
    def all_of(self, conditions: list[Any]) -> Any: ...
    def any_of(self, conditions: list[Any]) -> Any: ...
    def choice(self, condition: Any, then: Any, other: Any) -> Any: ...


class ArithmeticLowering(Lowering):
    """Rows for every operation but the opaque ones."""

    def __init__(self, build: Arithmetic) -> None:
        super().__init__()
        self.build = build
        self._zero = build.integer(0)
        b = build
        self.rows = {
            VAR: self._variable,
            CONST: self._constant,
            ops.LINEAR: lambda t, p: b.linear(t.args[0], p, list(t.args[2::2])),
            ops.MUL: lambda t, p: b.mul(p[0], p[1]),
            ops.FLOORDIV: self._floordiv,
            ops.MOD: self._mod,
            ops.POW: self._pow,
            ops.LSHIFT: self._lshift,
            ops.RSHIFT: self._rshift,
            ops.BITAND: self._bitand,
            ops.BITOR: lambda t, p: b.sub(b.add(p[0], p[1]), p[2]),
            ops.BITXOR: lambda t, p: b.sub(b.add(p[0], p[1]), b.linear(0, [p[2]], [2])),
            ops.ABS: lambda t, p: b.choice(b.at_most(self._zero, p[0]), p[0], self._minus(p[0])),
            ops.BIT_LENGTH: self._bit_length,
            ops.LE0: self._at_most_zero,
            ops.EQ0: self._is_zero,
            ops.NOT: lambda t, p: b.negation(p[0]),
            ops.AND: lambda t, p: b.all_of(p),
            ops.OR: lambda t, p: b.any_of(p),
            ops.IFF: lambda t, p: b.equal(p[0], p[1]),
            ops.ITE: lambda t, p: b.choice(p[0], p[1], p[2]),
            ops.MODELLED: self.modelled,
            ops.FADD: lambda t, p: b.add(p[0], p[1]),
            ops.FSUB: lambda t, p: b.sub(p[0], p[1]),
            ops.FMUL: lambda t, p: b.mul(p[0], p[1]),
            ops.FDIV: lambda t, p: b.quotient(p[0], p[1]),
            ops.FFLOORDIV: lambda t, p: b.real(b.floor(b.quotient(p[0], p[1]))),
            ops.FMOD: self._fmod,
            ops.FPOW: self._fpow,
            ops.FNEG: lambda t, p: b.sub(b.rational(Fraction(0)), p[0]),
            ops.FABS: self._fabs,
            ops.FSQRT: self._fsqrt,
            ops.FLT: lambda t, p: b.negation(b.at_most(*self._reals(t, p)[::-1])),
            ops.FLE: lambda t, p: b.at_most(*self._reals(t, p)),
            ops.FEQ: lambda t, p: b.equal(*self._reals(t, p)),
            ops.ISNAN: lambda t, p: b.truth(False),
            ops.ISINF: lambda t, p: b.truth(False),
            ops.TO_FLOAT: self._to_float,
            ops.TRUEDIV: self._truediv,
            ops.TRUNC: self._trunc,
            ops.FLOOR: lambda t, p: b.floor(p[0]),
            ops.CEIL: lambda t, p: self._minus(b.floor(b.sub(b.rational(Fraction(0)), p[0]))),
            ops.ROUND: self._round,
        }

    def at_once(self, term: Term) -> tuple[Any, bool] | None:
        shape = form(term)
        if shape is None:
            return None
        b = self.build
        relation, bound, pairs = shape
        self.nodes += 1 + len(pairs)
        total = b.linear(
            0, [b.unknown(name, Sort.INT) for name, _ in pairs], [factor for _, factor in pairs]
        )
        limit = b.integer(bound)
        if relation == AT_MOST:
            return b.at_most(total, limit), False
        if relation == AT_LEAST:
            return b.at_most(limit, total), False
        equal = b.equal(total, limit)
        return (equal if relation == EQUAL else b.negation(equal)), False

    def conjunction(self, node: Lowered) -> Any:
        if not node.facts:
            return node.expression
        return self.build.all_of([node.expression, *node.facts])

    def parts(self, term: Term) -> list[Term]:
        op = term.op
        if op is ops.BITOR or op is ops.BITXOR:
            return [*term.args, integers.bitand(*term.args)]
        if op is ops.MOD and term.args[1].op is not CONST:
            return [*term.args, integers.floordiv(*term.args)]
        return super().parts(term)

    def nonzero(self, divisor: Term) -> Any:
        zero = self._zero if divisor.sort is Sort.INT else self.build.rational(Fraction(0))
        return self.build.negation(self.build.equal(self.node(divisor).expression, zero))

    def unknown(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is Sort.FLOAT:
            self.narrow()
        return self.build.unknown(f"!{term.index}", term.sort)

    def modelled(self, term: Term, parts: list[Any]) -> Any:
        """The model where it agrees with the exact term, and any value elsewhere, so that "unsat"
        stays a proof.
        """
        model, agrees = parts
        if term.args[2].is_const and term.args[2].value:
            return model
        if term.sort is Sort.FLOAT:  # narrowed anyway
            self.narrow()
            if not term.args[2].is_const:
                self.fact(agrees)
            return model
        b = self.build
        result = self.unknown(term, parts)
        self.fact(b.any_of([b.negation(agrees), b.equal(result, model)]))
        return result

    # -- integers

    def _variable(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is Sort.FLOAT:
            self.narrow()
        return self.build.unknown(term.args[0], term.sort)

    def _constant(self, term: Term, parts: list[Any]) -> Any:
        value = term.args[0]
        if term.sort is Sort.INT:
            return self.build.integer(value)
        if term.sort is Sort.BOOL:
            return self.build.truth(value)
        if term.sort is not Sort.FLOAT or math.isnan(value):
            return self.unknown(term, parts)
        self.narrow()
        if math.isinf(value):
            return self.build.rational(_INFINITY if value > 0 else -_INFINITY)
        return self.build.rational(Fraction(value))

    def _minus(self, integer: Any) -> Any:
        return self.build.linear(0, [integer], [-1])

    def _at_most_zero(self, term: Term, parts: list[Any]) -> Any:
        return self.build.at_most(parts[0], self._zero)

    def _is_zero(self, term: Term, parts: list[Any]) -> Any:
        return self.build.equal(parts[0], self._zero)

    def _floordiv(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        left, right = parts
        if term.args[1].op is CONST:
            return self._divided(left, term.args[1].args[0])
        # A fresh quotient, told what makes it the floor; nothing is told for a zero divisor.
        quotient = self.unknown(term, parts)
        rest = b.sub(left, b.mul(quotient, right))
        zero = self._zero
        positive = [b.at_most(zero, rest), self._below(rest, right)]
        negative = [b.at_most(rest, zero), self._below(right, rest)]
        self.fact(b.any_of([b.at_most(right, zero), b.all_of(positive)]))
        self.fact(b.any_of([b.at_most(zero, right), b.all_of(negative)]))
        return quotient

    def _divided(self, left: Any, divisor: int) -> Any:
        if divisor > 0:
            return self.build.div(left, divisor)
        if divisor < 0:
            return self.build.div(self._minus(left), -divisor)
        return self.build.unknown("!nothing", Sort.INT)

    def _mod(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        divisor = term.args[1]
        if divisor.op is not CONST:
            return b.sub(parts[0], b.mul(parts[1], parts[2]))
        value = divisor.args[0]
        if value > 0:
            return b.mod(parts[0], value)
        if value < 0:
            return self._minus(b.mod(self._minus(parts[0]), -value))
        return b.unknown("!nothing", Sort.INT)

    def _below(self, left: Any, right: Any) -> Any:
        return self.build.negation(self.build.at_most(right, left))

    def _pow(self, term: Term, parts: list[Any]) -> Any:
        base, exponent = term.args
        if exponent.op is CONST:
            if exponent.args[0] > LARGEST_EXPONENT:
                return self.unknown(term, parts)
            return self._product(parts[0], exponent.args[0])
        last = LARGEST_EXPONENT if base.op is CONST else LARGEST_TABLED_EXPONENT
        if base.op is CONST:
            powers = [self.build.integer(base.args[0] ** n) for n in range(last + 1)]
        else:
            powers = [self._product(parts[0], n) for n in range(last + 1)]
        return self._table(parts[1], powers, self.unknown(term, parts))

    def _product(self, base: Any, exponent: int) -> Any:
        result = self.build.integer(1)
        for number in range(exponent):
            result = base if number == 0 else self.build.mul(result, base)
        return result

    def _table(self, index: Any, values: list[Any], beyond: Any) -> Any:
        """values[index], or `beyond` where there is none."""
        b = self.build
        result = beyond
        for place in range(len(values) - 1, -1, -1):
            result = b.choice(b.equal(index, b.integer(place)), values[place], result)
        return result

    def _lshift(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        shifted = [b.linear(0, [parts[0]], [1 << n]) for n in range(LARGEST_COUNT)]
        return self._table(parts[1], shifted, self.unknown(term, parts))

    def _rshift(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        beyond = self.unknown(term, parts)
        zero = self._zero
        inside = [b.at_most(zero, beyond), b.at_most(beyond, parts[0])]
        self.fact(b.any_of([self._below(parts[0], zero), b.all_of(inside)]))
        outside = [self._below(beyond, zero), b.at_most(parts[0], beyond)]
        self.fact(b.any_of([b.at_most(zero, parts[0]), b.all_of(outside)]))
        shifted = [b.div(parts[0], 1 << n) for n in range(LARGEST_COUNT)]
        return self._table(parts[1], shifted, beyond)

    def _bitand(self, term: Term, parts: list[Any]) -> Any:
        if term.args[0] is term.args[1]:
            return parts[0]
        for place in (0, 1):
            if term.args[place].op is CONST:
                masked = self._masked(parts[1 - place], term.args[place].args[0])
                if masked is not None:
                    return masked
        return self._any_bits(term, parts)

    def _masked(self, value: Any, mask: int) -> Any:
        """`value & mask`: for each run of ones, the digits between two powers of two; None if
        there are too many runs.
        """
        if mask < 0:
            kept = self._masked(value, ~mask)
            return None if kept is None else self.build.sub(value, kept)
        runs = _runs(mask)
        if len(runs) > MOST_RUNS_OF_ONES:
            return None
        digits = []
        for low, length in runs:
            high = self.build.div(value, 1 << low) if low else value
            digits.append(self.build.mod(high, 1 << length))
        return self.build.linear(0, digits, [1 << low for low, _ in runs])

    def _any_bits(self, term: Term, parts: list[Any]) -> Any:
        """`left & right` as an unknown: from 0 to either operand that is not negative, and at most
        both where both are negative.
        """
        b = self.build
        result = self.unknown(term, parts)
        zero = self._zero
        left, right = parts
        for side in parts:
            inside = b.all_of([b.at_most(zero, result), b.at_most(result, side)])
            self.fact(b.any_of([self._below(side, zero), inside]))
        both = b.any_of([b.at_most(zero, left), b.at_most(zero, right)])
        least = b.all_of([b.at_most(result, left), b.at_most(result, right)])
        self.fact(b.any_of([both, least]))
        return result

    def _bit_length(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        size = b.choice(b.at_most(self._zero, parts[0]), parts[0], self._minus(parts[0]))
        result = self.unknown(term, parts)
        longest = LARGEST_COUNT
        self.fact(
            b.any_of(
                [
                    b.at_most(size, b.integer((1 << longest) - 1)),
                    b.at_most(b.integer(longest + 1), result),
                ]
            )
        )
        for length in range(longest, -1, -1):
            fits = b.at_most(size, b.integer((1 << length) - 1))
            result = b.choice(fits, b.integer(length), result)
        return result

    # -- doubles, as reals

    def _reals(self, term: Term, parts: list[Any]) -> tuple[Any, Any]:
        left, right = term.args
        return (
            self.build.real(parts[0]) if left.sort is Sort.INT else parts[0],
            self.build.real(parts[1]) if right.sort is Sort.INT else parts[1],
        )

    def _to_float(self, term: Term, parts: list[Any]) -> Any:
        self.narrow()
        return self.build.real(parts[0])

    def _truediv(self, term: Term, parts: list[Any]) -> Any:
        self.narrow()
        return self.build.quotient(self.build.real(parts[0]), self.build.real(parts[1]))

    def _fmod(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        whole = b.real(b.floor(b.quotient(parts[0], parts[1])))
        return b.sub(parts[0], b.mul(parts[1], whole))

    def _fpow(self, term: Term, parts: list[Any]) -> Any:
        exponent = term.args[1]
        if exponent.op is CONST and exponent.args[0] in PRODUCT_EXPONENTS:
            result = parts[0]
            for _ in range(int(exponent.args[0]) - 1):
                result = self.build.mul(result, parts[0])
            return result
        return self.unknown(term, parts)

    def _fabs(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        zero = b.rational(Fraction(0))
        return b.choice(b.at_most(zero, parts[0]), parts[0], b.sub(zero, parts[0]))

    def _fsqrt(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        root = self.unknown(term, parts)
        zero = b.rational(Fraction(0))
        square = b.equal(b.mul(root, root), parts[0])
        self.fact(
            b.any_of([self._below(parts[0], zero), b.all_of([b.at_most(zero, root), square])])
        )
        return root

    def _trunc(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        zero = b.rational(Fraction(0))
        down = b.floor(parts[0])
        up = self._minus(b.floor(b.sub(zero, parts[0])))
        return b.choice(b.at_most(zero, parts[0]), down, up)

    def _round(self, term: Term, parts: list[Any]) -> Any:
        """Half to even: floor(x + 1/2), one less where x + 1/2 is whole and odd."""
        b = self.build
        half = b.add(parts[0], b.rational(Fraction(1, 2)))
        up = b.floor(half)
        tie = b.all_of([b.equal(b.real(up), half), b.equal(b.mod(up, 2), b.integer(1))])
        return b.choice(tie, b.linear(-1, [up], [1]), up)


def _runs(mask: int) -> list[tuple[int, int]]:
    """(lowest bit, length) of each run of ones in a mask that is not negative."""
    runs = []
    low = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        low += zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        runs.append((low, ones))
        mask >>= ones
        low += ones
    return runs
