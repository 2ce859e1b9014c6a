"""What each command gives back, run in this process; and the same from Python."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import symcrete
from symcrete import __main__ as program
from symcrete import api, commands
from symcrete.cli import parser
from symcrete.errors import (
    AssumptionFailed,
    BadOption,
    NothingToAnalyse,
    SymcreteError,
    TargetNotFound,
)
from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.explore.reach.reached import Undecided
from symcrete.program.source.target import Target
from symcrete.run.use import Ending
from symcrete.sandbox.driver import driver, reaching

PROGRAM = "def f(x: int) -> int:\n    if x > 7:\n        return 1\n    return 0\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one file, with nothing explored: the reports are made up."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(PROGRAM)
    (tmp_path / "pyproject.toml").write_text("[tool.symcrete]\nbudget = '3s'\nseed = 5\n")
    return tmp_path


def report(**parts: Any) -> TargetReport:
    found = FoundInput({"x": "8"}, Ending.RETURNED, "1", None, (), "x > 7")
    given = {"target": "shop.py::f", "status": "complete", "inputs": (found,), "file": "shop.py"}
    return TargetReport(**(given | parts))


Driven = Callable[[TargetReport], list[Any]]


@pytest.fixture
def driven(monkeypatch: pytest.MonkeyPatch) -> Driven:
    """Puts a made-up report in the driver's place; gives the options that it was asked with."""

    def drive(made: TargetReport) -> list[Any]:
        asked: list[Any] = []

        def cover_all(targets: list[Target], options: Any, **more: Any) -> Any:
            asked.append(options)
            return iter([made])

        monkeypatch.setattr(driver, "cover_all", cover_all)
        return asked

    return drive


def run(*words: str) -> int:
    arguments = parser().parse_args(list(words))
    return int(getattr(commands, arguments.command)(arguments))


@pytest.mark.usefixtures("folder")
def test_flags_win_over_the_configuration_which_wins_over_defaults(driven: Driven) -> None:
    asked = driven(report())

    run("cover", "shop.py", "--no-journal", "-q", "--seed", "9")

    (options,) = asked
    assert (options.budget, options.seed) == (3.0, 9)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("parts", "words", "code"),
    [
        ({}, (), 0),
        ({"error": "cannot be imported", "exit_code": 4}, (), 4),
        ({"error": "internal error", "exit_code": 3, "traceback": "KeyError: 1"}, (), 3),
        ({"inputs": (FoundInput({}, Ending.CRASHED, None, None, (), ""),)}, (), 1),
    ],
    ids=["covered", "not imported", "ours", "crashed"],
)
def test_the_exit_code_of_cover_says_what_was_found(
    parts: dict[str, Any], words: tuple[str, ...], code: int, driven: Driven
) -> None:
    driven(report(**parts))

    assert run("cover", "shop.py", "--no-journal", "-q", *words) == code


@pytest.mark.usefixtures("folder")
def test_json_is_all_that_goes_to_standard_output(
    driven: Driven, capsys: pytest.CaptureFixture[str]
) -> None:
    driven(report())

    run("cover", "shop.py", "--no-journal", "--json")

    (target,) = json.loads(capsys.readouterr().out)["targets"]
    assert target["inputs"][0]["args"] == {"x": "8"}


@pytest.mark.usefixtures("folder")
def test_reach_that_does_not_decide_is_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    undecided = Undecided("shop.py:3", "shop.py::f", 0.1, 0, "the budget was spent")
    monkeypatch.setattr(reaching, "reach", lambda *args, **more: undecided)

    assert run("reach", "shop.py:3") == 1
    assert "the budget was spent" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_a_quiet_reach_tells_the_verdict_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    undecided = Undecided("shop.py:3", "shop.py::f", 0.1, 0, "the budget was spent")
    monkeypatch.setattr(reaching, "reach", lambda *args, **more: undecided)

    assert run("reach", "shop.py:3", "-q") == 1
    told = "shop.py:3: not decided from shop.py::f  (0 segments, 0.10 s)\n"
    assert capsys.readouterr().out == told


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("reach",), "what should be reached"),
        (("graph", "shop.py", "-o", "f.png"), "ends in .svg or .dot or .gv"),
        (("graph", "shop.py", "--format", "prism"), "has no form 'prism'"),
    ],
    ids=["no place", "ending", "form"],
)
def test_a_mistake_of_the_user_is_said_before_any_work(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        run(*words)


def test_the_tables_of_strategies_and_solvers_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("strategies") == 0
    assert run("solvers") == 0

    told = capsys.readouterr().out
    assert "cgs" in told
    assert "z3" in told


# -- from Python


def covered(x: int) -> int:
    return 1 if x > 3 else 0


class Shop:
    def price(self, x: int) -> int:
        return x


def test_a_function_object_is_the_target_of_its_file_and_name() -> None:
    plain, method = api.target_of(covered), api.target_of(Shop.price)

    assert (plain.source.file, plain.scope) == (Path(__file__), "covered")
    assert method.scope == "Shop.price"
    assert api.target_of(functools.lru_cache(covered)).scope == "covered"


@pytest.mark.parametrize(
    ("function", "error"),
    [(len, NothingToAnalyse), (lambda x: x, TargetNotFound)],
    ids=["built-in", "lambda"],
)
def test_what_no_test_can_import_is_refused(
    function: Callable[..., Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        api.target_of(function)


def test_cover_gives_a_report_that_a_notebook_shows_as_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "cover", lambda target, options: report())

    found = api.cover(covered, budget="1s")

    assert isinstance(found, Report)
    assert "<table" in found._repr_html_()


def test_reach_wants_to_know_which_line() -> None:
    with pytest.raises(BadOption, match="which line"):
        api.reach(covered)


def test_reach_looks_for_the_line_from_the_function_that_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(reaching, "reach", lambda goal, options, **more: asked.append((goal, more)))

    api.reach(covered, line=covered.__code__.co_firstlineno + 1)

    ((goal, more),) = asked
    assert more == {"entry": "covered"}
    assert goal.place.line == covered.__code__.co_firstlineno + 1


def test_an_assumption_that_does_not_hold_ends_the_run() -> None:
    api.assume(True)

    with pytest.raises(AssumptionFailed):
        api.assume(0)


def test_the_package_gives_the_same_names() -> None:
    assert symcrete.cover is api.cover
    assert symcrete.reach is api.reach


def test_python_m_symcrete_is_the_command() -> None:
    # In a process of its own: pytest loads the modules of packages with a plugin in its own way.
    package = program.__name__.removesuffix(".__main__")

    done = subprocess.run(
        [sys.executable, "-m", package, "--version"], capture_output=True, text=True
    )

    assert done.returncode == 0
    assert done.stdout == f"symcrete {symcrete.VERSION}\n"


def test_a_mistake_has_the_exit_code_of_its_class_or_the_one_it_is_made_with() -> None:
    assert SymcreteError("no").exit_code == 4
    assert NothingToAnalyse("no").exit_code == 5
    assert SymcreteError("no", exit_code=1).exit_code == 1
    assert str(SymcreteError("no", exit_code=1)) == "no"
