"""Every test that is kept for functions of public packages and of our own programs holds anywhere.

    python -m benchmarks.kept_tests [--functions 16] [--budget 2s] [--seed 0] [--jobs 2] [GROUP ...]

A group is a package of `PACKAGES`, a folder of `FOLDERS`, or any other file or folder. Packages are
installed once, in the version named here, into an environment of their own below `.symcrete/`. Of
each package as many functions as asked for are chosen by the seed; `symcrete cover -o` writes their
tests, module by module. Then plain pytest runs them three times in random order: here, as another
user in another folder and environment, and on another day. Ruff has to find nothing, and of each
input that is reported `args` and `path_condition` have to evaluate after `imports` and `setup`.
What is done is kept until our source changes, so that a run that was cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".symcrete" / "kept-tests"
ANOTHER_DAY = "2031-03-02 04:05:06"
MODULE_SECONDS = 60  # for starting, and for trying the tests of a module, beside its budget
PYTEST_SECONDS = 600  # for the tests of one group

# What is imported, and the requirement that has it. Pure Python, without dependencies.
PACKAGES = {
    "boltons": "boltons==24.0.0",
    "click": "click==8.1.7",
    "humanize": "humanize==4.9.0",
    "idna": "idna==3.7",
    "inflection": "inflection==0.5.1",
    "markdown": "markdown==3.6",
    "more_itertools": "more-itertools==10.2.0",
    "packaging": "packaging==24.0",
    "parse": "parse==1.20.1",
    "semver": "semver==3.0.2",
    "sqlparse": "sqlparse==0.5.0",
    "stdnum": "python-stdnum==1.20",
    "tabulate": "tabulate==0.9.0",
    "toolz": "toolz==0.12.1",
    "validators": "validators==0.22.0",
    "wcwidth": "wcwidth==0.2.13",
}
FOLDERS = ("examples", "benchmarks/programs", "experiments/subjects")

SHUFFLE = """
import os
import random


def pytest_collection_modifyitems(items):
    random.Random(os.environ["SHUFFLE"]).shuffle(items)
"""
LATER = """
from symcrete.report.trial import elsewhere

elsewhere.pretend(own_datetime=False)
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One way to run the tests."""

    what: str
    hash_seed: str
    away: bool = False
    later: bool = False


RUNS = (
    Run("here", "0"),
    Run("another user and folder", "1", away=True),
    Run("another day", "random", away=True, later=True),
)


@dataclass(slots=True)
class Row:
    """What became of one group."""

    group: str
    functions: int = 0
    inputs: int = 0
    tests: int = 0
    passed: list[int] = field(default_factory=list)  # in each run
    reasons: Counter[str] = field(default_factory=Counter)  # of inputs without a test
    refused: list[str] = field(default_factory=list)  # functions that cannot be called, and why
    ours: list[str] = field(default_factory=list)  # internal errors
    wrong: list[str] = field(default_factory=list)  # whatever else does not hold

    @property
    def holds(self) -> bool:
        return not self.ours and not self.wrong and all(n == self.tests for n in self.passed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    parser.add_argument("--functions", type=int, default=16, help="of each package; 0: all")
    parser.add_argument("--budget", default="2s")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="forget what was kept of the groups")
    parser.add_argument("--list", action="store_true", help="only show the functions chosen")
    arguments = parser.parse_args()
    python = environment()
    groups = arguments.groups or [*PACKAGES, *FOLDERS]
    chosen = {
        group: chosen_functions(python, group, arguments.functions, arguments.seed)
        for group in groups
    }
    if arguments.list:
        print(json.dumps(chosen, indent=1))
        return
    place = CACHE / _digest(arguments.budget)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        work = [
            pool.submit(_row, python, group, chosen[group], place, arguments) for group in groups
        ]
        rows = [_shown(each.result()) for each in work]
    _total(rows)
    sys.exit(0 if all(row.holds for row in rows) else 1)


def environment() -> Path:
    """The interpreter of an environment with the packages, which also finds us and our tools."""
    folder = CACHE / f"venv-{hashlib.sha256(repr(PACKAGES).encode()).hexdigest()[:8]}"
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", *PACKAGES.values()], check=True)
        asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        site = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
        ours = f"{ROOT / 'src'}\n{sysconfig.get_path('purelib')}\n"
        (Path(site) / "symcrete_of_this_checkout.pth").write_text(ours)
        ready.touch()
    return python


LISTING = """
import json, sys
from benchmarks.kept_tests import functions_of
print(json.dumps(functions_of(sys.argv[1])))
"""


def chosen_functions(python: Path, group: str, most: int, seed: int) -> dict[str, list[str]]:
    """Functions of a package by module, as many as asked for; all of a file or folder."""
    asked = [str(python), "-c", LISTING, group]
    told = subprocess.run(asked, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, list[str]] = json.loads(told)
    every = [(text, label) for text, labels in found.items() for label in labels]
    if group in PACKAGES and most and len(every) > most:
        every = sorted(random.Random(f"{seed} {group}").sample(every, most))
    chosen: dict[str, list[str]] = {}
    for text, label in every:
        chosen.setdefault(text, []).append(label)
    return chosen


def functions_of(group: str) -> dict[str, list[str]]:
    """The functions of each module of a group, as targets."""
    from symcrete.errors import NothingToAnalyse, SymcreteError
    from symcrete.program.source.target import targets_of

    found: dict[str, list[str]] = {}
    for text in _modules(group):
        try:
            found[text] = [each.label for each in targets_of(text)]
        except NothingToAnalyse:
            continue  # a module of constants
        except SymcreteError as error:
            print(f"{text}: {error}", file=sys.stderr)
    return found


def _modules(group: str) -> list[str]:
    import importlib.util

    if (ROOT / group).is_dir():
        files = sorted((ROOT / group).rglob("*.py"))
        return [str(file.relative_to(ROOT)) for file in files if file.name != "__init__.py"]
    if (ROOT / group).exists():
        return [group]
    spec = importlib.util.find_spec(group)
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        return [group]
    top = Path(next(iter(places)))
    files = [f for f in sorted(top.rglob("*.py")) if "test" not in str(f.relative_to(top))]
    names = [".".join([group, *file.relative_to(top).with_suffix("").parts]) for file in files]
    return [name.removesuffix(".__init__") for name in names if "__main__" not in name]


def _digest(budget: str) -> str:
    """Of our source: what it gave stays valid until it changes."""
    text = hashlib.sha256(budget.encode())
    for file in sorted((ROOT / "src").rglob("*.py")):
        text.update(file.read_bytes())
    return text.hexdigest()[:12]


def _row(
    python: Path,
    group: str,
    chosen: dict[str, list[str]],
    place: Path,
    arguments: argparse.Namespace,
) -> Row:
    top = place / group.replace("/", "_").removesuffix(".py")
    if arguments.again:
        shutil.rmtree(top, ignore_errors=True)
    row = Row(group)
    tests = top / "tests"
    tests.mkdir(parents=True, exist_ok=True)
    (top / "pytest.ini").write_text("[pytest]\n")  # not the configuration of this project
    for text, labels in chosen.items():
        row.functions += len(labels)
        report = top / f"{text.replace('/', '_')}.json"
        if not report.exists():
            _cover(python, labels, arguments.budget, tests, report, row)
        if report.exists():
            _read(json.loads(report.read_text()), row)
    row.wrong += _evaluated(python, sorted(top.glob("*.json")))
    _lint(tests, row)
    for run in RUNS:
        _run(python, tests, run, row)
    return row


def _cover(
    python: Path, labels: list[str], budget: str, tests: Path, report: Path, row: Row
) -> None:
    """Write the tests of some functions of one module, and what was found into a file."""
    command = [str(python), "-m", "symcrete.cli", "cover", *labels, "--no-journal", "--json"]
    seconds = len(labels) * (float(budget.removesuffix("s")) + 6) + MODULE_SECONDS
    try:
        done = subprocess.run(
            [*command, "--budget", budget, "-o", str(tests)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        row.ours.append(f"{labels[0]} and others: no answer within {seconds:.0f} s")
        return
    if done.returncode not in (0, 1, 4, 5) or not done.stdout.strip():
        row.ours.append(f"{labels[0]}: exit code {done.returncode}: {done.stderr[-300:].strip()}")
        return
    report.write_text(done.stdout)


def _read(report: dict[str, Any], row: Row) -> None:
    for target in report["targets"]:
        if target["status"] == "failed":
            row.refused.append(f"{target['target']}: {target.get('error', '')}".splitlines()[0])
        for found in target["inputs"]:
            row.inputs += 1
            if found["outcome"] not in ("returned", "raised"):
                row.reasons[f"its outcome is {found['outcome']}"] += 1
            elif found.get("untested"):
                row.reasons[_kind(found["untested"])] += 1


def _kind(reason: str) -> str:
    """A reason without what is special about its input."""
    return re.sub(r"[\"'`].*?[\"'`]|\d+", "_", reason.partition(": ")[0])[:60]


def _evaluated(python: Path, reports: list[Path]) -> list[str]:
    command = [str(python), "-m", "benchmarks.kept_inputs", *map(str, reports)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        return [f"inputs cannot be evaluated: {done.stderr.strip()[-300:]}"]
    return done.stdout.splitlines()


def _lint(tests: Path, row: Row) -> None:
    width = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["line-length"]
    for options in (["format", "--check"], ["check"]):
        command = [sys.executable, "-m", "ruff", *options, "--isolated", "--no-cache"]
        command += ["--line-length", str(width), str(tests)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            row.wrong.append(f"ruff {options[0]}: {done.stdout.strip()[:600]}")


def _run(python: Path, tests: Path, run: Run, row: Row) -> None:
    """Run the tests, and take over how many passed and which did not."""
    plugins = tests.parent / "plugins"
    plugins.mkdir(exist_ok=True)
    (plugins / "shuffled.py").write_text(SHUFFLE)
    (plugins / "later.py").write_text(LATER)
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "shuffled"]
    environment = {**os.environ, "SHUFFLE": run.what}
    if run.away:
        kept = ("PATH", "VIRTUAL_ENV")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {"USER": "nobody-else", "LOGNAME": "nobody-else", "HOME": "/nowhere"}
        environment |= {"LANG": "C", "TZ": "Asia/Kathmandu", "COLUMNS": "71", "SHUFFLE": "away"}
    environment |= {"PYTHONHASHSEED": run.hash_seed, "PYTHONPATH": str(plugins)}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
    faketime = shutil.which("faketime")
    if run.later:
        environment["SHUFFLE"] = "later"
        command = [faketime, ANOTHER_DAY, *command] if faketime else [*command, "-p", "later"]
    try:
        done = subprocess.run(
            [*command, str(tests)],
            env=environment,
            cwd="/" if run.away else tests,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=PYTEST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        row.passed.append(0)
        row.wrong.append(f"{run.what}: the tests do not end within {PYTEST_SECONDS} s")
        return
    lines = (done.stdout + done.stderr).strip().splitlines() or [""]
    counts = {what: int(n) for n, what in re.findall(r"(\d+) (\w+)", lines[-1])}
    row.tests = max(row.tests, sum(counts.get(each, 0) for each in ("passed", "failed", "errors")))
    row.passed.append(counts.get("passed", 0))
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    row.wrong += [f"{run.what}: {line}" for line in failed[:20]]
    if done.returncode not in (0, 1, 5):
        row.wrong.append(f"{run.what}: pytest ended with code {done.returncode}: {lines[-1]}")


def _shown(row: Row) -> Row:
    passed = "/".join(map(str, row.passed))
    print(
        f"{row.group:24} {row.functions:4} functions {row.inputs:5} inputs {row.tests:5} tests"
        f" {passed:>17} passed {sum(row.reasons.values()):4} left out {len(row.ours):2} ours",
        flush=True,
    )
    for reason, count in row.reasons.most_common():
        print(f"    left out {count:4}: {reason}")
    for line in row.refused:
        print(f"    not called: {line[:200]}", flush=True)
    for line in (*row.ours, *row.wrong):
        print(f"    WRONG {line}", flush=True)
    return row


def _total(rows: list[Row]) -> None:
    """The last lines of the table."""
    reasons: Counter[str] = Counter()
    for row in rows:
        reasons += row.reasons
    runs = [sum(row.passed[n] for row in rows if len(row.passed) > n) for n in range(len(RUNS))]
    print(
        f"{len(rows)} groups, {sum(row.functions for row in rows)} functions,"
        f" {sum(row.inputs for row in rows)} inputs, {sum(row.tests for row in rows)} tests,"
        f" passed {'/'.join(map(str, runs))}, left out {sum(reasons.values())},"
        f" not called {sum(len(row.refused) for row in rows)},"
        f" internal errors {sum(len(row.ours) for row in rows)},"
        f" other troubles {sum(len(row.wrong) for row in rows)}"
    )


if __name__ == "__main__":
    main()
