"""A call that depends on its argument keeps the argument's term, or says that it dropped it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.values.silent_calls import DOMAINS

ROOT = Path(__file__).parents[2]
SAMPLE = os.environ.get("SYMCRETE_SILENT_CALLS", "1500")  # for each type, of about 22,000


@pytest.mark.parametrize("kind", DOMAINS)
def test_no_call_drops_its_argument_in_silence(kind: str, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "tests.values.silence", kind, SAMPLE, "0"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}"},
        stdin=subprocess.DEVNULL,
        timeout=300,
        check=True,
    )

    report = json.loads((tmp_path / f"{kind}.json").read_text())

    assert report["wrong"] == []
    assert report["tried"] > 20
