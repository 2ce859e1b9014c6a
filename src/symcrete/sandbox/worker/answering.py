"""What a worker does with one question: which input reaches this, what path does this one take?"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

from symcrete.errors import SymcreteError
from symcrete.explore.explain import explanation
from symcrete.explore.loop.parts import Listener
from symcrete.explore.options import Options
from symcrete.explore.reach import symcretic
from symcrete.explore.reach.reached import Undecided
from symcrete.program.source.target import Target
from symcrete.run.runner import Beside
from symcrete.run.untouched.played import Call, Replayed
from symcrete.sandbox.messages.assignments import text_of
from symcrete.sandbox.messages.doings import Exploring, Importing, Running, Waiting
from symcrete.sandbox.messages.jobs import Explain, Reach
from symcrete.sandbox.messages.words import (
    TO_ANSWERING,
    Decided,
    Explained,
    Mistake,
    WantsReplay,
)
from symcrete.sandbox.walls import audit
from symcrete.sandbox.worker.busy import Share
from symcrete.sandbox.worker.worker import LEAST_BUDGET, Link
from symcrete.terms.evaluate import Assignment

ANSWERED_BY = 0.95  # share of the budget for the search: an answer that comes late is none
RUN_SLACK = 1.0  # seconds over its limit after which the driver ends a run, with its worker
FOR_REPLAY = 10.0  # seconds that starting an interpreter for a replay may take


def reach_goal(job: Reach, link: Link) -> None:
    """The entry of a worker that looks for an input."""
    share = Share()

    def search(options: Options) -> Decided:
        verdict = symcretic.reach(
            job.goal,
            options,
            entry=job.entry,
            replay=functools.partial(_replayed_elsewhere, link),
            listener=_announcing(job, link, options),
        )
        complaint = share.complaint()
        if isinstance(verdict, Undecided) and complaint is not None:
            verdict = replace(verdict, reason=f"{verdict.reason}; {complaint}")
        return Decided(verdict)

    _answering(job, link, search)


def explain_input(job: Explain, link: Link) -> None:
    """The entry of a worker that tells a path."""

    def explain(options: Options) -> Explained:
        listener = _announcing(job, link, options)
        replay = functools.partial(_replayed_elsewhere, link)
        return Explained(explanation(job.target, options, job.input, replay, listener))

    _answering(job, link, explain)


def _answering(
    job: Reach | Explain, link: Link, question: Callable[[Options], Decided | Explained]
) -> None:
    budget = max(LEAST_BUDGET, link.budget * ANSWERED_BY)
    options = replace(job.options, replay=True, budget=budget)
    link.doing(Importing(job.target.source.module), options.budget + RUN_SLACK)
    try:
        link.send(question(options))
    except SymcreteError as error:
        link.send(Mistake(str(error), error.exit_code))


def _announcing(job: Reach | Explain, link: Link, options: Options) -> Listener:
    """A listener that tells the driver of each input before it is run, and refuses inputs that
    ended earlier workers.
    """
    refused = frozenset(job.refused)

    def announce(given: Assignment) -> bool:
        shown = text_of(given)
        audit.reset()
        link.doing(Running(shown), options.run_seconds + RUN_SLACK)
        return shown not in refused

    def interference() -> list[str]:
        link.doing(Exploring(), options.budget + RUN_SLACK)
        return [str(each) for each in audit.blocked()]

    link.doing(Exploring(), options.budget + RUN_SLACK)
    return Listener(Beside(announce, interference))


def _replayed_elsewhere(link: Link, target: Target, call: Call, seconds: float) -> Replayed:
    """Have a call replayed in another process and wait for what it did."""
    link.doing(Waiting(), 2 * seconds + FOR_REPLAY)
    link.send(WantsReplay(target.called, call, seconds))
    return next(link.orders(TO_ANSWERING)).did
