"""A test that fails once and passes alone is named as unsteady; a few may be, broken ones may not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.steady import MOST_AGAIN, Verdict

ROOT = Path(__file__).parents[2]
PASSES = "def test_passes(): pass\n"
BREAKS = "def test_breaks(): assert 1 == 2\n"
ONCE = """
def test_fails_once_{name}():
    from pathlib import Path
    mark = Path(__file__).with_name("{name}.was-here")
    first = not mark.exists()
    mark.touch()
    assert not first
"""


def once(*names: str) -> str:
    """A test for each name that fails when it is first run."""
    return "".join(ONCE.format(name=name) for name in names)


def steady(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `tools.steady` on one file of tests."""
    (folder / "test_it.py").write_text(program)
    return subprocess.run(
        [sys.executable, "-m", "tools.steady", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_PLUGINS": "xdist.plugin"},
        capture_output=True,
        text=True,
    )


def test_tests_that_pass_are_run_once_and_nothing_is_said(tmp_path: Path) -> None:
    done = steady(tmp_path, PASSES)

    assert done.returncode == 0
    assert "UNSTEADY" not in done.stdout
    assert done.stdout.count("1 passed") == 1


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "with workers"])
def test_a_test_that_fails_once_is_named_and_the_run_passes(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    done = steady(tmp_path, PASSES + once("a", "b"), *workers)

    assert done.returncode == 0
    assert "UNSTEADY (failed, then passed alone): test_it.py::test_fails_once_a\n" in done.stdout
    assert "UNSTEADY (failed, then passed alone): test_it.py::test_fails_once_b\n" in done.stdout


def test_three_unsteady_tests_fail_the_run(tmp_path: Path) -> None:
    done = steady(tmp_path, once("a", "b", "c"))

    assert done.returncode == 1
    assert "3 unsteady tests, at most 2 may be" in done.stdout


def test_a_test_that_fails_again_is_broken(tmp_path: Path) -> None:
    done = steady(tmp_path, BREAKS + once("a"))

    assert done.returncode == 1
    assert "BROKEN: test_it.py::test_breaks\n" in done.stdout
    assert "UNSTEADY (failed, then passed alone): test_it.py::test_fails_once_a\n" in done.stdout


def test_parameters_with_spaces_and_brackets_are_found_again(tmp_path: Path) -> None:
    program = """
        import pytest

        @pytest.mark.parametrize("text", ["a b", "[x]", "c::d"])
        def test_of(text):
            assert text == "c::d"
    """

    done = steady(tmp_path, program.replace("\n        ", "\n"))

    assert done.returncode == 1
    assert "BROKEN: test_it.py::test_of[a b]\n" in done.stdout
    assert "BROKEN: test_it.py::test_of[[x]]\n" in done.stdout


def test_a_file_that_cannot_be_collected_fails_the_run(tmp_path: Path) -> None:
    assert steady(tmp_path, "import nothing_of_this_name\n").returncode not in (0, 1)


def test_a_fixture_that_fails_counts_as_its_test(tmp_path: Path) -> None:
    program = """
import pytest

@pytest.fixture
def broken():
    raise OSError("full")

def test_with(broken):
    pass
"""
    done = steady(tmp_path, program)

    assert done.returncode == 1
    assert "BROKEN: test_it.py::test_with\n" in done.stdout


def test_where_nearly_everything_fails_nothing_is_run_again(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(MOST_AGAIN + 1)]

    done = steady(tmp_path, once(*names))

    assert done.returncode == 1
    assert done.stdout.count("BROKEN: ") == MOST_AGAIN + 1


def test_no_unsteady_test_is_too_many_beside_a_broken_one() -> None:
    assert Verdict(unsteady=("a", "b")).passes
    assert not Verdict(unsteady=("a", "b", "c")).passes
    assert not Verdict(broken=("a",)).passes
