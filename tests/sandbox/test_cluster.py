"""A project on a Dask cluster: the same reports as on one machine, whatever happens to workers.

What needs Dask is skipped without it: `make test-cluster` installs it first.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcrete.codec import decoded, encoded
from symcrete.errors import BadOption
from symcrete.explore.findings import Status, Tally, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import Target, targets_of
from symcrete.sandbox.cluster import cluster
from symcrete.sandbox.cluster.cluster import OnCluster, connected, places
from symcrete.sandbox.cluster.unit import Explored, Happened, Known, NotTheSame, explored, unit_of
from symcrete.sandbox.driver import driver
from symcrete.sandbox.messages.before import NOTHING_BEFORE
from symcrete.sandbox.messages.events import KeptEvent, TargetEvent

PROGRAM = "def f(x: int) -> int:\n    return 1 if x > 5 else 0\n\n\ndef g(s: str) -> bool:\n    return s == 'yes'\n"
WORK = Options(max_runs=20)  # the same on every machine


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Target]:
    monkeypatch.chdir(tmp_path)
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(PROGRAM)
    return [*targets_of("one.py"), *targets_of("two.py")]


def known(targets: list[Target]) -> tuple[Known, ...]:
    return tuple([Known(target, NOTHING_BEFORE) for target in targets])


def told_of(reports: list[TargetReport]) -> dict[str, Any]:
    """What a report says of the function, without what it says of the run."""
    return {
        each.target: (each.status, each.branches, each.inputs, each.infeasible) for each in reports
    }


# -- without Dask


def test_a_unit_travels_as_text_and_is_explored_as_on_one_machine(targets: list[Target]) -> None:
    happened: list[Happened] = []
    sent = json.dumps(encoded(unit_of(known(targets[:2]), WORK)))

    arrived = decoded(type(unit_of(known(targets[:2]), WORK)), json.loads(sent))
    found = explored(arrived, happened.append, lambda: False)

    assert told_of(list(found.reports)) == told_of(list(driver.cover_all(targets[:2], WORK)))
    ends = [each.target for each in happened if isinstance(each.event, TargetEvent)]
    assert ends == [target.label for target in targets[:2]]
    assert any(isinstance(each.event, KeptEvent) for each in happened)


def test_a_worker_with_another_text_of_the_module_refuses_it(targets: list[Target]) -> None:
    unit = unit_of(known(targets[:2]), WORK)
    targets[0].source.file.write_text(PROGRAM + "# edited\n")

    with pytest.raises(NotTheSame, match="not the same"):
        explored(unit, lambda happened: None, lambda: False)


class Task:
    """A task of Dask's that has ended."""

    def __init__(self, key: str, status: str, result: str = "", error: Exception | None = None):
        self.key, self.status = key, status
        self.result, self.exception = (lambda: result), (lambda: error)

    def add_done_callback(self, tell: Callable[["Task"], None]) -> None:
        tell(self)


class Cluster:
    """Stands in for a client: each module's task ends as is given, after these messages."""

    def __init__(self, ends: list[Callable[[str], Task]], messages: list[Happened]) -> None:
        self._ends, self._messages = ends, messages
        self.sent: list[str] = []

    def subscribe_topic(self, topic: str, hear: Callable[[Any], None]) -> None:
        for each in self._messages:
            hear((0.0, json.dumps(encoded(each))))

    def unsubscribe_topic(self, topic: str) -> None:
        pass

    def submit(self, entry: object, text: str, topic: str, *, key: str, pure: bool) -> Task:
        self.sent.append(text)
        return self._ends.pop(0)(key)

    def nthreads(self) -> dict[str, int]:
        return {"a": 2, "b": 3}


def done(targets: list[Target]) -> Callable[[str], Task]:
    reports = tuple([TargetReport(each.label, Status.COMPLETE, Tally(2, 2, 0)) for each in targets])
    return lambda key: Task(key, "finished", json.dumps(encoded(Explored(reports))))


def test_a_module_is_one_task_and_a_report_told_early_is_not_given_twice(
    targets: list[Target],
) -> None:
    early = TargetReport(targets[0].label, Status.COMPLETE, Tally(2, 2, 0))
    client = Cluster(
        [done(targets[:2]), done(targets[2:])],
        [Happened(targets[0].label), Happened(targets[0].label, TargetEvent(early))],
    )
    taken, recorded = list[str](), list[str]()

    reports = OnCluster(client).cover_all(
        targets,
        WORK,
        on_target=lambda target: taken.append(target.label),
        record=lambda target, event: recorded.append(target.label),
    )

    labels = [target.label for target in targets]
    assert [each.target for each in reports] == labels == recorded
    assert taken == labels[:1]
    assert len(client.sent) == 2
    assert places(client) == 5


def test_a_module_whose_workers_are_all_lost_is_a_failure_of_its_functions_alone(
    targets: list[Target],
) -> None:
    lost = RuntimeError("3 workers died")
    client = Cluster([lambda key: Task(key, "error", error=lost), done(targets[2:])], [])

    reports = list(OnCluster(client).cover_all(targets, WORK))

    assert [each.status for each in reports] == ["failed", "failed", "complete", "complete"]
    assert "3 workers died" in reports[0].error
    assert reports[0].conditions.total == 2


def test_a_mistake_of_the_users_is_raised_here(targets: list[Target]) -> None:
    wrong = NotTheSame("one.py is not the same on node3")
    client = Cluster([lambda key: Task(key, "error", error=wrong)], [])

    with pytest.raises(NotTheSame, match="node3"):
        list(OnCluster(client).cover_all(targets[:2], WORK))


def test_without_dask_the_way_to_get_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(BadOption, match=r"symcrete\[dask\]"), connected("local", 1):
        pass


# -- with Dask


@pytest.fixture(scope="module")
def client() -> Any:
    pytest.importorskip("distributed", reason="Dask is an extra: make test-cluster")
    with connected(cluster.LOCAL, 2) as client:
        yield client


def test_a_cluster_gives_the_same_reports_as_this_machine_also_when_a_worker_is_killed(
    targets: list[Target], client: Any
) -> None:
    here = told_of(list(driver.cover_all(targets, WORK)))
    begun = threading.Event()

    def kill_one() -> None:
        begun.wait(60)
        pid = next(iter(client.run(os.getpid).values()))
        os.kill(pid, signal.SIGKILL)

    killing = threading.Thread(target=kill_one)
    killing.start()
    found = OnCluster(client).cover_all(
        targets, replace(WORK, max_runs=20), on_target=lambda target: begun.set()
    )

    assert told_of(list(found)) == here
    killing.join()


def test_where_no_scheduler_answers_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is an extra: make test-cluster")
    monkeypatch.setattr(cluster, "_CONNECTING", 0.5)

    with pytest.raises(BadOption, match="no scheduler answers"), connected("tcp://127.0.0.1:9", 1):
        pass
