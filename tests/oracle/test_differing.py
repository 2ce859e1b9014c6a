"""Two functions are explored together: a difference is solved for, sameness is proved."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import symcrete
from symcrete import cli, judging
from symcrete.errors import BadOption
from symcrete.explore.findings import FoundInput
from symcrete.explore.options import Options
from symcrete.oracle.differing import diff
from symcrete.oracle.subjects import report_of
from symcrete.oracle.verdicts import Aspect, Diff, Difference
from symcrete.program.source.target import targets_of
from symcrete.report.judged.diff_text import told_diff
from symcrete.report.judged.test_text import test_of as text_of
from symcrete.report.judged.test_text import with_tests
from symcrete.run.use import Ending

PROGRAM = """\
def price(total: int, code: str) -> int:
    if total < 0:
        raise ValueError("negative")
    return total - 10 if code == "SAVE" and total > 1000 else total

def wrong(total: int, code: str) -> int:
    if total < 0:
        raise ValueError("negative")
    return total - 10 if code == "SAVE" and total >= 1000 else total

def tidy(total: int, code: str) -> int:
    if not total >= 0:
        raise ValueError("nega" + "tive")
    if code == "SAVE" and 1000 < total:
        return total + 5 - 15
    return total

seen = []

def counts(x: int) -> int:
    seen.append(x)
    return len(seen)

def opaque(x: int):
    return lambda: x

def first(xs: list[int]) -> int:
    return xs[0] if xs else 0

def first_too(xs: list[int]) -> int:
    if not xs:
        return 0
    return xs[0]

def first_changed(xs: list[int]) -> int:
    if len(xs) > 2 and xs[2] == 4321:
        xs[2] = 0
    return xs[0] if xs else 0
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "shop.py"
    file.write_text(PROGRAM)
    return file


def found(shop: Path, one: str, other: str) -> Diff:
    (first,), (second,) = targets_of(f"{shop}::{one}"), targets_of(f"{shop}::{other}")
    return diff(first, second, Options(budget=5.0))


def test_a_difference_behind_two_conditions_is_solved_for(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["diff", "shop.py::price", "shop.py::wrong", "--json"])

    told = json.loads(capsys.readouterr().out)
    (only,) = told["differences"]
    assert code == 1
    assert (told["schema"], told["verdict"], told["proof"]) == (1, "differs", None)
    assert only["args"] == {"total": "1000", "code": '"SAVE"'}
    assert only["a"] == {"outcome": "returned", "returned": "1000", "raised": None}
    assert only["b"] == {"outcome": "returned", "returned": "990", "raised": None}
    assert 'assert price(1000, "SAVE") == 1000' in only["test"]


def test_functions_are_the_same_only_with_a_proof(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["diff", "shop.py::price", "shop.py::tidy"])

    assert code == 0
    assert capsys.readouterr().out.startswith("shop.py::price and shop.py::tidy: the same")


def test_functions_of_lists_are_proved_the_same_without_a_path_for_each_length(shop: Path) -> None:
    told = found(shop, "first", "first_too")

    assert told.verdict == "same"
    assert told.proof == "all 2 paths of both end the same way"


def test_a_change_far_inside_of_a_list_is_found(shop: Path) -> None:
    (difference,) = found(shop, "first", "first_changed").differences

    assert [each.what for each in difference.aspects] == ["arguments"]


def test_what_only_the_order_of_calls_shows_is_no_difference(shop: Path) -> None:
    told = found(shop, "counts", "counts")

    assert told.verdict == "undecided"
    assert told.reason.startswith("no difference found in ")


def test_results_that_cannot_be_compared_are_said_to_be_such(shop: Path) -> None:
    told = found(shop, "opaque", "opaque")

    assert told.verdict == "undecided"
    assert told.reason.endswith("results of class function cannot be compared")


def test_a_function_is_compared_with_its_former_self(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=shop.parent, check=True, capture_output=True)

    git("init", "-q")
    git("add", "shop.py")
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "first")
    shop.write_text(PROGRAM.replace("- 10", "- 11"))

    code = cli.main(["diff", "shop.py::price", "--rev", "HEAD", "-o", "tests"])

    assert code == 1
    assert "shop.py::price at HEAD: they differ" in capsys.readouterr().out
    assert '"SAVE") == ' in (shop.parent / "tests" / "test_shop.py").read_text()


@pytest.mark.parametrize(
    ("words", "exit_code", "said"),
    [
        (["shop.py::price"], 4, "name two functions"),
        (["shop.py::price", "shop.py::tidy", "--rev", "HEAD"], 4, "with --rev, name one"),
        (["shop.py", "shop.py::tidy"], 4, "name one function; shop.py has price"),
        (["shop.py::price", "shop.py::gone"], 4, "no function 'gone'"),
        (["shop.py::price", "math:gcd"], 5, "no Python code"),
    ],
)
def test_what_cannot_be_compared_is_said_before_any_work(
    shop: Path, capsys: pytest.CaptureFixture[str], words: list[str], exit_code: int, said: str
) -> None:
    assert cli.main(["diff", *words]) == exit_code
    assert said in capsys.readouterr().err


def test_python_has_the_same_question(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    (target,) = targets_of(f"{shop}::price")
    answer = Diff("a", "b", "same", report_of(target, ()))

    def answered(a: Any, b: Any, options: Options) -> Diff:
        asked.append((a, b))
        return answer

    monkeypatch.setattr("symcrete.oracle.differing.diff", answered)
    monkeypatch.setattr("symcrete.oracle.differing.diff_revision", answered)

    symcrete.diff(f"{shop}::price", f"{shop}::tidy", budget="1s")
    symcrete.diff(f"{shop}::price", rev="HEAD")

    assert [each.scope for each in asked[0]] == ["price", "tidy"]
    assert asked[1][1] == "HEAD"
    with pytest.raises(BadOption, match="compare with what"):
        symcrete.diff(f"{shop}::price")
    assert judging.diff.__doc__


def test_the_table_has_results_and_whatever_else_differs(shop: Path) -> None:
    (target,) = targets_of(f"{shop}::price")
    one = FoundInput({"x": "1"}, Ending.RETURNED, None, None, (), "", result_type="Money")
    other = FoundInput({"x": "1"}, Ending.RAISED, None, "ValueError('no')", (), "")
    aspects = (Aspect("returned", "<Money with x=1>", ""), Aspect("printed", "'a'", "'b'"))
    made = Diff("a", "b", "differs", report_of(target, (one,)), (Difference(one, other, aspects),))

    lines = told_diff(made)

    assert lines[2:4] == [
        "  x=1        <Money with x=1>  raises ValueError('no')",
        "    printed  'a'               'b'",
    ]
    assert with_tests(made, made.report).differences[0].test == text_of(made.report)
    assert told_diff(Diff("a", "b", "undecided", made.report, reason="why"))[1] == "  why"


def test_a_call_that_leaves_an_argument_out_may_differ_by_the_defaults(shop: Path) -> None:
    shop.write_text(
        "def old(x: int, step: int = 2) -> int:\n    return x + step\n"
        "def new(x: int, step: int = 3) -> int:\n    return x + step\n"
    )

    found = symcrete.diff(f"{shop}::old", f"{shop}::new", budget="10s")

    assert found.verdict == "differs"
    assert found.differences[0].a.args == {"x": "0"}
    assert "old(0) == 2" in found.differences[0].test


def test_exceptions_that_differ_in_their_notes_alone_differ(shop: Path) -> None:
    text = (
        "def {0}(n: int) -> int:\n    error = ValueError('x')\n    error.add_note('{0}')\n"
        "    raise error\n"
    )
    shop.write_text(text.format("old") + text.format("new"))

    told = symcrete.diff(f"{shop}::old", f"{shop}::new", budget="10s")

    assert told.verdict == "differs"
    (aspect,) = told.differences[0].aspects
    assert aspect == Aspect("exception", "{'__notes__': ['old']}", "{'__notes__': ['new']}")
    assert any("attributes of the exception" in line for line in told_diff(told))


@pytest.mark.parametrize(
    "end",
    ["print(calls[0])", "error = ValueError('x'); error.add_note(str(calls[0])); raise error"],
)
def test_what_the_first_call_leaves_in_the_module_is_no_difference(shop: Path, end: str) -> None:
    body = f"(n: int) -> None:\n    calls[0] += 1\n    {end}\n"
    shop.write_text(f"calls = [0]\ndef old{body}def new{body}")

    told = symcrete.diff(f"{shop}::old", f"{shop}::new", budget="5s")

    assert told.verdict == "undecided"
    assert told.reason.endswith("one after the other, and not when called alone")


def test_the_same_names_what_it_takes_a_bool_that_is_given_for_an_int_for(shop: Path) -> None:
    shop.write_text(
        "def kept(x: int) -> object:\n    return 1, x\n\n"
        "def whole(x: int) -> object:\n    return 1, int(x)\n\n"
        "def text(x: bytes) -> object:\n    return x\n\n"
        "def same_text(x: bytes) -> object:\n    return x\n"
    )

    about_numbers = found(shop, "kept", "whole")
    about_bytes = found(shop, "text", "same_text")

    assert (about_numbers.verdict, about_bytes.verdict) == ("same", "same")
    assert any("a bool given for an int" in each for each in about_numbers.assumes)
    assert not any("given for an" in each for each in about_bytes.assumes)
