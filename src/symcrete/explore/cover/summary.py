"""From an exploration to its report: plain inputs, replayed, and the state of every branch."""

from __future__ import annotations

import contextlib
import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from symcrete.clock import Moment, after_work
from symcrete.errors import ImportFailed, SymcreteError
from symcrete.explore.confirm.claims import call_of_input, confirmed
from symcrete.explore.confirm.input_as_call import call_of_run
from symcrete.explore.confirm.path_condition import PathCondition, PathConditions
from symcrete.explore.cover.aims import Aim, Aims
from symcrete.explore.cover.open_reasons import OpenReasons
from symcrete.explore.cover.recount import EXHAUSTED
from symcrete.explore.cover.taken import key_of, sides_taken
from symcrete.explore.findings import FoundInput, Implicit, Spot, Status, Tally, TargetReport
from symcrete.explore.loop.loop import Explored
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import CallBeyond
from symcrete.explore.minimise.foreseen import Foreseen
from symcrete.explore.minimise.minimise import plainest
from symcrete.explore.minimise.results_apart import results_apart
from symcrete.explore.options import Options
from symcrete.explore.proof.standing import Standing
from symcrete.explore.rewritten import is_property
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes.arguments import BLANK
from symcrete.inputs.shapes.fakes import BlankShape
from symcrete.inputs.shapes.shape import ChoiceShape
from symcrete.program.source.sites import Outcome
from symcrete.program.source.target import INNER_TEST, Target
from symcrete.program.source.wording import wording
from symcrete.run.runner import STARTS_THREADS
from symcrete.run.trace import Trace
from symcrete.run.untouched.played import Call
from symcrete.run.untouched.replay import Replay
from symcrete.run.use import Ending
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import Coverage, outcomes

# Seconds to look for plainer inputs: a part of the budget, within bounds; chosen, not measured.
SPARE_PART = 10  # one in ten
LEAST_SPARE, MOST_SPARE = 0.3, 0.7


def summarise(
    found: Explored,
    options: Options,
    status: Status,
    began: float,
    *,
    spare: float | None = None,
    aims: Aims | None = None,
) -> TargetReport:
    """The report of an exploration that has ended; `spare` seconds to look for plainer inputs,
    `aims`: what they are to show besides branches.
    """
    parts, progress = found.parts, found.progress
    target, coverage = parts.target, parts.coverage
    inputs = _inputs(found, options, spare, aims)
    exhausted = EXHAUSTED if found.proved_before_losses else ""
    missing = [
        (site.number, side)
        for site in coverage.own
        for side in site.sides
        if not coverage.has(site.number, side)
    ]
    standing = Standing(parts, progress) if exhausted or missing else None
    reasons: dict[Outcome, str] = {}
    if standing is not None and found.proved_whole:
        reasons = {each: standing.against(each) for each in missing}
    elif standing is not None:
        reasons = OpenReasons(found, standing).of(missing)
        reasons |= {each: "" for each in missing if exhausted and standing.proves(each)}
    proofs = {each: "" if reasons[each] else exhausted for each in missing}
    if progress.entered and not progress.refuted:
        otherwise = _proved_otherwise(coverage, missing)
        proofs |= otherwise
        reasons |= dict.fromkeys(otherwise, "")
    by_runs = [each for each in missing if proofs[each] and proofs[each] == exhausted]
    assumed = {each: standing.assumes(each) for each in by_runs if standing}
    assumed |= {
        each: proved.assumes
        for each, proved in coverage.proofs.items()
        if proofs.get(each) == proved.why
    }
    spots = [
        _spot(coverage, each, reasons[each], proofs[each], assumed.get(each, ()))
        for each in missing
    ]
    infeasible = frozenset(each for each in missing if proofs[each])
    whole = standing is None or (not standing.obstacles and len(infeasible) == len(missing))
    earned = whole or not exhausted
    if status == Status.COMPLETE and (not earned or progress.refuted):
        status = Status.COVERED if coverage.complete else Status.BUDGET
    if status in (Status.COMPLETE, Status.COVERED) and _only_raises(found):
        status = Status.BUDGET
    return TargetReport(
        target=target.label,
        status=status,
        branches=_branch_tally(coverage, infeasible),
        conditions=_condition_tally(coverage, infeasible),
        implicit=_implicit(coverage),
        open=tuple([spot for spot in spots if not spot.proof]),
        infeasible=tuple([spot for spot in spots if spot.proof]),
        inputs=inputs,
        runs=progress.runs,
        paths=found.paths,
        seconds=parts.clock() - began,
        seconds_running=progress.seconds_running,
        seconds_solving=progress.seconds_solving,
        solver=progress.solver.counts.as_json(),
        divergences=progress.divergences,
        notes=tuple(_notes(found)),
        module=target.source.module,
        root=str(target.source.root),
        scope=target.scope,
        kind=kind_of(parts),
        is_method=is_method(parts),
        file=str(target.source.file),
        guessed=bool(parts.arguments.open),
        undiscovered=_undiscovered(found, missing, infeasible),
        techniques={key_of(coverage, each): how for each, how in coverage.techniques.items()},
    )


def _proved_otherwise(coverage: Coverage, missing: list[Outcome]) -> dict[Outcome, str]:
    """The outcomes that are infeasible by the declared types or by a search backward from them,
    and why.
    """
    found = {each: proved.why for each, proved in coverage.proofs.items()}
    found |= coverage.impossible
    return {each: found[each] for each in missing if found.get(each)}


def failed(target: Target, error: SymcreteError, seconds: float) -> TargetReport:
    """The report of a target that cannot be explored."""
    return TargetReport(
        target.label,
        Status.FAILED,
        error=str(error),
        exit_code=error.exit_code,
        file=str(target.source.file),
        module=target.source.module,
        root=str(target.source.root),
        scope=target.scope,
        seconds=seconds,
        unimportable=isinstance(error, ImportFailed),
    )


def _undiscovered(found: Explored, missing: list[Outcome], infeasible: frozenset[Outcome]) -> float:
    """The estimated share of further runs that find something new; 0 where every outcome is
    settled.
    """
    settled = all(each in infeasible for each in missing)
    return 0.0 if settled else round(found.progress.sightings.undiscovered(), 6)


def _only_raises(found: Explored) -> bool:
    """Whether every run raised what a value of a wrong type does, and types are guessed."""
    coverage = found.parts.coverage
    tried = found.progress.entered > 0 and bool(found.parts.arguments.open)
    return tried and not coverage.came_back and found.progress.raised_type == found.progress.raised


def is_method(parts: Parts) -> bool:
    """Whether the first argument is the object that the target is called on."""
    return bool(parts.arguments.parameters) and parts.arguments.has_receiver


def kind_of(parts: Parts) -> str:
    """How the target has to be called: "function", "property", "setter", "given" (a test under
    `@given`), "generator", "coroutine" or "asyncgen".
    """
    function, target, module = parts.runner.function, parts.target, parts.imported.module
    if is_property(module, target.called):
        return "property"
    if target.called.endswith(".fset"):
        return "setter"
    if target.called.endswith(INNER_TEST):
        return "given"
    if _is_context_manager(getattr(module, target.scope, None)):
        return "function"
    if inspect.iscoroutinefunction(function):
        return "coroutine"
    if inspect.isasyncgenfunction(function):
        return "asyncgen"
    return "generator" if inspect.isgeneratorfunction(function) else "function"


def _is_context_manager(public: Any) -> bool:
    """Whether a decorator made the function a context manager: then calling it gives no
    generator.
    """
    code = getattr(public, "__code__", None)
    return code is not None and code.co_filename == contextlib.contextmanager.__code__.co_filename


# -- inputs


def _inputs(
    found: Explored, options: Options, spare: float | None, aims: Aims | None
) -> tuple[FoundInput, ...]:
    parts = found.parts
    met = aims.met if aims is not None else _nothing
    if found.progress.every is not None:
        traces = found.progress.every
    else:
        own = parts.coverage.own_bits
        # A budget of work is the same on every machine; one of time leaves a little for this.
        if spare is None:
            share = max(LEAST_SPARE, options.budget / SPARE_PART)
            spare = math.inf if options.max_runs else min(MOST_SPARE, share)
        plain = _plain_traces(found, spare, own, aims)
        traces = _without_needless(plain, own, met)
    inputs = described(parts, traces, conditions=options.path_conditions, aims=aims)
    inputs += [_without_terms(parts, each) for each in found.progress.beyond]
    if not options.replay:
        return tuple(inputs)
    with Replay(parts.target, options.replay_seconds, parts.coverage.file) as replay:
        return tuple([confirmed(each, replay.replay(call_of_input(each))) for each in inputs])


def _without_terms(parts: Parts, beyond: CallBeyond) -> FoundInput:
    """The input of a call that was run without terms, not replayed yet."""
    call, coverage = beyond.call, parts.coverage
    covers = [_place(coverage, each) for each in outcomes(beyond.covered & coverage.own_bits)]
    return FoundInput(
        args=call.args,
        outcome=Ending.RETURNED,
        returned=None,
        raised=None,
        covers=tuple(covers),
        path_condition="True",
        conditions_left_out=len(covers),
        imports=call.imports,
        keywords=frozenset(call.keywords),
        sides=sides_taken(coverage, beyond.covered),
        shows=beyond.shows,
        setup=call.setup,
    )


def _nothing(trace: Trace) -> frozenset[Aim]:
    return frozenset()


Met: TypeAlias = Callable[[Trace], frozenset[Aim]]


def _plain_traces(found: Explored, spare: float, own: int, aims: Aims | None) -> list[Trace]:
    """Runs of plainer inputs in place of those that were kept; each search may take an equal part
    of the time left.
    """
    everything, clock = found.progress.kept, found.parts.clock
    if not spare:
        return [kept.trace for kept in everything]
    met = aims.met if aims is not None else _nothing
    # By work: on a busy machine inputs are as plain as on an idle one.
    stop = after_work(spare, clock)
    plain: list[Trace] = []
    asked: list[Callable[[Trace], bool]] = []
    reached: frozenset[Aim] = frozenset()
    foreseen = Foreseen([kept.trace for kept in everything])
    for index, kept in enumerate(everything):
        now = stop.clock()
        share = (stop.at - now) / (len(everything) - index)
        shows = met(kept.trace)
        newly = shows - reached
        wanted = _covers_too(kept.new & own, met, newly)
        also = aims.conditions(kept.trace, newly) if aims is not None else ()
        reached |= shows
        until = Moment(now + share, stop.clock)
        plain.append(plainest(found.parts.runner, kept.trace, wanted, until, foreseen, also))
        asked.append(wanted)
    if aims is None or not aims.results:
        return plain
    return results_apart(found.parts.runner, plain, asked, stop)


def _covers_too(outcomes: int, met: Met, aims: frozenset[Aim]) -> Callable[[Trace], bool]:
    return lambda trace: trace.covered & outcomes == outcomes and (not aims or aims <= met(trace))


def described(
    parts: Parts, traces: list[Trace], *, conditions: bool = True, aims: Aims | None = None
) -> list[FoundInput]:
    """The inputs of runs as text, not replayed yet; an input that has no literal is left out."""
    describing = Describing(parts, conditions=conditions, aims=aims)
    told = [describing.told(trace) for trace in traces]
    return [each for each in told if each is not None]


class Describing:
    """Gives runs as text, one after the other, each with what those before it did not cover."""

    def __init__(self, parts: Parts, *, conditions: bool = True, aims: Aims | None = None) -> None:
        """`conditions`: with the path condition of each; `aims`: what else it newly shows."""
        self._aims = aims
        self._met: set[Aim] = set()
        self._parts = parts
        self._conditions = conditions
        self._paths = PathConditions(parts.arguments)
        self._seen = 0
        self._sides: dict[int, frozenset[str]] = {}

    def told(self, trace: Trace) -> FoundInput | None:
        """The input of a run as text, not replayed yet; None if it has no literal."""
        own = trace.covered & self._parts.coverage.own_bits
        new = own & ~self._seen
        try:
            call = call_of_run(self._parts, trace)
        except NoLiteral:
            return None
        self._seen |= trace.covered
        shown = (
            self._paths.of(trace.conditions, call, trace.assignment)
            if self._conditions
            else PathCondition("")
        )
        if call.setup or call.imports:  # code of the program was called to check the condition
            self._parts.runner.put_back()
        return self._told(trace, new, call, shown)

    def _newly_met(self, trace: Trace) -> tuple[str, ...]:
        if self._aims is None or not (new := self._aims.met(trace, self._met)):
            return ()
        self._met |= new
        return tuple(sorted([self._aims.told(each) for each in new]))

    def _told(self, trace: Trace, new: int, call: Call, condition: PathCondition) -> FoundInput:
        raised, coverage = trace.ending == Ending.RAISED, self._parts.coverage
        newly = list(outcomes(new)) if new else []  # of thousands of paths, few cover anything new
        return FoundInput(
            args=call.args,
            outcome=Ending.BLOCKED if trace.blocked else trace.ending,
            returned=None,
            raised=f"{trace.error}(...)" if raised else None,
            covers=tuple([_place(coverage, each) for each in newly]),
            path_condition=condition.text,
            conditions_left_out=condition.left_out,
            modules=condition.modules,
            setup=call.setup,
            situation=call.situation,
            uses=call.uses,
            imports=call.imports,
            keywords=frozenset(call.keywords),
            reason=trace.blocked[0] if trace.blocked else (trace.error or "") * (not raised),
            error=trace.error if raised else None,
            claims=frozenset([coverage.sites[site].line for site, _ in newly]),
            sides=self._sides_of(trace) if trace.ending != Ending.REJECTED else frozenset(),
            shows=self._newly_met(trace),
            by_steps=trace.by_steps,
        )

    def _sides_of(self, trace: Trace) -> frozenset[str]:
        """The names of the sides that a run took, remembered: thousands of paths share few sets."""
        if trace.covered not in self._sides:
            self._sides[trace.covered] = sides_taken(self._parts.coverage, trace.covered)
        return self._sides[trace.covered]


def _without_needless(traces: list[Trace], own: int, met: Met) -> list[Trace]:
    """The runs without those whose outcomes others cover, too, as the first draws often are; only
    a run that returns stands for another that does.
    """
    kept = list(traces)
    shown = {id(trace): met(trace) for trace in traces}
    for trace in traces:
        elsewhere = frozenset().union(*[shown[id(each)] for each in kept if each is not trace])
        if not shown[id(trace)] <= elsewhere:
            continue
        back = trace.ending == Ending.RETURNED
        others, returned, some_other = 0, 0, False
        for each in kept:
            if each is not trace:
                others |= each.covered
                if each.ending == Ending.RETURNED:
                    returned, some_other = returned | each.covered, True
        needed = trace.covered & own & ~(returned if back else others)
        if not needed and len(kept) > 1 and (some_other or not back):
            kept.remove(trace)
    return kept


# -- branches


def _place(coverage: Coverage, outcome: Outcome) -> Spot:
    site = coverage.sites[outcome[0]]
    words, kind = wording(site, outcome[1]), site.kind if site.implicit else ""
    key = key_of(coverage, outcome)
    return Spot(site.line, site.column, outcome[1], words, kind=kind, key=key)


def _spot(
    coverage: Coverage, outcome: Outcome, reason: str, proof: str, assumes: tuple[str, ...]
) -> Spot:
    told = "" if proof else reason
    return replace(_place(coverage, outcome), reason=told, proof=proof, assumes=assumes)


def _condition_tally(coverage: Coverage, infeasible: frozenset[Outcome]) -> Tally:
    pairs = [(site.number, side) for site in coverage.own for side in site.sides]
    covered = sum(coverage.has(*pair) for pair in pairs)
    return Tally(len(pairs), covered, sum(pair in infeasible for pair in pairs))


def _branch_tally(coverage: Coverage, infeasible: frozenset[Outcome]) -> Tally:
    branches = coverage.branches
    covered = sum(coverage.has_branch(branch) for branch in branches)
    return Tally(len(branches), covered, sum(branch.outcomes <= infeasible for branch in branches))


def _implicit(coverage: Coverage) -> tuple[Implicit, ...]:
    errors: dict[tuple[int, str], bool] = {}
    for number in coverage.errors:
        site = coverage.sites[number]
        key = (site.line, site.kind)
        errors[key] = errors.get(key, False) or coverage.has(number, False)
    return tuple([Implicit(line, kind, done) for (line, kind), done in sorted(errors.items())])


def _has_blank(found: Explored, given: Assignment) -> bool:
    """Whether the object of a method is made without its constructor in an input of a target that
    has parameters.
    """
    first = found.parts.arguments.parameters[0]
    shape = first.shape
    if isinstance(shape, ChoiceShape):
        shape = shape.chosen(first.name, given)
    return isinstance(shape, BlankShape)


def _so_many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _notes(found: Explored) -> list[str]:
    notes = []
    if _only_raises(found):
        notes.append(f"every input raised: {next(iter(found.parts.arguments.open))}")
    kept = found.progress.kept if found.parts.arguments.parameters else []
    made_blank = sum([_has_blank(found, each.trace.assignment) for each in kept])
    if made_blank:
        notes.append(f"{_so_many(made_blank, 'input')} found with an object {BLANK}")
    missed = [_place(found.parts.coverage, each) for each in outcomes(found.parts.coverage.places)]
    if missed and found.progress.entered:
        told = ", ".join(f"{spot.line}: {spot.text}" for spot in missed)
        notes.append(f"no input found that comes to {told}")
    endless = found.progress.cut_runs - found.progress.either_way
    if endless:
        were = "was" if endless == 1 else "were"
        notes.append(f"{_so_many(endless, 'run')} did not end and {were} cut")
    if found.progress.confused and not found.progress.losses:  # else those are why
        contradict = "contradicts" if found.progress.confused == 1 else "contradict"
        notes.append(
            f"{_so_many(found.progress.confused, 'run')} {contradict} earlier ones: the program "
            "depends on more than its inputs"
        )
    notes += [what for file, _, what in found.progress.losses if what == STARTS_THREADS]
    notes += found.notes()
    notes += list(found.progress.refuted)
    notes += [
        f"a solver failed, please report it: {each}" for each in found.progress.solver_failures
    ]
    return notes
