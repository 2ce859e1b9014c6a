"""A call that depends on its argument keeps the argument's term, or says that it dropped it.

The referee is brute force over small domains. For each call of `silent_calls` and each value of its
domain: a run that reports no loss claims that its conditions decide its result; so for every other
value that satisfies these conditions, the terms of the result give what CPython gives for it.

    python -m tests.values.silence int 1000 0

writes what it found as JSON; a process of its own, because the library is called in every way there is.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import warnings
from pathlib import Path
from typing import Any

from tests.values import differential, silent_calls
from tests.values.silent_calls import DOMAINS, Call

from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.annotations import shape_of
from symcrete.inputs.shapes.arguments import Arguments, Parameter
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.values.tracking.carrying import carries
from symcrete.values.tracking.recording import held

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
    value = value[: silent_calls.MOST] if type(value) is list else value
    return HELD if carries((value,)) else silent_calls.shown(value)


HELD = object()  # a result that holds terms where the referee does not look: none is dropped yet


def main(kind: str, size: int, seed: int) -> None:
    """Try a sample of the calls with an argument of this kind; say what is wrong with each."""
    every = [call for call in silent_calls.candidates() if call.kind == kind]
    chosen = random.Random(seed).sample(every, min(size, len(every)))
    world = differential.World()
    tried, said = 0, []
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for call in chosen:
            if silent_calls.depends(call):
                tried += 1
                said.append(wrong(call, world))
    report = {"tried": tried, "wrong": [each for each in said if each]}
    Path(f"{kind}.json").write_text(json.dumps(report))
    os._exit(0)  # some of what was called would speak up at the end


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
