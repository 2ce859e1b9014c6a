"""One goal from one entry point: symbolic, concrete and forward phase within one budget."""

from __future__ import annotations

import warnings
from dataclasses import field, replace
from typing import Any

from symcrete.backward.backtrack import (
    Found,
    NoInput,
    NotKnown,
    Path,
    Reasons,
    Search,
    Segment,
    Start,
    in_vain,
)
from symcrete.backward.entry_inputs import Variant, sort_of, variants
from symcrete.backward.sorts import Sorts
from symcrete.backward.trace_program import Candidate, Closed, Draw, TraceProgram, Unfit
from symcrete.backward.view.program_view import Program
from symcrete.clock import Moment, after_work
from symcrete.errors import WrongProof
from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.phase import Phase
from symcrete.explore.minimise.minimise import plainest
from symcrete.explore.options import Options
from symcrete.explore.proof.standing import Standing
from symcrete.explore.proof.told_call import names_source, nearest_loss, told_loss
from symcrete.explore.reach.entered_again import entered_again
from symcrete.explore.reach.forward_phase import ForwardPhase
from symcrete.explore.reach.line_confirmed import Confirmation, confirmed
from symcrete.explore.reach.other_kinds_there import first_that_is_there
from symcrete.explore.reach.reached import Goal, Reached, Undecided, Unreachable, Verdict
from symcrete.explore.reach.unproved import assumptions, not_explored, nothing_proved, told_open
from symcrete.inputs.shapes.shape import IntShape
from symcrete.program.lowering.three_address import Branch, Flow, Raise
from symcrete.program.source.target import Target
from symcrete.run.runner import Runner
from symcrete.run.trace import Trace
from symcrete.run.untouched.replay import ReplayOnce
from symcrete.run.use import Ending
from symcrete.run.watch_line import LineWatch
from symcrete.slotted import dataclass
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Solver
from symcrete.solve.walk.walk import Walk
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.term import Sort
from symcrete.tree.coverage import bit

# Shares of the budget for the backward search, chosen on the lines of benchmarks/reach.py with seed
# 0 (seeds 1, 7, 11 and 42 were not looked at meanwhile).
BACKWARD_SHARE = 0.45  # where inputs are numbers
SHARE_OF_OBJECTS = 0.15  # where they are texts, collections or objects
SHARE_WITHOUT_PROOF = 0.08  # where they have no declared types either
FIRST_WALK, SECOND_WALK, LEAST_WALK = 1.0, 3.0, 0.05  # s per walk: first of a path, second, least
WALKING_SHARE = 0.3  # of the budget, for all walks together
# seconds of a query about a path that is not at the entry yet, and about one that is
SECONDS_PER_CHECK, SECONDS_PER_SOLUTION = 0.2, 0.6
CHECKING_SHARE = 0.04  # of the budget, for one check
SECONDS_PER_LAST_SOLUTION = 2.0  # seconds of a query about a whole path, after all paths had theirs
LEAST_SECONDS_LEFT = 0.1  # seconds that remain, however much other starts are to have
# seconds at most, and the share of the budget, to make the input plainer
PLAIN_SECONDS, PLAIN_SHARE = 0.5, 0.1

# Integers beyond a C long, a C int and the code points, and with more digits than `str` writes.
EXTREMES = (10**20, -(10**20), 2**31, 0x110000, -1, 10**4400, -(10**4400))
# A proof is attacked for this long before it is told: a run takes tens of microseconds, so that is
# thousands of inputs, and a user does not notice.
ATTACK_SECONDS, ATTACK_SHARE = 0.3, 0.1  # seconds at most, and of the budget


@dataclass(slots=True)
class Quest:
    """The search for an input that reaches one goal from one entry point."""

    goal: Goal
    options: Options
    exploration: Exploration | LazyExploration
    phase: Phase  # the phase that prepare() made
    began: float
    replay: ReplayOnce | None
    segments: int = 0
    reasons: Reasons = field(default_factory=Reasons)
    unproved: dict[str, None] = field(default_factory=dict)  # why no search proves anything here
    found_in: str = ""  # symbolic, concrete or forward
    found: Confirmation | None = None
    refuted: int = 0  # how many inputs did not do what was expected of them
    _walked: float = 0.0
    _until: float = 0.0  # the moment when drawing for the backward search has to end
    # paths to be tried again: the last segment, the variants that were not solved, and whether
    # the others are known to have no input
    _unfit: list[tuple[Segment, list[TraceProgram], bool]] = field(default_factory=list)
    _budget: float = 0.0  # seconds, without those that other starts are to have
    _note: str = ""
    _caught: Trace | None = None  # a run in which the wanted error came up and went no further
    # constants that the backward search relied on
    _assumed: dict[str, None] = field(default_factory=dict)
    _entry_solver: Solver = field(init=False)
    _ahead: ForwardPhase = field(init=False)

    def __post_init__(self) -> None:
        self._budget = self.options.budget
        self._entry_solver = self._solver(SECONDS_PER_SOLUTION)
        self._ahead = ForwardPhase(
            goal=self.goal,
            exploration=self.exploration,
            whole=self.phase,
            began=self.began,
            accept=lambda trace: self._counts(trace) and self._accept(trace, "forward"),
            attempt=self._follow,
            outcomes=self.outcomes,
        )

    @property
    def target(self) -> Target:
        return self.exploration.parts.target

    @property
    def _runner(self) -> Runner:
        return self.exploration.parts.runner

    @property
    def _watch(self) -> LineWatch:
        watch = self.exploration.parts.watch
        assert watch is not None, "a quest is for a line"
        return watch

    def look_around(self) -> bool:
        """Whether a quick forward search finds an input; none is made for typed numbers alone."""
        parts = self.exploration.parts
        self.unproved = nothing_proved(parts, self.options.types, self._namespace())
        with self._runner:
            objects = any(variant.objects for variant in self._variants())
        worth_it = bool(objects or self.unproved)
        return worth_it and self._ahead.look_around(self._budget, follow=objects)

    def answer(self, *, leaving: float = 0.0) -> Verdict:
        """The verdict; `leaving` seconds of the budget are left for other starts."""
        if leaving:
            self._budget = max(self._budget - leaving, LEAST_SECONDS_LEFT)
        try:
            with self._runner:
                proof = self._backward() if self.found is None else None
        except Exception as error:  # the forward search can still find the way
            proof = None
            self.reasons.add(f"the backward search failed: {type(error).__name__}: {error}")
        self.reasons.blame(self.unproved)
        if self.found is None and proof is not None and not self._refuted(proof):
            return self._unreachable("symbolic", proof)
        if self.found is None:
            proof = self._forward()
            if self.found is None and proof is not None and not self._refuted(proof):
                return self._unreachable("forward", proof)
        if self.found is None:
            self._take_caught()
        if self.found is None:
            return self._undecided()
        self._make_plain()
        return Reached(
            target=self.goal.shown,
            entry=self.target.label,
            args=self.found.call.args,
            seconds=self._seconds(),
            segments=self.segments,
            phase=self.found_in,
            path_condition=self.found.path_condition,
            route=self.found.route,
            report=self.found.report,
            note=self._note,
        )

    def _make_plain(self) -> None:
        """Take a plainer input that does the same, if there is one and it is confirmed as well."""
        assert self.found is not None
        spare = min(PLAIN_SECONDS, self._budget * PLAIN_SHARE, self._left())
        stop = Moment()
        if not self.phase.budget.counts_work:
            stop = Moment(self._now() + spare, self.exploration.parts.clock)
        if spare <= 0 or self.found.trace is None:
            return
        trace = plainest(self._runner, self.found.trace, self._gets_there, stop)
        if trace is self.found.trace:
            return
        plainer = self._confirmed(trace)
        # One whose replay ends otherwise is no better, as where a result depends on earlier calls.
        if plainer is not None and plainer.outcome in (self.found.outcome, Ending.RETURNED):
            self.found = plainer

    def _refuted(self, proof: tuple[str, ...]) -> bool:
        """Whether runs toward the line refute a proof, before it is believed."""
        if self._caught is not None:
            return True  # the error does come up
        if not self._ahead.attack(min(ATTACK_SECONDS, self._budget * ATTACK_SHARE)):
            return self._refuted_by_other_kinds()
        self._note = f"a proof of ours was wrong, please report it: {proof[0]}"
        warnings.warn(WrongProof(f"{self.goal.shown}: {proof[0]}"), stacklevel=2)
        return True

    def _refuted_by_other_kinds(self) -> bool:
        """Whether values of other kinds refute a proof; a call that is confirmed is the answer."""
        parts = self.exploration.parts
        timed = not self.phase.budget.counts_work
        until = after_work(ATTACK_SECONDS, parts.clock) if timed else Moment()
        replay = self.replay if self.options.replay else None
        seconds = self.options.replay_seconds
        there = first_that_is_there(self.exploration, self.goal, until, replay, seconds)
        if there is None:
            return False
        self.reasons.add(f"{there.shown} executes the line")
        self.found, self.found_in = there.confirmed, "forward"
        return True

    def _take_caught(self) -> None:
        """Take as the answer a run in which the wanted error came up and was caught, if any."""
        if self._caught is None:
            return
        parts, seconds = self.exploration.parts, self.options.replay_seconds
        replay = self.replay if self.options.replay else None
        goal = replace(self.goal, error=None)
        self.found = confirmed(self._caught, goal, parts, replay, seconds)
        self.found_in = "forward"
        where = f"line {self.goal.place.line}"
        self._note = f"{self.goal.error} is raised in {where} and caught by the program"

    def _unreachable(self, phase: str, proof: tuple[str, ...]) -> Unreachable:
        standing = Standing(self.exploration.parts, self.exploration.progress)
        told = assumptions(self._assumed, self._declared(), standing.taken_for_granted)
        return Unreachable(
            self.goal.shown, self.target.label, self._seconds(), self.segments, phase, proof, told
        )

    def _undecided(self) -> Undecided:
        reason = told_open(self.reasons, self.refuted)
        return Undecided(self.goal.shown, self.target.label, self._seconds(), self.segments, reason)

    def _now(self) -> float:
        return self.exploration.parts.clock()

    def _seconds(self) -> float:
        return self._now() - self.began

    def _left(self) -> float:
        return self._budget - self._seconds()

    # -- symbolic and concrete phase

    def _backward(self) -> tuple[str, ...] | None:
        """Search backward; returns the proof if the search is closed, else None."""
        program = self._program()
        flows = program.flows()
        entry, inner = flows.get(self.target.scope), flows.get(self.goal.place.scope)
        if entry is None or inner is None:
            return None
        sorts = Sorts(program)
        sorts.declare(entry, self._declared())
        sorts.settle()
        self._until = self._now() + self._budget * self._share()
        search = Search(
            program=program,
            sorts=sorts,
            solver=self._solver(max(SECONDS_PER_CHECK, self._budget * CHECKING_SHARE)),
            entries=frozenset({self.target.scope}),
            deadline=self._until,
            on_path=self._arrived,
            slicing=self.options.slicing,
        )
        starts = self._starts(inner)
        if not starts:
            return None
        search.run(starts)
        self.segments = len(search.segments)
        proved = search.proved and not self.unproved
        # Without terms and without a proof to be had, the forward search makes more of the time.
        hopeful = self._share() != SHARE_WITHOUT_PROOF
        if not search.found and not proved and hopeful:
            self._try_again(search)
        if search.proved:
            search.open_reasons.blame(entered_again(program, entry))
        self.reasons.take(search.why_open())
        if search.proved and not self.unproved:
            self._assumed = program.constants.used
            return tuple(search.proof())
        return None

    def _program(self) -> Program:
        file = str(self.goal.place.source.file)
        return Program(self._namespace(), file, self.exploration.parts.imported.rewritten.files)

    def _share(self) -> float:
        """The backward search's share of the budget: small where inputs have no terms."""
        if any(variant.objects for variant in self._variants()):
            return SHARE_WITHOUT_PROOF if self.unproved else SHARE_OF_OBJECTS
        return BACKWARD_SHARE

    def _namespace(self) -> dict[str, Any]:
        """The globals of the entry point, which may be bound to its class."""
        function = self._runner.function
        found: dict[str, Any] = getattr(function, "func", function).__globals__
        return found

    def _starts(self, flow: Flow) -> list[Start]:
        line = self.goal.place.line
        if self.goal.side is not None:
            first = self.exploration.parts.imported.rewritten.files[flow.file].first
            wanted = {(site - first, side) for site, side in self.outcomes}
            return [
                Start(flow, number, side, after=True)
                for number, statement in enumerate(flow.statements)
                if isinstance(statement, Branch)
                for side in (False, True)
                if (statement.site, side) in wanted
            ]
        found = flow.starts(line) or flow.starts(self.goal.place.statement)
        here = [n for n, each in enumerate(flow.statements) if each.line == line]
        if self.goal.error is None or any(isinstance(flow.statements[n], Raise) for n in here):
            return [Start(flow, number) for number in found]
        return [Start(flow, number, error=self.goal.error) for number in here]

    @property
    def outcomes(self) -> frozenset[tuple[int, bool]]:
        """The outcomes that are the wanted side of the branch."""
        sites = self.exploration.parts.imported.rewritten.files[str(self.goal.place.source.file)]
        found: set[tuple[int, bool]] = set()
        for branch in sites.branches:
            if branch.line == self.goal.place.line and branch.side is self.goal.side:
                found |= branch.outcomes
        return frozenset(found)

    def _declared(self) -> dict[str, Sort]:
        return {p.name: sort_of(p.shape) for p in self.exploration.parts.arguments.parameters}

    def _solver(self, seconds: float) -> Solver:
        return make_solver(
            self.options.solver,
            ippc="off",
            seconds=min(seconds, self.options.solver_seconds),
            seed=self.options.seed,
        )

    def _arrived(self, path: Path) -> Found | NoInput | NotKnown:
        """Whether an input takes a path that has come to the entry point."""
        endings: list[NotKnown] = []
        unfit: list[TraceProgram] = []
        closed, taken = True, False
        for variant in self._variants():
            program = TraceProgram(path.trace, variant)
            outcome = self._solve(program, FIRST_WALK)
            if isinstance(outcome, Closed):
                endings.append(NotKnown(outcome.why))
                continue
            closed = False
            if isinstance(outcome, Candidate):
                if self._run_there(outcome.assignment, outcome.phase):
                    return Found()
                self.refuted += 1
                taken = True
                endings.append(in_vain("an input that should take this path takes another"))
            else:
                unfit.append(program)
                endings.append(in_vain(f"no input was found for a path: {outcome.why}"))
            if program.meaning.hidden:
                endings.append(in_vain(f"only a run can tell {program.meaning.hidden[0]}"))
        if unfit:
            self._unfit.append((path.segment, unfit, not taken))
        if closed:
            return NoInput(endings[0].why if endings else "no input has these types")
        return endings[-1]

    def _solve(
        self, program: TraceProgram, seconds: float, solver: Solver | None = None
    ) -> Candidate | Closed | Unfit:
        draw = Draw(
            self.exploration.parts.pool,
            self.exploration.parts.random,
            self._runner.aside,
            self._until,
            self._now,
        )
        return program.solve(
            solver or self._entry_solver, lambda share: self._walk(seconds * share), draw
        )

    def _try_again(self, search: Search) -> None:
        """Give more time to the paths for which a little was not enough; some are then refuted."""
        patient = self._solver(SECONDS_PER_LAST_SOLUTION)
        self._until = self._now() + self._budget * self._share()
        for segment, programs, all_of_it in self._unfit:
            if self._walked >= self._budget * min(WALKING_SHARE, self._share()):
                return
            outcomes = [self._solve(program, SECOND_WALK, patient) for program in programs]
            for outcome in outcomes:
                if isinstance(outcome, Candidate) and self._run_there(
                    outcome.assignment, outcome.phase
                ):
                    return
            contradictions = [each.why for each in outcomes if isinstance(each, Closed)]
            if all_of_it and len(contradictions) == len(programs):
                search.close(segment, contradictions[0])

    def _variants(self) -> list[Variant]:
        return variants(self.exploration.parts.arguments, self._runner.aside)

    def _walk(self, most: float) -> Solver:
        allowed = self._budget * min(WALKING_SHARE, self._share()) - self._walked
        seconds = max(LEAST_WALK, min(most, allowed, self._left()))
        self._walked += seconds
        return Walk(seed=self.options.seed, seconds=seconds)

    # -- forward phase

    def _forward(self) -> tuple[str, ...] | None:
        """Explore toward the line; returns the proof if every path was explored, else None."""
        exhausted, progress = self._ahead.search(self._budget), self.exploration.progress
        if exhausted and not self.unproved:
            program = self._program()
            entry = program.flows().get(self.target.scope)
            unseen = {f"{self.target.scope} has no text": None}
            if entry is not None:
                unseen = not_explored(
                    self.goal, self.target, program, entry, self.exploration.parts.arguments
                )
            # What keeps a whole tree from proving a branch infeasible keeps it from this, too.
            standing = Standing(self.exploration.parts, progress)
            unseen |= dict.fromkeys([each.shown for each in standing.obstacles])
            if not self._watch.returned:
                unseen[f"no input made {self.target.scope} return"] = None
            if not unseen:
                return (f"all {progress.tree.paths} paths of {self.target.scope} were explored",)
            self.reasons.blame(unseen)
            if self._ahead.attack(self._left() * ATTACK_SHARE):
                return None
        if self.found is None and self._at_extremes():
            return None
        if progress.losses:
            place = self.goal.place
            loss = nearest_loss(list(progress.losses), str(place.source.file), place.line)
            self.reasons.add(told_loss(*loss), general=not names_source(*loss))
        return None

    def _at_extremes(self) -> bool:
        """Whether extreme integers reach the goal: operations may fail at them though no branch
        shows it.
        """
        shapes = self.exploration.parts.arguments.parameters
        # The first alternative of an int that may be a bool is the int.
        first = {each.name: getattr(each.shape, "choices", [each.shape])[0] for each in shapes}
        whole = [name for name, shape in first.items() if isinstance(shape, IntShape)]
        extremes = [dict.fromkeys(whole, value) for value in EXTREMES if whole]
        with self._runner:
            return any(self._follow(each) for each in extremes)

    # -- what counts

    def _follow(self, assignment: Assignment) -> bool:
        """Run with terms an input whose plain run came to the goal; whether it is accepted."""
        if self._run_there(assignment, "forward"):
            return True
        return bool(self._runner.start_anew()) and self._run_there(assignment, "forward")

    def _run_there(self, assignment: Assignment, phase: str) -> bool:
        self._watch.take()
        trace = self._runner.run(assignment)
        if self._watch.take() is None or not self._counts(trace):
            return False
        if not all_hold((*trace.assumptions, *trace.bounds), trace.assignment):
            return False  # no input of the declared type
        return self._accept(trace, phase)

    def _gets_there(self, trace: Trace) -> bool:
        """Whether the run that just ended came to the goal and counts."""
        return self._watch.seen and self._counts(trace)

    def _counts(self, trace: Trace) -> bool:
        if self.goal.side is not None:
            return any(trace.covered & bit(site, side) for site, side in self.outcomes)
        if self.goal.error is not None:
            came_up = self.goal.is_raised(self._watch.raised)
            if came_up and self._caught is None and trace.ending == Ending.RETURNED:
                self._caught = trace
            return came_up and trace.ending == Ending.RAISED and self.goal.is_raised([trace.error])
        return True

    def _accept(self, trace: Trace, phase: str) -> bool:
        found = self._confirmed(trace)
        if found is None:
            self.refuted += 1
            return False
        self.found, self.found_in = found, phase
        return True

    def _confirmed(self, trace: Trace) -> Confirmation | None:
        replay = self.replay if self.options.replay else None
        seconds = self.options.replay_seconds
        return confirmed(trace, self.goal, self.exploration.parts, replay, seconds)
