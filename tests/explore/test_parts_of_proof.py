"""What a proof stands on, part by part: constants, state that changes, obstacles on the way."""

from __future__ import annotations

import re
import textwrap
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from symcrete.clock import Moment
from symcrete.explore.attack.other_kinds import variants
from symcrete.explore.attack.second_solver import doubted
from symcrete.explore.compose import prepare
from symcrete.explore.loop.loop import Explored
from symcrete.explore.options import Options
from symcrete.explore.proof.changing import Changing
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.explore.proof.standing import Standing
from symcrete.explore.proof.unchanging import MOST_LEVELS_OF_A_VALUE, holds_constants, is_constant
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.tree.tree import Side

_count = [0]


def explored(source: str, folder: Path, name: str = "f") -> Explored:
    """A target of which every path that the solver finds was taken."""
    _count[0] += 1
    file = folder / f"proof_parts_{_count[0]}.py"
    file.write_text(textwrap.dedent(source), encoding="utf-8")
    options = Options(budget=10.0, replay=False, strategy="dfs", max_runs=100)
    exploration, phase = prepare(targets_of(f"{file}::{name}")[0], EveryBranch(), options)
    exploration.explore(phase)
    return exploration


@dataclass(frozen=True)
class Frozen:
    inner: object


@dataclass
class Thawed:
    inner: int


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.parametrize(
    "value",
    [3, "a", re.compile("a"), (1, ("b", None)), frozenset({1}), Frozen(2), partial(max, 1), len],
    ids=repr,
)
def test_what_no_call_can_change_is_a_constant(value: object) -> None:
    assert is_constant(value)


@pytest.mark.parametrize(
    "value",
    [
        [1],
        {},
        Thawed(1),
        Frozen([]),
        ([],),
        MappingProxyType({"a": []}),
        partial(max, []),
        {}.get,
        iter([1]).__next__,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_can_be_changed_is_none_however_deep_inside(value: object) -> None:
    assert not is_constant(value)


def test_a_view_of_a_dict_is_a_constant_only_while_nothing_else_holds_the_dict() -> None:
    module = {"table": {"a": 1}}

    assert is_constant(MappingProxyType({"a": 1}))
    assert not is_constant(MappingProxyType(module["table"]))


def test_what_is_nested_too_deep_to_look_at_counts_as_changing() -> None:
    assert is_constant(nested(MOST_LEVELS_OF_A_VALUE))
    assert not is_constant(nested(MOST_LEVELS_OF_A_VALUE + 1))


def test_a_container_holds_constants_if_each_of_its_values_is_one() -> None:
    assert holds_constants({"a": 1, "b": (2,)})
    assert holds_constants([1, "a"])
    assert not holds_constants({"a": []})
    assert not holds_constants([1, Thawed(1)])


STATE = """
    LIMIT = 3
    TABLE = {"a": 1}
    seen = []
    verbose = False

    def remember(x):
        seen.append(x)

    def f(x: int) -> int:
        if x > LIMIT:
            return 1
        if x in TABLE:
            return 2
        if x in seen:
            return 3
        if verbose:
            return 4
        return 0
"""


def test_a_read_of_a_name_says_who_changes_it_or_nothing_if_nobody_does(tmp_path: Path) -> None:
    parts = explored(STATE, tmp_path).parts
    changing = Changing(parts.imported, parts.target, frozenset({"x"}))

    told = {read.name: changing.why(read) for read in parts.imported.rewritten.reads}

    assert not {"LIMIT", "TABLE"} & {name for name, why in told.items() if why}
    assert told["seen"] == "depends on `seen`, which earlier calls of `remember` change"
    assert told["verbose"] == "depends on `verbose`, a setting of the module"
    assert changing.anything() == ""


def test_names_that_are_bound_in_a_way_no_text_shows_make_every_name_doubtful(
    tmp_path: Path,
) -> None:
    parts = explored(
        """
        def spoil(name):
            globals()[name] = 1

        def f(x: int) -> int:
            return 1 if x > 3 else 0
        """,
        tmp_path,
    ).parts

    told = Changing(parts.imported, parts.target, frozenset({"x"})).anything()

    assert re.fullmatch(r"names are bound through .* at proof_parts_\d+\.py:3", told)


@pytest.fixture
def against(tmp_path: Path) -> Callable[[str], dict[int, str]]:
    """Why the condition of each line is not proved to have no other side."""

    def asked(source: str) -> dict[int, str]:
        found = explored(source, tmp_path)
        standing = Standing(found.parts, found.progress)
        own = found.parts.coverage.own
        return {site.line: standing.against((site.number, True)) for site in own}

    return asked


def test_where_the_program_lies_is_no_constant(against: Callable[[str], dict[int, str]]) -> None:
    told = against("""
        def f(x: int) -> int:
            if __file__.startswith("/opt/"):
                return 1
            return 0
    """)

    assert "where the program lies" in told[3]


def test_an_obstacle_concerns_what_may_come_after_it_and_nothing_before(
    against: Callable[[str], dict[int, str]],
) -> None:
    told = against("""
        import threading
        def f(x: int) -> int:
            if x > 5 and x < 3:
                return 1
            if threading.active_count() == 17 and x == 4:
                return 2
            if x * x < 0:
                return 3
            return 0
    """)

    assert told[4] == ""
    assert "active_count()" in told[8]
    assert told[8].endswith(".py:6)")


def test_nothing_is_proved_about_a_target_whose_every_input_raised(
    against: Callable[[str], dict[int, str]],
) -> None:
    told = against("""
        def f(x: int) -> int:
            if x > 5 and x < 3:
                return 1
            raise ValueError(x)
    """)

    assert told[3] == "every input raised"


def test_a_function_that_leaves_its_target_may_be_called_with_anything_later(
    against: Callable[[str], dict[int, str]],
) -> None:
    told = against("""
        def f(x: int):
            def kept(y):
                if y:
                    return 1
                return 2
            def called(y):
                if y:
                    return 1
                return 2
            called(x)
            return kept
    """)

    assert told[4] == "`kept` leaves the function, and whoever has it may call it later"
    assert told[8] == ""


def test_an_obstacle_is_shown_with_its_place() -> None:
    assert Obstacle("depends on a", "shop/cart.py", 7).shown == "depends on a (cart.py:7)"
    assert Obstacle("every input raised").shown == "every input raised"


def test_the_attack_calls_with_subtypes_and_with_one_object_for_two_parameters(
    tmp_path: Path,
) -> None:
    found = explored(
        """
        def f(n: int, a: list[int], b: list[int]) -> int:
            return n if a else len(b)
        """,
        tmp_path,
    )

    made = [each.values for each in variants(found.parts, found.progress, 50)]

    assert any(values["n"] is True for values in made)
    assert any(type(values["n"]) not in (int, bool) for values in made)
    assert any(values["a"] is values["b"] for values in made)
    assert any(type(values["a"]) is not list for values in made)


def test_the_attack_names_its_call_and_makes_no_more_than_it_is_asked_for(tmp_path: Path) -> None:
    found = explored("def f(n: int) -> int:\n    return 1 if n > 2 else 0\n", tmp_path)

    made = list(variants(found.parts, found.progress, 2))

    assert [each.shown(found.parts) for each in made] == ["f(n=True)", "f(n=False)"]


@pytest.fixture
def wronged(tmp_path: Path) -> Explored:
    """A side that has an input is recorded as having none."""
    found: Any = explored("def f(n: int) -> int:\n    return 1 if n > 2 else 0\n", tmp_path)
    root = found.progress.tree.root
    side = not root.trace.events[0][0] & 1
    root.state[side] = Side.INFEASIBLE
    return found


def test_another_solver_gives_an_input_for_a_side_that_was_said_to_have_none(
    wronged: Explored,
) -> None:
    root = wronged.progress.tree.root
    assert root is not None

    found = list(doubted(wronged.progress, Options(), Moment()))

    assert found
    taken = root.trace.assignment["n"] > 2
    assert all((given["n"] > 2) is not taken for given in found)


def test_no_other_solver_is_asked_when_there_is_no_time_left(wronged: Explored) -> None:
    assert list(doubted(wronged.progress, Options(), Moment(1.0, lambda: 2.0))) == []


def test_an_abstract_collection_may_be_any_of_those_that_are_common(tmp_path: Path) -> None:
    found = explored(
        """
        from collections.abc import Sequence
        def f(xs: Sequence[int], ys: Sequence[str]) -> int:
            return 1 if len(xs) > 1 else 0
        """,
        tmp_path,
    )

    tried = {(each.name, type(each.value)) for each in variants(found.parts, found.progress, 50)}

    assert {("xs", tuple), ("xs", deque), ("xs", range), ("ys", str), ("ys", deque)} <= tried
    assert not {("xs", str), ("ys", range)} & tried
