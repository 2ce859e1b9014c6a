"""Locals that may be unbound where they are read, and statements that the three-address form has."""

import ast
from textwrap import dedent

import pytest

from symcrete.program.lowering.bound_names import risky_names
from symcrete.program.lowering.functions_of_module import lowered
from symcrete.program.lowering.local_names import free_names, local_names
from symcrete.program.lowering.three_address import UNCAUGHT, Assign, Flow, Mark, Opaque, Store


def risky(body: str) -> set[str]:
    text = "def f(a, b):\n" + "\n".join("    " + line for line in dedent(body).strip().splitlines())
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    return set(risky_names(node, frozenset({"a", "b"}), local_names(node)[0]))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = a\nreturn y", set()),
        ("if a:\n    y = 1\nreturn y", {"y"}),
        ("if a:\n    y = 1\nelse:\n    y = 2\nreturn y", set()),
        ("if a:\n    y = 1\nelse:\n    return 2\nreturn y", set()),
        ("for y in a:\n    pass\nreturn y", {"y"}),
        ("for y in a:\n    print(y)", set()),
        ("while a:\n    y = 1\nreturn y", {"y"}),
        ("try:\n    y = a()\nexcept E:\n    pass\nreturn y", {"y"}),
        ("try:\n    y = a()\nexcept E:\n    y = 1\nreturn y", set()),
        ("try:\n    y = a()\nfinally:\n    print(y)", {"y"}),
        ("try:\n    a()\nexcept E as e:\n    pass\nreturn e", {"e"}),
        ("y = 1\ndel y\nreturn y", {"y"}),
        ("del a\nreturn a", {"a"}),
        ("with a:\n    y = 1\nreturn y", {"y"}),
        ("y += 1", {"y"}),
        ("match a:\n    case [y]:\n        pass\nreturn y", {"y"}),
        ("b and (y := a)\nreturn y", {"y"}),
        ("def g():\n    return y\ny = 1\nreturn g", set()),
    ],
)
def test_a_local_is_risky_where_some_way_leaves_it_unbound(body: str, expected: set[str]) -> None:
    assert risky(body) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[x for x in xs if x > y]", {"xs", "y"}),
        ("[x for x in x]", {"x"}),
        ("[z for x in xs for z in x.parts(y)]", {"xs", "y"}),
        ("{k: v + w for k, v in d.items()}", {"d", "w"}),
        ("lambda x, *rest, y=z, **more: x + y + w + len(rest) + len(more)", {"z", "w", "len"}),
        ("[[j * a for j in range(2)] for j in range(b)]", {"a", "b", "range"}),
        ("(x, [x for x in xs])", {"x", "xs"}),
    ],
)
def test_names_that_a_lambda_or_comprehension_binds_are_not_free(
    expression: str, expected: set[str]
) -> None:
    assert free_names(ast.parse(expression, mode="eval").body) == expected


def flow(source: str) -> Flow:
    return lowered(ast.parse(dedent(source)), "lowered.py")["f"]


def test_reading_a_risky_local_may_raise() -> None:
    found = flow(
        """
        def f(a):
            if a:
                y = 1
            z = y
        """
    )

    copies = [n for n, each in enumerate(found.statements) if isinstance(each, Assign)]
    raising = [n for n in copies if any(edge.target == UNCAUGHT for edge in found.after[n])]
    assert [found.statements[n].line for n in raising] == [5]


def test_stores_and_deletions_change_the_object_they_name() -> None:
    found = flow(
        """
        def f(a):
            a.x = 1
            a[0] = 1
            a.y += 1
            del a[1], a.z
        """
    )

    stores = [each for each in found.statements if isinstance(each, Store)]
    assert [(each.base, each.attribute, each.line) for each in stores] == [
        ("a", "x", 3),
        ("a", None, 4),
        ("a", "y", 5),
        ("a", None, 6),
        ("a", "z", 6),
    ]


def test_leaving_a_with_calls_something_on_every_way() -> None:
    found = flow(
        """
        def f(a):
            with a:
                if a.x:
                    return 1
                a.y()
            return 2
        """
    )

    ends = [each for each in found.statements if isinstance(each, Opaque) and "end" in each.text]
    assert len(ends) == 3  # by return, at the end of the body, by an exception


def test_a_return_before_a_finally_that_returns_has_a_place() -> None:
    found = flow(
        """
        def f(a):
            try:
                return 1
            finally:
                return 2
        """
    )

    assert [type(found.statements[n]) for n in found.starts(4)] == [Mark]


def test_ways_without_a_form_are_told_as_gaps() -> None:
    found = flow(
        """
        def f(a):
            try:
                return 1
            except* ValueError:
                pass
        """
    )

    assert list(found.gaps) == ["the ways through `try:` in line 3 are not followed"]
