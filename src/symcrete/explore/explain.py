"""The path that one input takes, told branch by branch."""

from __future__ import annotations

import time
from collections.abc import Callable

from symcrete.explore.compose import prepare
from symcrete.explore.confirm.calls import call_of
from symcrete.explore.confirm.path_condition import PathConditions
from symcrete.explore.options import Options
from symcrete.explore.told_path import Explanation
from symcrete.inputs.reading import read_input
from symcrete.program.source.target import Target
from symcrete.program.source.wording import wording
from symcrete.run.replay import ReplayOnce, replay_once
from symcrete.run.runner import Runner
from symcrete.terms.show import show
from symcrete.values.tracking.recording import held


def explanation(
    target: Target,
    options: Options,
    text: str,
    replay: ReplayOnce = replay_once,
    begin: Callable[[Runner], None] = lambda runner: None,
) -> Explanation:
    """Run the input once with terms and once on the untouched function."""
    exploration, world = prepare(target, options, time.perf_counter())
    begin(exploration.runner)
    assignment = read_input(text, exploration.arguments, vars(world.module))
    with exploration.runner:
        trace = exploration.runner.run(assignment)
    branches = []
    for code, term in trace.events:
        site = world.rewritten.sites[code >> 1]
        if site.kind == "input":
            continue
        branches.append((site.line, wording(site, bool(code & 1)), show(held((code, term)))))
    call = call_of(exploration.arguments, trace.assignment)
    result = replay(target, call, options.run_seconds + 4)
    paths = PathConditions(exploration.arguments)
    condition = paths.of(trace.conditions, call, trace.assignment)
    return Explanation(target.label, call.args, tuple(branches), condition.text, result)
