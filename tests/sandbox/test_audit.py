"""Every effect that was stopped leaves a record a user can act on."""

import contextlib
import os
import pathlib
import tempfile

import pytest
from tests.sandbox.children import answer_of

INSTALLED = """
from symcrete.sandbox.walls import audit
audit.install(work)
outside = os.path.dirname(work)
"""


@contextlib.contextmanager
def a_place():
    """With a short name, which records show in full."""
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(os.path.realpath(name))
        (top / "work").mkdir()
        (top / "file").write_text("kept")
        (top / "folder").mkdir()
        yield top


@pytest.fixture
def work():
    with a_place() as top:
        yield top / "work"


def outcomes(actions, top):
    """For each line of shop.py, run in one child: what it raised, and what was recorded."""
    code = (
        INSTALLED
        + """
def outcome(action):
    audit.reset()
    os.chdir("/")
    names = {"outside": outside, "work": work, "os": os}
    error = tried(lambda: exec(compile(action, "shop.py", "exec"), names))
    return error, [str(record) for record in audit.blocked()]
answer([outcome(action) for action in ACTIONS])
"""
    )
    found = answer_of(code.replace("ACTIONS", repr([*actions])), top / "work")
    return dict(zip(actions, found, strict=True))


RECORDED = {
    "os.remove(outside + '/file')": "os.remove('{out}/file')",
    "open(outside + '/new', 'w')": "open('{out}/new', 'w')",
    "os.open(outside + '/new', os.O_CREAT)": "os.open('{out}/new')",
    "os.rename(outside + '/file', work + '/f')": "os.rename('{out}/file', '{out}/work/f')",
    "os.rmdir(outside + '/folder')": "os.rmdir('{out}/folder')",
    "os.mkdir(outside + '/new')": "os.mkdir('{out}/new')",
    "os.makedirs(outside + '/a/b')": "os.mkdir('{out}/a')",
    "os.symlink('x', outside + '/new')": "os.symlink('x', '{out}/new')",
    "os.link(outside + '/file', work + '/f')": "os.link('{out}/file', '{out}/work/f')",
    "os.truncate(outside + '/file', 0)": "os.truncate('{out}/file')",
    "os.chmod(outside + '/file', 0o777)": "os.chmod('{out}/file', 511)",
    "os.utime(outside + '/file')": "os.utime('{out}/file', None)",
    "import shutil; shutil.rmtree(outside + '/folder')": "os.rmdir('{out}/folder')",
    "import pathlib; pathlib.Path(outside, 'file').unlink()": "os.remove('{out}/file')",
    "os.mkdir('new', dir_fd=os.open(outside, 0))": "os.mkdir('new')",
    # No detour leads outside.
    "open(work + '/../file', 'w')": "open('{out}/work/../file', 'w')",
    "open(work + '/up/file', 'w')": "open('{out}/work/up/file', 'w')",
    "open(work + '/up/work/../file', 'w')": "open('{out}/work/up/work/../file', 'w')",
}
OTHERS = {
    "os.system('true')": "os.system(b'true')",
    "import subprocess; subprocess.run(['ls', '-l'])": "subprocess.Popen(['ls', '-l'])",
    "os.fork()": "os.fork()",
    "os.kill(1, 0)": "os.kill(1, 0)",
    "import socket; socket.socket()": "socket.socket(2, 1)",
    "import socket; socket.create_connection(('example.com', 80))": (
        "socket.getaddrinfo('example.com', 80)"
    ),
    "import http.client as h; h.HTTPConnection('example.com').connect()": (
        "http.client.connect('example.com', 80)"
    ),
    "import resource; resource.setrlimit(7, (64, 64))": "resource.setrlimit(7, [64, 64])",
}
LET_THROUGH = [
    "open(work + '/new', 'w').close()",
    "open(outside + '/file').close()",
    "open('/dev/null', 'w').close()",
    "os.kill(os.getpid(), 0)",
    "import asyncio; asyncio.run(asyncio.sleep(0))",
    "os.listdir('/')",
    "os.chdir(outside); open('work/new', 'w').close(); os.remove('work/new')",
    "os.symlink(outside, work + '/link')",
    "os.mkdir('made', dir_fd=os.open(work, 0))",
]
FAIL_ANYWAY = {
    "os.remove(outside + '/nothing')": "FileNotFoundError",
    "os.rmdir(outside + '/nothing')": "FileNotFoundError",
    "os.rename(outside + '/nothing', outside + '/b')": "FileNotFoundError",
    "os.mkdir(outside + '/folder')": "FileExistsError",
    "os.makedirs(outside + '/folder', exist_ok=True)": "fine",
    "os.symlink('a', outside + '/file')": "FileExistsError",
    "open(outside + '/none/file', 'w')": "FileNotFoundError",
    "open(outside + '/folder', 'w')": "IsADirectoryError",
    "open(outside + '/file', 'x')": "FileExistsError",
    "open(outside + '/none', 'r+')": "FileNotFoundError",
    "os.chmod(outside + '/nothing', 0)": "FileNotFoundError",
    "os.truncate(outside + '/nothing', 0)": "FileNotFoundError",
}


@pytest.fixture(scope="module")
def tried():
    with a_place() as top:
        (top / "work" / "up").symlink_to("..")
        found = outcomes([*RECORDED, *OTHERS, *LET_THROUGH, *FAIL_ANYWAY], top)
        assert sorted(p.name for p in top.iterdir()) == ["file", "folder", "work"]
        assert (top / "file").read_text() == "kept"
        return {
            action: (error, [text.replace(str(top), "{out}") for text in texts])
            for action, (error, texts) in found.items()
        }


@pytest.mark.parametrize("action", RECORDED)
def test_a_change_outside_is_recorded_with_its_line_and_the_flag(tried, action):
    flag = "allow with --allow files"
    text = f"side effect {RECORDED[action]} blocked at shop.py:1; {flag}"

    assert tried[action] == ("PermissionError", [text])


@pytest.mark.parametrize("action", OTHERS)
def test_other_effects_are_recorded_under_their_own_names(tried, action):
    _, texts = tried[action]

    assert texts[0].startswith(f"side effect {OTHERS[action]} blocked at shop.py:1; allow with")


@pytest.mark.parametrize("action", LET_THROUGH)
def test_what_changes_nothing_outside_is_let_through(tried, action):
    assert tried[action] == ("fine", [])


@pytest.mark.parametrize("action", FAIL_ANYWAY)
def test_what_would_fail_anyway_fails_as_it_would_and_is_no_record(tried, action):
    assert tried[action] == (FAIL_ANYWAY[action], [])


def test_a_program_that_catches_the_error_is_still_known_to_be_affected(work):
    found = answer_of(
        INSTALLED
        + """
def save():
    try:
        with open(outside + "/report", "w") as file:
            file.write("x")
        return "written"
    except Exception:
        return "could not write"
answer([save(), len(audit.blocked())])
""",
        work,
    )

    assert found == ["could not write", 1]


def test_the_error_is_what_the_system_gives(work):
    found = answer_of(
        INSTALLED
        + """
try:
    os.remove(outside + "/file")
except OSError as error:
    answer([type(error).__name__, error.errno, error.filename, str(error)])
""",
        work,
    )

    path = f"{work.parent}/file"
    text = f"[Errno 1] blocked by symcrete; allow with --allow files: '{path}'"
    assert found == ["PermissionError", 1, path, text]


def test_each_run_starts_without_records(work):
    found = answer_of(
        INSTALLED
        + """
tried(lambda: os.remove(outside + "/file"))
first = len(audit.blocked())
audit.reset()
answer([first, len(audit.blocked())])
""",
        work,
    )

    assert found == [1, 0]


def test_a_loop_that_tries_for_ever_does_not_fill_memory(work):
    found = answer_of(
        INSTALLED
        + """
for _ in range(1000):
    tried(lambda: os.remove(outside + "/file"))
answer([len(audit.blocked()), audit.MOST])
""",
        work,
    )

    assert found[0] == found[1]


def test_an_allowed_effect_is_neither_stopped_nor_recorded(work):
    found = answer_of(
        """
from symcrete.sandbox.walls import audit
from symcrete.sandbox.walls.effects import allowance
outside = os.path.dirname(work)
audit.install(work, allowance(["processes", f"files={outside}/folder"]))
open(outside + "/folder/new", "w").close()
answer([os.system("true"), tried(lambda: os.remove(outside + "/file")),
        [b.effect for b in audit.blocked()]])
""",
        work,
    )

    assert found == [0, "PermissionError", ["files"]]


def test_the_engines_own_effects_are_not_the_programs(work):
    found = answer_of(
        INSTALLED
        + """
with audit.unwatched():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
answer([len(audit.blocked()), tried(os.fork)])
""",
        work,
    )

    assert found == [0, "PermissionError"]


def test_a_thread_of_the_program_is_watched_too(work):
    found = answer_of(
        INSTALLED
        + """
thread = threading.Thread(target=lambda: tried(lambda: os.remove(outside + "/file")))
thread.start(); thread.join()
answer([b.where for b in audit.blocked()])
""",
        work,
    )

    assert found == ["shop.py:6"]


def test_arguments_are_shown_without_running_the_programs_code(work):
    found = answer_of(
        INSTALLED
        + """
ran = []
class Path(str):
    def __repr__(self): ran.append("repr"); return "lie"
    def __str__(self): ran.append("str"); return "lie"
    def __len__(self): ran.append("len"); return 0
    def __eq__(self, other): ran.append("eq"); return True
    def startswith(self, *a): ran.append("startswith"); return True
    __hash__ = str.__hash__
tried(lambda: os.remove(Path(outside + "/file")))
answer([ran, len(audit.blocked()), "lie" in str(audit.blocked()[0])])
""",
        work,
    )

    assert found == [[], 1, False]


def test_a_blocked_call_in_a_library_is_shown_at_the_line_that_uses_it(work):
    found = answer_of(
        INSTALLED
        + """
import tempfile
tried(lambda: tempfile.mkstemp(dir=outside))
answer([b.where for b in audit.blocked()])
""",
        work,
    )

    assert set(found) == {"shop.py:7"}


def test_what_an_installed_package_tries_is_told_from_what_the_program_tries(work):
    found = answer_of(
        INSTALLED
        + """
import sysconfig
file = sysconfig.get_path("purelib") + "/pack/probe.py"
pack = {}
exec(compile("import os\\ndef probe(path): os.remove(path)", file, "exec"), pack)
tried(lambda: pack["probe"](outside + "/file"))
tried(lambda: os.remove(outside + "/file"))
answer([b.by_library for b in audit.blocked()])
""",
        work,
    )

    assert found == [True, False]
