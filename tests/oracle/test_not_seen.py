"""Functions that differ, or fail, in a way that no call of ours shows are never said to be right."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from symcrete.explore.options import Options
from symcrete.explore.proof.left_behind import driven, outliving
from symcrete.oracle.differing import diff
from symcrete.oracle.failing import check
from symcrete.oracle.subjects import defaults_apart, named_alike
from symcrete.oracle.verdicts import Diff
from symcrete.program.source.target import Target, targets_of

APART = {
    "last = 0\ndef a(x: int):\n    global last\n    last = x\ndef b(x: int): pass\n": "`last`",
    "def a(x: int, y: int = 1): return x\ndef b(x: int, y: int = 2): return x\n": "the default",
    "def a(x: int):\n    got = yield x\n    if got == 7: yield 1\ndef b(x: int): yield x\n": "sent",
}


def pair(folder: Path, text: str) -> tuple[Target, Target]:
    file = folder / "pair.py"
    file.write_text(text)
    return targets_of(f"{file}::a")[0], targets_of(f"{file}::b")[0]


def compared(folder: Path, text: str) -> Diff:
    return diff(*pair(folder, text), Options(budget=3.0))


@pytest.mark.parametrize("text", APART)
def test_what_no_call_compares_is_not_said_to_be_the_same(tmp_path: Path, text: str) -> None:
    told = compared(tmp_path, text)

    assert told.verdict == "undecided"
    assert APART[text] in told.reason


def test_sameness_says_which_constants_and_which_calls_it_stands_on(tmp_path: Path) -> None:
    text = "LIMIT = 10\ndef a(x: int): return x < LIMIT\ndef b(y: int): return y < LIMIT\n"

    told = compared(tmp_path, text)

    assert told.verdict == "same"
    assert "LIMIT is 10, as its module sets it" in told.assumes
    assert "arguments are given by position" in told.assumes
    assert any("sign of a zero" in each for each in told.assumes)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def a(x: int):\n    got = yield x\n    if got == 5: yield 1\n", "sent to a generator"),
        ("def a(x: int):\n    def f(y: int):\n        return x != y\n    return f\n", "not called"),
    ],
)
def test_a_result_that_is_not_used_does_not_hold(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "single.py"
    file.write_text(text)

    told = check(targets_of(f"{file}::a")[0], Options(budget=3.0))

    assert told.verdict == "undecided"
    assert why in told.reason


@pytest.mark.parametrize(
    "line",
    [
        "C.n = 1",
        "del C.n",
        "os.environ['A'] = '1'",
        "os.environ.update(A='1')",
        "setattr(C, 'n', 1)",
        "log.warning('old')",
        "self.log.warning('old')",
    ],
)
def test_what_outlives_a_call_is_noticed(line: str) -> None:
    assert len(list(outliving(ast.parse(f"def f(self): {line}").body[0]))) == 1


@pytest.mark.parametrize("line", ["x = 1", "x[0] = 1", "x.n = 1", "y = x; y.update({})"])
def test_what_is_local_or_given_is_compared(line: str) -> None:
    assert not list(outliving(ast.parse(f"def f(x): {line}").body[0]))


@pytest.mark.parametrize(
    ("body", "depends"),
    [
        ("yield 1", False),
        ("for x in xs: yield x", False),
        ("while (yield 1): pass", True),
        ("f((yield))", True),
        ("try:\n        yield 1\n    finally: pass", True),
        ("yield 1\n    return 2", True),
    ],
)
def test_a_generator_that_depends_on_who_drives_it_is_noticed(body: str, depends: bool) -> None:
    assert bool(list(driven(ast.parse(f"def f(xs):\n    {body}\n").body[0]))) is depends


def test_defaults_and_names_are_compared_by_their_place(tmp_path: Path) -> None:
    same = pair(tmp_path, "def a(x, *, y=(1, 2)): ...\ndef b(x, *, y=(1, 2)): ...\n")
    assert (defaults_apart(*same), named_alike(*same)) == ("", True)

    other = pair(tmp_path, "def a(x, y=1): ...\ndef b(x, z): ...\n")
    assert (defaults_apart(*other) != "", named_alike(*other)) == (True, False)
