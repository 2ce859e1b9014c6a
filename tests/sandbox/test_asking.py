"""Questions to a worker: answers, and mistakes that are not the user's."""

from pathlib import Path

import pytest
from tests.sandbox.watching import HERE

from symcrete.cli import main
from symcrete.errors import INTERNAL_ERROR
from symcrete.sandbox.driver import reaching

PROGRAM = "def f(x: int) -> int:\n    if x > 7:\n        return 1\n    return 0\n"


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", HERE)
    monkeypatch.setattr(reaching, "REACH", "entries:fails_to_answer")
    Path("prog.py").write_text(PROGRAM)


@pytest.mark.usefixtures("failing")
def test_an_internal_error_of_reach_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reach", "prog.py:3", "-v"]) == INTERNAL_ERROR

    told = capsys.readouterr().err
    assert "internal error: KeyError: 'a mistake of ours'; please report" in told
    assert "Traceback" in told


@pytest.mark.usefixtures("failing")
def test_an_internal_error_costs_one_goal_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reach", "prog.py:3", "prog.py:4"]) == INTERNAL_ERROR

    assert capsys.readouterr().out.count("internal error") == 2
