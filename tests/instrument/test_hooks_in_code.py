"""Where rewritten code calls hooks, and what comparing hooks and cases report."""

from __future__ import annotations

import ast
import operator
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from symcrete.instrument.deciding import comparing_hooks
from symcrete.instrument.matching import rewrite_match
from symcrete.instrument.naming import PREFIX, call, hook
from symcrete.instrument.rewrite import rewrite
from symcrete.program.source.sites import ModuleSites, SiteTable
from symcrete.terms.evaluate import evaluate
from symcrete.terms.term import Sort, var
from symcrete.values.tracking.numeric import concolic_int
from symcrete.values.tracking.recording import Recording, activate
from symcrete.values.vocabulary.vocabulary import LISTED, use

X, Y = var("x", Sort.INT), var("y", Sort.INT)
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")
}


def rewritten(text: str) -> str:
    """A program as it is compiled, without the prefix of hooks."""
    tree = ast.parse(textwrap.dedent(text))
    made = rewrite(tree, ModuleSites(tree, "m.py", SiteTable()))
    return ast.unparse(made).replace(PREFIX, "")


def test_a_hook_stands_where_the_code_stood() -> None:
    place = ast.parse("\n\n  (a)".strip(), mode="eval").body

    made = call(place, "truth", place)

    assert ast.unparse(made) == f"{PREFIX}truth(a)"
    assert (made.lineno, made.col_offset) == (place.lineno, place.col_offset)
    assert hook(place, "x").id == f"{PREFIX}x"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("if x > 3: pass", "if branch_gt(0, x, 3):"),
        ("while ready: pass", "while loop(0, ready):"),
        ("x = f(y)", "x = callee(f)(y)"),
    ],
)
def test_conditions_loops_and_calls_report_themselves(text: str, shown: str) -> None:
    assert shown in rewritten(text)


@pytest.mark.parametrize(
    "text",
    ["x: int = 3", "def f(x: list[int]) -> None: pass", "import os", "x = 1", "pass"],
)
def test_what_decides_nothing_is_left_as_it_is(text: str) -> None:
    assert rewritten(text) == ast.unparse(ast.parse(text))


def test_lines_are_those_of_the_author() -> None:
    text = "if a:\n    b = c[d]\nelse:\n    e = f(g)\n"
    tree = ast.parse(text)
    lines = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)}

    made = rewrite(tree, ModuleSites(tree, "m.py", SiteTable()))

    assert {node.lineno for node in ast.walk(made) if isinstance(node, ast.stmt)} == lines


@pytest.fixture
def record() -> Any:
    use(LISTED)
    sites = SiteTable()
    sites.add("if", "m.py", 1, 0, "f")
    made = Recording(sites)
    made.live = True
    former = activate(made)
    yield made
    activate(former)


@pytest.mark.parametrize("name", SIGNS)
@pytest.mark.parametrize("values", [(1, 2), (2, 2), (3, 2)])
def test_a_comparing_hook_compares_and_records_the_branch(
    record: Recording, name: str, values: tuple[int, int]
) -> None:
    hooks = comparing_hooks(record, lambda site, truth: bool(truth), lambda: None)
    left, right = concolic_int(values[0], X), concolic_int(values[1], Y)

    taken = hooks[f"branch_{name}"](0, left, right)

    assert taken is SIGNS[name](*values)
    ((code, term),) = record.events
    assert code == taken
    for x, y in [(1, 2), (2, 2), (3, 2)]:
        assert evaluate(term, {"x": x, "y": y}) == SIGNS[name](x, y)


def test_a_comparison_of_plain_numbers_covers_its_outcome_and_is_no_branch(
    record: Recording,
) -> None:
    hooks = comparing_hooks(record, lambda site, truth: bool(truth), lambda: None)

    assert hooks["branch_lt"](0, 1, 2) is True
    assert record.events == []


def test_a_loop_counts_its_steps_before_it_compares(record: Recording) -> None:
    steps: list[int] = []
    hooks = comparing_hooks(record, lambda site, truth: bool(truth), lambda: steps.append(1))

    hooks["loop_lt"](0, 1, 2)
    hooks["branch_lt"](0, 1, 2)

    assert steps == [1]


@pytest.mark.parametrize(
    ("subject", "reported"),
    [
        (1, ["no_case ()", "body 1"]),
        ([5], ["no_case (0,)", "body list"]),
        ("text", ["no_case (0, 2)", "after"]),
    ],
)
def test_entering_a_case_says_which_cases_above_it_did_not_match(
    subject: object, reported: list[str]
) -> None:
    text = """
        match subject:
            case 1:
                seen.append("body 1")
            case [_]:
                seen.append("body list")
            case _:
                seen.append("after")
    """
    tree = ast.parse(textwrap.dedent(text))
    sites = ModuleSites(tree, "m.py", SiteTable())
    match = tree.body[0]
    assert isinstance(match, ast.Match)
    rewrite_match(match, sites)
    seen: list[str] = []
    names = {
        "subject": subject,
        "seen": seen,
        f"{PREFIX}matched": lambda site: True,
        f"{PREFIX}no_case": lambda failed, *taken: seen.append(f"no_case {failed}"),
    }

    exec(compile(ast.fix_missing_locations(tree), "m.py", "exec"), names)

    assert seen == reported
