"""Several workers share the targets: each stays with a module, and nothing is lost or told twice."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from symcrete.explore.options import Options
from symcrete.program.source.target import Target, targets_of
from symcrete.sandbox.driver import driver
from symcrete.sandbox.driver.crew import Post, shared_out


def targets(folder: Path, modules: int, functions: int) -> list[Target]:
    for number in range(modules):
        text = "".join(
            f"def f{n}(x: int) -> int:\n    return 1 if x > {n} else 0\n" for n in range(functions)
        )
        (folder / f"m{number}.py").write_text(text)
    return targets_of(str(folder))


WITHOUT_REPLAYS = Options(replay=False)


@pytest.mark.parametrize("workers", [1, 2, 9])
def test_every_target_is_worked_on_once(tmp_path: Path, workers: int) -> None:
    wanted = targets(tmp_path, 3, 4)

    def work(post: Post, target: Target, stopped: Callable[[], bool]) -> str:
        assert post.source == target.source
        return target.label

    found = shared_out(wanted, WITHOUT_REPLAYS, work, workers=workers, stop=lambda: False)

    assert sorted(found) == [target.label for target in wanted]


def test_a_worker_stays_with_its_module(tmp_path: Path) -> None:
    visits: dict[int, list[str]] = {}
    together = threading.Barrier(2, timeout=20)

    def work(post: Post, target: Target, stopped: Callable[[], bool]) -> None:
        together.wait()  # both are at work
        visits.setdefault(threading.get_ident(), []).append(target.source.module)

    list(shared_out(targets(tmp_path, 2, 3), WITHOUT_REPLAYS, work, workers=2, stop=lambda: False))

    assert sorted(visits.values()) == [["m0"] * 3, ["m1"] * 3]


def test_a_mistake_of_a_worker_is_raised_where_results_are_waited_for(tmp_path: Path) -> None:
    def work(post: Post, target: Target, stopped: Callable[[], bool]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(
            shared_out(
                targets(tmp_path, 1, 2), WITHOUT_REPLAYS, work, workers=2, stop=lambda: False
            )
        )


def test_leaving_early_stops_the_others(tmp_path: Path) -> None:
    seen: list[bool] = []

    def work(post: Post, target: Target, stopped: Callable[[], bool]) -> str:
        seen.append(stopped())
        return target.label

    results = shared_out(
        targets(tmp_path, 1, 50), WITHOUT_REPLAYS, work, workers=2, stop=lambda: len(seen) > 3
    )

    assert len(list(results)) < 50


def test_two_workers_report_what_one_does(tmp_path: Path) -> None:
    wanted = targets(tmp_path, 2, 2)
    options = Options(max_runs=40)

    alone, together = (
        {report.target: report for report in driver.cover_all(wanted, options, workers=workers)}
        for workers in (1, 2)
    )

    assert alone.keys() == together.keys()
    for label, report in alone.items():
        assert report.inputs == together[label].inputs
        assert report.branches == together[label].branches
