"""A report to read: in a terminal, as a page, as JSON, and what a replay showed."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from symcrete.explore.findings import FoundInput, Report, Spot, Status, Tally, TargetReport
from symcrete.report.formats.again_text import told_again
from symcrete.report.formats.json import Json
from symcrete.report.formats.notebook import table
from symcrete.report.formats.terminal import Table, Telling, call_text, outcome_text
from symcrete.run.use import Ending
from symcrete.sandbox.driver.again import Again


def found(returned: str = "1", **more: object) -> FoundInput:
    spot = Spot(3, 4, True, "x > 0")
    return FoundInput({"x": "1"}, Ending.RETURNED, returned, None, (spot,), "x > 0", **more)  # type: ignore[arg-type]


def target(*inputs: FoundInput, **more: object) -> TargetReport:
    tally = Tally(2, 1, 0)
    given: dict[str, object] = {"branches": tally, "conditions": tally, "inputs": inputs}
    return TargetReport("m.py::f", Status.BUDGET, **(given | more))  # type: ignore[arg-type]


def shown(report: TargetReport, *, verbose: bool = False, width: int = 100) -> str:
    out = io.StringIO()
    Table(verbose=verbose, width=width).emit(Report((report,)), out)
    return out.getvalue()


def test_an_input_is_shown_with_its_result_and_what_it_covers() -> None:
    assert "  x=1    1       3: x > 0\n" in shown(target(found()))


def test_a_function_that_was_not_tried_is_told_in_two_lines() -> None:
    spent = "the total budget was spent"
    spots = (Spot(3, 0, True, "y > 100", reason=spent), Spot(3, 0, False, "y <= 100", reason=spent))

    text = shown(target(open=spots, notes=(spent,)))

    assert text == f"m.py::f  budget\n  {spent}\n"


def test_columns_stand_below_their_names() -> None:
    lines = shown(target(found())).splitlines()
    header = next(line for line in lines if "newly covers" in line)
    row = next(line for line in lines if line.endswith("3: x > 0"))

    assert header.index("result") == row.index(" 1 ") + 1
    assert header.index("newly covers") == row.index("3: x > 0")


@pytest.mark.parametrize("width", [20, 40, 60, 71, 72, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    raised = replace(found(), outcome=Ending.RAISED, raised=f"ValueError({'no ' * 40!r})")
    spots = (Spot(3, 0, True, "y > 100", reason="the solver gave up: it had two seconds"),) * 3

    text = shown(
        target(found("1" * 300), raised, open=spots, notes=("a long note " * 20,)), width=width
    )

    sentences = ("  1 of 2", "  note", "  open", "       ")  # whole where columns have room
    rows = [line for line in text.splitlines() if width < 72 or not line.startswith(sentences)]
    assert [line for line in rows if len(line) > min(max(width, 20), 140)] == []
    assert text.count("…") >= 2


def test_a_narrow_terminal_has_results_below_their_inputs() -> None:
    raised = replace(found(), outcome=Ending.RAISED, raised="KeyError(1)")

    assert "  x=1\n    gives 1\n    covers 3: x > 0\n" in shown(target(found()), width=60)
    assert "  x=1\n    raises KeyError(1)\n    covers" in shown(target(raised), width=60)


def test_letters_that_take_two_columns_do_not_move_the_others() -> None:
    wide, plain = found('"東京"'), found('"Tokyo"')

    lines = shown(target(wide, plain)).splitlines()

    ends = [line.partition("3: x > 0")[0] for line in lines if line.endswith("3: x > 0")]
    assert [len(each) for each in ends] == [len(ends[1]) - 2, len(ends[1])]


def test_a_cut_text_takes_the_columns_it_may() -> None:
    text = shown(target(found("東" * 200), found("a" * 200)))

    cells = [line[9:].partition("…")[0] for line in text.splitlines() if "…" in line]
    assert [len(cell) for cell in cells] == [14, 29]


def test_one_reason_is_said_once_for_all_that_is_open() -> None:
    spots = tuple([Spot(line, 0, True, "y", reason="no time") for line in range(1, 8)])

    text = shown(target(open=spots))

    assert text.count("no time") == 1 and "... (7 in all)" in text
    assert "... (7 in all)" not in shown(target(open=spots), verbose=True)


def test_an_input_without_a_test_is_shown_with_the_reason() -> None:
    text = shown(target(found(untested="it depends on the day")))

    assert "  no test for x=1\n       it depends on the day\n" in text


@pytest.mark.parametrize("verbose", [False, True])
def test_inputs_of_many_targets_that_turn_out_to_have_no_test_are_counted(verbose: bool) -> None:
    before = [target(found()), replace(target(found()), target="m.py::g")]
    after = tuple([replace(each, inputs=(found(untested="no"),)) for each in before])
    out = io.StringIO()
    telling = Telling(Table(verbose=verbose, width=100), out)
    for each in before:
        telling.add(each)

    telling.end(Report(after))

    counted = "\n2 inputs have no test (-v shows which)\n  2: no\n"
    assert (counted in out.getvalue()) is not verbose
    assert ("\nm.py::g\n  no test for x=1\n       no\n" in out.getvalue()) is verbose


def test_path_conditions_are_shown_on_request() -> None:
    assert "path: x > 0" in shown(target(found()), verbose=True)
    assert "path:" not in shown(target(found()))


def test_inputs_beyond_a_page_are_counted() -> None:
    assert "... and 5 more (--json has all)" in shown(target(*[found() for _ in range(45)]))


def test_words_for_calls_and_outcomes() -> None:
    raised = FoundInput({}, Ending.RAISED, None, "ValueError()", (), "")
    ended = FoundInput({}, Ending.TIMEOUT, None, None, (), "", reason="does not end")

    assert call_text(raised) == "()" and outcome_text(raised) == "raises ValueError()"
    assert outcome_text(ended) == "timeout: does not end"
    assert outcome_text(found(None, result_type="Cart")) == "<Cart>"  # type: ignore[arg-type]


def test_a_page_shows_texts_as_texts() -> None:
    page = table(Report((target(found('"<b>"')),)))

    assert "&lt;b&gt;" in page and "<b>" not in page


def test_json_says_why_an_input_has_no_test() -> None:
    out = io.StringIO()
    Json().emit(Report((target(found(untested="it depends on the day")),)), out)

    told = json.loads(out.getvalue())

    assert told["targets"][0]["inputs"][0]["untested"] == "it depends on the day"


def test_a_replay_that_differs_is_told_with_both_results() -> None:
    then, now = found("1"), found("2")

    lines = told_again(Again("m.py::f", then, now), verbose=False)

    assert lines == ["m.py::f  x=1", "  then: 1", "  now:  2"]
    assert told_again(Again("m.py::f", then, then), verbose=False) == []
