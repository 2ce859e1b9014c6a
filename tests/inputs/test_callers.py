"""What a callee declares, and what callers pass, tells the type of a parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from symcrete.inputs.infer.body import inferred_types
from symcrete.inputs.infer.callers import (
    declared_by,
    declared_where_passed,
    passed_by_callers,
    read_through,
)
from symcrete.inputs.infer.something import Something


class Parser:
    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def parse(cls, text: str, *, strict: bool = False) -> Parser:
        return cls(text)

    @staticmethod
    def is_valid(size: int) -> bool:
        return size > 0


def priced(amount, unit):
    return passed(unit), Parser.is_valid(amount)


def passed(unit):
    return unit


def rows_of(text):
    return iter(text)


def next_word(tokens):
    for token in tokens:
        if token.type != "space":
            return token
    return None


def word_of(tokens):
    return tokens.pop()


def declared(text: str):
    return text


def first_word(text):
    words = rows_of(text)
    word = next_word(words)
    if word.type == "word":
        return word.length
    return None


def calls() -> Any:
    return priced(3, unit="EUR"), priced(4, "USD"), passed(None)


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        ("Parser.parse(x)", [str]),
        ("Parser.parse('', strict=x)", [bool]),
        ("Parser.is_valid(x)", [int]),
        ("Parser('')", []),
        ("unknown.parse(x)", []),
        ("print(x)", []),
    ],
)
def test_what_is_passed_has_the_declared_type(call: str, kinds: list[Any]) -> None:
    assert declared_where_passed(ast.parse(call), "x", {"Parser": Parser, "print": print}) == kinds


def test_a_type_that_says_nothing_is_none() -> None:
    def vague(a: Any, b: object, c) -> None: ...

    assert [declared_by(vague, name) for name in "abc"] == [[], [], []]


def test_callers_tell_by_the_constants_that_they_pass() -> None:
    assert passed_by_callers(priced, "unit") == [str, str]
    assert passed_by_callers(priced, "amount") == [int, int]
    assert passed_by_callers(passed, "unit") == []


def test_both_are_evidence_for_a_parameter() -> None:
    assert inferred_types(priced, "amount")[0] is int
    assert inferred_types(priced, "unit")[0] is str


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("rows_of(x)", "x"),
        ("next_word(x)", "next(x)"),
        ("next_word(rows_of(x))", "next(x)"),
        ("rows_of(rows_of(x))", "x"),
        ("word_of(x)", "next(x)"),
        ("declared(x)", "declared(x)"),
        ("priced(x, x)", "priced(x, x)"),
        ("unknown(x)", "unknown(x)"),
    ],
)
def test_a_call_is_read_as_what_it_gives_back(text: str, read: str) -> None:
    assert ast.unparse(read_through(ast.parse(text), globals(), None)) == read


def test_what_is_done_with_an_element_that_a_callee_gives_back_tells_what_is_given() -> None:
    kinds = inferred_types(first_word, "text")

    assert Iterator[Something] in kinds
    assert list[Something] in kinds
