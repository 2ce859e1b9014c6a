"""Inputs are shown without the elements that nothing depends on."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.minimise.shorter import containers_in, shorter, without


def test_elements_behind_those_taken_out_move_up() -> None:
    given = {"len(xs)": 3, "xs[0]": 7, "xs[1]": 8, "xs[2]": 9, "xxs[2]": 1, "xs[5]": 4}

    assert without(given, "xs", 0, 2) == {"len(xs)": 1, "xs[0]": 9, "xxs[2]": 1}


def test_keys_and_values_are_taken_out_together_with_all_they_hold() -> None:
    given = {
        "len(d)": 2,
        "len(list(d)[0])": 1,
        "list(d)[0][0]": 97,
        "len(list(d)[1])": 1,
        "list(d)[1][0]": 98,
        "list(d.values())[0]": 5,
        "list(d.values())[1]": 6,
    }

    assert without(given, "d", 0, 1) == {
        "len(d)": 1,
        "len(list(d)[0])": 1,
        "list(d)[0][0]": 98,
        "list(d.values())[0]": 6,
    }


def test_large_parts_are_tried_before_small_ones() -> None:
    given = {"len(s)": 4, "s[0]": 97}

    assert containers_in(given) == ["s"]
    assert list(shorter(given, "s"))[:4] == [(0, 4), (2, 4), (0, 2), (3, 4)]


def test_what_is_short_comes_before_long_texts_and_what_it_holds_last() -> None:
    given = {"len(s)": 40, "len(xs)": 3, "len(xs[0])": 0, "xs[0][0]": 1}

    assert containers_in(given) == ["xs", "s", "xs[0]"]


def test_a_call_before_others_is_taken_out_of_what_an_object_has_been_through() -> None:
    given = {
        "s.calls()": 2,
        "s.calls()[0]?": 3,
        "s.calls()[1]?": 1,
        "len(s.calls()[1].row)": 1,
        "s.calls()[1].row[0]": 97,
    }

    assert containers_in(given) == ["s.calls()", "s.calls()[1].row"]
    assert without(given, "s.calls()", 0, 1) == {
        "s.calls()": 1,
        "s.calls()[0]?": 1,
        "len(s.calls()[0].row)": 1,
        "s.calls()[0].row[0]": 97,
    }


def test_earlier_calls_are_as_many_as_there_are_before_the_first_that_is_none() -> None:
    given = {"earlier[0]?": 2, "earlier[0].n": 5, "earlier[1]?": 1, "earlier[2]?": 0, "n": 7}

    assert containers_in(given) == ["earlier"]
    assert without(given, "earlier", 0, 1) == {"earlier[0]?": 1, "n": 7}


def test_calls_that_change_nothing_are_not_shown_though_others_follow(tmp_path: Path) -> None:
    program = """
        class Table:
            def __init__(self):
                self._rows = []
                self._seen = 0
            def look(self):
                self._seen += 1
            def add(self, row: int):
                self._rows.append(row)
            def draw(self) -> int:
                if len(self._rows) == 2:
                    return 1
                return 0
        """

    report = explore(program, tmp_path, budget=10.0, name="Table.draw")

    shown = {found.args["self"] for found in report.inputs}
    assert "(self := Table(), self.add(0), self.add(0))[0]" in shown


@pytest.mark.parametrize(
    ("parameter", "condition", "wanted"),
    [
        ("s: str", 'len(s) > 2 and s.find("q") > 0 and s.endswith("z")', {'"aqz"'}),
        ("xs: list[int]", "sum(xs) == 300 and 7 in xs", {"[7, 293]", "[293, 7]"}),
        ("s: set[int]", "5 in s and len(s) > 1", {"{0, 5}", "{1, 5}"}),
    ],
)
def test_what_nothing_depends_on_is_not_shown(
    parameter: str, condition: str, wanted: set[str], tmp_path: Path
) -> None:
    program = f"def f({parameter}):\n    if {condition}:\n        return 1\n    return 0\n"

    report = explore(program, tmp_path, max_runs=600)  # without a clock to run out of

    name = parameter.partition(":")[0]
    assert {found.args[name] for found in report.inputs} & wanted


def test_an_input_is_not_made_shorter_than_its_type_allows(tmp_path: Path) -> None:
    program = """
        from typing import Annotated
        class Len:
            min_length, max_length = 3, 5
        def f(xs: Annotated[list[int], Len()], s: Annotated[str, Len()]):
            if xs[0] == 7 and s[0] == "q":
                return 1
            return 0
        """

    report = explore(program, tmp_path, budget=10.0)

    for found in report.inputs:
        assert 3 <= len(eval(found.args["xs"])) <= 5
        assert 3 <= len(eval(found.args["s"])) <= 5
