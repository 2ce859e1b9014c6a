"""Handlers and ends of `try` blocks are told when a run comes by, and nothing else changes."""

import ast
import textwrap
from typing import Any

import pytest

from symcrete.instrument.conditions import Watched
from symcrete.instrument.places import mark_places, place_hooks
from symcrete.program.source.sites import ModuleSites, SiteTable, last_of
from symcrete.program.source.wording import wording

PROGRAM = """
def f(x):
    try:
        with open(x) as file:
            return len(file.read())
    except (TypeError, FileNotFoundError) as error:
        return type(error).__name__
    except OSError:
        raise
    finally:
        x = None
"""


def places(text: str, argument: Any) -> list[str]:
    """The places that `f(argument)` comes to, in words."""
    watched = Watched("program.py")
    names: dict[str, Any] = {}
    exec(watched.compile(textwrap.dedent(text).encode()), names)
    watched.start()
    names["f"](argument)
    assert watched.sites is not None
    own = {site.number: site for site in watched.sites.own("f")}
    return [wording(own[number], side) for number, side in watched.taken() if own[number].place]


def test_a_handler_is_told_when_it_is_entered() -> None:
    assert places(PROGRAM, "/no/such/file") == ["except (TypeError, FileNotFoundError)"]


def test_a_block_that_returns_is_told_when_its_value_is_known() -> None:
    assert places(PROGRAM, "/dev/null") == ["nothing raised"]


def test_a_handler_that_another_one_catches_first_is_not_told() -> None:
    program = """
    def f(x):
        try:
            y = 1 // x
        except* ZeroDivisionError:
            y = 0
        except* ArithmeticError:
            y = 2
        return y
    """

    assert places(program, 0) == ["except ZeroDivisionError"]
    assert places(program, 1) == ["nothing raised"]


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("a()", 1),
        ("return 1", 1),
        ("return", None),
        ("raise E", None),
        ("with a:\n    b()", 2),
        ("with a:\n    return 1", 2),
        ("if a:\n    return 1\nelse:\n    return 2", None),
        ("if a:\n    return 1", 1),
        ("while True:\n    a()", None),
        ("while True:\n    if a: break", 1),
        ("try:\n    return 1\nexcept E:\n    return 2", None),
        ("try:\n    return 1\nexcept E:\n    pass", 1),
        ("try:\n    pass\nfinally:\n    return 1", None),
    ],
)
def test_the_end_of_a_block_is_where_it_can_be_passed(block: str, line: int | None) -> None:
    last = last_of(ast.parse(block).body)

    assert (last.lineno if last is not None else None) == line


def test_places_are_no_conditions() -> None:
    tree = ast.parse(PROGRAM)
    sites = ModuleSites(tree, "program.py", SiteTable())

    assert [(site.kind, site.sides) for site in sites.own("f")] == [
        ("except", ()),
        ("except", ()),
        ("try", ()),
    ]
    assert not sites.own_branches("f")


def test_the_hooks_give_what_they_are_given() -> None:
    covered = bytearray(4)
    reached, passing = place_hooks(covered)

    assert reached(0) is None and passing(2, "value") == "value"
    assert covered == bytearray([0, 1, 0, 1])


def test_a_block_without_handlers_is_left_alone() -> None:
    tree = ast.parse("try:\n    a()\nfinally:\n    b()")
    statement = tree.body[0]
    assert isinstance(statement, ast.Try)
    before = ast.dump(tree)

    mark_places(statement, ModuleSites(tree, "program.py", SiteTable()))

    assert ast.dump(tree) == before
