"""The driver's own fork is a zygote like one that was started as an interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from symcrete.sandbox.worker.seedling import seedling

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="workers are forks on Linux")
PROGRAM = """
import sys, os

out, err = sys.__stdout__, sys.__stderr__
kept = [
    sys.argv, out.name, out.line_buffering, out.encoding, out.mode, err.name, err.line_buffering,
    hasattr(sys.modules["__main__"], "run"), "" in sys.path, os.getcwd() in sys.path[:1],
    sys.flags.hash_randomization,
]


def seen(x: int) -> str:
    print("printed")
    return repr(kept)
"""


def covered(folder: Path, *command: str) -> dict[str, object]:
    """The only target of the report of a command on a small program."""
    (folder / "seen.py").write_text(PROGRAM)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONHASHSEED"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, *command, "cover", "seen.py", "--json", "--no-journal", "--max-runs=5"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    (target,) = json.loads(done.stdout)["targets"]
    assert isinstance(target, dict)
    return target


def test_a_program_sees_the_same_in_a_fork_of_the_driver_as_in_another_zygote(
    tmp_path: Path,
) -> None:
    other = tmp_path / "theirs.py"
    other.write_text("import sys\nfrom symcrete.cli import main\nsys.exit(main())\n")

    forked = covered(tmp_path, "-m", "symcrete")
    started = covered(tmp_path, str(other))

    assert forked["inputs"] == started["inputs"]
    assert forked["inputs"]


def test_nothing_of_the_driver_is_open_in_a_worker(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    script = tmp_path / "symcrete"
    script.write_text(
        textwrap.dedent(
            f"""
            import json, os, socket, sys
            from symcrete.own_process import take_hash_seed
            take_hash_seed()
            from symcrete.sandbox.worker import seedling as room
            held = open({str(secret)!r})
            grown = room.seedling("json")
            links = []
            for _ in range(1000):  # it closes them after the fork, and opens modules to import
                try:
                    theirs = os.listdir(f"/proc/{{grown.pid}}/fd")
                    links = [os.readlink(f"/proc/{{grown.pid}}/fd/{{n}}") for n in theirs]
                except FileNotFoundError:
                    continue
                if len(links) == 4 and links.count(os.devnull) == 3:
                    break
                __import__("time").sleep(0.01)
            print(json.dumps(sorted(each.partition(":")[0] for each in links)))
            grown.kill()
            grown.wait()
            """
        )
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONHASHSEED"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)

    done = subprocess.run(
        [sys.executable, str(script), "cover"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == ["/dev/null", "/dev/null", "/dev/null", "socket"]


def test_a_process_that_is_not_all_ours_has_none() -> None:
    assert seedling("json") is None
