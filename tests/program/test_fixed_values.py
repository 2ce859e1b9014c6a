"""What a text tells about the value of an expression."""

import ast

import pytest

from symcrete.program.state.fixed_values import is_literal, is_made_here, is_mutable, is_table


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize("text", ["3", "-3", "'a' + 'b'", "(1, 'x')", "re.compile('a')"])
def test_a_literal_is_no_table_and_cannot_change(text: str) -> None:
    node = expression(text)

    assert is_literal(node)
    assert not is_table(node)
    assert not is_mutable(node)


@pytest.mark.parametrize("text", ["[1, 2]", "{'a': 1}", "{1}", "frozenset([1])"])
def test_a_table_holds_literals_only(text: str) -> None:
    assert is_table(expression(text))
    assert is_mutable(expression(text))
    assert not is_table(expression("[x]"))
    assert not is_mutable(expression("range(3)"))


@pytest.mark.parametrize("text", ["[x]", "(f(), 1)", "range(n)", "(i for i in xs)"])
def test_nothing_can_be_sent_to_what_is_made_here(text: str) -> None:
    assert is_made_here(expression(text))


@pytest.mark.parametrize("text", ["inner(n)", "xs", "self.parts", "iter(x)"])
def test_anything_else_may_be_a_generator(text: str) -> None:
    assert not is_made_here(expression(text))
