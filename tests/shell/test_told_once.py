"""What is told once in a folder, seen on a terminal."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from symcrete.shell import told_once
from symcrete.shell.told_once import keep_as_told, untested_python, was_told

PROGRAM = "def sign(x: int) -> int:\n    return 1 if x > 0 else 0\n"

# The command line on an interpreter that says it is newer than all that were tested.
ON_A_NEWER_PYTHON = """
import sys
from symcrete.shell import told_once
told_once.NEWEST_TESTED = (sys.version_info[0], sys.version_info[1] - 1)
from symcrete.cli import main
sys.exit(main())
"""


def on_a_terminal(folder: Path, *command: str) -> str:
    """What a command shows a person whose terminal it runs on."""
    ours, theirs = pty.openpty()
    # Where CI is set nobody reads hints, whatever the output goes to.
    variables = {name: value for name, value in os.environ.items() if name != "CI"}
    running = subprocess.Popen(
        command, cwd=folder, stdout=theirs, stderr=theirs, stdin=theirs, env=variables
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:
        pass  # the last one who had it open is gone
    finally:
        os.close(ours)
        assert running.wait() == 0
    return shown.decode()


def test_the_hint_at_the_first_run_is_given_once_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(PROGRAM)
    command = (sys.executable, "-m", "symcrete", "cover", "m.py", "--max-runs", "5")

    first, second = on_a_terminal(tmp_path, *command), on_a_terminal(tmp_path, *command)

    assert first.count("`symcrete init` sets up a project") == 1
    assert "symcrete init" not in second
    assert "2 of 2 conditions" in first and "2 of 2 conditions" in second


def test_a_newer_python_is_told_once_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(PROGRAM)
    command = (sys.executable, "-c", ON_A_NEWER_PYTHON, "cover", "m.py", "--max-runs", "5")

    first, second = on_a_terminal(tmp_path, *command), on_a_terminal(tmp_path, *command)

    assert first.count("this is Python") == 1  # and not by the workers too
    assert first.count("symcrete init") == 1
    assert "this is Python" not in second
    assert "2 of 2 conditions" in second


def test_a_python_that_nobody_tested_it_with_is_told() -> None:
    assert untested_python((3, 13)) == ""
    assert untested_python((3, 14)).startswith("this is Python 3.14; symcrete 0")


def test_a_notice_is_kept_only_where_runs_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    keep_as_told("one")
    assert not was_told("one") and not os.listdir(tmp_path)
    (tmp_path / ".symcrete").mkdir()
    keep_as_told("one")
    assert was_told("one") and not was_told("another")


def test_the_newest_tested_python_is_in_the_classifiers() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()

    assert "Python :: {}.{}".format(*told_once.NEWEST_TESTED) in project
