"""A runner for a small program given as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symcrete.explore.rewritten import ImportedProgram, find_function
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.program.source.module import source_of_file
from symcrete.run.callees.callees import Callees
from symcrete.run.callees.expanding import ExpandingRunner
from symcrete.run.callees.judge import Judge
from symcrete.run.runner import Limits, Runner
from symcrete.run.trace import Trace
from symcrete.terms.evaluate import all_hold

LIMITS = Limits(10_000, 5.0, plain_steps=10_000, plain_seconds=5.0)
_count = [0]


class Running:
    """A program imported rewritten, and the parts of a runner of its function `f`."""

    def __init__(self, text: str, folder: Path) -> None:
        _count[0] += 1
        self.file = folder / f"running_{_count[0]}.py"
        self.file.write_text(textwrap.dedent(text))
        self.imported = ImportedProgram(source_of_file(self.file), (), steps=100_000, at_once=True)
        self.imported.load()
        self.function = find_function(self.imported.module, "f")

    @property
    def arguments(self) -> Arguments:
        return arguments_of(self.function, {}, "f")

    def runner(self, limits: Limits = LIMITS, **options: Any) -> Runner:
        record, hooks = self.imported.record, self.imported.hooks
        return Runner(self.function, self.arguments, record, hooks, limits, **options)


@contextmanager
def runner_of(text: str, folder: Path, limits: Limits = LIMITS, **options: Any) -> Iterator[Runner]:
    """A runner, entered."""
    with Running(text, folder).runner(limits, **options) as runner:
        yield runner


@contextmanager
def expanding(text: str, folder: Path, *names: str) -> Iterator[tuple[ExpandingRunner, Callees]]:
    """A runner that may abstract calls of the named functions, entered."""
    running = Running(text, folder)
    callees = Callees(running.imported.record, Judge(names))
    with ExpandingRunner(running.runner(), callees) as runner:
        yield runner, callees


def assert_holds(trace: Trace) -> None:
    """Whatever a run recorded is true of its own input."""
    assert all_hold((*trace.conditions, *trace.assumptions), trace.assignment)
