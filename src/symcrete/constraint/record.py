"""A path constraint as JSON and back, so that queries can be kept as a corpus.

Nodes are listed once each, arguments before their users: `[operation, argument, ...]`, where an
argument that is a node is `{"n": place}`. Numbers are text, so that every integer and double
survives.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.terms import operations as ops
from symcrete.terms.decimal import decimal, parse_integer
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import (
    CONST,
    VAR,
    Operation,
    Sort,
    Term,
    const,
    intern,
    intern_as,
    var,
)
from symcrete.terms.visit import postorder

_OPERATIONS: dict[str, Operation] = {
    value.name: value for value in vars(ops).values() if isinstance(value, Operation)
}
_ANY_SORT = frozenset({ops.ITE, ops.MODELLED})  # the sort is that of their arguments


class Unreadable(ValueError):
    """A line that does not hold a constraint, or names a function that cannot be found."""


def written(constraint: PathConstraint, near: Assignment) -> dict[str, Any]:
    """A constraint and the input it came from as JSON."""
    conditions = constraint.conditions
    places: dict[Term, int] = {}
    nodes: list[list[Any]] = []
    for node in postorder(conditions):
        places[node] = len(nodes)
        nodes.append(_node(node, places))
    return {
        "nodes": nodes,
        "conditions": [places[condition] for condition in conditions],
        "near": {name: _value(value) for name, value in near.items()},
    }


def _node(node: Term, places: dict[Term, int]) -> list[Any]:
    if node.op is VAR:
        return ["var", node.args[0], node.sort.value]
    if node.op is CONST:
        return ["const", _value(node.args[0])]
    arguments = [{"n": places[arg]} if arg.__class__ is Term else decimal(arg) for arg in node.args]
    if node.op.opaque:
        function = node.op.function
        where = f"{function.__module__}:{function.__qualname__}"
        return ["opaque", where, node.op.name, node.sort.value, *arguments]
    if node.op in _ANY_SORT:
        return [node.op.name, node.sort.value, *arguments]
    return [node.op.name, *arguments]


def _value(value: Any) -> Any:
    if value.__class__ is bool:
        return value
    if value.__class__ is int:
        return {"int": decimal(value)}
    if value.__class__ is float:
        return {"float": value.hex()}
    return {"repr": repr(value)}


def read(line: dict[str, Any]) -> tuple[PathConstraint, Assignment]:
    """The constraint and input that `written` wrote; raises `Unreadable` for anything else."""
    try:
        nodes: list[Term] = []
        for node in line["nodes"]:
            nodes.append(_built(node, nodes))
        conditions = [nodes[place] for place in line["conditions"]]
        near = {name: _read_value(value) for name, value in line["near"].items()}
        return PathConstraint(tuple(conditions[:-1]), conditions[-1]), near
    except (LookupError, TypeError, AttributeError, ImportError, ValueError) as error:
        raise Unreadable(f"not a recorded constraint: {error}") from error


def _built(node: list[Any], nodes: list[Term]) -> Term:
    name, *rest = node
    if name == "var":
        return var(rest[0], Sort(rest[1]))
    if name == "const":
        return const(_read_value(rest[0]))
    if name == "opaque":
        where, label, sort, *arguments = rest
        operation = ops.opaque(_function(where), Sort(sort), label)
        return intern(operation, tuple(_argument(arg, nodes) for arg in arguments))
    operation = _OPERATIONS[name]
    if operation in _ANY_SORT:
        sort, *rest = rest
        return intern_as(Sort(sort), operation, tuple(_argument(arg, nodes) for arg in rest))
    return intern(operation, tuple(_argument(arg, nodes) for arg in rest))


def _argument(argument: Any, nodes: list[Term]) -> Any:
    return nodes[argument["n"]] if isinstance(argument, dict) else parse_integer(argument)


def _function(where: str) -> Any:
    module, _, path = where.partition(":")
    found: Any = import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    return found


def _read_value(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if "int" in value:
        return parse_integer(value["int"])
    if "float" in value:
        return float.fromhex(value["float"])
    raise ValueError(f"a value of another kind: {value['repr']}")
