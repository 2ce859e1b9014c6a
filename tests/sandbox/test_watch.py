"""Whatever a worker does, the driver learns of it, in time, and goes on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator

import pytest
from tests.limits import allowed
from tests.sandbox.watching import PLACE, ROOT, watched

from symcrete.sandbox.driver.births import Task
from symcrete.sandbox.driver.watch import MOST_SLOWNESS, slowness
from symcrete.sandbox.walls import landlock
from symcrete.sandbox.walls.effects import allowance

linux = pytest.mark.skipif(not landlock.abi(), reason="needs a kernel with Landlock")


def events_of(entry, job=None, *, budget=20.0, allow=(), **options):
    task = Task(f"entries:{entry}", allow=allowance(allow), environment=PLACE, **options)
    return list(watched(task, job or {}, budget=budget))


def named(events, name):
    return [event for event in events if event["event"] == name]


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_gone_within(seconds, pid):
    until = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not is_running(pid)


def test_a_job_reaches_the_worker_and_its_events_come_back():
    events = events_of("echo", {"text": "ä\ud800", "number": 1})

    (echo,) = named(events, "echo")
    assert echo["job"]["text"] == "ä\ud800"
    assert 0 < echo["job"]["budget"] <= 20
    assert [event["event"] for event in events] == ["worker-ready", "echo", "worker-finished"]


@pytest.mark.parametrize(("waiting", "times"), [(0.1, 1.0), (1000.0, MOST_SLOWNESS)])
def test_on_a_busy_machine_a_worker_may_take_longer_to_end(monkeypatch, waiting, times):
    monkeypatch.setattr("os.getloadavg", lambda: (waiting, 0.0, 0.0))

    assert slowness() == times


def test_a_job_may_be_larger_than_a_pipe():
    events = events_of("echo", {"text": "x" * 1_000_000})

    assert len(named(events, "echo")[0]["job"]["text"]) == 1_000_000


def test_every_way_to_end_is_told_and_the_next_worker_goes_on():
    ways = ["segfault", "exit", "kill", "abort", "sys.exit"]

    events = events_of("ends_by", {"ways": ways})

    ends = [e for e in events if e["event"] in ("worker-died", "worker-exited", "worker-failed")]
    assert [(e["event"], e.get("signal", e.get("code")), e["doing"]) for e in ends] == [
        ("worker-died", "SIGSEGV", {"way": "segfault"}),
        ("worker-exited", 7, {"way": "exit"}),
        ("worker-died", "SIGKILL", {"way": "kill"}),
        ("worker-died", "SIGABRT", {"way": "abort"}),
        ("worker-failed", None, {"way": "sys.exit"}),
    ]
    assert "Segmentation fault" in ends[0]["stderr"]["tail"]
    assert "SystemExit: 3" in ends[4]["traceback"]
    assert named(events, "survived")[0]["blamed"] == ways
    assert events[-1]["event"] == "worker-finished"


def test_many_short_steps_are_not_one_that_takes_too_long():
    """The driver looks at the board while it is written to."""
    events = events_of("many_short_steps", {"seconds": 4.0})

    assert [event["event"] for event in events] == ["worker-ready", "worker-finished"]


def test_a_step_over_its_limit_is_told_as_hung_and_the_next_worker_goes_on():
    ways = ["loop", "sleep", "swallow", "C sleep"]

    events = events_of("ends_by", {"ways": ways, "limit": 0.2})

    hung = named(events, "worker-hung")
    assert [(e["doing"]["way"], e["seconds"]) for e in hung] == [(way, 0.2) for way in ways]
    assert named(events, "survived")


def test_the_budget_holds_whatever_the_worker_does():
    begun = time.monotonic()

    events = events_of("ends_by", {"ways": ["swallow"]}, budget=0.5)

    assert time.monotonic() - begun < allowed(2.5)
    assert events[-1]["event"] == "worker-stopped"
    assert events[-1]["doing"] == {"way": "swallow"}


def test_a_job_that_ends_every_worker_in_the_same_way_is_given_up():
    events = events_of("dies_at_once")

    assert [e["code"] for e in named(events, "worker-exited")] == [9, 9]


def test_a_caller_can_decide_how_to_go_on():
    task = Task("entries:ends_by", environment=PLACE)

    events = list(
        watched(task, {"ways": ["exit"]}, budget=20, resume=lambda job, end: {**job, "ways": []})
    )

    assert len(named(events, "worker-exited")) == len(named(events, "survived")) == 1


def test_rubbish_on_every_descriptor_does_not_disturb_the_driver():
    events = events_of("lie")

    assert [event["event"] for event in events] == ["worker-ready", "truth", "worker-finished"]


@linux
def test_a_program_that_closes_all_descriptors_does_not_close_the_tools():
    assert named(events_of("close_everything"), "still here")


@pytest.mark.parametrize("entry", ["close_everything", "close_and_wait"])
def test_a_worker_that_lost_its_channel_is_told_as_cut_off(entry):
    events = events_of(entry, confined=False)

    assert {e["event"] for e in events} == {"worker-ready", "worker-cut-off"}


def test_a_flood_of_output_is_counted_and_its_end_kept():
    (end,) = named(events_of("flood"), "worker-finished")

    assert end["stdout"]["bytes"] == 1000 * 10_001 + 8
    assert end["stdout"]["tail"].endswith("x\nthe end\n")
    assert end["stdout"]["tail"].startswith("[9,984,624 bytes before this are not shown]\n")
    assert end["stderr"]["bytes"] == 600_000


def test_standard_input_is_empty():
    assert named(events_of("read_stdin"), "eof")[0]["rest"] == ""


def test_threads_left_behind_do_not_keep_the_worker_alive():
    begun = time.monotonic()

    events = events_of("leave_threads")

    assert events[-1]["event"] == "worker-finished"
    assert time.monotonic() - begun < allowed(10)


@pytest.mark.parametrize(
    ("entry", "options"),
    [
        ("leave_processes", {"allow": ["processes"]}),
        ("leave_processes", {"confined": False}),
        ("leave_fork", {"forks": True}),
    ],
    ids=str,
)
def test_processes_left_behind_are_killed(entry, options):
    (child,) = named(events_of(entry, **options), "child")

    assert is_gone_within(2, child["pid"])


def test_what_is_protected_is_said_once():
    events = events_of("ends_by", {"ways": ["exit", "kill"]})

    assert len(named(events, "worker-ready")) == 1


def test_without_sandbox_this_is_said():
    (ready,) = named(events_of("echo", confined=False), "worker-ready")

    assert "the sandbox is switched off" in ready["protection"][-1]


def test_an_entry_that_cannot_be_loaded_is_a_failure_with_its_traceback():
    events = events_of("no_such_function")

    assert "no_such_function" in named(events, "worker-failed")[0]["traceback"]


def test_a_slow_driver_is_not_taken_for_a_hanging_worker():
    task = Task("entries:words", environment=PLACE)
    seen = []

    for event in watched(task, {"count": 2, "padding": 70_000}, budget=20):
        seen.append(event["event"])
        time.sleep(0.5)

    assert seen == ["worker-ready", "word", "word", "worker-finished"]


def test_many_events_arrive_in_order():
    events = named(events_of("many_words", {"count": 20_000}), "word")

    assert [event["i"] for event in events] == list(range(20_000))


def test_leaving_early_kills_the_worker_and_removes_its_folder():
    task = Task("entries:say_pid", environment=PLACE)
    events = watched(task, {}, budget=60)
    worker = next(event for event in events if event["event"] == "worker")

    assert isinstance(events, Generator)
    events.close()

    assert is_gone_within(1, worker["pid"])
    assert not os.path.exists(worker["work"])


@linux
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_worker_dies_with_its_driver(number, tmp_path):
    code = (
        # A shell that starts the tests in the background has its children ignore SIGINT.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"import sys; sys.path.insert(0, {ROOT!r})\n"
        "from tests.sandbox.watching import watched; from symcrete.sandbox.driver.births import Task\n"
        f"for e in watched(Task('entries:say_pid', environment={PLACE!r}), {{}}, budget=60):\n"
        "    print(e.get('pid', ''), flush=True)"
    )
    path = os.pathsep.join(sys.path)
    driver = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)},
    )
    with driver:
        assert driver.stdout is not None
        pid = next(int(line) for line in driver.stdout if line.strip())
        driver.send_signal(number)

    assert is_gone_within(2, pid)


def test_temporary_files_of_the_program_go_to_the_runs_own_folder(tmp_path):
    (told,) = named(events_of("tell_everything", cwd=str(tmp_path)), "all")

    assert told["temporary"] == os.path.join(told["work"], "tmp")
    assert told["cwd"] == str(tmp_path)
    assert not os.path.exists(told["work"])


def test_a_blocked_effect_is_known_in_the_worker(tmp_path):
    (tmp_path / "file").touch()

    (told,) = named(events_of("remove_a_file", {"path": str(tmp_path / "file")}), "blocked")

    assert told["found"][0].endswith("; allow with --allow files")
    assert "entries.py:" in told["found"][0]
    assert (tmp_path / "file").exists()


@linux
def test_effects_tried_by_c_code_are_known_in_the_worker(tmp_path):
    (tmp_path / "file").touch()
    out = str(tmp_path)
    calls = [
        ("unlink", f"{out}/file"),
        ("mkdir", f"{out}/new", 0o777),
        ("chmod", f"{out}/file", 0o777),
        ("rename", f"{out}/file", f"{out}/other"),
        ("kill", os.getpid(), 0),
        ("socket", 2, 1, 0),
        ("fork",),
        ("unlink", f"{out}/nothing"),
        ("chmod", f"{out}/nothing", 0),
        ("mkdir", f"{out}", 0o777),
        ("open", f"{out}/file", os.O_RDONLY),
    ]

    (told,) = named(events_of("native", {"calls": calls}), "native")

    no = "Operation not permitted"
    names = [(name, error, len(found)) for name, error, found in told["found"]]
    assert names == [
        ("unlink", no, 1),
        ("mkdir", no, 1),
        ("chmod", no, 1),
        ("rename", no, 1),
        ("kill", no, 1),
        ("socket", no, 1),
        ("fork", no, 1),
        ("unlink", "No such file or directory", 0),
        ("chmod", "No such file or directory", 0),
        ("mkdir", "File exists", 0),
        ("open", None, 0),
    ]
    texts = [found[0] for _, _, found in told["found"][:7]]
    assert texts[0].endswith("/file') blocked by the kernel; allow with --allow files")
    assert texts[4] == (
        f"side effect kill({os.getpid()}, 0) blocked by the kernel; allow with --allow signals"
    )
    assert texts[6] == "side effect fork() blocked by the kernel; allow with --allow processes"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@linux
def test_c_code_may_write_to_the_runs_own_folder():
    (told,) = named(events_of("native_in_work"), "native")

    assert (told["made"], told["opened"], told["found"]) == (0, True, [])
