"""Rows 60 to 66: solvers that fail, and users, disks and other runs that interfere."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.hostile.case import (
    Case,
    Seen,
    assert_tests_pass,
    enough,
    in_time,
    run,
    slowness,
    surroundings,
    symcrete,
)

FAILING = str(Path(__file__).parent / "failing")
WALL_LESS = str(Path(__file__).parent / "wall_less")
FAULTY = str(Path(__file__).parent / "faulty")
SEVERAL = """
def f(x: int, y: int) -> int:
    found = 0
    if x * 3 == y + 700:
        found += 1
    if x * 5 + y == 901234:
        found += 2
    if y * 7 - x == 30011:
        found += 4
    if x + y * 11 == 712345:
        found += 8
    return found
"""
ENDLESS = """
import hashlib

def f(x: int, y: int) -> int:
    if x == 41:
        y += 1
    if y > 1000:
        x += 2
    if hashlib.sha256(str(x + y).encode()).hexdigest().startswith("0000000000"):
        return 1
    return 0
"""


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    (folder / "prog.py").write_text(ENDLESS)
    return subprocess.Popen(
        [sys.executable, "-m", "symcrete.cli", *arguments],
        cwd=folder,
        env=surroundings(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def records(folder: Path) -> list[dict[str, object]]:
    found = []
    for file in sorted(folder.glob(".symcrete/*.jsonl")):
        for line in file.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                found.append(json.loads(line))
    return found


def wait_for_inputs(folder: Path, count: int = 3) -> None:
    until = time.monotonic() + in_time(20)
    while sum(each.get("event") == "input" for each in records(folder)) < count:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_60_a_query_the_solver_gives_up_is_open_and_never_infeasible(tmp_path: Path) -> None:
    hard = Case(
        60,
        "cubes",
        """
        def f(x: int, y: int, z: int) -> int:
            if x * x * x + y * y * y + z * z * z == 114:
                return 1
            return 0
        """,
        budget=3.0 * slowness(),
        flags=("--solver", "z3"),
    )

    seen = run(hard, tmp_path)

    assert seen.code == 0
    (target,) = seen.targets
    assert target["infeasible"] == []
    assert "solver gave up" in target["open"][0]["reason"]


@pytest.mark.parametrize("fault", ["hang", "crash"])
def test_61_a_solver_that_locks_up_or_crashes_is_replaced(fault: str, tmp_path: Path) -> None:
    case = Case(
        61,
        "a broken solver",
        SEVERAL,
        budget=8.0 * slowness(),
        flags=("--strategy", "bfs"),
        environment={"SOLVER_FAULT": fault, "PYTHONPATH": FAULTY},
    )

    seen = run(case, tmp_path)

    assert seen.code == 0, seen.said
    assert seen.seconds < case.budget + in_time(3.5)
    assert "a solver did not come back" in seen.said
    assert len(seen.inputs) >= 2, seen.said


def test_62_a_model_that_leads_elsewhere_is_counted_and_not_shown_as_found(
    tmp_path: Path,
) -> None:
    case = Case(
        62,
        "a lying solver",
        SEVERAL,
        budget=3.0 * slowness(),
        flags=("--strategy", "bfs"),
        environment={"SOLVER_FAULT": "lie", "PYTHONPATH": FAULTY},
    )

    seen = run(case, tmp_path)

    assert seen.code == 0
    (target,) = seen.targets
    assert target["divergences"] >= 1
    assert {each["outcome"] for each in target["inputs"]} == {"returned"}


def test_63_ctrl_c_writes_everything_found_within_a_second(tmp_path: Path) -> None:
    process = start(tmp_path, "cover", "prog.py", "--budget", "3600s", "--json", "-o", "out")
    wait_for_inputs(tmp_path)

    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    stdout, stderr = process.communicate(timeout=600)

    assert time.monotonic() - begun < in_time(1.0)
    assert process.returncode == 130
    assert "Traceback" not in stderr and "symcrete resume" in stderr
    (target,) = json.loads(stdout)["targets"]
    assert target["inputs"] and "interrupted" in target["notes"]
    assert_tests_pass(tmp_path)


def test_63_a_second_ctrl_c_ends_everything_at_once(tmp_path: Path) -> None:
    process = start(tmp_path, "cover", "prog.py", "--budget", "3600s", "--json")
    wait_for_inputs(tmp_path)

    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    _, stderr = process.communicate(timeout=600)

    assert time.monotonic() - begun < in_time(0.5)
    assert process.returncode == 130
    assert "Traceback" not in stderr


def test_64_what_a_killed_run_had_found_is_there_after_resuming(tmp_path: Path) -> None:
    process = start(tmp_path, "cover", "prog.py", "--budget", enough(3), "--json", "-o", "out")
    wait_for_inputs(tmp_path)
    process.kill()
    process.communicate()
    kept = [each["assignment"] for each in records(tmp_path) if each.get("event") == "kept"]

    seen = symcrete(tmp_path, "resume")

    assert seen.code == 0, seen.said
    again = [each["assignment"] for each in records(tmp_path) if each.get("event") == "kept"]
    assert set(kept) <= set(again) and kept
    covered = {(e["line"], e["side"]) for each in seen.inputs for e in each["covers"]}
    assert {(5, True), (5, False), (7, True), (7, False)} <= covered
    assert_tests_pass(tmp_path)
    assert not list(tmp_path.glob("out/.symcrete-*"))


def test_64_a_run_that_has_ended_has_nothing_to_resume(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("def f(x: int) -> int:\n    return x\n")
    symcrete(tmp_path, "cover", "prog.py", "--budget", enough(1), "-q")

    seen = symcrete(tmp_path, "resume")

    assert seen.code == 5 and "nothing to resume" in seen.stderr


def test_64_replay_says_what_differs_after_a_change(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("def f(x: int) -> int:\n    return 1 if x > 41 else 0\n")
    symcrete(tmp_path, "cover", "prog.py", "--budget", enough(1), "-q")

    same = symcrete(tmp_path, "replay")
    (tmp_path / "prog.py").write_text("def f(x: int) -> int:\n    return 2 if x > 41 else 0\n")
    other = symcrete(tmp_path, "replay")

    assert same.code == 0 and "0 of them do something else" in same.stdout
    assert other.code == 1 and "then: 1" in other.stdout and "now:  2" in other.stdout


PLAIN = "def f(x: int) -> int:\n    return 1 if x > 41 else 0\n"


def cover_of_plain(folder: Path) -> tuple[str, ...]:
    (folder / "prog.py").write_text(PLAIN)
    return ("cover", "prog.py", "--budget", enough(1), "--json")


def cover_plain(folder: Path, *flags: str) -> Seen:
    return symcrete(folder, *cover_of_plain(folder), *flags)


def test_65_a_folder_that_cannot_be_written_is_said_before_the_run(tmp_path: Path) -> None:
    seen = cover_plain(tmp_path, "-o", "/proc/symcrete")

    assert seen.code == 4 and seen.stdout == ""
    assert "/proc/symcrete" in seen.stderr and "Traceback" not in seen.stderr


def test_65_a_full_disk_is_said_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(PLAIN)

    done = subprocess.run(
        [sys.executable, "-m", "symcrete.cli", "cover", "prog.py", "-o", "out"],
        cwd=tmp_path,
        env=surroundings(),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )

    assert done.returncode == 4, done.stderr
    assert "cannot write" in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.glob("out/*"))


def test_65_a_disk_that_takes_no_journal_does_not_end_the_run(tmp_path: Path) -> None:
    seen = symcrete(
        tmp_path, *cover_of_plain(tmp_path), PYTHONPATH=FAILING, FAIL_FROM="1", FAIL_IN=".symcrete"
    )

    assert seen.code == 0, seen.stderr
    assert len(seen.inputs) == 2
    assert "cannot be resumed" in seen.stderr and "Traceback" not in seen.stderr


def test_65_tests_for_which_there_is_no_room_are_printed(tmp_path: Path) -> None:
    """There was room before the run, when it was tried."""
    seen = symcrete(
        tmp_path,
        *cover_of_plain(tmp_path),
        *("-o", "out"),
        PYTHONPATH=FAILING,
        FAIL_FROM="5",
        FAIL_IN="out/",
    )

    assert seen.code == 4, seen.stderr
    assert "No space left" in seen.stderr and "def test_f" in seen.stderr
    assert not list(tmp_path.glob("out/*"))


def test_65_what_somebody_edited_is_kept_unless_forced(tmp_path: Path) -> None:
    cover_plain(tmp_path, "-o", "out")
    file = tmp_path / "out" / "test_prog.py"
    file.write_text(file.read_text() + "# mine\n")

    merged = cover_plain(tmp_path, "-o", "out")
    kept = file.read_text()
    forced = cover_plain(tmp_path, "-o", "out", "--force")

    assert merged.code == 0 and "# mine" in kept and "def test_f" in kept
    assert forced.code == 0 and "# mine" not in file.read_text()


def test_65_a_file_of_somebody_else_is_kept_unless_forced(tmp_path: Path) -> None:
    file = tmp_path / "out" / "test_prog.py"
    file.parent.mkdir()
    file.write_text("def test_mine():\n    assert True\n")

    beside = cover_plain(tmp_path, "-o", "out")
    kept = file.read_text()
    forced = cover_plain(tmp_path, "-o", "out", "--force")

    assert beside.code == 0 and "def test_f" in (file.parent / "test_prog_symcrete.py").read_text()
    assert kept == "def test_mine():\n    assert True\n"
    assert forced.code == 0 and "test_mine" not in file.read_text()


def test_66_two_runs_may_share_a_journal(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(SEVERAL)
    command = [
        sys.executable,
        "-m",
        "symcrete.cli",
        "cover",
        "prog.py",
        "--budget",
        enough(3),
        "-q",
    ]
    both = [
        subprocess.Popen([*command, "--journal", "both.jsonl"], cwd=tmp_path, env=surroundings())
        for _ in range(2)
    ]

    codes = [each.wait(timeout=600) for each in both]

    assert codes == [0, 0]
    lines = [json.loads(line) for line in (tmp_path / "both.jsonl").read_text().splitlines()]
    runs = {each["run"] for each in lines if "run" in each}
    assert len(runs) == 2
    for name in runs:
        events = [each["event"] for each in lines if each.get("run") == name]
        assert events[0] == "begin" and events[-1] == "end" and "target" in events


def test_66_records_of_another_version_are_left_alone_and_said(tmp_path: Path) -> None:
    cover_plain(tmp_path, "--journal", "old.jsonl")
    file = tmp_path / "old.jsonl"
    text = file.read_text().replace('{"v": 1, ', '{"v": 99, ')
    file.write_text(text)

    seen = symcrete(tmp_path, "resume", "old.jsonl")

    assert seen.code == 4 and "Traceback" not in seen.stderr
    assert file.read_text() == text


def test_66_a_file_that_is_no_journal_is_not_touched(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("mine\n")

    seen = cover_plain(tmp_path, "--journal", "notes.txt")

    assert seen.code == 0 and "not a journal" in seen.stderr
    assert other.read_text() == "mine\n"


def test_nothing_of_a_run_is_kept_where_it_is_not_wanted(tmp_path: Path) -> None:
    seen = cover_plain(tmp_path, "--no-journal")

    assert seen.code == 0
    assert sorted(os.listdir(tmp_path)) == ["prog.py"]


def test_a_kernel_without_walls_is_said_once_with_what_is_still_protected(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(PLAIN + PLAIN.replace("f(", "g("))

    seen = symcrete(tmp_path, "cover", "prog.py", "--budget", enough(1), "-q", PYTHONPATH=WALL_LESS)

    assert seen.code == 0
    assert seen.stderr.count("not protected:") == 1
    assert "container" in seen.stderr and "stopped for Python calls only" in seen.stderr
    assert "memory is capped" in seen.stderr


@pytest.mark.parametrize("command", ["reach", "explain"])
def test_reach_and_explain_run_the_program_in_the_sandbox_too(command: str, tmp_path: Path) -> None:
    (tmp_path / "victim.txt").write_text("still here")
    (tmp_path / "prog.py").write_text(
        "import os\n\ndef f(x: int) -> int:\n    if x == 7:\n"
        "        os.remove('victim.txt')\n        return 1\n    return 0\n"
    )
    arguments = {"reach": ["prog.py:6"], "explain": ["prog.py::f", "--input", "x=7"]}

    seen = symcrete(tmp_path, command, *arguments[command], "--budget", enough(3))

    assert "Traceback" not in seen.stderr
    assert (tmp_path / "victim.txt").read_text() == "still here"


def test_an_input_that_ends_the_process_does_not_end_reach(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(
        "import os\n\ndef f(x: int) -> int:\n    if x == 7:\n        os._exit(3)\n"
        "    if x > 1000:\n        return 1\n    return 0\n"
    )

    ended = symcrete(tmp_path, "reach", "prog.py:5", "--budget", enough(3))
    reached = symcrete(tmp_path, "reach", "prog.py:7", "--budget", enough(5))

    assert ended.code == 1 and "target ended the process (code 3)" in ended.stdout
    assert reached.code == 0 and "reached by" in reached.stdout
