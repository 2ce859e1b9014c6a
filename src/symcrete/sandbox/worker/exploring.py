"""What a worker does with a target: explore it, and tell the driver all along.

Before each run it says which input comes, and before each query which branch, so that the driver
knows what to blame when the process hangs or dies; a later worker leaves those out.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

from symcrete.explore import compose
from symcrete.explore.cover.summary import described, summarise
from symcrete.explore.findings import to_plain
from symcrete.explore.loop.loop import Exploration, Kept
from symcrete.explore.options import Options
from symcrete.explore.rewritten import World
from symcrete.program.source.target import Target
from symcrete.run.replay import call_of
from symcrete.sandbox.messages.job import assignment_from, options_from, target_from, text_of
from symcrete.sandbox.walls import audit
from symcrete.sandbox.worker.worker import Link
from symcrete.terms.evaluate import Assignment
from symcrete.tree.tree import Node

SLACK = 1.5  # seconds after which a run that did not end by itself is the driver's to end
PATIENCE = 0.5  # seconds after the budget until the report is made without waiting any longer
QUERIES = 3  # of a solver, for one branch, each of which may take its whole time


def explore_target(job: dict[str, Any], link: Link) -> None:
    """The entry of a worker."""
    options = options_from(job)
    if options.max_runs is None:
        options = replace(options, budget=max(0.3, job["budget"]))
    blamed = [each["doing"] for each in job.get("after", ()) if each.get("doing")]
    refused = {each["input"] for each in blamed if "input" in each}
    unsolved = [each["solving"] for each in blamed if "solving" in each]
    for_solving = QUERIES * min(options.solver_seconds, options.budget / 4) + SLACK
    at_import: list[str] = []

    def begin(exploration: Exploration, world: World) -> None:
        at_import.extend(str(each) for each in audit.blocked())

        def announce(given: Assignment) -> bool:
            shown = text_of(given)
            audit.reset()
            link.doing(options.run_seconds + SLACK, input=shown)
            return shown not in refused

        def announce_query(node: Node, side: bool) -> bool:
            query = [text_of(node.trace.assignment), node.depth, side]
            patient = exploration.patient is None
            link.doing(options.budget + SLACK if patient else for_solving, solving=query)
            return query not in unsolved

        def tell(kept: Kept) -> None:
            for found in described(exploration, [kept.trace]):
                link.send("kept", input=to_plain(found), assignment=text_of(kept.trace.assignment))
            link.doing(options.budget + SLACK, exploring=job["target"][4])

        for shown in refused:
            args = call_of(exploration.arguments, assignment_from(shown)).args
            link.send("blamed", input=shown, args=args)
        exploration.starts = [assignment_from(text) for text in job.get("starts", ())]
        exploration.runner.announce = announce
        exploration.runner.interference = lambda: [str(each) for each in audit.blocked()]
        exploration.may_solve = announce_query
        exploration.on_kept = tell
        link.doing(options.budget + SLACK, exploring=job["target"][4])
        if options.max_runs is None:
            late.append(_last_words(exploration, world, target, options, link))

    target = target_from(job)
    late: list[threading.Timer] = []
    link.doing(options.budget + SLACK, importing=job["target"][1])
    report = compose.cover(target, options, begin)
    for timer in late:
        timer.cancel()
    link.doing(options.budget, done=True)
    if at_import:
        notes = (*report.notes, *[f"at import: {each}" for each in at_import[:4]])
        report = replace(report, notes=notes)
    link.send("report", report=to_plain(report))


def _last_words(
    exploration: Exploration, world: World, target: Target, options: Options, link: Link
) -> threading.Timer:
    """A solver that does not look at the clock keeps the report from being made: then another
    thread makes it, from what is known, before the driver ends the worker."""
    began = time.perf_counter()

    def tell() -> None:
        report = summarise(target, options, exploration, world, "budget", began, spare=0.0)
        link.send("report", report=to_plain(report))

    timer = threading.Timer(options.budget + PATIENCE, tell)
    timer.daemon = True
    timer.start()
    return timer
