"""When a search is done before its budget is spent: what it found lately says what more would.

After a stretch in which nothing was found, about as little is to be expected of the next one (the
rule of succession). It counts as such a stretch if it is long in steps and in seconds, and not
short beside the search before it. Then runs without terms take a last look, which cost a fraction
of those that are followed and are counted in the estimate of what is undiscovered, and a query that
lacked time gets more of it; what they find gives the search another stretch. Seconds are those of
the processor: on a busy machine nothing ends sooner.
"""

from __future__ import annotations

from dataclasses import field, replace
from random import Random

from symcrete.clock import Clock, Moment, processor
from symcrete.explore.findings import Status
from symcrete.explore.loop.loop import Exploration, Explored
from symcrete.explore.loop.nearby_constants import nearby_pool
from symcrete.explore.loop.phase import Phase
from symcrete.explore.loop.scout import Scout
from symcrete.explore.options import FOR_COVERAGE, Options
from symcrete.search.strategy import Sample
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

# Chosen, not measured one by one; what they cost together is in docs/scale.md.
QUIET_STEPS = 150  # steps without a find before a search ends, unless they are slow
SLOW_TIMES = 3  # after so many times the patience a search ends, however few steps it took
# the least stretch without a find that ends a search, as a share of the seconds until its last find
QUIET_SHARE = 0.4
# seconds without a find that end a search where only errors of operations are left to be found
COVERED_SECONDS = 0.3
LOOK_SECONDS = 0.4  # seconds of runs without terms in one last look
MOST_BARE_RUNS = 1_000_000  # runs without terms in one last look: more than its seconds allow


def explored(exploration: Explored, phase: Phase, options: Options) -> Status:
    """Explore as the phase says; returns how it ended. A plain search for coverage ends before its
    budget is spent if nothing was found for as long as the user's patience, or for a moment where
    only errors are left to be found. Other searches use up the budget: those with another strategy
    or with abstracted calls, and where work is counted or all paths are wanted.
    """
    to_the_end = options.paths or options.max_runs is not None
    if to_the_end or options.strategy not in FOR_COVERAGE:
        return exploration.explore(phase)
    if not isinstance(exploration, Exploration):
        return exploration.explore(phase)
    return explored_enough(exploration, phase, patience=options.patience)


def explored_enough(
    exploration: Exploration, phase: Phase, *, patience: float | None, clock: Clock = processor
) -> Status:
    """Explore as the phase says, or until little more is to be expected; returns how it ended.

    `patience`: seconds without a find after which that is so; None: only once every condition is
    covered.
    """
    lately = Lately(exploration, clock, patience)
    arrived = phase.arrived
    phase = replace(phase, arrived=lambda: arrived() or lately.is_quiet())
    while True:
        status = exploration.explore(phase)
        spent = phase.budget.spent(exploration.progress.runs)
        if spent or not lately.was_quiet or not (lately.last_look(phase) or lately.tried(phase)):
            return status
        phase = replace(phase, first=())


@dataclass(slots=True)
class Lately:
    """What a search found lately."""

    exploration: Exploration
    clock: Clock = processor
    patience: float | None = None  # seconds without a find, at least
    was_quiet: bool = False
    _finds: int = -1  # runs kept when it was last looked
    _steps: int = 0  # since the last find
    _began: float = field(init=False)
    _since: float = field(init=False)  # the moment of the last find
    _scout: Scout | None = None

    def __post_init__(self) -> None:
        self._began = self._since = self.clock()

    def is_quiet(self) -> bool:
        """Whether little is to be expected of further steps; asked once for each."""
        now, finds = self.clock(), len(self.exploration.progress.kept)
        if finds > self._finds:
            self._finds, self._since, self._steps = finds, now, 0
        self._steps += 1
        quiet = now - self._since
        long = False
        if self.patience is not None:
            enough = self._steps > QUIET_STEPS or quiet > SLOW_TIMES * self.patience
            long = enough and quiet > self.patience
        if self.exploration.parts.coverage.complete:
            long = quiet > COVERED_SECONDS
        self.was_quiet = long and quiet > QUIET_SHARE * (self._since - self._began)
        return self.was_quiet

    def last_look(self, phase: Phase) -> bool:
        """Run inputs without terms for a moment; whether they found what the search did not."""
        parts, progress = self.exploration.parts, self.exploration.progress
        if not parts.coverage.sought:
            return False
        scout = self._scout = self._scout or _scout_of(self.exploration)
        for kept in progress.kept:
            scout.learn(kept.trace.assignment, kept.trace.covered)
        found: list[Assignment] = []
        seen = parts.coverage.seen

        def look(given: Assignment, covered: int) -> bool:
            nonlocal seen
            if covered & parts.coverage.sought & ~seen:
                found.append(given)
            seen |= covered
            progress.sightings.add(covered & parts.coverage.own_bits)
            return False

        began, before = parts.clock(), scout.runs
        until = min(began + LOOK_SECONDS, phase.budget.deadline)
        scout.search(look, Moment(until, parts.clock), MOST_BARE_RUNS)
        progress.ran(parts.clock() - began, scout.runs - before)
        with parts.runner:
            for given in found:
                trace, seconds = self.exploration.run(given)
                self.exploration.learn(Sample(), trace, phase, running=seconds)
        return len(progress.kept) > self._finds

    def tried(self, phase: Phase) -> bool:
        """Give a query that only lacked time more of it; whether that found something."""
        flip = self.exploration.second_try(phase)
        if flip is None:
            return False
        with self.exploration.parts.runner:
            self.exploration.flip(flip, phase, self.exploration)
        return len(self.exploration.progress.kept) > self._finds


def _scout_of(exploration: Exploration) -> Scout:
    parts = exploration.parts
    target, function = parts.target, parts.runner.function
    names = getattr(getattr(function, "func", function), "__globals__", {})
    return Scout(
        parts.runner,
        parts.arguments,
        parts.pool,
        Random(0),  # of its own: whether there is a look changes nothing in the search
        nearby=lambda: nearby_pool(target.source, target.scope, names, parts.pool),
        distances=lambda: lambda outcome: 0,  # no goal is nearer than another
    )
