"""Why no search proves anything about a target: what its signature leaves open."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target


def left_open(
    target: Target, function: Callable[..., Any], types: Mapping[str, str], names: Mapping[str, Any]
) -> dict[str, None]:
    """Reasons in words; `types` are those given by the user, `names` the globals of the target."""
    found: dict[str, None] = {}
    for parameter in inspect.signature(function).parameters.values():
        given = parameter.name in types
        if parameter.annotation is parameter.empty and not given:
            found[f"the parameter {parameter.name} has no declared type"] = None
    decorated = [
        node.decorator_list
        for scope, node in functions(target.source.tree())
        if scope == target.scope
    ]
    if "range" in names:
        found["the module has a `range` of its own"] = None
    if decorated != [[]]:
        found[f"{target.scope} is decorated or defined more than once"] = None
    return found
