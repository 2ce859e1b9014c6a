"""What a worker does with a target: explore it, and tell the driver all along.

Before each run it says which input comes, so that the driver knows what to blame when the process
hangs or dies; a later worker leaves those inputs out.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

from symcrete.explore import compose
from symcrete.explore.findings import to_plain
from symcrete.explore.loop import Exploration, Kept
from symcrete.explore.summary import described
from symcrete.run.replay import call_of
from symcrete.sandbox import audit
from symcrete.sandbox.job import options_from, target_from
from symcrete.sandbox.worker import Link

SLACK = 1.0  # seconds after which a run that did not end by itself is the driver's to end


def explore_target(job: dict[str, Any], link: Link) -> None:
    """The entry of a worker."""
    options = options_from(job)
    if options.max_runs is None:
        options = replace(options, budget=max(0.3, job["deadline"] - time.monotonic()))
    refused = {each["doing"]["input"] for each in job.get("after", ()) if _blames_input(each)}

    whole = options.budget + options.solver_seconds + SLACK

    def begin(exploration: Exploration) -> None:
        last = ""

        def announce(assignment: dict[str, Any]) -> bool:
            nonlocal last
            last = repr(assignment)
            audit.reset()
            link.doing(options.run_seconds + SLACK, input=last)
            return last not in refused

        def interference() -> list[str]:
            # The run is over; what follows is solving, which has all the time there is.
            link.doing(whole, input=last)
            return [str(each) for each in audit.blocked()]

        def tell(kept: Kept) -> None:
            if not audit.blocked():
                for found in described(exploration, [kept.trace]):
                    link.send("kept", input=to_plain(found))

        for shown in refused:
            assignment = eval(shown, {"inf": math.inf, "nan": math.nan})  # our own repr
            link.send("blamed", input=shown, args=call_of(exploration.arguments, assignment).args)
        exploration.runner.announce = announce
        exploration.runner.interference = interference
        exploration.on_kept = tell
        link.doing(whole, exploring=job["target"][4])

    link.doing(options.budget + SLACK, importing=job["target"][1])
    report = compose.cover(target_from(job), options, begin)
    link.doing(options.budget, done=True)
    link.send("report", report=to_plain(report))


def _blames_input(outcome: dict[str, Any]) -> bool:
    return bool(outcome.get("doing")) and "input" in outcome["doing"]
