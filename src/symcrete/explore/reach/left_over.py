"""Branches that the forward search of `cover` left open, handed to the search of `reach`.

Forward search takes a branch in the contexts that its runs come to; backward search asks of each
way to the branch whether any input takes it. So it finds inputs behind conditions that no run came
near, and proves that there are none where forward search has too many paths to look at.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, cast

from symcrete.clock import Clock, wall
from symcrete.errors import SymcreteError
from symcrete.explore.compose import prepare
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.parts import Listener
from symcrete.explore.loop.phase import Phase
from symcrete.explore.options import FOR_COVERAGE, Options
from symcrete.explore.reach.goals import goal_of_branch
from symcrete.explore.reach.reached import Goal, Unreachable
from symcrete.explore.wanted import OneLine
from symcrete.program.source.sites import Branch
from symcrete.search.strategy import Sample
from symcrete.slotted import dataclass
from symcrete.tree.coverage import Proved, outcomes

if TYPE_CHECKING:
    from symcrete.explore.reach.quest import Quest
    from symcrete.search.pricing.priced import Priced

LEFT_OVER_SHARE = 0.2  # of the budget, for all branches left over together; chosen, not measured
# The search is interrupted for it when so much of the budget is spent, and nothing was found in the
# last part of it; chosen, not measured.
AFTER, QUIET = 0.6, 0.25
LEAST_SECONDS = 0.1  # for one branch: less tells nothing; chosen, not measured
# queries that together may take the whole time of a branch; chosen, not measured
QUERIES_OF_A_BRANCH = 10
TECHNIQUE = "backward"


@dataclass(slots=True)
class LeftOver:
    """Hands branches over once, when the forward search finds no more or has nothing left to do.

    A strategy that has a price for it is asked instead, and one branch is handed over at a time.
    """

    options: Options
    clock: Clock = wall
    _kept: int = -1
    _since: float = 0.0  # the moment of the last find
    _done: bool = False
    _asked: set[Branch] = field(default_factory=set)  # branches that were handed over

    def due(self, exploration: Exploration, phase: Phase) -> bool:
        """Whether the search should be interrupted for branches that are left."""
        if self._done:
            return False
        strategy = self._deciding(phase)
        if strategy is not None:
            wanted = strategy.prefers_backward and self._is_wanted(exploration)
            return wanted and not self._nothing_left(exploration)
        now, kept = self.clock(), len(exploration.progress.kept)
        if kept != self._kept:
            self._kept, self._since = kept, now
        budget = self.options.budget
        late = now > phase.budget.deadline - (1 - AFTER) * budget
        quiet = now - self._since > QUIET * budget
        return late and quiet and self._is_wanted(exploration)

    def search(self, exploration: Exploration, phase: Phase) -> None:
        """Look for an input for each branch that is left, or a proof that there is none."""
        if self._done or not self._is_wanted(exploration):
            return
        # Few functions leave something, and the backward search takes as long to import as four
        # of them take altogether; before the clock is looked at, since it is no part of a search.
        from symcrete.explore.reach.quest import Quest

        strategy = self._deciding(phase)
        one = strategy is not None and strategy.prefers_backward
        self._done = not one
        until = min(phase.budget.deadline, self.clock() + self._seconds())
        left = [each for each in _left(exploration) if each not in self._asked]
        while left and self.clock() < until:
            branch = left.pop(0)
            coverage = exploration.parts.coverage
            if any(outcome in coverage.proofs for outcome in branch.outcomes):
                continue
            if coverage.has_branch(branch):
                continue  # an input for another branch takes this one too
            began, wanted = self.clock(), coverage.wanted
            seconds = max(LEAST_SECONDS, (until - began) / (len(left) + 1))
            self._asked.add(branch)
            self._look_for(branch, exploration, phase, seconds, Quest)
            if strategy is not None:
                settled = (wanted & ~coverage.wanted).bit_count()
                strategy.went_backward(settled, self.clock() - began)
                if one:
                    return

    def _deciding(self, phase: Phase) -> Priced | None:
        """The strategy, if it has a price for going backward."""
        return cast("Priced", phase.strategy) if self.options.strategy == "priced" else None

    def _nothing_left(self, exploration: Exploration) -> bool:
        """Whether every branch that is left was handed over before; then none will be."""
        self._done = all(each in self._asked for each in _left(exploration))
        return self._done

    def _seconds(self) -> float:
        """How long all branches together may take."""
        seconds = LEFT_OVER_SHARE * self.options.budget
        return seconds if self.options.patience is None else min(seconds, self.options.patience)

    def _is_wanted(self, exploration: Exploration) -> bool:
        """Whether something is left that can be handed over. Not so where work is counted, since
        the clock may decide nothing there, or where branches of other code than the target count.
        """
        options, target = self.options, exploration.parts.target
        special = options.paths or options.within or options.max_runs is not None
        special = special or bool(target.subjects) or target.called != target.scope
        usual = options.strategy in FOR_COVERAGE and not special and not options.chain
        return usual and bool(exploration.parts.coverage.wanted)

    def _look_for(
        self,
        branch: Branch,
        exploration: Exploration,
        phase: Phase,
        seconds: float,
        kind: type[Quest],
    ) -> None:
        goal = _goal_of(branch, exploration)
        if goal is None:
            return
        parts = exploration.parts
        began = self.clock()
        options = replace(
            self.options, budget=seconds, solver_seconds=seconds / QUERIES_OF_A_BRANCH, replay=False
        )
        try:
            searching, directed = prepare(
                parts.target,
                OneLine(str(goal.place.source.file), goal.place.line),
                options,
                # What its runs cover counts when the exploration has made them its own.
                listener=Listener(parts.listener.beside, parts.listener.may_solve),
                imported=parts.imported,
                began=began,
                clock=self.clock,
            )
            quest = kind(goal, options, searching, directed, began, None)
            with searching.parts.runner.situation.in_place():
                quest.look_around()
                verdict = quest.answer()
        except SymcreteError:
            return
        exploration.progress.ran(0.0, searching.progress.runs)
        if quest.found is not None:
            _take_over(exploration, phase, quest)
        elif isinstance(verdict, Unreachable) and not quest.refuted:
            why = f"backward from line {goal.place.line}: {verdict.proof[0]}"
            for outcome in quest.outcomes:
                exploration.parts.coverage.prove(outcome, Proved(why, verdict.assumes, TECHNIQUE))


def _left(exploration: Exploration) -> list[Branch]:
    """The branches that no run took and nothing proves infeasible, in the order of their lines."""
    coverage = exploration.parts.coverage
    return [
        branch
        for branch in sorted(coverage.branches, key=lambda each: (each.line, each.side))
        if not coverage.has_branch(branch)
        and any(coverage.wants(*outcome) for outcome in branch.outcomes)
    ]


def _goal_of(branch: Branch, exploration: Exploration) -> Goal | None:
    """A branch as what `reach` is asked for; None where no statement that branches stands in its
    line.
    """
    target = exploration.parts.target
    side = "true" if branch.side else "false"
    try:
        goal = goal_of_branch(str(target.source.file), f"{branch.line}:{side}")
    except SymcreteError:
        return None
    return replace(goal, place=replace(goal.place, source=target.source))


def _take_over(exploration: Exploration, phase: Phase, quest: Quest) -> None:
    """Run the input that was found, as the exploration's own."""
    # Calls with values of other kinds answer for lines only, and a branch was asked for.
    assert quest.found is not None and quest.found.trace is not None
    coverage = exploration.parts.coverage
    before = coverage.seen
    with exploration.parts.runner:
        trace, seconds = exploration.run(quest.found.trace.assignment)
        exploration.learn(Sample(), trace, phase, running=seconds)
    for outcome in outcomes(coverage.seen & ~before & coverage.own_bits):
        coverage.techniques[outcome] = TECHNIQUE
