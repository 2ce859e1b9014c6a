"""What `@given` says about the parameters of a test."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from types import CodeType
from typing import Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.shapes.annotations import Reader
from symcrete.inputs.shapes.arguments import Known
from symcrete.inputs.shapes.shape import Shape
from symcrete.inputs.strategies.strategy_reader import StrategyReader
from symcrete.program.source.target import INNER_TEST, Target

# Functions of Hypothesis that work only while it runs the test itself.
_NEED_HYPOTHESIS = ("note", "event", "target")


def known_by_given(module: Any, target: Target) -> Known | None:
    """What is known about the parameters of a target that `@given` decorates; None for others."""
    if not target.called.endswith(INNER_TEST):
        return None
    handle = operator.attrgetter(target.called.rpartition(".")[0])(module)
    _refuse_what_needs_hypothesis(handle.inner_test, target)
    return functools.partial(_shape, handle._given_kwargs)


def _shape(strategies: Mapping[str, Any], name: str, where: str, reader: Reader) -> Shape | None:
    strategy = strategies.get(name)
    if strategy is None or strategy is ...:  # it follows from the annotation
        return None
    if type(strategy).__name__ == "DataStrategy":
        raise _refused(where, "data()")
    return StrategyReader(reader, where).shape(strategy)


def _refuse_what_needs_hypothesis(test: Any, target: Target) -> None:
    code: CodeType = test.__code__
    for name in _NEED_HYPOTHESIS:
        found = test.__globals__.get(name) if name in code.co_names else None
        if getattr(found, "__module__", None) == "hypothesis.control":
            raise _refused(target.scope, f"{name}()")


def _refused(where: str, what: str) -> UnsupportedInput:
    return UnsupportedInput(
        f"{where} uses {what}, which works only while Hypothesis runs the test; "
        'explore it with @settings(backend="symcrete")'
    )
