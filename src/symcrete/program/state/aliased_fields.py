"""Whether a container in a field may be given elements of another type through another name.

`items = box.items; items.append(None)` changes the field as `box.items.append(None)` does. Where a
field's container gets another name, and something of another type is put into a container that may
be it, the field need not hold what is declared. So may what any attribute holds be changed in place
under another name, or handed on.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Set

from symcrete.program.source.module import walked
from symcrete.program.state.declared_stores import (
    PUTTING,
    PUTTING_ONE,
    Known,
    Misfit,
    fits,
    known_scopes,
)
from symcrete.program.state.facts import Change
from symcrete.program.state.scopes import FUNCTIONS, Scopes
from symcrete.program.state.uses import how_used

# Types whose values hold others and can be changed, as the text of an annotation begins.
_CONTAINERS = frozenset(
    {"list", "dict", "set", "deque", "defaultdict", "Counter", "OrderedDict", "List", "Dict", "Set"}
    | {"DefaultDict", "Deque", "MutableSequence", "MutableMapping", "MutableSet"}
)
# Built-in functions that neither keep nor change the containers that they are given.
_LOOKING = frozenset(
    {"len", "sum", "min", "max", "any", "all", "sorted", "list", "tuple", "set", "frozenset"}
    | {"dict", "str", "repr", "bool", "isinstance", "print", "enumerate", "zip", "reversed"}
    | {"iter", "map", "filter", "hash", "id", "type"}
)
# Calls and expressions that make a new container, which no field holds yet.
_FRESH_CALLS = frozenset({"list", "dict", "set", "sorted", "deque", "defaultdict", "Counter"})
# Types as text whose values `+=` never changes in place.
_NO_CONTAINERS = frozenset({"int", "float", "bool", "str", "bytes", "complex"})
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def changed_through_names(
    trees: Collection[ast.Module], family: Collection[str], declared: Mapping[str, str]
) -> Iterator[Misfit]:
    """Fields with containers that something of another type may be put into through another name.

    `family` and `declared` are those of `declared_stores.misfits`.
    """
    elements = {name: parts for name, each in declared.items() if (parts := elements_of(each))}
    if not elements:
        return
    known = [each for tree in trees for each in known_scopes(tree, family, declared)]
    nodes = [node for _, _, each in known for node in each]
    fresh = _fresh_attributes(nodes)
    named = {name for name in elements if _has_other_name(name, elements[name], nodes)}
    defined = {node.name for tree in trees for node in walked(tree) if isinstance(node, _DEFINED)}
    for scope, types, inside in known:
        for name, line in _given_away(inside, types, elements, defined):
            yield Misfit(name, line, scope)
        handed = _handed_to(inside, family)
        local = _fresh_locals(inside)
        for receiver, key, value, line in _puts(inside, types):
            match receiver:
                case ast.Attribute(attr=name) if name in declared or name in fresh:
                    continue
                case ast.Name(id=name) if name in local and name not in handed:
                    continue
                case ast.Name(id=name) if name in local:
                    blamed = set(elements)
                case _:
                    blamed = named
            for name in sorted(blamed):
                if not _fitting(types, elements[name], key, value):
                    yield Misfit(name, line, scope)


def _given_away(
    nodes: list[ast.AST], types: Known, elements: Mapping[str, list[str]], defined: Set[str]
) -> Iterator[tuple[str, int]]:
    """Fields whose containers a function of a library may put something of another type into, each
    with the line: `heappush(box.items, None)`, `map(box.items.append, others)`. The functions
    `defined` in the program are looked at themselves.
    """
    called = {each.func for each in nodes if isinstance(each, ast.Call)}
    for each in nodes:
        match each:
            case ast.Attribute(value=ast.Attribute(attr=name), attr=method) if name in elements:
                if (method in PUTTING and each not in called) or method.startswith("__i"):
                    yield name, each.lineno
            case ast.Call(func=ast.Name(id=function) | ast.Attribute(attr=function)):
                if function in defined or function in _LOOKING:
                    continue
                given = [*each.args, *[keyword.value for keyword in each.keywords]]
                for one in given:
                    if isinstance(one, ast.Attribute) and one.attr in elements:
                        element = elements[one.attr][-1]
                        others = [types.type_of(other) for other in given if other is not one]
                        if not all(fits(other, element) for other in others):
                            yield one.attr, each.lineno


def elements_of(declared: str) -> list[str]:
    """The types that a container of this type holds; none if it is no container."""
    kind, _, inside = declared.partition("[")
    if kind.strip() not in _CONTAINERS:
        return []
    parts, depth = [""], 0
    for each in inside.removesuffix("]"):
        depth += (each == "[") - (each == "]")
        if each == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += each
    return [part.strip() for part in parts]


def _fitting(
    types: Known, elements: list[str], key: ast.expr | None, value: ast.expr | None
) -> bool:
    """Whether a key and a value are of the types that a container holds."""
    if value is None or not fits(types.type_of(value), elements[-1]):
        return False
    if len(elements) == 1:
        return True
    return key is not None and fits(types.type_of(key), elements[0])


def _puts(
    nodes: list[ast.AST], types: Known
) -> Iterator[tuple[ast.expr, ast.expr | None, ast.expr | None, int]]:
    """Where something is put into a container: the container, the key, the value and the line; no
    value if it is not known which.
    """
    values: dict[ast.AST, ast.expr] = {}
    for each in nodes:
        match each:
            case ast.Assign(targets=targets, value=value):
                values |= dict.fromkeys(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                values[target] = value
            case ast.AugAssign(target=ast.Name() as target, value=value):
                sums = types.type_of(value) in _NO_CONTAINERS or _counts(target.id, nodes, types)
                if not sums:
                    yield target, None, None, each.lineno
    for each in nodes:
        match each:
            case ast.Subscript(value=receiver, slice=key, ctx=ast.Store()):
                value_here = None if isinstance(key, ast.Slice) else values.get(each)
                yield receiver, key, value_here, each.lineno
            case ast.Call(func=ast.Attribute(value=receiver, attr=method), args=args):
                if method in PUTTING_ONE and len(args) == 1:
                    yield receiver, None, args[0], each.lineno
                elif method in PUTTING:
                    yield receiver, None, None, each.lineno


def _counts(name: str, nodes: list[ast.AST], types: Known) -> bool:
    """Whether a function binds a name to numbers and texts alone, but for `name += ...`."""
    given = [
        each.value
        for each in nodes
        if isinstance(each, ast.Assign)
        and any(isinstance(one, ast.Name) and one.id == name for one in each.targets)
    ]
    stores = [
        each
        for each in nodes
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
    ]
    added = [each for each in nodes if isinstance(each, ast.AugAssign) and each.target in stores]
    known = all(types.type_of(each) in _NO_CONTAINERS for each in given)
    return bool(given) and known and len(given) + len(added) == len(stores)


def _has_other_name(name: str, elements: list[str], nodes: list[ast.AST]) -> bool:
    """Whether the container in this field is used in a way that may give it, or a container inside
    it, another name.
    """
    nested = any(elements_of(each) for each in elements)
    harmless: set[ast.AST] = set()
    for each in nodes:
        match each:
            case ast.Attribute(value=ast.Attribute() as inner, attr=method):
                if not nested and method not in PUTTING:
                    harmless.add(inner)
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as inner)):
                if not nested:  # what is put there is looked at where stores are
                    harmless.add(inner)
            case ast.Call(func=ast.Name(id=called), args=args):
                if called in _LOOKING and not nested:
                    harmless.update(args)
            case ast.Subscript(value=ast.Attribute() as inner):
                if not nested:
                    harmless.add(inner)
            case ast.For(iter=inner) | ast.comprehension(iter=inner):
                if not nested:
                    harmless.add(inner)
            case ast.Compare(left=left, comparators=others):
                harmless.update((left, *others))
            case ast.If(test=inner) | ast.While(test=inner) | ast.IfExp(test=inner):
                harmless.add(inner)
            case ast.UnaryOp(operand=inner) | ast.FormattedValue(value=inner):
                harmless.add(inner)
            case ast.BinOp(left=left, right=right):
                if not nested:
                    harmless.update((left, right))
    if any(_names_field(each, name) for each in nodes):
        return True
    return any(
        isinstance(each, ast.Attribute)
        and each.attr == name
        and isinstance(each.ctx, ast.Load)
        and each not in harmless
        for each in nodes
    )


def _names_field(node: ast.AST, name: str) -> bool:
    """Whether a text or a pattern may mean this field: `getattr(box, "items")`, `case Box(xs)`."""
    match node:
        case ast.Constant(value=text):
            return bool(text == name)
        case ast.MatchClass(patterns=by_place, kwd_attrs=by_name):
            return bool(by_place) or name in by_name
    return False


def _is_fresh(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name in _FRESH_CALLS
    return isinstance(value, _FRESH)


def _made(nodes: list[ast.AST]) -> dict[ast.AST, bool]:
    """What is assigned to, and whether it gets a container that is made there."""
    made: dict[ast.AST, bool] = {}
    for each in nodes:
        match each:
            case ast.Assign(targets=targets, value=value):
                made |= dict.fromkeys(targets, _is_fresh(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                made[target] = _is_fresh(value)
    return made


def _fresh_attributes(nodes: list[ast.AST]) -> frozenset[str]:
    """Attributes that are only ever set to containers made where they are set."""
    stored: set[str] = set()
    made = _made(nodes)
    others: set[str] = set()
    for each in nodes:
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
            (stored if made.get(each, False) else others).add(each.attr)
    return frozenset(stored - others)


def _fresh_locals(nodes: list[ast.AST]) -> frozenset[str]:
    """Names that a function only ever binds to containers made there."""
    made = _made(nodes)
    bound: set[str] = set()
    others: set[str] = set()
    for each in nodes:
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            (bound if made.get(each, False) else others).add(each.id)
    return frozenset(bound - others)


def _handed_to(nodes: list[ast.AST], family: Collection[str]) -> frozenset[str]:
    """Names that a function hands to a constructor of these classes, or to what makes a copy."""
    constructors = {name.rpartition(".")[2] for name in family} | {"cls", "replace", "type"}
    found: set[str] = set()
    for each in nodes:
        match each:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                if name in constructors:
                    given = [*each.args, *[keyword.value for keyword in each.keywords]]
                    found |= {arg.id for arg in given if isinstance(arg, ast.Name)}
    return frozenset(found)


def containers_changed(scopes: Scopes, attributes: Set[str]) -> Iterator[Change]:
    """The places of a module that change in place what one of these attributes holds, or let others
    have it; a variable of a function that only looks at it does not count.
    """
    loads: dict[str, list[ast.Name]] | None = None
    for node in scopes.nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in attributes:
            continue
        if not isinstance(node.ctx, ast.Load):
            continue
        how = how_used(node, scopes)
        if how == "handed on":
            loads = loads if loads is not None else _loads(scopes)
            how = "looked at" if _is_only_named(node, scopes, loads) else how
        if how != "looked at":
            yield Change(how, node.lineno, scopes.function_around(node))


def _loads(scopes: Scopes) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = {}
    for node in scopes.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(node)
    return found


def _is_only_named(node: ast.expr, scopes: Scopes, loads: dict[str, list[ast.Name]]) -> bool:
    """Whether an expression only gets a name of a function, under which it is looked at."""
    match scopes.parent.get(node):
        case ast.Assign(targets=[ast.Name(id=name) as target], value=value) if value is node:
            function = _function_around(target, scopes)
            if function is None or scopes.is_global(target):
                return False
            inside = [each for each in loads.get(name, ()) if function in scopes.around(each)]
            return all(how_used(each, scopes) == "looked at" for each in inside)
    return False


def _function_around(node: ast.AST, scopes: Scopes) -> ast.AST | None:
    return next((each for each in scopes.around(node) if isinstance(each, FUNCTIONS)), None)
