"""The command as the whole of a process: it ends at once, and nothing is lost by that."""

import subprocess
import sys
from pathlib import Path

import pytest

from symcrete import __main__ as command

PROGRAM = "def f(x: int) -> int:\n    return 1 if x > 3 else 0\n"
BEFORE = """
import atexit, sys
from symcrete.__main__ import run

atexit.register(lambda: print("after all"))
{line}
sys.argv = ["symcrete", "strategies"]
run()
"""


def ran(line: str = "", **more: object) -> "subprocess.CompletedProcess[str]":
    code = BEFORE.format(line=line)
    return subprocess.run(
        [sys.executable, "-c", code], text=True, stderr=subprocess.PIPE, timeout=60, **more
    )  # type: ignore[call-overload]


def test_what_others_want_done_at_the_end_is_done() -> None:
    done = ran(stdout=subprocess.PIPE)

    assert done.stdout.splitlines()[-1] == "after all"
    assert done.returncode == 0


def test_a_thread_that_is_at_work_is_waited_for() -> None:
    line = (
        "import threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(1), print('worked'))).start()"
    )

    done = ran(line, stdout=subprocess.PIPE)

    assert "worked" in done.stdout.splitlines()
    assert done.stdout.splitlines()[-1] == "after all"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_output_that_cannot_be_written_is_told() -> None:
    with open("/dev/full", "w") as full:
        done = ran(stdout=full)

    assert done.returncode != 0
    assert "No space left" in done.stderr


def test_the_code_is_that_of_the_command(tmp_path: Path) -> None:
    assert callable(command.run)
    (tmp_path / "prog.py").write_text(PROGRAM)

    done = subprocess.run(
        [sys.executable, "-m", "symcrete", "cover", "missing.py"], cwd=tmp_path, capture_output=True
    )

    assert done.returncode == 4
