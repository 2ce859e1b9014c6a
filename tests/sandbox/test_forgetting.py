"""Nothing of this machine's environment is told, in whatever way a program asks for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.state.case import asked

from symcrete.sandbox.worker.forgetting import KEPT

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
        "from symcrete.sandbox.worker.forgetting import forget_environment\n"
        "os.environ['SHOP_TOKEN'] = 'x'\n"
        "forget_environment()\n"
        "print(sorted(os.environ), os.environb.get(b'SHOP_TOKEN'))\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path), "HOME": "/nowhere", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert shown.stdout.strip() == "['HOME', 'LANG'] None"
    assert {"HOME", "LANG"} <= KEPT


def test_that_it_is_forgotten_is_not_the_doing_of_a_call(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text("def f(n: int) -> int:\n    return 1 if n > 3 else 0\n")

    (report,) = asked("cover", str(file))["targets"]

    assert "os.environ" not in str(report)
