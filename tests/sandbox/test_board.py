import os
import random
import signal
import subprocess
import sys
import time

import pytest

from symcrete.sandbox.messages.board import _HEAD, Board


@pytest.fixture
def descriptor():
    number = os.memfd_create("board") if hasattr(os, "memfd_create") else os.open(".", os.O_TMPFILE)
    yield number
    os.close(number)


def test_the_last_entry_is_seen_from_the_other_side(descriptor):
    ours, theirs = Board(descriptor), Board(descriptor)
    before = time.monotonic()

    assert theirs.read() is None
    for i in range(5):
        ours.write({"run": i}, limit=2.5)
        entry = theirs.read()
        assert entry is not None
        assert (entry.what, entry.limit) == ({"run": i}, 2.5)
        assert before <= entry.started <= time.monotonic()


def test_an_entry_too_long_keeps_what_is_short(descriptor):
    board = Board(descriptor)

    board.write({"branch": 17, "input": "x" * 5_000_000})

    entry = board.read()
    assert entry is not None
    assert entry.what == {"branch": 17, "input": "too long to keep"}


def test_a_board_that_was_scribbled_over_says_nothing(descriptor):
    board = Board(descriptor)
    board.write({"run": 1})
    choice = random.Random(0)

    for _ in range(200):
        os.pwrite(descriptor, choice.randbytes(64), choice.choice([0, 4096, 4096 + (1 << 20)]))
        entry = board.read()
        assert entry is None or isinstance(entry.what, dict)


class DyingHead:
    """Writes the head of an entry, then ends the writer before the rest."""

    def __init__(self, real):
        self._real = real
        self.size = real.size

    def pack_into(self, *arguments):
        self._real.pack_into(*arguments)
        raise KeyboardInterrupt


def test_an_entry_half_written_leaves_the_one_before(descriptor, monkeypatch):
    board = Board(descriptor)
    for i in range(3):
        board.write({"run": i})
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr("symcrete.sandbox.messages.board._HEAD", DyingHead(_HEAD))
            board.write({"run": "never", "longer": "x" * 100})

        entry = board.read()
        assert entry is not None
        assert entry.what == {"run": i}


class InterruptedHead:
    """Two more entries are written while the first one is read."""

    def __init__(self, real, board):
        self._real = real
        self._board = board
        self.size = real.size
        self.pack_into = real.pack_into
        self._looks = 0

    def unpack_from(self, *arguments):
        self._looks += 1
        head = self._real.unpack_from(*arguments)
        if self._looks == 2:
            self._board.write({"run": 2}, limit=2)
            self._board.write({"run": 3, "longer": "x" * 100}, limit=3)
        return head


def test_an_entry_that_is_replaced_while_it_is_read_is_read_again(descriptor, monkeypatch):
    board = Board(descriptor)
    board.write({"run": 1}, limit=1)
    monkeypatch.setattr(
        "symcrete.sandbox.messages.board._HEAD", InterruptedHead(_HEAD, Board(descriptor))
    )

    entry = board.read()

    assert entry is not None
    assert (entry.what["run"], entry.limit) == (3, 3)


def test_a_worker_killed_while_writing_leaves_a_whole_entry(descriptor):
    code = (
        "import sys; from symcrete.sandbox.messages.board import Board; board = Board(int(sys.argv[1]))\n"
        "i = 0\n"
        "while True: i += 1; board.write({'i': i, 'copy': str(i) * (i % 1000)})"
    )
    choice = random.Random(0)
    board = Board(descriptor)
    last = 0
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(descriptor)],
            pass_fds=[descriptor],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        while (entry := board.read()) is None or entry.what["i"] == last:
            time.sleep(0.005)
        time.sleep(choice.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()

        entry = board.read()
        assert entry is not None
        number = entry.what["i"]
        assert isinstance(number, int)
        last = number
        assert entry.what["copy"] == str(last) * (last % 1000)
