"""What is symbolic, told by running it: every operation of the differential tests, as a table.

    python -m tests.differential.support > docs/support.md

An operation is `symbolic` if solvers see a model of every condition and result, `evaluated` if some are known
to evaluation alone, `concrete` if a term is dropped (and said to be), `unsupported` if no inputs
of its type are made.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.differential import text_operations
from tests.differential.judge import World, terms_of
from tests.differential.texts import Entry, entries
from tests.values import catalogue, differential
from tests.values import test_numbers_differential as numbers

from symcrete.constraint.theory import OPAQUE, theory
from symcrete.errors import UnsupportedInput
from symcrete.inputs.shapes.annotations import shape_of
from symcrete.program.source.sites import SiteTable
from symcrete.terms import term as terms
from symcrete.terms.term import Sort, Term
from symcrete.values.tracking.numeric import untracked
from symcrete.values.tracking.recording import Recording, activate, held

INPUTS = 25
OTHER_TYPES = (
    "memoryview range slice type object re.Pattern[str] io.StringIO typing.TextIO array.array"
)
INTRODUCTION = """\
# What is symbolic

Written by `make support` from the operations that the differential tests try against CPython; do not edit.

- **symbolic**: solvers see a model of every condition and result.
- **evaluated**: exact, but some condition or result is known to evaluation alone; search by evaluation still applies.
- **concrete**: works, but a term is dropped on the way, and the report says where.
- **unsupported**: no inputs of this type are made.
"""


def of_terms(seen: Iterable[Term]) -> str:
    opaque = any(theory(each) & OPAQUE for each in seen if each.sort is not Sort.OBJECT)
    return "evaluated" if opaque else "symbolic"


def worst(verdicts: Iterable[str]) -> str:
    order = ("symbolic", "evaluated", "concrete")
    return max(verdicts, key=order.index, default="symbolic")


def of_text(entry: Entry) -> str:
    terms.forget()
    operation = World().compile(entry.source)
    r = random.Random(entry.text)
    found = []
    for _ in range(INPUTS):
        values = {name: entry.draw(name, r) for name in operation.names}
        run = operation.run(values, frozenset())
        seen = [*run.conditions, *terms_of(run.result)]
        found.append("concrete" if run.losses else of_terms(seen))
    return worst(found)


def of_collection(entry: catalogue.Entry) -> str:
    terms.forget()
    operation = differential.operation(entry, differential.World())
    r = random.Random(entry.name)
    found = []
    for _ in range(INPUTS):
        outcome = operation.on_tracked(operation.sample(r))
        if outcome is not None:
            record = operation.world.record
            seen = [held(event) for event in record.events]
            seen += terms_of(outcome.value) if outcome.kind == "returned" else []
            found.append("concrete" if record.losses else of_terms(seen))
    return worst(found)


def of_number(name: str) -> str:
    """Of ints and floats as they come; a shift or power by a large number is not tried."""
    record = Recording(SiteTable())
    former = activate(record)
    r = random.Random(name)
    _, model = numbers.BINARY.get(name) or numbers.UNARY[name]
    count = 2 if name in numbers.BINARY else 1
    found = []
    try:
        for _ in range(INPUTS):
            values: list[Any] = [r.randint(-20, 20) for _ in range(count)]
            if r.random() < 0.5:
                values = [float(each) for each in values]
            record.start()
            tracked = [numbers._track(f"x{i}", each) for i, each in enumerate(values)]
            result = numbers._result(model, *tracked)
            seen = [held(event) for event in record.events] + terms_of(result)
            dropped = bool(record.losses) or (
                not seen and result is untracked(result) and not isinstance(result, type)
            )
            found.append("concrete" if dropped else of_terms(seen))
    finally:
        activate(former)
    return worst(found)


def of_type(annotation: str) -> str:
    import array
    import io
    import re
    import typing

    names = {"array": array, "io": io, "re": re, "typing": typing}
    try:
        shape_of(eval(annotation, names), "x")
    except UnsupportedInput:
        return "unsupported"
    return "concrete"


def rows() -> Iterable[tuple[str, str, str]]:
    """The type, the operation, how it is supported."""
    for name in [*numbers.BINARY, *numbers.UNARY]:
        yield "int, float, bool", name, of_number(name)
    for entry in catalogue.entries():
        yield entry.kind, entry.what, of_collection(entry)
    for each in entries():
        if each.group != "regex":
            yield f"text: {each.group.replace('_', ' ')}", f"`{each.text}`", of_text(each)
    patterns = text_operations.PATTERNS
    for line in text_operations.REGEX.strip().splitlines():
        forms = [each for each in entries() if each.group == "regex" and _is_form(each, line)]
        count = Counter(of_text(each) for each in forms)
        told = ", ".join(f"{name} for {n} of {len(patterns)} patterns" for name, n in count.items())
        yield "text: re", f"`{line}`", told
    for annotation in OTHER_TYPES.split():
        yield "other types of inputs", f"`{annotation}`", of_type(annotation)


def _is_form(entry: Entry, line: str) -> bool:
    before, _, after = line.partition("PATTERN")
    return entry.text.startswith(before) and entry.text.endswith(after)


def main() -> int:
    counts: Counter[str] = Counter()
    kind = ""
    print(INTRODUCTION)
    for owner, what, verdict in sorted(rows(), key=lambda row: row[0]):
        if owner != kind:
            kind = owner
            print(f"\n## {kind}\n\n| operation | |\n|---|---|")
        counts[verdict.split(" for ")[0]] += 1
        print(f"| {what.replace('|', chr(92) + '|')} | {verdict} |")
    print("\nIn all: " + ", ".join(f"{n} {name}" for name, n in sorted(counts.items())) + ".")
    return 0


if __name__ == "__main__":
    sys.exit(main())
