"""The path condition of a reported input is Python and true of that input."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.confirm.path_condition import PathCondition, PathConditions
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.program.source.target import targets_of
from symcrete.run.untouched.played import Call
from symcrete.terms.integers import le
from symcrete.terms.term import Sort, Term, int_const, var

PROGRAMS = {
    "kinds": """
def f(many: int | None, name: str | bytes | None = None):
    if many is None:
        return 0
    return 1 if name else many
""",
    "characters": """
def f(text: str, word: str):
    if text[:1] == "(" and word.endswith(")"):
        return 1
    return 2 if text.strip() == "ab" else 3
""",
    "characters of what may be a list": """
def f(text: str | list[int], at: int):
    if 0 <= at < len(text) and text[at] == 1:
        return 1
    return 0
""",
    "dates": """
import datetime

def f(day: datetime.date, length: datetime.timedelta):
    if day.weekday() == 6 and length.days > 2:
        return day + length
    return day
""",
    "a module and a class of one name": """
import datetime

def f(moment: datetime.datetime):
    return moment.hour if moment.year > 2020 else datetime.datetime.min
""",
    "floats": """
import math

def f(x: float, n: int):
    if math.isnan(x):
        return 0
    return 1 if math.floor(x) == n and math.sqrt(abs(x)) > 2 else 2
""",
    "regular expressions": """
import re

def f(text: str):
    found = re.match(r"(\\d+)-(\\d+)?", text)
    return found.span(1) if found else None
""",
    "the same list": """
def f(a: list[int], b: list[int]):
    b.append(1)
    return len(a) if a is b else 0
""",
    "optional keys": """
from typing import NotRequired, TypedDict

class Row(TypedDict):
    size: int
    name: NotRequired[str]

def f(row: Row):
    return row["size"] if "name" in row else 0
""",
    "objects": """
from dataclasses import dataclass

@dataclass
class Point:
    x: int
    y: float

def f(p: Point, others: list[Point]):
    return len(others) if p.x > 3 and p.y < others[0].y else None
""",
    "library functions that raise": """
import calendar

def f(year: int, month: int):
    return calendar.monthrange(year, month)[0] == 2
""",
    "members of an enumeration": """
import enum

class Color(enum.Enum):
    RED = 1
    BLUE = 2
    GREEN = 3

def f(c: Color, others: list[Color]):
    if c.value > 2:
        return 1
    return 2 if Color.RED in others else 3
""",
    "names that hide built-ins": """
def f(len: str, ord: int):
    return 1 if ord > 3 and len[:1] == "a" else 2
""",
}


def explored(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> TargetReport:
    module = f"conditions_of_{name.replace(' ', '_')}"
    file = folder / f"{module}.py"
    file.write_text(PROGRAMS[name])
    monkeypatch.syspath_prepend(str(folder))
    (target,) = targets_of(f"{file}::f")
    return cover(target, Options(max_runs=120, replay=False))


def scope_of(report: TargetReport, number: int) -> dict[str, Any]:
    """As a reader of the JSON would make it: the imports, the setup, the arguments in order."""
    told = report.as_json()
    scope: dict[str, Any] = dict(vars(sys.modules[report.module]))
    scope["__builtins__"] = builtins
    for line in (*told["imports"], *told["inputs"][number]["setup"]):
        exec(line, scope)
    for label, text in told["inputs"][number]["args"].items():
        scope[label.lstrip("*")] = eval(text, scope)
    return scope


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_path_condition_is_true_of_its_input(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = explored(tmp_path, name, monkeypatch)

    assert report.inputs
    for number, found in enumerate(report.inputs):
        assert eval(found.path_condition, scope_of(report, number)), found


@pytest.mark.parametrize("name", ["kinds", "characters", "dates", "the same list", "objects"])
def test_nothing_is_left_out_of_conditions_over_the_arguments(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = explored(tmp_path, name, monkeypatch)

    assert [each.conditions_left_out for each in report.inputs] == [0] * len(report.inputs)


def test_members_of_an_enumeration_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = explored(tmp_path, "members of an enumeration", monkeypatch)

    first = [each.path_condition.partition(" and ")[0] for each in report.inputs]
    assert {*first} == {"c.name == 'RED'", "c.name == 'GREEN'"}


def test_conditions_without_an_expression_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = explored(tmp_path, "library functions that raise", monkeypatch)

    assert all(each.conditions_left_out for each in report.inputs)
    assert all("succeeds" not in each.path_condition for each in report.inputs)


def of(source: str, call: Call, terms: list[Term], given: dict[str, object]) -> PathCondition:
    """What is shown of these conditions for a function with this signature."""
    scope: dict[str, Any] = {}
    exec(source, scope)
    arguments = arguments_of(scope["f"], {}, "f")
    return PathConditions(arguments).of(terms, call, given)


def test_a_variable_whose_value_the_arguments_do_not_have_is_not_shown() -> None:
    n, hidden = var("n", Sort.INT), var("n.digits", Sort.INT)
    terms = [le(n, int_const(5)), le(hidden, int_const(5))]

    shown = of("def f(n: int): ...", Call({"n": "3"}), terms, {"n": 3, "n.digits": 3})

    assert shown == PathCondition("n <= 5", left_out=1)


def test_a_condition_that_is_not_true_of_the_arguments_is_not_shown() -> None:
    shown = of("def f(n: int): ...", Call({"n": "9"}), [le(var("n", Sort.INT), int_const(5))], {})

    assert shown == PathCondition("True", left_out=1)


def test_arguments_that_cannot_be_made_have_no_condition() -> None:
    terms = [le(var("n", Sort.INT), int_const(5))]

    shown = of("def f(n: int): ...", Call({"n": "Nowhere()"}), terms, {"n": 3})

    assert shown == PathCondition("True", left_out=1)


def test_what_is_set_up_first_is_there_for_the_arguments() -> None:
    terms = [le(var("n", Sort.INT), int_const(5))]

    shown = of("def f(n: int): ...", Call({"n": "m"}, setup=("m = 4",)), terms, {"n": 4})

    assert shown == PathCondition("n <= 5")


def test_a_condition_is_shown_once() -> None:
    term = le(var("n", Sort.INT), int_const(5))

    shown = of("def f(n: int): ...", Call({"n": "3"}), [term, term], {"n": 3})

    assert shown == PathCondition("n <= 5")
