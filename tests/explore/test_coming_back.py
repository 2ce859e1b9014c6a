"""A side counts as done when a run that takes it comes back, as far as that is to be expected."""

from __future__ import annotations

from pathlib import Path

from tests.explore.exploring import explore

from symcrete.explore.findings import OF_WRONG_TYPES, FoundInput, Status, TargetReport
from symcrete.program.source.sites import SiteTable
from symcrete.report.tests.untestable import untestable
from symcrete.run.use import Ending
from symcrete.tree.coverage import Coverage, bit


def test_outcomes_of_runs_that_come_back_are_news_once() -> None:
    table = SiteTable()
    number = table.add("if", "a.py", 1, 0, "f", "x")
    coverage = Coverage(table, (table[number],), ())
    taken = bit(number, True)

    coverage.doubt(taken)

    assert coverage.doubts
    assert coverage.add_returned(taken) == taken
    assert coverage.add_returned(taken) == 0
    assert coverage.came_back
    assert not coverage.doubts


def test_a_side_that_raised_for_a_wrong_type_is_tried_until_it_comes_back(tmp_path: Path) -> None:
    report = explore(
        """
        def f(d):
            out = []
            for key, value in d.items():
                out.append(key.upper() + "=" + value.strip())
            return ";".join(out)
        """,
        tmp_path,
    )

    assert [each.outcome for each in report.inputs] == ["returned"]
    assert report.conditions.open == 0


def test_a_function_that_only_raises_for_guessed_types_is_not_done(tmp_path: Path) -> None:
    report = explore("def f(x):\n    return x @ x\n", tmp_path, budget=1.0)

    assert report.status == "budget"
    assert any(note.startswith("every input raised") for note in report.notes)


def test_a_function_that_raises_on_purpose_is_done(tmp_path: Path) -> None:
    report = explore("def f(x):\n    raise ValueError(x)\n", tmp_path, budget=1.0)

    assert report.status == "covered"
    assert report.notes == ()


def test_no_test_asserts_what_a_wrong_guess_raises() -> None:
    raised = FoundInput({}, Ending.RAISED, None, "TypeError('x')", (), "", error="TypeError")
    meant = FoundInput(
        {}, Ending.RAISED, None, "TypeError('x')", (), "", error="TypeError", message="x"
    )
    guessed, declared = (
        TargetReport("f", Status.COVERED, guessed=True),
        TargetReport("f", Status.COVERED),
    )

    assert "guessed" in untestable(guessed, raised)
    assert not untestable(guessed, meant)
    assert not untestable(declared, raised)
    assert raised.error in OF_WRONG_TYPES


def test_what_comes_after_an_operation_that_may_fail_is_executed_too(tmp_path: Path) -> None:
    report = explore(
        """
        def f(number):
            total = 0
            for digit in number.strip():
                total += int(digit)
            return total
        """,
        tmp_path,
    )

    returned = [each for each in report.inputs if each.outcome == "returned"]
    assert any(each.args["number"] not in ('""', "''") for each in returned), report.inputs


def test_defaults_are_a_good_guess_where_nothing_was_ever_right(tmp_path: Path) -> None:
    report = explore(
        """
        import zlib

        def checked(text, encoding, level):
            if not isinstance(text, str) or not text.strip():
                raise ValueError("empty")
            if level < 0 or level > 9:
                raise ValueError("level")
            return zlib.compress(text.encode(encoding), level)

        def f(text: str, encoding: str = "utf-8", level: int = 9) -> bytes:
            return checked(text, encoding, level)
        """,
        tmp_path,
        max_runs=100,
    )

    assert "returned" in [each.outcome for each in report.inputs]
