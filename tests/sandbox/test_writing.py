"""A file is there whole or not at all, and what somebody changed stays."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time

import pytest
from tests.sandbox.faults import Faults

from symcrete.sandbox.journal.writing import (
    EditedError,
    WriteError,
    check_writable,
    is_edited,
    write_file,
)

TEXT = "def test_price():\n    assert price(1) == 1\n"


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "test_shop.py")


def read(path):
    with open(path, newline="") as file:
        return file.read()


def test_the_text_is_there_followed_by_a_line_that_marks_it_as_ours(path):
    write_file(path, TEXT)

    assert read(path).startswith(TEXT)
    assert read(path)[len(TEXT) :].startswith("# written by symcrete")
    assert not is_edited(path)


def test_what_we_wrote_is_rewritten(path):
    write_file(path, TEXT)

    write_file(path, "x = 1")

    assert read(path).startswith("x = 1\n# written")


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("1", "2", 1),
        lambda text: text + "\ndef test_mine(): pass\n",
        lambda text: "import mine\n" + text,
        lambda text: text.rpartition("# written")[0],
        lambda text: "",
        lambda text: "not ours at all",
    ],
)
def test_what_somebody_edited_is_refused_unless_forced(path, edit):
    write_file(path, TEXT)
    edited = edit(read(path))
    with open(path, "w") as file:
        file.write(edited)

    with pytest.raises(EditedError, match="--force"):
        check_writable(path)
    with pytest.raises(EditedError, match="--force"):
        write_file(path, "x = 1\n")
    assert read(path) == edited

    write_file(path, "x = 1\n", force=True)
    assert read(path).startswith("x = 1\n")
    assert not is_edited(path)


def test_line_ends_changed_by_version_control_are_no_edit(path):
    write_file(path, TEXT)
    text = read(path)
    with open(path, "w", newline="\r\n") as file:
        file.write(text)

    assert not is_edited(path)


def test_a_format_without_comments_is_replaced_only_by_the_same_or_by_force(tmp_path):
    path = str(tmp_path / "report.json")
    write_file(path, "{}\n")
    assert read(path) == "{}\n"

    write_file(path, "{}\n")
    with pytest.raises(EditedError):
        write_file(path, "[]\n")
    write_file(path, "[]\n", force=True)

    assert read(path) == "[]\n"


def test_rights_are_the_users_and_stay(path):
    old = os.umask(0o027)
    try:
        write_file(path, TEXT)
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640

    os.chmod(path, 0o600)
    write_file(path, "x = 1\n")

    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_a_link_stays_and_its_target_is_written(tmp_path, path):
    os.symlink("real.py", path)

    write_file(path, TEXT)

    assert os.path.islink(path)
    assert read(tmp_path / "real.py").startswith(TEXT)


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path):
    path = str(tmp_path / ("ä" * 125 + ".py"))

    write_file(path, TEXT)

    assert read(path).startswith(TEXT)


@pytest.mark.parametrize("act", [check_writable, lambda path: write_file(path, TEXT)])
def test_a_folder_or_device_is_never_replaced(tmp_path, act):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")

    for name in ("folder", "pipe"):
        with pytest.raises(WriteError, match="not an ordinary file"):
            act(str(tmp_path / name))
    with pytest.raises(WriteError):
        act("/dev/null")

    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("act", [check_writable, lambda path: write_file(path, TEXT)])
def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path, act):
    with pytest.raises(WriteError) as error:
        act(str(tmp_path / "none" / "test.py"))

    assert isinstance(error.value, OSError)
    assert error.value.errno == errno.ENOENT
    assert str(error.value).endswith("create the folder first")


def test_checking_leaves_nothing_behind(tmp_path, path):
    check_writable(path)
    assert os.listdir(tmp_path) == []

    write_file(path, TEXT)
    before = read(path)
    check_writable(path)

    assert os.listdir(tmp_path) == ["test_shop.py"]
    assert read(path) == before


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("at", range(1, 8))
def test_an_error_at_the_nth_call_leaves_the_old_or_the_new_file_and_no_other(
    tmp_path, path, at, error
):
    write_file(path, "old = 1\n")
    old = read(path)

    with pytest.MonkeyPatch.context() as patch:
        Faults(patch, at, error=error, half=True)
        try:
            write_file(path, TEXT)
        except WriteError as raised:
            assert os.strerror(error) in str(raised)

    assert read(path) == old or read(path).startswith(TEXT)
    assert not is_edited(path)
    assert os.listdir(tmp_path) == ["test_shop.py"]


def test_killing_a_writer_at_any_moment_leaves_a_whole_file(tmp_path, path):
    code = (
        "import sys\n"
        "from symcrete.sandbox.journal.writing import write_file\n"
        "i = 0\n"
        "while True:\n"
        "    i += 1; write_file(sys.argv[1], f'x = {i}\\n' * (i * 97 % 3000))\n"
        "    print(i, flush=True)"
    )
    for trial in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", code, path],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        with process:
            assert process.stdout is not None
            process.stdout.read(1)
            time.sleep(0.02 * trial)
            process.send_signal(signal.SIGKILL)

        assert not is_edited(path)
    litter = [name for name in os.listdir(tmp_path) if name != "test_shop.py"]
    assert all(name.startswith(".symcrete-") for name in litter)


def test_litter_of_killed_writers_is_removed_in_time(tmp_path, path):
    write_file(path, TEXT)
    names = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", lambda source, _: names.append(source))
        write_file(path, TEXT)
    os.utime(names[0], (time.time() - 10_000,) * 2)

    write_file(path, TEXT)

    assert os.listdir(tmp_path) == ["test_shop.py"]
