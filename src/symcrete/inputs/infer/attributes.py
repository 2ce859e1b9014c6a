"""What the attributes of an object are, and what its methods answer: by what a module does with
everything of that name.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from typing import Any

from symcrete.inputs.infer.body import SURE, look
from symcrete.inputs.infer.callers import declared_where_passed, text_of
from symcrete.inputs.infer.evidence import Evidence, Weight
from symcrete.inputs.infer.flow import attributes_of, by_name, is_asked_of, is_called
from symcrete.inputs.infer.something import Something, functions_reading
from symcrete.program.source.module import walked

OTHERS: tuple[Any, ...] = (str, int, None)  # types that are tried where little is known
MOST_READ = 12  # functions that are looked at for one attribute; chosen, not measured
# alternatives for one attribute: each is a branch of every path that reads it; chosen, not measured
MOST_KINDS = 3
OWN_SHARE = 0.5  # share of its weight that a class of the program keeps for an attribute; chosen


def kinds_of_attribute(attribute: str, tree: ast.Module, names: Mapping[str, Any]) -> list[Any]:
    """Types for what is read as `x.attribute`, the most likely first."""
    found = _used(f".{attribute}", attribute, tree, names)
    if not [kind for kind in found.weights if kind is not None]:
        found.add(by_name(attribute), Weight.NAMED)
    return _likely(found)


def kinds_of_answer(method: str, tree: ast.Module, names: Mapping[str, Any]) -> list[Any]:
    """Types for what `x.method(...)` gives, the most likely first."""
    return _likely(_used(f".{method}()", method, tree, names))


def kinds_where_kept(
    constructor: Callable[..., Any], parameter: str, tree: ast.Module, names: Mapping[str, Any]
) -> list[Any]:
    """Types for what a constructor keeps in an attribute of the same object, the most likely
    first, by what a module does with attributes of that name: built-in ones, and classes that it
    asks for by name. Empty if it does nothing with them.
    """
    body = text_of(constructor)
    found: dict[Any, None] = {}
    for attribute in attributes_of(body, parameter) if body is not None else ():
        used = _used(f".{attribute}", attribute, tree, names)
        ranked = [kind for kind in used.ranked() if kind is not None]
        found |= {kind: None for kind in ranked if _is_plain(kind) or kind in used.asked}
    return list(found)[:MOST_KINDS]


def _likely(found: Evidence) -> list[Any]:
    """The most likely types; where little speaks for them, others after them."""
    ranked = found.ranked()[:MOST_KINDS]
    if not ranked or found.weights[ranked[0]] >= SURE:
        return ranked
    return [*ranked, *[kind for kind in OTHERS if kind not in ranked]]


def is_method(attribute: str, tree: ast.Module) -> bool:
    """Whether a module calls what it reads as `x.attribute`."""
    return any(
        isinstance(node, ast.Call) and is_called(node.func, f".{attribute}")
        for function in functions_reading(tree).get(attribute, ())
        for node in walked(function)
    )


def is_asked_again(method: str, tree: ast.Module) -> bool:
    """Whether a function of a module may use what one method of an object answers more than once:
    in a loop, or in two places.
    """
    for function in functions_reading(tree).get(method, ()):
        used = _answers_used(function, method)
        loops = [each for each in walked(function) if isinstance(each, ast.While | ast.For)]
        if len(used) > 1 or any(node in used for loop in loops for node in ast.walk(loop)):
            return True
    return False


def _answers_used(function: ast.AST, method: str) -> list[ast.Call]:
    """The calls of a method whose answers are not thrown away."""
    dropped = {id(each.value) for each in walked(function) if isinstance(each, ast.Expr)}
    return [
        node
        for node in walked(function)
        if isinstance(node, ast.Call)
        and is_called(node.func, f".{method}")
        and id(node) not in dropped
    ]


def _used(name: str, attribute: str, tree: ast.Module, names: Mapping[str, Any]) -> Evidence:
    """What functions of a module that read the attribute do with `name`: `.attribute` itself, or
    `.attribute()`, what it gives when it is called.
    """
    found = Evidence()
    known = {**vars(builtins), **names}
    for function in functions_reading(tree).get(attribute, ())[:MOST_READ]:
        look(function, name, known, found, 0)
        found.add(declared_where_passed(function, name, known)[:1], Weight.PASSED_ON)
        for alias in _aliases(function, name):
            look(function, alias, known, found, 0)
            if is_asked_of(function, alias):
                found.add([None], Weight.CONDITION)
    if any(is_asked_of(function, name) for function in functions_reading(tree).get(attribute, ())):
        found.add([bool], Weight.CONDITION)
    own = [kind for kind in found.weights if kind is not Something and not _is_plain(kind)]
    for kind in own:  # within a stand-in an object of the program hides more than it tells
        found.weights.setdefault(Something, Weight.STAND_IN)
        found.weights[kind] *= OWN_SHARE
    return found


def _is_plain(kind: Any) -> bool:
    return not isinstance(kind, type) or kind.__module__ == "builtins"


def _aliases(function: ast.AST, name: str) -> list[str]:
    """The local variables that the value is assigned to."""
    return [
        target.id
        for node in walked(function)
        if isinstance(node, ast.Assign) and is_called(node.value, name)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
