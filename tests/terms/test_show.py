"""Terms as Python: what is written evaluates to what the term is worth."""

from __future__ import annotations

import math

import pytest

from symcrete.terms import floats, integers
from symcrete.terms.evaluate import evaluate
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.operations import ITE, opaque
from symcrete.terms.show import Expressions, conjunct, show, show_all
from symcrete.terms.term import Sort, Term, const, int_const, intern, intern_as, var
from symcrete.terms.texts import STR, characters, contains, method, source

X, Y = var("x", Sort.INT), var("y", Sort.INT)
TEXT = source("s", STR)


def larger_if_positive() -> Term:
    positive = negate(integers.le(X, int_const(0)))
    return intern_as(Sort.BOOL, ITE, (positive, integers.le(X, Y), integers.le(Y, X)))


CONDITIONS = {
    "sum": integers.le(integers.add(X, int_const(3)), Y),
    "either": disjoin([integers.eq(X, int_const(1)), integers.eq(Y, int_const(2))]),
    "both of either": conjoin(
        [disjoin([integers.eq(X, Y), integers.eq(Y, int_const(2))]), integers.le(X, int_const(9))]
    ),
    "ternary": larger_if_positive(),
    "brackets in a text": method("startswith", Sort.BOOL, TEXT.whole, const("(")),
    "brackets in two texts": disjoin(
        [
            method("startswith", Sort.BOOL, TEXT.whole, const("(")),
            method("endswith", Sort.BOOL, TEXT.whole, const(")")),
        ]
    ),
    "quotes in a text": contains(TEXT.whole, const("'\"\\(")),
    "a character": integers.eq(TEXT.at(0), int_const(40)),
    "a character from above": integers.le(TEXT.at(0), int_const(97)),
    "a character from below": integers.le(int_const(40), TEXT.at(0)),
    "a text of characters": contains(characters(STR, (TEXT.at(0), X)), const("a")),
}


@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("text", ["()", "a(", "'", "zz"])
@pytest.mark.parametrize(("x", "y"), [(0, 0), (1, 5), (97, 2), (12, 11)])
def test_an_expression_is_worth_what_its_term_is(name: str, text: str, x: int, y: int) -> None:
    term = CONDITIONS[name]
    given = {"x": x, "y": y, "len(s)": len(text), "s[0]": ord(text[0]), "s[1]": ord(text[-1])}
    scope = {"x": x, "y": y, "s": text[0] + text[-1] if len(text) > 1 else text}
    given["len(s)"] = len(str(scope["s"]))
    names = {"x": "x", "y": "y", "s": "s", "s[0]": "ord(s[0])", "s[1]": "ord(s[1])"}

    shown = Expressions(names.get).text(term)

    assert shown is not None
    assert bool(eval(f"True and {conjunct(shown)}", scope)) is bool(evaluate(term, given))


def test_a_variable_without_an_expression_leaves_none_for_its_condition() -> None:
    shown = Expressions({"x": "x"}.get)

    assert shown.text(integers.le(X, int_const(1))) == "(x <= 1)"
    assert shown.text(integers.le(X, Y)) is None


def test_a_function_is_shown_only_under_a_name_that_is_its_own() -> None:
    real = intern(opaque(math.gcd, Sort.INT, "math.gcd"), (X, Y))
    borrowed = intern(opaque(lambda *_: True, Sort.BOOL, "math.isqrt.succeeds"), (X,))
    names = Expressions({"x": "x", "y": "y"}.get)

    assert names.text(real) == "math.gcd(x, y)"
    assert names.text(borrowed) is None


def test_a_constant_without_a_literal_is_not_shown() -> None:
    odd = intern(opaque(len, Sort.INT, "len"), (const(object()),))

    assert Expressions(lambda name: None).text(odd) is None


def test_a_ternary_keeps_its_brackets_beside_and() -> None:
    terms = [larger_if_positive(), integers.le(X, int_const(3))]

    assert show_all(terms) == "((x <= y) if x > 0 else (x >= y)) and x <= 3"


def test_a_character_is_compared_as_a_character() -> None:
    names = Expressions({"s[0]": "ord(s[0])"}.get)

    assert names.text(integers.eq(TEXT.at(0), int_const(97))) == "(s[0] == 'a')"
    assert names.text(negate(integers.le(TEXT.at(0), int_const(97)))) == "(s[0] > 'a')"


def test_words_for_a_message_are_found_for_everything() -> None:
    assert show(integers.le(var("many?", Sort.INT), int_const(0))) == "many? <= 0"
    assert show(floats.lt(var("f", Sort.FLOAT), const(0.5))) == "f < 0.5"
