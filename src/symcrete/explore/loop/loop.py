"""The loop: choose, solve, run, learn, until everything is settled or the budget is spent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from symcrete.constraint.path import PathConstraint, path_to
from symcrete.explore.loop.memory import RarelyCollecting
from symcrete.inputs.draw.mutation import mutated
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.run.runner import Runner
from symcrete.run.trace import Loss, Trace
from symcrete.search.strategy import Feedback, Flip, Result, Sample, Step, Strategy
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.tree.coverage import Coverage
from symcrete.tree.tree import ExecutionTree, Node, Side

DRAWS_WITHOUT_NEWS = 2000
MUTATED = 0.5  # share of draws that start from an input kept before
REDRAWN = 8  # times, where numbers seem too large
ORDINARY = 1000  # a number that ends no loop too late
LARGE = 1_000_000
CAUTIOUS = 40  # runs
SECONDS_PER_BRANCH = 5e-6  # of a run, where work is counted instead of timed
SECONDS_PER_RUN = 5e-5


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop: at a moment, or after so many runs."""

    deadline: float
    max_runs: int | None

    def spent(self, runs: int) -> bool:
        if self.max_runs is not None:
            return runs >= self.max_runs
        return time.perf_counter() >= self.deadline

    @property
    def counts_work(self) -> bool:
        """Then nothing that is decided may depend on how fast the machine is."""
        return self.max_runs is not None


@dataclass(slots=True)
class Kept:
    """A run that covered something new."""

    trace: Trace
    new: int


@dataclass(slots=True)
class Exploration:
    """One target being explored."""

    runner: Runner
    arguments: Arguments
    strategy: Strategy
    solver: Solver
    coverage: Coverage
    pool: Pool
    random: Random
    budget: Budget
    whole_tree: bool = False  # go on after every branch is covered
    start: Assignment = field(default_factory=dict)
    starts: list[Assignment] = field(default_factory=list)  # known to be worth a run
    may_solve: Callable[[Node, bool], bool] = lambda node, side: True
    on_kept: Callable[[Kept], None] = lambda kept: None
    arrived: Callable[[], bool] = lambda: False  # nothing more is wanted
    patient: Callable[[], Solver] | None = None  # makes one that gives each query more time
    tree: ExecutionTree = field(default_factory=ExecutionTree)
    kept: list[Kept] = field(default_factory=list)
    every: list[Trace] | None = None  # one per path, where asked for
    losses: dict[Loss, None] = field(default_factory=dict)
    solver_failures: dict[str, None] = field(default_factory=dict)
    runs: int = 0
    cut_runs: int = 0
    confused: int = 0
    refused: int = 0
    divergences: int = 0
    seconds_running: float = 0.0
    seconds_solving: float = 0.0
    _idle_draws: int = 0
    _endless: int = 0  # numbers as large as this led to runs without an end
    _out_of_time: list[Flip] = field(default_factory=list)  # the solver's time limit was too short

    def explore(self) -> str:
        """Work until done; says how it ended: complete, covered or budget."""
        with self.runner, RarelyCollecting() as memory:
            trace, seconds = self._run(self.start)
            self._learn(Sample(), trace, running=seconds)
            for given in self.starts:
                trace, seconds = self._run(given)
                self._learn(Sample(), trace, running=seconds)
            while not self.budget.spent(self.runs):
                if self.arrived():
                    return self._ending()
                step = None if self._settled() else self.strategy.choose(self.tree)
                step = step or self._second_try() or self._last_resort()
                if step is None:
                    return self._ending()
                self._take(step)
                memory.between_runs()
        return "complete" if self._settled() and self.proved_whole else "budget"

    def draw_on(self) -> None:
        """Random inputs until the budget is spent, though nothing may be left to be found."""
        with self.runner, RarelyCollecting() as memory:
            while not self.budget.spent(self.runs):
                self._take(Sample())
                memory.between_runs()

    @property
    def proved_whole(self) -> bool:
        """Every path is explored and nothing on the way was out of our sight."""
        sound = not (
            self.losses or self.cut_runs or self.confused or self.divergences or self.refused
        )
        return self.tree.exhausted and sound and self.runs > 0

    @property
    def paths(self) -> int:
        return self.tree.paths

    def _ending(self) -> str:
        if self.proved_whole:
            return "complete"
        return "covered" if self.coverage.complete else "budget"

    def _settled(self) -> bool:
        if self.tree.open_sides == 0 and self._no_other_draws():
            return True
        return (
            not self.whole_tree
            and self.coverage.complete
            and self.coverage.errors_settled(self.tree)
        )

    def _no_other_draws(self) -> bool:
        """A whole tree says all, unless some input has no terms or a solver gave up: then draws may
        still tell.
        """
        open_ends = self.losses or (self.coverage.wanted and not self.tree.exhausted)
        return not open_ends or self._idle_draws > DRAWS_WITHOUT_NEWS

    def _second_try(self) -> Flip | None:
        """A wanted side that only lacked time: while there is some left, it gets more.

        Not where work is counted: the answer would depend on the machine.
        """
        while self._out_of_time and not self.budget.counts_work:
            flip = self._out_of_time.pop(0)
            node, side = flip.node, flip.side
            if self.coverage.wants(node.site, side) and node.state[side] is Side.UNKNOWN:
                if self.patient is not None:
                    self.solver, self.patient = self.patient(), None
                return flip
        return None

    def _last_resort(self) -> Sample | None:
        """Where a term was lost on the way, drawing inputs may still find what flips cannot."""
        hopeful = self.coverage.wanted and self.losses and self._idle_draws <= DRAWS_WITHOUT_NEWS
        return Sample() if hopeful else None

    def _take(self, step: Step) -> None:
        if isinstance(step, Flip):
            self._flip(step)
            return
        trace, seconds = self._run(self._drawn())
        self._learn(step, trace, running=seconds)

    def _drawn(self) -> Assignment:
        """Seldom with numbers as large as those whose runs had to be cut, which takes a second; and
        small ones first, because flips start from the first run that came to a branch.
        """
        too_large = self._endless or (LARGE if self.runs < CAUTIOUS else 0)
        drawn = self._draw()
        for _ in range(REDRAWN if too_large else 0):
            if largest(drawn) < too_large:
                break
            drawn = self._draw()
        return drawn

    def _draw(self) -> Assignment:
        """Anew, or from an input that covered something."""
        if self.kept and self.random.random() < MUTATED:
            trace = self.random.choice(self.kept).trace
            changed = mutated(trace.assignment, self.pool, self.random)
            if all_hold((*trace.assumptions, *trace.bounds), changed):  # still an input
                return changed
        return self.arguments.sample(self.pool, self.random)

    def _flip(self, flip: Flip) -> None:
        node, side = flip.node, flip.side
        began = time.perf_counter()
        answer = self._answer(node, side)
        solving = time.perf_counter() - began
        self.seconds_solving += solving
        if isinstance(answer, Sat):
            trace, running = self._run(answer.assignment)
            self._learn(flip, trace, solving=solving, running=running)
            return
        result: Result
        if isinstance(answer, Unsat):
            result = "infeasible"
            self.tree.settle(node, side, Side.INFEASIBLE)
        else:
            result = "unknown"
            if self.patient is not None and "timeout" in answer.reason:
                self._out_of_time.append(flip)
            self.tree.settle(node, side, Side.UNKNOWN, f"solver gave up: {answer.reason}")
        self._tell(Feedback(flip, result, solving=solving))

    def _answer(self, node: Node, side: bool) -> Answer:
        """A solver that fails has not answered; the exploration goes on."""
        if not self.may_solve(node, side):
            return Unknown("the solver did not come back")
        try:
            return self._within_bounds(path_to(node, side), node.trace)
        except Exception as error:
            self.solver_failures[f"{type(error).__name__}: {error}"] = None
            return Unknown(f"the solver failed: {type(error).__name__}")

    def _within_bounds(self, constraint: PathConstraint, trace: Trace) -> Answer:
        """Only an answer asked for without our own bounds can be a proof."""
        near = trace.assignment
        answer = self.solver.solve(constraint, near)
        if not isinstance(answer, Sat) or all_hold(trace.bounds, answer.assignment):
            return answer
        narrower = PathConstraint(trace.bounds + constraint.prefix, constraint.goal)
        answer = self.solver.solve(narrower, near)
        return (
            Unknown("it takes a larger input than we build")
            if isinstance(answer, Unsat)
            else answer
        )

    def _run(self, assignment: Assignment) -> tuple[Trace, float]:
        began = time.perf_counter()
        trace = self.runner.run(assignment)
        seconds = time.perf_counter() - began
        self.seconds_running += seconds
        self.runs += 1
        return trace, seconds

    def _give_up(self, step: Step) -> None:
        """The input ended an earlier worker: where it would have led stays open."""
        self.refused += 1
        if isinstance(step, Flip):
            self.tree.settle(step.node, step.side, Side.UNKNOWN, "its input ended the process")
        self.strategy.learn(Feedback(step, "unknown"))

    def _learn(
        self, step: Step, trace: Trace, *, solving: float = 0.0, running: float = 0.0
    ) -> None:
        if trace.ending == "refused":
            self._give_up(step)
            return
        grown = self.tree.add(trace, step.node if isinstance(step, Flip) else None)
        new = self.coverage.add(trace.covered) if trace.ending != "rejected" else 0
        for effect in trace.blocked:
            self.losses[("", 0, effect)] = None
        for loss in trace.losses:
            self.losses[loss] = None
        if trace.ending == "timeout":
            self.cut_runs += 1
            self._heed(largest(trace.assignment))
        self.confused += grown.confused
        if grown.confused:
            self._forget_earlier_runs()
        nothing_to_cover = self.runs == 1 and not self.coverage.own
        if self.coverage.counts(new) or nothing_to_cover:
            kept = Kept(trace, new)
            self.kept.append(kept)
            self.on_kept(kept)
            self._idle_draws = 0
        elif isinstance(step, Sample):
            self._idle_draws += 1
        if self.every is not None and grown.is_new:
            self.every.append(trace)
        result: Result = "ran"
        if isinstance(step, Flip) and step.node.state[step.side] is not Side.SEEN:
            result = "diverged"
            self.divergences += 1
            self.tree.settle(step.node, step.side, Side.DIVERGED, "the run took another path")
        self._tell(Feedback(step, result, trace, grown, new, solving, running))

    def _heed(self, size: int) -> None:
        """A number that an endless run was given; a small one is not to blame."""
        if size > ORDINARY and (not self._endless or size < self._endless):
            self._endless = size

    def _forget_earlier_runs(self) -> None:
        """One input, two paths: where calls leave something behind, that may be the reason."""
        changed = self.runner.start_anew()
        if changed:
            what = f"results depend on earlier calls, which change {', '.join(sorted(changed)[:4])}"
            self.losses[("", 0, what)] = None

    def _tell(self, feedback: Feedback) -> None:
        """Where work is counted, strategies are not told how fast the machine is."""
        if self.budget.counts_work:
            trace, running = feedback.trace, 0.0
            if trace is not None:
                running = SECONDS_PER_RUN + SECONDS_PER_BRANCH * (len(trace.events) + trace.steps)
            step, result, new = feedback.step, feedback.result, feedback.new
            feedback = Feedback(step, result, trace, feedback.grown, new, 0.0, running)
        self.strategy.learn(feedback)


def largest(assignment: Assignment) -> int:
    """The largest integer of an input, whatever its sign."""
    return max((abs(value) for value in assignment.values() if type(value) is int), default=0)
