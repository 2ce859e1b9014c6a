"""Every block of the documentation holds: commands print what is shown, programs run.

A Python block that begins with the name of a file in a comment is that file; the others of a page are one program, which
runs beside `shop.py` of the examples. Counts of runs and queries, and seconds, may differ.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NUMBERS = re.compile(r"\b\d+\.\d+ s\b|\b\d+ runs?\b|\b\d+ solver calls?\b")
FILE = re.compile(r"# (\w+\.py)\n")
# Blocks that are only read, and why.
UNTESTED = {
    "text": "a picture, or what needs a file that is not shown",
    "lua": "the configuration of an editor",
    "yaml": "the configuration of pre-commit",
}


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of a page in one language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(page: Path) -> list[tuple[str, str]]:
    """The commands in the console blocks of a page that show an output, with it."""
    found: list[tuple[str, str]] = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found += [(command, output)] if output.strip() else []
    return found


def laid_out(page: Path, folder: Path) -> str:
    """Put the files of a page into a folder; the other Python blocks as one program."""
    for name in ("examples", "benchmarks"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "examples" / "shop.py", folder)
    program: list[str] = []
    for block in blocks(page, "python"):
        named = FILE.match(block)
        if named is None:
            program.append(block)
        else:
            (folder / named[1]).write_text(block)
    return "\n\n".join(program)


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # Plugins are found as a user's pytest finds them.
    env = {k: v for k, v in os.environ.items() if k != "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**env, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


SHOWN = [(page, *each) for page in PAGES for each in commands(page)]
COVERED = [each for each in SHOWN if each[1].startswith("symcrete ")]
TESTED = [each for each in SHOWN if each[1].startswith("pytest ")]


@pytest.mark.parametrize(("page", "command", "output"), COVERED, ids=lambda each: str(each)[-30:])
def test_a_command_prints_what_is_shown(
    page: Path, command: str, output: str, tmp_path: Path
) -> None:
    laid_out(page, tmp_path)

    done = run(["-m", *shlex.split(command)], tmp_path)

    assert NUMBERS.sub("#", done.stdout).rstrip() == NUMBERS.sub("#", output).rstrip()


@pytest.mark.parametrize(("page", "command", "output"), TESTED, ids=lambda each: str(each)[-30:])
def test_a_failing_test_is_told_as_it_is_shown(
    page: Path, command: str, output: str, tmp_path: Path
) -> None:
    laid_out(page, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")

    done = run(["-m", *shlex.split(command), "--symcrete-budget=60s"], tmp_path)

    told = [NUMBERS.sub("#", line).rstrip() for line in done.stdout.splitlines()]
    shown = [NUMBERS.sub("#", line).rstrip() for line in output.splitlines()]
    assert [line for line in shown if line not in told] == [], done.stdout


@pytest.mark.parametrize(
    "page", [each for each in PAGES if blocks(each, "python")], ids=lambda page: page.stem
)
def test_the_programs_of_a_page_run(page: Path, tmp_path: Path) -> None:
    program = laid_out(page, tmp_path)
    (tmp_path / "program.py").write_text(program)

    done = run(["program.py"], tmp_path)

    assert done.returncode == 0, done.stderr


def test_the_tests_of_the_command_line_program_hold_and_cover_it(tmp_path: Path) -> None:
    laid_out(ROOT / "docs" / "world.md", tmp_path)
    shutil.copy(ROOT / "examples" / "till.py", tmp_path)
    (tmp_path / ".coveragerc").write_text("[run]\nbranch = true\nsource = .\nomit = test_*\n")

    held = run(["-m", "coverage", "run", "-m", "pytest", "-q", "test_till.py"], tmp_path)
    shown = run(["-m", "coverage", "report", "--include=till.py"], tmp_path)

    assert held.returncode == 0, held.stdout
    assert re.search(r"^till\.py .* 100%$", shown.stdout, re.MULTILINE), shown.stdout


def test_the_picture_of_a_graph_is_what_the_command_draws() -> None:
    done = run(["-m", "symcrete", "graph", "examples/gcd.py::gcd", "--format", "svg"], ROOT)

    assert done.stdout == (ROOT / "docs" / "pictures" / "gcd.svg").read_text()


def test_every_command_with_an_output_is_one_that_is_run() -> None:
    assert len(COVERED) + len(TESTED) == len(SHOWN) > 4


def test_every_block_has_a_language_that_is_tested_or_a_reason_not_to_be() -> None:
    tested = {"python", "console", "toml", *UNTESTED}

    for page in PAGES:
        opened = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)[::2]
        assert set(opened) <= tested, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_of_a_page_land_and_its_configurations_are_read(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in blocks(page, "toml"):
        tomllib.loads(block)

    linked = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)

    assert [each for each in linked if not (page.parent / each).exists()] == []
