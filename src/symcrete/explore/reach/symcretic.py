"""Symcretic execution: an input that executes a line, or a proof that there is none.

First the symbolic phase, backward from the line; a path that comes to the entry point is solved, or
searched by the concrete phase; whatever both leave open, forward search toward the line takes on.
One budget for all. An input counts when the untouched function, in a fresh interpreter, executes
the line with it.
"""

from __future__ import annotations

from dataclasses import replace

from symcrete.clock import Clock, wall
from symcrete.errors import SymcreteError
from symcrete.explore.compose import loaded, prepare
from symcrete.explore.loop.parts import Listener
from symcrete.explore.options import Options
from symcrete.explore.reach.gone import nothing_left
from symcrete.explore.reach.quest import Quest
from symcrete.explore.reach.reached import Goal, Reached, Undecided, Unreachable, Verdict
from symcrete.explore.reach.starts import callers, instead
from symcrete.explore.rewritten import ImportedProgram
from symcrete.explore.wanted import OneLine
from symcrete.program.source.target import Target
from symcrete.run.untouched.replay import ReplayOnce, Replays
from symcrete.slotted import dataclass

# shares of the time left that are kept for later starts: by the function around the line, and by
# any other start; chosen, not measured
OTHERS_SHARE, NEXT_SHARE = 0.2, 0.5
# functions that are tried as a start; chosen, not measured
MOST_ENTRIES = 4
# seconds; with less left no other entry is begun; chosen, not measured
LEAST_SECONDS_PER_ENTRY = 0.3
# queries of the forward phase that together may take the whole budget; chosen, not measured
BRIEF = 20


def reach(
    goal: Goal,
    options: Options,
    *,
    entry: str | None = None,
    replay: ReplayOnce | None = None,
    listener: Listener | None = None,
    clock: Clock = wall,
) -> Verdict:
    """The answer for one goal; `entry` names the function to start from.

    Without it the function around the line comes first, or before it a name of it that is easier to
    call; then, for the time that is left, functions of the module that may lead to it.
    """
    if replay is not None or not options.replay:
        return _reach(goal, options, entry, _Means(replay, listener, clock))
    with Replays(goal.from_entry(entry)) as replays:
        return _reach(goal, options, entry, _Means(replays, listener, clock))


@dataclass(frozen=True, slots=True)
class _Means:
    """What the searches from all starts share."""

    replay: ReplayOnce | None  # None where nothing is to be replayed
    listener: Listener | None
    clock: Clock


def _reach(goal: Goal, options: Options, entry: str | None, means: _Means) -> Verdict:
    clock = means.clock
    began = clock()
    if entry is not None:
        quest = _quest(goal.from_entry(entry), goal, options, None, means)
        with quest.exploration.parts.runner.situation.in_place():
            quest.look_around()
            return quest.answer()
    imported = loaded(goal.place.source, options, at_once=True)
    proof = nothing_left(goal.place, imported.module)
    if proof is not None:
        seconds = clock() - began
        if isinstance(proof, str):
            return Undecided(goal.shown, goal.target.label, seconds, 0, proof)
        assumes = ("the module is imported as on this system",)
        return Unreachable(goal.shown, goal.target.label, seconds, 0, "symbolic", proof, assumes)
    verdict: Verdict | None = None
    problem: SymcreteError | None = None
    starts = [*instead(goal, imported.module), goal.target]
    known = len(starts)
    for number in range(MOST_ENTRIES):
        left = options.budget - (clock() - began)
        if number >= len(starts) or (left < LEAST_SECONDS_PER_ENTRY and number > 0):
            break
        try:
            enough = replace(options, budget=max(left, LEAST_SECONDS_PER_ENTRY))
            quest = _quest(starts[number], goal, enough, imported, means)
            with quest.exploration.parts.runner.situation.in_place():
                found = quest.look_around()
                if not found and number == known - 1:
                    starts += callers(goal)
                leaving = 0.0
                if not found and number < len(starts) - 1:
                    leaving = left * (OTHERS_SHARE if number == known - 1 else NEXT_SHARE)
                verdict_here = quest.answer(leaving=leaving)
        except SymcreteError as error:
            problem = problem or error
            if number == known - 1:
                starts += callers(goal)
            continue
        # What one start cannot reach, another may: only the function around the line, which every
        # way there enters, can be the start of a proof.
        is_around = number == known - 1
        if isinstance(verdict_here, Reached) or (
            isinstance(verdict_here, Unreachable) and is_around
        ):
            return replace(verdict_here, seconds=clock() - began)
        verdict = verdict or _for_one_start(verdict_here)
    if verdict is None:
        assert problem is not None
        raise problem
    return replace(verdict, seconds=clock() - began)


def _for_one_start(verdict: Verdict) -> Verdict:
    """What a start says that is one of several: that it does not lead there decides nothing."""
    if not isinstance(verdict, Unreachable):
        return verdict
    reason = f"{verdict.entry} does not lead there; a call of another function may"
    return Undecided(verdict.target, verdict.entry, verdict.seconds, verdict.segments, reason)


def _quest(
    target: Target, goal: Goal, options: Options, imported: ImportedProgram | None, means: _Means
) -> Quest:
    began = means.clock()
    # Many branches lead there: a short look at each is better than a long one at a few.
    brief = replace(options, solver_seconds=min(options.solver_seconds, options.budget / BRIEF))
    exploration, phase = prepare(
        target,
        OneLine(str(goal.place.source.file), goal.place.line),
        brief,
        listener=means.listener,
        imported=imported,
        began=began,
        clock=means.clock,
    )
    return Quest(goal, options, exploration, phase, began, means.replay)
