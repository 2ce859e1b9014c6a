"""What an exploration knows so far: it only grows, from phase to phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from symcrete.errors import EitherWay
from symcrete.explore.findings import OF_WRONG_TYPES
from symcrete.explore.loop.undiscovered import Sightings
from symcrete.run.trace import Loss, Read, Trace
from symcrete.run.untouched.played import Call
from symcrete.run.use import Ending
from symcrete.search.strategy import Flip
from symcrete.slotted import dataclass
from symcrete.solve.count import CountQueries
from symcrete.terms.evaluate import Assignment
from symcrete.tree.tree import ExecutionTree, Node, Side

# the largest number in an input that is not blamed if its run does not end; chosen, not measured
ORDINARY = 1000


def _kept_here(trace: Trace) -> bool:
    return False


@dataclass(slots=True)
class Kept:
    """A run that covered something new."""

    trace: Trace
    new: int  # the outcomes that it was the first to cover


@dataclass(frozen=True, slots=True)
class CallBeyond:
    """A call with a value that no shape builds, and all that it covered."""

    call: Call
    covered: int
    shows: tuple[str, ...] = ()  # what it is kept for, if not for what it covers


@dataclass(slots=True)
class Spent:
    """What runs and queries took so far."""

    runs: int = 0
    running: float = 0.0  # seconds
    solving: float = 0.0  # seconds


@dataclass(slots=True)
class Progress:
    """The tree, the runs worth keeping, and what stands in the way of a proof."""

    solver: CountQueries
    every: list[Trace] | None = None  # one per path, where asked for
    passed_on: Callable[[Trace], bool] = _kept_here  # whether somebody else keeps this path
    tree: ExecutionTree = field(default_factory=ExecutionTree)
    kept: list[Kept] = field(default_factory=list)
    losses: dict[Loss, None] = field(default_factory=dict)
    # reads of state that the inputs do not say
    reads: dict[Read, None] = field(default_factory=dict)
    # what proofs of this search take for granted
    granted: dict[str, None] = field(default_factory=dict)
    refuted: dict[str, None] = field(default_factory=dict)  # proofs of ours that were wrong
    # calls that refuted one, or took what is open, with values that no shape builds
    beyond: list[CallBeyond] = field(default_factory=list)
    returned: int = 0  # runs that returned
    raised: int = 0  # runs that raised an exception
    raised_type: int = 0  # of these: runs that raised what a value of a wrong type does
    rejected: int = 0  # runs whose input could not be built
    solver_failures: dict[str, None] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    entered: int = 0  # runs whose input could be built and that came to the target
    unbuilt: str = ""  # why the last input that could not be built could not
    cut_runs: int = 0  # runs that did not end
    either_way: int = 0  # of these: how to go on did not depend on the input
    confused: int = 0  # runs that went another way than one with the same branches did
    refused: int = 0  # inputs that were not run since they had ended an earlier worker
    divergences: int = 0  # runs that were made for a side and took another path
    idle_draws: int = 0  # draws since one covered something
    idle_steps: int = 0  # steps since one covered something
    endless: int = 0  # the least large number given to a run that did not end; 0 if there is none
    sightings: Sightings = field(default_factory=Sightings)  # of the target's outcomes
    out_of_time: list[Flip] = field(default_factory=list)  # the solver's time limit was too short
    suggested: list[Assignment] = field(default_factory=list)  # inputs that runs speak for
    documents: set[str] = field(default_factory=set)  # texts for which there were suggestions

    def beside(self) -> Progress:
        """The progress of another search for the same: what one finds or spends counts for both;
        trees and what stands in the way of a proof are their own.
        """
        return Progress(
            self.solver,
            every=self.every,
            passed_on=self.passed_on,
            kept=self.kept,
            refuted=self.refuted,
            beyond=self.beyond,
            spent=self.spent,
            sightings=self.sightings,
        )

    @property
    def runs(self) -> int:
        return self.spent.runs

    @property
    def seconds_running(self) -> float:
        return self.spent.running

    @property
    def seconds_solving(self) -> float:
        return self.spent.solving

    @property
    def sound(self) -> bool:
        """Whether every run could be followed: no term was lost and no run was disturbed."""
        return not self.losses and self.undisturbed

    @property
    def undisturbed(self) -> bool:
        """Whether every run went to its end on the path that was expected of it."""
        return not (
            self.cut_runs or self.confused or self.divergences or self.refused or self.refuted
        )

    def refute(self, how: str) -> None:
        """Note that an input contradicts what was about to be called proved."""
        self.refuted[how] = None

    def ran(self, seconds: float = 0.0, runs: int = 1) -> None:
        """Count runs and the time they took."""
        self.spent.runs += runs
        self.spent.running += seconds

    def begin(self, trace: Trace) -> None:
        """Take in that a run came to the target, or that its input could not be built."""
        if trace.ending == Ending.REJECTED:
            self.unbuilt = trace.error or self.unbuilt
        else:
            self.entered += 1

    def take_in(self, trace: Trace) -> None:
        """Take in a run as both `begin` and `lose` do."""
        if trace.ending == Ending.RETURNED and not (trace.blocked or trace.losses or trace.reads):
            self.entered += 1  # as most runs do
            self.returned += 1
            return
        self.begin(trace)
        self.lose(trace)

    def lose(self, trace: Trace) -> None:
        """Take in what a run did that keeps it from proving anything, and how it ended."""
        for call in trace.calls:
            if call.abstract:
                self.granted[f"{call.callee.label} returns what it declares"] = None
        ending = trace.ending
        for effect in trace.blocked:
            self.losses[("", 0, effect)] = None
        for loss in trace.losses:
            self.losses[loss] = None
        for read in trace.reads:
            self.reads[read] = None
        self.returned += ending == Ending.RETURNED
        self.raised += ending == Ending.RAISED
        self.raised_type += ending == Ending.RAISED and trace.error in OF_WRONG_TYPES
        self.rejected += ending == Ending.REJECTED

    def cut(self, trace: Trace) -> None:
        """Count a run that did not end; a large number it was given may be to blame."""
        self.cut_runs += 1
        if trace.error == EitherWay.WHY:
            self.either_way += 1
            return
        size = largest(trace.assignment)
        if size > ORDINARY and (not self.endless or size < self.endless):
            self.endless = size

    def keep(self, kept: Kept) -> None:
        """Keep a run that covered something new; draws are worth their time again."""
        self.kept.append(kept)
        self.idle_draws = self.idle_steps = 0

    def path(self, trace: Trace) -> None:
        """Take in a path that no run took before."""
        if self.every is not None and not self.passed_on(trace):
            self.every.append(trace)

    def suggest(self, inputs: Iterable[Assignment]) -> None:
        """Take in inputs that a run suggested: they are tried before others are drawn."""
        self.suggested += inputs

    def take_step(self) -> None:
        """Count a step; keeping a run begins the count anew."""
        self.idle_steps += 1

    def draw_in_vain(self) -> None:
        """Count a draw that covered nothing new."""
        self.idle_draws += 1

    def draw_anew(self) -> None:
        """Forget how many draws were in vain."""
        self.idle_draws = 0

    def contradict(self, times: int = 1) -> None:
        """Count runs that went another way than one with the same branches did before."""
        self.confused += times

    def refuse(self) -> None:
        """Count an input that was not run since it had ended an earlier worker."""
        self.refused += 1

    def solved(self, seconds: float) -> None:
        """Count the time that a query took."""
        self.spent.solving += seconds

    def fail(self, error: Exception) -> str:
        """Note that a solver failed; returns what to say of it."""
        self.solver_failures[f"{type(error).__name__}: {error}"] = None
        return f"the solver failed: {type(error).__name__}"

    def stray(self, node: Node, side: bool) -> None:
        """Take in that the run made for this side took another path."""
        self.divergences += 1
        self.tree.settle(node, side, Side.DIVERGED, "the run took another path")

    def use(self, solver: CountQueries) -> None:
        """Use another solver from here on."""
        self.solver = solver

    def plant_another_tree(self) -> None:
        """Begin an empty tree, since the paths so far were of another kind; what they covered
        still counts.
        """
        self.tree = ExecutionTree()


def largest(assignment: Assignment) -> int:
    """The largest integer of an input, whatever its sign."""
    return max((abs(value) for value in assignment.values() if type(value) is int), default=0)
