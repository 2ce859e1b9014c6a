"""Why a search proves nothing about a target: what its signature and its state leave open.

`left_open` is about every search; `not_explored` about one that ran all paths forward, which has
seen one state of the module, one order of tasks and one way of using what the target returns.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from symcrete.backward.backtrack import Reasons
from symcrete.backward.view.program_view import Program
from symcrete.backward.view.state_read import order_of_tasks, state_read
from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.own_subtypes import own_subtypes
from symcrete.explore.reach.reached import Goal
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.callables import CallableShape
from symcrete.inputs.shapes.objects import BareShape, InstanceShape
from symcrete.inputs.shapes.shape import LaterShape
from symcrete.program.lowering.local_names import own_nodes
from symcrete.program.lowering.three_address import Flow
from symcrete.program.source.module import walked
from symcrete.program.source.place import Place
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target
from symcrete.terms.term import Sort

_OPEN = (Any, object)  # annotations that say nothing
# By annotation, the classes of the defaults that are of that type.
_PLAIN: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "str": (str,),
    "bytes": (bytes,),
}


def nothing_proved(
    parts: Parts, types: Mapping[str, str], names: Mapping[str, Any]
) -> dict[str, None]:
    """Reasons, in words, why no search proves anything about a target, whatever it does."""
    found = left_open(parts.target, parts.runner.function, types, names)
    found |= parts.arguments.open
    return found | {each.why: None for each in own_subtypes(parts)}


def left_open(
    target: Target, function: Callable[..., Any], types: Mapping[str, str], names: Mapping[str, Any]
) -> dict[str, None]:
    """Reasons, in words, why a search proves nothing; `types` are those given by the user, `names`
    the globals of the target.
    """
    found: dict[str, None] = {}
    for parameter in inspect.signature(function).parameters.values():
        annotation = parameter.annotation
        if parameter.name in types:
            continue
        if annotation is parameter.empty:
            if parameter.name not in ("self", "cls"):
                found[f"the parameter {parameter.name} has no declared type"] = None
        elif annotation in _OPEN or isinstance(annotation, typing.TypeVar):
            found[f"the parameter {parameter.name} may be anything"] = None
        elif _is_outside(parameter.default, annotation):
            said = f"the default of {parameter.name} is not of its declared type"
            found[said] = None
    decorated = [
        node.decorator_list
        for scope, node in functions(target.source.tree())
        if scope == target.scope
    ]
    if "range" in names:
        found["the module has a `range` of its own"] = None
    if decorated != [[]]:
        marks = [f"@{ast.unparse(each)}" for each in (decorated[0] if decorated else [])]
        by = f" ({', '.join(marks)})" if marks else ""
        found[f"{target.scope} is decorated or defined more than once{by}"] = None
    return found


def _is_outside(default: Any, annotation: Any) -> bool:
    """Whether a default is none of the annotation's values: `unit: str = None`."""
    if default is inspect.Parameter.empty:
        return False
    name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    kind = _PLAIN.get(name)
    if kind is not None:
        return not isinstance(default, kind)
    optional = "None" in str(annotation) or "Optional" in str(annotation)
    return default is None and not optional


def not_explored(
    goal: Goal, target: Target, program: Program, entry: Flow, arguments: Arguments
) -> dict[str, None]:
    """Reasons, in words, why running all paths of the entry point without coming to the goal
    proves nothing.
    """
    found: dict[str, None] = {}
    place, node = goal.place, entry.node
    if goal.error is not None:
        found[f"not every operation that may raise {goal.error} is followed"] = None
    found |= _ways_in(place)
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own_nodes(node)):
        said = f"{target.scope} is a generator: what it is sent, thrown or closed with is not tried"
        found[said] = None
    found |= order_of_tasks(program, entry)
    found |= state_read(program, entry)
    for parameter in arguments.parameters:
        kinds = {type(each) for each in _inside(parameter.shape, set())}
        if kinds & {InstanceShape, BareShape, LaterShape}:
            found[f"{parameter.name} may be in a state that was not tried"] = None
        if CallableShape in kinds:
            found[f"{parameter.name} may do what was not tried"] = None
    found |= _subtypes(node)
    return found


MOST_REASONS = 4  # reasons that are told: what can be read in a line or two


def told_open(reasons: Reasons, refuted: int) -> str:
    """Why nothing is decided, in words, with reasons that name something to blame first; `refuted`
    inputs took another path.
    """
    told = reasons.in_order or ["the budget was spent"]
    if refuted:
        told.append(f"{refuted} inputs were tried that take another path after all")
    return "; ".join(told[:MOST_REASONS])


def assumptions(
    used: Iterable[str], sorts: Mapping[str, Sort], granted: Iterable[str] = ()
) -> tuple[str, ...]:
    """What a proof assumes besides the declared types: constants, floats that are no ints, and
    what is taken for `granted` about arguments.
    """
    floats = [name for name, sort in sorts.items() if sort is Sort.FLOAT]
    said = [f"{name} is a float, not an int given for one" for name in floats]
    return tuple(dict.fromkeys([*used, *said, *granted]))


def _ways_in(place: Place) -> dict[str, None]:
    """The reason that a line in an inner function or a lambda may be reached by a caller that is
    not followed; empty if there is none.
    """
    tree = place.source.tree()
    known = dict(functions(tree))
    outer, _, name = place.scope.rpartition(".")
    around = known.get(outer)
    if around is not None:
        calls = [each.func for each in walked(around) if isinstance(each, ast.Call)]
        for each in walked(around):
            used = isinstance(each, ast.Name) and each.id == name and each not in calls
            inner = known[place.scope]
            if used or inner.decorator_list or isinstance(inner, ast.AsyncFunctionDef):
                return {f"{name} is made by {outer}; who calls it later is not followed": None}
    if name == "__del__":
        return {"when __del__ is called is not followed": None}
    for each in walked(known[place.scope]):
        if isinstance(each, ast.Lambda | ast.GeneratorExp):
            first = each.body.lineno if isinstance(each, ast.Lambda) else each.elt.lineno
            if place.statement < place.line and first <= place.line <= (each.end_lineno or first):
                return {f"who calls the lambda in line {each.lineno} is not followed": None}
    return {}


def _subtypes(node: ast.AST) -> dict[str, None]:
    """The reason that a value of a subtype may behave otherwise: a bool than another int, a tuple
    than a list; empty if there is none.
    """
    for each in walked(node):
        match each:
            case ast.Call(func=ast.Name(id="isinstance" | "type" | "issubclass" as name)):
                return {f"`{name}` in line {each.lineno} may tell a subtype": None}
            case ast.Compare(ops=ops, comparators=others) if any(
                isinstance(op, ast.Is | ast.IsNot)
                and not (isinstance(other, ast.Constant) and other.value is None)
                for op, other in zip(ops, others, strict=True)
            ):
                return {f"`is` in line {each.lineno} may tell equal objects apart": None}
            case ast.MatchClass():
                return {f"the pattern in line {each.lineno} may tell a subtype": None}
            case ast.Attribute(attr="__class__" | "tzinfo"):
                return {f"`{each.attr}` in line {each.lineno} may tell a subtype": None}
            case _:
                pass
    return {}


def _inside(shape: Any, seen: set[int]) -> Iterator[Any]:
    """A shape and the shapes it is made of."""
    if id(shape) in seen:
        return
    seen.add(id(shape))
    yield shape
    if not dataclasses.is_dataclass(shape):
        return
    for part in dataclasses.fields(shape):
        value = getattr(shape, part.name, None)
        for each in value if isinstance(value, tuple) else (value,):
            if dataclasses.is_dataclass(each) and not isinstance(each, type):
                yield from _inside(each, seen)
