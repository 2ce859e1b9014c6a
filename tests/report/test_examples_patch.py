"""Inputs become `@example` lines of the Hypothesis tests that call the function."""

from __future__ import annotations

import io
import subprocess
import textwrap
from pathlib import Path

import pytest

from symcrete.explore.findings import FoundInput, Report, Status, TargetReport
from symcrete.report.given.example_lines import ExamplesPatch
from symcrete.report.given.hypothesis_tests import given_tests
from symcrete.run.use import Ending

TESTS = """
    from hypothesis import assume, example, given
    from hypothesis import strategies as st

    from priced import price


    @given(st.integers(), st.text())
    @example(3, "a")
    def test_never_more(n, text):
        assume(n >= 0)
        assert price(n, text) <= n


    @given(n=st.integers())
    def test_one(n):
        assert price(n, "") == n


    @given(n=st.integers(), text=st.text())
    def test_with_a_fixture(n, text, tmp_path):
        assert price(n, text) == n
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    program = "def price(total, code):\n    if code == 'BAD':\n        return total + 1\n"
    (tmp_path / "priced.py").write_text(program + "    return total\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_priced.py").write_text(textwrap.dedent(TESTS))
    return tmp_path


def report(project: Path, *given: tuple[str, str]) -> Report:
    inputs = tuple(
        [FoundInput({"total": n, "code": c}, Ending.RETURNED, "1", None, (), "") for n, c in given]
    )
    target = TargetReport(
        "priced.py::price",
        Status.COVERED,
        inputs=inputs,
        module="priced",
        root=str(project),
        scope="price",
        file=str(project / "priced.py"),
    )
    return Report((target,))


def patch(report: Report) -> str:
    out = io.StringIO()
    ExamplesPatch().emit(report, out)
    return out.getvalue()


def test_a_test_is_found_that_passes_on_all_it_is_given(project: Path) -> None:
    found = list(given_tests(project, "price", ("total", "code")))

    assert [each.name for each in found] == ["test_never_more"]
    assert found[0].passes == (("total", "n"), ("code", "text"))
    assert found[0].shown == ("n=3, text='a'",)


def test_lines_are_added_that_the_test_passes_with(project: Path) -> None:
    found = patch(report(project, ("0", '""'), ("3", '"a"'), ("-1", '""'), ("2", '"BAD"')))

    added = [line for line in found.splitlines() if line.startswith("+@")]
    assert added == ['+@example(n=0, text="")']
    assert '# test_never_more fails with n=2, text="BAD": AssertionError' in found
    assert "n=-1" not in found  # the test itself rejects it


def test_the_patch_applies_and_imports_what_it_needs(project: Path) -> None:
    file = project / "tests" / "test_priced.py"
    file.write_text(file.read_text().replace("assume, example, given", "assume, given"))
    file.write_text(file.read_text().replace('@example(3, "a")\n', ""))

    found = patch(report(project, ("0", '""'), ("1", '""')))
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "apply", "-"], input=found, text=True, check=True)

    text = file.read_text()
    assert "from hypothesis import assume, example, given\n" in text
    assert '@example(n=0, text="")\n@example(n=1, text="")\ndef test_never_more' in text


def test_nothing_is_said_where_no_test_calls_the_function(project: Path) -> None:
    (project / "tests" / "test_priced.py").write_text("import hypothesis\n")

    assert patch(report(project, ("0", '""'))) == ""
