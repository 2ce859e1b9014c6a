"""What coverage.py measures when the inputs of a report are run once more, by file and by input.

Inputs that returned or raised are run, each in a process that has done nothing but import the
module; whatever hung, crashed or was blocked is not, and has no test either.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from itertools import groupby
from typing import Any

from symcrete.codec import encoded
from symcrete.explore.confirm.claims import call_of_input
from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.report.job_process import telling
from symcrete.run.use import FINISHED
from symcrete.sandbox.driver.folder import furnished, work_folder
from symcrete.slotted import dataclass

AT_A_TIME = 2  # modules measured at the same time; chosen, not measured


@dataclass(frozen=True, slots=True)
class Walls:
    """How the program is kept from doing harm while it is measured."""

    confined: bool = True
    allow: tuple[str, ...] = ()


CONFINED = Walls()


@dataclass(slots=True)
class Measured:
    """Lines, or arcs as pairs of lines, by file and by the input that was run."""

    branch: bool
    contexts: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # what could not be measured, and why

    def add(self, context: str, files: Mapping[str, Sequence[Any]]) -> None:
        """Add to what is known of a context; what one file has twice is kept once."""
        known = self.contexts.setdefault(context, {})
        for file, lines in files.items():
            there = known.setdefault(file, [])
            there += [each for each in lines if each not in there]


def measured(report: Report, *, branch: bool = True, walls: Walls = CONFINED) -> Measured:
    """What coverage.py, which must be installed, measures when the report's inputs are run."""
    found = Measured(branch)
    wanted = [each for each in report.targets if not each.error and each.module]
    wanted.sort(key=_place)
    modules = [list(group) for _, group in groupby(wanted, key=_place)]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for part in pool.map(lambda group: _of_module(group, branch, walls), modules):
            for name, files in part.contexts.items():
                found.add(name, files)
            found.notes += part.notes
    return found


def name_of_input(target: TargetReport, found: FoundInput) -> str:
    """The context of an input in the data: its call."""
    given = ", ".join(f"{name}={text}" for name, text in found.args.items())
    before = "; ".join([*found.told_situation, *found.setup])
    return f"{target.target}({given})" + (f" after {before}" if before else "")


def _place(target: TargetReport) -> tuple[str, str]:
    return target.root, target.module


def _of_module(targets: list[TargetReport], branch: bool, walls: Walls) -> Measured:
    chosen = [
        (target, each) for target in targets for each in target.inputs if each.outcome in FINISHED
    ]
    found = Measured(branch)
    with work_folder() as work:
        job = {
            "driver": os.getpid(),
            "root": targets[0].root,
            "module": targets[0].module,
            "file": targets[0].file,
            "calls": [(target.scope, encoded(call_of_input(each))) for target, each in chosen],
            "branch": branch,
            "confined": walls.confined,
            "allow": walls.allow,
            "work": work,
        }
        told = list(_answers(job, work))
    for message in told:
        match message:
            case {"failed": why}:
                found.notes.append(f"{targets[0].module} was not measured: {why}")
            case {"number": -1, "files": files}:
                found.add("", files)
            case {"number": number, "files": files}:
                found.add(name_of_input(*chosen[number]), files)
    missing = len(chosen) + 1 - len(told)
    if missing and not found.notes:
        found.notes.append(f"{missing} calls of {targets[0].module} ended without a measurement")
    return found


def _answers(job: dict[str, Any], work: str) -> Iterator[dict[str, Any]]:
    surroundings = {**os.environ, "PYTHONHASHSEED": "0", **furnished(work)}
    with (
        telling("symcrete.report.measure.measuring_process", job, surroundings) as channel,
        os.fdopen(channel, encoding="utf-8", closefd=False) as lines,
    ):
        for line in lines:
            yield json.loads(line)
