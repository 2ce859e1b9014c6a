"""Equal arguments of several calls are made plainer together."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete import clock
from symcrete.explore.minimise.twins import twins


def test_the_twins_of_an_argument_are_the_equal_ones_of_other_calls() -> None:
    given = {"n": -2, "m": 7, "earlier[0].n": -2, "earlier[1].n": -3, "earlier[0]?": 1}

    assert twins(given, "n") == ["earlier[0].n"]
    assert twins(given, "earlier[0].n") == ["n"]
    assert twins(given, "m") == []
    assert twins(given, "earlier[0]?") == []


def test_a_key_that_is_set_has_a_twin_in_the_key_that_is_asked_for() -> None:
    given = {"len(s.calls()[0].key)": 2, "s.calls()[0].key[1]": 97, "len(name)": 2, "name[1]": 97}

    assert twins(given, "name[1]") == ["s.calls()[0].key[1]"]
    assert twins(given, "len(name)") == ["len(s.calls()[0].key)"]


def test_calls_of_methods_have_twins_too() -> None:
    given = {"s.calls()[0].row": 5, "s.calls()[1].row": 5, "s.calls()[1].most": 6}

    assert twins(given, "s.calls()[0].row") == ["s.calls()[1].row"]


def test_without_other_calls_there_are_no_twins() -> None:
    assert twins({"a": 1, "b": 1}, "a") == []


def test_a_text_that_is_remembered_is_as_plain_as_any(tmp_path: Path) -> None:
    program = """
        _seen = set()
        def visit(n: int, s: str) -> str:
            if (n, s) in _seen and n < 0 and s:
                return "again"
            _seen.add((n, s))
            return "first"
        """

    report = explore(program, tmp_path, budget=10.0, name="visit")

    assert 'visit(-1, "a")' in {line for found in report.inputs for line in found.setup}


def test_a_key_is_as_short_as_any_though_an_object_holds_it(tmp_path: Path) -> None:
    program = """
        class Shelf:
            def __init__(self):
                self._held = {}
            def put(self, key: str):
                self._held[key] = 1
            def f(self, name: str) -> str:
                if name in self._held and len(name) > 1:
                    return "there"
                return "not there"
        """

    report = explore(program, tmp_path, budget=10.0, name="Shelf.f")

    assert ('(self := Shelf(), self.put("aa"))[0]', '"aa"') in {
        (found.args["self"], found.args["name"]) for found in report.inputs
    }


def test_making_inputs_plain_ends_by_work_and_not_because_the_machine_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def work() -> float:
        asked.append(0.0)
        return 0.0

    monkeypatch.setattr(clock, "work", work)
    program = """
        def f(name: str) -> int:
            if len(name) > 1:
                return 1
            return 0
        """

    report = explore(program, tmp_path)

    assert asked
    assert '"aa"' in {found.args["name"] for found in report.inputs}
