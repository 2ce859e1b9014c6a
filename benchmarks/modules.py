"""Whole modules of published packages: what the emitted tests cover of them under plain pytest.

Run as `python -m benchmarks.modules [--set tuning|aside|all] [--budget 5s | --runs N] [--only TEXT]`.
The packages are unpacked into a cache folder as a checkout would be, one folder each, and a virtual
environment of its own has what they need. Results are kept in a file there, so that a run that was stopped goes
on where it was; `--again` measures anew. Beside the coverage of the tests stands that of a bare
import, and at the end what was left open, counted by reason.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "symcrete-modules"
SEED = 0
FEWEST_FUNCTIONS, MOST_FUNCTIONS = 4, 60  # of a module that is chosen, with methods
# Tests of their own, and what can be imported on another system only.
LEFT_OUT = ("tests", "test", "__main__.py", "conftest.py", "_winconsole.py", "_windows.py")
MOST_SECONDS = 900  # for one module: what takes longer counts as nothing covered


@dataclass(frozen=True, slots=True)
class Package:
    """A distribution, the folder of its code, and how many of its modules are measured."""

    name: str
    version: str
    folder: str  # or a file
    modules: int
    tuning: bool = False  # looked at while the engine is changed


PACKAGES = (
    Package("semver", "3.0.2", "semver", 2, tuning=True),
    Package("humanize", "4.9.0", "humanize", 3, tuning=True),
    Package("inflection", "0.5.1", "inflection", 1),
    Package("tabulate", "0.9.0", "tabulate", 1),
    Package("parse", "1.20.1", "parse.py", 1),
    Package("boltons", "24.0.0", "boltons", 6),
    Package("more-itertools", "10.2.0", "more_itertools", 1),
    Package("validators", "0.28.1", "validators", 4),
    Package("python-stdnum", "1.20", "stdnum", 4, tuning=True),
    Package("click", "8.1.7", "click", 4),
    Package("werkzeug", "3.0.3", "werkzeug", 5),
    Package("jinja2", "3.1.4", "jinja2", 4),
    Package("requests", "2.32.3", "requests", 3, tuning=True),
    Package("rich", "13.7.1", "rich", 5),
    Package("markdown", "3.6", "markdown", 4),
    Package("pyyaml", "6.0.1", "yaml", 3),
    Package("attrs", "23.2.0", "attr", 3, tuning=True),
    Package("marshmallow", "3.21.3", "marshmallow", 3),
    Package("networkx", "3.3", "networkx/algorithms", 5),
    Package("sqlparse", "0.5.0", "sqlparse", 3, tuning=True),
)
NEEDED = ("markupsafe", "idna", "urllib3", "certifi", "charset-normalizer", "pygments")
NEEDED += ("markdown-it-py", "mdurl", "packaging", "numpy", "coverage", "pytest")


@dataclass(frozen=True, slots=True)
class Measured:
    """One module: percentages of its lines and branches, as coverage.py counts them together."""

    module: str
    covered: float
    imported: float
    tests: int
    failing: int
    functions: int
    seconds: float
    open: Mapping[str, int] = field(default_factory=dict)  # conditions left open, by reason
    failed: Mapping[str, int] = field(default_factory=dict)  # functions not explored, by reason
    trouble: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=("tuning", "aside", "all"), default="all")
    parser.add_argument("--budget", default="5s")
    parser.add_argument("--runs", type=int, help="a budget of work instead, for a busy machine")
    parser.add_argument("--only", default="", help="modules whose name has this")
    parser.add_argument("--again", action="store_true", help="measure what is measured already")
    parser.add_argument("--name", default="now", help="of the file of results")
    parser.add_argument("--table", action="store_true", help="only show what is there")
    arguments = parser.parse_args()
    limit = ["--budget", arguments.budget]
    if arguments.runs:
        limit = ["--max-runs", str(arguments.runs)]
    results = CACHE / f"{arguments.name}-{limit[1]}.json"
    known = _read(results)
    python = prepared()
    wanted = [
        (package, file)
        for package in PACKAGES
        if arguments.set == "all" or package.tuning == (arguments.set == "tuning")
        for file in chosen(package)
        if arguments.only in str(file)
    ]
    for package, file in wanted:
        key = str(file)
        if arguments.table or (key in known and not arguments.again):
            continue
        known[key] = measure(python, package, file, limit)
        results.write_text(json.dumps({name: asdict(each) for name, each in known.items()}))
        print(_row(known[key]), file=sys.stderr, flush=True)
    shown = [known[str(file)] for _, file in wanted if str(file) in known]
    print(table(shown))


def _read(results: Path) -> dict[str, Measured]:
    if not results.exists():
        return {}
    return {name: Measured(**each) for name, each in json.loads(results.read_text()).items()}


def prepared() -> Path:
    """The interpreter of the environment; packages are unpacked beside it."""
    python = CACHE / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not (CACHE / "venv" / "ready").exists():
        venv.create(CACHE / "venv", with_pip=True, clear=True)
        subprocess.run([*pip, *NEEDED], check=True)
        (CACHE / "venv" / "ready").touch()
    mark = CACHE / "venv" / "installed"
    if not mark.exists() or mark.read_text() != str(ROOT):
        subprocess.run([*pip, "--editable", str(ROOT)], check=True)
        mark.write_text(str(ROOT))
    for package in PACKAGES:
        place = place_of(package)
        if not place.exists():
            wanted = f"{package.name}=={package.version}"
            subprocess.run([*pip, "--no-deps", "--target", str(place), wanted], check=True)
    return python


def place_of(package: Package) -> Path:
    return CACHE / "packages" / f"{package.name}-{package.version}"


def chosen(package: Package) -> list[Path]:
    """Files of a package, relative to where it is unpacked, picked by the seed."""
    place = place_of(package)
    code = place / package.folder
    files = [code] if code.is_file() else sorted(code.rglob("*.py"))
    # Of a package of few files, the largest are all there is.
    fit = [file for file in files if _is_fit(file.relative_to(place), file)] or files[:1]
    picked = Random(f"{SEED} {package.name}").sample(fit, min(package.modules, len(fit)))
    return [file.relative_to(place) for file in sorted(picked)]


def _is_fit(name: Path, file: Path) -> bool:
    if any(part in LEFT_OUT for part in name.parts):
        return False
    count = len(re.findall(r"^\s*(?:async )?def ", file.read_text(encoding="utf-8"), re.MULTILINE))
    return FEWEST_FUNCTIONS <= count <= MOST_FUNCTIONS


def measure(python: Path, package: Package, file: Path, limit: list[str]) -> Measured:
    """Tests for one module, and what they cover of it."""
    place = place_of(package)
    made = CACHE / "made" / str(file).replace("/", "_").removesuffix(".py")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    began = time.monotonic()
    command = [str(python), "-m", "symcrete", "cover", str(file), *limit]
    command += ["-o", str(made), "--json", "--no-journal", "-q"]
    trouble, told = "", ""
    try:
        done = subprocess.run(
            command, cwd=place, capture_output=True, text=True, timeout=MOST_SECONDS
        )
        told = done.stdout
        trouble = done.stderr.strip()[-500:] if done.returncode in (3, 4, 5) else ""
    except subprocess.TimeoutExpired:
        trouble = f"not done after {MOST_SECONDS} s"
    seconds = time.monotonic() - began
    targets = json.loads(told)["targets"] if told.startswith("{") else []
    covered, tests, failing = _under_pytest(python, place, file, made)
    imported, _, _ = _under_pytest(python, place, file, _importing(file))
    reasons = collections.Counter(
        _kind(spot["reason"]) for target in targets for spot in target["open"]
    )
    failed = collections.Counter(
        _kind(target.get("error") or "?") for target in targets if target["status"] == "failed"
    )
    return Measured(
        str(file),
        covered,
        imported,
        tests,
        failing,
        len(targets),
        seconds,
        dict(reasons),
        dict(failed),
        trouble,
    )


def _importing(file: Path) -> Path:
    """A folder with a test that only imports the module."""
    folder = CACHE / "importing"
    folder.mkdir(exist_ok=True)
    name = str(file).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    (folder / "test_import.py").write_text(
        f"import importlib\n\n\ndef test_it():\n    importlib.import_module({name!r})\n"
    )
    return folder


def _under_pytest(python: Path, place: Path, file: Path, folder: Path) -> tuple[float, int, int]:
    """Percent of lines and branches covered, tests, and tests that fail."""
    data = CACHE / "coverage"
    environment = {**os.environ, "COVERAGE_FILE": str(data), "PYTHONPATH": str(place)}
    data.unlink(missing_ok=True)
    command = [str(python), "-m", "coverage", "run", "--branch", f"--include={place / file}"]
    command += ["-m", "pytest", "-q", "-p", "no:symcrete", "-p", "no:cacheprovider", str(folder)]
    try:
        done = subprocess.run(
            command, cwd=CACHE, env=environment, capture_output=True, text=True, timeout=300
        )
    except subprocess.TimeoutExpired:
        return 0.0, 0, 1
    report = [str(python), "-m", "coverage", "json", "-q", "-o", "-", f"--include={place / file}"]
    told = subprocess.run(report, cwd=CACHE, env=environment, capture_output=True, text=True).stdout
    percent = json.loads(told)["totals"]["percent_covered"] if told.startswith("{") else 0.0
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    failing = counts.get("failed", 0) + counts.get("error", 0)
    return percent, sum(counts.values()), failing


def _kind(reason: str) -> str:
    """A reason without the names and numbers of one function."""
    text = reason.split("; ")[0].splitlines()[0]
    text = re.sub(r"[\w./<>-]+:\d+", "FILE:LINE", text)
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\b\w+(\.\w+)+\b", "X", text)
    return re.sub(r"\b\d+(\.\d+)?\b", "N", text)[:110]


def _row(each: Measured) -> str:
    numbers = f"{each.covered:6.1f} {each.imported:6.1f} {each.tests:5} {each.failing:4}"
    return (
        f"{numbers} {each.functions:5} {each.seconds:6.0f}  {each.module}  {each.trouble[-80:]!s}"
    )


def table(rows: list[Measured]) -> str:
    lines = ["tests% import% tests fail funcs   sec  module", *[_row(each) for each in rows]]
    if rows:
        for what in ("covered", "imported"):
            values = [float(getattr(each, what)) for each in rows]
            middle, mean = statistics.median(values), statistics.fmean(values)
            lines.append(
                f"{what}: median {middle:.1f} %, mean {mean:.1f} %, least {min(values):.1f} %"
            )
    for what in ("open", "failed"):
        lines += ["", f"{what}:", *_counted(getattr(each, what) for each in rows)]
    return "\n".join(lines)


def _counted(counts: Iterator[Mapping[str, int]]) -> list[str]:
    total: collections.Counter[str] = collections.Counter()
    for each in counts:
        total.update(each)
    return [f"{count:6} {reason}" for reason, count in total.most_common(25)]


if __name__ == "__main__":
    main()
