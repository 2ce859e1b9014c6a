"""Reach a line, or explain an input, in a confined worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symcrete.clock import Clock, wall
from symcrete.errors import SymcreteError
from symcrete.explore.options import Options
from symcrete.explore.reach.reached import Goal, Undecided, Verdict
from symcrete.explore.told_path import Explanation
from symcrete.program.source.target import Target
from symcrete.sandbox.driver.asking import Asking, NoAnswer
from symcrete.sandbox.messages.jobs import Explain, Reach

REACH = "symcrete.sandbox.worker.answering:reach_goal"
EXPLAIN = "symcrete.sandbox.worker.answering:explain_input"


def reach(
    goal: Goal,
    options: Options,
    *,
    entry: str | None = None,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
    clock: Clock = wall,
) -> Verdict:
    """The answer for one goal; `entry` names the function to start from."""
    began = clock()
    target = goal.from_entry(entry)
    asking = Asking(options, on_protection)
    try:
        verdict = asking.asked(REACH, Reach(target, options, goal, entry))
    except NoAnswer as reason:
        verdict = Undecided(goal.shown, target.label, 0.0, 0, str(reason))
    else:
        assert not isinstance(verdict, Explanation)
        if isinstance(verdict, Undecided):
            verdict = replace(verdict, reason="; ".join([*asking.ways(), verdict.reason]))
    return replace(verdict, seconds=clock() - began)


def explain(
    target: Target,
    options: Options,
    text: str,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
) -> Explanation:
    """The path that the input takes, found in a confined worker."""
    try:
        told = Asking(options, on_protection).asked(EXPLAIN, Explain(target, options, text))
    except NoAnswer as reason:
        raise SymcreteError(f"no explanation: {reason}") from None
    assert isinstance(told, Explanation)
    return told
