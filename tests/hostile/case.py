"""A hostile program, what is asked of the command line, and what the user must see."""

import json
import os
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.limits import allowed

ROOT = Path(__file__).parents[2]
GRACE = 2.0  # seconds after the budget within which everything is written
START = 1.5  # seconds for the command's own start and end
QUIET_SECONDS = 0.02  # that the work below takes on a quiet machine
MOST_SLOW = 30.0


def slowness() -> float:
    """How much longer than on a quiet machine things take: a clock on the wall measures others."""
    begun = time.perf_counter()
    sum(number * number for number in range(250_000))
    measured = (time.perf_counter() - begun) / QUIET_SECONDS
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    return min(MOST_SLOW, max(1.0, measured, waiting))


def in_time(seconds: float) -> float:
    """The seconds to allow for what takes so many at most on a quiet machine."""
    return allowed(seconds) * slowness()


def enough(seconds: float) -> str:
    """A budget for what takes a part of so many seconds on a quiet machine."""
    return f"{seconds * slowness():.1f}s"


@dataclass(frozen=True)
class Seen:
    """What one command did."""

    code: int
    stdout: str
    stderr: str
    seconds: float
    folder: Path

    @property
    def targets(self) -> list[dict[str, Any]]:
        return json.loads(self.stdout)["targets"] if self.stdout.startswith("{") else []

    @property
    def inputs(self) -> list[dict[str, Any]]:
        return [each for target in self.targets for each in target["inputs"]]

    @property
    def outcomes(self) -> set[str]:
        return {each["outcome"] for each in self.inputs}

    @property
    def said(self) -> str:
        """All text that a user gets to read."""
        return self.stdout.replace('\\"', '"') + self.stderr

    @property
    def tests(self) -> str:
        return "".join(file.read_text() for file in sorted(self.folder.glob("out/test_*.py")))


@dataclass(frozen=True)
class Case:
    """One row of the catalogue, or one of its variants."""

    row: int
    title: str
    program: str = ""
    target: str = "prog.py::f"
    budget: float = 1.0
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    code: int = 0
    outcomes: frozenset[str] = frozenset()  # all of them occur
    never: frozenset[str] = frozenset()  # none of these does
    says: tuple[str, ...] = ()
    silent_about: tuple[str, ...] = ("Traceback",)
    emits: tuple[str, ...] = ()
    emits_not: tuple[str, ...] = ()
    emits_only_the_import: bool = False
    also: Callable[[Seen], None] = lambda seen: None
    slow: bool = False

    @property
    def name(self) -> str:
        return f"{self.row:02} {self.title}"


def run_and_check(case: Case, folder: Path) -> None:
    """What was not found in the time given is looked for once more in much more of it."""
    (folder / "first").mkdir()
    try:
        check(case, run(case, folder / "first"))
    except AssertionError:
        more = replace(case, budget=in_time(case.budget))
        (folder / "again").mkdir()
        check(more, run(more, folder / "again"))


def run(case: Case, folder: Path) -> Seen:
    """The real command line on the case's program, in an empty folder."""
    for name, text in {"prog.py": case.program, **case.files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
    command: tuple[str, ...] = (
        "cover",
        case.target,
        "--budget",
        f"{case.budget}s",
        "--json",
        "-o",
        "out",
    )
    command += ("--goals", "branches")  # inputs beside the one that a row is about would do as well
    return symcrete(folder, *command, *case.flags, **case.environment)


def symcrete(folder: Path, *arguments: str, **environment: str) -> Seen:
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "symcrete.cli", *arguments],
        cwd=folder,
        env=surroundings(**environment),
        capture_output=True,
        text=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
    )
    return Seen(done.returncode, done.stdout, done.stderr, time.monotonic() - begun, folder)


def surroundings(**more: str) -> dict[str, str]:
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [more.pop("PYTHONPATH", "")])])
    return {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", **more}


def check(case: Case, seen: Seen) -> None:
    """Everything that the row promises."""
    told = f"\nexit {seen.code} after {seen.seconds:.1f} s\n{seen.stdout}\n{seen.stderr}"
    assert seen.code == case.code, told
    limit = case.budget * max(1, len(seen.targets))
    assert seen.seconds < limit + in_time(GRACE + START), told
    for target in seen.targets:
        assert target["seconds"] < case.budget + in_time(GRACE), told
    assert case.outcomes <= seen.outcomes, told
    assert not case.never & seen.outcomes, told
    for text in case.says:
        assert text in seen.said, f"{text!r} is not said{told}"
    for text in case.silent_about:
        assert text not in seen.said, f"{text!r} is said{told}"
    for text in case.emits:
        assert text in seen.tests, f"{text!r} is not in\n{seen.tests}{told}"
    # The comments at the end of a file hold hashes, in which any digits may stand.
    code = "\n".join(line for line in seen.tests.splitlines() if not line.startswith("# "))
    for text in case.emits_not:
        assert text not in code, f"{text!r} is in\n{seen.tests}{told}"
    if case.emits_only_the_import:
        assert re.findall(r"def (test_\w+)", seen.tests) == ["test_prog_can_be_imported"]
    case.also(seen)
    if seen.tests:
        assert_tests_pass(seen.folder)


def assert_tests_pass(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "out"],
        cwd=folder,
        # Other plugins take longer to load than the tests to run.
        env={**os.environ, "PYTHONHASHSEED": "random", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
