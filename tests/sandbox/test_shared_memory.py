"""Shared memory of multiprocessing inside a worker: as the real one, and nobody else sees it."""

from __future__ import annotations

import _posixshmem  # type: ignore[import-not-found]
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from symcrete.sandbox.walls.shared_memory import Memory

NEW = os.O_CREAT | os.O_EXCL | os.O_RDWR


@pytest.fixture(params=["ours", "real"])
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    made = Memory() if request.param == "ours" else _posixshmem
    yield made
    for name in ("/symcrete-a",):
        try:
            made.shm_unlink(name)
        except FileNotFoundError:
            continue


def test_what_one_descriptor_writes_another_of_the_name_reads(memory: Memory) -> None:
    first = memory.shm_open("/symcrete-a", NEW, mode=0o600)
    os.ftruncate(first, 4)
    os.pwrite(first, b"abcd", 0)

    second = memory.shm_open("/symcrete-a", os.O_RDWR, mode=0o600)

    assert os.pread(second, 4, 0) == b"abcd"
    os.close(first)
    os.close(second)


def test_a_name_is_taken_once_and_free_again_when_it_is_unlinked(memory: Memory) -> None:
    os.close(memory.shm_open("/symcrete-a", NEW, mode=0o600))

    with pytest.raises(FileExistsError):
        memory.shm_open("/symcrete-a", NEW, mode=0o600)
    memory.shm_unlink("/symcrete-a")
    with pytest.raises(FileNotFoundError):
        memory.shm_open("/symcrete-a", os.O_RDWR, mode=0o600)
    with pytest.raises(FileNotFoundError):
        memory.shm_unlink("/symcrete-a")


def test_multiprocessing_works_on_it_and_starts_no_other_process() -> None:
    code = (
        "from symcrete.sandbox.walls.shared_memory import stand_in\n"
        "stand_in()\n"
        "from multiprocessing import Array, Value\n"
        "from multiprocessing.shared_memory import SharedMemory\n"
        "made = SharedMemory(create=True, size=8)\n"
        "same = SharedMemory(made.name)\n"
        "made.buf[0] = 7\n"
        "total, cells = Value('i', 3), Array('i', [1, 2])\n"
        "from multiprocessing import heap\n"
        "print(same.buf[0], total.value, list(cells), heap.Arena._dir_candidates)\n"
        "same.close(); made.close(); made.unlink()\n"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "7 3 [1, 2] []"
    assert not shown.stderr
