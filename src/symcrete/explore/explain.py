"""The path that one input takes, told branch by branch."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from symcrete.explore.compose import prepare
from symcrete.explore.options import Options
from symcrete.inputs.reading import read_input
from symcrete.program.target import Target
from symcrete.program.wording import wording
from symcrete.run.replay import Replay, Replayed, call_of
from symcrete.terms.show import show, show_all
from symcrete.values.recording import held


@dataclass(frozen=True, slots=True)
class Explanation:
    target: str
    args: dict[str, str]
    branches: tuple[
        tuple[int, str, str], ...
    ]  # line, what was true there, the condition on the input
    path_condition: str
    result: Replayed

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "target": self.target,
            "args": self.args,
            "branches": [
                {"line": line, "text": text, "condition": condition}
                for line, text, condition in self.branches
            ],
            "path_condition": self.path_condition,
            "outcome": self.result.outcome,
            "returned": self.result.returned,
            "raised": self.result.raised,
        }

    def lines(self) -> list[str]:
        shown = ", ".join(f"{name}={text}" for name, text in self.args.items())
        out = [f"{self.target}({shown})"]
        width = max([len(text) for _, text, _ in self.branches], default=0)
        for line, text, condition in self.branches:
            out.append(f"  line {line:>4}  {text:<{min(width, 50)}}  because {condition}")
        if not self.branches:
            out.append("  no branch on the way depends on the input")
        result = self.result
        if result.outcome == "returned":
            out.append(f"  returns {result.returned}")
        else:
            out.append(f"  {result.outcome}: {result.raised or result.reason}")
        return [*out, f"path condition: {self.path_condition}"]


def explanation(target: Target, options: Options, text: str) -> Explanation:
    """Run the input once with terms and once on the untouched function."""
    exploration, world = prepare(target, options, time.perf_counter())
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
    with Replay(target, options.run_seconds + 4) as replay:
        result = replay.replay(call)
    condition = show_all(list(trace.conditions))
    return Explanation(target.label, call.args, tuple(branches), condition, result)
