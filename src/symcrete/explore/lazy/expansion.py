"""Lazy expansion (LATEST): explore the function under test with its calls abstracted, then realise
each path.

It holds an exploration and takes its steps in another way: the tree, the strategy and the solver
are those of every exploration; only the runs differ. A run
abstracts the calls that depend on inputs, so that the tree holds the paths of the function under
test alone (`abstract_next_path`, Figure 4). Each new abstract path is given to the concretiser;
what counts as covered and what is reported comes only from its runs in which every call was
followed. A whole run that leaves the abstract path (a callee had a side effect) is a path of its
own.

A callee with effects that the user asked to abstract all the same may lead where no abstract path
goes: after the abstract paths the target is explored once more with such callees followed, which is
what makes Theorem 1 (the same statements are executed as by plain search) hold for them too.
"""

from __future__ import annotations

import dataclasses
from collections import deque

from symcrete.constraint.path import PathConstraint, path_to
from symcrete.explore.findings import Status
from symcrete.explore.lazy.abstracting import Lazily
from symcrete.explore.lazy.callee_path import open_flip
from symcrete.explore.lazy.realise import Concretiser
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.memory import RarelyCollecting
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.phase import Phase
from symcrete.explore.loop.progress import Progress
from symcrete.run.callees.callees import NOT_ASKED_FOR
from symcrete.run.callees.results import DoesNotFit, tie
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.strategy import Feedback, Flip, Result, Sample, Step, Strategy
from symcrete.solve.solver import Answer, Unknown, Unsat
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import ERROR_TRIES
from symcrete.tree.tree import Grown, Node, Side

# random runs that show what callees without a declared type return; chosen, not measured
OBSERVING_RUNS = 6
# rounds, each of which follows callees whose abstraction missed something in the one before;
# chosen, not measured
MOST_EXPANSION_ROUNDS = 4
# draws in a row that bring nothing, after which a branch is flipped whatever the strategy says;
# chosen, not measured
DRAWS_IN_VAIN = 20
# runs for one abstract path before others have their turn; chosen, not measured
FIRST_PATIENCE = 100
# steps between two tries of paths that took too long; chosen, not measured
TURNS_BETWEEN_RETRIES = 8
CHAINED = "takes what other calls return: each result would have to be searched"


class LazyExploration:
    """One target being explored with its calls abstracted first."""

    def __init__(self, plain: Exploration, lazily: Lazily) -> None:
        self._plain = plain
        self._lazily = lazily
        self.realised = 0  # abstract paths for which a real run was found
        self.refuted = 0
        self.undecided = 0  # neither found nor refuted
        # runs spent on operations that may fail, when nothing else was left
        self.runs_for_errors = 0
        # whole runs, by what they covered and how they ended
        self._others: dict[object, Trace] = {}
        self._delayed: deque[Flip] = deque()  # errors in operations, for when nothing else is left
        # abstract paths whose search was given up, with the patience it had
        self._waiting: deque[tuple[Trace, Step, Grown, int]] = deque()
        self._vain: dict[tuple[int, bool], int] = {}  # by outcome, paths to it not realised
        self._signatures: set[object] = set()  # of the whole runs that realised an abstract path
        self._phase: Phase | None = None  # the phase under way
        self._start: Assignment | None = None  # the first input of all, with which rounds begin
        self._rounds = 0  # rounds begun
        self._begun = False  # whether the round under way is one of them
        self._strategy: Strategy | None = None  # that of the round under way
        self._concretiser = self._new_concretiser()

    @property
    def parts(self) -> Parts:
        return self._plain.parts

    @property
    def progress(self) -> Progress:
        return self._plain.progress

    def _new_concretiser(self, misfits: dict[str, None] | None = None) -> Concretiser:
        return Concretiser(
            runner=self._lazily.runner,
            solve=self._solve,
            make_strategy=self._lazily.make_callee_strategy,
            spent=self._over,
            on_run=self._count,
            settings=self._lazily.settings,
            misfits={} if misfits is None else misfits,
        )

    def _over(self) -> bool:
        return self._phase is not None and self._phase.over(self.progress.runs)

    # -- rounds

    def explore(self, phase: Phase) -> Status:
        """Explore until the phase is over; another phase goes on where this one ended."""
        status: Status = Status.BUDGET
        while True:
            self._strategy = self._strategy or phase.strategy
            self._phase = phase = dataclasses.replace(phase, strategy=self._strategy)
            with self._lazily.runner, RarelyCollecting() as memory:
                self._begin(phase)
                status = self._round(phase, memory)
            last = self._over() or self._rounds == MOST_EXPANSION_ROUNDS
            if last or not self._follow_more(phase):
                break
            phase = dataclasses.replace(phase, first=())
            self._begun, self._strategy = False, self._lazily.make_strategy()
        for signature, trace in self._others.items():
            known = signature in self._signatures
            if not known and not self._lazily.only_returning:
                self.progress.path(trace)
        return status

    def draw_on(self, phase: Phase) -> None:
        self._phase = phase
        with self._lazily.runner, RarelyCollecting() as memory:
            while not self._over():
                self._take(Sample(), phase)
                memory.between_runs()

    def _begin(self, phase: Phase) -> None:
        """Begin a round, unless one is under way. Then run the phase's other inputs with every
        call followed, since another search found them so.
        """
        first = phase.first
        if self._start is None:
            self._start, first = first[0], first[1:]
        if not self._begun:
            self._begun = True
            self._rounds += 1
            trace, seconds = self.run(self._start)
            if self._observe():
                trace, seconds = self.run(self._start)
            self.learn(Sample(), trace, phase, running=seconds)
        for given in first:
            self._take_whole(given, phase)

    def _round(self, phase: Phase, memory: RarelyCollecting) -> Status:
        progress = self.progress
        turn = 0
        while not self._over():
            self._follow_nested()
            if self._covered_enough(phase) or self._chained():
                return self._ending()
            turn += 1
            memory.between_runs()
            if self._waiting and turn % TURNS_BETWEEN_RETRIES == 0:
                self._retry(phase)
                continue
            step = self._choose(phase)
            if step is not None:
                self._take(step, phase)
            elif self._waiting:
                self._retry(phase)
            elif self._delayed:
                before = progress.runs
                self._plain.flip(self._delayed.popleft(), phase, self)
                self.runs_for_errors += progress.runs - before
            else:
                hope = self._plain.last_resort()
                if hope is None:
                    return self._ending()
                self._take(hope, phase)
        whole = self._covered_enough(phase) and self.proved_whole
        return Status.COMPLETE if whole else Status.BUDGET

    def _ending(self) -> Status:
        if self.proved_whole:
            return Status.COMPLETE
        return Status.COVERED if self.parts.coverage.complete else Status.BUDGET

    def _choose(self, phase: Phase) -> Step | None:
        """The strategy's choice, or an open branch where it draws in vain again and again; None if
        nothing is open.
        """
        progress = self.progress
        if not progress.tree.open_sides:
            return None
        step = phase.strategy.choose(progress.tree)
        if isinstance(step, Sample) and progress.idle_draws > DRAWS_IN_VAIN:
            progress.draw_anew()
            return open_flip(progress.tree) or step
        return step

    def _follow_nested(self) -> None:
        """From now on follow callees of callees that do not pay to abstract. Abstract paths do not
        contain them, so the search goes on with the same tree.
        """
        judge = self._lazily.judge
        labels = self._concretiser.chains.unpaying_inside() if judge.decides else []
        news = [label for label in labels if judge.follow(label, CHAINED)]
        if not news:
            return
        self._lazily.runner.callees.known.clear()
        self._concretiser = self._new_concretiser(self._concretiser.misfits)

    def _chained(self) -> list[str]:
        """Callees that do not pay to abstract; none where the user named what to abstract."""
        return self._concretiser.chains.unpaying() if self._lazily.judge.decides else []

    def _covered_enough(self, phase: Phase) -> bool:
        return not phase.whole_tree and self.parts.coverage.complete and self._errors_settled()

    def _errors_settled(self) -> bool:
        """Whether each operation that can fail has failed once, or was tried often enough."""
        waiting = {flip.node.site for flip in self._delayed}
        coverage = self.parts.coverage
        return all(
            coverage.has(number, False)
            or self._vain.get((number, False), 0) >= ERROR_TRIES
            or number not in waiting
            for number in coverage.errors
        )

    @property
    def paths(self) -> int:
        """The number of paths of the function under test itself that a real run took."""
        own = sum(signature not in self._signatures for signature in self._others)
        return self.realised + own

    @property
    def proved_whole(self) -> bool:
        settled = not self.undecided and not self._waiting and not self._concretiser.misfits
        callees = self._lazily.runner.callees
        effects = any(
            each.effect or each.is_guessed or each.label in callees.given_changeable
            for each in callees.known.values()
            if each.is_abstracted
        )
        return self._plain.proved_whole and settled and not effects

    @property
    def proved_before_losses(self) -> bool:
        return self.proved_whole  # a term lost in an abstracted call has no place in the target

    def _observe(self) -> bool:
        """Run the program to see what callees without return annotation return, so that they are
        judged again; False if there are none.
        """
        runner, judge = self._lazily.runner, self._lazily.judge
        if not any(judge.needs_observing(each) for each in runner.callees.known.values()):
            return False
        with runner.callees.observed_by(judge.observe):
            for _ in range(OBSERVING_RUNS):
                self._count(runner.run(self._sample()))
        runner.callees.known.clear()
        return True

    def _sample(self) -> Assignment:
        parts = self.parts
        return parts.runner.sample(parts.pool, parts.random)

    def _follow_more(self, phase: Phase) -> bool:
        """Follow callees whose abstraction missed something in another round; False if there are
        none.
        """
        if self._covered_enough(phase):
            return False
        callees, judge = self._lazily.runner.callees, self._lazily.judge
        more = dict.fromkeys(
            self._concretiser.misfits, "returns values that are not of the type it declares"
        )
        for label in self._chained():
            more[label] = CHAINED
        for each in callees.known.values():
            if each.is_abstracted and each.effect:
                more[each.label] = f"{each.effect}; abstracted first, followed after that"
        more = {label: why for label, why in more.items() if judge.follow(label, why)}
        if not more:
            return False
        callees.known.clear()
        self.progress.plant_another_tree()
        self._concretiser = self._new_concretiser()
        self._delayed.clear()
        self._waiting.clear()
        self.undecided = 0
        return True

    def notes(self) -> list[str]:
        """Sentences for the report: what was abstracted and what was followed instead."""
        callees = self._lazily.runner.callees
        known = callees.known.values()
        said = [
            f"{self.realised} paths realised, {self.refuted} refuted, {self.undecided} undecided"
        ]
        abstracted = sorted(each.label for each in known if each.is_abstracted)
        if abstracted:
            said.append(f"abstracted: {', '.join(abstracted)}")
        for each in sorted(known, key=lambda each: each.label):
            if each.why_followed not in ("", NOT_ASKED_FOR):
                said.append(f"followed instead of abstracted: {each.label}: {each.why_followed}")
        for label in sorted(self._concretiser.misfits):
            said.append(f"returns values that are not of the type it declares: {label}")
        for label in sorted(callees.caught_calls):
            said.append(f"followed where the caller may catch what it raises: {label}")
        return said

    # -- steps

    def run(self, assignment: Assignment) -> tuple[Trace, float]:
        trace = self._lazily.runner.run_abstract(assignment)
        self._count(trace)
        return trace, trace.seconds

    def _count(self, trace: Trace) -> None:
        progress = self.progress
        progress.ran(trace.seconds)
        progress.lose(trace)
        if trace.ending == Ending.REFUSED:
            progress.refuse()
        if trace.abstract or trace.ending == Ending.REFUSED:
            return
        own = {name: value for name, value in trace.assignment.items() if "#" not in name}
        self._credit(dataclasses.replace(trace, assignment=own))

    def _credit(self, trace: Trace) -> None:
        """Count what a run covered in which every call was followed."""
        progress, coverage = self.progress, self.parts.coverage
        if trace.ending == Ending.TIMEOUT:
            progress.cut(trace)
        progress.begin(trace)
        if trace.ending == Ending.REJECTED:
            return
        new = coverage.add(trace.covered)
        if coverage.counts(new) or (not progress.kept and not coverage.own):
            self._plain.keep(trace, new)
        self._others.setdefault(self._signature(trace), trace)

    def _signature(self, trace: Trace) -> object:
        return trace.covered & self.parts.coverage.own_bits, trace.ending, trace.error

    def _take(self, step: Step, phase: Phase) -> None:
        if isinstance(step, Flip):
            self._flip(step, phase)
            return
        self.progress.draw_in_vain()
        self._take_whole(self._sample(), phase)

    def _take_whole(self, assignment: Assignment, phase: Phase) -> None:
        """Run an input with every call followed, then abstractly with the results the calls had."""
        whole = self._lazily.runner.run(assignment)
        self._count(whole)
        self._concretiser.learn(whole)
        trace, seconds = self.run(self._with_results(whole))
        self.learn(Sample(), trace, phase, running=seconds, known=whole)

    def _flip(self, flip: Flip, phase: Phase) -> None:
        """Flip a branch; errors in operations, many and mostly impossible, wait until nothing else
        is left.
        """
        if not self.parts.coverage.sites[flip.node.site].implicit:
            self._plain.flip(flip, phase, self)
            return
        self._delayed.append(flip)
        tree, reason = self.progress.tree, "budget spent before it was tried"
        tree.settle(flip.node, flip.side, Side.UNKNOWN, reason)
        phase.strategy.learn(Feedback(flip, "unknown"))

    def _with_results(self, whole: Trace) -> Assignment:
        """The input of a whole run together with the results that its calls had."""
        values = {name: value for name, value in whole.assignment.items() if "#" not in name}
        for call in whole.calls:
            if call.raised is None:
                try:
                    tie(call.callee.shape, call.name, call.result, values)
                except DoesNotFit:
                    self._concretiser.misfits[call.callee.label] = None
        return values

    def answer(self, node: Node, side: bool) -> Answer:
        constraint = path_to(node, side)
        calls = tuple([c for c in node.trace.calls if c.abstract and c.end <= node.depth])
        if self._concretiser.lemmas.refuting(constraint.conditions, calls):
            return Unsat(())
        return self._plain.answer(node, side)

    def _solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        progress, clock = self.progress, self.parts.clock
        began = clock()
        try:
            return progress.solver.solve(constraint, near)
        except Exception as error:
            return Unknown(progress.fail(error))
        finally:
            progress.solved(clock() - began)

    def learn(
        self,
        step: Step,
        trace: Trace,
        phase: Phase,
        *,
        solving: float = 0.0,
        running: float = 0.0,
        known: Trace | None = None,
    ) -> None:
        """Take in an abstract run, and realise its path if it is new; `known` is a run with every
        call followed that may have gone the same path.
        """
        if trace.ending == Ending.REFUSED:
            self._plain.give_up(step, phase)
            return
        if not trace.is_input:
            self._plain.pass_over(step, phase)
            return
        progress, coverage = self.progress, self.parts.coverage
        grown = progress.tree.add(trace)
        progress.contradict(grown.confused)
        before = coverage.seen
        if grown.is_new:
            if not trace.abstract:
                self._realise_with(trace, trace, grown)
            elif known is not None and self._realises(trace, known):
                self._realise_with(trace, known, grown)
            elif phase.worth_realising(trace):
                self._realise(trace, step, grown, phase)
        result: Result = "ran"
        if isinstance(step, Flip) and step.node.state[step.side] is not Side.SEEN:
            result = "diverged"
            progress.stray(step.node, step.side)
        new = coverage.seen & ~before
        self._plain.tell(Feedback(step, result, trace, grown, new, solving, running), phase)

    # -- realising abstract paths

    def _retry(self, phase: Phase) -> None:
        """Search once more for a path that was given up, with twice the patience; what the earlier
        search saw is remembered.
        """
        trace, step, grown, patience = self._waiting.popleft()
        self._realise(trace, step, grown, phase, 2 * patience)

    def _realise(
        self, trace: Trace, step: Step, grown: Grown, phase: Phase, patience: int | None = None
    ) -> None:
        if not phase.whole_tree and not self._promises(trace, step):
            return
        if self._lazily.only_returning and trace.ending != Ending.RETURNED:
            self.undecided += 1
            return
        if patience is None and self._lazily.settings.known_paths:
            patience = FIRST_PATIENCE
        found = self._concretiser.concretise(
            trace, lambda whole: self._realises(trace, whole), patience
        )
        if isinstance(found, Trace):
            self._realise_with(trace, found, grown)
            return
        if patience is not None and (self._concretiser.impatient or self._over()):
            self._waiting.append((trace, step, grown, patience))
            return
        self.refuted += found.blame is not None
        self.undecided += found.blame is None
        if isinstance(step, Flip):
            outcome = (step.node.site, step.side)
            self._vain[outcome] = self._vain.get(outcome, 0) + 1

    def _promises(self, trace: Trace, step: Step) -> bool:
        """Whether a real run of this path would cover something that is still wanted."""
        coverage = self.parts.coverage
        if trace.covered & coverage.own_bits & ~coverage.seen:
            return True
        return isinstance(step, Sample) and not self.progress.kept

    def _realises(self, trace: Trace, whole: Trace) -> bool:
        """Whether the whole run went the abstract path: it took the same outcomes of the target
        and ended alike.
        """
        own = self.parts.coverage.own_bits
        same_end = (whole.ending, whole.error) == (trace.ending, trace.error)
        return same_end and not trace.covered & own & ~whole.covered

    def _realise_with(self, trace: Trace, whole: Trace, grown: Grown) -> None:
        """Count an abstract path as realised by this run; flips of it start from the real input,
        so that the calls before them stay as they are.
        """
        self.realised += 1
        own = {name: value for name, value in whole.assignment.items() if "#" not in name}
        self._signatures.add(self._signature(whole))
        left_out = self._lazily.only_returning and whole.ending != Ending.RETURNED
        if not left_out:
            self.progress.path(dataclasses.replace(whole, assignment=own))
        better = dataclasses.replace(
            trace, assignment={**trace.assignment, **self._with_results(whole)}
        )
        for node in grown.nodes:
            node.start_from(better)
