"""Find a real run for an abstract path: `concretize` and `next_path` of LATEST (Figure 5),
stateless (4.2).

An abstract path has calls whose results are unknown. They are realised in the order of execution:
for each call a path through the callee is wanted whose conditions, together with "the unknown is
what this path returns" and all conditions of the abstract path, can be satisfied. Calls inside the
callee are abstract at first and come next in line. Nothing is trusted in the end: the input found
is run with every call followed.

Beyond the report: paths through a callee that are known already are tried before it is searched, by
solving alone; a call that cannot be realised says which conditions are to blame, so that choices
which have no part in them are not tried again (backjumping), nor abstract paths that contain them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from symcrete.constraint.path import PathConstraint, path_to
from symcrete.explore.lazy.blame import NO_BLAME, Blame, Charges
from symcrete.explore.lazy.call_chains import Chains
from symcrete.explore.lazy.callee_path import (
    RAISED,
    CalleePath,
    as_called,
    atom_of,
    conditions_of,
    decided_before,
    flips_of,
    next_flip,
    next_open,
    not_decided,
    part_of,
    place_of,
    same_input,
)
from symcrete.explore.lazy.imitate import Examples, hangs_on_results
from symcrete.explore.lazy.lemmas import Lemmas
from symcrete.run.callees.expanding import ExpandingRunner
from symcrete.run.callees.results import DoesNotFit, tie
from symcrete.run.trace import Called, Trace
from symcrete.run.use import Ending
from symcrete.search.strategy import Feedback, Flip, Result, Sample, Step, Strategy
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, Sat, Unsat
from symcrete.terms.evaluate import Assignment, first_broken
from symcrete.terms.term import TRUE, Term
from symcrete.tree.tree import ExecutionTree, Node, Side

# runs with every call followed that are remembered by their input; chosen, not measured
MOST_WHOLE_RUNS = 500
MOST_KNOWN = 400  # paths kept of one callee with the same arguments; chosen, not measured


@dataclass(frozen=True, slots=True)
class Refuted:
    """No real run takes the abstract path."""

    blame: Blame


@dataclass(slots=True)
class Settings:
    """Which improvements over the report are used; with all off it is the algorithm as
    published.
    """

    known_paths: bool = True  # try paths through a callee that runs have shown before searching it
    backjumping: bool = True  # go back to a choice only if its conditions are to blame
    whole_run_first: bool = True  # first run the abstract path's own input with every call followed


@dataclass(slots=True)
class Concretiser:
    """Finds real runs for abstract paths, and remembers what it learns of callees."""

    runner: ExpandingRunner
    solve: Callable[[PathConstraint, Assignment], Answer]
    make_strategy: Callable[[], Strategy]
    spent: Callable[[], bool]
    on_run: Callable[[Trace], None]  # told of every run, partial or whole
    settings: Settings = field(default_factory=Settings)
    # By the key of a call, paths through its callee that were followed all the way down.
    known: dict[Any, dict[tuple[Term, ...], CalleePath]] = field(default_factory=dict)
    # What searches saw of a callee with the calls inside it abstract.
    explored: dict[Any, dict[tuple[Term, ...], CalleePath]] = field(default_factory=dict)
    examples: Examples = field(default_factory=Examples)
    lemmas: Lemmas = field(default_factory=Lemmas)
    misfits: dict[str, None] = field(
        default_factory=dict
    )  # callees whose results are not as declared
    chains: Chains = field(default_factory=Chains)
    impatient: bool = False  # whether the last search gave up since its runs were used up
    _left: int | None = None  # runs left before it gives up; None: no limit
    _wanted: Callable[[Trace], bool] = lambda trace: True
    _reached: set[str] = field(default_factory=set)
    _wholes: dict[Any, Trace] = field(default_factory=dict)  # the latest whole runs, by input
    _whole: Trace | None = None  # the run of the abstract path's own input

    # -- concretize

    def concretise(
        self, trace: Trace, realised: Callable[[Trace], bool], patience: int | None = None
    ) -> Trace | Refuted:
        """A run with every call followed that `realised` accepts, or why there is none.

        With `patience` it gives up after so many runs; `impatient` says that it did.
        """
        self._left = patience
        self.impatient = False
        self._wanted = realised
        self._reached = set()
        self._whole = None
        conditions = (*trace.assumptions, *trace.conditions)
        calls = tuple([call for call in trace.calls if call.abstract])
        self.chains.begin(calls)
        if self.lemmas.refuting(conditions, calls):
            return Refuted(NO_BLAME)
        assignment = trace.assignment
        if self.settings.whole_run_first:
            whole = self._run(assignment, None)
            if self._agrees(whole, conditions, calls, assignment) and realised(whole):
                return whole
            self._whole = whole
        found = self._realise(conditions, assignment, calls, frozenset())
        if isinstance(found, Refuted) and found.blame is not None and self.settings.backjumping:
            self._learn_refutation(found.blame, calls)
        self.chains.end(given_up=self.impatient)
        return found

    def _agrees(
        self,
        whole: Trace,
        conditions: tuple[Term, ...],
        calls: tuple[Called, ...],
        assignment: Assignment,
    ) -> bool:
        """Whether the results that the calls really have satisfy the abstract path."""
        real = {call.name: call for call in whole.calls}
        values = dict(assignment)
        for call in calls:
            done = real.get(call.name)
            if done is None or done.raised is not None:
                return False
            try:
                tie(call.callee.shape, call.name, done.result, values)
            except DoesNotFit:
                self.misfits[call.callee.label] = None
                return False
        return first_broken(conditions, values) is None

    def _realise(
        self,
        conditions: tuple[Term, ...],
        assignment: Assignment,
        calls: tuple[Called, ...],
        followed: frozenset[str],
        last: Trace | None = None,
    ) -> Trace | Refuted:
        if not calls:
            again = last is not None and not last.abstract and same_input(last, assignment)
            whole = last if again and last is not None else self._run(assignment, None)
            if self._wanted(whole):
                return whole
            return Refuted(None)
        call, rest = calls[0], calls[1:]
        self._reached.add(call.name)
        self.chains.comes_up(call)
        charges = self._charges(conditions)
        # by path, the conditions for which it was refused
        refused: dict[tuple[Term, ...], frozenset[Term]] = {}
        for path in self._paths(call, conditions, assignment, followed, refused):
            if isinstance(path, Refuted):
                charges.add(path.blame)
                return Refuted(charges.verdict())
            ties, values = self._tied(call, path)
            if values is None:
                charges.add(None)
                continue
            more = tuple(dict.fromkeys((*path.conditions, *ties)))
            # The run that took this path has names for the results of the calls inside it.
            near = assignment if path.run is None else {**assignment, **path.run.assignment}
            answer = self._satisfy(conditions, more, near | values, near=near)
            if not isinstance(answer, Sat):
                charges.refused(answer, more[-1] if more else TRUE, near)
                continue
            own = frozenset(more).difference(conditions)
            together = (*conditions, *more)
            left = (*path.inside, *as_called(rest, path.run))
            lemma = self.lemmas.refuting(together, left)
            if lemma is not None:
                charges.add(lemma.conditions - own)
                refused[path.conditions] = lemma.conditions & own
                continue
            # A path without abstract calls inside: all that the call calls is followed, too.
            on = followed | ({call.name} if path.inside else {call.name, f"{call.name}."})
            found = self._realise(together, answer.assignment, left, on, path.run)
            if isinstance(found, Trace):
                return found
            if self._given_up():
                return Refuted(None)
            if found.blame is not None and self.settings.backjumping:
                self._learn_refutation(found.blame, left)
            innocent = found.blame is not None and found.blame.isdisjoint(own)
            if innocent and self.settings.backjumping:
                return found  # another way through this callee would change nothing
            charges.add(None if found.blame is None else found.blame - own)
            refused[path.conditions] = (found.blame or NO_BLAME) & own
        return Refuted(charges.verdict())

    def _tied(self, call: Called, path: CalleePath) -> tuple[list[Term], Assignment | None]:
        values: Assignment = {}
        try:
            return tie(call.callee.shape, call.name, path.result, values), values
        except DoesNotFit:
            self.misfits[call.callee.label] = None
            return [], None

    def _satisfy(
        self,
        conditions: tuple[Term, ...],
        more: tuple[Term, ...],
        guess: Assignment,
        *,
        near: Assignment,
    ) -> Answer:
        """An assignment for all the conditions: the guess if it satisfies them, else a solver's
        answer.
        """
        if first_broken(more, guess) is None and first_broken(conditions, guess) is None:
            return Sat(guess)
        if not more:
            return self.solve(PathConstraint(conditions, TRUE), near)
        return self.solve(PathConstraint((*conditions, *more[:-1]), more[-1]), near)

    def _charges(self, conditions: tuple[Term, ...]) -> Charges:
        return Charges(conditions, self.solve, shrink=self.settings.backjumping)

    # -- paths through a callee

    def _paths(
        self,
        call: Called,
        conditions: tuple[Term, ...],
        assignment: Assignment,
        followed: frozenset[str],
        refused: dict[tuple[Term, ...], frozenset[Term]],
    ) -> Iterator[CalleePath | Refuted]:
        """Paths through the callee of a call: known ones first, then new ones; at last, why there
        are no more.
        """
        tried: list[CalleePath] = []
        if call.key is not None and hangs_on_results(call.key):
            call = self._as_made(call, assignment, followed)
        if self.settings.known_paths and call.key is not None:
            tried = self._known(call.key, assignment)
            yield from tried
            # Inside a callee the search is under way, from a run that suits it.
            alone = self.chains.is_outermost(call) and not hangs_on_results(call.key)
            for example in self.examples.fitting(call, conditions, tried) if alone else ():
                path, assignment = self.examples.imitated(
                    example, call, conditions, assignment, self._whole_run, self.solve
                )
                if path is not None:
                    tried.append(path)
                    yield path
        self.chains.is_searched(call)
        yield from self._search(call, conditions, assignment, followed, tried, refused)

    def _as_made(self, call: Called, assignment: Assignment, followed: frozenset[str]) -> Called:
        """The call with the arguments it has once those before it are followed."""
        if self._given_up():
            return call
        trace = self._run(assignment, followed)
        return next((each for each in trace.calls if each.name == call.name), call)

    def _known(self, key: Any, assignment: Assignment) -> list[CalleePath]:
        """The known paths through a callee; those that the input at hand takes, which need no
        solving, first.
        """
        known = self.known.get(key, {}).values()
        return sorted(known, key=lambda path: first_broken(path.conditions, assignment) is not None)

    def _search(
        self,
        call: Called,
        conditions: tuple[Term, ...],
        assignment: Assignment,
        followed: frozenset[str],
        tried: list[CalleePath],
        refused: dict[tuple[Term, ...], frozenset[Term]],
    ) -> Iterator[CalleePath | Refuted]:
        """Paths found by exploring the callee from this call on, under the conditions around it
        (`next_path`).

        Where later calls refused a path for conditions of its own, these are flipped first.
        """
        tree, strategy = ExecutionTree(), self.make_strategy()
        culprits: list[Flip] = []
        turned: set[Node] = set()  # nodes at which a culprit was flipped
        directed = False
        charges = self._charges(conditions)
        done = {path.conditions for path in tried}
        followed = followed | {call.name}
        trace = self._first_run(call, assignment, followed)
        step: Step | None = Sample()
        mine = next((each for each in trace.calls if each.name == call.name), None)
        if self.settings.known_paths and mine is not None and mine.key is not None:
            if mine.key != call.key:
                for path in self._known(mine.key, assignment):
                    done.add(path.conditions)
                    yield path
            before = self._explored_before(mine, trace, conditions, tree, strategy, charges)
            for path, last in before:
                if path.result is not RAISED and path.conditions not in done:
                    done.add(path.conditions)
                    yield path
                culprits += flips_of(last, refused.get(path.conditions, NO_BLAME), turned)
        while True:
            assert step is not None
            seen, last = self._seen(trace, call, conditions, tree, strategy, step, charges)
            if seen is not None and seen.result is not RAISED and seen.conditions not in done:
                done.add(seen.conditions)
                yield seen
                culprits += flips_of(last, refused.get(seen.conditions, NO_BLAME), turned)
            while True:
                if self._given_up():
                    yield Refuted(None)
                    return
                # Every other flip is the strategy's: taking back culprits alone may go on for ever
                # in a loop, which can always be left one step later for the same wrong reason.
                directed = not directed
                culprit = next_open(culprits) if directed else None
                if culprit is not None:
                    turned.add(culprit.node)
                flip = culprit or next_flip(tree, strategy)
                step = flip
                if flip is None:
                    yield Refuted(None if tree.unsettled else charges.verdict())
                    return
                answer = self.solve(path_to(flip.node, flip.side), flip.node.trace.assignment)
                if isinstance(answer, Sat):
                    break
                if isinstance(answer, Unsat):
                    tree.settle(flip.node, flip.side, Side.INFEASIBLE)
                    goal = path_to(flip.node, flip.side).goal
                    charges.refused(answer, goal, flip.node.trace.assignment)
                    strategy.learn(Feedback(flip, "infeasible"))
                else:
                    tree.settle(flip.node, flip.side, Side.UNKNOWN, answer.reason)
                    strategy.learn(Feedback(flip, "unknown"))
            trace = self._run(answer.assignment, followed)

    def _explored_before(
        self,
        mine: Called,
        trace: Trace,
        conditions: tuple[Term, ...],
        tree: ExecutionTree,
        strategy: Strategy,
        charges: Charges,
    ) -> Iterator[tuple[CalleePath, Node | None]]:
        """Put what earlier searches saw of this call into the tree, which needs no runs again;
        gives each path and its last node.
        """
        decided = dict(map(atom_of, trace.events[: mine.start]))
        before = [*self.explored.get(mine.key, {}).values()]
        before += self.explored.get((mine.name, mine.key), {}).values()
        for path in before:
            events = not_decided(path.passed, decided)
            if events is None or path.run is None:
                continue  # it cannot be taken from this call
            own = {name: value for name, value in path.run.assignment.items() if "#" not in name}
            part = dataclasses.replace(
                path.run,
                assignment={**trace.assignment, **path.run.assignment, **own},
                events=events,
                assumptions=tuple(dict.fromkeys((*trace.assumptions, *conditions))),
                calls=(),
            )
            grown = tree.add(part)
            strategy.learn(Feedback(Sample(), "ran", part, grown))
            charges.decided(path.conditions, decided_before(path.passed, events), part.assignment)
            yield path, grown.last

    def _first_run(self, call: Called, assignment: Assignment, followed: frozenset[str]) -> Trace:
        """A run of the input at hand with these calls followed; the whole run of it, if there was
        one and it met no calls inside this one.
        """
        whole = self._whole
        if whole is None or not same_input(whole, assignment):
            return self._run(assignment, followed)
        inside = call.name + "."
        if any(each.name.startswith(inside) for each in whole.calls):
            return self._run(assignment, followed)
        values = {**assignment, **whole.assignment}
        return dataclasses.replace(whole, assignment=values)

    def _seen(
        self,
        trace: Trace,
        call: Called,
        conditions: tuple[Term, ...],
        tree: ExecutionTree,
        strategy: Strategy,
        step: Step,
        charges: Charges,
    ) -> tuple[CalleePath | None, Node | None]:
        """Put the callee's part of a run into its tree; gives the path and its last node, None and
        None if the run did not come to the call.
        """
        mine = next((each for each in trace.calls if each.name == call.name), None)
        part: Trace | None = None
        grown = None
        if mine is not None and trace.ending != Ending.TIMEOUT:
            part = part_of(trace, mine, conditions)
            grown = tree.add(part)
        result: Result = "ran"
        if isinstance(step, Flip) and step.node.state[step.side] is not Side.SEEN:
            tree.settle(step.node, step.side, Side.DIVERGED, "the run took another path")
            result = "diverged"
        strategy.learn(Feedback(step, result, part, grown))
        if mine is None or part is None or grown is None:
            charges.add(None)
            return None, None
        before = decided_before(mine.passed, part.events)
        charges.decided(conditions_of(mine), before, trace.assignment)
        inside = tuple(
            [
                each
                for each in trace.calls
                if each.abstract and each.name.startswith(call.name + ".")
            ]
        )
        self.chains.met(inside)
        if mine.raised is not None:
            path = CalleePath(conditions_of(mine), RAISED, inside, trace, mine.passed)
        else:
            path = CalleePath(conditions_of(mine), mine.result, inside, trace, mine.passed)
        if mine.key is not None:
            memory = self.explored.setdefault(place_of(mine, path), {})
            if len(memory) < MOST_KNOWN:
                memory[path.conditions] = path
        return path, grown.last

    # -- runs, and what they teach

    def _run(self, assignment: Assignment, followed: frozenset[str] | None) -> Trace:
        if followed is not None:
            return self._noted(self.runner.run_abstract(assignment, followed))
        if not self.settings.known_paths:
            return self._noted(self.runner.run(assignment))
        own = _own(assignment)
        known = self._wholes.get(own)
        if known is None:
            known = self._wholes[own] = self._noted(self.runner.run(assignment))
            if len(self._wholes) > MOST_WHOLE_RUNS:
                del self._wholes[next(iter(self._wholes))]
        return known

    def _whole_run(self, assignment: Assignment) -> Trace | None:
        return None if self._given_up() else self._run(assignment, None)

    def _given_up(self) -> bool:
        self.impatient = self.impatient or (self._left is not None and self._left <= 0)
        return self.impatient or self.spent()

    def _noted(self, trace: Trace) -> Trace:
        if self._left is not None:
            self._left -= 1
        self.learn(trace)
        self.on_run(trace)
        return trace

    def learn(self, trace: Trace) -> None:
        """Keep the path through each callee of a run that was followed all the way down."""
        for call in trace.calls:
            if call.abstract or not call.whole or call.raised is not None or call.key is None:
                continue
            paths = self.known.setdefault(call.key, {})
            conditions = conditions_of(call)
            if conditions not in paths and len(paths) < MOST_KNOWN:
                paths[conditions] = CalleePath(conditions, call.result, passed=call.passed)
                self.examples.keep(call, trace)

    def _learn_refutation(self, blame: frozenset[Term], calls: tuple[Called, ...]) -> None:
        self.lemmas.learn(blame, [call for call in calls if call.name in self._reached])


def _own(assignment: Assignment) -> frozenset[tuple[str, Any]]:
    """The input alone, without results of calls, to look a run up by."""
    return frozenset([(name, value) for name, value in assignment.items() if "#" not in name])
