"""Which types a parameter without annotation may have: read off what the body does with it.

Methods called on it, operators, iteration, what it is compared with, `isinstance` and `match`, its
default, and the docstring. The types with the most evidence come first.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import contextlib
import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symcrete.inputs.infer.asked_kinds import (
    another_kind,
    any_of,
    asked_of_class,
    asked_through,
    filled,
    list_of,
    matched,
    named_kinds,
    together,
)
from symcrete.inputs.infer.callers import (
    declared_by,
    declared_where_passed,
    is_vague,
    passed_by_callers,
    read_through,
    said_of_namesakes,
    text_of,
)
from symcrete.inputs.infer.evidence import (
    FUNCTIONS,
    METHODS,
    OTHERWISE,
    Evidence,
    Weight,
    combined,
    compared,
)
from symcrete.inputs.infer.examples import kinds_in_examples
from symcrete.inputs.infer.flow import (
    attributes_of,
    by_name,
    by_use,
    elements_of,
    holds,
    is_asked_of,
    is_called,
    is_cast,
    is_of_texts,
    methods_with,
    other_names,
    owner_of,
    passed_to,
    place_of,
    until_made_anew,
)
from symcrete.inputs.infer.project_classes import (
    classes_with,
    has_attribute,
    own_classes,
    values_asked,
)
from symcrete.inputs.infer.prose import documented
from symcrete.inputs.infer.records import (
    constant_kind,
    is_built_in,
    keys_of,
    only_by_key,
    record_of,
)
from symcrete.inputs.infer.something import (
    BUILT_IN_NAMES,
    Named,
    Something,
    fitting,
    foreign,
    read_of,
)
from symcrete.program.source.module import walked

# alternatives for one parameter: each is a branch of every path
MOST_TYPES = 4
# alternatives with the types that the body asks for by name; chosen, not measured
MOST_ASKED = 8
# weight from which on a type is sure: a little less than one method, or one comparison with a
# constant, adds
SURE = 1.4
_DEEPEST_LISTS = 3  # levels of lists of lists that are told from a body; chosen, not measured
_MOST_CALLS_FOLLOWED = 4  # calls that a parameter is followed through; chosen, not measured

_CONTAINERS = (list, dict, set, tuple)
_OF_SEVERAL = frozenset(
    {"min", "max", "zip"}
)  # given one argument they take a list, given several the elements


def inferred_types(function: Callable[..., Any], name: str) -> list[Any]:
    """Annotations for a parameter, the most likely first; empty if nothing speaks for any."""
    return _inferred(function, name, 0)[0]


def is_sure(function: Callable[..., Any], name: str) -> bool:
    """Whether more than one thing, or a strong one, speaks for the most likely type."""
    return _inferred(function, name, 0)[1] >= SURE


def asked_types(function: Callable[..., Any], name: str) -> list[Any]:
    """Those of the inferred types that the body asks for by `isinstance` or `match`."""
    kinds, _, asked = _inferred(function, name, 0)
    return [kind for kind in kinds if kind in asked]


@functools.lru_cache(maxsize=1024)  # parameters; chosen, not measured
def _inferred(
    function: Callable[..., Any], name: str, level: int
) -> tuple[list[Any], float, Mapping[Any, None]]:
    """The types of a parameter, most likely first, the weight of what speaks for the first, and
    the types that the body asks for.
    """
    found_text = text_of(function)
    if found_text is None:
        return [], 0.0, {}
    names = {**vars(builtins), **getattr(function, "__globals__", {})}
    owner = owner_of(function, names)
    text = until_made_anew(found_text, name, names)
    tree = read_through(text, names, owner)
    found = Evidence(owner, level)
    found.add([filled(kind) for kind in documented(function, name, names)], Weight.DOCUMENTED)
    found.add([filled(each) for each in kinds_in_examples(function, name, names)], Weight.EXAMPLE)
    for each in [name, *other_names(tree, name)]:
        look(tree, each, names, found, 0)
        declared = declared_where_passed(tree, each, names)[:1]
        found.add([kind for kind in declared if not is_vague(kind)], Weight.PASSED_ON)
        _followed(text, each, names, found)
    if level == 0:
        found.add(list(dict.fromkeys(passed_by_callers(function, name)))[:2], 1.0)
    for attribute in attributes_of(tree, name, function, owner):
        for method, held in methods_with(owner, attribute) if owner is not None else ():
            look(method, held, names, found, 0)
            _followed(method, held, names, found)
    telling = [kind for kind in found.weights if kind is not None and type(kind) is not Named]
    if level == 0 and not [kind for kind in telling if is_built_in(kind)]:
        # It has to outweigh a class that happens to have the attributes which are read.
        weight = 2.0 if Something in found.weights else 1.0
        found.add([filled(kind) for kind in said_of_namesakes(function, name)[:1]], weight)
    if not telling:
        found.add(by_name(name), Weight.NAMED)
    ranked = found.ranked()
    weight = found.weights[ranked[0]] if ranked else 0.0
    objects = found.objects()
    if objects:
        ranked, weight = objects, max(weight, SURE)
    elif level:  # nor has what a caller hands on to have them
        ranked = [kind for kind in ranked if kind is not Something]
    ranked = fitting(ranked, tree, name, found.asked)
    further = [*found.asked, Something] if objects else found.asked
    likely = ranked[:MOST_TYPES] + [kind for kind in ranked[MOST_TYPES:] if kind in further]
    likely = likely[:MOST_ASKED] + (another_kind(likely, found.asked) if level == 0 else [])
    for each in [name, *other_names(tree, name)]:
        likely = _with_elements(likely, elements_of(tree, each), found, names)
    return together(likely), weight, found.asked


def _followed(tree: ast.AST, name: str, names: Mapping[str, Any], found: Evidence) -> None:
    """Add to the evidence the types that functions take to which the variable is passed."""
    if found.level >= _MOST_CALLS_FOLLOWED:
        return
    for callee, parameter in passed_to(tree, name, names, found.owner):
        declared = declared_by(callee, parameter)
        sure = [kind for kind in declared if not is_vague(kind)]
        if sure and not found.weights.keys() & set(sure):
            found.add(sure, Weight.PASSED_ON)
        inferred = _inferred(callee, parameter, found.level + 1)[0]
        found.add(inferred or declared, Weight.FOLLOWED)


def _with_elements(
    kinds: list[Any],
    elements: tuple[ast.AST, str] | None,
    of: Evidence,
    names: Mapping[str, Any],
) -> list[Any]:
    """The types, with a list of the type that the elements are used as in place of `list[int]`."""
    if elements is None:
        return kinds
    found = of.beside()
    look(*elements, names, found, 1)
    _followed(*elements, names, found)
    held = _each(found, *elements)
    if held is None:
        return kinds
    made = {
        list[int]: list_of(held),
        Iterator[int]: types.GenericAlias(collections.abc.Iterator, (held,)),
    }
    return list(dict.fromkeys([made.get(kind, kind) for kind in kinds]))


def keys_looked_up(function: Callable[..., Any], name: str) -> list[str]:
    """The constant keys that a function looks up in one of its parameters."""
    found = text_of(function)
    return [] if found is None else keys_of(found, name)


def is_only_looked_up(function: Callable[..., Any], name: str) -> bool:
    """Whether a function does nothing with one of its parameters but to look up constant keys."""
    found = text_of(function)
    return found is not None and only_by_key(found, name)


def look(tree: ast.AST, name: str, names: Mapping[str, Any], found: Evidence, depth: int) -> None:
    """Add to the evidence what a function's body does with a variable."""
    keys = keys_of(tree, name)
    read = read_of(tree, name, names)
    for node in walked(tree):
        match node:
            case ast.Compare(left=left, ops=ops, comparators=[right, *_]):
                compared(left, ops[0], right, name, tree, names, found)
            case ast.BinOp(left=left, op=op, right=right):
                combined(left, op, right, name, names, found)
            case ast.AugAssign(target=ast.Name(id=target), op=op, value=value) if target == name:
                combined(ast.Name(name), op, value, name, names, found)
            case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand) if is_called(
                operand, name
            ):
                found.add([int])
            case ast.Subscript(value=value, slice=index) if is_called(value, name):
                _subscripted(value, index, keys, tree, names, found, depth)
            case ast.BoolOp(op=ast.Or(), values=[first, *_, last]) if is_called(first, name):
                found.add(_some(constant_kind(last, names)), Weight.COMPARED)
            case ast.AnnAssign(annotation=said, value=ast.expr() as value):
                if is_called(value, name):
                    found.add(_some(named_kinds(said, names)), Weight.PASSED_ON)
            case (
                ast.For(target=target, iter=iterated)
                | ast.comprehension(target=target, iter=iterated)
            ):
                _iterated(target, iterated, tree, name, names, found, depth)
            case ast.Call():
                _called(node, tree, name, names, found, keys, depth)
            case ast.Attribute(value=value, attr=attribute) if is_called(value, name):
                own = [kind for kind in own_classes(names) if has_attribute(kind, attribute)]
                # A method that built-in types have, too, says little for a class of the program.
                found.add(own[:1] if attribute in METHODS else own, Weight.MEMBER)
            case ast.Assign(targets=[ast.Tuple() as parts], value=value) if is_called(value, name):
                found.add([_element(parts, tree, names, found, depth)], Weight.TELLING_USE)
            case ast.withitem(context_expr=entered) if is_called(entered, name):
                found.add([contextlib.nullcontext], Weight.TELLING_USE)
            case ast.Match(subject=subject) if is_called(subject, name):
                for case in node.cases:
                    found.ask(matched(case.pattern, names))
            case _:
                pass
    for attribute, spared in read.items():
        found.add_foreign(foreign(attribute, read), spared=spared)
    if not read:
        return
    asked = frozenset() if BUILT_IN_NAMES.issuperset(read) else values_asked(tree, name)
    for kind in classes_with(frozenset(read), names, asked):
        found.add([kind], 1.0 + Weight.EACH_ATTRIBUTE * len(read))


def _subscripted(
    held: ast.expr,
    index: ast.expr,
    keys: list[str],
    tree: ast.AST,
    names: Mapping[str, Any],
    found: Evidence,
    depth: int,
) -> None:
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        found.add([_record(held, keys, tree, names, found, depth)], Weight.TELLING_USE)
    elif isinstance(index, ast.Slice | ast.Constant | ast.UnaryOp):
        found.add([list[int], str])
    else:
        found.add([list[int], dict[int, int]])


def _record(
    held: ast.expr,
    keys: list[str],
    tree: ast.AST,
    names: Mapping[str, Any],
    of: Evidence,
    depth: int,
) -> Any:
    """A dict with some of these keys; what is done with `held["key"]`, or with the local variables
    that hold it, tells the type of a value.
    """
    told: dict[str, Any] = {}
    for key in keys if depth < _DEEPEST_LISTS else ():
        place = f"{place_of(held)}[{key!r}]"
        found = of.beside()
        held_by = other_names(tree, place)
        for each in [place, *held_by]:
            look(tree, each, names, found, depth + 1)
            _followed(tree, each, names, found)
        ranked = [filled(kind) for kind in _some(found.ranked()) if kind is not Something][:1]
        for each in [place, *held_by]:
            ranked = _with_elements(ranked, elements_of(tree, each), of, names)
        told |= dict.fromkeys([key], ranked[0]) if ranked else {}
    return record_of(keys, tree, told)


def _some(kinds: list[Any]) -> list[Any]:
    """The types without None."""
    return [kind for kind in kinds if kind is not None]


def _iterated(
    target: ast.expr,
    iterated: ast.expr,
    tree: ast.AST,
    name: str,
    names: Mapping[str, Any],
    found: Evidence,
    depth: int,
) -> None:
    match iterated:
        case _ if holds(iterated, name):
            found.add([list_of(_element(target, tree, names, found, depth)), str], Weight.ITERATED)
        case ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=other), *_]) if (
            other == name
        ):
            inner = (
                target.elts[1]
                if isinstance(target, ast.Tuple) and len(target.elts) == 2
                else target
            )
            found.add([list_of(_element(inner, tree, names, found, depth))], Weight.ITERATED)
        case ast.Call(func=ast.Name(id="zip"), args=args):
            parts = target.elts if isinstance(target, ast.Tuple) else []
            for index, arg in enumerate(args):
                if is_called(arg, name):
                    inner = parts[index] if index < len(parts) else target
                    found.add(
                        [list_of(_element(inner, tree, names, found, depth))], Weight.ITERATED
                    )
        case ast.Call(func=ast.Attribute(value=value, attr="keys")) if is_called(value, name):
            key = _element(target, tree, names, found, depth)
            found.add([types.GenericAlias(dict, (key, int))], Weight.TELLING_USE)
        case ast.Call(func=ast.Attribute(value=value, attr="values")) if is_called(value, name):
            held = _element(target, tree, names, found, depth)
            found.add([types.GenericAlias(dict, (str, held))], Weight.TELLING_USE)
        case ast.Call(func=ast.Attribute(value=value, attr="items")) if is_called(value, name):
            pair = (
                target.elts
                if isinstance(target, ast.Tuple) and len(target.elts) == 2
                else [target] * 2
            )
            key, each = [_element(part, tree, names, found, depth) for part in pair]
            found.add([types.GenericAlias(dict, (key, each))], Weight.TELLING_USE)
        case ast.Call(func=ast.Name(id="range"), args=args) if any(
            is_called(arg, name) for arg in args
        ):
            found.add([int], Weight.COUNTED)
        case _:
            pass


def _element(
    target: ast.expr, tree: ast.AST, names: Mapping[str, Any], of: Evidence, depth: int
) -> Any:
    """The type of a loop variable, by what the body does with it."""
    if depth >= _DEEPEST_LISTS:
        return int
    if isinstance(target, ast.Tuple):
        parts = [_element(each, tree, names, of, depth + 1) for each in target.elts]
        return types.GenericAlias(tuple, tuple(parts))
    if not isinstance(target, ast.Name):
        return int
    key = (tree, target.id, depth)
    if key not in of.elements:
        found = of.beside()
        look(tree, target.id, names, found, depth + 1)
        _followed(tree, target.id, names, found)
        of.elements[key] = _each(found, tree, target.id) or int
    return of.elements[key]


def _each(found: Evidence, tree: ast.AST, name: str) -> Any:
    """The type of what is in a container, by the evidence for the variable that holds it in a text:
    a choice of types where it is an object, or where the body asks for several. None if nothing
    speaks for any.
    """
    objects = _some(found.objects())
    if not objects:
        ranked = _some(found.ranked())[:1]
        return any_of([filled(each) for each in ranked], found.asked) if ranked else None
    # An object is always true, so that a body which asks for its truth expects None as well.
    perhaps = [None] if is_asked_of(tree, name) else []
    return any_of([*objects, *perhaps], found.asked)


def _called(
    node: ast.Call,
    tree: ast.AST,
    name: str,
    names: Mapping[str, Any],
    found: Evidence,
    keys: list[str],
    depth: int,
) -> None:
    function = node.func
    if is_cast(node) and is_called(node, name):
        found.add(_some(named_kinds(node.args[0], names)), Weight.PASSED_ON)
    elif len(node.args) == 2 and name.endswith("]") and is_called(node, name):
        found.add(_some(constant_kind(node.args[1], names)), Weight.COMPARED)  # `x.get("a", [])`
    if is_called(function, name):
        found.add([Callable[..., int]], Weight.TELLING_USE)
    if isinstance(function, ast.Attribute) and is_called(function.value, name):
        kinds = list(METHODS.get(function.attr, ()))
        if keys and dict in kinds:
            record = _record(function.value, keys, tree, names, found, depth)
            found.add([record], Weight.TELLING_USE)
        found.add([filled(kind) for kind in kinds], Weight.MEMBER)
    if isinstance(function, ast.Name) and node.args and is_called(node.args[0], name):
        if function.id == "isinstance" and len(node.args) == 2:
            kinds = named_kinds(node.args[1], names)
            found.ask(kinds)
            if len(kinds) == 1 and kinds[0] in OTHERWISE:
                other, weight = OTHERWISE[kinds[0]]
                found.add([other], weight)
        elif function.id == "callable":
            found.ask([Callable[..., int]])
        elif function.id not in _OF_SEVERAL or len(node.args) == 1:
            found.add([filled(kind) for kind in FUNCTIONS.get(function.id, ())])
    found.ask(asked_of_class(node, name, names) or asked_through(node, name, names))
    found.add(by_use(node, name), Weight.MEMBER if is_of_texts(node) else Weight.BY_USE)
    match node:
        # Built-in values take no attributes, and have none of a name that is made up.
        case ast.Call(func=ast.Name(id="setattr" | "getattr" | "delattr"), args=[held, made, *_]):
            if is_called(held, name) and not isinstance(made, ast.Constant):
                found.add([Something], Weight.TELLING_USE)
        case ast.Call(func=ast.Name(id="map" | "filter"), args=[ast.Name(id=mapped), values]):
            if is_called(values, name):
                found.add([list_of(_mapped(mapped, tree, names, found, depth))])
        case ast.Call(func=ast.Name(id="map" | "filter"), args=[ast.Lambda() as made, *rest]):
            for parameter, values in zip(made.args.args, rest, strict=False):
                if is_called(values, name):
                    target = ast.Name(parameter.arg, ast.Store())
                    inner = _element(target, made, names, found, depth + 1)
                    found.add([list_of(inner)], Weight.ITERATED)
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as args):
            if any(is_called(arg, name) for arg in args):
                found.add([int, float, str])
        case ast.Call(func=ast.Name(id="zip"), args=args):
            if any(is_called(arg, name) for arg in args):
                found.add([list[int], str], Weight.ZIPPED)
        case ast.Call(func=ast.Name(id="ord"), args=[ast.Subscript(value=value)]):
            if is_called(value, name):
                found.add([str], Weight.TELLING_USE)
        case _:
            pass
    is_math = isinstance(function, ast.Attribute) and is_called(function.value, "math")
    if is_math and any(is_called(arg, name) for arg in node.args):
        found.add([float])


def _mapped(
    function: str, tree: ast.AST, names: Mapping[str, Any], of: Evidence, depth: int
) -> Any:
    """The type that the function of this name, defined inside the one looked at, takes; str if
    there is none.
    """
    for node in walked(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function and node.args.args:
            target = ast.Name(node.args.args[0].arg, ast.Store())
            return _element(target, node, names, of, depth + 1)
    return str
