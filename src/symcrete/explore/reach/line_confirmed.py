"""Confirm an input: the untouched function, in fresh interpreters, executes the line with it."""

from __future__ import annotations

from symcrete.explore.confirm.input_as_call import call_of_run
from symcrete.explore.confirm.path_condition import PathCondition, PathConditions
from symcrete.explore.cover.summary import is_method, kind_of
from symcrete.explore.findings import FoundInput, Status, TargetReport
from symcrete.explore.loop.parts import Parts
from symcrete.explore.reach.reached import Goal
from symcrete.explore.rewritten import ImportedProgram
from symcrete.inputs.literal import NoLiteral
from symcrete.program.source.wording import wording
from symcrete.run.trace import Trace
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.untouched.replay import ReplayOnce
from symcrete.run.use import FINISHED
from symcrete.slotted import dataclass
from symcrete.tree.coverage import ERRORS


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmed input: its run, the call, its path, and the report of it."""

    trace: Trace | None  # None if it was run without terms
    call: Call
    path_condition: str
    route: tuple[tuple[int, str], ...]
    report: TargetReport

    @property
    def outcome(self) -> str:
        return self.report.inputs[0].outcome


def confirmed(
    trace: Trace,
    goal: Goal,
    parts: Parts,
    replay: ReplayOnce | None,
    seconds: float,
) -> Confirmation | None:
    """The input of a run, confirmed by a replay of at most so many seconds; None if it has no text
    or does not reach the goal there.
    """
    try:
        call = call_of_run(parts, trace)
    except NoLiteral:
        return None
    if replay is not None:
        did = replay(parts.target, call, seconds)
    else:  # nothing is replayed: the run itself has to do
        did = Replayed(trace.ending, error=trace.error, lines=frozenset({goal.place.line}))
    if not _is_there(goal, did):
        return None
    condition = PathConditions(parts.arguments).of(trace.conditions, call, trace.assignment)
    parts.runner.put_back()  # code of the program was called to check the condition
    report = _report(parts, call, did, condition)
    return Confirmation(trace, call, condition.text, _route(trace, parts.imported), report)


def confirmed_call(
    call: Call, goal: Goal, parts: Parts, replay: ReplayOnce, seconds: float
) -> Confirmation | None:
    """A call that seems to execute the line, confirmed by a replay of at most so many seconds; None
    if it does not do so there.
    """
    did = replay(parts.target, call, seconds)
    if not _is_there(goal, did):
        return None
    report = _report(parts, call, did, PathCondition("True", left_out=1))
    return Confirmation(None, call, "True", (), report)


def _is_there(goal: Goal, did: Replayed) -> bool:
    other_end = did.outcome in FINISHED and not goal.is_raised([did.error])
    return goal.place.line in did.lines and not other_end


def _report(parts: Parts, call: Call, did: Replayed, condition: PathCondition) -> TargetReport:
    """The report with this call as its only input."""
    target = parts.target
    imports = {*call.imports, *did.imports}
    if did.caught and did.caught_module != "builtins":
        imports.add((did.caught_module, did.caught))
    found = FoundInput(
        args=call.args,
        outcome=did.outcome,
        returned=did.returned,
        raised=did.raised,
        covers=(),
        path_condition=condition.text,
        conditions_left_out=condition.left_out,
        modules=condition.modules,
        setup=call.setup,
        situation=call.situation,
        uses=call.uses,
        imports=tuple(sorted(imports)),
        keywords=frozenset(call.keywords),
        reason=did.reason,
        error=did.error,
        message=did.message,
        result_type=did.result_type,
        drained=did.drained,
        compared=did.compared,
        caught=did.caught,
    )
    return TargetReport(
        target=target.label,
        status=Status.COVERED,
        inputs=(found,),
        module=target.source.module,
        root=str(target.source.root),
        scope=target.called,
        kind=kind_of(parts),
        is_method=is_method(parts),
        file=str(target.source.file),
    )


def _route(trace: Trace, imported: ImportedProgram) -> tuple[tuple[int, str], ...]:
    steps: list[tuple[int, str]] = []
    for code, _ in trace.events:
        site = imported.rewritten.sites[code >> 1]
        # Of the branches inside an operation, only its failing means something to a reader.
        if not site.implicit or (site.kind in ERRORS and not code & 1):
            steps.append((site.line, wording(site, bool(code & 1))))
    return tuple(steps)
