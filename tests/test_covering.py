"""`symcrete cover` over many targets: shown in their order as they finish, with broken files told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

from symcrete import covering
from symcrete.cli import parser
from symcrete.errors import BadOption
from symcrete.explore.findings import Status, Tally, TargetReport
from symcrete.explore.options import PATIENCE_WITH_MANY, QUICK_PATIENCE
from symcrete.program.source.target import Target
from symcrete.sandbox.driver import driver
from symcrete.sandbox.driver.rounds import Rounds

PROGRAM = "".join(
    f"def f{n}(x: int) -> int:\n    if x > {n}:\n        return 1\n    return 0\n" for n in range(3)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(PROGRAM)
    return tmp_path


def run(*words: str) -> int:
    return covering.cover(parser().parse_args(["cover", *words, "--no-journal"]))


def finishing(monkeypatch: pytest.MonkeyPatch, order: list[int], **parts: Any) -> dict[str, Any]:
    """The driver reports the targets in this order; gives what it was asked with."""
    asked: dict[str, Any] = {}

    def cover_all(targets: list[Target], options: Any, **more: Any) -> Iterator[TargetReport]:
        asked.update(more, targets=targets, options=options)
        for number in order:
            target = targets[number]
            more["on_target"](target)
            place = {"branches": Tally(2, 2, 0), "file": str(target.source.file)}
            given: dict[str, Any] = {**place, **parts}
            yield TargetReport(target.label, given.pop("status", Status.COMPLETE), **given)

    monkeypatch.setattr(driver, "cover_all", cover_all)
    return asked


def test_results_are_shown_in_the_order_of_the_targets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finishing(monkeypatch, [2, 0, 1])

    assert run("shop.py") == 0

    shown = capsys.readouterr().out
    places = [shown.index(f"shop.py::f{n}") for n in range(3)]
    assert places == sorted(places)
    assert "3 functions: 6 of 6 branches covered\n" in shown


def test_the_last_line_tells_what_is_infeasible(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finishing(monkeypatch, [0, 1, 2], branches=Tally(2, 1, 1))

    assert run("shop.py") == 0

    assert "3 functions: 3 of 6 branches covered, 3 infeasible\n" in capsys.readouterr().out


def test_a_file_that_cannot_be_parsed_is_one_line_and_exit_code_1(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.py").write_text("def f(:\n")
    finishing(monkeypatch, [0, 1, 2])

    assert run(".") == 1

    shown = capsys.readouterr().out
    assert shown.count("syntax error") == 1
    assert "1 could not be explored (1 file cannot be imported)" in shown


def test_a_module_that_cannot_be_imported_is_told_once_and_is_exit_code_4_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failure = {"status": "failed", "error": "cannot import shop", "exit_code": 4}
    finishing(monkeypatch, [0, 1, 2], **failure, unimportable=True)

    assert run("shop.py") == 4

    assert capsys.readouterr().out.count("cannot import shop") == 1


def test_what_would_be_covered_is_listed_and_nothing_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = finishing(monkeypatch, [])

    assert run("shop.py", "--list", "--exclude", "f1", "--workers", "1", "--budget", "3s") == 0

    assert capsys.readouterr().out.splitlines() == [
        "shop.py::f0  2 branches",
        "shop.py::f2  2 branches",
        "2 functions, 1 left out; at most 6 s",
    ]
    assert not asked


def test_the_configuration_tells_what_to_exclude_and_how_many_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pyproject.toml").write_text("[tool.symcrete]\nexclude = 'f1'\nworkers = 3\n")
    asked = finishing(monkeypatch, [0, 1])

    run("shop.py", "-q")

    assert [target.scope for target in asked["targets"]] == ["f0", "f2"]
    assert asked["workers"] == 3


def test_no_workers_are_a_mistake() -> None:
    with pytest.raises(BadOption, match="leaves nobody to work"):
        run("shop.py", "--workers", "0")


def test_only_what_a_measurement_lacks_is_listed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "shop.py"
    measuring = coverage.Coverage(data_file=".coverage", branch=True, include=[str(file)])
    measuring.start()
    exec(compile(file.read_text() + "\nf0(1)\nf0(-1)\nf2(1)\n", str(file), "exec"), {})
    measuring.stop()
    measuring.save()

    assert run("shop.py", "--list", "--coverage", ".coverage", "--workers", "1") == 0

    assert capsys.readouterr().out.splitlines()[:2] == [
        "shop.py::f1  2 branches",
        "shop.py::f2  1 branches",
    ]


def test_what_tests_called_is_handed_to_the_search(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "test_shop.py").write_text("from shop import f1\ndef test_f1():\n    f1(7)\n")
    asked = finishing(monkeypatch, [0, 1, 2])

    run("shop.py", "--learn-from", "test_shop.py")

    learned = [asked["before"](target).learned for target in asked["targets"]]
    assert learned == [(), ("x=7",), ()]
    assert "learned 1 calls of 1 functions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "patience"),
    [
        (["shop.py"], PATIENCE_WITH_MANY),
        (["shop.py::f1"], None),
        (["shop.py", "--budget", "4s"], None),
        (["shop.py", "--max-runs", "50"], None),
        (["shop.py", "--quick"], QUICK_PATIENCE),
        (["shop.py::f1", "--patience", "500ms"], 0.5),
    ],
)
def test_only_of_several_functions_without_a_budget_none_waits_long(
    monkeypatch: pytest.MonkeyPatch, words: list[str], patience: float | None
) -> None:
    asked = finishing(monkeypatch, [0])

    run(*words)

    assert asked["options"].patience == patience


def test_a_patience_of_nothing_is_no_patience() -> None:
    with pytest.raises(BadOption, match="give for example 2s"):
        run("shop.py", "--patience", "0")


def test_an_input_that_ends_its_process_names_the_imports_of_its_arguments(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "modes.py").write_text(
        "import os\nfrom enum import Enum\n\n\n"
        "class Mode(Enum):\n    ON = 1\n    OFF = 2\n\n\n"
        "def leave(mode: Mode) -> int:\n    if mode is Mode.OFF:\n        os._exit(7)\n    return 1\n"
    )

    run("modes.py", "--json", "--budget", "20s")

    (target,) = json.loads(capsys.readouterr().out)["targets"]
    (crashed,) = [each for each in target["inputs"] if each["outcome"] == "crashed"]
    assert crashed["args"] == {"mode": "Mode.OFF"}
    assert target["imports"] == ["from modes import Mode"]


def test_a_budget_over_all_keeps_and_uses_what_is_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[str]] = []

    def cover(self: Rounds, targets: list[Target], **more: Any) -> Iterator[TargetReport]:
        asked.append([target.scope for target in targets])
        for target, status in zip(
            targets, (Status.COMPLETE, Status.BUDGET, Status.COMPLETE), strict=False
        ):
            file = str(target.source.file)
            yield TargetReport(target.label, status, branches=Tally(2, 2, 0), file=file)

    monkeypatch.setattr(Rounds, "cover", cover)
    words = ["cover", "shop.py", "--total-budget", "9s", "--quiet"]

    for _ in range(2):
        assert covering.cover(parser().parse_args(words)) == 0

    assert asked == [["f0", "f1", "f2"], ["f1"]]
