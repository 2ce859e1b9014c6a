"""What a project's configuration says about its tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from symcrete.report.tests.project import (
    importable_without_help,
    line_length,
    place_of,
    typed_from,
    wants_single_quotes,
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n"),
        ("pyproject.toml", "[tool.black]\nline-length = 100\n"),
        ("ruff.toml", "line-length = 100\n"),
    ],
)
def test_the_line_length_is_the_projects(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    folder = tmp_path / "tests" / "unit"
    folder.mkdir(parents=True)

    assert line_length(folder) == 100


def test_the_line_length_is_the_formatters_where_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff\n")

    assert line_length(tmp_path) == 88


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["src"]\n'),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "src lib"\n'),
        ("pytest.ini", "[pytest]\npythonpath = src\n"),
        ("setup.cfg", "[tool:pytest]\npythonpath = src\n"),
        ("tox.ini", "[pytest]\npythonpath = src\n"),
    ],
)
def test_what_pytest_is_told_to_look_into_needs_no_help(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "tests").mkdir()

    assert importable_without_help("shop", tmp_path / "src", tmp_path / "tests")
    assert not importable_without_help("shop", tmp_path / "other", tmp_path / "tests")


def test_a_conftest_makes_its_folder_importable(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    before = importable_without_help("shop", tmp_path, tmp_path / "tests")
    (tmp_path / "conftest.py").write_text("")

    assert not before
    assert importable_without_help("shop", tmp_path, tmp_path / "tests")


def test_a_module_beside_the_tests_needs_no_help(tmp_path: Path) -> None:
    assert importable_without_help("shop", tmp_path, tmp_path)


def test_what_is_installed_needs_no_help(tmp_path: Path) -> None:
    root = Path(pytest.__file__).parents[1]

    assert importable_without_help("pytest", root, tmp_path)


def test_another_module_of_the_same_name_is_no_help(tmp_path: Path) -> None:
    assert not importable_without_help("pytest", tmp_path, tmp_path / "tests")


def test_the_root_is_found_from_where_the_file_stands(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()

    assert place_of(tmp_path, tmp_path / "tests") == "Path(__file__).resolve().parents[1]"
    below = place_of(tmp_path / "src" / "lib", tmp_path / "tests")
    assert below == 'Path(__file__).resolve().parents[1] / "src/lib"'


@pytest.mark.parametrize(
    ("file", "text", "single"),
    [
        ("pyproject.toml", '[tool.ruff.format]\nquote-style = "single"\n', True),
        ("ruff.toml", '[format]\nquote-style = "single"\n', True),
        ("ruff.toml", '[lint.flake8-quotes]\ninline-quotes = "single"\n', True),
        ("pyproject.toml", "[tool.ruff]\nline-length = 99\n", False),
        ("pyproject.toml", '[tool.ruff.format]\nquote-style = "double"\n', False),
    ],
)
def test_quotes_are_those_of_the_configuration(
    tmp_path: Path, file: str, text: str, *, single: bool
) -> None:
    (tmp_path / file).write_text(text)

    assert wants_single_quotes(tmp_path) is single


def test_commands_for_code_in_src_are_typed_in_the_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    root = tmp_path / "src"

    assert typed_from(root, tmp_path / "tests") == tmp_path
    assert typed_from(root, root / "tests") == root
    assert typed_from(root, Path("/elsewhere")) == root
