"""A budget over all targets: each gets a little first, then those that still gain get more.

What a round found is where the next one starts from, so that nothing is sought twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.explore.cover.plan import plan_of
from symcrete.explore.cover.recount import recounted
from symcrete.explore.findings import Status, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import Target
from symcrete.sandbox.driver import driver
from symcrete.sandbox.messages.before import NOTHING_BEFORE, Before
from symcrete.sandbox.messages.events import EndedEvent, Event, KeptEvent

FIRST_SHARE = 0.4  # of the total, for the first round; chosen, not measured
LEAST = 0.2  # seconds: less than that tells nothing about a function; chosen, not measured
ROUNDS = 3  # a little, more, and what is left: each begins with a new import of the modules
SPENT = "the total budget was spent before it was tried"


class Rounds:
    """Targets on their way through the rounds."""

    def __init__(
        self,
        total: float,
        options: Options,
        workers: int,
        clock: Clock = wall,
        cover_all: Callable[..., Iterator[TargetReport]] | None = None,
    ) -> None:
        """`cover_all` covers the targets of a round; None: this machine does."""
        self._cover_all = cover_all or driver.cover_all
        self._end = clock() + total
        self._total = total
        self._options = options
        self._workers = workers
        self._clock = clock
        self._kept: dict[str, Before] = {}
        self._latest: dict[str, TargetReport] = {}

    def cover(
        self,
        targets: Sequence[Target],
        *,
        record: Callable[[Target, Event], None] = lambda target, event: None,
        before: Callable[[Target], Before] = lambda target: NOTHING_BEFORE,
        stop: Callable[[], bool] = lambda: False,
        **more: Any,
    ) -> Iterator[TargetReport]:
        """The report of each target as soon as nothing more is sought for it."""

        def known(target: Target) -> Before:
            return self._kept.get(target.label) or before(target)

        def noting(target: Target, event: Event) -> None:
            self._note(target, event, known(target))
            record(target, event)

        left = list(targets)
        for number in range(ROUNDS):
            if not left or stop() or self._left() <= 0:
                break
            share = self._total * FIRST_SHARE if number == 0 else self._left()
            slices = share * min(self._workers, len(left)) / len(left)
            seconds = min(self._options.budget, max(LEAST, slices))
            by_label = {target.label: target for target in left}
            for report in self._cover_all(
                left,
                replace(self._options, budget=seconds),
                record=noting,
                before=known,
                stop=lambda: stop() or self._left() <= 0,
                workers=self._workers,
                **more,
            ):
                gained = self._gained(report)
                if report.status != Status.BUDGET or seconds >= self._options.budget or not gained:
                    del by_label[report.target]
                    yield self._latest[report.target]
            left = self._most_promising(list(by_label.values()))
        for target in left:
            yield self._latest.get(target.label) or _untried(target, self._options)

    def _left(self) -> float:
        return self._end - self._clock()

    def _gained(self, report: TargetReport) -> bool:
        """Whether the round covered more than was known; the better report of the two is kept."""
        former = self._latest.get(report.target)
        better = former is None or report.branches.covered >= former.branches.covered
        if better:
            self._latest[report.target] = report
        return former is None or report.branches.covered > former.branches.covered

    def _most_promising(self, targets: list[Target]) -> list[Target]:
        """The targets in the order of the next round: those with the largest share of covered
        branches first, as more of theirs may be reached; those that were not tried yet before all
        others.
        """

        def share(target: Target) -> float:
            latest = self._latest.get(target.label)
            return latest.branches.covered / max(1, latest.branches.total) if latest else 1.0

        return sorted(targets, key=share, reverse=True)

    def _note(self, target: Target, event: Event, known: Before) -> None:
        match event:
            case KeptEvent(assignment, found):
                known = replace(known, kept=(*known.kept, (assignment, found)))
            case EndedEvent(end):
                known = replace(known, ends=(*known.ends, end))
        self._kept[target.label] = known


def _untried(target: Target, options: Options) -> TargetReport:
    report = TargetReport(
        target.label,
        Status.BUDGET,
        file=str(target.source.file),
        scope=target.scope,
        notes=(SPENT,),
    )
    return recounted(report, plan_of(target, options.within), lambda name: SPENT)
