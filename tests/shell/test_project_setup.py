"""`symcrete init`: what it writes, what it leaves alone, and that its recipe runs."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from symcrete.errors import BadOption, NothingToAnalyse
from symcrete.shell.project_setup import CONFIGURATION, RECIPE, code_folder, set_up
from symcrete.user import configuration_of_options

SHOP = "def price(total: int) -> int:\n    return 0 if total < 0 else total\n"


def project(folder: Path, configuration: str = "", place: str = "shop.py") -> Path:
    file = folder / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(SHOP)
    if configuration:
        (folder / CONFIGURATION).write_text(configuration)
    return folder


def test_a_project_gets_a_table_that_is_understood_and_a_recipe(tmp_path: Path) -> None:
    set_up(project(tmp_path), recipe=True, force=False)

    options, others = configuration_of_options(tmp_path)
    assert options == {"budget": "10s"}
    assert others == {"property_budget": "2s", "exclude": []}
    assert "symcrete cover . --changed" in (tmp_path / RECIPE).read_text()


def test_what_a_configuration_says_already_stays_as_it_is(tmp_path: Path) -> None:
    project(tmp_path, '[project]\nname = "shop"  # ours\n')

    set_up(tmp_path, recipe=False, force=False)
    once = (tmp_path / CONFIGURATION).read_text()
    told = set_up(tmp_path, recipe=False, force=True)

    assert once.startswith('[project]\nname = "shop"  # ours\n\n')
    assert tomllib.loads(once)["tool"]["symcrete"]["budget"] == "10s"
    assert (tmp_path / CONFIGURATION).read_text() == once
    assert told[0] == "pyproject.toml has [tool.symcrete] already"
    assert not (tmp_path / RECIPE).exists()


def test_a_recipe_that_somebody_edited_stays_unless_forced(tmp_path: Path) -> None:
    set_up(project(tmp_path), recipe=True, force=False)
    (tmp_path / RECIPE).write_text("mine\n")

    told = set_up(tmp_path, recipe=True, force=False)
    kept = (tmp_path / RECIPE).read_text()
    set_up(tmp_path, recipe=True, force=True)

    assert kept == "mine\n"
    assert any("was edited and stays" in line for line in told)
    assert "symcrete cover" in (tmp_path / RECIPE).read_text()


def test_a_configuration_that_is_no_toml_is_told_and_not_touched(tmp_path: Path) -> None:
    project(tmp_path, "[project\n")

    with pytest.raises(BadOption, match="cannot read"):
        set_up(tmp_path, recipe=True, force=False)

    assert (tmp_path / CONFIGURATION).read_text() == "[project\n"
    assert not (tmp_path / RECIPE).exists()


@pytest.mark.parametrize(
    ("places", "folder"),
    [
        (["src/shop/pay.py", "docs/conf.py"], "src"),
        (["shop/__init__.py", "shop/pay.py", "setup.py"], "shop"),
        (["shop/__init__.py", "run.py"], "."),
    ],
)
def test_the_code_of_a_project_is_found(places: list[str], folder: str, tmp_path: Path) -> None:
    for place in places:
        project(tmp_path, place=place)

    assert code_folder(tmp_path) == folder


def test_a_folder_without_python_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(NothingToAnalyse, match="no Python files"):
        set_up(tmp_path, recipe=True, force=False)


def test_the_recipe_is_green_with_and_without_a_change(tmp_path: Path) -> None:
    project(tmp_path)
    set_up(tmp_path, recipe=True, force=False)
    text = re.search(r"run: >-\n(.*?)\n *env:", (tmp_path / RECIPE).read_text(), re.DOTALL)
    assert text is not None
    step = " ".join(text[1].split())
    bin_folder = tmp_path / ".bin"
    bin_folder.mkdir()
    (bin_folder / "symcrete").write_text(f'#!/bin/sh\nexec {sys.executable} -m symcrete "$@"\n')
    (bin_folder / "symcrete").chmod(0o755)
    env = {**os.environ, "BASE": "HEAD", "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)

    def run() -> subprocess.CompletedProcess[str]:
        shell = ["bash", "-e", "-c", step]
        return subprocess.run(shell, cwd=tmp_path, env=env, capture_output=True, text=True)

    unchanged = run()
    (tmp_path / "shop.py").write_text(SHOP.replace("0 if", "9 // total if"))
    changed = run()

    assert unchanged.returncode == changed.returncode == 0, unchanged.stderr + changed.stderr
    assert "no function of . has changed since HEAD" in unchanged.stderr
    assert changed.stderr.count("has changed") == 0
