"""The process that holds a module imports it once, and says why if it cannot."""

import os
import py_compile
import sys
from pathlib import Path

import pytest

from symcrete.explore.options import Options
from symcrete.program.source.target import targets_of
from symcrete.sandbox.driver import driver
from symcrete.sandbox.worker.holding import hold_module, is_compiled

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux only")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import does_not_exist", "No module named 'does_not_exist'"),
        ("import os; os._exit(3)", "ended the process (code 3)"),
        ("while True: pass", "does not end"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    ],
)
def test_an_import_that_fails_is_told_for_each_function(
    tmp_path: Path, line: str, said: str
) -> None:
    assert callable(hold_module)
    file = tmp_path / "prog.py"
    file.write_text(f"{line}\ndef f(x: int) -> int:\n    return x\n")

    (report,) = driver.cover_all(targets_of(str(file)), Options(budget=1.0))

    assert report.status == "failed"
    assert said in report.error
    assert report.exit_code == 4


def test_a_module_is_compiled_while_its_text_is_not_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "imported_later.py"
    file.write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    before = is_compiled("imported_later")
    py_compile.compile(str(file), doraise=True)
    after = is_compiled("imported_later")
    os.utime(file, (2**31, 2**31))

    assert (before, after, is_compiled("imported_later")) == (False, True, False)
