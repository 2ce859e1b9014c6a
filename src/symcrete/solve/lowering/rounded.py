"""Doubles as reals that may be off by a rounding: what this cannot satisfy, no double can.

A node is a real number and whether it is nan instead; the infinities are numbers beyond the largest
double, so comparisons are exact. The result of an operation lies within half a unit in the last
place of the exact one. That only adds solutions, hence "unsat" is a proof, found by linear
arithmetic instead of bit by bit.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from symcrete.slotted import dataclass
from symcrete.solve.lowering.numbers import Arithmetic, ArithmeticLowering
from symcrete.terms import operations as ops
from symcrete.terms.term import CONST, VAR, Sort, Term

INFINITE = Fraction(2**1024)
# results up to this are within an error of the exact one; of larger ones is only told that they
# are at least this large, with the sign of the exact one, and of quotients of integers nothing
LARGE_REAL = Fraction(2**70)
# of results up to this size, some of which are subnormal, is only told that they are no larger
SMALL_REAL = Fraction(1, 2**60)
HALF_UNIT = Fraction(1, 2**53)  # the relative error of one rounding
EXACT_BELOW = 2**53  # integers up to this are doubles


@dataclass(frozen=True, slots=True)
class Rounded:
    """A double as a real number, and the condition that it is nan instead."""

    real: Any
    nan: Any  # a condition


class RoundedLowering(ArithmeticLowering):
    """The rows for doubles replaced; integers as in the parent."""

    def __init__(self, build: Arithmetic) -> None:
        super().__init__(build)
        b = build
        self._nought = b.rational(Fraction(0))
        self._top, self._bottom = b.rational(INFINITE), b.rational(-INFINITE)
        self._never = b.truth(False)
        self.rows |= {
            VAR: self._leaf,
            CONST: self._known,
            ops.ITE: self._chosen,
            ops.FADD: lambda t, p: self._sum(t, p, sign=1),
            ops.FSUB: lambda t, p: self._sum(t, p, sign=-1),
            ops.FMUL: self._product_of,
            ops.FDIV: self._quotient_of,
            ops.FNEG: lambda t, p: Rounded(b.sub(self._nought, p[0].real), p[0].nan),
            ops.FABS: self._magnitude,
            ops.FSQRT: self._root,
            ops.FFLOORDIV: self._anything,
            ops.FMOD: self._anything,
            ops.FPOW: self._anything,
            ops.FLT: lambda t, p: self._compared(t, p, "<"),
            ops.FLE: lambda t, p: self._compared(t, p, "<="),
            ops.FEQ: lambda t, p: self._compared(t, p, "=="),
            ops.ISNAN: lambda t, p: p[0].nan,
            ops.ISINF: lambda t, p: b.all_of([b.negation(p[0].nan), self._infinite(p[0])]),
            ops.TO_FLOAT: self._from_integer,
            ops.TRUEDIV: self._ratio,
            ops.TRUNC: lambda t, p: self._trunc(t, [p[0].real]),
            ops.FLOOR: lambda t, p: b.floor(p[0].real),
            ops.CEIL: lambda t, p: self._minus(b.floor(b.sub(self._nought, p[0].real))),
            ops.ROUND: lambda t, p: self._round(t, [p[0].real]),
        }

    def unknown(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is Sort.FLOAT:
            return self._free(f"!{term.index}")
        return super().unknown(term, parts)

    def nonzero(self, divisor: Term) -> Any:
        node = self.node(divisor).expression
        if divisor.sort is Sort.INT:
            return self.build.negation(self.build.equal(node, self._zero))
        return self.build.negation(self.build.equal(node.real, self._nought))

    def _free(self, name: str) -> Rounded:
        b = self.build
        real = b.unknown(name, Sort.FLOAT)
        self.fact(b.at_most(self._bottom, real))
        self.fact(b.at_most(real, self._top))
        return Rounded(real, b.unknown(f"{name}!nan", Sort.BOOL))

    def _leaf(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is Sort.FLOAT:
            return self._free(term.args[0])
        return self._variable(term, parts)

    def _known(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is not Sort.FLOAT:
            return self._constant(term, parts)
        value = term.args[0]
        b = self.build
        if math.isnan(value):
            return Rounded(self._nought, b.truth(True))
        if math.isinf(value):
            return Rounded(self._top if value > 0 else self._bottom, self._never)
        return Rounded(b.rational(Fraction(value)), self._never)

    def _chosen(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        if term.sort is not Sort.FLOAT:
            return b.choice(*parts)
        test, then, other = parts
        return Rounded(b.choice(test, then.real, other.real), b.choice(test, then.nan, other.nan))

    def modelled(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is not Sort.FLOAT:
            return super().modelled(term, parts)
        model, agrees = parts
        if term.args[2].is_const and term.args[2].value:
            return model
        b = self.build
        result = self._free(f"!{term.index}")
        same = [b.equal(result.real, model.real), b.equal(result.nan, model.nan)]
        self.fact(b.any_of([b.negation(agrees), b.all_of(same)]))
        return result

    def _infinite(self, node: Rounded) -> Any:
        b = self.build
        return b.any_of([b.equal(node.real, self._top), b.equal(node.real, self._bottom)])

    def _between(self, real: Any, bound: Fraction) -> Any:
        b = self.build
        return b.all_of([b.at_most(b.rational(-bound), real), b.at_most(real, b.rational(bound))])

    def _anything(self, term: Term, parts: list[Any]) -> Rounded:
        return self._free(f"!{term.index}")

    def _sum(self, term: Term, parts: list[Rounded], *, sign: int) -> Rounded:
        """The sum or difference; an infinity plus anything finite is that infinity."""
        b = self.build
        one, two = parts[0].real, parts[1].real
        other = two if sign > 0 else b.sub(self._nought, two)
        exact = b.add(one, other)
        endless = [self._infinite(part) for part in parts]
        opposite = b.all_of([*endless, b.equal(exact, self._nought)])
        node = self._special(term, parts, opposite)
        self.fact(self._unless([node.nan, b.negation(endless[0])], b.equal(node.real, one)))
        self.fact(self._unless([node.nan, b.negation(endless[1])], b.equal(node.real, other)))
        self._finite(node, exact, endless, tiny=False)
        return node

    def _product_of(self, term: Term, parts: list[Rounded]) -> Rounded:
        b = self.build
        exact = b.mul(parts[0].real, parts[1].real)
        endless = [self._infinite(part) for part in parts]
        any_endless = b.any_of(endless)
        undefined = b.all_of([any_endless, b.equal(exact, self._nought)])
        node = self._special(term, parts, undefined)
        self._signed(node, exact, [node.nan, b.negation(any_endless)])
        self._finite(node, exact, endless, tiny=True)
        return node

    def _quotient_of(self, term: Term, parts: list[Rounded]) -> Rounded:
        b = self.build
        exact = b.quotient(parts[0].real, parts[1].real)
        top, bottom = [self._infinite(part) for part in parts]
        node = self._special(term, parts, b.all_of([top, bottom]))
        nothing = b.equal(node.real, self._nought)
        self.fact(self._unless([node.nan, b.negation(bottom)], nothing))
        self._signed(node, exact, [node.nan, b.negation(top)])
        self._finite(node, exact, [top, bottom], tiny=True)
        return node

    def _unless(self, exceptions: list[Any], fact: Any) -> Any:
        return self.build.any_of([*exceptions, fact])

    def _special(self, term: Term, parts: list[Rounded], undefined: Any) -> Rounded:
        """A result that is nan exactly if an operand is, or the operation is undefined."""
        b = self.build
        node = self._free(f"!{term.index}")
        self.fact(b.equal(node.nan, b.any_of([*[part.nan for part in parts], undefined])))
        return node

    def _signed(self, node: Rounded, exact: Any, exceptions: list[Any]) -> None:
        """Add the fact that the node is infinite, with the sign of the exact result, unless an
        exception holds.
        """
        b = self.build
        up, down = b.equal(node.real, self._top), b.equal(node.real, self._bottom)
        infinite = b.choice(b.at_most(self._nought, exact), up, down)
        self.fact(self._unless(exceptions, infinite))

    def _finite(self, node: Rounded, exact: Any, endless: list[Any], *, tiny: bool) -> None:
        """Add the fact that the node is the double nearest to the exact result, as far as linear
        arithmetic can tell.
        """
        b = self.build
        usual = self._between(exact, LARGE_REAL)
        near = self._near(node.real, exact, tiny=tiny)
        far = b.choice(
            b.at_most(self._nought, exact),
            b.at_most(b.rational(LARGE_REAL), node.real),
            b.at_most(node.real, b.rational(-LARGE_REAL)),
        )
        self.fact(self._unless([node.nan, *endless], b.choice(usual, near, far)))

    def _near(self, real: Any, exact: Any, *, tiny: bool) -> Any:
        """The condition that a real lies between the exact result times 1 - 2**-53 and times
        1 + 2**-53; with `tiny`, that one near 0 stays near 0.
        """
        b = self.build
        more = b.mul(b.rational(1 + HALF_UNIT), exact)
        less = b.mul(b.rational(1 - HALF_UNIT), exact)
        positive = b.all_of([b.at_most(less, real), b.at_most(real, more)])
        negative = b.all_of([b.at_most(more, real), b.at_most(real, less)])
        near = b.choice(b.at_most(self._nought, exact), positive, negative)
        if not tiny:
            return near
        # Subnormal results are off by more; rounding keeps the order, which is enough here.
        return b.choice(self._between(exact, SMALL_REAL), self._between(real, SMALL_REAL), near)

    def _magnitude(self, term: Term, parts: list[Rounded]) -> Rounded:
        b = self.build
        real = parts[0].real
        flipped = b.sub(self._nought, real)
        return Rounded(b.choice(b.at_most(self._nought, real), real, flipped), parts[0].nan)

    def _root(self, term: Term, parts: list[Rounded]) -> Rounded:
        """A square root of which is told that it is not negative, and on which side of 1 it is:
        more is not linear.
        """
        b = self.build
        node = self._free(f"!{term.index}")
        one = b.rational(Fraction(1))
        self.fact(b.any_of([b.negation(node.nan), parts[0].nan]))
        self.fact(b.at_most(self._nought, node.real))
        of, root = parts[0].real, node.real
        for premise, conclusion in (
            (b.at_most(of, one), b.at_most(root, one)),
            (b.at_most(one, of), b.at_most(one, root)),
            # The root of the next double after 1 is rounded to 1.
            (b.at_most(root, one), b.at_most(of, b.rational(1 + 2 * HALF_UNIT))),
        ):
            self.fact(b.any_of([parts[0].nan, b.negation(premise), conclusion]))
        return node

    def _compared(self, term: Term, parts: list[Any], sign: str) -> Any:
        b = self.build
        sides, numbers = [], []
        for arg, part in zip(term.args, parts, strict=True):
            if arg.sort is Sort.INT:
                sides.append(b.real(part))
            else:
                sides.append(part.real)
                if part.nan is not self._never:
                    numbers.append(b.negation(part.nan))
        left, right = sides
        if sign == "==":
            related = b.equal(left, right)
        elif sign == "<=":
            related = b.at_most(left, right)
        else:
            related = b.negation(b.at_most(right, left))
        for arg, other, part in zip(term.args, term.args[::-1], sides, strict=True):
            # Infinity stands for a number here, which integers may pass: what then holds is open.
            if arg.sort is Sort.INT and not (other.is_const and math.isfinite(other.value)):
                within = self._between(part, INFINITE - 1)
                related = b.choice(within, related, b.unknown(f"!{term.index}!far", Sort.BOOL))
        return b.all_of([*numbers, related])

    def _from_integer(self, term: Term, parts: list[Any]) -> Rounded:
        b = self.build
        whole = b.real(parts[0])
        node = self._free(f"!{term.index}")
        self.fact(b.negation(node.nan))
        self.fact(
            b.choice(
                self._between(whole, Fraction(EXACT_BELOW)),
                b.equal(node.real, whole),
                self._near(node.real, whole, tiny=False),
            )
        )
        return node

    def _ratio(self, term: Term, parts: list[Any]) -> Rounded:
        b = self.build
        exact = b.quotient(b.real(parts[0]), b.real(parts[1]))
        node = self._free(f"!{term.index}")
        self.fact(b.negation(node.nan))
        usual = self._between(exact, LARGE_REAL)
        self.fact(b.any_of([b.negation(usual), self._near(node.real, exact, tiny=True)]))
        return node
