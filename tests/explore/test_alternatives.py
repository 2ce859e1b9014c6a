"""Alternatives of a type share their variables: what is left of one is no value of another."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.compose import prepare
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

TYPES = (
    "from __future__ import annotations\n"
    "from typing import Annotated\n"
    "from annotated_types import Ge, Le, Len\n"
)


def test_alternatives_with_bounds_of_their_own_are_all_tried(tmp_path: Path) -> None:
    report = explore(
        TYPES + "def f(x: Annotated[int, Ge(5), Le(6)] | Annotated[int, Ge(-6), Le(-5)]) -> int:\n"
        "    if x == -5:\n        return 1\n"
        "    if x == 6:\n        return 2\n"
        "    if x == 0:\n        return 3\n"
        "    return 4\n",
        tmp_path,
    )

    assert report.status == "complete"
    assert [(each.line, each.side) for each in report.infeasible] == [(9, True)]


NODES = (
    "from __future__ import annotations\n"
    "from dataclasses import dataclass\n"
    "@dataclass\nclass Leaf:\n    value: int\n"
)


@pytest.mark.parametrize(
    "pair",
    [
        "@dataclass\nclass Pair:\n    left: Leaf | Pair | None\n",
        "@dataclass\nclass Pair(Leaf):\n    left: Leaf | None\n",
    ],
)
def test_an_optional_part_of_a_recursive_class_is_of_each_class_that_it_may_be_of(
    pair: str, tmp_path: Path
) -> None:
    report = explore(
        NODES + pair + "def f(p: Pair) -> int:\n"
        "    if p.left is None:\n        return 0\n"
        "    if isinstance(p.left, Pair):\n        return 1\n"
        "    if isinstance(p.left, Leaf):\n        return 2\n"
        "    return 3\n",
        tmp_path,
    )

    assert report.status == "complete"
    assert [(each.line, each.side) for each in report.infeasible] == [(14, False)]


@pytest.mark.parametrize("parameters", ["n: Node", "other: Node, n: Leaf | Negative"])
def test_a_class_met_before_is_of_each_of_its_subclasses_beside_another_type(
    parameters: str, tmp_path: Path
) -> None:
    report = explore(
        NODES.replace("class Leaf", "class Node:\n    pass\n@dataclass\nclass Leaf(Node)")
        + "@dataclass\nclass Negative(Node):\n    of: Node | int\n"
        f"def f({parameters}) -> int:\n"
        "    if not isinstance(n, Negative):\n        return 0\n"
        "    if isinstance(n.of, int):\n        return 1\n"
        "    if isinstance(n.of, Leaf):\n        return 2\n"
        "    if isinstance(n.of, Negative):\n        return 3\n"
        "    if isinstance(n.of, str):\n        return 4\n"
        "    return 5\n",
        tmp_path,
        budget=90.0,  # it takes 9 s alone
    )

    assert report.status == "complete"
    assert [(each.line, each.side) for each in report.infeasible] == [(21, True)]


def test_a_text_and_a_list_of_other_lengths_are_all_tried(tmp_path: Path) -> None:
    report = explore(
        TYPES + "def f(x: Annotated[str, Len(2, 3)] | Annotated[list[bool], Len(0, 1)]) -> int:\n"
        "    if len(x) == 0:\n        return 1\n"
        "    if len(x) == 3:\n        return 2\n"
        "    if isinstance(x, list) and x[0]:\n        return 3\n"
        "    if isinstance(x, str) and len(x) < 2:\n        return 4\n"
        "    return 5\n",
        tmp_path,
    )

    assert report.status == "complete"
    assert [(each.line, each.text) for each in report.infeasible] == [(11, "len(x) < 2")]
    assert all(len(eval(each.args["x"])) in (0, 1, 2, 3) for each in report.inputs)


def test_an_alternative_that_is_not_there_is_no_input_and_no_error_of_the_program(
    tmp_path: Path,
) -> None:
    file = tmp_path / "chosen.py"
    file.write_text("def f(x: int | str) -> int:\n    return 1 if isinstance(x, int) else 2\n")
    target = targets_of(f"{file}::f")[0]
    exploration, _ = prepare(target, EveryBranch(), options_from({}))
    with exploration.parts.runner as runner:
        trace = runner.run({"x?": 10, "x": 3})

    assert trace.ending == "returned"
    assert trace.assignment["x?"] == 0


def test_what_is_left_of_a_bool_is_an_int_where_an_int_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "left.py"
    file.write_text(
        "def f(x: int) -> int:\n"
        "    match x:\n        case True:\n            return 1\n    return 2\n"
    )
    target = targets_of(f"{file}::f")[0]
    exploration, _ = prepare(target, EveryBranch(), options_from({}))
    with exploration.parts.runner as runner:
        trace = runner.run({"x?": 0, "x": True})

    assert type(trace.assignment["x"]) is int


@pytest.mark.parametrize("seed", range(6))
def test_a_bool_left_over_from_an_int_closes_no_path(seed: int, tmp_path: Path) -> None:
    report = explore(
        TYPES + "def f(n: Annotated[list[Annotated[int, Ge(0), Le(1)]], Len(0, 2)],"
        " c: Annotated[int, Ge(-3), Le(0)]) -> int:\n"
        "    if isinstance(c, bool):\n"
        "        if c:\n            return 1\n"
        "    elif 'A'[: sum(n)] * 2 == 'AA' and c == -2:\n        return 2\n"
        "    return 3\n",
        tmp_path,
        seed=seed,
    )

    assert report.status == "complete"
    assert [(each.line, each.side) for each in report.infeasible] == [(6, True)]


FAMILY = (
    "from __future__ import annotations\n"
    "from dataclasses import dataclass\n"
    "from decimal import Decimal\n"
    "class Base:\n    pass\n"
    "@dataclass\nclass A(Base):\n    n: int\n"
    "@dataclass\nclass B(Base):\n    n: int\n"
    "@dataclass\nclass C:\n    right: Base | None\n"
)
ASKED = (
    "    if isinstance({what}, A):\n        return 2\n"
    "    if isinstance({what}, B):\n        return 3\n"
    "    return 4\n"
)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x: Base | None) -> int:\n" + ASKED.format(what="x"),
        "def f(x: A | B | tuple[int, int] | None) -> int:\n" + ASKED.format(what="x"),
        "def f(y: Base, x: Base | str) -> int:\n" + ASKED.format(what="x"),
        "def f(x: C) -> int:\n" + ASKED.format(what="x.right"),
        "def f(x: Decimal | None, y: int | Decimal) -> int:\n"
        "    if x is not None and x.is_nan():\n        return 1\n"
        "    if isinstance(y, Decimal):\n"
        "        if y.is_infinite():\n            return 2\n        return 3\n"
        "    return 4\n",
    ],
    ids=["subclass or None", "class, tuple or None", "subclass or text", "field", "Decimal"],
)
def test_a_choice_inside_a_choice_is_tried_in_all_its_ways(source: str, tmp_path: Path) -> None:
    report = explore(FAMILY + source, tmp_path, budget=5.0)

    assert report.infeasible == ()
    assert report.open == ()


def test_a_choice_inside_a_choice_is_still_part_of_a_proof(tmp_path: Path) -> None:
    report = explore(
        FAMILY + "def f(x: A | tuple[int, int] | None) -> int:\n"
        "    if x is None:\n        return 1\n"
        "    if isinstance(x, A):\n"
        "        if x.n > 5 and x.n < 4:\n            return 2\n"
        "        return 3\n"
        "    return 4\n",
        tmp_path,
        budget=5.0,
    )

    assert [(each.text, each.side) for each in report.infeasible] == [("x.n < 4", True)]
    assert report.open == ()
