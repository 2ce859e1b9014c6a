"""A worker that somebody else kills is replaced, also before it has begun."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == pid:
                    found.append(int(entry.name))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_worker_that_is_killed_while_it_starts_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("def f(x: int) -> int:\n    return 1 if x > 7 else 0\n")
    driver = subprocess.Popen(
        [sys.executable, "-m", "symcrete.cli", "cover", "prog.py", "--json", "--no-journal"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    killed: set[int] = set()
    while len(killed) < 3 and driver.poll() is None:  # one explores, two replay
        for child in set(children(driver.pid)) - killed:
            killed.add(child)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    stdout, stderr = driver.communicate(timeout=120)

    assert driver.returncode == 0, stderr
    (target,) = json.loads(stdout)["targets"]
    assert {each["returned"] for each in target["inputs"]} == {"0", "1"}
