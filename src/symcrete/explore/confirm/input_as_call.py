"""An input of the engine as a call that can be written down."""

from __future__ import annotations

from symcrete.inputs.setup import taken_apart
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.run.untouched.played import Call
from symcrete.terms.evaluate import Assignment


def call_of(arguments: Arguments, given: Assignment) -> Call:
    """An input as text. Raises NoLiteral where a value has none."""
    written = arguments.written(given)
    imports = sorted(set().union(*[each.imports for each in written.values()]))
    setup, texts = taken_apart({label: each.text for label, each in written.items()})
    return Call(texts, tuple(arguments.keywords), tuple(imports), setup)
