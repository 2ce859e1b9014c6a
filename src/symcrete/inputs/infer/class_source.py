"""The definition of a class in the program's text: its methods, and those that change an object.

`inspect.getsource` reads the whole file again for each class, which takes longer than many a run.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import functools
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from symcrete.program.source.module import SHARED_TREES, parsed

# Methods of built-in containers that change them.
CHANGES = frozenset(
    [
        "add",
        "append",
        "appendleft",
        "clear",
        "discard",
        "extend",
        "extendleft",
        "insert",
        "pop",
        "popitem",
        "popleft",
        "remove",
        "reverse",
        "rotate",
        "setdefault",
        "sort",
        "update",
    ]
)
# Built-in classes of objects that are changed by what they are filled with.
CONTAINERS = (list, dict, set, collections.deque)
_CHANGING = CHANGES | {"push", "put", "difference_update", "intersection_update"}
# Private by name, but `with`, assignments and bodies of classes call them, to change the object.
CALLED_BY_SYNTAX = ("__enter__", "__set_name__", "__setitem__")


@functools.lru_cache(maxsize=256)  # classes; chosen, not measured
def methods_in(kind: type) -> tuple[ast.FunctionDef, ...]:
    """The methods that the body of a class defines; none where its text is not at hand."""
    for file in (_file_of(kind), defining_names(kind).get("__file__")):
        try:
            tree = None if file is None else parsed(file)
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        found = None if tree is None else _classes(tree).get(kind.__qualname__)
        if found is not None:
            return tuple([node for node in found.body if isinstance(node, ast.FunctionDef)])
    return ()


def _file_of(kind: type) -> str | None:
    try:
        return inspect.getsourcefile(kind)
    except (OSError, TypeError):
        return None


def defining_names(kind: type) -> Mapping[str, Any]:
    """The globals of the module that has the text of a class, where `__module__` names another: a
    package may give its public classes its own name. Empty where `__module__` is right, or no
    method of the class tells.
    """
    for name, member in vars(kind).items():
        plain = getattr(member, "fget", None) or getattr(member, "__func__", member)
        function = inspect.unwrap(plain) if callable(plain) else None
        written_here = getattr(function, "__qualname__", "") == f"{kind.__qualname__}.{name}"
        names = getattr(function, "__globals__", None)
        if not written_here or not isinstance(names, dict) or names["__name__"] == kind.__module__:
            continue
        # `namedtuple` says the same of methods that other modules define, for its own use.
        if kind.__qualname__.split(".")[0] in names and "__file__" in names:
            return names
    return {}


@functools.lru_cache(maxsize=SHARED_TREES)
def _classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    found: dict[str, ast.ClassDef] = {}
    for name, node in _defined(tree, ""):
        found.setdefault(name, node)
    return found


def _defined(tree: ast.AST, before: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """The classes below a node with their qualified names, also nested ones."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield before + node.name, node
            yield from _defined(node, f"{before}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _defined(node, f"{before}{node.name}.<locals>.")
        elif not isinstance(node, ast.expr):
            yield from _defined(node, before)


def changing_methods(kind: type) -> list[str]:
    """The methods that store into the object, change what it holds, or call one that does; and
    those of `CALLED_BY_SYNTAX`.
    """
    # No text says what the methods do that a class has from a built-in container.
    inherited = CHANGES if issubclass(kind, CONTAINERS) else ()
    changing: dict[str, None] = dict.fromkeys(inherited)
    calls: dict[str, set[str]] = {}
    for base in kind.__mro__:
        for name, nodes in _functions(base).items():
            if name not in calls:
                calls[name] = {each for node in nodes for each in _called_on_self(node)}
                if any(_changes_self(node) for node in nodes) or name in CALLED_BY_SYNTAX:
                    changing[name] = None
    again = True
    while again:
        more = [name for name in calls if name not in changing and calls[name] & changing.keys()]
        changing |= dict.fromkeys(more)
        again = bool(more)
    return [name for name in calls if name in changing]


def _functions(kind: type) -> dict[str, list[ast.FunctionDef]]:
    """The methods of a class by name; a property has several: they read, set and delete it."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in methods_in(kind) if kind is not object else ():
        found.setdefault(node.name, []).append(node)
    return found


def _receiver(node: ast.FunctionDef) -> str:
    parameters = [*node.args.posonlyargs, *node.args.args]
    return parameters[0].arg if parameters else ""


def _changes_self(node: ast.FunctionDef) -> bool:
    receiver = _receiver(node)
    changed: ast.expr | None
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=value, ctx=ast.Store() | ast.Del()):
                changed = value
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                changed = value
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as value, attr=name)):
                changed = value if name in _CHANGING else None
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name)
            ) if name in _CHANGING:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id="heapq" | "bisect" | "random"))):
                changed = each.args[0] if each.args else None
            case _:
                continue
        if changed is not None and _is_about(changed, receiver):
            return True
    return False


def _called_on_self(node: ast.FunctionDef) -> set[str]:
    receiver = _receiver(node)
    return {
        each.func.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id == receiver
    }


def _is_about(node: ast.expr, receiver: str) -> bool:
    """Whether an expression is a part of the receiver: `self`, `self.a`, `self.a[i].b`, ..."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and node.id == receiver


# What a constructor may put into an attribute, and the type that this tells.
_EMPTY: dict[str, type] = {
    "dict": dict,
    "list": list,
    "set": set,
    "defaultdict": dict,
    "OrderedDict": dict,
    "deque": list,
    "Counter": dict,
}
_DISPLAYS: dict[type, type] = {
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.List: list,
    ast.ListComp: list,
    ast.Set: set,
    ast.SetComp: set,
    ast.JoinedStr: str,
}


def set_by_constructor(kind: type, attribute: str) -> tuple[ast.expr | None, type | None]:
    """The annotation of `self.attribute` in the constructor of a class, and the type of what is put
    there; each None where the text does not tell.
    """
    declared: ast.expr | None = None
    found: type | None = None
    for base in kind.__mro__:
        for node in _functions(base).get("__init__", ()):
            receiver = _receiver(node)
            for each in ast.walk(node):
                match each:
                    case ast.AnnAssign(target=ast.Attribute() as target, annotation=annotation):
                        if target.attr == attribute and _is_name(target.value, receiver):
                            declared = declared or annotation
                            found = found or _kind_put(each.value)
                    case ast.Assign(targets=[ast.Attribute() as target], value=value):
                        if target.attr == attribute and _is_name(target.value, receiver):
                            found = found or _kind_put(value)
                    case _:
                        pass
        if declared is not None or found is not None:
            break
    return declared, found


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _kind_put(value: ast.expr | None) -> type | None:
    """The built-in type of what an expression makes; None where its text does not tell."""
    match value:
        case ast.Constant(value=constant) if constant is not None and constant is not ...:
            return type(constant)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return _EMPTY.get(name)
        case _:
            return _DISPLAYS.get(type(value))


def stored_attributes(node: ast.FunctionDef) -> set[str]:
    """The attributes that a method stores or deletes, of whatever object."""
    return {
        each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
    }


def free_fields(kind: type) -> set[str]:
    """The fields of a dataclass that its constructor stores as they are given, so that an input may
    have any value there; empty where the class has a constructor or `__post_init__` of its own.
    """
    if not dataclasses.is_dataclass(kind) or hasattr(kind, "__post_init__"):
        return set()
    if not has_written_constructor(kind):
        return set()
    return {each.name for each in dataclasses.fields(kind) if each.init}


def has_written_constructor(kind: type) -> bool:
    """Whether the constructor of a dataclass is the one that `dataclass` writes."""
    constructor = inspect.getattr_static(kind, "__init__")
    written = getattr(constructor, "__code__", None)
    return written is not None and written.co_filename == "<string>"
