"""Tests written for programs with state and unusual results hold, whatever the day and the order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.state.case import BUDGET, Case
from tests.state.emitted import EMITTED
from tests.state.wrong import groups


@pytest.mark.parametrize("cases", groups(EMITTED))
def test_emitted_tests_hold_in_another_environment(cases: list[Case], tmp_path: Path) -> None:
    targets = [
        f"{case.written(tmp_path, f'program_{number}.py')}::{case.function}"
        for number, case in enumerate(cases)
    ]
    elsewhere = {**os.environ, "HOME": "/nonexistent", "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"}

    written = _run("symcrete", "cover", *targets, "-o", "emitted", "--budget", BUDGET, cwd=tmp_path)
    (tmp_path / "emitted").mkdir(exist_ok=True)
    (tmp_path / "emitted" / "test_none.py").write_text("def test_none() -> None: ...\n")
    held = _run("pytest", "-q", "-p", "no:cacheprovider", "emitted", cwd=tmp_path, env=elsewhere)

    assert written.returncode in (0, 1), written.stderr
    assert held.returncode == 0, held.stdout


def _run(
    module: str, *arguments: str, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
