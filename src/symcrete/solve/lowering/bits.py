"""Conditions as bit-vectors and IEEE doubles.

Inputs get a given width; every node gets the width its values need, so that nothing ever wraps and
an answer means what Python means. The bound on the inputs loses solutions, hence "unsat" is a proof
only where no integer input occurs: doubles are exact.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

from symcrete.solve.lowering.lowerer import CannotLower, Lowered, Lowering
from symcrete.solve.lowering.numbers import LARGEST_TABLED_EXPONENT, PRODUCT_EXPONENTS
from symcrete.terms import operations as ops
from symcrete.terms.term import CONST, VAR, Sort, Term

# bits of a number; what needs more is left to other backends; chosen, not measured
MOST_NUMBER_BITS = 600
# bits of the largest entry of the table that stands for a power with an unknown exponent; chosen,
# not measured
WIDEST_POWER = 130
# the greatest count of a left shift, and the greatest unknown exponent of a constant; chosen, not
# measured
MOST_SHIFT = 64
EXACT_BITS = 53  # integers of up to so many bits are doubles, without rounding
WIDE_EXACT_BITS = 112  # integers of up to so many bits are quadruples, without rounding
# bits of an integer that a double is rounded to, at least; chosen, not measured
LEAST_ROUNDED_BITS = 16


class Bits(Protocol):
    """What a backend must be able to build; operands of an operation have one width."""

    def unknown_bits(self, name: str, width: int) -> Any: ...
    def unknown_truth(self, name: str) -> Any: ...
    def unknown_double(self, name: str) -> Any: ...
    def number(self, value: int, width: int) -> Any: ...
    def truth(self, value: bool) -> Any: ...
    def double(self, value: float) -> Any: ...
    def bits(self, operation: str, left: Any, right: Any) -> Any: ...
    def extend(self, bits: Any, extra: int) -> Any: ...  # with the sign
    def low(self, bits: Any, width: int) -> Any: ...
    def at_most(self, left: Any, right: Any) -> Any: ...  # signed
    def equal(self, left: Any, right: Any) -> Any: ...
    def negation(self, condition: Any) -> Any: ...
    def all_of(self, conditions: list[Any]) -> Any: ...
    def any_of(self, conditions: list[Any]) -> Any: ...
    def choice(self, condition: Any, then: Any, other: Any) -> Any: ...
    def doubles(self, operation: str, *parts: Any) -> Any: ...
    def to_double(self, bits: Any) -> Any: ...
    def to_bits(self, double: Any, rounding: str, width: int) -> Any: ...
    def wide(self, double: Any) -> Any: ...  # as a quadruple
    def to_wide(self, bits: Any) -> Any: ...


class Ranged(NamedTuple):
    """An integer node: its bits, and the least and greatest value they can stand for."""

    bits: Any
    low: int
    high: int

    @property
    def width(self) -> int:
        return width_of(self.low, self.high)


def width_of(low: int, high: int) -> int:
    """Bits of a signed number in this range."""
    return (
        max((~low if low < 0 else low).bit_length(), (~high if high < 0 else high).bit_length()) + 1
    )


class BitLowering(Lowering):
    """Rows for every operation but the opaque ones; integer inputs of `width` bits."""

    def __init__(self, build: Bits, width: int) -> None:
        super().__init__()
        self.build = build
        self.width = width
        b = build
        self.rows = {
            VAR: self._variable,
            CONST: self._constant,
            ops.LINEAR: self._linear,
            ops.MUL: self._mul,
            ops.FLOORDIV: self._floordiv,
            ops.MOD: self._mod,
            ops.POW: self._pow,
            ops.LSHIFT: self._lshift,
            ops.RSHIFT: self._rshift,
            ops.BITAND: self._bitand,
            ops.BITOR: lambda t, p: self._bitwise("or", p),
            ops.BITXOR: lambda t, p: self._bitwise("xor", p),
            ops.ABS: self._abs,
            ops.BIT_LENGTH: self._bit_length,
            ops.LE0: lambda t, p: b.at_most(p[0].bits, b.number(0, p[0].width)),
            ops.EQ0: lambda t, p: b.equal(p[0].bits, b.number(0, p[0].width)),
            ops.NOT: lambda t, p: b.negation(p[0]),
            ops.AND: lambda t, p: b.all_of(p),
            ops.OR: lambda t, p: b.any_of(p),
            ops.IFF: lambda t, p: b.equal(p[0], p[1]),
            ops.ITE: self._choice,
            ops.MODELLED: self._modelled,
            ops.FADD: lambda t, p: b.doubles("add", *p),
            ops.FSUB: lambda t, p: b.doubles("sub", *p),
            ops.FMUL: lambda t, p: b.doubles("mul", *p),
            ops.FDIV: lambda t, p: b.doubles("div", *p),
            ops.FFLOORDIV: self._ffloordiv,
            ops.FMOD: self._fmod,
            ops.FPOW: self._fpow,
            ops.FNEG: lambda t, p: b.doubles("neg", *p),
            ops.FABS: lambda t, p: b.doubles("abs", *p),
            ops.FSQRT: lambda t, p: b.doubles("sqrt", *p),
            ops.FLT: lambda t, p: b.doubles("lt", *self._compared(t, p)),
            ops.FLE: lambda t, p: b.doubles("le", *self._compared(t, p)),
            ops.FEQ: lambda t, p: b.doubles("eq", *self._compared(t, p)),
            ops.ISNAN: lambda t, p: b.doubles("isnan", *p),
            ops.ISINF: lambda t, p: b.doubles("isinf", *p),
            ops.TO_FLOAT: lambda t, p: b.to_double(p[0].bits),
            ops.TRUEDIV: self._truediv,
            ops.TRUNC: lambda t, p: self._rounded(p[0], "zero"),
            ops.FLOOR: lambda t, p: self._rounded(p[0], "down"),
            ops.CEIL: lambda t, p: self._rounded(p[0], "up"),
            ops.ROUND: lambda t, p: self._rounded(p[0], "even"),
        }

    def parts(self, term: Term) -> list[Term]:
        if term.op is ops.MODELLED:
            return list(term.args[1:])
        return super().parts(term)

    def conjunction(self, node: Lowered) -> Any:
        if not node.facts:
            return node.expression
        return self.build.all_of([node.expression, *node.facts])

    def nonzero(self, divisor: Term) -> Any:
        node = self.node(divisor).expression
        b = self.build
        if divisor.sort is Sort.INT:
            return b.negation(b.equal(node.bits, b.number(0, node.width)))
        return b.negation(b.doubles("eq", node, b.double(0.0)))

    def unknown(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is Sort.INT:
            self.narrow()
        return self._unknown(f"!{term.index}", term.sort)

    def _unknown(self, name: str, sort: Sort) -> Any:
        if sort is Sort.BOOL:
            return self.build.unknown_truth(name)
        if sort is Sort.FLOAT:
            return self.build.unknown_double(name)
        if sort is not Sort.INT:
            raise CannotLower("a value that is no number")
        half = 1 << (self.width - 1)
        return Ranged(self.build.unknown_bits(name, self.width), -half, half - 1)

    def _variable(self, term: Term, parts: list[Any]) -> Any:
        return self._unknown(term.args[0], term.sort)

    def _constant(self, term: Term, parts: list[Any]) -> Any:
        value = term.args[0]
        if term.sort is Sort.INT:
            return self._number(value)
        if term.sort is Sort.BOOL:
            return self.build.truth(value)
        if term.sort is Sort.FLOAT:
            return self.build.double(value)
        raise CannotLower("a value that is no number")

    def _number(self, value: int) -> Ranged:
        return Ranged(self.build.number(value, self._checked(value, value)), value, value)

    # -- integers

    def _checked(self, low: int, high: int) -> int:
        width = width_of(low, high)
        if width > MOST_NUMBER_BITS:
            raise CannotLower(f"numbers of more than {MOST_NUMBER_BITS} bits")
        return width

    def _at(self, node: Ranged, width: int) -> Any:
        """The node's bits, extended or cut to this width."""
        extra = width - node.width
        if extra == 0:
            return node.bits
        if extra < 0:  # of a sum or product that fits anyway
            return self.build.low(node.bits, width)
        return self.build.extend(node.bits, extra)

    def _ranged(self, bits: Any, width: int, low: int, high: int) -> Ranged:
        """A node whose bits are cut to what its range needs."""
        needed = width_of(low, high)
        if needed < width:
            bits = self.build.low(bits, needed)
        return Ranged(bits, low, high)

    def _linear(self, term: Term, parts: list[Any]) -> Ranged:
        b = self.build
        constant, factors = term.args[0], term.args[2::2]
        low = high = constant
        for node, factor in zip(parts, factors, strict=True):
            ends = node.low * factor, node.high * factor
            low, high = low + min(ends), high + max(ends)
        # What is added up may wrap; the sum fits, and so comes out right.
        width = self._checked(low, high)
        total = b.number(_wrapped(constant, width), width) if constant else None
        for node, factor in zip(parts, factors, strict=True):
            product = self._at(node, width)
            if factor != 1:
                product = b.bits("mul", b.number(_wrapped(factor, width), width), product)
            total = product if total is None else b.bits("add", total, product)
        return Ranged(total, low, high)

    def _mul(self, term: Term, parts: list[Any]) -> Ranged:
        one, two = parts
        ends = [a * c for a in (one.low, one.high) for c in (two.low, two.high)]
        low, high = min(ends), max(ends)
        width = self._checked(low, high)
        product = self.build.bits("mul", self._at(one, width), self._at(two, width))
        return Ranged(product, low, high)

    def _floordiv(self, term: Term, parts: list[Any]) -> Ranged:
        one, two = parts
        b = self.build
        if two.low == two.high and two.low > 0:
            low, high = one.low // two.low, one.high // two.low
        else:
            most = max(abs(one.low), abs(one.high))
            low, high = -most, most
        width = max(one.width, two.width, self._checked(low, high)) + 1
        left, right = self._at(one, width), self._at(two, width)
        whole = b.bits("sub", left, b.bits("smod", left, right))
        return self._ranged(b.bits("sdiv", whole, right), width, low, high)

    def _mod(self, term: Term, parts: list[Any]) -> Ranged:
        one, two = parts
        b = self.build
        # The result has the divisor's sign and is smaller.
        low, high = min(two.low + 1, 0), max(two.high - 1, 0)
        divisor = two.low if two.low == two.high else 0
        if divisor > 0 and divisor & (divisor - 1) == 0:
            length = divisor.bit_length() - 1
            if length < one.width:
                kept = b.bits(
                    "and", one.bits, b.number(_wrapped(divisor - 1, one.width), one.width)
                )
                return self._ranged(kept, one.width, low, high)
        width = max(one.width, two.width)
        rest = b.bits("smod", self._at(one, width), self._at(two, width))
        return self._ranged(rest, width, low, high)

    def _pow(self, term: Term, parts: list[Any]) -> Ranged:
        base, exponent = parts
        result = self._number(1)
        if exponent.low == exponent.high:
            for _ in range(exponent.low):
                result = self._mul(term, [result, base])
            return result
        last = min(MOST_SHIFT if base.low == base.high else LARGEST_TABLED_EXPONENT, exponent.high)
        return self._indexed(exponent, base, last)

    def _indexed(self, exponent: Ranged, base: Ranged, last: int) -> Ranged:
        """base ** exponent as a table of the powers up to the last."""
        b = self.build
        powers = [self._number(1)]
        while len(powers) <= last and powers[-1].width + base.width <= WIDEST_POWER:
            powers.append(self._mul(None, [powers[-1], base]))  # type: ignore[arg-type]
        result = powers[-1]
        for place in range(len(powers) - 2, -1, -1):
            here = b.equal(exponent.bits, b.number(place, exponent.width))
            result = self._either(here, powers[place], result)
        self._within(exponent, 0, len(powers) - 1)
        return result

    def _within(self, node: Ranged, low: int, high: int) -> None:
        """Leave out the inputs for which the node is outside of these bounds."""
        if low <= node.low and node.high <= high:
            return
        b = self.build
        self.narrow()
        width = max(node.width, width_of(low, high))
        bits = self._at(node, width)
        self.fact(b.at_most(b.number(low, width), bits))
        self.fact(b.at_most(bits, b.number(high, width)))

    def _lshift(self, term: Term, parts: list[Any]) -> Ranged:
        one, count = parts
        most = min(MOST_SHIFT, max(0, count.high))
        self._within(count, 0, most)
        ends = [one.low, one.high, one.low << most, one.high << most]
        low, high = min(ends), max(ends)
        width = max(self._checked(low, high), count.width, most.bit_length() + 1)
        shifted = self.build.bits("shl", self._at(one, width), self._at(count, width))
        return self._ranged(shifted, width, low, high)

    def _rshift(self, term: Term, parts: list[Any]) -> Ranged:
        one, count = parts
        width = max(one.width, count.width)
        shifted = self.build.bits("ashr", self._at(one, width), self._at(count, width))
        return self._ranged(shifted, width, min(one.low, 0), max(one.high, 0))

    def _bitand(self, term: Term, parts: list[Any]) -> Ranged:
        bounds = [node.high for node in parts if node.low >= 0]
        found = self._bitwise("and", parts)
        if not bounds:
            return found
        return self._ranged(found.bits, found.width, 0, min(bounds))

    def _bitwise(self, operation: str, parts: list[Any]) -> Ranged:
        one, two = parts
        width = max(one.width, two.width)
        bits = self.build.bits(operation, self._at(one, width), self._at(two, width))
        half = 1 << (width - 1)
        if one.low >= 0 and two.low >= 0:
            return Ranged(bits, 0, half - 1)
        return Ranged(bits, -half, half - 1)

    def _abs(self, term: Term, parts: list[Any]) -> Ranged:
        node = parts[0]
        b = self.build
        high = max(abs(node.low), abs(node.high))
        width = max(node.width, width_of(0, high))
        bits = self._at(node, width)
        zero = b.number(0, width)
        positive = b.choice(b.at_most(zero, bits), bits, b.bits("sub", zero, bits))
        return (
            Ranged(positive, 0, high)
            if width == width_of(0, high)
            else Ranged(positive, -high, high)
        )

    def _bit_length(self, term: Term, parts: list[Any]) -> Ranged:
        size = self._abs(term, parts)
        b = self.build
        longest = max(abs(size.high), 1).bit_length()
        result = self._number(longest)
        for length in range(longest - 1, -1, -1):
            fits = b.at_most(size.bits, b.number((1 << length) - 1, size.width))
            result = self._either(fits, self._number(length), result)
        return result

    def _choice(self, term: Term, parts: list[Any]) -> Any:
        if term.sort is Sort.INT:
            return self._either(*parts)
        return self.build.choice(*parts)

    def _either(self, condition: Any, then: Ranged, other: Ranged) -> Ranged:
        low, high = min(then.low, other.low), max(then.high, other.high)
        width = width_of(low, high)
        bits = self.build.choice(condition, self._at(then, width), self._at(other, width))
        return Ranged(bits, low, high)

    def _modelled(self, term: Term, parts: list[Any]) -> Any:
        """The model of a term; inputs for which it may differ from the term are left out."""
        model, agrees = parts
        if not (term.args[2].is_const and term.args[2].value):
            self.narrow()
            if not term.args[2].is_const:
                self.fact(agrees)
        return model

    # -- doubles

    def _compared(self, term: Term, parts: list[Any]) -> list[Any]:
        """Both sides as doubles, or as quadruples where an integer might not be a double."""
        nodes = list(zip(term.args, parts, strict=True))
        wide = any(arg.sort is Sort.INT and node.width > EXACT_BITS for arg, node in nodes)
        b = self.build
        made = []
        for arg, node in nodes:
            if arg.sort is Sort.INT:
                if node.width > WIDE_EXACT_BITS:
                    raise CannotLower(
                        f"an integer beyond {WIDE_EXACT_BITS} bits compared with a double"
                    )
                made.append(b.to_wide(node.bits) if wide else b.to_double(node.bits))
            else:
                made.append(b.wide(node) if wide else node)
        return made

    def _truediv(self, term: Term, parts: list[Any]) -> Any:
        # Python rounds the exact quotient once. So does this where both integers are doubles;
        # larger ones are rounded first, which seldom changes the result, but proves nothing.
        b = self.build
        if any(part.width > EXACT_BITS for part in parts):
            self.narrow()
        return b.doubles("div", b.to_double(parts[0].bits), b.to_double(parts[1].bits))

    def _rounded(self, double: Any, rounding: str) -> Ranged:
        """The double as an integer; inputs for which that has too many bits are left out."""
        b = self.build
        width = max(self.width, LEAST_ROUNDED_BITS)
        half = 1 << (width - 1)
        most = float(half - (1 << max(0, width - 1 - EXACT_BITS)))
        self.narrow()
        self.fact(b.doubles("le", b.double(-most), double))
        self.fact(b.doubles("le", double, b.double(most - (1.0 if width < EXACT_BITS else 0.0))))
        return Ranged(b.to_bits(double, rounding, width), -half, half - 1)

    def _ffloordiv(self, term: Term, parts: list[Any]) -> Any:
        self.narrow()  # the quotient is rounded before it is floored
        return self.build.doubles("floor", self.build.doubles("div", *parts))

    def _fmod(self, term: Term, parts: list[Any]) -> Any:
        b = self.build
        whole = self._ffloordiv(term, parts)
        return b.doubles("sub", parts[0], b.doubles("mul", parts[1], whole))

    def _fpow(self, term: Term, parts: list[Any]) -> Any:
        exponent = term.args[1]
        if exponent.op is not CONST or not math.isfinite(exponent.args[0]):
            return self.unknown(term, parts)
        b = self.build
        self.narrow()
        if exponent.args[0] == 0.5:  # a square root
            return b.doubles("sqrt", parts[0])
        if exponent.args[0] in PRODUCT_EXPONENTS[1:]:
            result = parts[0]
            for _ in range(int(exponent.args[0]) - 1):
                result = b.doubles("mul", result, parts[0])
            return result
        return self.unknown(term, parts)


def _wrapped(value: int, width: int) -> int:
    """The signed number with the same lowest bits."""
    half = 1 << (width - 1)
    return ((value + half) & ((1 << width) - 1)) - half
