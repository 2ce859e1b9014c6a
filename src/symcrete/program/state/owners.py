"""Whose attribute is read: a class, object or function of the module, told from the text."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from symcrete.program.state.by_name import attribute_set
from symcrete.program.state.declared_stores import PUTTING
from symcrete.program.state.fixed_values import is_mutable
from symcrete.program.state.object_names import object_names
from symcrete.program.state.scopes import Scopes, nodes_of

_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
# functions that are remembered while their stores are gone through; chosen, not measured
LATEST_FUNCTIONS = 8
# Types whose values give, in a loop, what their declarations hold.
_CONTAINERS = frozenset(
    {"list", "tuple", "set", "frozenset", "List", "Tuple", "Set", "FrozenSet", "Sequence"}
    | {"Iterable", "Iterator", "Collection", "deque", "Deque", "MutableSequence"}
)
# Methods that are given the class also without a decorator.
_BY_CLASS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
# The name of what stands for a module that may not be there; no identifier is like it.
IMPORTING = "an import"
CACHE = "cache_info"  # the attribute of a cached function that tells of earlier calls


def owner_of(base: ast.expr, scopes: Scopes, bound: Mapping[str, Sequence[ast.AST]]) -> str:
    """The name, in the module, of the thing whose attribute `base.x` is; "" if no text tells."""
    match base:
        case ast.Name(id=name) if scopes.is_global(base):
            values = bound.get(name, ())
            known = (ast.ClassDef, ast.FunctionDef, ast.Call)
            return name if len(values) == 1 and isinstance(values[0], known) else ""
        case ast.Name(id=name):
            method, owner = _method_around(base, scopes)
            is_first = method is not None and _first(method) == name
            return owner if is_first else ""
        case ast.Attribute(value=ast.Name() as self, attr="__class__"):
            return owner_of(self, scopes, {})
        case ast.Call(func=ast.Name(id="type"), args=[ast.Name() as self]):
            return owner_of(self, scopes, {})
    return ""


def is_class_itself(base: ast.expr, scopes: Scopes, bound: Mapping[str, Sequence[ast.AST]]) -> bool:
    """Whether an expression is a class of the module, and not an object of it."""
    match base:
        case ast.Name(id=name) if scopes.is_global(base):
            return any(isinstance(each, ast.ClassDef) for each in bound.get(name, ()))
        case ast.Name():
            method, _ = _method_around(base, scopes)
            return method is not None and _is_by_class(method)
    return True


def is_given_class(parameter: ast.Name, scopes: Scopes) -> bool:
    """Whether a parameter of the function around it holds a class: the first of a class method
    does, and one that is declared as `type` or `type[Shape]`.
    """
    around = scopes.around(parameter)
    method = next((each for each in around if isinstance(each, _METHODS)), None)
    if method is None:
        return False
    name = parameter.id
    decorators = [ast.unparse(one) for one in method.decorator_list]
    if "classmethod" in decorators and method.args.args and method.args.args[0].arg == name:
        return True
    for each in (*method.args.args, *method.args.kwonlyargs):
        if each.arg == name and each.annotation is not None:
            kind = ast.unparse(each.annotation).partition("[")[0]
            return kind in ("type", "Type", "typing.Type")
    return False


def is_receiver(method: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a parameter of a method is the object, or the class, that the method is called on."""
    static = any(ast.unparse(one) == "staticmethod" for one in method.decorator_list)
    return not static and _first(method) == name


def may_be_class(owner: ast.expr, scopes: Scopes) -> bool:
    """Whether an expression whose attribute a function stores may give a class: it does not where
    it gives an object that the function makes, or a parameter that is declared to be an object.
    """
    match owner:
        case ast.Call(func=ast.Name() | ast.Attribute()):
            return not object_names(scopes).gives_object(owner)
        case ast.Name(id=name):
            for each in scopes.around(owner):
                if isinstance(each, _METHODS):
                    return name not in _objects_in(each, scopes)
    return True


def makes_classes(kind: ast.ClassDef, scopes: Scopes) -> bool:
    """Whether the objects of a class are classes, as those of a metaclass are."""
    return object_names(scopes).makes_classes(kind)


def declared_as(owner: ast.expr, scopes: Scopes) -> str:
    """The name of the class that a parameter is declared as, where the function around it gives it
    no other value; "" for any other expression.
    """
    around = [each for each in scopes.around(owner) if isinstance(each, _METHODS)]
    if not around or not isinstance(owner, ast.Name):
        return ""
    return dict(_declared_in(around[0])).get(owner.id, "")


@functools.lru_cache(maxsize=LATEST_FUNCTIONS)
def _declared_in(function: ast.AST) -> tuple[tuple[str, str], ...]:
    """The parameters of a function that keep their values, each with the class declared."""
    nodes = nodes_of(function)
    stored = {
        each.id
        for each in nodes
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }
    stored |= {each.name for each in nodes if isinstance(each, ast.MatchAs) and each.name}
    found: list[tuple[str, str]] = []
    parameters = [each for each in nodes if isinstance(each, ast.arg)]
    names = [each.arg for each in parameters]
    for each in parameters:
        if each.arg not in stored and names.count(each.arg) == 1 and not _is_spread(each, function):
            match each.annotation:
                case ast.Name(id=kind) | ast.Constant(value=str() as kind):
                    found.append((each.arg, kind))
    return tuple(found)


def _is_spread(parameter: ast.arg, function: ast.AST) -> bool:
    assert isinstance(function, _METHODS)
    return parameter in (function.args.vararg, function.args.kwarg)


@functools.lru_cache(maxsize=LATEST_FUNCTIONS)
def _objects_in(function: ast.AST, scopes: Scopes) -> frozenset[str]:
    """The names that a function binds to objects only, so that none of them is a class."""
    known = object_names(scopes)
    objects: set[str] = set()
    others: set[str] = set()
    full: set[str] = set()  # parameters that are declared as containers
    loops: list[tuple[str, str]] = []  # variables, each with what is gone through
    for node in nodes_of(function):
        match node:
            case ast.arg(arg=name, annotation=kind):
                told = kind is not None and known.declares_object(kind)
                (objects if told else others).add(name)
                full |= {name} if told and _is_container(kind) else set()
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                objects.add(name)
            case ast.MatchAs(name=str() as name):
                others.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                match scopes.parent.get(node):
                    case ast.For(target=target, iter=ast.Name(id=through)) if target is node:
                        loops.append((name, through))
                    case (
                        ast.Assign(value=ast.Call() as value)
                        | ast.AnnAssign(value=ast.Call() as value)
                    ):
                        (others if may_be_class(value, scopes) else objects).add(name)
                    case _:
                        others.add(name)
    rebound = others | {name for name, _ in loops}
    for name, through in loops:
        (objects if through in full - rebound else others).add(name)
    return frozenset(objects - others)


def _is_container(annotation: ast.expr | None) -> bool:
    """Whether a declaration is one of what gives, in a loop, the objects that it names."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return re.split(r"[\[.]", annotation.value)[0] in _CONTAINERS
    of = annotation.value if isinstance(annotation, ast.Subscript) else None
    return getattr(of, "id", getattr(of, "attr", "")) in _CONTAINERS


def class_values(tree: Sequence[ast.AST]) -> dict[tuple[str, str], list[ast.expr]]:
    """What the bodies of classes bind their attributes to, by class and attribute: every value
    that the text gives an attribute, in its order.
    """
    found: dict[tuple[str, str], list[ast.expr]] = {}
    for owner in tree:
        if isinstance(owner, ast.ClassDef):
            for name, value in values_bound(owner):
                found.setdefault((owner.name, name), []).append(value)
    return found


def values_bound(owner: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """The names that the body of a module or class binds, each with what it is made of, in the
    order of the text: of `a, b = make()` the call for both. What is stored in something counts as
    well: `TABLE["x"] = 1` and `TABLE.append(1)` for `TABLE`, `Config.limit = 1` for `Config.limit`.
    """
    ahead: list[ast.AST] = [*reversed(owner.body)]
    while ahead:
        node = ahead.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.ClassDef():
                continue  # a scope of its own
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _parts(target, value)
            case ast.AnnAssign(value=None):
                pass
            case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                yield from _parts(node.target, node.value)  # type: ignore[arg-type]
            case ast.For() | ast.AsyncFor():
                yield from _parts(node.target, node.iter)
            case ast.Match(subject=subject, cases=cases):
                for name in _captured(cases):
                    yield name, subject
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                yield from _parts(target, value)
            case ast.Call(func=ast.Attribute(value=target, attr=name)) if name in PUTTING:
                yield from _parts(target, node)
            case ast.Call() if (stored := attribute_set(node)) is not None:
                yield from _parts(ast.Attribute(*stored), node)
        ahead += reversed(list(ast.iter_child_nodes(node)))


def names_chosen(owner: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """The names that the body of a module or class binds in statements that are executed or not,
    each with what decides that: the test of an `if`, what a `try` or a `with` that may catch an
    error does. Also those of functions and classes, and of what it imports there.
    """
    ahead: list[ast.AST] = [*owner.body]
    while ahead:
        node = ahead.pop()
        if isinstance(node, (*_METHODS, ast.Lambda, ast.ClassDef)):
            continue  # a scope of its own
        test, body = _chosen_by(node)
        if test is not None:
            inside = ast.Module(body, [])
            yield from ((name, test) for name, _ in values_bound(inside))
            yield from ((name, test) for each in body for name in _defined(each))
        ahead += ast.iter_child_nodes(node)


def _chosen_by(node: ast.AST) -> tuple[ast.expr | None, list[ast.stmt]]:
    """What decides which statements are executed, and these statements."""
    match node:
        case (
            ast.If(test=test, body=body, orelse=others)
            | ast.While(test=test, body=body, orelse=others)
        ):
            return test, [*body, *others]
        case (
            ast.For(iter=test, body=body, orelse=others)
            | ast.AsyncFor(iter=test, body=body, orelse=others)
        ):
            return test, [*body, *others]
        case ast.Match(subject=test, cases=cases):
            return test, [each for case in cases for each in case.body]
        case (
            ast.Try(body=[*tried], handlers=handlers, orelse=others)
            | ast.TryStar(body=[*tried], handlers=handlers, orelse=others)
        ) if handlers:
            rest = [each for handler in handlers for each in handler.body]
            return _all_of(_done_in(tried), node), [*tried, *others, *rest]
        # `with suppress(KeyError)`; which of them catches an error, the text does not say.
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
            given = [each.context_expr for each in items]
            return _all_of([*given, *_done_in(body)], node), body
    return None, []


def _all_of(parts: Iterable[ast.expr], node: ast.stmt) -> ast.expr:
    return ast.copy_location(ast.Tuple(list(parts), ast.Load()), node)


def _done_in(body: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    """The expressions that some statements work out, those inside functions left aside; of an
    import the module, as an attribute of `IMPORTING`.
    """
    ahead: list[ast.AST] = [*body]
    while ahead:
        node = ahead.pop()
        match node:
            case ast.expr():
                yield node
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                ahead += [*node.decorator_list, *node.args.defaults]
                continue
            case ast.Import(names=names):
                yield from (_importing(each.name) for each in names)
            case ast.ImportFrom(module=str() as module):
                yield _importing(module)
        ahead += ast.iter_child_nodes(node)


def _importing(module: str) -> ast.expr:
    """An expression that stands for an import which may fail."""
    found: ast.expr = ast.Name(IMPORTING, ast.Load())
    for part in module.split("."):
        found = ast.Attribute(found, part, ast.Load())
    return found


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement gives functions, classes, modules or what is of one."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((each.asname or each.name).partition(".")[0] for each in names)


def _captured(cases: Sequence[ast.match_case]) -> Iterator[str]:
    """The names that the patterns of a `match` bind to what it looks at, or to parts of it."""
    for case in cases:
        for node in nodes_of(case.pattern):
            match node:
                case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                    yield name
                case ast.MatchMapping(rest=str() as name):
                    yield name


def _parts(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names in a target, each with the part of the value that it gets, or with all of it."""
    match target:
        case ast.Name(id=name):
            yield name, value
        case ast.Starred(value=inner) | ast.Subscript(value=inner):
            yield from _parts(inner, value)
        case ast.Attribute(value=inner, attr=attribute):
            yield from ((f"{name}.{attribute}", value) for name, _ in _parts(inner, value))
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            is_plain = not any(isinstance(each, ast.Starred) for each in (*targets, *values))
            if not is_plain or len(targets) != len(values):
                values = [value] * len(targets)
            for each, part in zip(targets, values, strict=True):
                yield from _parts(each, part)


def stored_attributes(tree: Sequence[ast.AST]) -> frozenset[str]:
    """The attributes that some statement stores, of whatever object."""
    found = [each for each in tree if isinstance(each, ast.Attribute)]
    return frozenset(each.attr for each in found if isinstance(each.ctx, ast.Store))


def _method_around(node: ast.AST, scopes: Scopes) -> tuple[ast.AST | None, str]:
    """The method that a node is directly in, and the name of its class, one of the module's."""
    inner: ast.AST = node
    for each in scopes.around(node):
        if isinstance(each, ast.ClassDef):
            at_top = isinstance(scopes.parent.get(each), ast.Module)
            return (inner, each.name) if at_top and isinstance(inner, _METHODS) else (None, "")
        if isinstance(each, _METHODS):
            if isinstance(inner, _METHODS):
                return None, ""
            inner = each
    return None, ""


def _first(method: ast.AST) -> str:
    assert isinstance(method, _METHODS)
    args = [*method.args.posonlyargs, *method.args.args]
    return args[0].arg if args else ""


def _is_by_class(method: ast.AST) -> bool:
    assert isinstance(method, _METHODS)
    decorated = [ast.unparse(each) for each in method.decorator_list]
    return "classmethod" in decorated or method.name in _BY_CLASS


def shared_values(owner: ast.ClassDef) -> Iterator[str]:
    """The attributes of a class whose values all its objects share and can change."""
    others = [
        each.value
        for each in owner.body
        if isinstance(each, ast.AnnAssign) and each.value is not None and _is_field(each.value)
    ]
    # A variable of a loop holds what is in the list that is gone through, not the list.
    others += [
        each.iter
        for each in nodes_of(owner)
        if isinstance(each, ast.For | ast.AsyncFor) and not _holds_mutable(each.iter)
    ]
    for name, value in values_bound(owner):
        if is_mutable(value) and value not in others:
            yield name


def _holds_mutable(node: ast.expr) -> bool:
    """Whether the text of an expression puts something that can be changed into a list or such."""
    displays = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.GeneratorExp)
    return any(
        is_mutable(inner)
        for each in nodes_of(node)
        if isinstance(each, displays)
        for inner in ast.iter_child_nodes(each)
        if isinstance(inner, ast.expr)
    )


def _is_field(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("field", "Field"))
