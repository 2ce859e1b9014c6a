"""Where a parameter goes: into calls, into attributes of its object; and what its elements are.

What is done with it there is evidence for its type as well. An element `x[i]` and an attribute
`self.x` get names of their own, so that they can be looked at like parameters.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, TypeGuard

from symcrete.inputs.infer.class_source import methods_in
from symcrete.program.source.mangling import mangled
from symcrete.program.source.module import walked

_TAKING = frozenset({"pop", "popleft"})  # methods that take an element out of a container
LOOKING_UP = frozenset({"get", "pop", "setdefault"})  # methods of a dict that are given a key
# Names of variables that mostly hold a text.
_TEXTS = frozenset(
    (
        *("s", "text", "string", "line", "url", "path", "filename", "fname", "file_name", "name"),
        *("key", "sep", "prefix", "suffix", "fmt", "pattern", "word", "msg", "message", "title"),
        *("query", "scheme", "host", "section", "option", "encoding", "char", "chars", "user"),
        *("username", "password", "email", "label", "description", "uri", "domain", "hostname"),
        *("address", "lang", "language", "locale", "country", "content", "content_type"),
        *("mimetype", "template", "delimiter", "separator", "field_name", "attr", "attribute"),
        *("tag", "version"),
    )
)
# Names of variables that mostly hold a list of texts.
_LISTS_OF_TEXTS = frozenset(
    ["lines", "words", "names", "args", "argv", "paths", "fields", "tokens", "filenames"]
)
# Functions and methods whose arguments are texts.
_OF_TEXTS = frozenset(
    [
        "match",
        "fullmatch",
        "search",
        "findall",
        "finditer",
        "split",
        "sub",
        "startswith",
        "endswith",
        "replace",
        "find",
        "rfind",
        "strip",
        "partition",
        "rpartition",
        "write",
        "fspath",
        "fsencode",
        "fsdecode",
        "StringIO",
        "escape",
    ]
)


# Methods that hardly anything but a text has, given texts.
_ONLY_OF_TEXTS = frozenset({"split", "rsplit", "startswith", "endswith"})
_ONLY_OF_TEXTS |= {"strip", "lstrip", "rstrip", "partition", "rpartition"}


def by_name(name: str) -> list[Any]:
    """The types that people mean by the name of a variable; empty if it says nothing."""
    if name in _TEXTS:
        return [str]
    return [list[str]] if name in _LISTS_OF_TEXTS else []


def by_use(call: ast.Call, name: str) -> list[Any]:
    """The types that a variable has as an argument of a call: a text, a list of texts or an
    iterator; empty where the call says nothing of it.
    """
    method = call.func.attr if isinstance(call.func, ast.Attribute) else None
    if not any(is_called(arg, name) for arg in call.args):
        return []
    match call:
        case ast.Call(func=ast.Name(id="iter" | "next")):
            return [Iterator[int]]
        case ast.Call(func=ast.Name(id="map"), args=[ast.Attribute(attr="fspath"), *_]):
            return [list[str]]
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Constant(value=str()))):
            return [list[str]]
        case _:
            return [str] if method in _OF_TEXTS | _ONLY_OF_TEXTS else []


def is_of_texts(call: ast.Call) -> bool:
    """Whether a call is that of a method which hardly anything but a text has."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in _ONLY_OF_TEXTS


def owner_of(function: Callable[..., Any], names: Mapping[str, Any]) -> type | None:
    """The class that a method is written in; None for a function, or where the class is inside
    another one.
    """
    parts = getattr(function, "__qualname__", "").split(".")
    if len(parts) != 2:
        return None
    found = names.get(parts[0])
    return found if isinstance(found, type) else None


def passed_to(
    tree: ast.AST, name: str, names: Mapping[str, Any], owner: type | None
) -> Iterator[tuple[FunctionType, str]]:
    """Each function that a variable is passed to, with the name of the parameter it becomes."""
    for node in walked(tree):
        if not isinstance(node, ast.Call):
            continue
        function, bound = callee_of(node.func, names, owner)
        if function is None:
            continue
        parameters = list(inspect.signature(function).parameters.values())[bound:]
        places = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
        for place, arg in zip(places, node.args, strict=False):
            if is_called(arg, name):
                yield function, place
        known = {p.name for p in parameters}
        for keyword in node.keywords:
            if keyword.arg in known and is_called(keyword.value, name):
                yield function, keyword.arg


def callee_of(
    node: ast.expr, names: Mapping[str, Any], owner: type | None
) -> tuple[FunctionType | None, int]:
    """The Python function that an expression names, and how many of its parameters are bound
    already; None if it is none.
    """
    found: Any = None
    match node:
        case ast.Name(id=name):
            found = names.get(name)
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if owner is not None:
            return _method(owner, name, owner, by_object=True)
        case ast.Attribute(value=ast.Name(id=holder), attr=name):
            held = names.get(holder)
            if isinstance(held, type):
                return _method(held, name, owner or held, by_object=False)
            if isinstance(held, ModuleType):
                found = getattr(held, name, None)
        case _:
            pass
    if isinstance(found, type):
        made = constructor_of(found)
        return made, 1
    return (found, 0) if isinstance(found, FunctionType) else (None, 0)


def _method(
    kind: type, name: str, owner: type, *, by_object: bool
) -> tuple[FunctionType | None, int]:
    """The method that text of the class `owner` calls by this name, on an object or on the class
    itself, and how many parameters are bound then.
    """
    found = inspect.getattr_static(kind, mangled(owner.__name__, name), None)
    bound = isinstance(found, classmethod) or (by_object and not isinstance(found, staticmethod))
    found = getattr(found, "__func__", found)
    return (found, int(bound)) if isinstance(found, FunctionType) else (None, 0)


def constructor_of(kind: type) -> FunctionType | None:
    """The `__init__` or `__new__` of a class that is written in Python; None if there is none."""
    for name in ("__init__", "__new__"):
        found = inspect.getattr_static(kind, name, None)
        found = getattr(found, "__func__", found)
        if isinstance(found, FunctionType):
            return found
    return None


def until_made_anew(tree: ast.AST, name: str, names: Mapping[str, Any]) -> ast.AST:
    """The text of a function up to `name = Class(name)`, where the variable becomes an object of a
    class of the program: what is done with it afterwards says nothing of what was given. The whole
    text if there is no such statement that always runs.
    """
    for function in tree.body if isinstance(tree, ast.Module) else ():
        statements: list[ast.stmt] = getattr(function, "body", [])
        for place, each in enumerate(statements):
            match each:
                case ast.Assign(
                    targets=[ast.Name(id=target)],
                    value=ast.Call(func=ast.Name(id=called), args=[first, *_]),
                ) if target == name and is_called(first, name):
                    kind = names.get(called)
                    if isinstance(kind, type) and constructor_of(kind) is not None:
                        return ast.Module(statements[: place + 1], [])
    return tree


# Functions that make an iterator of its arguments, which a loop then goes through.
_MAKING_ITERATORS = frozenset({"enumerate", "zip", "iter"})


def with_iterators_in_loops(tree: ast.Module) -> ast.Module:
    """The tree with `for x in enumerate(xs)` in place of `pairs = enumerate(xs)` and `for x in
    pairs`, where this is all that the variable is ever made. A parameter that is made so is left
    alone if it is used for something else afterwards, which would tell of what it was before.
    """
    bound, loops, loads = Counter[str](), Counter[str](), list[ast.Name]()
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    made: dict[str, ast.Assign] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))):
                if called in _MAKING_ITERATORS:
                    made[name] = node
            case ast.For(iter=ast.Name(id=name)) | ast.comprehension(iter=ast.Name(id=name)):
                loops[name] += 1
            case ast.Name(ctx=ast.Load()):
                loads.append(node)
            case ast.Name(id=name):
                bound[name] += 1
            case _:
                pass
    later = Counter(
        [each.id for each in loads if each.id in made and each.lineno > made[each.id].lineno]
    )
    only = {
        name: node.value
        for name, node in made.items()
        if bound[name] == 1
        and loops[name]
        and (later[name] == loops[name] or name not in parameters)
    }
    changed: ast.Module = _InLoops(only).visit(tree) if only else tree
    return changed


class _InLoops(ast.NodeTransformer):
    """Puts what a variable is made in its place in loops, and drops where it is made."""

    def __init__(self, made: Mapping[str, ast.expr]) -> None:
        self._made = made

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        if any(node.value is each for each in self._made.values()):
            return ast.copy_location(ast.Pass(), node)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = self._iterated(node.iter)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self._iterated(node.iter)
        return self.generic_visit(node)

    def _iterated(self, node: ast.expr) -> ast.expr:
        match self._made.get(node.id) if isinstance(node, ast.Name) else None:
            case None:
                return node
            case ast.Call(func=ast.Name(id="iter"), args=[only]):
                return only
            case made:
                return made


def attributes_of(
    tree: ast.AST, name: str, function: Callable[..., Any] | None = None, owner: type | None = None
) -> list[str]:
    """The attributes of `self` that the parameter is stored in; for the `__new__` of a named tuple
    the field of the same name.
    """
    is_new = owner is not None and getattr(function, "__name__", "") == "__new__"
    if is_new and name in getattr(owner, "_fields", ()):
        return [name]
    return [
        target.attr
        for node in walked(tree)
        if isinstance(node, ast.Assign) and holds(node.value, name)
        for target in node.targets
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    ]


def holds(node: ast.expr, name: str) -> bool:
    """Whether an expression is the parameter's value, at least sometimes: `x`, `x or []`, `x if x
    is not None else 0`, `list(x)`, `iter(x)`.
    """
    match node:
        case ast.BoolOp(op=ast.Or(), values=[first, *_]):
            return holds(first, name)
        case ast.IfExp(body=body, orelse=orelse):
            return holds(body, name) or holds(orelse, name)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "iter"), args=[only]):
            return holds(only, name)
        case _:
            return is_called(node, name)


def other_names(tree: ast.AST, name: str) -> list[str]:
    """The local variables that a parameter is assigned to, alone or as one of several."""
    found: dict[str, None] = {}
    for node in walked(tree):
        match node:
            case ast.Assign(targets=targets, value=value) if holds(value, name):
                found |= {each.id: None for each in targets if isinstance(each, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                if holds(value, name):
                    found[target] = None
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Tuple(elts=values)):
                for part, value in zip(parts, values, strict=False):
                    if isinstance(part, ast.Name) and is_called(value, name):
                        found[part.id] = None
            case _:
                pass
    return [each for each in found if each != name]


def methods_with(owner: type, attribute: str) -> Iterator[tuple[ast.AST, str]]:
    """The methods that use an attribute `x`, each with what it is called there: `self.x`, or a
    local variable that holds it. A method comes once for each of these.
    """
    for method, attributes in _methods(owner):
        if attribute in attributes:
            yield method, f"self.{attribute}"
            for node in walked(method):
                match node:
                    case ast.Assign(targets=[ast.Name(id=alias)], value=value):
                        if is_called(value, f"self.{attribute}"):
                            yield method, alias
                    case _:
                        pass


@functools.lru_cache(maxsize=64)  # classes; chosen, not measured
def _methods(owner: type) -> list[tuple[ast.AST, frozenset[str]]]:
    """The methods of a class, with the attributes that they mention, of whatever object."""
    return [
        (node, frozenset(each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)))
        for node in methods_in(owner)
    ]


def is_called(node: ast.AST, name: str) -> bool:
    """Whether an expression is the variable, or the attribute `self.x`, of this name.

    `.x` is that attribute of any object, and `.x()` what a method of that name gives; `x['a']` is
    what is looked up under a constant key, by whatever method. What `cast` is given is what it
    gives back.
    """
    if isinstance(node, ast.Name):
        return node.id == name
    if is_cast(node):
        return is_called(node.args[1], name)
    if name.endswith("]"):
        return place_of(node) == name
    if name.startswith("."):
        if name.endswith("()"):
            return isinstance(node, ast.Call) and is_called(node.func, name[:-2])
        return isinstance(node, ast.Attribute) and node.attr == name[1:]
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
            return name == f"self.{attribute}"
        case _:
            return False


def is_cast(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether an expression is `cast(kind, value)`."""
    match node:
        case ast.Call(func=ast.Name(id="cast") | ast.Attribute(attr="cast"), args=[_, _]):
            return True
        case _:
            return False


def place_of(node: ast.AST) -> str | None:
    """One text for all the ways to look up constant keys: `x['a']['b']`, also for `x.get("a",
    {})["b"]`; a name or an attribute is its own text, and None is that of anything else.
    """
    match node:
        case ast.Name() | ast.Attribute():
            return ast.unparse(node)
        case ast.Subscript(value=held, slice=ast.Constant(value=str() as key)):
            pass
        case ast.Call(
            func=ast.Attribute(value=held, attr=method), args=[ast.Constant(value=str() as key), *_]
        ) if method in LOOKING_UP:
            pass
        case _:
            return place_of(node.args[1]) if is_cast(node) else None
    place = place_of(held)
    return None if place is None else f"{place}[{key!r}]"


def elements_of(tree: ast.AST, name: str) -> tuple[ast.AST, str] | None:
    """The tree with `x[i]`, `x.pop()` and what is assigned from them under one name, and that
    name; None if there is no such element.
    """
    aliases = {
        target.id
        for node in walked(tree)
        if isinstance(node, ast.Assign)
        and (is_element(node.value, name) or _may_be_element(node.value, name))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    if not aliases and not any(is_element(node, name) for node in walked(tree)):
        return None
    element = f"{name}[]"
    return _Element(name, element, aliases).visit(ast.parse(ast.unparse(tree))), element


def is_element(node: ast.AST | None, name: str) -> bool:
    """Whether an expression is an element of a container: `x[i]`, `x.pop()`, `next(x)`."""
    match node:
        case ast.Subscript(value=held, slice=index):
            return not isinstance(index, ast.Slice) and is_called(held, name)
        case ast.Call(func=ast.Attribute(value=held, attr=method)):
            return method in _TAKING and is_called(held, name)
        case ast.Call(func=ast.Name(id="next"), args=[held, *_]):
            return holds(held, name)
        case _:
            return False


def _may_be_element(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.IfExp) and (
        is_element(node.body, name) or is_element(node.orelse, name)
    )


class _Element(ast.NodeTransformer):
    """Puts one name in place of the elements of a container and of the variables that hold them."""

    def __init__(self, name: str, element: str, aliases: set[str]) -> None:
        self._name, self._element, self._aliases = name, element, aliases

    def visit(self, node: ast.AST) -> Any:
        named = isinstance(node, ast.Name) and node.id in self._aliases
        if named or is_element(node, self._name):
            return ast.copy_location(ast.Name(self._element, ast.Load()), node)
        return self.generic_visit(node)


def is_asked_of(function: ast.AST, name: str) -> bool:
    """Whether the value is used as a condition by itself: `if x.ready`."""
    for node in walked(function):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                parts = [test]
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                parts = [operand]
            case ast.BoolOp(values=values):
                parts = values
            case _:
                continue
        if any(is_called(part, name) for part in parts):
            return True
    return False
