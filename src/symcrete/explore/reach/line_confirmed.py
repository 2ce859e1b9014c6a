"""Confirm an input: the untouched function, in fresh interpreters, executes the line with it."""

from __future__ import annotations

from symcrete.explore.confirm.input_as_call import call_of_run
from symcrete.explore.confirm.path_condition import PathConditions
from symcrete.explore.cover.summary import is_method, kind_of
from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.explore.loop.parts import Parts
from symcrete.explore.reach.reached import Goal
from symcrete.explore.rewritten import ImportedProgram
from symcrete.inputs.literal import NoLiteral
from symcrete.program.source.wording import wording
from symcrete.run.trace import Trace
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.untouched.replay import ReplayOnce
from symcrete.slotted import dataclass
from symcrete.tree.coverage import ERRORS


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmed input: its run, the call, its path, and the report of it."""

    trace: Trace
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
    target = parts.target
    try:
        call = call_of_run(parts, trace)
    except NoLiteral:
        return None
    if replay is not None:
        did = replay(target, call, seconds)
    else:  # nothing is replayed: the run itself has to do
        did = Replayed(trace.ending, error=trace.error, lines=frozenset({goal.place.line}))
    other_end = did.outcome in ("returned", "raised") and goal.error not in (None, did.error)
    if goal.place.line not in did.lines or other_end:
        return None
    imports = {*call.imports, *did.imports}
    if did.caught and did.caught_module != "builtins":
        imports.add((did.caught_module, did.caught))
    paths = PathConditions(parts.arguments)
    condition = paths.of(trace.conditions, call, trace.assignment)
    parts.runner.put_back()  # code of the program was called to check the condition
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
    report = TargetReport(
        target=target.label,
        status="covered",
        inputs=(found,),
        module=target.source.module,
        root=str(target.source.root),
        scope=target.called,
        kind=kind_of(parts),
        is_method=is_method(parts),
        file=str(target.source.file),
    )
    return Confirmation(trace, call, condition.text, _route(trace, parts.imported), report)


def _route(trace: Trace, imported: ImportedProgram) -> tuple[tuple[int, str], ...]:
    steps: list[tuple[int, str]] = []
    for code, _ in trace.events:
        site = imported.rewritten.sites[code >> 1]
        # Of the branches inside an operation, only its failing means something to a reader.
        if not site.implicit or (site.kind in ERRORS and not code & 1):
            steps.append((site.line, wording(site, bool(code & 1))))
    return tuple(steps)
