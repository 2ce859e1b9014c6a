"""Run the tests, and tell those that fail from those that are unsteady.

    python -m tools.steady [pytest's arguments]

A test that failed is run once more, alone and in a process of its own. If it fails again it is
broken. If it passes it is unsteady: it is named, so that somebody mends it, and more than a few of
them fail the run as a broken one does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.failures import VARIABLE

MOST_UNSTEADY = 2  # more say that something is wrong with the code or the machine, not with a test
MOST_AGAIN = 20  # tests run again; where more fail, the reason is not that the machine was busy
FAILED = 1  # pytest's exit code where tests ran and some failed


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the tests that failed at first."""

    broken: tuple[str, ...] = ()
    unsteady: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether the run as a whole counts as passed."""
        return not self.broken and len(self.unsteady) <= MOST_UNSTEADY

    def lines(self) -> list[str]:
        """What to tell people."""
        said = [f"UNSTEADY (failed, then passed alone): {name}" for name in self.unsteady]
        said += [f"BROKEN: {name}" for name in self.broken]
        if len(self.unsteady) > MOST_UNSTEADY:
            said.append(f"{len(self.unsteady)} unsteady tests, at most {MOST_UNSTEADY} may be")
        return said


def tested(arguments: Sequence[str]) -> tuple[int, list[str]]:
    """Run pytest: its exit code, and the tests that failed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "failures")
        file.touch()
        command = [sys.executable, "-m", "pytest", "-p", "tools.failures", *arguments]
        done = subprocess.run(command, env={**os.environ, VARIABLE: str(file)})
        return done.returncode, file.read_text().splitlines()


def judged(failed: Sequence[str]) -> Verdict:
    """Run each test that failed again, alone, unless there are too many to be chance."""
    if len(failed) > MOST_AGAIN:
        return Verdict(broken=tuple(failed))
    passed = [name for name in failed if tested(["-q", "-p", "no:xdist", name])[0] == 0]
    return Verdict(tuple(name for name in failed if name not in passed), tuple(passed))


def main(arguments: Sequence[str]) -> int:
    """Run the tests; 0 if none is broken and few are unsteady."""
    code, failed = tested(arguments)
    if code != FAILED or not failed:
        return code
    verdict = judged(failed)
    print("\n".join(verdict.lines()), flush=True)
    return 0 if verdict.passes else FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
