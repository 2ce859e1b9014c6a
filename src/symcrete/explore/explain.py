"""The path that one input takes, told branch by branch."""

from __future__ import annotations

from symcrete.explore.compose import prepare
from symcrete.explore.confirm.input_as_call import call_of_run
from symcrete.explore.confirm.path_condition import PathConditions
from symcrete.explore.loop.parts import Listener
from symcrete.explore.options import Options
from symcrete.explore.told_path import Explanation
from symcrete.explore.wanted import EveryBranch
from symcrete.inputs.reading import read_input
from symcrete.program.source.target import Target
from symcrete.program.source.wording import wording
from symcrete.run.untouched.replay import ReplayOnce, replay_once
from symcrete.terms.show import show
from symcrete.values.tracking.recording import held

# seconds that a fresh interpreter may take to import the program; chosen, not measured
REPLAY_SLACK = 4.0


def explanation(
    target: Target,
    options: Options,
    text: str,
    replay: ReplayOnce = replay_once,
    listener: Listener | None = None,
) -> Explanation:
    """The path of an input: it is run once with terms and once on the untouched function."""
    exploration, _ = prepare(target, EveryBranch(), options, listener=listener)
    parts = exploration.parts
    assignment = read_input(text, parts.arguments, vars(parts.imported.module))
    with parts.runner:
        trace = parts.runner.run(assignment)
    branches = []
    for code, term in trace.events:
        site = parts.imported.rewritten.sites[code >> 1]
        if site.kind == "input":
            continue
        branches.append((site.line, wording(site, bool(code & 1)), show(held((code, term)))))
    call = call_of_run(parts, trace)
    result = replay(target, call, options.run_seconds + REPLAY_SLACK)
    paths = PathConditions(parts.arguments)
    condition = paths.of(trace.conditions, call, trace.assignment)
    return Explanation(target.label, call.args, tuple(branches), condition.text, result)
