"""`symcrete diff --diff REV`: every function that changed, compared with what it was."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BEFORE = "def fee(x: int) -> int:\n    return 5 if x < 10 else 0\n\ndef same(x: int) -> int:\n    return x + 1\n"
AFTER = BEFORE.replace("x < 10", "x <= 10").replace("x + 1", "1 + x") + "\ndef new(): return 1\n"


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def test_every_changed_function_is_compared_with_what_it_was(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(BEFORE)
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*named, "commit", "-qm", "first")):
        run(tmp_path, "git", *words)
    command = (sys.executable, "-m", "symcrete", "diff", "--diff", "HEAD", "--json")

    assert run(tmp_path, *command).returncode == 5
    file.write_text(AFTER)
    done = run(tmp_path, *command, "--budget", "4s")

    assert done.returncode == 1
    told = {each["a"]: each for each in json.loads(done.stdout)["targets"]}
    assert told["shop.py::fee"]["verdict"] == "differs"
    assert told["shop.py::fee"]["differences"][0]["args"] == {"x": "10"}
    assert told["shop.py::same"]["verdict"] == "same"
    assert "there was no new" in told["shop.py::new"]["reason"]
