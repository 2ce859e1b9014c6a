"""Classes of a program that have what is read of a value."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from symcrete.inputs.infer.project_classes import (
    class_named,
    classes_with,
    has_attribute,
    own_classes,
    values_asked,
)


class Token:
    kind: str

    def __init__(self, text: str) -> None:
        self.text = text

    def flatten(self) -> None: ...


class Word(Token):
    def stem(self) -> None: ...


class Comment:
    type = "comment"


class Number(Comment):
    type = "number"
    places: int


class Sign:
    type = "sign"

    def __eq__(self, other: object) -> bool:
        return other == "+"


@pytest.fixture
def package() -> Iterator[None]:
    """A module of a package `shop` that defines the classes above."""
    module = ModuleType("shop.words")
    for kind in (Token, Word, Comment, Number, Sign):
        kind.__module__ = "shop.words"
        setattr(module, kind.__name__, kind)
    sys.modules["shop.words"] = module
    yield
    del sys.modules["shop.words"]


def test_attributes_are_those_of_the_class_declared_or_set_when_made() -> None:
    has = {name for name in ("flatten", "kind", "text", "colour") if has_attribute(Word, name)}

    assert has == {"flatten", "kind", "text"}


@pytest.mark.usefixtures("package")
def test_a_class_of_another_module_of_the_package_is_found_by_what_is_read() -> None:
    names = {"__name__": "shop.filters"}

    assert classes_with(frozenset({"text", "flatten"}), names) == [Token]
    assert classes_with(frozenset({"text", "stem"}), names) == [Word]
    assert classes_with(frozenset({"text", "colour"}), names) == []


@pytest.mark.usefixtures("package")
def test_one_method_that_built_in_types_have_too_speaks_for_no_class() -> None:
    assert classes_with(frozenset({"append"}), {"__name__": "shop.filters"}) == []


@pytest.mark.usefixtures("package")
def test_a_module_has_the_classes_that_it_defines() -> None:
    names = {"__name__": "shop.words", "Token": Token, "str": str}

    assert list(own_classes(names)) == [Token]


@pytest.mark.usefixtures("package")
def test_a_class_is_found_by_its_name_in_prose() -> None:
    assert class_named("token", {"__name__": "shop.filters"}) == [Token]
    assert class_named("graph", {"__name__": "shop.filters"}) == []


@pytest.mark.usefixtures("package")
def test_classes_whose_constant_is_asked_for_come_before_those_with_all_that_is_read() -> None:
    names = {"__name__": "shop.filters"}
    read = frozenset({"type", "places", "stem"})

    assert classes_with(frozenset({"type"}), names) == [Comment, Sign]
    assert classes_with(frozenset({"type"}), names, frozenset({("type", "number")})) == [Number]
    assert classes_with(read, names, frozenset({("type", "number")})) == [Number]
    assert classes_with(read, names, frozenset({("type", "other")})) == []
    assert classes_with(read, names, frozenset({("", "+")})) == [Sign]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("x.kind == 'a' or 'b' != x.kind", {("kind", "a"), ("kind", "b")}),
        ("x.kind in ('a', 'b')", {("kind", "a"), ("kind", "b")}),
        ("held = x.kind\nheld == 3", {("kind", 3)}),
        ("match x.kind:\n    case 'a' | 'b': pass", {("kind", "a"), ("kind", "b")}),
        ("x == ';'", {("", ";")}),
        ("y.kind == 'a' or x.kind == y or x.kind is None", set()),
    ],
)
def test_constants_that_attributes_are_compared_with_are_asked_for(
    text: str, asked: set[tuple[str, str | int]]
) -> None:
    assert values_asked(ast.parse(text), "x") == asked
