"""Properties that others wrote for Hypothesis, under the backend `symcrete` and as they are.

    python -m benchmarks.foreign_properties [--each 16] [--cases 40] [--backend NAME ...] [PROJECT ...]

Source distributions of public packages, in the versions named here, are unpacked below `.symcrete/`
and installed into an environment of their own. Of each as many properties as asked for are chosen,
spread over its test files. Every one runs in the project's own configuration, with at most so many
test cases; only the backend differs. Properties that fail or are skipped under Hypothesis's own
backend say nothing about ours and are told apart.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tarfile
import venv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".symcrete" / "foreign-properties"
OWN = "hypothesis"  # the backend that Hypothesis has by itself
PROJECT_SECONDS = 240  # for the chosen properties of one project under one backend


@dataclass(frozen=True, slots=True)
class Project:
    """A source distribution that ships properties."""

    requirement: str
    tests: tuple[str, ...]  # files or folders in it
    needs: tuple[str, ...] = ()  # what its tests import besides it


PROJECTS = {
    "attrs": Project(
        "attrs==26.1.0",
        ("tests/test_make.py", "tests/test_funcs.py", "tests/test_dunders.py"),
        ("cloudpickle",),
    ),
    "cattrs": Project(
        "cattrs==26.2.1",
        ("tests/test_structure.py", "tests/test_unstructure.py", "tests/test_gen_dict.py"),
        ("immutables", "msgspec", "orjson"),
    ),
    "h2": Project(
        "h2==4.4.1",
        ("tests/test_flow_control_window.py", "tests/test_settings.py", "tests/test_events.py"),
    ),
    "hpack": Project("hpack==4.2.0", ("tests/test_encode_decode.py", "tests/test_huffman.py")),
    "hyperlink": Project("hyperlink==21.0.0", ("src/hyperlink/test",), ("idna",)),
    "isort": Project("isort==9.0.2", ("tests/unit/test_wrap_modes.py", "tests/unit/test_parse.py")),
    "multidict": Project(
        "multidict==7.2.1",
        ("tests/test_hypothesis_multidict.py", "tests/test_hypothesis_views.py"),
    ),
    "natsort": Project("natsort==8.4.0", ("tests",), ("pytest-mock",)),
    "packaging": Project("packaging==26.3", ("tests/property",), ("pretend",)),
    "priority": Project("priority==2.0.0", ("test",)),
}

# A plugin of pytest: keeps some properties, gives them the backend and says how each ended.
PLUGIN = """
import itertools
import json
import os
import time
import traceback

import pytest
from hypothesis import settings


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    found, seen = {}, set()
    for item in items:
        inner = getattr(item, "obj", None)
        key = item.path, getattr(item, "originalname", item.name)  # one of those with parameters
        if getattr(inner, "is_hypothesis_test", False) and key not in seen:
            seen.add(key)
            found.setdefault(item.path, []).append(item)
    spread = [each for row in itertools.zip_longest(*found.values()) for each in row if each]
    items[:] = spread[: int(os.environ["EACH"])]
    for item in items:
        function = getattr(item.obj, "__func__", item.obj)
        own = getattr(function, "_hypothesis_internal_use_settings", None) or settings.default
        function._hypothesis_internal_use_settings = settings(
            own,
            backend=os.environ["BACKEND"],
            max_examples=min(own.max_examples, int(os.environ["CASES"])),
            database=None,
            derandomize=True,
        )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when == "call" or (call.when == "setup" and report.outcome != "passed"):
        why = ""
        if call.excinfo is not None:
            why = f"{call.excinfo.typename}: {str(call.excinfo.value).partition(chr(10))[0][:150]}"
        told = {"name": item.nodeid, "outcome": report.outcome, "seconds": call.duration, "why": why}
        with open(os.environ["TOLD"], "a") as file:
            file.write(json.dumps(told) + chr(10))
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a property ended."""

    name: str
    outcome: str
    seconds: float
    why: str


def main() -> None:
    """Run what is asked for and print a table, then every property that only we fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=16, help="properties of each project")
    parser.add_argument("--cases", type=int, default=40, help="test cases of each, at most")
    parser.add_argument("--backend", action="append", help=f"beside {OWN} (symcrete)")
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    arguments = parser.parse_args()
    python = prepared(arguments.projects or list(PROJECTS))
    for backend in arguments.backend or ["symcrete"]:
        sums: Counter[str] = Counter()
        failing: list[str] = []
        for name in arguments.projects or PROJECTS:
            own = run(python, name, OWN, arguments.each, arguments.cases)
            theirs = run(python, name, backend, arguments.each, arguments.cases)
            told = compared(own, theirs)
            sums.update(told)
            seconds = [sum(each.seconds for each in ends.values()) for ends in (own, theirs)]
            print(f"{name:<10} {dict(told)}  {seconds[0]:.0f} s, {seconds[1]:.0f} s", flush=True)
            failing += [
                f"  {each.name}: {each.why}"
                for each in theirs.values()
                if each.outcome == "failed" and own[each.name].outcome == "passed"
            ]
        print(f"{backend}: {sum(sums.values())} properties, {dict(sums)}")
        print("\n".join(failing))


def compared(own: dict[str, Ended], theirs: dict[str, Ended]) -> Counter[str]:
    """How many properties end alike under a backend and under Hypothesis's own, and how not."""
    told: Counter[str] = Counter()
    for name, each in own.items():
        other = theirs.get(name)
        if each.outcome != "passed":
            told[f"{each.outcome} under {OWN}"] += 1
        else:
            told["not finished" if other is None else other.outcome] += 1
    return told


def run(python: Path, name: str, backend: str, each: int, cases: int) -> dict[str, Ended]:
    """How the chosen properties of a project end under a backend, by name."""
    told = CACHE / f"{name}-{backend}.jsonl"
    told.unlink(missing_ok=True)
    (CACHE / "foreign_plugin.py").write_text(PLUGIN)
    env = {**os.environ, "PYTHONPATH": str(CACHE), "TOLD": str(told), "BACKEND": backend}
    env |= {"EACH": str(each), "CASES": str(cases)}
    folder = place_of(name)
    flags = [
        "-q",
        "-p",
        "foreign_plugin",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-o",
        "addopts=",
    ]
    command = [str(python), "-m", "pytest", *flags, *PROJECTS[name].tests]
    output = CACHE / f"{name}-{backend}.log"
    with output.open("w") as log:
        try:
            subprocess.run(
                command, cwd=folder, env=env, stdout=log, stderr=log, timeout=PROJECT_SECONDS
            )
        except subprocess.TimeoutExpired:
            print(f"{name} under {backend}: not finished in {PROJECT_SECONDS} s")
    lines = told.read_text().splitlines() if told.exists() else []
    ends = [Ended(**json.loads(line)) for line in lines]
    return {each.name: each for each in ends}


def place_of(name: str) -> Path:
    """Where a source distribution is unpacked."""
    return CACHE / PROJECTS[name].requirement.replace("==", "-")


def prepared(names: list[str]) -> Path:
    """The interpreter of the environment, with these projects in it."""
    python = CACHE / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip"]
    quiet = ["--quiet", "--disable-pip-version-check"]
    if not python.exists():
        venv.create(CACHE / "venv", with_pip=True, clear=True)
        subprocess.run(
            [*pip, "install", *quiet, "pytest", "hypothesis", "-e", str(ROOT)], check=True
        )
    for name in names:
        project = PROJECTS[name]
        if place_of(name).exists():
            continue
        package = project.requirement.partition("==")[0]
        download = [*pip, "download", *quiet, "--no-deps", "--no-binary", package, "-d", str(CACHE)]
        subprocess.run([*download, project.requirement], check=True)
        archive = next(CACHE.glob(f"{package.replace('-', '[-_]')}-*.tar.gz"))
        with tarfile.open(archive) as files:
            top = files.getnames()[0].partition("/")[0]
            files.extractall(CACHE, filter="data")
        wanted = [project.requirement, *project.needs]
        subprocess.run([*pip, "install", *quiet, *wanted], check=True)
        (CACHE / top).rename(place_of(name))
    return python


if __name__ == "__main__":
    main()
