"""What README shows is what the commands print, seconds aside."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SECONDS = re.compile(r"\b\d+\.\d+ s\b")


def shown(page: Path) -> list[tuple[str, str]]:
    """The `symcrete` commands in the console blocks of a page, each with what it prints."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found += [(command, output)] * command.startswith("symcrete ")
    return found


COMMANDS = [(page.name, *each) for page in PAGES for each in shown(page)]


@pytest.mark.parametrize(("page", "command", "output"), COMMANDS)
def test_a_console_block_shows_what_the_command_prints(
    page: str, command: str, output: str, tmp_path: Path
) -> None:
    for folder in ("examples", "benchmarks"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    _, *arguments = command.split()

    done = subprocess.run(
        [sys.executable, "-m", "symcrete.cli", *arguments],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )

    assert SECONDS.sub("0 s", done.stdout).rstrip() == SECONDS.sub("0 s", output).rstrip()


def test_readme_shows_a_command() -> None:
    assert any(page == "README.md" for page, _, _ in COMMANDS)
