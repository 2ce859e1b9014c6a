"""An input of the engine as a call that can be written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symcrete.explore.loop.parts import Parts
from symcrete.inputs.setup import taken_apart
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.shape import Written
from symcrete.inputs.told_apart import told_apart
from symcrete.run.result_used import uses_of
from symcrete.run.trace import Trace
from symcrete.run.untouched.played import Call, Situated
from symcrete.terms.evaluate import Assignment


def call_of(arguments: Arguments, given: Assignment, situation: tuple[Situated, ...] = ()) -> Call:
    """An input as a call. Raises NoLiteral where a value has no text."""
    return call_of_texts(arguments, arguments.written(given), situation)


def call_of_texts(
    arguments: Arguments, written: Mapping[str, Written], situation: tuple[Situated, ...] = ()
) -> Call:
    """Arguments as source text, by label, as a call. Raises NoLiteral where one means two classes
    of one name.
    """
    plain, imports = told_apart(written)
    setup, texts = taken_apart(plain)
    names = tuple(sorted(imports))
    return Call(texts, tuple(arguments.keywords), names, setup, situation=situation)


def call_of_run(parts: Parts, trace: Trace) -> Call:
    """The input of a run as a call, with the state that the run asked for and the calls before
    it.
    """
    # None of these is asked for where it is known to be empty: there are thousands of paths.
    situation = []
    if trace.late:
        settings = parts.runner.situation.told(trace.late, trace.assignment)
        situation = [Situated(each.source, each.value, each.line) for each in settings]
    call = call_of(parts.arguments, trace.assignment, tuple(situation))
    if not trace.used and not parts.runner.history.functions:
        return call
    lines, imports = parts.runner.history.statements(trace.assignment)
    uses, mentioned = uses_of(trace.used, trace.assignment)
    if not lines and not uses:
        return call
    needed = tuple(sorted({*call.imports, *imports, *mentioned}))
    return replace(call, imports=needed, setup=(*lines, *call.setup), uses=tuple(uses))
