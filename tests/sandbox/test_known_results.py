"""Results are found again while nothing they depend on changed; nothing else is ever found."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.explore.findings import FoundInput, Spot, Status, Tally, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import Target, targets_of
from symcrete.run.use import Ending
from symcrete.sandbox.journal.known_results import Cache

FOUND = FoundInput({"x": "8"}, Ending.RETURNED, "1", None, (Spot(2, 7, True, "x > 7"),), "x > 7")


@pytest.fixture
def target(tmp_path: Path) -> Target:
    file = tmp_path / "shop.py"
    file.write_text("def f(x: int) -> int:\n    return 1 if x > 7 else 0\n")
    return targets_of(str(file))[0]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "kept")


def report(target: Target, **parts: object) -> TargetReport:
    made = TargetReport(target.label, Status.COMPLETE, Tally(2, 2, 0), inputs=(FOUND,))
    return replace(made, **parts)  # type: ignore[arg-type]


def test_a_report_is_found_again_whole(cache: Cache, target: Target) -> None:
    cache.keep(target, Options(), report(target))

    assert cache.find(target, Options()) == report(target)
    assert cache.size()[0] == 1


def test_other_options_and_other_text_find_nothing(cache: Cache, target: Target) -> None:
    cache.keep(target, Options(), report(target))

    assert cache.find(target, Options(seed=1)) is None
    target.source.file.write_text("def f(x: int) -> int:\n    return 1 if x > 8 else 0\n")
    assert cache.find(target, Options()) is None


def test_a_report_about_a_text_that_changed_meanwhile_is_not_kept(
    cache: Cache, target: Target
) -> None:
    assert cache.find(target, Options()) is None
    target.source.file.write_text("def f(x: int) -> int:\n    return 1 if x > 8 else 0\n")

    cache.keep(target, Options(), report(target))

    assert cache.find(target, Options()) is None


@pytest.mark.parametrize(
    "parts",
    [
        {"status": "failed", "error": "cannot import shop", "exit_code": 4},
        {"exit_code": 3},
        {"notes": ("2 inputs were found too late to be replayed",), "cut_short": True},
    ],
)
def test_what_says_more_about_the_run_than_about_the_function_is_not_kept(
    cache: Cache, target: Target, parts: dict[str, object]
) -> None:
    cache.keep(target, Options(), report(target, **parts))

    assert cache.find(target, Options()) is None


def test_that_a_function_has_no_code_is_kept(cache: Cache, target: Target) -> None:
    none = report(target, status="failed", error="f is no Python function", exit_code=5)

    cache.keep(target, Options(), none)

    assert cache.find(target, Options()) == none


@pytest.mark.parametrize("text", ["", "{", "[]", '{"target": 7}', "\0"])
def test_a_file_of_another_version_or_half_a_file_is_no_result(
    cache: Cache, target: Target, tmp_path: Path, text: str
) -> None:
    cache.keep(target, Options(), report(target))
    (file,) = (tmp_path / "kept").glob("*/*")
    file.write_text(text)

    assert cache.find(target, Options()) is None


def test_two_runs_at_once_leave_a_whole_result(
    cache: Cache, target: Target, tmp_path: Path
) -> None:
    def often() -> None:
        for _ in range(30):
            cache.keep(target, Options(), report(target))
            assert cache.find(target, Options()) == report(target)

    threads = [threading.Thread(target=often) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert cache.find(target, Options()) == report(target)
    assert len(list((tmp_path / "kept").glob("*/*"))) == 1


def test_where_nothing_can_be_written_nothing_is_kept(target: Target, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file where the folder would be")
    cache = Cache(tmp_path / "kept")

    cache.keep(target, Options(), report(target))

    assert cache.find(target, Options()) is None
    assert cache.size() == (0, 0)


def test_the_oldest_are_forgotten_first_and_all_when_asked(
    cache: Cache, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symcrete.sandbox.journal.known_results.MOST_RESULTS", 2)
    for seed in range(3):
        cache.keep(target, Options(seed=seed), report(target))
        for file in (tmp_path / "kept").glob("*/*"):
            age = file.stat().st_mtime
            os.utime(file, (age - 100, age - 100))

    cache.trim()

    assert cache.find(target, Options(seed=0)) is None
    assert cache.find(target, Options(seed=2)) is not None
    assert cache.clear() == 2
    assert cache.size() == (0, 0)
