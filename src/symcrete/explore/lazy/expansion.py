"""Lazy expansion (LATEST): explore the function under test with its calls abstracted, then realise
each path.

The tree, the strategy and the solver are those of every exploration; only the runs differ. A run
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
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from symcrete.constraint.path import PathConstraint, path_to
from symcrete.explore.lazy.callee_path import open_flip
from symcrete.explore.lazy.realise import Concretiser, Settings
from symcrete.explore.loop.loop import Exploration, Kept
from symcrete.explore.loop.memory import RarelyCollecting
from symcrete.run.expanding import ExpandingRunner
from symcrete.run.judge import Judge
from symcrete.run.results import DoesNotFit, tie
from symcrete.run.trace import Trace
from symcrete.search.strategy import Feedback, Flip, Result, Sample, Step, Strategy
from symcrete.solve.solver import Answer, Unknown, Unsat
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import ERROR_TRIES
from symcrete.tree.tree import ExecutionTree, Grown, Node, Side

OBSERVING_RUNS = 6
MOST_ROUNDS = 4
DRAWS_IN_VAIN = 20
FIRST_PATIENCE = 100  # runs for one abstract path before others have their turn
TURNS_BETWEEN_RETRIES = 8
CHAINED = "takes what other calls return: each result would have to be searched"


@dataclass
class LazyExploration(Exploration):
    """One target being explored lazily; its runner is an `ExpandingRunner`."""

    judge: Judge = field(default_factory=lambda: Judge(()))
    make_strategy: Callable[[], Strategy] | None = None
    make_callee_strategy: Callable[[], Strategy] | None = None
    settings: Settings = field(default_factory=Settings)
    only_returning: bool = False  # leave abstract paths alone that end in an exception
    wanted: Callable[[Trace], bool] = lambda trace: True  # else an abstract path is left alone
    realised: int = 0  # abstract paths for which a real run was found
    refuted: int = 0
    undecided: int = 0  # neither found nor refuted
    runs_for_errors: int = 0  # in operations that may fail, when nothing else was left
    others: dict[object, Trace] = field(default_factory=dict)  # whole runs on paths of their own

    def __post_init__(self) -> None:
        assert isinstance(self.runner, ExpandingRunner) and self.make_strategy is not None
        self._expanding = self.runner
        self._make_strategy = self.make_strategy
        self._delayed: deque[Flip] = deque()
        self._waiting: deque[tuple[Trace, Step, Grown, int]] = deque()
        self._vain: dict[tuple[int, bool], int] = {}
        self._signatures: set[object] = set()
        self._concretiser = self._new_concretiser()

    def _new_concretiser(self) -> Concretiser:
        return Concretiser(
            runner=self._expanding,
            solve=self._solve,
            make_strategy=self.make_callee_strategy or self._make_strategy,
            spent=lambda: self.budget.spent(self.runs),
            on_run=self._count,
            settings=self.settings,
        )

    def watch_with(self, runner: ExpandingRunner) -> None:
        """Run the program with another runner, before the first run."""
        runner.callees = self._expanding.callees
        self.runner = self._expanding = runner
        self._concretiser = self._new_concretiser()

    # -- rounds

    def explore(self) -> str:
        status = "budget"
        for _ in range(MOST_ROUNDS):
            with self.runner, RarelyCollecting() as memory:
                status = self._round(memory)
            if self.budget.spent(self.runs) or not self._follow_more():
                break
        known = self._signatures
        for signature, trace in self.others.items():
            if signature not in known and self.every is not None and not self.only_returning:
                self.every.append(trace)
        return status

    def _round(self, memory: RarelyCollecting) -> str:
        trace, seconds = self._run(self.start)
        if self._observe():
            trace, seconds = self._run(self.start)
        self._learn(Sample(), trace, running=seconds)
        turn = 0
        while not self.budget.spent(self.runs):
            self._follow_nested()
            if self._covered_enough() or self._chained():
                return self._ending()
            turn += 1
            memory.between_runs()
            if self._waiting and turn % TURNS_BETWEEN_RETRIES == 0:
                self._retry()
                continue
            step = self._choose()
            if step is not None:
                self._take(step)
            elif self._waiting:
                self._retry()
            elif self._delayed:
                before = self.runs
                Exploration._flip(self, self._delayed.popleft())
                self.runs_for_errors += self.runs - before
            else:
                hope = self._last_resort()
                if hope is None:
                    return self._ending()
                self._take(hope)
        return "complete" if self._covered_enough() and self.proved_whole else "budget"

    def _choose(self) -> Step | None:
        """The strategy's choice; one that draws in vain again and again is helped out."""
        if not self.tree.open_sides:
            return None
        step = self.strategy.choose(self.tree)
        if isinstance(step, Sample) and self._idle_draws > DRAWS_IN_VAIN:
            self._idle_draws = 0
            return open_flip(self.tree) or step
        return step

    def _follow_nested(self) -> None:
        """Callees of callees that do not pay to abstract: abstract paths are without them anyway,
        so that the search for these goes on.
        """
        labels = self._concretiser.chains.unpaying_inside() if self.judge.decides else []
        news = [label for label in labels if self.judge.follow(label, CHAINED)]
        if not news:
            return
        misfits = self._concretiser.misfits
        self._expanding.callees.known.clear()
        self._concretiser = self._new_concretiser()
        self._concretiser.misfits = misfits

    def _chained(self) -> list[str]:
        """Callees that do not pay to abstract, as far as that is left to us."""
        return self._concretiser.chains.unpaying() if self.judge.decides else []

    def _covered_enough(self) -> bool:
        return not self.whole_tree and self.coverage.complete and self._errors_settled()

    def _errors_settled(self) -> bool:
        """Each operation that can fail has failed once, or was tried often enough."""
        waiting = {flip.node.site for flip in self._delayed}
        return all(
            self.coverage.has(number, False)
            or self._vain.get((number, False), 0) >= ERROR_TRIES
            or number not in waiting
            for number in self.coverage.errors
        )

    @property
    def paths(self) -> int:
        """Paths of the function under test itself that a real run took."""
        own = sum(signature not in self._signatures for signature in self.others)
        return self.realised + own

    @property
    def proved_whole(self) -> bool:
        settled = not self.undecided and not self._waiting and not self._concretiser.misfits
        effects = any(c.effect for c in self._expanding.callees.known.values() if c.is_abstracted)
        return Exploration.proved_whole.__get__(self) and settled and not effects

    def _observe(self) -> bool:
        """Callees without return annotation: see what they return, then judge them again."""
        callees = self._expanding.callees
        if not any(self.judge.needs_observing(each) for each in callees.known.values()):
            return False
        callees.observing = self.judge.observe
        for _ in range(OBSERVING_RUNS):
            self._count(self._expanding.run(self.arguments.sample(self.pool, self.random)))
        callees.observing = None
        callees.known.clear()
        return True

    def _follow_more(self) -> bool:
        """Callees whose abstraction missed something are followed in another round."""
        if self._covered_enough():
            return False
        callees = self._expanding.callees
        more = dict.fromkeys(
            self._concretiser.misfits, "returns values that are not of the type it declares"
        )
        for label in self._chained():
            more[label] = CHAINED
        for each in callees.known.values():
            if each.is_abstracted and each.effect:
                more[each.label] = f"{each.effect}; abstracted first, followed after that"
        more = {label: why for label, why in more.items() if self.judge.follow(label, why)}
        if not more:
            return False
        callees.known.clear()
        self.tree = ExecutionTree()
        self.strategy = self._make_strategy()
        self._concretiser = self._new_concretiser()
        self._delayed.clear()
        self._waiting.clear()
        self.undecided = 0
        return True

    def notes(self) -> list[str]:
        """What was abstracted and what was followed instead."""
        callees = self._expanding.callees
        known = callees.known.values()
        said = [
            f"{self.realised} paths realised, {self.refuted} refuted, {self.undecided} undecided"
        ]
        abstracted = sorted(each.label for each in known if each.is_abstracted)
        if abstracted:
            said.append(f"abstracted: {', '.join(abstracted)}")
        for each in sorted(known, key=lambda each: each.label):
            if not each.is_abstracted and each.why_followed != "not asked for":
                said.append(f"followed instead of abstracted: {each.label}: {each.why_followed}")
        for label in sorted(self._concretiser.misfits):
            said.append(f"returns values that are not of the type it declares: {label}")
        for label in sorted(callees.caught_calls):
            said.append(f"followed where the caller may catch what it raises: {label}")
        return said

    # -- steps

    def _run(self, assignment: Assignment) -> tuple[Trace, float]:
        trace = self._expanding.run_abstract(assignment)
        self._count(trace)
        return trace, trace.seconds

    def _count(self, trace: Trace) -> None:
        self.runs += 1
        self.seconds_running += trace.seconds
        for effect in trace.blocked:
            self.losses[("", 0, effect)] = None
        for loss in trace.losses:
            self.losses[loss] = None
        self.refused += trace.ending == "refused"
        if trace.abstract or trace.ending == "refused":
            return
        own = {name: value for name, value in trace.assignment.items() if "#" not in name}
        self._credit(dataclasses.replace(trace, assignment=own))

    def _credit(self, trace: Trace) -> None:
        """A run with every call followed: what it covered counts."""
        self.cut_runs += trace.ending == "timeout"
        if trace.ending == "rejected":
            return
        new = self.coverage.add(trace.covered)
        if self.coverage.counts(new) or (not self.kept and not self.coverage.own):
            kept = Kept(trace, new)
            self.kept.append(kept)
            self.on_kept(kept)
            self._idle_draws = 0
        self.others.setdefault(self._signature(trace), trace)

    def _signature(self, trace: Trace) -> object:
        return trace.covered & self.coverage.own_bits, trace.ending, trace.error

    def _take(self, step: Step) -> None:
        if isinstance(step, Flip):
            self._flip(step)
            return
        self._idle_draws += 1
        whole = self._expanding.run(self.arguments.sample(self.pool, self.random))
        self._count(whole)
        self._concretiser.learn(whole)
        trace, seconds = self._run(self._with_results(whole))
        self._learn(step, trace, running=seconds, known=whole)

    def _flip(self, flip: Flip) -> None:
        """Errors in operations, many and mostly impossible, wait until nothing else is left."""
        if not self.coverage.sites[flip.node.site].implicit:
            Exploration._flip(self, flip)
            return
        self._delayed.append(flip)
        self.tree.settle(flip.node, flip.side, Side.UNKNOWN, "budget spent before it was tried")
        self.strategy.learn(Feedback(flip, "unknown"))

    def _with_results(self, whole: Trace) -> Assignment:
        """The input and the results its calls had."""
        values = {name: value for name, value in whole.assignment.items() if "#" not in name}
        for call in whole.calls:
            if call.raised is None:
                try:
                    tie(call.callee.shape, call.name, call.result, values)
                except DoesNotFit:
                    self._concretiser.misfits[call.callee.label] = None
        return values

    def _answer(self, node: Node, side: bool) -> Answer:
        constraint = path_to(node, side)
        calls = tuple([c for c in node.trace.calls if c.abstract and c.end <= node.depth])
        if self._concretiser.lemmas.refuting(constraint.conditions, calls):
            return Unsat(())
        return Exploration._answer(self, node, side)

    def _solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        began = time.perf_counter()
        try:
            return self.solver.solve(constraint, near)
        except Exception as error:
            self.solver_failures[f"{type(error).__name__}: {error}"] = None
            return Unknown(f"the solver failed: {type(error).__name__}")
        finally:
            self.seconds_solving += time.perf_counter() - began

    def _learn(
        self,
        step: Step,
        trace: Trace,
        *,
        solving: float = 0.0,
        running: float = 0.0,
        known: Trace | None = None,
    ) -> None:
        if trace.ending == "refused":
            self._give_up(step)
            return
        grown = self.tree.add(trace)
        self.confused += grown.confused
        before = self.coverage.seen
        if grown.is_new:
            if not trace.abstract:
                self._realise_with(trace, trace, grown)
            elif known is not None and self._realises(trace, known):
                self._realise_with(trace, known, grown)
            elif self.wanted(trace):
                self._realise(trace, step, grown)
        result: Result = "ran"
        if isinstance(step, Flip) and step.node.state[step.side] is not Side.SEEN:
            result = "diverged"
            self.divergences += 1
            self.tree.settle(step.node, step.side, Side.DIVERGED, "the run took another path")
        new = self.coverage.seen & ~before
        self._tell(Feedback(step, result, trace, grown, new, solving, running))

    # -- realising abstract paths

    def _retry(self) -> None:
        """What searches saw is remembered, so that this goes on where the last one stopped."""
        trace, step, grown, patience = self._waiting.popleft()
        self._realise(trace, step, grown, 2 * patience)

    def _realise(self, trace: Trace, step: Step, grown: Grown, patience: int | None = None) -> None:
        if not self.whole_tree and not self._promises(trace, step):
            return
        if self.only_returning and trace.ending != "returned":
            self.undecided += 1
            return
        if patience is None and self.settings.known_paths:
            patience = FIRST_PATIENCE
        found = self._concretiser.concretise(
            trace, lambda whole: self._realises(trace, whole), patience
        )
        if isinstance(found, Trace):
            self._realise_with(trace, found, grown)
            return
        if self._concretiser.impatient and patience is not None:
            self._waiting.append((trace, step, grown, patience))
            return
        self.refuted += found.blame is not None
        self.undecided += found.blame is None
        if isinstance(step, Flip):
            outcome = (step.node.site, step.side)
            self._vain[outcome] = self._vain.get(outcome, 0) + 1

    def _promises(self, trace: Trace, step: Step) -> bool:
        """Whether a real run of this path would cover something that is still wanted."""
        if trace.covered & self.coverage.own_bits & ~self.coverage.seen:
            return True
        return isinstance(step, Sample) and not self.kept

    def _realises(self, trace: Trace, whole: Trace) -> bool:
        """Whether the whole run went the abstract path: outcomes of the target and ending."""
        own = self.coverage.own_bits
        same_end = (whole.ending, whole.error) == (trace.ending, trace.error)
        return same_end and not trace.covered & own & ~whole.covered

    def _realise_with(self, trace: Trace, whole: Trace, grown: Grown) -> None:
        """Flips of this path start from its real input: the calls before them stay as they are."""
        self.realised += 1
        own = {name: value for name, value in whole.assignment.items() if "#" not in name}
        self._signatures.add(self._signature(whole))
        if self.every is not None and not (self.only_returning and whole.ending != "returned"):
            self.every.append(dataclasses.replace(whole, assignment=own))
        better = dataclasses.replace(
            trace, assignment={**trace.assignment, **self._with_results(whole)}
        )
        for node in grown.nodes:
            node.trace = better
