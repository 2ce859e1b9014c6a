"""Inputs that people gave the target elsewhere: in defaults, docstrings, and tests that were
recorded.
"""

from __future__ import annotations

import contextlib
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from symcrete.errors import BadOption, SymcreteError
from symcrete.inputs.infer.examples import as_input, examples_of
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.objects import meaning
from symcrete.program.source.target import Target
from symcrete.terms.evaluate import Assignment


def first_inputs(
    target: Target,
    function: Callable[..., Any],
    arguments: Arguments,
    names: Mapping[str, Any],
    recorded: Sequence[str],
) -> Iterator[Assignment]:
    """The call with the defaults of the target's parameters, and those that docstrings show or
    tests made, as far as they fit its parameters; `names` are those of its module.
    """
    usual: Assignment = {}
    for each in defaults(function, arguments):
        usual |= each
    if usual:
        yield usual
    shown = [(each, function, names) for each in examples_of(target.source.tree(), target.scope)]
    for subject in target.subjects:  # the functions that a program made by `oracle` calls
        module = names[subject.bound]
        with contextlib.suppress(AttributeError):
            one = operator.attrgetter(subject.name or subject.scope)(module)
            given = examples_of(subject.source.tree(), subject.scope)
            shown += [(each, one, vars(module)) for each in given]
    for example, called_as, known in shown:
        with contextlib.suppress(SymcreteError, TypeError, ValueError):
            text = as_input(example, called_as, known)
            if text is not None:
                yield read_input(text, arguments, known)
    for text in recorded:
        with contextlib.suppress(BadOption):
            yield read_input(text, arguments, names)


def defaults(function: Callable[..., Any], arguments: Arguments) -> Iterator[Assignment]:
    """For each parameter the variables that mean its default, as far as that is known."""
    shapes = {parameter.name: parameter.shape for parameter in arguments.parameters}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is not parameter.empty and name in shapes:
            with contextlib.suppress(NoLiteral):
                yield meaning(shapes[name], parameter.default, name)
