"""Locks of multiprocessing inside a worker: as the real ones, and nobody else sees them."""

import _multiprocessing  # type: ignore[import-not-found]
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.state.case import asked

from symcrete.sandbox.walls.semaphores import SemLock

LOCK, SEMAPHORE = 0, 1
Made = Callable[..., Any]


@pytest.mark.parametrize("make", [SemLock, _multiprocessing.SemLock], ids=["ours", "real"])
def test_a_semaphore_counts_down_and_up(make: Made) -> None:
    two = make(SEMAPHORE, 2, 2, "/symcrete-two", True)

    assert two.acquire() and two.acquire(False) and not two.acquire(False)
    assert not two.acquire(True, 0.01) and two._is_zero() and two._count() == 2
    two.release()
    two.release()
    with pytest.raises(ValueError):
        two.release()


@pytest.mark.parametrize("make", [SemLock, _multiprocessing.SemLock], ids=["ours", "real"])
def test_a_lock_is_its_owners(make: Made) -> None:
    lock = make(LOCK, 1, 1, "/symcrete-lock", True)
    refused: list[bool] = []

    with lock:
        assert lock.acquire() and lock._is_mine() and lock._count() == 2
        other = threading.Thread(target=lambda: refused.append(lock.acquire(False)))
        other.start()
        other.join()
        lock.release()
    with pytest.raises(AssertionError):
        lock.release()
    assert refused == [False]


def test_locks_of_a_program_without_a_wall_are_the_real_ones() -> None:
    code = "import multiprocessing as m; m.Lock(); import _multiprocessing as c; print(c.__file__)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() != "None"


def test_a_module_that_makes_a_lock_and_looks_at_the_terminal_is_imported(tmp_path: Path) -> None:
    file = tmp_path / "worker.py"
    file.write_text(
        "import multiprocessing, os, pathlib, sys\n"
        "lock, queue = multiprocessing.Lock(), multiprocessing.Queue()\n"
        "(pathlib.Path.home() / '.worker').mkdir()\n"
        "os.write(sys.stdout.fileno(), b'')\n"
        "def f(n: int) -> int:\n"
        "    with lock:\n"
        "        if n > 3:\n"
        "            return 1\n"
        "    return 0\n"
    )

    (report,) = asked("cover", str(file))["targets"]

    assert report["branches"]["covered"] == 2
    assert [each["outcome"] for each in report["inputs"]] == ["returned", "returned"]
