"""Tests that look at what a call left: readable, formatted, and they hold."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.explore.findings import FoundInput, Report, Status, TargetReport
from symcrete.report.tests.kept import Wanted, keep_tests
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.looked import (
    assertions,
    columns_of,
    ending_of,
    labels_looked_at,
    looks_of,
    with_unchanged,
)
from symcrete.report.tests.pytest_file import PytestFile
from symcrete.run.untouched.played import Seen

PROGRAM = """
import logging

last = ""

class Account:
    def __init__(self, balance):
        self.balance = balance

    def deposit(self, amount):
        if amount < 0:
            self.balance = 0
            raise ValueError("negative")
        self.balance += amount
        return self

def sort(items):
    items.sort()

def pop(items):
    return items.pop()

def greet(name):
    print("hello " + name)

def warn(name):
    logging.getLogger("shop").warning(name)

def remember(name):
    global last
    last = name
"""


def found(args: dict[str, str], *seen: Seen, **more: object) -> FoundInput:
    given: dict[str, object] = {"outcome": "returned", "returned": "None", "raised": None}
    given |= {"covers": (), "path_condition": "", "imports": (), "seen": seen}
    return FoundInput(args, **(given | more))  # type: ignore[arg-type]


def of_account(amount: str, *seen: Seen, **more: object) -> FoundInput:
    args = {"self": "Account(5)", "amount": amount}
    given: dict[str, object] = {"returned": None, "compared": "", "result_type": "Account"}
    return found(args, *seen, imports=(("m", "Account"),), **(given | more))


BALANCE = Seen("argument", "self", ".balance", "8")
TARGETS = {
    "sort": [
        found({"items": "[2, 1]"}, Seen("argument", "items", "", "[1, 2]")),
        found({"items": "[1]"}),
    ],
    "pop": [found({"items": "[2, 1]"}, Seen("argument", "items", "", "[2]"), returned="1")],
    "greet": [found({"name": '"a"'}, Seen("printed", "", "", '"hello a\\n"'))],
    "warn": [found({"name": '"a"'}, Seen("logged", "", "", '[("shop", logging.WARNING, "a")]'))],
    "remember": [found({"name": '"a"'}, Seen("variable", "last", "", '"a"'))],
    "Account.deposit": [
        of_account("3", Seen("result", "self", "is", ""), BALANCE),
        of_account(
            "-3",
            Seen("argument", "self", ".balance", "0"),
            outcome="raised",
            raised='ValueError("negative")',
            error="ValueError",
            caught="ValueError",
            message="negative",
        ),
    ],
    "Account.__init__": [found({"balance": "5"}, Seen("result", "", ".balance", "5"), returned=None, compared="", result_type="Account")],
}  # fmt: skip


def report(folder: Path) -> Report:
    file = folder / "m.py"
    file.write_text(PROGRAM)
    return Report(
        tuple(
            TargetReport(
                f"m.py::{scope}",
                Status.COMPLETE,
                inputs=tuple(inputs),
                module="m",
                scope=scope,
                root=str(folder),
                file=str(file),
                is_method=scope == "Account.deposit",
            )
            for scope, inputs in TARGETS.items()
        )
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("looked")
    outcome = keep_tests(report(folder), Wanted(folder))
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", *outcome.written],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return outcome.written[0].read_text()


@pytest.mark.parametrize(
    "lines",
    [
        "def test_pop_changes_items():\n    items = [2, 1]\n\n    assert pop(items) == 1\n    assert items == [2]\n",
        'def test_greet_prints(capsys):\n    greet("a")\n\n    assert capsys.readouterr().out == "hello a\\n"\n',
        'def test_warn_logs(caplog):\n    warn("a")\n\n    assert caplog.record_tuples == [("shop", logging.WARNING, "a")]\n',
        'def test_remember_sets_last():\n    remember("a")\n\n    assert m.last == "a"\n',
        "    account = Account(5)\n\n    assert account.deposit(3) is account\n    assert account.balance == 8\n",
        "        account.deposit(-3)\n\n    assert account.balance == 0\n",
        "def test_account_init_gives_an_account():\n    result = Account(5)\n\n    assert result.balance == 5\n",
        "def test_sort_changes_items(items, items_after):\n    sort(items)\n\n    assert items == items_after\n",
    ],
)
def test_what_a_call_left_is_asserted_as_a_person_would(lines: str, written: str) -> None:
    assert lines in written


def test_what_does_not_hold_besides_the_result_costs_no_test(tmp_path: Path) -> None:
    whole = report(tmp_path)
    wrong = found({"items": "[2, 1]"}, Seen("argument", "items", "", "[7]"), returned="1")
    pop = next(each for each in whole.targets if each.scope == "pop")
    changed = Report((replace(pop, inputs=(wrong,)),))

    outcome = keep_tests(changed, Wanted(tmp_path))

    assert "def test_pop():\n    assert pop([2, 1]) == 1\n" in outcome.written[0].read_text()
    assert outcome.report.targets[0].inputs[0].seen == ()


@pytest.mark.parametrize(
    ("how", "expected", "not_expected"),
    [
        ("types", 'assert type(pop([2, 1])).__qualname__ == ""', "items =="),
        ("none", "def test_pop_returns():\n    pop([2, 1])\n", "assert"),
    ],
)
def test_less_is_asserted_on_request(how: str, expected: str, not_expected: str) -> None:
    out = io.StringIO()
    pop = TargetReport(
        "m.py::pop", Status.COMPLETE, inputs=(TARGETS["pop"][0],), module="m", scope="pop"
    )

    PytestFile(how).emit(Report((pop,)), out)

    assert expected in out.getvalue()
    assert not_expected not in out.getvalue()


def test_an_argument_that_some_calls_change_is_looked_at_in_all() -> None:
    changed, unchanged = with_unchanged(TARGETS["sort"])

    assert changed.seen == TARGETS["sort"][0].seen
    assert unchanged.seen == (Seen("argument", "items", "", "[1]"),)
    assert labels_looked_at(unchanged) == {"items"}


def test_what_differs_between_cases_is_a_column() -> None:
    inputs = with_unchanged(TARGETS["sort"])
    looks = looks_of(inputs)

    assert columns_of(looks, ["items"]) == {0: "items_after"}
    assert ending_of(looks, inputs) == "_changes_items"


def test_what_no_case_changes_is_not_in_the_name_of_its_test() -> None:
    _, unchanged = with_unchanged(TARGETS["sort"])

    assert ending_of(looks_of([unchanged]), [unchanged]) == ""


def test_a_long_text_is_given_a_name_first() -> None:
    looks = looks_of([found({}, Seen("printed", "", "", f'"{"a" * 70}"'))])

    lines = assertions(looks, {}, {}, "m", Layout())

    assert lines[-1] == "    assert capsys.readouterr().out == printed_after"


def test_a_long_subject_is_given_a_name_too() -> None:
    looks = looks_of([found({}, Seen("file", "sub/" + "a" * 30, "", '"text"'))])

    lines = assertions(looks, {}, {}, "m", Layout())

    assert lines[-1] == f"    assert seen == sub_{'a' * 30}_after"
    assert max(map(len, lines)) <= Layout().width


def test_the_name_of_a_file_may_have_any_signs() -> None:
    looks = looks_of([found({}, Seen("file", 'a"\n', "gone", ""))])

    assert assertions(looks, {}, {}, "m", Layout()) == [
        "    assert not (tmp_path / 'a\"\\n').exists()"
    ]
