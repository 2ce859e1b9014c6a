"""A target and its options as JSON, on the way from the driver to a worker."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from symcrete.explore.options import Options
from symcrete.program.source.module import Source
from symcrete.program.source.target import Target
from symcrete.terms.evaluate import Assignment


def job_of(target: Target, options: Options) -> dict[str, Any]:
    """A target and its options as JSON."""
    source = target.source
    return {
        "target": [str(source.file), source.module, str(source.root), target.scope, target.label],
        "options": asdict(options),
    }


def target_from(job: dict[str, Any]) -> Target:
    file, module, root, scope, label = job["target"]
    return Target(Source(Path(file), module, Path(root)), scope, label)


def options_from(job: dict[str, Any]) -> Options:
    given = {**job["options"], "replay": False}
    for name in ("instrument", "allow"):
        given[name] = tuple(given[name])
    return Options(**given)


def text_of(given: Assignment) -> str:
    """An input as text that `assignment_from` reads."""
    try:
        return repr(given)
    except ValueError:  # an int with more digits than Python writes
        parts = [f"{name!r}: {_digits(value)}" for name, value in given.items()]
        return f"{{{', '.join(parts)}}}"


def _digits(value: Any) -> str:
    return hex(value) if type(value) is int else repr(value)


def assignment_from(text: str) -> Assignment:
    found: Assignment = eval(text, {"inf": math.inf, "nan": math.nan})  # our own text
    return found
