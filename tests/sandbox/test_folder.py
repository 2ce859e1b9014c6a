import os
import tempfile
import time

from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.sandbox.driver import folder
from symcrete.sandbox.driver.driver import cover
from symcrete.sandbox.driver.folder import furnished, remove_tree, work_folder

IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None


def make_deep(top, depth):
    here = os.getcwd()
    os.chdir(top)
    try:
        for _ in range(depth):
            os.mkdir("deeper")
            os.chdir("deeper")
    finally:
        os.chdir(here)


def test_a_folder_of_any_depth_is_removed():
    top = tempfile.mkdtemp(dir=IN_MEMORY)
    make_deep(top, 3000)

    assert remove_tree(top)

    assert not os.path.exists(top)


def test_a_folder_that_takes_long_to_remove_does_not_hold_up_the_run(monkeypatch):
    monkeypatch.setattr(folder, "_REMOVAL_PATIENCE", 0.0)
    with work_folder() as work:
        make_deep(work, 50)

    until = time.monotonic() + 5
    while os.path.exists(work) and time.monotonic() < until:
        time.sleep(0.01)
    assert not os.path.exists(work)


def test_what_a_program_may_leave_is_removed(tmp_path):
    top = tmp_path / "top"
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "b" / "file").touch()
    (tmp_path / "kept").mkdir()
    (top / "a" / "link").symlink_to(tmp_path / "kept")
    (top / "a" / "loop").symlink_to(top)
    os.mkfifo(top / "pipe")
    (top / "a" / "b").chmod(0)
    (top / "a").chmod(0)

    remove_tree(str(top))

    assert os.listdir(tmp_path) == ["kept"]


def test_a_work_folder_is_there_for_its_run_only():
    with work_folder() as work:
        assert os.listdir(work) == []
        open(os.path.join(work, "file"), "w").close()

    assert not os.path.exists(work)


def test_folders_of_runs_killed_long_ago_are_swept_away(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = ["symcrete-999999999-old", "symcrete-999999999-new", f"symcrete-{os.getpid()}-old"]
    for name in [*names, "symcrete-world", "other"]:
        (tmp_path / name).mkdir()
        if not name.endswith("new"):
            os.utime(tmp_path / name, (time.time() - 10**6,) * 2)

    with work_folder():
        left = {p.name for p in tmp_path.iterdir()}

    assert left >= {*names[1:], "symcrete-world", "other"}
    assert names[0] not in left


def test_a_furnished_folder_has_a_home_of_its_own(tmp_path):
    places = furnished(str(tmp_path))

    assert places["HOME"] != os.environ.get("HOME")
    own = [place for name, place in places.items() if name != "PYTHONUSERBASE"]
    assert all(os.path.isdir(place) and place.startswith(str(tmp_path)) for place in own)
    assert os.listdir(places["TMPDIR"]) == []


def test_a_module_may_write_below_its_home_when_it_is_imported(tmp_path):
    file = tmp_path / "writes.py"
    file.write_text(
        "from pathlib import Path\n"
        "settings = Path.home() / '.config' / 'writes'\n"
        "settings.mkdir(parents=True)\n"
        "(settings / 'a.ini').write_text('x = 1')\n"
        "def f(n: int) -> int:\n    return 1 if n > 7 else 2\n"
    )
    report = cover(targets_of(str(file))[0], options_from({"budget": 20.0}))

    assert not report.error
    assert {each.outcome for each in report.inputs} == {"returned"}
