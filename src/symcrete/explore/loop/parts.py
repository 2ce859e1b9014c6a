"""What an exploration is made of, and who listens to it: nothing here changes while it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from random import Random

from symcrete.clock import Clock, wall
from symcrete.explore.loop.progress import Kept
from symcrete.explore.rewritten import ImportedProgram
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.program.source.target import Target
from symcrete.run.runner import Beside, Runner
from symcrete.run.trace import Trace
from symcrete.run.watch_line import LineWatch
from symcrete.slotted import dataclass
from symcrete.solve.count import CountQueries
from symcrete.tree.coverage import Coverage
from symcrete.tree.tree import Node


def _any(node: Node, side: bool, patient: bool) -> bool:
    return True


def _nobody(parts: Parts, kept: Kept) -> None:
    pass


def _left(parts: Parts, trace: Trace) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Listener:
    """Told of what an exploration does; a worker passes it on to its driver."""

    beside: Beside = field(default_factory=Beside)
    # Whether to ask a solver for this side of a node; the last argument says whether the solver is
    # the patient one.
    may_solve: Callable[[Node, bool, bool], bool] = _any
    on_kept: Callable[[Parts, Kept], None] = _nobody
    # Where every path is wanted: whether the listener keeps this one itself.
    on_path: Callable[[Parts, Trace], bool] = _left


@dataclass(frozen=True, slots=True)
class Parts:
    """One target, ready to be explored."""

    target: Target
    imported: ImportedProgram
    runner: Runner
    arguments: Arguments
    coverage: Coverage
    pool: Pool
    random: Random
    solver: CountQueries
    patient: Callable[[], CountQueries] | None = None  # makes one that gives each query more time
    watch: LineWatch | None = None  # set where a line is wanted
    listener: Listener = field(default_factory=Listener)
    clock: Clock = wall
    # Whether no call can change what another one sees.
    leaves_nothing: bool = False
