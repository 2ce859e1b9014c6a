"""Work in forks: its answer comes back, and nothing else."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from symcrete.run.untouched.forks import (
    Answered,
    Companion,
    Gone,
    TooLong,
    answer_with,
    fork_once,
    lines_from,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


def test_an_answer_of_any_length_comes_back() -> None:
    assert fork_once(lambda: b"x" * 1_000_000 + b"\n", 20) == Answered(b"x" * 1_000_000)


def test_what_a_fork_changes_is_not_seen() -> None:
    seen: list[int] = []

    fork_once(lambda: seen.append(1) or b"\n", 20)  # type: ignore[func-returns-value]

    assert seen == []


def test_the_end_of_a_fork_is_told() -> None:
    assert fork_once(lambda: os._exit(7), 20) == Gone(7)
    assert fork_once(lambda: os.kill(os.getpid(), signal.SIGKILL) or b"", 20) == Gone(-9)  # type: ignore[func-returns-value]


def test_a_fork_that_hangs_is_killed() -> None:
    begun = time.monotonic()

    assert fork_once(lambda: time.sleep(60) or b"", 0.2) == TooLong()  # type: ignore[func-returns-value]
    assert time.monotonic() - begun < 10


def test_a_fork_that_closes_everything_and_hangs_is_killed() -> None:
    def work() -> bytes:
        os.closerange(0, 200)
        time.sleep(60)
        return b""

    assert fork_once(work, 0.3) == TooLong()


def test_a_companion_answers_until_it_dies() -> None:
    def serve(questions: int, answers: int) -> None:
        for line in lines_from(questions):
            answer_with(answers, str(100 // int(line)).encode())

    companion = Companion(serve)

    assert [companion.ask(b"%d" % n, 20) for n in (5, 3)] == [Answered(b"20"), Answered(b"33")]
    assert companion.ask(b"0", 20) == Gone(1)
    companion.close()


def test_no_descriptor_and_no_process_is_left(tmp_path: Path) -> None:
    code = """
    import os
    from symcrete.run.untouched.forks import fork_once
    before = os.listdir("/proc/self/fd")
    for _ in range(50):
        fork_once(lambda: b"x\\n", 5)
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        print(os.listdir("/proc/self/fd") == before)
    """

    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )

    assert told.stdout == "True\n"


def test_an_answer_comes_back_from_a_fork_that_closed_every_descriptor() -> None:
    def work() -> bytes:
        os.closerange(3, 4096)
        return b"done\n"

    assert fork_once(work, 10.0) == Answered(b"done")
