"""Calls that docstrings show: read off the text, and as inputs to start from."""

from __future__ import annotations

import ast
import datetime
from typing import Any

from symcrete.inputs.infer.examples import (
    as_input,
    examples_of,
    kinds_in_examples,
    shown_in,
    written_in,
)

MODULE = '''"""Numbers.

>>> later = datetime.timedelta(days=3)
>>> told(later, unit="day")
'3 days'
>>> told(compute())
>>> Shelf(3).fits(2)
True
"""
'''


def told(delta: Any, unit: str = "") -> None: ...


class Shelf:
    def __init__(self, width: int) -> None:
        self.width = width

    def fits(self, size: int) -> bool:
        return size <= self.width


SCOPE = {"datetime": datetime, "Shelf": Shelf, "told": told}


def named(words: Any, table: Any) -> None:
    """Names.

    >>> named(["a", "b"], {"a": 1})
    """


def test_the_statements_of_all_docstrings_are_found() -> None:
    shown = shown_in(ast.parse(MODULE + 'def f():\n    """\n    >>> f(1)\n    """\n'))

    assert [ast.unparse(each) for each in shown][-2:] == ["Shelf(3).fits(2)", "f(1)"]


def test_a_docstring_that_is_no_doctest_shows_nothing() -> None:
    assert shown_in(ast.parse('"""\n>>>no blank\n"""')) == ()


def test_an_example_is_an_input_with_what_it_assigns_before() -> None:
    example = examples_of(ast.parse(MODULE), "told")[0]

    text = as_input(example, told, SCOPE)

    assert text == "later = datetime.timedelta(days=3); delta=later, unit='day'"


def test_an_example_that_calls_more_than_classes_is_left_out() -> None:
    example = examples_of(ast.parse(MODULE), "told")[1]

    assert as_input(example, told, SCOPE) is None


def test_the_object_of_a_method_is_part_of_an_example() -> None:
    (example,) = examples_of(ast.parse(MODULE), "Shelf.fits")

    assert as_input(example, Shelf.fits, SCOPE) == "self=Shelf(3), size=2"


def test_examples_tell_the_types_of_arguments() -> None:
    assert kinds_in_examples(named, "words", {}) == [list[str]]
    assert kinds_in_examples(named, "table", {}) == [dict[str, int]]


WRITTEN = '''
def shorten(text, most=3):
    """Cut a text.

    For example, ``shorten("a (b)", 1)`` gives "a", and so does shorten(text, most=1); see
    shorten(...), shorten() and other("x").
    """
'''


def test_a_call_in_the_midst_of_a_text_is_an_example_if_its_arguments_are_written_out() -> None:
    tree = ast.parse(WRITTEN)

    assert [ast.unparse(each) for each in written_in(tree)["shorten"]] == ["shorten('a (b)', 1)"]
    assert [ast.unparse(each.call) for each in examples_of(tree, "shorten")] == [
        "shorten('a (b)', 1)"
    ]
    assert "other" not in written_in(tree)
