"""What a worker does with a target: explore it, and tell the driver all along.

Before each run it says which input comes, and before each query which branch, so that the driver
knows what to blame when the process hangs or dies; a later worker leaves those out.
"""

from __future__ import annotations

import os
import threading
from dataclasses import replace

from symcrete.explore import compose
from symcrete.explore.confirm.input_as_call import call_of
from symcrete.explore.cover.summary import (
    Describing,
    described,
    is_method,
    kind_of,
    summarise,
)
from symcrete.explore.findings import FoundInput, Status
from symcrete.explore.loop.loop import Explored
from symcrete.explore.loop.parts import Listener, Parts
from symcrete.explore.loop.progress import Kept as KeptRun
from symcrete.explore.options import QUERIES_IN_A_BUDGET, Options
from symcrete.explore.reach.left_over import LeftOver
from symcrete.explore.rewritten import ImportedProgram
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.run.runner import Beside
from symcrete.run.starved import MOST_PATIENCE
from symcrete.run.trace import Trace
from symcrete.run.use import MOST_NAMES_TOLD
from symcrete.sandbox.messages.assignments import assignment_from, text_of
from symcrete.sandbox.messages.doings import Ending, Exploring, Importing, Running, Solving
from symcrete.sandbox.messages.jobs import Explore
from symcrete.sandbox.messages.words import Begun, Blamed, Found, Kept, Reported, call_blamed
from symcrete.sandbox.walls import audit
from symcrete.sandbox.walls.blocked import Blocked
from symcrete.sandbox.worker.busy import Share
from symcrete.sandbox.worker.worker import LEAST_BUDGET, Link
from symcrete.terms.evaluate import Assignment
from symcrete.tree.tree import Node
from symcrete.world.importing.concealed import CONCEALED

EXPLORING_SLACK = 1.5  # seconds over its limit after which the driver ends a step, with its worker
# seconds after the budget until the report is made without waiting any longer, on a machine of its
# own
REPORT_PATIENCE = 0.5
CANCELLED_TIMER_SECONDS = (
    1.0  # seconds in which a timer that was cancelled has ended; chosen, not measured
)
QUERIES = 3  # that a solver may make for one branch, each as long as the options allow


def explore_target(job: Explore, link: Link, imported: ImportedProgram | None = None) -> bool:
    """The entry of a worker; `imported` is the target's module if it is imported already. Says
    whether this process is known to be as it was before.
    """
    options = replace(job.options, replay=False)
    if options.max_runs is None:
        options = replace(options, budget=max(LEAST_BUDGET, link.budget))
    telling = _Telling(job, options, link)
    share = Share()
    before = Importing(job.target.source.module) if imported is None else Exploring()
    link.doing(before, options.budget + EXPLORING_SLACK)
    report = compose.cover(
        job.target,
        options,
        listener=telling.listener,
        starts=[assignment_from(text) for text in job.starts],
        recorded=job.learned,
        begin=telling.begin,
        imported=imported,
        beyond=LeftOver(options),
    )
    telling.over()
    link.doing(Ending(), options.budget)
    # Packages try what there is and go on without it (urllib3 a socket): no news to users.
    own = [each for each in telling.at_import if not each.by_library]
    notes = [*report.notes, *[f"at import: {each}" for each in own[:MOST_NAMES_TOLD]]]
    complaint = share.complaint() if report.status == Status.BUDGET else None
    if complaint is not None:
        notes.append(str(complaint))
    cut_short = complaint is not None and complaint.is_serious
    link.send(Reported(replace(report, notes=tuple(notes), cut_short=cut_short)))
    return report.status == Status.COMPLETE and telling.left_nothing()


class _Telling:
    """Listens to an exploration on behalf of the driver."""

    def __init__(self, job: Explore, options: Options, link: Link) -> None:
        self._job = job
        self._options = options
        self._link = link
        self._patience = patience(os.getloadavg()[0], os.cpu_count() or 1)
        blamed = [end.doing for end in job.after]
        self._refused = {each.input for each in blamed if isinstance(each, Running)}
        self._unsolved = {each for each in blamed if isinstance(each, Solving)}
        self._last_words: threading.Timer | None = None
        self._describing: Describing | None = None  # of every path
        self._left_nothing = True
        self.at_import: list[Blocked] = []  # effects stopped while the module was imported

    @property
    def listener(self) -> Listener:
        return Listener(
            Beside(self._announce, lambda: [str(each) for each in audit.blocked()]),
            may_solve=self._announce_query,
            on_kept=self._tell,
            on_path=self._tell_path,
        )

    def begin(self, exploration: Explored) -> None:
        CONCEALED.forget()
        self.at_import = audit.blocked()
        for shown in self._refused:
            self._link.send(Blamed(shown, blamed(exploration.parts.arguments, shown)))
        parts = exploration.parts
        alone = parts.leaves_nothing
        self._left_nothing = self._left_nothing and alone and not self.at_import
        self._describing = Describing(parts, conditions=self._options.path_conditions)
        guessed = bool(parts.arguments.open)
        self._link.send(Begun(kind_of(parts), is_method(parts), guessed, alone))
        self._explores()
        if self._options.max_runs is None:
            after = REPORT_PATIENCE * self._patience
            self._last_words = _last_words(exploration, self._options, self._link, after)

    def over(self) -> None:
        if self._last_words is not None:
            self._last_words.cancel()

    def left_nothing(self) -> bool:
        """Whether another target may be explored in this process; asked when all is over."""
        last = self._last_words
        if last is not None:
            last.join(CANCELLED_TIMER_SECONDS)
            if last.is_alive():
                return False
        return self._left_nothing

    def _explores(self) -> None:
        self._link.doing(Exploring(), self._options.budget + EXPLORING_SLACK)

    def _announce(self, given: Assignment) -> bool:
        shown = text_of(given)
        audit.reset()
        seconds = self._options.run_seconds * self._patience
        self._link.doing(Running(shown), seconds + EXPLORING_SLACK)
        return shown not in self._refused

    def _announce_query(self, node: Node, side: bool, patient: bool) -> bool:
        options = self._options
        query = Solving(text_of(node.trace.assignment), node.depth, side)
        seconds = QUERIES * min(options.solver_seconds, options.budget / QUERIES_IN_A_BUDGET)
        if patient:
            seconds = options.budget
        self._link.doing(query, seconds + EXPLORING_SLACK)
        return query not in self._unsolved

    def _tell(self, parts: Parts, kept: KeptRun) -> None:
        for found in described(parts, [kept.trace]):
            self._link.send(Kept(found, text_of(kept.trace.assignment)))
        self._explores()

    def _tell_path(self, parts: Parts, trace: Trace) -> bool:
        """Tell the driver of a path at once, so that it is not lost if this process ends."""
        assert self._describing is not None
        found = self._describing.told(trace)
        if found is not None:
            self._link.send(Found(found))
        return True


def patience(load: float, processors: int) -> float:
    """How many times its limit a run may take before the driver ends it: more where others use the
    machine too, as much as the run itself is given then.
    """
    return min(float(MOST_PATIENCE), max(1.0, load / processors))


def blamed(arguments: Arguments, shown: str) -> FoundInput:
    """An input that ended an earlier worker, as a call with all that its text needs. Where its text
    was cut, or has kinds of values that are tried later, the text stands in place of the arguments.
    """
    try:
        call = call_of(arguments, assignment_from(shown))
    except (SyntaxError, LookupError, ValueError, NoLiteral):
        return call_blamed({"input": repr(shown)})
    return replace(
        call_blamed(call.args),
        imports=call.imports,
        keywords=frozenset(call.keywords),
        setup=call.setup,
    )


def _last_words(
    exploration: Explored, options: Options, link: Link, after: float
) -> threading.Timer:
    """A timer, already started, that sends a report of what is known so many seconds after the
    budget, before the driver ends the worker: a solver that does not look at the clock may keep the
    exploration from making its own."""
    began = exploration.parts.clock()

    def tell() -> None:
        report = summarise(exploration, options, Status.BUDGET, began, spare=0.0)
        link.send(Reported(report))

    timer = threading.Timer(options.budget + after, tell)
    timer.daemon = True
    timer.start()
    return timer
