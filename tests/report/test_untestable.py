"""Inputs about which a test can assert nothing."""

from __future__ import annotations

import pytest

from symcrete.explore.findings import FoundInput, Status, TargetReport
from symcrete.report.tests.untestable import names_a_place, untestable


def found(**more: object) -> FoundInput:
    given: dict[str, object] = {"args": {"x": "1"}, "outcome": "returned", "raised": None}
    given |= {"returned": "2", "covers": (), "path_condition": ""}
    return FoundInput(**(given | more))  # type: ignore[arg-type]


TARGET = TargetReport("m.py::f", Status.COMPLETE, module="m", scope="f", root="/srv/program")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, ""),
        ({"outcome": "flaky"}, "its outcome is flaky"),
        ({"harm": "closes standard output"}, "it closes standard output"),
        ({"returned": "<object>"}, "would not parse"),
        ({"args": {"x": f'"{"a" * 30_000}"'}}, "more than 20000 characters"),
        ({"returned": '"/srv/program/data"'}, "in which folder the program is"),
        ({"returned": '"/srv/program/data"', "args": {"x": '"/srv/program/data"'}}, ""),
        ({"outcome": "raised", "error": "MemoryError", "returned": None}, "the memory there is"),
    ],
)
def test_the_reason_is_told(more: dict[str, object], reason: str) -> None:
    told = untestable(TARGET, found(**more))

    assert reason in told
    assert bool(reason) == bool(told)


def test_a_function_inside_another_has_no_test() -> None:
    inner = TargetReport("m.py::f", Status.COMPLETE, module="m", scope="f.<locals>.g")

    assert "inside another" in untestable(inner, found())


@pytest.mark.parametrize("name", ["my-tool", "2nd", "class", "pkg.my-tool"])
def test_a_module_that_no_import_statement_takes_has_no_tests(name: str) -> None:
    target = TargetReport(f"{name}.py::f", Status.COMPLETE, module=name, scope="f")

    assert untestable(target, found()) == (
        f"no import statement takes the name of its module, {name}"
    )


def test_only_the_folders_of_the_program_and_of_python_are_places() -> None:
    assert names_a_place(TARGET, found(), '"/srv/program/x"')
    assert not names_a_place(TARGET, found(), '"/usr"')
