"""A call that depends on its argument keeps the argument's term, or says that it dropped it."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.values.silent_calls import DOMAINS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", DOMAINS)
def test_no_call_drops_its_argument_in_silence(kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.values.silence", kind],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )

    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr[-2000:]
