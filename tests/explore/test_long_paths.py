"""Paths of 20,000 symbolic branches, from the run to the next input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.explore.long_path import RUNS

SCRIPT = Path(__file__).parent / "long_path.py"


def in_a_process_of_its_own(folder: Path, branches: int, order: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), str(branches), order],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("order", ["deepest", "earliest"])
def test_a_path_of_20000_branches_is_explored_at_a_flat_cost_per_branch(tmp_path: Path, order: str):
    short = in_a_process_of_its_own(tmp_path, 4000, order)
    long = in_a_process_of_its_own(tmp_path, 20_000, order)

    assert short["paths"] == long["paths"] == RUNS
    assert long["longest"] > 20_000
    assert long["endings"] == ["returned"]
    assert long["failures"] == []
    assert long["megabytes"] < 1000
    # Five times as long: a cost that grows with the path would be five times as high.
    assert long["per branch"] < 2.5 * short["per branch"]
