"""A command starts again with the hash seed of its workers, and nobody else does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from symcrete import own_process

forks = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="workers are forks on Linux")
TELL = """
import os, sys
from symcrete.own_process import may_be_forked, take_hash_seed
take_hash_seed()
print(sys.flags.hash_randomization, os.environ.get("PYTHONHASHSEED"), may_be_forked())
"""


def told(tmp_path: Path, name: str, *arguments: str, seed: str | None = None) -> str:
    """What a script of this name says of itself."""
    script = tmp_path / name
    script.write_text(TELL)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONHASHSEED"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    if seed is not None:
        environment["PYTHONHASHSEED"] = seed
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@forks
@pytest.mark.parametrize("seed", [None, "random", "7"])
def test_a_command_with_workers_has_their_hash_seed_and_the_users_environment(
    tmp_path: Path, seed: str | None
) -> None:
    assert told(tmp_path, "symcrete", "cover", "x.py", seed=seed) == f"0 {seed} True"


def test_other_commands_and_other_programs_are_left_as_they_are(tmp_path: Path) -> None:
    assert told(tmp_path, "symcrete", "strategies") == "1 None False"
    assert told(tmp_path, "symcrete") == "1 None False"
    assert told(tmp_path, "theirs.py", "cover", "x.py") == "1 None False"


def test_this_process_is_no_command_of_ours() -> None:
    assert not own_process.is_ours()
    assert not own_process.may_be_forked()
