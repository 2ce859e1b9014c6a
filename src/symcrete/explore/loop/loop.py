"""The loop: choose, solve, run, learn, until everything is settled or the budget is spent."""

from __future__ import annotations

from typing import Protocol

from symcrete.constraint.path import PathConstraint, path_to
from symcrete.explore.findings import OF_WRONG_TYPES, Status
from symcrete.explore.loop.drawing import drawn
from symcrete.explore.loop.memory import RarelyCollecting
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.phase import Phase
from symcrete.explore.loop.progress import Kept, Progress
from symcrete.explore.loop.suggested import suggested
from symcrete.inputs.draw.text import any_documents
from symcrete.run.trace import Trace
from symcrete.run.use import MOST_NAMES_TOLD, Ending
from symcrete.search.strategy import Feedback, Flip, Result, Sample, Step
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, OutOfTime, Sat, Unknown, Unsat
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.logic import negate
from symcrete.tree.tree import Node, Side

# draws in a row that bring nothing, after which drawing is given up; chosen, not measured
DRAWS_WITHOUT_NEWS = 2000
# draws in a row, after which a function is taken to raise whatever it is given; chosen, not
# measured
DRAWS_TO_RETURN = 300
# steps in a row, after which handlers that no run came to are given up once every condition is
# covered; chosen, not measured
STEPS_TO_PLACES = 300
# Seconds that a run is taken to need where work is counted instead of timed (benchmarks/paths.py,
# gcd).
SECONDS_PER_BRANCH = 5e-6
SECONDS_PER_RUN = 5e-5
NONE_OF_THE_TYPE = "the values found for it are none of the declared types"


class Explored(Protocol):
    """What a report is made from: an exploration, plain or lazy."""

    @property
    def parts(self) -> Parts: ...

    @property
    def progress(self) -> Progress: ...

    @property
    def proved_whole(self) -> bool:
        """Whether every path is explored and nothing on the way was out of our sight."""
        ...

    @property
    def proved_before_losses(self) -> bool:
        """Whether every path is explored as far as the first place where a term was lost."""
        ...

    @property
    def paths(self) -> int:
        """How many different paths runs took."""
        ...

    def explore(self, phase: Phase) -> Status:
        """Explore until the phase is over; returns how it ended."""
        ...

    def draw_on(self, phase: Phase) -> None:
        """Run random inputs until the budget is spent, though nothing may be left to be found."""
        ...

    def notes(self) -> list[str]:
        """Sentences that a reader of the report should know of how it was explored."""
        ...


class Way(Protocol):
    """How the steps of an exploration are taken: with every call followed, or some abstracted."""

    def run(self, assignment: Assignment) -> tuple[Trace, float]:
        """The run of an input and the seconds it took."""
        ...

    def answer(self, node: Node, side: bool) -> Answer:
        """What a solver says of a side: an input for it, that there is none, or that it gave up."""
        ...

    def learn(
        self, step: Step, trace: Trace, phase: Phase, *, solving: float, running: float
    ) -> None:
        """Take in the run that a step led to, and the seconds that solving and running took."""
        ...


@dataclass(frozen=True, slots=True)
class Exploration:
    """One target being explored, every call followed."""

    parts: Parts
    progress: Progress

    def explore(self, phase: Phase) -> Status:
        parts, progress = self.parts, self.progress
        with parts.runner, RarelyCollecting() as memory:
            for given in phase.first:
                trace, seconds = self.run(given)
                self.learn(Sample(), trace, phase, running=seconds)
            while not phase.budget.spent(progress.runs):
                if phase.arrived():
                    return self.ending()
                if progress.suggested:
                    trace, seconds = self.run(progress.suggested.pop(0))
                    self.learn(Sample(), trace, phase, running=seconds)
                    memory.between_runs()
                    continue
                step = None if self._settled(phase) else phase.strategy.choose(progress.tree)
                step = step or self.second_try(phase) or self.last_resort()
                if step is None:
                    return self.ending()
                self._take(step, phase)
                memory.between_runs()
        if self._settled(phase) and self.proved_whole:
            return Status.COMPLETE
        return Status.COVERED if not phase.whole_tree and self._has_everything() else Status.BUDGET

    def draw_on(self, phase: Phase) -> None:
        with self.parts.runner, RarelyCollecting() as memory:
            while not phase.budget.spent(self.progress.runs):
                self._take(Sample(), phase)
                memory.between_runs()

    @property
    def proved_whole(self) -> bool:
        progress = self.progress
        return progress.tree.exhausted and progress.sound and progress.entered > 0

    @property
    def proved_before_losses(self) -> bool:
        progress = self.progress
        return progress.tree.exhausted and progress.undisturbed and progress.entered > 0

    @property
    def paths(self) -> int:
        return self.progress.tree.paths

    def notes(self) -> list[str]:
        return []

    def ending(self) -> Status:
        """How an exploration ends that has nothing left to try."""
        if self.proved_whole:
            return Status.COMPLETE
        return Status.COVERED if self.parts.coverage.complete else Status.BUDGET

    def last_resort(self) -> Sample | None:
        """A draw, if something is still wanted, a term was lost on the way and not too many draws
        in a row were in vain: random inputs may find what flips cannot. Else None.
        """
        progress = self.progress
        patient = progress.idle_draws <= DRAWS_WITHOUT_NEWS
        settled = self._came_back() and self._been_everywhere()
        wanted = self.parts.coverage.wanted or not settled
        hopeful = wanted and progress.losses and patient
        return Sample() if hopeful else None

    def _settled(self, phase: Phase) -> bool:
        tree = self.progress.tree
        if tree.open_sides == 0 and self._no_other_draws():
            return True
        if phase.whole_tree:
            return False
        return self._has_everything() and self._came_back() and self._been_everywhere()

    def _has_everything(self) -> bool:
        """Whether every outcome is covered and errors are settled. A run that returns may still be
        wanted (`_came_back`).
        """
        coverage = self.parts.coverage
        return coverage.complete and coverage.errors_settled(self.progress.tree)

    def _came_back(self) -> bool:
        """Whether a run returned, and no outcome was taken only by values of a type that may be
        wrong; or so many draws were in vain that more are not worth it.
        """
        coverage = self.parts.coverage
        enough = coverage.came_back and not (coverage.doubts and self.parts.arguments.open)
        return enough or self.progress.idle_draws > DRAWS_TO_RETURN

    def _been_everywhere(self) -> bool:
        """Whether runs came to every handler and to the end of every `try` block, or so many steps
        did not that more are not worth it.
        """
        return not self.parts.coverage.places or self.progress.idle_steps > STEPS_TO_PLACES

    def _no_other_draws(self) -> bool:
        """Whether draws can bring nothing more: no term was lost, and the tree is exhausted or
        nothing is wanted; or enough were drawn in vain.
        """
        progress = self.progress
        open_ends = progress.losses or (self.parts.coverage.wanted and not progress.tree.exhausted)
        return not open_ends or progress.idle_draws > DRAWS_WITHOUT_NEWS

    def second_try(self, phase: Phase) -> Flip | None:
        """A wanted side that only lacked the solver's time, to be tried with more of it; None if
        there is none.

        Not where work is counted: the answer would depend on the machine.
        """
        progress, parts = self.progress, self.parts
        while progress.out_of_time and not phase.budget.counts_work:
            flip = progress.out_of_time.pop(0)
            node, side = flip.node, flip.side
            if parts.coverage.wants(node.site, side) and node.state[side] is Side.UNKNOWN:
                if parts.patient is not None and not self.is_patient:
                    progress.use(parts.patient())
                return flip
        return None

    @property
    def is_patient(self) -> bool:
        """Whether each query may take more time than at first."""
        return self.progress.solver is not self.parts.solver

    def _take(self, step: Step, phase: Phase) -> None:
        if isinstance(step, Flip):
            self.flip(step, phase, self)
            return
        trace, seconds = self.run(drawn(self.parts, self.progress, step))
        self.learn(step, trace, phase, running=seconds)

    # -- steps, which lazy expansion takes in its own way

    def flip(self, flip: Flip, phase: Phase, way: Way) -> None:
        """Solve for the other side of a branch, and run what is found."""
        node, side = flip.node, flip.side
        progress, clock = self.progress, self.parts.clock
        began = clock()
        answer = way.answer(node, side)
        solving = clock() - began
        progress.solved(solving)
        if isinstance(answer, Sat):
            trace, running = way.run(answer.assignment)
            if trace.is_input:
                way.learn(flip, trace, phase, solving=solving, running=running)
                return
            answer = self._of_the_type(flip, trace)
        if isinstance(answer, Sat):
            trace, running = way.run(answer.assignment)
            way.learn(flip, trace, phase, solving=solving, running=running)
            return
        self.settle(flip, answer, phase, solving)

    def settle(self, flip: Flip, answer: Unsat | Unknown, phase: Phase, solving: float) -> None:
        """Note that there is no input for a side, or that none was found."""
        node, side, progress = flip.node, flip.side, self.progress
        result: Result
        if isinstance(answer, Unsat):
            result = "infeasible"
            progress.tree.settle(node, side, Side.INFEASIBLE)
        else:
            result = "unknown"
            if self.parts.patient is not None and isinstance(answer, OutOfTime):
                if not self.is_patient:
                    progress.out_of_time.append(flip)
            progress.tree.settle(node, side, Side.UNKNOWN, f"solver gave up: {answer.reason}")
        self.tell(Feedback(flip, result, solving=solving), phase)

    def answer(self, node: Node, side: bool) -> Answer:
        """The solver's answer for a side; Unknown where the solver fails, so that the exploration
        goes on.
        """
        parts = self.parts
        if not parts.listener.may_solve(node, side, self.progress.solver is not parts.solver):
            return Unknown("the solver did not come back")
        try:
            return self._within_bounds(path_to(node, side), node.trace)
        except Exception as error:
            return Unknown(self.progress.fail(error))

    def _of_the_type(self, flip: Flip, tried: Trace) -> Answer:
        """A second answer for a side whose first input was of none of the declared types: it also
        satisfies what the run that was `tried` assumed of the alternative that the side leads to.

        Assumptions about choices after the side hold on one way only, so a contradiction with them
        is no proof: then the answer is Unknown.
        """
        node, side = flip.node, flip.side
        passed = tried.events[node.depth : node.depth + 1]
        if tried.events[: node.depth] != node.trace.events[: node.depth] or passed != (
            (2 * node.site + side, node.term),
        ):
            return Unknown(NONE_OF_THE_TYPE)
        goal = node.term if side else negate(node.term)
        constraint = PathConstraint(tried.assumptions + tried.held(node.depth), goal)
        try:
            answer = self._within_bounds(constraint, tried)
        except Exception as error:
            return Unknown(self.progress.fail(error))
        is_last = len(tried.events) == node.depth + 1
        if isinstance(answer, Unsat) and not is_last:
            return Unknown(NONE_OF_THE_TYPE)
        return answer

    def _within_bounds(self, constraint: PathConstraint, trace: Trace) -> Answer:
        """The answer to a constraint, with an input within our own bounds if there is one. A
        contradiction is a proof only without them; one that needs them is Unknown.
        """
        near, solver = trace.assignment, self.progress.solver
        answer = solver.solve(constraint, near)
        if not isinstance(answer, Sat) or all_hold(trace.bounds, answer.assignment):
            return answer
        prefix = trace.bounds + constraint.prefix
        narrower = PathConstraint(prefix, constraint.goal, constraint.origin)
        answer = solver.solve(narrower, near)
        return (
            Unknown("it takes a larger input than we build")
            if isinstance(answer, Unsat)
            else answer
        )

    def run(self, assignment: Assignment) -> tuple[Trace, float]:
        clock = self.parts.clock
        began = clock()
        trace = self.parts.runner.run(assignment)
        seconds = clock() - began
        self.progress.ran(seconds)
        return trace, seconds

    def give_up(self, step: Step, phase: Phase) -> None:
        """Leave a step open whose input ended an earlier worker."""
        self.progress.refuse()
        self._leave_open(step, phase, "its input ended the process")

    def pass_over(self, step: Step, phase: Phase) -> None:
        """Leave a step open whose values were not of the declared types: they are no path of the
        program.
        """
        self._leave_open(step, phase, NONE_OF_THE_TYPE)
        if isinstance(step, Sample):
            self.progress.draw_in_vain()

    def _leave_open(self, step: Step, phase: Phase, reason: str) -> None:
        if isinstance(step, Flip):
            self.progress.tree.settle(step.node, step.side, Side.UNKNOWN, reason)
        self.progress.take_step()
        phase.strategy.learn(Feedback(step, "unknown"))

    def learn(
        self,
        step: Step,
        trace: Trace,
        phase: Phase,
        *,
        solving: float = 0.0,
        running: float = 0.0,
    ) -> None:
        ending = trace.ending
        if ending == Ending.REFUSED:
            self.give_up(step, phase)
            return
        progress, coverage = self.progress, self.parts.coverage
        if not trace.is_input:
            progress.begin(trace)
            self.pass_over(step, phase)
            return
        covered, rejected = trace.covered, ending == Ending.REJECTED
        grown = progress.tree.add(trace, step.node if isinstance(step, Flip) else None)
        new = 0 if rejected else coverage.add(covered)
        if not rejected:
            progress.sightings.add(covered & coverage.own_bits)
        progress.take_in(trace)
        if ending == Ending.TIMEOUT:
            progress.cut(trace)
        if grown.confused:
            progress.contradict()
            self._forget_earlier_runs()
        nothing_to_cover = not progress.kept and not rejected and not coverage.own
        back, first_back = 0, False
        if ending == Ending.RETURNED:
            first_back = not coverage.came_back
            back = coverage.add_returned(covered)
        elif trace.error in OF_WRONG_TYPES or coverage.failed_in(covered):
            coverage.doubt(covered)
        if (new and coverage.counts(new)) or nothing_to_cover or back or first_back:
            self.keep(trace, new | back)
        elif isinstance(step, Sample):
            progress.draw_in_vain()
        if grown.is_new:
            progress.path(trace)
        if any_documents():
            progress.suggest(suggested(trace, self.parts.pool, progress.documents))
        result: Result = "ran"
        if isinstance(step, Flip) and step.node.state[step.side] is not Side.SEEN:
            result = "diverged"
            progress.stray(step.node, step.side)
        if phase.budget.counts_work:
            solving, running = 0.0, _seconds_of_work(trace)
        progress.take_step()
        phase.strategy.learn(Feedback(step, result, trace, grown, new, solving, running))

    def keep(self, trace: Trace, new: int) -> None:
        """Keep a run that covered something new, and tell the listener."""
        kept = Kept(trace, new)
        self.progress.keep(kept)
        self.parts.listener.on_kept(self.parts, kept)

    def _forget_earlier_runs(self) -> None:
        """Let every run start from the program's first state, since one input took two paths; what
        earlier calls changed is noted.
        """
        changed = self.parts.runner.start_anew()
        if changed:
            told = ", ".join(sorted(changed)[:MOST_NAMES_TOLD])
            what = f"results depend on earlier calls, which change {told}"
            self.progress.losses[("", 0, what)] = None

    def tell(self, feedback: Feedback, phase: Phase) -> None:
        """Tell the strategy what a step brought; where work is counted, not how fast the machine
        is.
        """
        self.progress.take_step()
        if phase.budget.counts_work:
            trace = feedback.trace
            running = 0.0 if trace is None else _seconds_of_work(trace)
            step, result, new = feedback.step, feedback.result, feedback.new
            feedback = Feedback(step, result, trace, feedback.grown, new, 0.0, running)
        phase.strategy.learn(feedback)


def _seconds_of_work(trace: Trace) -> float:
    """The seconds that a run is taken to need where nothing may depend on how fast the machine is,
    from the numbers of its branches and loop steps.
    """
    return SECONDS_PER_RUN + SECONDS_PER_BRANCH * (len(trace.events) + trace.steps)
