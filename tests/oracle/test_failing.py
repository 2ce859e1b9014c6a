"""A function is checked in a program that judges it: failures are replayed, holding is proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symcrete
from symcrete import cli, judging
from symcrete.errors import INTERNAL_ERROR, ImportFailed, NothingToAnalyse
from symcrete.explore.findings import FoundInput, Spot, Status, TargetReport
from symcrete.explore.options import Options
from symcrete.oracle import explored, failing
from symcrete.oracle.judged import Fault, judging_target
from symcrete.oracle.subjects import announced, parameters, report_of
from symcrete.oracle.verdicts import Checked, Failure
from symcrete.program.source.target import Target, targets_of
from symcrete.report.judged.check_text import told_check
from symcrete.report.judged.test_text import with_calls
from symcrete.run.use import Ending

PROGRAM = '''\
def pay(total: int) -> int:
    assert total != 4242, "never"
    return 100 // total

def age(years: int) -> int:
    """The age.

    Raises:
        ValueError, shop.Odd: if it is negative,
            or: something else.
        KeyError
    Returns:
        TypeError: no.
    """
    if years < 0:
        raise ValueError(years)
    return years

def at_once(n):
    """Raises:
        KeyError: if there is none.
    """


def sphinx(years):
    """:raises ValueError: if negative
    :raise OSError: never"""
    return years.real
'''


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "shop.py"
    file.write_text(PROGRAM)
    return file


def target_in(shop: Path, name: str) -> Target:
    return targets_of(f"{shop}::{name}")[0]


def test_every_fault_of_a_function_is_told_with_its_call_and_a_test(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["check", "shop.py::pay", "--json"])

    told = json.loads(capsys.readouterr().out)
    (only,) = told["targets"]
    by_kind = {each["kind"]: each for each in only["failures"]}
    assert code == 1
    assert (told["schema"], only["verdict"], only["proof"]) == (1, "fails", None)
    assert by_kind["exception"]["call"] == "pay(0)"
    assert by_kind["exception"]["line"] == 3
    assert by_kind["assert"]["args"] == {"total": "4242"}
    assert by_kind["assert"]["raised"] == 'AssertionError("never")'
    assert "pytest.raises(AssertionError)" in by_kind["assert"]["test"]


def test_a_function_holds_only_with_a_proof(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["check", "shop.py::age"])

    assert code == 0
    assert capsys.readouterr().out.startswith("shop.py::age: holds")


def test_what_is_expected_is_no_failure(shop: Path) -> None:
    found = symcrete.check(f"{shop}::pay", expect=["ZeroDivisionError", "AssertionError"])

    assert found.verdict == "holds"


def test_documentation_announces_exceptions_in_three_styles(shop: Path) -> None:
    assert announced(target_in(shop, "age")) == ("ValueError", "Odd", "KeyError")
    assert announced(target_in(shop, "sphinx")) == ("ValueError", "OSError")
    assert announced(target_in(shop, "at_once")) == ("KeyError",)
    assert announced(target_in(shop, "pay")) == ()
    assert parameters(target_in(shop, "sphinx")) == 1


def test_the_judging_program_leaves_out_known_faults(shop: Path, tmp_path: Path) -> None:
    known = Fault("assert", 2, "AssertionError")

    made = judging_target(target_in(shop, "pay"), tmp_path / "there", ("OSError",), (known,))

    text = made.source.file.read_text()
    assert "('assert', 2, 'AssertionError')" in text
    assert "'OSError'" in text


def answer(shop: Path, verdict: Any = "holds", **more: Any) -> Checked:
    return Checked("shop.py::pay", verdict, report_of(target_in(shop, "pay"), ()), **more)


def test_the_exit_code_is_that_of_the_worst(shop: Path) -> None:
    broken = judging.unable(target_in(shop, "pay"), ImportFailed("no module"))
    nothing = judging.unable(target_in(shop, "pay"), NothingToAnalyse("nothing"))

    assert judging.exit_code_of([answer(shop)]) == 0
    assert judging.exit_code_of([answer(shop), answer(shop, "undecided")]) == 1
    assert judging.exit_code_of([answer(shop), broken]) == 1
    assert judging.exit_code_of([broken]) == 4
    assert judging.exit_code_of([nothing]) == 5
    assert judging.exit_code_of([answer(shop, exit_error=INTERNAL_ERROR)]) == INTERNAL_ERROR


def test_an_input_that_does_not_fail_alone_is_no_failure(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = FoundInput(
        {"total": "1"}, Ending.RETURNED, '("assert", 2, "AssertionError")', None, (), ""
    )
    nothing = TargetReport("", Status.BUDGET)
    reports = [TargetReport("shop.py::pay", Status.COVERED, inputs=(found,)), nothing, nothing]
    monkeypatch.setattr(failing, "explored", lambda *given: reports.pop(0))
    monkeypatch.setattr(failing, "alone", lambda *given: [found])

    told = failing.check(target_in(shop, "pay"), Options())

    assert told.verdict == "undecided"
    assert told.reason.endswith("AssertionError failed only after other calls")


def test_lines_of_ours_are_not_told() -> None:
    spot = Spot(1, 0, False, reason="depends on it (joint_faults.py:3)", assumes=("versions is 1",))
    report = TargetReport("a", Status.BUDGET, open=(spot,))

    assert explored.why_open(report) == "depends on it"
    assert explored.assumed(spot) == ()
    assert explored.why_open(TargetReport("a", Status.BUDGET)) == "the budget is spent"


def test_an_answer_is_told_as_a_call_and_with_what_a_proof_assumes(shop: Path) -> None:
    given = FoundInput(
        {"total": "0"}, Ending.RAISED, None, "ZeroDivisionError()", (), "", error="Zero"
    )
    failing = answer(shop, "fails", failures=(Failure("exception", 3, given),))

    told = with_calls(failing, report_of(target_in(shop, "pay"), (given,)))

    assert told_check(told)[1] == "  pay(0) raises ZeroDivisionError()  (exception, line 3)"
    assert told_check(answer(shop, proof="p", assumes=("x",)))[1:] == [
        "  proof: p",
        "  assuming that x",
    ]
    assert told_check(answer(shop, "undecided", reason="why"))[1] == "  why"


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Raises ValueError if it is negative.", ("ValueError",)),
        ("The age; raises a :class:`~shop.OddError` or `KeyError`.", ("OddError", "KeyError")),
        ("Raise KeyError, OSError\n    and nothing else.", ("KeyError", "OSError")),
        ("Does not raise ValueError, never raises KeyError.", ()),
        ("Never raises ValueError.", ()),
        ("The age instead of raising ValueError; does not ever raise KeyError.", ()),
        ("Raises the price.", ()),
    ],
)
def test_sentences_announce_exceptions(
    sentence: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "told.py"
    file.write_text(f'def age(n: int) -> int:\n    """{sentence}"""\n    return n\n')

    assert announced(targets_of(str(file))[0]) == names


IN_USE = """\
def numbers(n: int):
    got = yield n
    assert got != 5
    yield got


def adder(n: int):
    def add(x: int) -> int:
        assert x != n + 3
        return x + n

    return add


_known: dict[int, int] = {}


def cached(x: int) -> int:
    if x in _known:
        assert x != 4
        return _known[x]
    _known[x] = x
    return x
"""


@pytest.mark.parametrize(
    ("name", "line", "call"),
    [
        ("numbers", 3, "generator.send(5)"),
        ("adder", 9, "add(0)"),
        ("cached", 20, "cached(4); cached(4)"),
    ],
)
def test_assertions_fail_in_what_a_call_gives_and_after_earlier_ones(
    name: str, line: int, call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "used.py").write_text(IN_USE)
    target = targets_of(f"used.py::{name}")[0]

    checked = failing.check(target, Options(budget=30.0))

    told = told_check(with_calls(checked, checked.report))
    assert f"(assert, line {line})" in told[1]
    assert call in told[1]


def test_objects_that_no_constructor_made_are_no_evidence() -> None:
    made = FoundInput(
        {"self": "object.__new__(Shop)"}, Ending.RAISED, None, "AssertionError()", (), ""
    )

    assert not failing._is_genuine(made)
