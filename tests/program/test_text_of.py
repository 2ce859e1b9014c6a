"""Texts of expressions beside those that `ast.unparse` writes."""

import ast
import inspect
import tokenize

import pytest

from symcrete.program.source.module import text_of


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a + b <= c",
        "a < b < c",
        "a - (b - c) == 0",
        "(a if b else c) > 1",
        "values[i] > values[i + 1]",
        "rows[a, b] is not None",
        "rows[1:] in (a, b)",
        "1 .real == 1.0",
        "(1).real",
        "f(x, y + 1, z == 2).name",
        "f(x, *rest)",
        "f(x, key=1)",
        "f(n for n in x)",
        "(a, b)",
        "-x > -1",
        "not a",
        "a ** -b",
        "u'x' == 'it\\'s' != b'\\x00'",
        "f'{a!r}' == a",
        "(a := 3) < b",
        "(yield)",
        "x == 1e999",
        "(lambda: a)()",
        "'%s' % a",
        "'a' 'b'[0]",
    ],
)
def test_the_text_of_an_expression_is_that_of_the_standard_library(text: str) -> None:
    node = ast.parse(text, mode="eval").body

    assert text_of(node) == ast.unparse(node)


@pytest.mark.parametrize("module", [ast, inspect, tokenize])
def test_every_expression_of_a_module_has_the_standard_text(module: object) -> None:
    tree = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]
    # Parts of a formatted text have no text of their own.
    nodes = [each for each in ast.walk(tree) if isinstance(each, ast.expr)]
    whole = [each for each in nodes if not isinstance(each, ast.JoinedStr | ast.FormattedValue)]

    wrong = [each for each in whole if text_of(each) != ast.unparse(each)]

    assert wrong == []


def test_a_pattern_has_the_standard_text() -> None:
    (match,) = ast.parse("match a:\n    case [1, Point(x=2) | None]:\n        pass").body
    assert isinstance(match, ast.Match)

    assert text_of(match.cases[0].pattern) == "[1, Point(x=2) | None]"


def test_a_simple_condition_needs_no_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    node = ast.parse("a + b[0] <= len(c.d)", mode="eval").body
    monkeypatch.delattr(ast, "unparse")

    assert text_of(node) == "a + b[0] <= len(c.d)"
