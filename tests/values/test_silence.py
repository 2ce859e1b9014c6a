"""A call that depends on its argument keeps the argument's term, or says that it dropped it.

The referee is brute force over small domains. For each call of `silent_calls` and each value of its
domain: a run that reports no loss claims that its conditions decide its result; so for every other
value that satisfies these conditions, the terms of the result give what CPython gives for it.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from tests.values import differential, silent_calls
from tests.values.silent_calls import DOMAINS, Call

from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.annotations import shape_of
from symcrete.inputs.shapes.arguments import Arguments, Parameter
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.values.tracking.carrying import carries
from symcrete.values.tracking.recording import held

SAMPLE = int(os.environ.get("SYMCRETE_SILENT_CALLS", "4000"))  # of about 130,000 candidates
KINDS: dict[str, Any] = {
    "int": int,
    "str": str,
    "list[int]": list[int],
    "float": float,
    "bool": bool,
    "bytes": bytes,
}


def wrong(call: Call, world: differential.World) -> str:
    """What is wrong with the silence of a call; "" if nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain, changed = world.functions(call.source, f"<{call.kind} {call.body}>")
    shape = shape_of(KINDS[call.kind], "x")
    tried = differential.Operation(call.body, plain, changed, {"x": shape}, world)
    arguments = Arguments((Parameter("x", shape, False),))
    inputs = [read_input(f"x={value!r}", arguments, {}) for value in DOMAINS[call.kind]]
    for given in inputs:
        found = tried.on_tracked(dict(given))
        record = world.record
        if found is None or record.losses:
            continue
        conditions = [*record.assumptions, *[held(event) for event in record.events]]
        for other in inputs:
            if all_hold(conditions, other):
                said = _differs(tried, found, other)
                if said:
                    return f"{call.kind}: {call.body}\n    ran on {given}, on {other} {said}"
    return ""


def _differs(tried: differential.Operation, found: differential.Outcome, other: Assignment) -> str:
    value = tried.shapes["x"].plain("x", other)
    expected = silent_calls.outcome(tried.plain, value)
    predicted = _predicted(found, other)
    if predicted is HELD:
        return ""
    return "" if predicted == expected else f"it gives {expected}, not {predicted}"


def _predicted(found: differential.Outcome, other: Assignment) -> Any:
    """What the terms of the result give under another input, as `silent_calls.outcome` shows it."""
    if found.kind == "raised":
        return silent_calls.Raised(found.value)
    value = differential.evaluated(found, other).value
    return HELD if carries((value,)) else silent_calls.shown(value)


HELD = object()  # a result that holds terms where the referee does not look: none is dropped yet


def _calls(kind: str) -> Iterator[Call]:
    for call in CALLS:
        if call.kind == kind:
            yield call


_every = list(silent_calls.candidates())
_chosen = random.Random(0).sample(_every, SAMPLE)
CALLS = [call for call in _chosen if silent_calls.depends(call)]


@pytest.mark.parametrize("kind", DOMAINS)
def test_no_call_drops_its_argument_in_silence(kind: str) -> None:
    world = differential.World()

    found = [wrong(call, world) for call in _calls(kind)]

    assert [each for each in found if each] == []
