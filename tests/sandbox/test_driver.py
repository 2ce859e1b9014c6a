"""What a worker found is reported whatever becomes of the worker; only what was replayed counts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sandbox.watching import HERE

from symcrete.errors import INTERNAL_ERROR
from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import targets_of
from symcrete.sandbox.driver import driver

PROGRAM = "def f(x: int) -> int:\n    if x > 7:\n        return 1\n    return 0\n"

CoveredBy = Callable[..., TargetReport]


@pytest.fixture
def covered_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CoveredBy:
    """The report of a worker that does what an entry does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", HERE)
    Path("prog.py").write_text(PROGRAM)

    def cover(entry: str, **options: object) -> TargetReport:
        monkeypatch.setattr(driver, "EXPLORING_ENTRY", f"entries:{entry}")
        (target,) = targets_of("prog.py")
        return driver.cover(target, Options(budget=3.0, **options))  # type: ignore[arg-type]

    return cover


@pytest.mark.parametrize("entry", ["keeps_then_fails", "keeps_then_hangs", "keeps_then_dies"])
def test_an_input_survives_the_end_of_its_worker(covered_by: CoveredBy, entry: str) -> None:
    report = covered_by(entry)

    assert [(each.args, each.returned) for each in report.inputs] == [({"x": "8"}, "1")]
    assert (report.branches.total, report.branches.covered, report.branches.open) == (2, 1, 1)
    assert [(spot.line, spot.side) for spot in report.open] == [(2, False)]
    assert report.open[0].reason
    assert report.guessed  # so that no test asserts a TypeError of a wrong guess


def test_a_mistake_of_ours_is_owned_up_to(covered_by: CoveredBy) -> None:
    report = covered_by("keeps_then_fails")

    assert report.exit_code == INTERNAL_ERROR
    assert "a mistake of ours" in report.traceback
    assert "internal error: KeyError: 'a mistake of ours'" in report.notes


def test_a_side_is_covered_only_if_the_replay_takes_it(covered_by: CoveredBy) -> None:
    report = covered_by("claims_too_much")

    assert report.status == "budget"
    (found,) = report.inputs
    assert (found.returned, [spot.side for spot in found.covers]) == ("0", [False])
    assert [(spot.side, spot.reason) for spot in report.open] == [
        (True, "an input was found for it, but its replay was not seen to take this side")
    ]


def test_every_path_that_was_found_is_there_although_the_worker_hangs(
    covered_by: CoveredBy,
) -> None:
    report = covered_by("finds_many", paths=True)

    assert len(report.inputs) == 300
    assert {each.returned for each in report.inputs} == {"0", "1"}
    assert report.branches.covered == report.branches.total == 2


def test_a_target_that_cannot_be_imported_counts_with_all_its_branches(
    covered_by: CoveredBy,
) -> None:
    Path("prog.py").write_text(PROGRAM + "raise OSError\n")

    (target,) = targets_of("prog.py")
    report = driver.cover(target, Options(budget=3.0))

    assert report.status == "failed"
    assert (report.branches.total, report.branches.covered) == (2, 0)


@pytest.mark.parametrize(("helped", "covered"), [(True, 2), (False, 1)])
def test_a_helper_explores_a_hard_target_too_from_what_is_known(
    covered_by: CoveredBy, monkeypatch: pytest.MonkeyPatch, helped: bool, covered: int
) -> None:
    monkeypatch.setattr(driver, "EXPLORING_ENTRY", "entries:finds_what_its_seed_says")
    monkeypatch.setattr(driver, "HELP_AFTER", 0.5)
    targets = targets_of("prog.py")

    (report,) = driver.cover_all(targets, Options(budget=3.0), workers=2, helped=helped)

    assert report.branches.covered == covered
    assert {each.args["x"] for each in report.inputs} == {"8", *(["0"] if helped else [])}


@pytest.mark.parametrize("stopped", [False, True])
def test_a_report_says_whether_it_was_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prog.py").write_text(PROGRAM)
    found: list[FoundInput] = []

    (report,) = driver.cover_all(
        targets_of("prog.py"),
        Options(max_runs=20),
        on_input=lambda target, each: found.append(each),
        stop=lambda: stopped and bool(found),
    )

    assert found
    assert ("interrupted" in report.notes) is report.cut_short is stopped
