"""Nothing of this machine's environment is told, in whatever way a program asks for it."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.state.case import asked

from symcrete.world.importing.concealed import KEPT, plain_folders

SECRET = "hunter2-of-this-machine"
PROGRAM = """
import os
import posix

AT_IMPORT = len(os.environ["SHOP_TOKEN"])

def f(n: int) -> str:
    if n == 1:
        return str(os.environb.get(b"SHOP_TOKEN"))
    if n == 2:
        return repr(os.environ._data) + repr(posix.environ)
    if n == 3:
        return str(os.getenvb(b"SHOP_TOKEN"))
    if n == 4:
        return repr(dict(os.environ)) + os.path.expandvars("$SHOP_TOKEN")
    if n == 5:
        raise ValueError(os.environ.get("SHOP_TOKEN"))
    return str(AT_IMPORT)
"""


def test_no_test_report_or_cache_has_a_value_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_TOKEN", SECRET)

    report = asked("cover", "program.py::f", "-o", "emitted")
    files = [each for each in tmp_path.rglob("*") if each.is_file()]

    assert report["targets"][0]["branches"]["covered"] >= 8
    assert SECRET not in str(report)
    assert len(files) > 2
    assert not [each for each in files if SECRET.encode() in each.read_bytes()]


def test_what_is_kept_is_the_workers_own() -> None:
    code = (
        "import os\n"
        "from symcrete.world.importing.concealed import CONCEALED\n"
        "os.environ['SHOP_TOKEN'] = 'x'\n"
        "CONCEALED.forget()\n"
        "print(sorted(os.environ), os.environb.get(b'SHOP_TOKEN'))\n"
    )
    said = said_by_another_interpreter(code, LANG="C.UTF-8")

    assert said == "['HOME', 'LANG'] None"
    assert {"HOME", "LANG"} <= KEPT


def test_that_it_is_forgotten_is_not_the_doing_of_a_call(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text("def f(n: int) -> int:\n    return 1 if n > 3 else 0\n")

    (report,) = asked("cover", str(file))["targets"]

    assert "os.environ" not in str(report)


OTHERWISE = """
import getpass
import os
import platform
import socket
from pathlib import Path

HOSTS = os.environ.get("SHOP_HOSTS", "a,b").split(",")
ALL = dict(os.environ)
ABOUT = {"user": getpass.getuser(), "node": platform.node(), "host": socket.gethostname()}
PLACES = [Path.home(), os.getcwd()]

class Settings:
    def __init__(self) -> None:
        self.pin = int(os.getenv("SHOP_PIN", "0"))

settings = Settings()

try:
    with open(".env") as file:
        OWN = file.read()
except FileNotFoundError:
    OWN = "nothing"

def f(n: int, s: str) -> object:
    if n == 1:
        return HOSTS
    if n == 2:
        return ALL
    if n == 3:
        return ABOUT
    if n == 4:
        return PLACES
    if s == OWN:
        return 5
    if s == ABOUT["user"]:
        raise ValueError(ABOUT["host"])
    if n == settings.pin:
        return 6
    if n == 7:
        return Path(__file__).with_name(".env").read_text()
    return 0
"""


def test_what_an_import_takes_in_parts_lists_and_objects_is_not_this_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program.py").write_text(OTHERWISE)
    (tmp_path / ".env").write_text("swordfish")
    monkeypatch.chdir(tmp_path)
    told = {
        "SHOP_HOSTS": "mercury7,venus8",
        "SHOP_PIN": "4711",
        "LOGNAME": "alice-of-this-machine",
        "USER": "alice-of-this-machine",
    }
    for name, value in told.items():
        monkeypatch.setenv(name, value)

    report = asked("cover", "program.py::f", "-o", "emitted")
    files = [each for each in tmp_path.rglob("*") if each.is_file() and each.name != ".env"]
    written = str(report) + "".join(each.read_text(errors="replace") for each in files)
    tests = (tmp_path / "emitted" / "test_program.py").read_text()

    assert report["targets"][0]["branches"]["open"] == 0
    secrets = ("mercury7", "venus8", "4711", "alice-of-this-machine", "swordfish")
    assert [each for each in secrets if each in written] == []
    assert socket.gethostname() not in tests
    assert str(tmp_path) not in tests
    assert '"program.HOSTS", ["a", "b"]' in tests


REQUIRING = """
import os

TOKEN = os.environ["SHOP_TOKEN"]
PORT = int(os.getenv("SHOP_PORT"))

def f(port: int) -> int:
    if port == PORT:
        return 1
    return 0
"""


def test_an_import_that_fails_without_a_variable_is_made_again_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program.py").write_text(REQUIRING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    monkeypatch.setenv("SHOP_PORT", "14711")

    report = asked("cover", "program.py::f")

    assert report["targets"][0]["branches"]["covered"] == 2
    assert SECRET not in str(report)
    assert "14711" not in str(report)


def said_by_another_interpreter(code: str, **variables: str) -> str:
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path), "HOME": "/nowhere", **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout.strip()


def test_what_tells_of_the_user_is_as_it_was_after_the_import() -> None:
    code = (
        "import os, pwd, socket, string\n"
        "from symcrete.world.importing.concealed import CONCEALED\n"
        "before = (pwd.getpwuid, os.uname, socket.gethostname, os.getlogin)\n"
        "CONCEALED.conceal()\n"
        "string.uname = os.uname\n"  # as a program does that imports it by name
        "print(pwd.getpwuid(os.getuid()).pw_name, socket.gethostname(), os.uname().nodename)\n"
        "CONCEALED.forget()\n"
        "print((pwd.getpwuid, os.uname, socket.gethostname, os.getlogin) == before)\n"
        "print(string.uname is os.uname)\n"
    )

    assert said_by_another_interpreter(code).split() == ["someone", "host", "host", "True", "True"]


def test_the_end_of_an_import_asks_no_name_of_a_large_program_for_its_identity() -> None:
    code = (
        "import sys, types\n"
        "from symcrete.world.importing.concealed import CONCEALED\n"
        "heard = []\n"  # of each `id` all audit hooks hear: a worker has two
        "sys.addaudithook(lambda event, _: heard.append(event) if event == 'builtins.id' else 0)\n"
        "large = sys.modules['large'] = types.ModuleType('large')\n"
        "vars(large).update({f'name{i}': object() for i in range(1000)})\n"
        "CONCEALED.conceal()\n"
        "CONCEALED.forget()\n"
        "print(len(heard) < 100)\n"
    )

    assert said_by_another_interpreter(code) == "True"


def test_only_an_import_that_asked_for_a_variable_sees_them_all() -> None:
    code = (
        "import os\n"
        "from symcrete.world.importing.concealed import CONCEALED\n"
        "CONCEALED.conceal()\n"
        "print(os.environ.get('SHOP_NO_SUCH'), CONCEALED.reveal())\n"
        "print(os.environ.get('SHOP_TOKEN'), CONCEALED.reveal(), os.environ.get('SHOP_TOKEN'))\n"
        "CONCEALED.forget()\n"
        "print('hidden' in CONCEALED.secrets)\n"
    )

    said = said_by_another_interpreter(code, SHOP_TOKEN="hidden")

    assert said.split() == ["None", "False", "None", "True", "hidden", "True"]


def test_folders_are_those_of_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    assert plain_folders(f"{tmp_path}/home/.cache") == "/home/someone/.cache"
    assert plain_folders(sys.executable) == "/usr/bin/python3"
