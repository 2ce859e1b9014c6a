"""Nothing that was appended is lost, and nothing that happens makes a journal unreadable."""

import errno
import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from tests.sandbox.faults import Faults

from symcrete.sandbox.journal import journal
from symcrete.sandbox.journal.journal import Journal, read_journal
from symcrete.sandbox.journal.writing import WriteError

APPENDING = """
import sys
from symcrete.sandbox.journal.journal import Journal
name, most = sys.argv[2], int(sys.argv[3])
with Journal(sys.argv[1]) as journal:
    for i in range(most):
        journal.append({"writer": name, "i": i, "padding": "x" * (i * 37 % 5000)})
        print(i, flush=True)
"""


def writer(path, name, most=10**9):
    return subprocess.Popen(
        [sys.executable, "-c", APPENDING, str(path), name, str(most)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def acknowledged(process):
    """How many appends had returned when it was killed."""
    with process:
        lines = process.stdout.read().split(b"\n")
    return len(lines) - 1


def written_by(path, name):
    return [r["i"] for r in read_journal(str(path)).records if r["writer"] == name]


def test_records_come_back_in_order(tmp_path):
    path = str(tmp_path / "journal")
    records = [{"i": i, "text": "ä\ud800\n\u2028", "big": "9" * 5000} for i in range(3)]

    with Journal(path) as opened:
        for record in records:
            opened.append(record)
        opened.sync()

    assert read_journal(path).records == tuple(records)
    assert read_journal(path).notes == ()


def test_a_journal_that_is_not_there_is_empty(tmp_path):
    assert read_journal(str(tmp_path / "none")).records == ()


def test_opening_it_again_goes_on(tmp_path):
    path = str(tmp_path / "journal")
    for i in range(3):
        with Journal(path) as opened:
            opened.append({"i": i})

    assert [r["i"] for r in read_journal(path).records] == [0, 1, 2]


def test_killing_writers_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "journal"
    choice = random.Random(0)

    for trial in range(5):
        pair = [writer(path, f"{trial}{side}") for side in "ab"]
        for process in pair:
            process.stdout.read(1)
        time.sleep(choice.random() * 0.1)
        for process in pair:
            process.send_signal(signal.SIGKILL)
        counts = [acknowledged(process) for process in pair]

        for side, count in zip("ab", counts, strict=True):
            found = written_by(path, f"{trial}{side}")
            assert found == list(range(len(found)))
            assert count <= len(found) <= count + 1
    assert all("unfinished" in note for note in read_journal(str(path)).notes)


def test_two_writers_at_once_lose_nothing(tmp_path):
    path = tmp_path / "journal"

    pair = [writer(path, name, 1000) for name in "ab"]
    for process in pair:
        assert acknowledged(process) == 1000

    assert written_by(path, "a") == written_by(path, "b") == list(range(1000))
    assert read_journal(str(path)).notes == ()


@pytest.mark.parametrize("cut", range(2, 30, 4))
def test_a_torn_line_costs_only_itself(tmp_path, cut):
    path = tmp_path / "journal"
    with Journal(str(path)) as opened:
        opened.append({"i": 0})
        opened.append({"i": 1, "text": "x" * 30})
    path.write_bytes(path.read_bytes()[:-cut])

    with Journal(str(path)) as opened:
        opened.append({"i": 2})

    assert [r["i"] for r in read_journal(str(path)).records] == [0, 2]
    assert read_journal(str(path)).notes == (f"{path}: 1 unfinished or damaged lines are ignored",)


@pytest.mark.parametrize("length", range(1, 38))
def test_a_journal_whose_maker_was_killed_at_once_can_be_used(tmp_path, length):
    path = tmp_path / "journal"
    path.write_bytes(journal._HEADER[:length])

    for i in range(2):
        with Journal(str(path)) as opened:
            opened.append({"i": i})

    assert [r["i"] for r in read_journal(str(path)).records] == [0, 1]


def test_journals_are_merged_by_concatenation(tmp_path):
    for name in "ab":
        with Journal(str(tmp_path / name)) as opened:
            opened.append({"from": name})
    merged = tmp_path / "merged"
    merged.write_bytes((tmp_path / "a").read_bytes() + (tmp_path / "b").read_bytes())

    assert [r["from"] for r in read_journal(str(merged)).records] == ["a", "b"]


def test_records_of_another_version_are_ignored_with_a_note(tmp_path):
    path = tmp_path / "journal"
    other = [{"journal": "symcrete", "version": 99}, {"v": 99, "i": 0}, {"v": 99, "i": 1}]
    path.write_text("".join(json.dumps(line) + "\n" for line in other))

    with Journal(str(path)) as opened:
        opened.append({"i": 2})

    found = read_journal(str(path))
    assert found.records == ({"i": 2},)
    assert found.notes == (f"{path}: 2 records of journal version 99 are ignored (this is 1)",)


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"\0\xff", b"{}\n", b"[" * 100_000])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path, content):
    path = tmp_path / "data"
    path.write_bytes(content)

    with pytest.raises(WriteError, match="not a journal of symcrete"):
        Journal(str(path))

    assert path.read_bytes() == content
    assert read_journal(str(path)).records == ()


@pytest.mark.parametrize("place", ["none/journal", "."])
def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path, place):
    with pytest.raises(WriteError, match="cannot open the journal") as error:
        Journal(str(tmp_path / place))

    assert isinstance(error.value, OSError)
    assert str(tmp_path) in str(error.value)


@pytest.mark.parametrize("half", [False, True], ids=["whole", "half"])
@pytest.mark.parametrize("at", range(1, 30))
def test_an_error_at_the_nth_call_loses_only_what_it_is_told_for(tmp_path, at, half):
    path = str(tmp_path / "journal")
    kept = []

    with pytest.MonkeyPatch.context() as patch:
        Faults(patch, at, half=half)
        for start in (0, 100):
            try:
                with Journal(path) as opened:
                    for i in range(start, start + 4):
                        try:
                            opened.append({"i": i})
                            kept.append(i)
                        except WriteError as error:
                            assert "No space left" in str(error)
            except WriteError as error:
                assert "No space left" in str(error)

    found = read_journal(path)
    assert [r["i"] for r in found.records] == kept
    assert found.notes == ()
    assert len(kept) >= 4


def test_a_disk_that_stays_full_leaves_whole_lines(tmp_path):
    path = str(tmp_path / "journal")
    code = (
        "import resource, sys\n"
        "from symcrete.sandbox.journal.journal import Journal\n"
        "from symcrete.sandbox.journal.writing import WriteError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "done = 0\n"
        "with Journal(sys.argv[1]) as journal:\n"
        "    for i in range(100):\n"
        "        try: journal.append({'i': i}); done += 1\n"
        "        except WriteError as error: last = error\n"
        "print(done, last)"
    )

    process = subprocess.run(
        [sys.executable, "-c", code, path],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )

    count, _, message = process.stdout.strip().partition(" ")
    found = read_journal(path)
    assert [r["i"] for r in found.records] == list(range(int(count)))
    assert found.notes == ()
    assert message.startswith(f"cannot write the journal {path}: File too large")


def test_a_writer_that_was_stopped_does_not_stop_the_others(tmp_path, monkeypatch):
    path = str(tmp_path / "journal")
    monkeypatch.setattr(journal, "_LOCK_SECONDS", 0.05)

    with Journal(path) as opened, open(path) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        opened.append({"i": 0})

    assert read_journal(path).records == ({"i": 0},)


def test_a_disk_without_locks_will_do(tmp_path, monkeypatch):
    path = str(tmp_path / "journal")

    def flock(descriptor, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with Journal(path) as opened:
        opened.append({"i": 0})

    assert read_journal(path).records == ({"i": 0},)
