"""Which files are the program's own, and which this user's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from symcrete.world.importing.hidden_files import (
    HiddenFiles,
    is_hidden,
    is_hidden_in_runs,
    is_known,
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "me" / "project"
    (folder / "data").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return folder


def test_a_file_of_the_users_home_is_hidden_and_one_of_the_program_is_not(project: Path) -> None:
    home = f"{project.parent}/"

    assert is_hidden(f"{home}notes.txt", home)
    assert is_hidden(f"{home}.netrc", home)
    assert not is_hidden("data/table.csv", home)
    assert not is_hidden(str(project / "program.py"), home)


def test_a_dot_hides_a_file_of_the_program(project: Path) -> None:
    assert is_hidden(".env", "/home/nobody/")
    assert is_hidden("data/.secret/x", "/home/nobody/")


def test_the_configuration_of_the_machine_is_hidden_and_what_is_installed_is_not() -> None:
    assert is_hidden("/etc/hostname", "")
    assert not is_hidden(os.path.join(os.path.dirname(os.__file__), "LICENSE.txt"), "")
    assert not is_hidden("/usr/share/zoneinfo/UTC", "/home/nobody/")


def test_a_file_that_the_repository_does_not_know_is_the_users(project: Path) -> None:
    (project / "data" / "table.csv").write_text("a,b")
    (project / "local.json").write_text("{}")
    (project / "table.csv").write_text("a,b")

    before = is_known(str(project / "local.json"), str(project))
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    subprocess.run(["git", "add", "data/table.csv"], cwd=project, check=True)

    assert before
    assert is_known(str(project / "data" / "table.csv"), str(project))
    assert is_known(str(project / "data" / "table.csv"), str(project / "data"))
    assert not is_known(str(project / "table.csv"), str(project))
    assert is_hidden("local.json", "/home/nobody/")


def test_runs_do_not_find_the_users_files_beside_the_program_but_their_own(project: Path) -> None:
    assert is_hidden_in_runs(str(project / ".env"), ())
    assert is_hidden_in_runs(".env", ())
    assert not is_hidden_in_runs(str(project / "data" / "table.csv"), ())
    assert not is_hidden_in_runs("/etc/hostname", ())
    assert not is_hidden_in_runs(".env", (f"{project}/",))


def test_what_was_to_be_opened_is_told_once() -> None:
    files = HiddenFiles()
    files.asked = True

    assert [files.was_asked(), files.was_asked()] == [True, False]
