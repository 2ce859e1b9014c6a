"""Runs on disk: what a journal knows of a stopped run, and which runs are kept."""

import os
from pathlib import Path

import pytest

from symcrete.errors import BadOption, NothingToAnalyse
from symcrete.explore.findings import FoundInput, Status, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import Target, targets_of
from symcrete.run.use import Ending
from symcrete.sandbox.journal.runs import FOLDER, MOST_JOURNALS, RunLog, past_run
from symcrete.sandbox.messages.doings import Running
from symcrete.sandbox.messages.ends import Died, Ended
from symcrete.sandbox.messages.events import EndedEvent, KeptEvent, TargetEvent

FOUND = FoundInput({"x": "1"}, Ending.RETURNED, "1", None, (), "x > 0")


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Target:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prog.py").write_text("def f(x: int) -> int:\n    return x\n")
    return targets_of("prog.py")[0]


def log(failures: list[str] | None = None) -> RunLog:
    made = RunLog(None, (failures if failures is not None else []).append)
    made.begin(["prog.py"], Options(allow=("files",), lazy=()), {"json": True})
    return made


def test_what_was_kept_and_what_ended_workers_is_known_again(target: Target) -> None:
    run = log()
    run.record(target, KeptEvent("{'x': 1}", FOUND))
    run.record(target, EndedEvent(Ended(Died("SIGSEGV"), Running("{}"))))

    past = past_run(None, unfinished=True)

    assert past.options == Options(allow=("files",), lazy=())
    before = past.known(target).before()
    assert before.kept == (("{'x': 1}", FOUND),)
    assert before.ends[0].doing == Running("{}")


def test_a_report_counts_until_the_program_changes(target: Target) -> None:
    run = log()
    report = TargetReport(target.label, Status.COVERED, inputs=(FOUND,))
    run.record(target, TargetEvent(report))

    assert past_run(None).report_of(target) == report
    Path("prog.py").write_text("def f(x: int) -> int:\n    return 2 * x\n")
    assert past_run(None).report_of(target) is None


def test_only_a_run_that_has_not_ended_is_resumed(target: Target) -> None:
    log().end(whole=True)

    with pytest.raises(NothingToAnalyse, match="nothing to resume"):
        past_run(None, unfinished=True)


def test_the_oldest_runs_are_forgotten(target: Target) -> None:
    for _ in range(MOST_JOURNALS + 3):
        log().end(whole=True)

    assert sum(name.endswith(".jsonl") for name in os.listdir(FOLDER)) == MOST_JOURNALS


def test_a_folder_that_takes_no_journal_is_said_once(target: Target) -> None:
    Path(FOLDER).write_text("in the way")
    failures: list[str] = []

    run = log(failures)
    run.record(target, KeptEvent("{}", FOUND))
    run.end(whole=True)

    assert len(failures) == 1 and "cannot be resumed" in failures[0]


def test_a_file_without_runs_is_said(target: Target) -> None:
    with pytest.raises(BadOption, match="holds no run"):
        past_run("prog.py")
