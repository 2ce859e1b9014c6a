"""What an editor shows: functions of a text, lenses, findings where they stand now."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec

from symcrete.editor import function_work
from symcrete.editor.open_text import Function, functions_in
from symcrete.editor.shown import (
    MOST_INPUTS,
    Known,
    actions,
    diagnostics,
    inputs_of_line,
    lenses,
)
from symcrete.errors import TargetNotFound
from symcrete.explore.findings import FoundInput, Spot, Status, Tally, TargetReport
from symcrete.oracle.verdicts import Checked, Failure, WrongExample
from symcrete.run.use import Ending

TEXT = """\
class Cart:
    def total(self) -> int:
        def inner() -> int:
            return 1
        return inner()
"""
THERE = Function("f", 4, 9, "def f(a): ...")
REPORT = TargetReport(
    "shop.py::f",
    Status.BUDGET,
    branches=Tally(4, 2, 1),
    open=(Spot(7, 4, True, "a > 3", reason="solver gave up"),),
    infeasible=(Spot(8, 4, False, "a < 3", proof="declared type"),),
    scope="f",
    file="shop.py",
)


def test_the_functions_of_a_text_are_those_that_a_test_can_call() -> None:
    (found,) = functions_in(TEXT) or []

    assert (found.scope, found.first, found.last) == ("Cart.total", 1, 4)
    assert found.text == "\n".join(TEXT.splitlines()[1:])


def test_a_text_that_is_no_python_has_no_functions_to_tell_of() -> None:
    assert functions_in("def (") is None


def test_lenses_say_what_is_known_and_what_can_be_done() -> None:
    unknown = [lens.command.title for lens in lenses("u", THERE, None) if lens.command]
    known = [
        lens.command.title for lens in lenses("u", THERE, Known(THERE, REPORT)) if lens.command
    ]

    assert unknown == ["cover", "write tests", "check"]
    assert known == ["2 of 4 branches, 1 open, 1 dead", "write tests", "check"]


def test_findings_move_with_their_function() -> None:
    moved = replace(THERE, first=14, last=19)

    found = {each.code: each for each in diagnostics(Known(THERE, REPORT), moved)}

    assert {code: each.range.start.line for code, each in found.items()} == {
        "open-branch": 16,
        "dead-branch": 17,
    }
    assert found["open-branch"].message == "no input found for a > 3: solver gave up"
    assert found["dead-branch"].tags == [types.DiagnosticTag.Unnecessary]


def test_failing_checks_stand_in_their_lines_and_examples_in_theirs() -> None:
    found = FoundInput(
        {"a": "3"}, Ending.RETURNED, "-1", None, (Spot(7, 4, True, "breaks post: a"),), ""
    )
    checked = Checked(
        "shop.py::f",
        "fails",
        REPORT,
        (Failure("contract", 0, found, "f(3)"),),
        (WrongExample(6, "f(4)", "2", "1"),),
    )

    told = [
        (each.code, each.range.start.line, each.message)
        for each in diagnostics(Known(THERE, None, checked), replace(THERE, first=14, last=19))
    ]

    assert told == [
        ("failing-check", 14, "f(3) returns -1 and breaks post: a"),
        ("wrong-example", 15, "f(4) gives 1, not 2"),
    ]


def test_a_hover_names_some_of_many_inputs() -> None:
    inputs = [
        FoundInput({"a": str(n)}, Ending.RETURNED, "1", None, (), "", lines=frozenset([6]))
        for n in range(MOST_INPUTS + 2)
    ]
    known = Known(THERE, replace(REPORT, inputs=tuple(inputs)))

    told = inputs_of_line(known, THERE, 5)

    assert "- `f(a=0)`" in told and "- and 2 more" in told
    assert inputs_of_line(known, THERE, 6) == ""


def test_dead_code_has_no_test_to_add() -> None:
    dead = types.Diagnostic(types.Range(*[types.Position(0, 0)] * 2), "", code="dead-branch")

    kinds = [each.kind for each in actions("u", THERE, [replace_source(dead)])]

    assert set(kinds) == {types.CodeActionKind.Refactor}


def replace_source(finding: types.Diagnostic) -> types.Diagnostic:
    finding.source = "symcrete"
    return finding


def test_a_function_is_named_from_the_folder_of_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop.py").write_text("def f(): ...\n")
    monkeypatch.chdir(tmp_path)

    assert function_work.target_at(tmp_path / "shop.py", "f").label == "shop.py::f"
    with pytest.raises(TargetNotFound, match="did you mean"):
        function_work.target_at(Path(os.path.relpath(tmp_path / "shop.py")), "ff")


def test_columns_are_counted_as_the_editor_counts() -> None:
    there = Function("f", 0, 2, "def f(a):\n    if '\N{GRINNING FACE}' and a: ...")
    report = replace(REPORT, open=(Spot(2, 15, True, "a"),), infeasible=())

    (plain,) = diagnostics(Known(there, report), there)
    (found,) = diagnostics(Known(there, report), there, PositionCodec().client_num_units)

    assert (plain.range.start.character, found.range.start.character) == (15, 16)
