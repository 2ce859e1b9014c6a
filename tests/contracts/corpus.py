"""A corpus of recorded path constraints, by theory: random programs' conditions, run on random inputs.

A constraint is recorded as an engine would: conditions are evaluated on an input, stand as they came out,
and the last is negated. Same seed, same corpus.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.terms import floats, integers, logic
from symcrete.terms.evaluate import Assignment, evaluate
from symcrete.terms.operations import opaque
from symcrete.terms.term import Sort, Term, const, int_const, intern, var


@dataclass(frozen=True, slots=True)
class Recorded:
    """One query as the engine asks it."""

    theory: str
    constraint: PathConstraint
    near: Assignment


def corpus(seed: int = 0, each: int = 250) -> list[Recorded]:
    """At least 2,000 constraints: `each` of every theory."""
    return [found for theory in THEORIES for found in recorded(theory, each, seed)]


def recorded(theory: str, count: int, seed: int = 0) -> list[Recorded]:
    source = random.Random(f"{theory}:{seed}")
    made: list[Recorded] = []
    while len(made) < count:
        found = next(THEORIES[theory](source), None)
        if found is not None:
            made.append(Recorded(theory, *found))
    return made


Found = tuple[PathConstraint, Assignment]


def record(conditions: Iterator[Term], near: Assignment, length: int) -> Found | None:
    """The first `length` conditions that can be computed, as they come out; the last one flipped."""
    path: list[Term] = []
    for condition in conditions:
        if condition.is_const:
            continue
        try:
            taken = bool(evaluate(condition, near))
        except (ArithmeticError, ValueError):
            continue
        path.append(condition if taken else logic.negate(condition))
        if len(path) == length:
            return PathConstraint(tuple(path[:-1]), logic.negate(path[-1])), near
    return None


def _int_variables(source: random.Random) -> tuple[list[Term], Assignment]:
    names = ["a", "b", "c", "d"][: source.randint(1, 4)]
    near = {name: source.choice([*_INTERESTING, source.randint(-1000, 1000)]) for name in names}
    return [var(name, Sort.INT) for name in names], near


_INTERESTING = [0, 1, -1, 2, 3, 7, 10, -10, 100, 255, 256, 1000, -128]
_COMPARISONS: list[Callable[[Term, Term], Term]] = [integers.le, integers.lt, integers.eq]


def _compare(source: random.Random, left: Term, right: Term) -> Term:
    return source.choice(_COMPARISONS)(left, right)


def _small(source: random.Random) -> Term:
    return int_const(source.choice([*_INTERESTING, source.randint(-60, 60)]))


def _sum(source: random.Random, variables: list[Term]) -> Term:
    total = _small(source)
    for variable in source.sample(variables, source.randint(1, len(variables))):
        factor = source.choice([1, 1, 1, -1, -1, 2, -2, 3, 5, -7])
        total = integers.add(total, integers.scale(variable, factor))
    return total


def _linear(source: random.Random) -> Iterator[Found | None]:
    variables, near = _int_variables(source)

    def conditions() -> Iterator[Term]:
        for _ in range(60):
            left = _sum(source, variables)
            if source.random() < 0.15:
                left = integers.mod(left, int_const(source.choice([2, 3, 7, 10, -3])))
            elif source.random() < 0.1:
                left = integers.floordiv(left, int_const(source.choice([2, 3, 10, -4])))
            yield _compare(source, left, _small(source))

    yield record(conditions(), near, source.randint(1, 14))


def _products(source: random.Random) -> Iterator[Found | None]:
    variables, near = _int_variables(source)

    def factor() -> Term:
        return source.choice([source.choice(variables), _sum(source, variables)])

    def conditions() -> Iterator[Term]:
        for _ in range(60):
            shape = source.random()
            if shape < 0.35:
                left = integers.mul(factor(), factor())
            elif shape < 0.5:
                left = integers.power(source.choice(variables), int_const(source.choice([2, 3])))
            elif shape < 0.6:
                left = integers.floordiv(factor(), source.choice(variables))
            elif shape < 0.7:
                left = integers.mod(factor(), source.choice(variables))
            elif shape < 0.75:
                left = integers.absolute(factor())
            else:
                left = _sum(source, variables)
            yield _compare(source, left, _small(source))

    yield record(conditions(), near, source.randint(1, 8))


def _bits(source: random.Random) -> Iterator[Found | None]:
    variables, near = _int_variables(source)
    near = {name: abs(value) for name, value in near.items()} if source.random() < 0.7 else near

    def operand() -> Term:
        pick = source.random()
        if pick < 0.6:
            return source.choice(variables)
        if pick < 0.8:
            return int_const(source.choice([1, 3, 8, 15, 0x55, 0xF0, 255, 0xFF00, -2, -16]))
        return _sum(source, variables)

    def conditions() -> Iterator[Term]:
        for _ in range(60):
            shape = source.random()
            one, two = operand(), operand()
            if shape < 0.25:
                left = integers.bitand(one, two)
            elif shape < 0.4:
                left = integers.bitor(one, two)
            elif shape < 0.6:
                left = integers.bitxor(one, two)
            elif shape < 0.7:
                left = integers.rshift(one, int_const(source.choice([1, 2, 4, 8])))
            elif shape < 0.75:
                left = integers.lshift(one, integers.bitand(two, int_const(7)))
            elif shape < 0.8:
                left = integers.bit_length(one)
            elif shape < 0.85:
                left = integers.bitand(
                    integers.bitxor(one, integers.rshift(one, int_const(3))), two
                )
            else:
                left = one
            yield _compare(source, left, source.choice([_small(source), operand()]))

    yield record(conditions(), near, source.randint(1, 6))


_DOUBLES = [0.0, 1.0, -1.0, 0.5, 0.1, 2.5, 100.0, 1e10, -0.25, 3.14159, 1e-9]


def _float_terms(source: random.Random, leaves: list[Term]) -> Term:
    shape = source.random()
    one, two = source.choice(leaves), source.choice(leaves)
    if shape < 0.2:
        return floats.add(one, two)
    if shape < 0.35:
        return floats.sub(one, two)
    if shape < 0.5:
        return floats.mul(one, two)
    if shape < 0.6:
        return floats.div(one, const(source.choice([2.0, 3.0, 0.1, 10.0])))
    if shape < 0.65:
        return floats.absolute(one)
    if shape < 0.7:
        return floats.neg(one)
    if shape < 0.74:
        return floats.sqrt(floats.absolute(one))
    return one


def _float_comparison(source: random.Random, left: Term, right: Term) -> Term:
    shape = source.random()
    if shape < 0.45:
        return floats.lt(left, right)
    if shape < 0.85:
        return floats.le(left, right)
    return floats.eq(left, right)


def _floats(source: random.Random) -> Iterator[Found | None]:
    names = ["u", "v"][: source.randint(1, 2)]
    near = {name: source.choice([*_DOUBLES, source.uniform(-50, 50)]) for name in names}
    variables = [var(name, Sort.FLOAT) for name in names]

    def conditions() -> Iterator[Term]:
        for _ in range(60):
            leaves = [*variables, *variables, const(source.choice(_DOUBLES))]
            left = _float_terms(source, leaves)
            if source.random() < 0.04:
                yield floats.is_nan(left)
            elif source.random() < 0.04:
                yield floats.is_inf(left)
            else:
                right = source.choice([const(source.choice(_DOUBLES)), source.choice(variables)])
                yield _float_comparison(source, left, right)

    yield record(conditions(), near, source.randint(1, 5))


def _mixed(source: random.Random) -> Iterator[Found | None]:
    near: Assignment = {
        "n": source.randint(-20, 200),
        "m": source.choice(_INTERESTING),
        "u": source.choice([*_DOUBLES, source.uniform(-50, 50)]),
        "p": source.random() < 0.5,
    }
    n, m, u = var("n", Sort.INT), var("m", Sort.INT), var("u", Sort.FLOAT)
    p = var("p", Sort.BOOL)

    def conditions() -> Iterator[Term]:
        for _ in range(60):
            shape = source.random()
            if shape < 0.15:
                yield floats.lt(n, u)
            elif shape < 0.25:
                yield floats.eq(floats.mul(n, const(source.choice([0.1, 0.5, 2.5]))), u)
            elif shape < 0.4:
                whole = source.choice([floats.floor, floats.ceil, floats.trunc])(u)
                yield _compare(source, integers.add(whole, m), n)
            elif shape < 0.5:
                yield _compare(source, floats.round_half_even(u), _small(source))
            elif shape < 0.6:
                yield floats.le(floats.int_div(n, int_const(source.choice([2, 3, 7]))), u)
            elif shape < 0.7:
                yield logic.choose(p, integers.lt(n, m), integers.lt(m, n))
            elif shape < 0.8:
                chosen = logic.choose(p, n, integers.add(m, int_const(1)))
                yield _compare(source, chosen, _small(source))
            elif shape < 0.9:
                yield logic.disjoin([p, floats.lt(u, const(0.5)), integers.le(n, m)])
            else:
                yield _compare(source, _sum(source, [n, m]), _small(source))

    yield record(conditions(), near, source.randint(1, 6))


_SIN = opaque(math.sin, Sort.FLOAT)
_GCD = opaque(math.gcd, Sort.INT)


def _opaque(source: random.Random) -> Iterator[Found | None]:
    near: Assignment = {"n": source.randint(0, 60), "m": source.randint(1, 60), "u": 0.5}
    n, m, u = var("n", Sort.INT), var("m", Sort.INT), var("u", Sort.FLOAT)

    def conditions() -> Iterator[Term]:
        for _ in range(60):
            shape = source.random()
            if shape < 0.3:
                yield floats.lt(intern(_SIN, (u,)), const(source.choice([0.0, 0.25, 0.9])))
            elif shape < 0.5:
                yield integers.eq(intern(_GCD, (n, m)), int_const(source.choice([1, 2, 3, 6])))
            elif shape < 0.6:
                yield integers.lt(n, intern(_GCD, (n, integers.add(m, int_const(6)))))
            else:
                yield _compare(source, _sum(source, [n, m]), _small(source))

    yield record(conditions(), near, source.randint(1, 6))


def _text(source: random.Random) -> Iterator[Found | None]:
    """A string as a length and code points, compared with characters and ranges of them."""
    length = source.randint(1, 6)
    near: Assignment = {f"s[{i}]": source.choice([32, 48, 65, 97, 120]) for i in range(length)}
    near["len(s)"] = length
    cells = [var(f"s[{i}]", Sort.INT) for i in range(length)]
    size = var("len(s)", Sort.INT)

    def conditions() -> Iterator[Term]:
        for cell in cells:
            yield integers.le(int_const(0), cell)
            yield integers.le(cell, int_const(0x10FFFF))
        for _ in range(60):
            cell = source.choice(cells)
            shape = source.random()
            if shape < 0.4:
                yield integers.eq(cell, int_const(ord(source.choice("az09 ,;=@*"))))
            elif shape < 0.7:
                low, high = tuple(source.choice(["az", "AZ", "09", "\t\r"]))
                inside = [integers.le(int_const(ord(low)), cell)]
                yield logic.conjoin([*inside, integers.le(cell, int_const(ord(high)))])
            elif shape < 0.8:
                yield integers.eq(cell, source.choice(cells))
            elif shape < 0.9:
                yield integers.le(size, int_const(source.randint(0, 8)))
            else:
                digits = int_const(0)
                for digit in cells[: source.randint(1, 3)]:
                    place = integers.sub(digit, int_const(48))
                    digits = integers.add(integers.scale(digits, 10), place)
                yield _compare(source, digits, int_const(source.randint(0, 999)))

    yield record(conditions(), near, 2 * length + source.randint(1, 14))


def _loops(source: random.Random) -> Iterator[Found | None]:
    """Long prefixes over few variables: Euclid by subtraction, a bubble sort, a counting loop."""
    pick = source.random()
    if pick < 0.4:
        near: Assignment = {"a": source.randint(1, 120), "b": source.randint(1, 120)}
        yield record(_euclid(near), near, source.randint(1, 30))
    elif pick < 0.8:
        near = {f"v{i}": source.randint(-9, 9) for i in range(5)}
        yield record(_bubble(near), near, source.randint(1, 10))
    else:
        near = {"n": source.randint(5, 60)}
        n = var("n", Sort.INT)
        steps = (integers.lt(int_const(i), n) for i in range(100))
        yield record(steps, near, source.randint(1, near["n"] + 1))


def _euclid(near: Assignment) -> Iterator[Term]:
    one, two = var("a", Sort.INT), var("b", Sort.INT)
    while True:
        yield integers.eq(one, two)
        if evaluate(one, near) == evaluate(two, near):
            return
        yield integers.lt(one, two)
        if evaluate(one, near) < evaluate(two, near):
            two = integers.sub(two, one)
        else:
            one = integers.sub(one, two)


def _bubble(near: Assignment) -> Iterator[Term]:
    cells = [var(name, Sort.INT) for name in near]
    for last in range(len(cells) - 1, 0, -1):
        for i in range(last):
            yield integers.le(cells[i], cells[i + 1])
            if evaluate(cells[i], near) > evaluate(cells[i + 1], near):
                cells[i], cells[i + 1] = cells[i + 1], cells[i]


THEORIES: dict[str, Callable[[random.Random], Iterator[Any]]] = {
    "linear": _linear,
    "products": _products,
    "bits": _bits,
    "floats": _floats,
    "mixed": _mixed,
    "opaque": _opaque,
    "text": _text,
    "loops": _loops,
}
