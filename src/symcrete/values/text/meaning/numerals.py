"""From text to numbers: `int(s)`, `int(s, 16)`, `float(s)`.

That the text is a number is one condition, what it is worth is one term, whatever the number of
digits: solvers see the plain ways to write a number, evaluation knows all of them.
"""

from __future__ import annotations

from typing import Any

from symcrete.terms import floats, integers
from symcrete.terms.characters import WITNESSES, between, member, ranges_of
from symcrete.terms.logic import choose, conjoin, disjoin, negate
from symcrete.terms.term import Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import apply, modelled
from symcrete.values.text.content.contents import Content, Span
from symcrete.values.text.meaning.searching import span_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import concolic_float, concolic_int

LONGEST_NUMERAL = 40  # characters of an `int(text)` that is modelled; chosen, not measured
# characters of `int(text)` that are modelled where its length is open; chosen, not measured
MOST_READ_DIGITS = 12
MOST_DECIMALS = 8  # characters of a number with a point that are modelled; chosen, not measured
_PLUS, _MINUS, _POINT, _UNDERSCORE = 43, 45, 46, 95  # codes of characters
_PREFIXED = {2: "bB", 8: "oO", 16: "xX"}
# characters that are no blanks: those of ASCII, and the witnesses, which stand for all others and
# are no digits that `int` takes
_NO_BLANK = ((33, 126), *[(code, code) for code in WITNESSES])
_terms: dict[Any, Term] = memo()


def _succeeds(kind: type) -> Any:
    def test(text: Any, *base: int) -> bool:
        try:
            kind(text, *base)
        except ValueError:
            return False
        return True

    return test


_IS_INT = Operation("is_int", Sort.BOOL, _succeeds(int), "", opaque=True)
_INT = Operation("int", Sort.INT, int, "int({0})", opaque=True)
_INT_OF_BASE = Operation("int", Sort.INT, int, "int({0}, {1})", opaque=True)
_IS_FLOAT = Operation("is_float", Sort.BOOL, _succeeds(float), "", opaque=True)
_FLOAT = Operation("float", Sort.FLOAT, float, "float({0})", opaque=True)


def to_int(content: Content, plain: Any, base: int) -> Any:
    """`int(text, base)`; that it fails is a branch."""
    span = _from_its_start(content)
    whole = span.whole
    key: tuple[Any, ...] = ("int", span.key, base)
    found = _terms.get(key)
    if found is None:
        args = (whole,) if base == 10 else (whole, int_const(base))
        found = apply(_IS_INT, *args)
        value = apply(_INT if base == 10 else _INT_OF_BASE, *args)
        number = _Integer(span, base)
        if number.is_modelled:
            found = modelled(found, number.is_one(), number.agrees())
            value = modelled(value, number.value(), number.agrees())
        _terms[key], _terms[(*key, "value")] = found, value
    well = _succeeds(int)(plain, base)
    if not recording.active().implicit("ValueError", found, well):
        return int(plain, base)  # raises
    return concolic_int(int(plain, base), _terms[(*key, "value")])


def _from_its_start(content: Content) -> Span:
    """The content as a span whose start is fixed: digits count from the first, how many there are
    may stay open.
    """
    span = span_of(content)
    span.start.fix()
    return span


class _Integer:
    """The plain ways to write an integer: perhaps a sign, then digits."""

    def __init__(self, span: Span, base: int) -> None:
        self.base = base
        self.length = span.length
        fixed = self.length.is_const
        self.most = self.length.value if fixed else min(MOST_READ_DIGITS, _room(span))
        self.is_modelled = 2 <= base <= 36 and self.most <= LONGEST_NUMERAL
        self.codes = [span.at(index) for index in range(self.most)]

    def is_one(self) -> Term:
        """The condition that the text is an integer written plainly."""
        parts = [integers.lt(int_const(0), self.length)]
        for index, code in enumerate(self.codes):
            ways = [integers.le(self.length, int_const(index)), self._is_digit(code)]
            if index == 0:
                signed = [self._is_sign(code), integers.lt(int_const(1), self.length)]
                ways.append(conjoin(signed))
            parts.append(disjoin(ways))
        return conjoin(parts)

    def agrees(self) -> Term:
        """The condition that there are no blanks, underscores, prefixes or digits of other
        scripts, so that the model is exact.
        """
        odd = ranges_of([_UNDERSCORE, *map(ord, _PREFIXED.get(self.base, ""))])
        parts = [integers.le(self.length, int_const(self.most))]
        for index, code in enumerate(self.codes):
            plain = conjoin([member(code, _NO_BLANK), negate(member(code, odd))])
            parts.append(disjoin([integers.le(self.length, int_const(index)), plain]))
        return conjoin(parts)

    def value(self) -> Term:
        """The term of the integer that the text stands for."""
        if not self.codes:
            return int_const(0)
        digits = [self._digit(code) for code in self.codes]
        with_first, without = digits[0], int_const(0)
        values = [with_first]
        negative = integers.eq(self.codes[0], int_const(_MINUS))
        sign = self._is_sign(self.codes[0])
        for digit in digits[1:]:
            with_first = integers.add(integers.scale(with_first, self.base), digit)
            without = integers.add(integers.scale(without, self.base), digit)
            signed = choose(negative, integers.neg(without), without)
            values.append(choose(sign, signed, with_first))
        chosen = values[-1]
        for count in range(len(values) - 1, 0, -1):
            chosen = choose(integers.eq(self.length, int_const(count)), values[count - 1], chosen)
        return chosen

    def _is_sign(self, code: Term) -> Term:
        return member(code, ranges_of([_PLUS, _MINUS]))

    def _is_digit(self, code: Term) -> Term:
        count = min(self.base, 10)
        ranges = [(48, 47 + count)]
        if self.base > 10:
            ranges += [(65, 54 + self.base), (97, 86 + self.base)]
        return member(code, tuple(ranges))

    def _digit(self, code: Term) -> Term:
        value = integers.sub(code, int_const(48))
        if self.base <= 10:
            return value
        upper = choose(
            integers.le(code, int_const(90)),
            integers.sub(code, int_const(55)),
            integers.sub(code, int_const(87)),
        )
        return choose(integers.le(code, int_const(57)), value, upper)


def _room(span: Span) -> int:
    return max(0, span.root.window - span.start.value)


# -- floats


def to_float(content: Content, plain: Any) -> Any:
    """`float(text)`; that it fails is a branch."""
    span = _from_its_start(content)
    whole = span.whole
    key: tuple[Any, ...] = ("float", span.key)
    found = _terms.get(key)
    if found is None:
        number = _Decimal(span)
        found = modelled(apply(_IS_FLOAT, whole), number.is_one(), number.agrees())
        _terms[key] = found
        exact = apply(_FLOAT, whole)
        _terms[(*key, "value")] = modelled(exact, number.value(), number.agrees())
    well = _succeeds(float)(plain)
    if not recording.active().implicit("ValueError", found, well):
        return float(plain)  # raises
    return concolic_float(float(plain), _terms[(*key, "value")])


class _Decimal:
    """The plain ways to write a decimal: perhaps a sign, digits, perhaps a point among them."""

    def __init__(self, span: Span) -> None:
        self.length = span.length
        self.most = min(MOST_DECIMALS, _room(span))
        if self.length.is_const:
            self.most = min(self.most, self.length.value)
        self.codes = [span.at(index) for index in range(self.most)]
        self.absent = [integers.le(self.length, int_const(i)) for i in range(self.most)]

    def is_one(self) -> Term:
        """The condition that the text is a decimal written plainly."""
        points, digits = int_const(0), int_const(0)
        parts = []
        for index, code in enumerate(self.codes):
            is_point, is_digit = self._is_point(code), between(code, 48, 57)
            there = negate(self.absent[index])
            points = integers.add(points, integers.from_truth(conjoin([there, is_point])))
            digits = integers.add(digits, integers.from_truth(conjoin([there, is_digit])))
            ways = [self.absent[index], is_point, is_digit]
            if index == 0:
                ways.append(member(code, ranges_of([_PLUS, _MINUS])))
            parts.append(disjoin(ways))
        one = int_const(1)
        return conjoin([*parts, integers.le(points, one), integers.le(one, digits)])

    def agrees(self) -> Term:
        """The condition that there are only signs, points and digits, and so few that the model
        looks at all of them.
        """
        parts = [integers.le(self.length, int_const(self.most))]
        plain = ranges_of([_PLUS, _MINUS, _POINT, *range(48, 58)])
        for index, code in enumerate(self.codes):
            parts.append(disjoin([self.absent[index], member(code, plain)]))
        return conjoin(parts)

    def value(self) -> Term:
        """The term of the float that the text stands for."""
        chosen = const(0.0)
        for count in range(1, self.most + 1):
            this = integers.eq(self.length, int_const(count))
            if this.is_const and not this.value:
                continue
            codes = self.codes[:count]
            value = self._worth(codes, None)
            for point in range(count):
                value = choose(self._is_point(codes[point]), self._worth(codes, point), value)
            chosen = choose(this, value, chosen)
        return chosen

    def _worth(self, codes: list[Term], point: int | None) -> Term:
        """The value if the point is at this place; for so few digits the division rounds
        correctly.
        """
        negative = integers.eq(codes[0], int_const(_MINUS))
        signed = member(codes[0], ranges_of([_PLUS, _MINUS]))
        total, without = int_const(0), int_const(0)
        for index, code in enumerate(codes):
            if index == point:
                continue
            digit = integers.sub(code, int_const(48))
            total = integers.add(integers.scale(total, 10), digit)
            if index:
                without = integers.add(integers.scale(without, 10), digit)
        whole = floats.to_float(choose(signed, without, total))
        places = 0 if point is None else len(codes) - 1 - point
        value = floats.div(whole, const(10.0**places)) if places else whole
        # The float is negated, not the integer: "-0" is -0.0.
        return choose(negative, floats.neg(value), value)

    def _is_point(self, code: Term) -> Term:
        return integers.eq(code, int_const(_POINT))
