"""What a search strategy is: it decides the next step, and learns what the last one brought.

A strategy never runs the program and never calls a solver, so that any of them works with any
solver.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import field
from random import Random
from typing import Literal, Protocol, TypeAlias

from symcrete.clock import Clock
from symcrete.notation import Value
from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.source.sites import Outcome
from symcrete.run.trace import Trace
from symcrete.slotted import dataclass
from symcrete.tree.coverage import Coverage
from symcrete.tree.tree import ExecutionTree, Grown, Node, Side

RUN_SECONDS = 1e-4  # seconds that a run is taken to cost before one was measured


@dataclass(frozen=True, slots=True)
class Flip:
    """Solve for a side of a branch that no run has taken, and run what is found."""

    node: Node
    side: bool  # the one to take


@dataclass(frozen=True, slots=True)
class Sample:
    """Run a random input: drawn anew ("fresh"), changed from one that covered something ("kept"),
    or either by chance ("any").
    """

    source: Literal["any", "fresh", "kept"] = "any"


Step: TypeAlias = Flip | Sample
Result: TypeAlias = Literal["ran", "infeasible", "unknown", "diverged"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """The result of a step, what it brought, and what it cost."""

    step: Step
    result: Result
    trace: Trace | None = None  # of the run, if there was one
    grown: Grown | None = None  # what the run added to the tree
    new: int = 0  # outcomes covered for the first time, as bits
    solving: float = 0.0  # seconds; 0 where the budget counts work
    running: float = 0.0  # seconds, or an estimate of them where the budget counts work


@dataclass(slots=True)
class Guide:
    """What strategies may look at besides the tree."""

    random: Random
    coverage: Coverage
    order: Literal["deepest", "earliest"] = "deepest"  # which branch of a path `dfs` takes first
    parameters: Mapping[str, Value] = field(default_factory=dict)
    graph: Callable[[], ProgramGraph] = field(default_factory=lambda: _no_graph)
    clock: Clock | None = None  # None where work is counted: then nothing may depend on time

    def parameter(self, name: str, default: int) -> int:
        """The value given for a parameter of the strategy, or else the default."""
        return int(self.parameters.get(name, default))

    @property
    def goals(self) -> list[Outcome]:
        """The outcomes that the exploration is there to cover, covered or not."""
        return [(site.number, side) for site in self.coverage.own for side in site.sides]


def _no_graph() -> ProgramGraph:
    raise AssertionError("this guide has no control-flow graph")


class Strategy(Protocol):
    """Decides the next step."""

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        """The next step; None when this strategy has nothing left to try."""
        ...

    def learn(self, feedback: Feedback) -> None:
        """Take in what a step brought, be it this strategy's or another's."""
        ...


def untried(node: Node) -> Flip | None:
    """A flip to a side of a branch that is still open; None if there is none."""
    state = node.state
    if state[True] is Side.OPEN:
        return Flip(node, True)
    if state[False] is Side.OPEN:
        return Flip(node, False)
    return None


def new_nodes(feedback: Feedback) -> tuple[Node, ...]:
    """The branches that a step added to the tree."""
    return feedback.grown.nodes if feedback.grown is not None else ()


Procedure: TypeAlias = Generator[Flip | Sample | None, Feedback | None, None]
# a procedure that returns whether it found something new
Search: TypeAlias = Generator[Flip | Sample | None, Feedback | None, bool]


class Scripted:
    """A strategy written down as its paper has it: a procedure that asks for step after step.

    The procedure yields a step and is sent what the step brought, or yields None when it has
    nothing left and is asked again when the tree may have grown. It must look at the tree right
    before it yields: others may have settled a branch in the meantime.
    """

    tree: ExecutionTree

    def __init__(self) -> None:
        self._procedure = self.procedure()
        self._asked: Flip | Sample | None = None
        self._brought: Feedback | None = None

    def procedure(self) -> Procedure:
        """The steps of the strategy, one after the other; it must never return."""
        raise NotImplementedError  # abstract: each subclass has its own

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        self.tree = tree
        brought, self._brought = self._brought, None
        self._asked = self._procedure.send(brought)
        return self._asked

    def learn(self, feedback: Feedback) -> None:
        if feedback.step is self._asked:
            self._brought = feedback
