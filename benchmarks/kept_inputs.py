"""Of every input in reports: its `args` and `path_condition` evaluate after `imports` and `setup`.

    python -m benchmarks.kept_inputs REPORT.json ...

Prints a line for each that does not, and for each condition that is not true of its own input.
Statements of a situation use pytest's `monkeypatch` and `tmp_path`, as in a test.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

SECONDS = 5  # for the statements and expressions of one input


def main(reports: list[str]) -> None:
    for name in reports:
        for target in json.loads(Path(name).read_text())["targets"]:
            sys.path[:0] = [each for each in _roots(target) if each not in sys.path]
            for number, found in enumerate(target["inputs"]):
                for line in _in_a_fork(target, found):
                    print(f"{target['target']}, input {number}: {line}", flush=True)


def _roots(target: dict[str, Any]) -> list[str]:
    """Where the file of a target is imported from: above its outermost package."""
    folder = Path(target["file"]).parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return [str(folder)]


def _in_a_fork(target: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What one input leaves behind must not matter to the next."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        signal.alarm(SECONDS)
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 0)
        os.dup2(silent, 1)
        lines = troubles(target, found)
        os.write(writer, json.dumps(lines).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    if not told:
        return [f"evaluating it ended the process (status {status})"]
    lines = json.loads(told)
    assert isinstance(lines, list)
    return lines


def troubles(target: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What does not evaluate, in the order in which a reader would type it."""
    step = ""
    folder = tempfile.TemporaryDirectory()
    names: dict[str, Any] = {"monkeypatch": pytest.MonkeyPatch(), "tmp_path": Path(folder.name)}
    try:
        for statement in (
            *target["imports"],
            *[each["set"] for each in found.get("situation", [])],
            *found.get("setup", []),
        ):
            step = statement
            exec(statement, names)
        given = {}
        for name, text in found["args"].items():
            step = f"{name}={text}"
            given[name.lstrip("*")] = eval(text, names)
        step = found["path_condition"] or "True"
        holds = eval(step, {**names, **given})
    except BaseException as error:
        return [f"{step[:200]}: {type(error).__name__}: {error}"[:400]]
    finally:
        folder.cleanup()
    return [] if holds else [f"its path condition is not true: {step[:300]}"]


if __name__ == "__main__":
    main(sys.argv[1:])
