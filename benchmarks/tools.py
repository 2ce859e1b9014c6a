"""Run one tool on one entry of `benchmarks/programs/library.py`; write its inputs as calls.

python -m benchmarks.tools TOOL ENTRY SECONDS OUT.json COUNTED MODULE...
"""

from __future__ import annotations

import contextlib
import importlib
import json
import re
import subprocess
import sys
import time
import typing
import warnings
from pathlib import Path
from typing import Any

LIBRARY = "benchmarks.programs.library"
ROOT = Path(__file__).parents[1]


def symcrete(entry: str, seconds: float, counted: str, modules: list[str]) -> list[str]:
    """The command a user types; every input it reports."""
    command = [sys.executable, "-m", "symcrete.cli", "cover"]
    command += [f"benchmarks/programs/library.py::{entry}", "--json", f"--budget={seconds:g}s"]
    command += [f"--within={counted}", *(f"--instrument={module}" for module in modules)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr[-400:])
    calls = []
    for target in json.loads(done.stdout)["targets"]:
        if "error" in target:
            raise RuntimeError(target["error"])
        for found in target["inputs"]:
            given = ", ".join(f"{name}={text}" for name, text in found["args"].items())
            calls.append(f"{entry}({given})")
    return calls


def crosshair(entry: str, seconds: float, counted: str, modules: list[str]) -> list[str]:
    """An example for every path it explored."""
    command = [sys.executable, "-m", "crosshair", "cover", f"{LIBRARY}.{entry}"]
    command += ["--coverage_type=path", f"--per_condition_timeout={seconds:g}"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=seconds * 3 + 50
    )
    lines = re.split(rf"^(?={entry}\()", done.stdout, flags=re.MULTILINE)
    calls = [line.strip() for line in lines if line.startswith(f"{entry}(")]
    if not calls and done.returncode:
        raise RuntimeError(done.stderr[-400:])
    return calls


def hypothesis(entry: str, seconds: float, counted: str, modules: list[str]) -> list[str]:
    """Every example drawn from the types of the entry while it runs on them."""
    from hypothesis import HealthCheck, Phase, given, settings, strategies

    warnings.simplefilter("ignore")
    function = getattr(importlib.import_module(LIBRARY), entry)
    hints = typing.get_type_hints(function)
    hints.pop("return", None)
    drawn = {name: strategies.from_type(hint) for name, hint in hints.items()}
    calls: dict[str, None] = {}
    stop = time.monotonic() + seconds

    @settings(
        max_examples=10_000_000,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(**drawn)
    def draw(**arguments: Any) -> None:
        if time.monotonic() > stop:
            raise KeyboardInterrupt  # the only way out that is not taken for a failure
        text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        calls[f"{entry}({text})"] = None
        with contextlib.suppress(Exception):
            function(**arguments)

    with contextlib.suppress(KeyboardInterrupt):
        draw()
    return list(calls)


def main(tool: str, entry: str, seconds: str, out: str, counted: str, *modules: str) -> None:
    run = {"symcrete": symcrete, "crosshair": crosshair, "hypothesis": hypothesis}[tool]
    Path(out).write_text(json.dumps(run(entry, float(seconds), counted, list(modules))))


if __name__ == "__main__":
    main(*sys.argv[1:])
