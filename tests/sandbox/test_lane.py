"""Functions of one module are explored in forks of one process: each alone, as if it were fresh."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import targets_of
from symcrete.sandbox.driver import driver, lane
from symcrete.sandbox.driver.births import Zygotes, exploring_task
from symcrete.sandbox.driver.lane import EXPLORING, Lane
from symcrete.sandbox.driver.watch import watch
from symcrete.sandbox.messages.ends import Ended, Finished
from symcrete.sandbox.messages.jobs import Explore
from symcrete.sandbox.messages.words import OF_EXPLORING

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux only")


def reports(folder: Path, program: str, **options: object) -> dict[str, TargetReport]:
    file = folder / "prog.py"
    file.write_text(program)
    chosen = Options(**{"budget": 5.0, **options})  # type: ignore[arg-type]
    found = driver.cover_all(targets_of(str(file)), chosen)
    return {report.scope: report for report in found}


def outcomes(report: TargetReport) -> set[str]:
    return {found.outcome for found in report.inputs}


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The numbers of the module processes that were started."""
    started: list[int] = []
    really = lane.started  # type: ignore[attr-defined]

    def counted(*arguments: object) -> object:
        process, work = really(*arguments)  # type: ignore[arg-type]
        started.append(process._process.pid)
        return process, work

    monkeypatch.setattr(lane, "started", counted)
    return iter([started])


def test_the_functions_of_a_module_are_forks_of_one_process(
    tmp_path: Path, forks: Iterator[list[int]]
) -> None:
    program = "".join(
        f"def f{i}(x: int) -> int:\n    return 1 if x > {i} else 0\n" for i in range(3)
    )

    found = reports(tmp_path, program)

    assert [report.status for report in found.values()] == ["complete"] * 3
    assert len(next(forks)) == 1


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """For each function the fork that stayed for it; None where a new one was made."""
    found: list[int | None] = []
    really = lane._Fork.__init__

    def noted(self: object, holder: object, order: object, staying: int | None = None) -> None:
        found.append(staying)
        really(self, holder, order, staying)  # type: ignore[arg-type]

    monkeypatch.setattr(lane._Fork, "__init__", noted)
    return found


PURE = "def {name}(x: int) -> int:\n    return 1 if x > {n} else 0\n"


def test_a_fork_whose_function_leaves_nothing_explores_the_next_one(
    tmp_path: Path, orders: list[int | None]
) -> None:
    program = "".join(PURE.format(name=f"f{n}", n=n) for n in range(4))

    found = reports(tmp_path, program)

    assert [report.status for report in found.values()] == ["complete"] * 4
    assert orders[0] is None
    assert orders[1] is not None
    assert len(set(orders[1:])) == 1


def test_a_function_that_may_leave_something_is_followed_by_a_new_fork(
    tmp_path: Path, orders: list[int | None]
) -> None:
    program = (
        PURE.format(name="a", n=1)
        + "import ctypes\nbox = ctypes.c_int(0)\n"
        + "def b(x: int) -> int:\n    box.value = 1\n    return 1 if x > 3 else 0\n"
        + "def c() -> int:\n    if box.value:\n        raise ValueError\n    return 0\n"
        + PURE.format(name="d", n=2)
    )

    found = reports(tmp_path, program, replay=False)

    assert [each is None for each in orders] == [True, False, True, True]
    assert found["c"].inputs[0].outcome == "returned"


def test_functions_explored_in_one_fork_have_the_reports_of_forks_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "".join(
        f"def f{n}(x: int, s: str) -> int:\n"
        f"    if x * 3 == {n + 7} * 3 and s.startswith('a{n}'):\n        return 1\n"
        "    return 2 if len(s) > x else 0\n"
        for n in range(4)
    )
    together = reports(tmp_path, program, max_runs=40)
    monkeypatch.setattr(lane._Fork, "staying", None)
    monkeypatch.setattr(lane._Fork, "_is_waiting", False)

    apart = reports(tmp_path, program, max_runs=40)

    assert [[each.args for each in report.inputs] for report in together.values()] == [
        [each.args for each in report.inputs] for report in apart.values()
    ]


def test_a_fork_that_stays_and_is_killed_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []
    really = lane._Fork.__init__

    def killing(self: object, holder: object, order: object, staying: int | None = None) -> None:
        if staying is not None:  # it waits for this order, and nothing that it explored is lost
            os.kill(staying, signal.SIGKILL)
            killed.append(staying)
        really(self, holder, order, staying)  # type: ignore[arg-type]

    monkeypatch.setattr(lane._Fork, "__init__", killing)

    found = reports(tmp_path, "".join(PURE.format(name=f"f{n}", n=n) for n in range(3)))

    assert [report.status for report in found.values()] == ["complete"] * 3
    assert killed


def test_what_a_second_function_in_a_fork_does_to_it_is_told_of_that_function(
    tmp_path: Path, orders: list[int | None]
) -> None:
    found = reports(
        tmp_path,
        "import os\n"
        + PURE.format(name="first", n=1)
        + "def second(x: int) -> int:\n    if x == 77:\n        os._exit(7)\n    return 0\n"
        + PURE.format(name="third", n=2),
    )

    assert found["first"].status == found["third"].status == "complete"
    assert "crashed" in outcomes(found["second"])
    assert orders[1] is not None


def test_every_function_begins_with_the_state_that_the_import_left(tmp_path: Path) -> None:
    found = reports(
        tmp_path,
        "import ctypes\nbox = ctypes.c_int(0)\n"
        "def first(x: int) -> int:\n    box.value = 1\n    return x\n"
        "def second() -> int:\n    if box.value:\n        raise ValueError\n    return 0\n",
        replay=False,
    )

    assert found["first"].inputs[0].outcome == "returned"
    assert found["second"].inputs[0].outcome == "returned"


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        ("os._exit(7)", "crashed"),
        ("os.abort()", "crashed"),
        ("os.kill(os.getpid(), 9)", "crashed"),
        ("ctypes.string_at(0)", "crashed"),
    ],
)
def test_a_crash_costs_one_function_only(
    tmp_path: Path, ending: str, outcome: str, forks: Iterator[list[int]]
) -> None:
    found = reports(
        tmp_path,
        "import ctypes\nimport os\n"
        f"def bad(x: int) -> int:\n    if x == 77:\n        {ending}\n    return 0\n"
        "def good(x: int) -> int:\n    return 1 if x > 7 else 0\n",
    )

    assert outcome in outcomes(found["bad"])
    assert found["good"].status == "complete"
    assert len(next(forks)) == 1


def test_a_fork_that_does_not_end_is_ended_and_the_next_function_goes_on(tmp_path: Path) -> None:
    found = reports(
        tmp_path,
        "import ctypes\n"
        "def bad(x: int) -> int:\n    if x == 77:\n        ctypes.CDLL(None).sleep(1_000_000)\n    return 0\n"
        "def good(x: int) -> int:\n    return 1 if x > 7 else 0\n",
        run_seconds=0.3,
    )

    assert "timeout" in outcomes(found["bad"])
    assert found["good"].status == "complete"


@pytest.mark.parametrize("call", ["libc.fork()", "libc.kill(1, 0)"])
def test_what_c_code_tries_in_a_fork_is_stopped_and_told(tmp_path: Path, call: str) -> None:
    found = reports(
        tmp_path,
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        f"def f(x: int) -> int:\n    if x == 77:\n        return {call}\n    return 0\n",
    )

    assert "blocked" in outcomes(found["f"])


def test_a_module_that_starts_a_thread_is_explored_without_forks(
    tmp_path: Path, forks: Iterator[list[int]]
) -> None:
    found = reports(
        tmp_path,
        "import threading\nimport time\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "def f(x: int) -> int:\n    return 1 if x > 7 else 0\n"
        "def g(x: int) -> int:\n    return 1 if x > 9 else 0\n",
    )

    assert {each.returned for each in found["f"].inputs} == {"0", "1"}
    assert {each.returned for each in found["g"].inputs} == {"0", "1"}
    assert len(next(forks)) == 2


def test_files_of_one_function_are_gone_before_the_next(tmp_path: Path) -> None:
    found = reports(
        tmp_path,
        # Neither where the folder is nor what is in it is an input, read in this way.
        "import io, tempfile\nPLACE = (tempfile.mkdtemp() + 'left').encode()\n"
        "def first(x: int) -> int:\n"
        "    io.FileIO(PLACE, 'w').close()\n    return x\n"
        "def second() -> int:\n"
        "    try:\n        io.FileIO(PLACE).close()\n"
        "    except FileNotFoundError:\n        return 0\n"
        "    raise ValueError\n",
        replay=False,
    )

    assert outcomes(found["first"]) == {"returned"}
    assert outcomes(found["second"]) == {"returned"}


def test_nothing_is_left_when_a_lane_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text("def f(x: int) -> int:\n    return 1 if x > 7 else 0\n")
    (target,) = targets_of(str(file))
    options = Options(budget=5.0)

    with contextlib.closing(Zygotes()) as zygotes:
        with contextlib.closing(Lane(zygotes)) as used:
            for message in watch(
                exploring_task(EXPLORING, options),
                Explore(target, options),
                OF_EXPLORING,
                budget=5.0,
                resume=lambda job, end: None,
                workers=used,
            ):
                last = message
            holder = used._holder
            assert holder is not None
            assert not holder.has_ended()
        assert holder.has_ended()

    assert isinstance(last, Ended)
    assert isinstance(last.how, Finished)
    assert not os.path.exists(used._work)
