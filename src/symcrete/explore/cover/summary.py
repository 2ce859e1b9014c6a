"""From an exploration to its report: plain inputs, replayed, and the state of every branch."""

from __future__ import annotations

import contextlib
import inspect
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symcrete.explore.confirm.calls import call_of
from symcrete.explore.confirm.claims import call_of_input, confirmed
from symcrete.explore.confirm.path_condition import PathCondition, PathConditions
from symcrete.explore.findings import FoundInput, Implicit, Spot, Tally, TargetReport
from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.minimise.minimise import plainest
from symcrete.explore.options import Options
from symcrete.explore.rewritten import World, is_property
from symcrete.inputs.literal import NoLiteral
from symcrete.program.source.sites import Branch, Outcome, Site
from symcrete.program.source.target import Target
from symcrete.program.source.wording import wording
from symcrete.run.played import Call
from symcrete.run.replay import Replay
from symcrete.run.runner import STARTS_THREADS
from symcrete.run.trace import Trace
from symcrete.tree.coverage import outcomes
from symcrete.tree.tree import Node, Side

SECONDS_PER_REPLAY = 5.0


def summarise(
    target: Target,
    options: Options,
    found: Exploration,
    world: World,
    status: str,
    began: float,
    *,
    spare: float | None = None,
) -> TargetReport:
    """The report of an exploration that has ended; `spare` seconds to look for plainer inputs."""
    inputs = _inputs(target, options, found, spare)
    proof = "tree exhausted" if found.proved_whole else ""
    coverage = found.coverage
    missing = [
        (site.number, side)
        for site in coverage.own
        for side in site.sides
        if not coverage.has(site.number, side)
    ]
    reasons = {} if proof else _reasons(found, missing)
    spots = [_spot(world, each, reasons.get(each, ""), proof) for each in missing]
    infeasible = frozenset(missing) if proof else frozenset()
    return TargetReport(
        target=target.label,
        status=status,
        branches=_branch_tally(found, coverage.branches, infeasible),
        conditions=_condition_tally(found, coverage.own, infeasible),
        implicit=_implicit(world, found),
        open=tuple([spot for spot in spots if not spot.proof]),
        infeasible=tuple([spot for spot in spots if spot.proof]),
        inputs=inputs,
        runs=found.runs,
        paths=found.paths,
        seconds=time.perf_counter() - began,
        seconds_running=found.seconds_running,
        seconds_solving=found.seconds_solving,
        solver=found.solver.counts.as_json(),  # type: ignore[attr-defined]
        divergences=found.divergences,
        notes=tuple(_notes(found)),
        module=target.source.module,
        root=str(target.source.root),
        scope=target.scope,
        kind=kind_of(found, world, target),
        is_method=is_method(found),
        file=str(target.source.file),
    )


def is_method(found: Exploration) -> bool:
    return bool(found.arguments.parameters) and found.arguments.has_receiver


def kind_of(found: Exploration, world: World, target: Target) -> str:
    """How the target is called, for those who write the call."""
    function = found.runner.function
    if is_property(world.module, target.called):
        return "property"
    if _is_context_manager(getattr(world.module, target.scope, None)):
        return "function"
    if inspect.iscoroutinefunction(function):
        return "coroutine"
    if inspect.isasyncgenfunction(function):
        return "asyncgen"
    return "generator" if inspect.isgeneratorfunction(function) else "function"


def _is_context_manager(public: Any) -> bool:
    """Made one by a decorator: what is called gives no generator."""
    code = getattr(public, "__code__", None)
    return code is not None and code.co_filename == contextlib.contextmanager.__code__.co_filename


# -- inputs


def _inputs(
    target: Target, options: Options, found: Exploration, spare: float | None
) -> tuple[FoundInput, ...]:
    if found.every is not None:
        traces = found.every
    else:
        own = found.coverage.own_bits
        # A budget of work is the same on every machine; one of time leaves a little for this.
        if spare is None:
            spare = math.inf if options.max_runs else min(0.7, max(0.3, options.budget / 10))
        plain = _plain_traces(found, spare, own)
        traces = _without_needless(plain, found)
    inputs = described(found, traces, conditions=options.path_conditions)
    if not options.replay:
        return tuple(inputs)
    with Replay(target, SECONDS_PER_REPLAY, found.coverage.file) as replay:
        return tuple([confirmed(each, replay.replay(call_of_input(each))) for each in inputs])


def _plain_traces(found: Exploration, spare: float, own: int) -> list[Trace]:
    """Plainer inputs for what was kept; each may take an equal part of the time that is left."""
    if not spare:
        return [kept.trace for kept in found.kept]
    stop = time.perf_counter() + spare
    plain: list[Trace] = []
    for index, kept in enumerate(found.kept):
        now = time.perf_counter()
        share = (stop - now) / (len(found.kept) - index)
        wanted = _covers_too(kept.new & own)
        plain.append(plainest(found.runner, kept.trace, wanted, now + share))
    return plain


def _covers_too(outcomes: int) -> Callable[[Trace], bool]:
    return lambda trace: trace.covered & outcomes == outcomes


def described(
    found: Exploration, traces: list[Trace], *, conditions: bool = True
) -> list[FoundInput]:
    """Runs as text; not replayed yet. An input that has no literal is left out."""
    told: list[FoundInput] = []
    paths = PathConditions(found.arguments)
    seen = 0
    for trace in traces:
        new, seen = trace.covered & ~seen & found.coverage.own_bits, seen | trace.covered
        try:
            call = call_of(found.arguments, trace.assignment)
        except NoLiteral:
            continue
        shown = (
            paths.of(trace.conditions, call, trace.assignment) if conditions else PathCondition("")
        )
        told.append(_told(found, trace, new, call, shown))
    return told


def _told(
    found: Exploration, trace: Trace, new: int, call: Call, condition: PathCondition
) -> FoundInput:
    raised = trace.ending == "raised"
    return FoundInput(
        args=call.args,
        outcome="blocked" if trace.blocked else trace.ending,
        returned=None,
        raised=f"{trace.error}(...)" if raised else None,
        covers=tuple([_place(found, each) for each in outcomes(new)]),
        path_condition=condition.text,
        conditions_left_out=condition.left_out,
        modules=condition.modules,
        setup=call.setup,
        imports=call.imports,
        keywords=frozenset(call.keywords),
        reason=trace.blocked[0] if trace.blocked else (trace.error or "") * (not raised),
        error=trace.error if raised else None,
        claims=frozenset([found.coverage.sites[site].line for site, _ in outcomes(new)]),
    )


def _without_needless(traces: list[Trace], found: Exploration) -> list[Trace]:
    """Drop inputs whose outcomes others cover too: the first draws often are such."""
    own = found.coverage.own_bits
    kept = list(traces)
    for trace in traces:
        others = 0
        for each in kept:
            if each is not trace:
                others |= each.covered
        if not trace.covered & own & ~others and len(kept) > 1:
            kept.remove(trace)
    return kept


# -- branches


def _place(found: Exploration, outcome: Outcome) -> Spot:
    site = found.coverage.sites[outcome[0]]
    return Spot(site.line, site.column, outcome[1], wording(site, outcome[1]))


def _spot(world: World, outcome: Outcome, reason: str, proof: str) -> Spot:
    site = world.rewritten.sites[outcome[0]]
    words = wording(site, outcome[1])
    return Spot(site.line, site.column, outcome[1], words, "" if proof else reason, proof)


def _condition_tally(
    found: Exploration, own: tuple[Site, ...], infeasible: frozenset[Outcome]
) -> Tally:
    pairs = [(site.number, side) for site in own for side in site.sides]
    covered = sum(found.coverage.has(*pair) for pair in pairs)
    return Tally(len(pairs), covered, sum(pair in infeasible for pair in pairs))


def _branch_tally(
    found: Exploration, branches: tuple[Branch, ...], infeasible: frozenset[Outcome]
) -> Tally:
    covered = sum(found.coverage.has_branch(branch) for branch in branches)
    return Tally(len(branches), covered, sum(branch.outcomes <= infeasible for branch in branches))


def _implicit(world: World, found: Exploration) -> tuple[Implicit, ...]:
    errors: dict[tuple[int, str], bool] = {}
    for number in found.coverage.errors:
        site = world.rewritten.sites[number]
        key = (site.line, site.kind)
        errors[key] = errors.get(key, False) or found.coverage.has(number, False)
    return tuple([Implicit(line, kind, done) for (line, kind), done in sorted(errors.items())])


def _reasons(found: Exploration, missing: list[Outcome]) -> dict[Outcome, str]:
    """Why each uncovered outcome is open, in the user's words."""
    at_site: dict[Outcome, list[Node]] = {}
    wanted = {site for site, _ in missing}
    stack = [found.tree.root] if found.tree.root else []
    while stack:
        node = stack.pop()
        if node.site in wanted:
            for side in (False, True):
                at_site.setdefault((node.site, side), []).append(node)
        stack += [child for child in node.children if child is not None]
    return {each: _reason(found, each, at_site.get(each, [])) for each in missing}


def _reason(found: Exploration, outcome: Outcome, nodes: list[Node]) -> str:
    site, side = outcome
    for node in nodes:
        if node.state[side] is Side.UNKNOWN:
            return node.reasons[side]
    for node in nodes:
        if node.state[side] is Side.DIVERGED:
            return "an input was found for it, but the run took another path" + _lost(found)
    if not nodes and found.coverage.has(site, not side):
        return "the condition does not depend on tracked values here" + _lost(found)
    if nodes and all(node.state[side] is Side.INFEASIBLE for node in nodes):
        rest = "other paths may lead there" if found.tree.open_sides else ""
        return f"impossible on the {len(nodes)} paths tried{_lost(found)}" + (rest and f"; {rest}")
    if not nodes:
        return "no input found that comes to this condition" + _lost(found)
    return "budget spent before it was tried"


def _lost(found: Exploration) -> str:
    for file, line, what in found.losses:
        if not file:
            return f"; {what}"
        return f"; a value left the tracked world in {what} at {Path(file).name}:{line}"
    return ""


def _notes(found: Exploration) -> list[str]:
    notes = []
    if found.cut_runs:
        notes.append(f"{found.cut_runs} runs did not end and were cut")
    if found.confused:
        notes.append(
            f"{found.confused} runs contradict earlier ones: the program depends on more "
            "than its inputs"
        )
    notes += [what for file, _, what in found.losses if what == STARTS_THREADS]
    if isinstance(found, LazyExploration):
        notes += found.notes()
    notes += [f"a solver failed, please report it: {each}" for each in found.solver_failures]
    return notes
