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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.arcs import limited

LIBRARY = "benchmarks.programs.library"
ROOT = Path(__file__).parents[1]


def symcrete(entry: str, seconds: float, counted: str, modules: list[str]) -> list[str]:
    """The engine in this process, with processor time as its clock; every input it reports."""
    time.perf_counter = time.process_time
    from symcrete.explore.compose import cover
    from symcrete.explore.options import Options
    from symcrete.program.source.target import targets_of

    target = targets_of(str(ROOT / f"benchmarks/programs/library.py::{entry}"))[0]
    options = Options(budget=seconds, within=counted, instrument=tuple(modules), replay=False)
    report = cover(target, options)
    if report.error:
        raise RuntimeError(report.error)
    return [_call(entry, found.args) for found in report.inputs]


def command(entry: str, seconds: float, counted: str, modules: list[str]) -> list[str]:
    """The command a user types, with its worker and its replays, by the clock on the wall."""
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
            calls.append(_call(entry, found["args"]))
    return calls


def _call(entry: str, args: Mapping[str, str]) -> str:
    return f"{entry}({', '.join(f'{name}={text}' for name, text in args.items())})"


def crosshair(entry: str, seconds: float, counted: str, modules: list[str]) -> list[str]:
    """An example for every path it explored."""
    command = [sys.executable, "-m", "crosshair", "cover", f"{LIBRARY}.{entry}"]
    command += ["--coverage_type=path", f"--per_condition_timeout={seconds:g}"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=seconds * 20 + 50
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
    stop = time.process_time() + seconds

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
        if time.process_time() > stop:
            raise KeyboardInterrupt  # the only way out that is not taken for a failure
        text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        calls[f"{entry}({text})"] = None
        with limited(), contextlib.suppress(Exception):
            function(**arguments)

    with contextlib.suppress(KeyboardInterrupt):
        draw()
    return list(calls)


def main(tool: str, entry: str, seconds: str, out: str, counted: str, *modules: str) -> None:
    run = {
        "symcrete": symcrete,
        "command": command,
        "crosshair": crosshair,
        "hypothesis": hypothesis,
    }[tool]
    Path(out).write_text(json.dumps(run(entry, float(seconds), counted, list(modules))))


if __name__ == "__main__":
    main(*sys.argv[1:])
