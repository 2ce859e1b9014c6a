"""Inputs on the edges of comparisons and for each kind of result, not only for each branch."""

from __future__ import annotations

import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from symcrete.errors import BadOption
from symcrete.explore import compose
from symcrete.explore.cover.aiming import aim_beyond_branches
from symcrete.explore.cover.aims import Aims, edge_in_words, edges_of
from symcrete.explore.findings import FoundInput
from symcrete.explore.minimise.minimise import minimised
from symcrete.explore.options import Options, options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import holds
from symcrete.terms.term import Sort, int_const, var

PROGRAM = """
    import enum
    import os

    class Size(enum.Enum):
        SMALL = 1
        LARGE = 2

    def rich(balance: int) -> bool:
        return balance > 1000

    def fee(total: int) -> int:
        if total < 100:
            return 5
        return 0

    def same(a: int, b: int) -> int:
        if a == b:
            return 1
        return 0

    def size(width: float) -> Size:
        return Size.SMALL if width <= 2.5 else Size.LARGE

    def either(a: int, b: int, c: int, d: int) -> int:
        if (a > 0 and b > 0) or c > 0 or d > 0:
            return 1
        return 0

    def paid(total: int, member: bool) -> int:
        if member:
            return total - total // 10
        return total

    def average(prices: list[float]) -> float:
        return sum(prices) / len(prices)

    def debugging() -> bool:
        return os.environ.get("DEBUG", "0") in ("1", "true")

    def vowel(letter: str) -> int:
        if letter == "a":
            return 1
        return 0
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("aims") / "aims_program.py"
    file.write_text(textwrap.dedent(PROGRAM))
    return file


def inputs(program: Path, name: str, **more: object) -> tuple[FoundInput, ...]:
    options = options_from({"max_runs": 60, "replay": False, **more})
    return compose.cover(targets_of(f"{program}::{name}")[0], options).inputs


def given(program: Path, name: str, **more: object) -> set[tuple[str, ...]]:
    return {tuple(each.args.values()) for each in inputs(program, name, **more)}


def test_a_returned_truth_is_seen_to_be_both_and_at_its_edge(program: Path) -> None:
    assert given(program, "rich") == {("1000",), ("1001",)}


def test_a_truth_that_depends_on_whether_something_is_set_is_seen_to_be_both(program: Path) -> None:
    found = inputs(program, "debugging")

    assert {word for each in found for word in each.shows} == {"returns True", "returns False"}


def test_a_comparison_is_seen_on_both_sides_of_its_edge(program: Path) -> None:
    assert given(program, "fee") == {("99",), ("100",)}


def test_an_equality_is_seen_with_one_less_and_one_more(program: Path) -> None:
    pairs = {(int(a), int(b)) for a, b in given(program, "same")}

    assert {a - b for a, b in pairs} == {-1, 0, 1}


def test_floats_are_seen_to_be_equal_at_the_edge(program: Path) -> None:
    assert ("2.5",) in given(program, "size")


def test_characters_are_no_numbers_with_neighbours(program: Path) -> None:
    assert len(given(program, "vowel")) == 2


def test_an_operation_that_fails_is_a_kind_of_result(program: Path) -> None:
    shown = {text for each in inputs(program, "average") for text in each.shows}

    assert shown == {"raises ZeroDivisionError", "returns a value"}


def test_only_what_is_asked_for_is_aimed_at(program: Path) -> None:
    found = given(program, "fee", goals="branches")

    assert found != {("99",), ("100",)}
    assert all(not each.shows for each in inputs(program, "fee", goals="branches"))


def test_an_input_tells_what_it_shows(program: Path) -> None:
    shown = [text for each in inputs(program, "rich") for text in each.shows]

    assert {"returns True", "returns False"} <= set(shown)
    assert "returns True, at its edge" in shown


def test_an_unknown_goal_is_the_users_mistake() -> None:
    with pytest.raises(BadOption, match="goals are branches"):
        options_from({"goals": "branches,everything"})


def test_the_edges_of_a_term_are_where_its_truth_changes() -> None:
    a = var("a", Sort.INT)

    on, beside = edges_of(3, integers.lt(a, int_const(10)))

    assert holds(on.condition, {"a": 9}) and holds(beside.condition, {"a": 10})
    assert (on.aim, beside.aim) == ((3, "True", ""), (3, "False", ""))
    x, y = var("x", Sort.FLOAT), var("y", Sort.FLOAT)
    assert len(edges_of(3, floats.lt(x, y))) == 1


def test_each_condition_of_a_decision_is_seen_to_decide(program: Path) -> None:
    found = inputs(program, "either", goals="branches,mcdc")

    shown = {text for each in found for text in each.shows}
    assert {f"{each} decides" for each in ("a <= 0", "b <= 0", "c > 0", "d > 0")} <= shown
    first = [each.args for each in found if "a <= 0 decides" in each.shows]
    assert first[0]["c"] == first[0]["d"] == "0"


def test_an_edge_is_told_as_what_holds_there() -> None:
    a, b = var("a", Sort.INT), var("b", Sort.INT)
    on, beyond = [each.condition for each in edges_of(3, integers.lt(a, b))]

    assert edge_in_words("a < b", on) == "a == b - 1"
    assert edge_in_words("a < b", beyond) == "a == b"
    assert edge_in_words("a > 9", integers.eq(a, int_const(10))) == "a == 10"


def test_an_edge_of_something_else_by_that_name_has_no_words() -> None:
    doubled = integers.add(var("a", Sort.INT), var("a", Sort.INT))
    (on, _) = edges_of(3, integers.lt(doubled, int_const(10)))

    assert edge_in_words("a < 10", on.condition) == ""
    assert edge_in_words("len(a) < 10", on.condition) == ""
    assert edge_in_words("a < b < ", on.condition) == ""


def test_results_tell_paths_apart_where_inputs_decide_them(program: Path) -> None:
    found = inputs(program, "paid")

    assert [tuple(each.args.values()) for each in found] == [
        ("10", "False"),
        ("10", "True"),
    ]


def test_numbers_beside_an_edge_are_plain(program: Path) -> None:
    a = var("a", Sort.INT)
    b = var("b", Sort.INT)
    trace = SimpleNamespace(
        assignment={"a": 1000, "b": 999},
        assumptions=(),
        conditions=(integers.lt(int_const(499), b),),
        defaults=(),
    )
    apart = integers.eq(integers.sub(a, b), int_const(1))

    found = minimised(trace, also=[apart])  # type: ignore[arg-type]

    assert found == {"a": 501, "b": 500}


def test_a_number_is_a_round_one_before_a_half() -> None:
    trace = SimpleNamespace(
        assignment={"a": 1597},
        assumptions=(),
        conditions=(integers.lt(int_const(100), var("a", Sort.INT)),),
        defaults=(),
    )

    assert minimised(trace) == {"a": 200}  # type: ignore[arg-type]


def test_nothing_is_added_where_every_path_is_wanted(program: Path) -> None:
    target = targets_of(f"{program}::fee")[0]
    options = Options(max_runs=60, replay=False, paths=True)
    exploration, phase = compose.prepare(target, EveryBranch(paths=True), options)
    exploration.explore(phase)
    before = len(exploration.progress.kept)

    aims = Aims(options, exploration.parts.coverage)
    aim_beyond_branches(exploration, phase, options, aims)

    assert len(exploration.progress.kept) == before
