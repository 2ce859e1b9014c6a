"""Every test emitted for a set of functions: linted, formatted, and passing wherever it is run.

Run as `python -m benchmarks.emitted_tests [--budget 1s] [--functions N] [TARGET ...]`, where a target
is a file, a folder or an installed package; the default is everything in examples, benchmarks and
experiments. Each target's tests run three times, in random order: here, as another user in another
folder and environment, and on another day (with `faketime` where it is installed).
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from symcrete.errors import NothingToAnalyse, SymcreteError
from symcrete.program.source.target import targets_of

ROOT = Path(__file__).parents[1]
TARGETS = ("examples", "benchmarks/programs", "experiments/subjects")
ANOTHER_DAY = "2031-03-02 04:05:06"
SHUFFLE = """
import os
import random


def pytest_collection_modifyitems(items):
    random.Random(os.environ["SHUFFLE"]).shuffle(items)
"""


@dataclass(frozen=True)
class Run:
    """One way to run the tests."""

    what: str
    hash_seed: str
    away: bool = False
    later: bool = False


RUNS = (
    Run("here", "0"),
    Run("another user and folder", "1", away=True),
    Run("another day", "random", later=True),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--budget", default="1s")
    parser.add_argument("--functions", type=int, default=0, help="at most, of each target")
    parser.add_argument("--keep", metavar="DIR", help="leave the tests there")
    arguments = parser.parse_args()
    failures = 0
    for target in arguments.targets or TARGETS:
        texts = functions_of(target, arguments.functions)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(arguments.keep or place) / target.replace("/", "_")
            failures += not _holds(target, texts, arguments.budget, folder)
    sys.exit(1 if failures else 0)


def functions_of(target: str, most: int) -> list[str]:
    """The functions of a file, a folder or a package; spread over it where they are too many."""
    found: list[str] = []
    for text in _texts(target):
        try:
            found += [each.label for each in targets_of(text)]
        except NothingToAnalyse:
            continue  # a module of constants
        except SymcreteError as error:
            print(f"{text}: {error}", flush=True)
    if most and len(found) > most:
        found = [found[index * len(found) // most] for index in range(most)]
    return found


def _texts(target: str) -> list[str]:
    if (ROOT / target).exists():
        return [str(ROOT / target)]
    spec = importlib.util.find_spec(target)
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        return [target]
    top = Path(next(iter(places)))
    files = [f for f in sorted(top.rglob("*.py")) if "test" not in str(f.relative_to(top))]
    names = [".".join([target, *file.relative_to(top).with_suffix("").parts]) for file in files]
    return [name.removesuffix(".__init__") for name in names if "__main__" not in name]


def _holds(target: str, texts: list[str], budget: str, folder: Path) -> bool:
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "symcrete.cli", "cover", *texts, "--no-journal", "--json"]
    done = subprocess.run(
        [*command, "--budget", budget, "-o", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    (folder / "report.json").write_text(done.stdout)
    said = [line for line in done.stderr.splitlines() if not line.startswith("wrote ")]
    files = len(list(folder.glob("test_*.py")))
    left_out = done.stdout.count('"untested": ')
    print(
        f"{target}: {len(texts)} functions, {files} files, {left_out} inputs left out", flush=True
    )
    print(*[f"  {line}" for line in said[:10]], sep="\n", flush=True)
    ruff = [sys.executable, "-m", "ruff"]
    formatted = _run([*ruff, "format", "--isolated", "--check"], folder, RUNS[0])
    linted = _run([*ruff, "check", "--isolated"], folder, RUNS[0])
    print(f"  ruff format: {formatted}\n  ruff check: {linted}", flush=True)
    holds = "would be" not in formatted and "All checks passed" in linted
    (folder / "shuffled.py").write_text(SHUFFLE)
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "shuffled"]
    for run in RUNS:
        told = _run(pytest, folder, run)
        holds = holds and "failed" not in told and "error" not in told and "passed" in told
        print(f"  {run.what}: {told}", flush=True)
    return holds


def _run(command: list[str], folder: Path, run: Run) -> str:
    """The last line of what is said, and the failures before it."""
    environment = {**os.environ, "PYTHONHASHSEED": run.hash_seed, "SHUFFLE": run.what}
    if run.away:
        kept = ("PATH", "PYTHONPATH", "VIRTUAL_ENV")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {"USER": "nobody-else", "HOME": "/nowhere", "LANG": "C", "SHUFFLE": "away"}
        environment |= {"PYTHONHASHSEED": run.hash_seed}
    environment["PYTHONPATH"] = f"{folder}{os.pathsep}{environment.get('PYTHONPATH', '')}"
    faketime = shutil.which("faketime")
    if run.later and faketime:
        command = [faketime, ANOTHER_DAY, *command]
    done = subprocess.run(
        [*command, str(folder)],
        env=environment,
        cwd="/" if run.away else folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    lines = (done.stdout + done.stderr).strip().splitlines() or [""]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR", "   --> "))]
    return "\n    ".join([lines[-1], *failed[:20]])


if __name__ == "__main__":
    main()
