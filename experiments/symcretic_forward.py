"""The comparators of symcretic execution's chapter 4: forward searches for one line.

jCUTE is concolic execution with simplification: branches in random order from random inputs,
run-time values for what is not linear. SPF-CW is symbolic execution, depth first, with the concolic
walk. Both are rebuilt from the strategies and solvers of this repository; as in C and Java no
operation is made to fail by SPF-CW.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from experiments.subjects.symcretic.targets import Marked, line, source
from symcrete.clock import processor
from symcrete.explore.compose import prepare
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.phase import Budget
from symcrete.explore.options import options_from
from symcrete.explore.wanted import OneLine
from symcrete.program.source.target import targets_of
from symcrete.run.watch_line import LineWatch
from symcrete.terms.term import forget

TOOLS: dict[str, dict[str, Any]] = {
    "jCUTE": {"strategy": "random-branch", "solver": "linear", "prior": "uniform"},
    "SPF-CW": {"strategy": "dfs:errors=no", "solver": "walk-paper"},
}


@dataclass(frozen=True, slots=True)
class Forward:
    """What a forward search did for one line."""

    covered: bool
    segments: int  # straight pieces between two branching points
    seconds: float  # of the processor


@dataclass(frozen=True, slots=True)
class UntilReached(Budget):
    """Some time of the processor, or until a run executes the line."""

    watch: LineWatch | None = None
    reached: list[bool] | None = None

    def spent(self, runs: int) -> bool:
        assert self.watch is not None and self.reached is not None
        if self.watch.take() is not None:
            self.reached.append(True)
        return bool(self.reached) or processor() >= self.deadline


def forward(marked: Marked, tool: str, seed: int, seconds: float) -> Forward:
    """Search forward for a marked line with one of the tools."""
    file = str(source(marked))
    target = targets_of(f"{file}::{marked.entry}")[0]
    given = {"seed": seed, "budget": seconds, "replay": False, "sandbox": False, "ippc": "off"}
    options = options_from(given | TOOLS[tool])
    began = time.process_time()
    exploration, phase = prepare(target, OneLine(file, line(marked)), options, clock=processor)
    assert isinstance(exploration, Exploration)
    reached: list[bool] = []
    watch = exploration.parts.watch
    budget = UntilReached(processor() + seconds, None, processor, watch=watch, reached=reached)
    exploration.explore(replace(phase, budget=budget, whole_tree=True))
    budget.spent(0)  # the last run
    tree = exploration.progress.tree
    found = Forward(bool(reached), tree.size + tree.paths, time.process_time() - began)
    forget()
    return found
