"""Loops over iterators that a variable holds."""

from __future__ import annotations

import ast

import pytest

from symcrete.inputs.infer.body import inferred_types
from symcrete.inputs.infer.flow import with_iterators_in_loops


@pytest.mark.parametrize(
    ("text", "loop"),
    [
        ("it = enumerate(xs, 1)\nfor n, x in it:\n    print(x)", "for n, x in enumerate(xs, 1):"),
        ("it = iter(xs)\nnext(it)\nfor x in it:\n    print(x)", "for x in xs:"),
        ("xs = iter(xs)\nfor x in xs:\n    print(x)", "for x in xs:"),
        ("it = zip(xs, ys)\nprint([x + y for x, y in it])", "for x, y in zip(xs, ys)]"),
    ],
)
def test_a_loop_over_a_variable_is_one_over_what_its_iterator_goes_through(
    text: str, loop: str
) -> None:
    tree = with_iterators_in_loops(ast.parse(text))

    assert loop in ast.unparse(tree)
    assert ast.unparse(tree).startswith("pass")


@pytest.mark.parametrize(
    "text",
    [
        "def f(xs):\n    xs = iter(xs)\n    next(xs)\n    for x in xs:\n        print(x)",
        "it = iter(xs)\nif a:\n    it = iter(ys)\nfor x in it:\n    print(x)",
        "it = made(xs)\nfor x in it:\n    print(x)",
        "it = iter(xs)",
    ],
)
def test_a_variable_that_is_used_otherwise_is_left_alone(text: str) -> None:
    assert ast.unparse(with_iterators_in_loops(ast.parse(text))) == text


def first_loud(lines):
    numbered = enumerate(lines, 1)
    for number, line in numbered:
        if line.endswith("!"):
            return number
    return None


def test_elements_are_known_through_an_iterator_in_a_variable() -> None:
    assert inferred_types(first_loud, "lines")[0] == list[str]
