"""Attributes and names that are set by way of something that does not name them in the text.

`setattr(x, name, 1)`, `object.__setattr__(x, "k", 1)`, `vars(x)["k"] = 1`, `d = x.__dict__` and the
like set attributes of `x`; `globals()`, `exec` and a module that is looked up by its name
(`sys.modules[__name__].LIMIT = 1`) set names of modules.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping, Set

from symcrete.program.source.side_effects import MUTATORS, PURE_BUILTINS
from symcrete.program.state.looked_up import LOGGING, LOOKUP_WORDS, LookedUp
from symcrete.program.state.patches import (
    PATCH_WORDS,
    attribute_patched,
    is_patch_of_any,
    may_begin_later,
    patch_names,
)
from symcrete.program.state.scopes import Scopes, nodes_of

ANY_ATTRIBUTE = "*"  # stands for every attribute, where a text does not say which is stored
# Attributes by which what a function or an object does is exchanged.
REMAKING = frozenset({"__defaults__", "__kwdefaults__", "__code__", "__bases__", "__class__"})
# A module without any of these words sets nothing in these ways.
BINDING_WORDS = (
    *("globals", "exec", "__dict__", "vars(", "__globals__"),
    *("f_globals", *PATCH_WORDS),
    *("__setattr__", "__delattr__", *sorted(REMAKING), *LOOKUP_WORDS),
)
_NAMESPACE = "__dict__"
# Functions that only look at a dict, or take its elements.
_LOOKING = PURE_BUILTINS - {"getattr", "super", "object", "property"}
_LOOKING |= {"print", "pprint", "pformat", "copy", "deepcopy", "dump", "dumps"}
_LOOKING |= {"OrderedDict", "Counter"}
# Methods that take the elements of what they are given, or show it.
_LOOKING_METHODS = LOGGING | {"join", "format", "format_map", "substitute"}
# Functions that look at all that is in what they are given, and whose results hold none of it.
_SHOWING = frozenset({"len", "str", "repr", "print", "pprint", "pformat", "dump", "dumps"})
_SHOWING |= {"deepcopy"}
_CONTAINERS = (
    *(ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_COPYING = {
    "json": {"dumps", "dump"},
    "copy": {"copy", "deepcopy"},
    "pprint": {"pprint", "pformat"},
}
_SETTERS = frozenset({"setattr", "delattr"})
_SETTING_METHODS = frozenset({"__setattr__", "__delattr__"})
_BINDERS = frozenset({"globals", "exec"})
LATEST_MODULES = 8  # modules of which it is remembered what they call `mock.patch`; chosen


def attribute_set(node: ast.AST) -> tuple[ast.expr, str] | None:
    """Whose attribute a call sets or deletes, and which one; None for any other node."""
    if (patched := attribute_patched(node)) is not None:
        return patched[0], _text(patched[1])
    match node:
        # `setattr(*args)`: any attribute of anything
        case ast.Call(func=ast.Name(id=setter), args=[ast.Starred() as given, *_]) if (
            setter in _SETTERS
        ):
            return given, ANY_ATTRIBUTE
        case ast.Call(
            func=ast.Attribute(value=of, attr=setter), args=[ast.Starred() as given, *_]
        ) if setter in _SETTING_METHODS:
            # `super().__setattr__(*args)` is told its object, `object.__setattr__(*args)` not
            own = isinstance(of, ast.Call) and getattr(of.func, "id", "") == "super"
            return of if own else given, ANY_ATTRIBUTE
        case ast.Call(func=ast.Name(id=setter), args=[owner, named, *_]) if setter in _SETTERS:
            return owner, _text(named)
        case ast.Call(func=ast.Attribute(value=of, attr=setter), args=args) if (
            setter in _SETTING_METHODS
        ):
            bound = len(args) == (2 if setter == "__setattr__" else 1)
            match [of, *args] if bound else args:
                case [ast.expr() as owner, ast.expr() as named, *_]:
                    return owner, _text(named)
    return None


def namespace_changed(
    node: ast.AST, parents: Mapping[ast.AST, ast.AST], methods: Set[str] = frozenset()
) -> ast.expr | None:
    """The object whose dict a node is, if it is changed there, given a name or handed to something
    that may change it; None for any other node. `methods` are those that the module itself has.
    """
    owner = _owner_of_namespace(node)
    match parents.get(node):
        case _ if owner is None or _is_shown(node, parents):
            return None
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if value is node:
            return owner
        case ast.Attribute(attr=name) if name in MUTATORS:
            return owner
        case ast.Assign() | ast.AnnAssign() | ast.NamedExpr() | ast.AugAssign():
            return owner
        case ast.Call(func=func, args=args) if node in args:
            return None if _only_looks(func, methods) else owner
        case ast.Match(cases=cases):
            return owner if any(_binds_whole(case.pattern) for case in cases) else None
        case ast.arguments():
            return owner
        case ast.keyword(arg=str()) | ast.Return() | ast.Yield():
            return owner  # `**vars(a)` is a copy
        case ast.IfExp(test=test):
            return owner if test is not node else None
        case ast.BoolOp() | ast.List() | ast.Tuple():
            return owner
        case ast.ListComp(elt=kept) | ast.SetComp(elt=kept) | ast.GeneratorExp(elt=kept):
            return owner if kept is node else None
        case ast.DictComp(value=kept) | ast.Lambda(body=kept):
            return owner if kept is node else None
        case ast.Dict(keys=keys, values=values):
            named = [value for key, value in zip(keys, values, strict=True) if key is not None]
            return owner if node in named else None
    return None


def hands_on_setter(node: ast.AST, scopes: Scopes) -> bool:
    """Whether a node is a function itself by which others may set attributes: `map(vars, rows)`,
    `put = setattr`, `put = object.__setattr__`.
    """
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            known = name not in scopes.bound and (name == "vars" or name in _SETTERS)
        case ast.Attribute(attr=name, ctx=ast.Load()):
            known = name in _SETTING_METHODS | _SETTERS  # the latter of pytest's `MonkeyPatch`
        case _:
            return False
    return known and getattr(scopes.parent.get(node), "func", None) is not node


def sets_by_name(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The attributes that a method sets by their names, of its object or of another one; what it
    does inside `__setattr__` happens where something else sets an attribute.
    """
    nodes = nodes_of(method)
    parents = {child: each for each in nodes for child in ast.iter_child_nodes(each)}
    for each in nodes:
        found = attribute_set(each)
        if found is not None and method.name not in _SETTING_METHODS:
            yield found[1]
        # What `__getstate__` returns is copied.
        gives_copy = isinstance(each, ast.Return) and method.name == "__getstate__"
        for child in ast.iter_child_nodes(each) if not gives_copy else ():
            if namespace_changed(child, parents) is not None:
                yield ANY_ATTRIBUTE


def binds_unseen(node: ast.AST, scopes: Scopes, looked_up: LookedUp) -> bool:
    """Whether a node, by a call, may bind names that the text does not say, or exchange what a
    function does.
    """
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name in _BINDERS:
            return scopes.is_global(node) and name not in scopes.bound
        case ast.Attribute(value=ast.Name(id="builtins"), attr="exec" | "globals"):
            return True
        case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="builtins"), *_]):
            return True
        case ast.Call() if is_patch_of_any(node, _patches(scopes)):
            return True
        case ast.Attribute(attr="__globals__" | "f_globals"):
            return _is_changed(node, scopes)
        case ast.Attribute(attr=name) if name in REMAKING and isinstance(node.ctx, ast.Load):
            return name != "__class__" and _is_changed(node, scopes)
        case ast.Attribute(value=owner, ctx=ast.Store() | ast.Del()):
            return looked_up.is_module(owner)
    set_here = attribute_set(node)
    changed = namespace_changed(node, scopes.parent, scopes.methods)
    if set_here is not None:
        return looked_up.is_module(set_here[0])
    return changed is not None and looked_up.is_module(changed)


def is_patch(node: ast.AST, scopes: Scopes) -> bool:
    """Whether this may be a patch of `mock`: made at import, it begins when it is called."""
    return isinstance(node, ast.Call) and may_begin_later(node, _patches(scopes))


@functools.lru_cache(maxsize=LATEST_MODULES)
def _patches(scopes: Scopes) -> frozenset[str]:
    return patch_names(scopes.nodes)


def _is_changed(node: ast.expr, scopes: Scopes) -> bool:
    """Whether what an attribute holds is changed in place, or given a name or to a call."""
    match scopes.parent.get(node):
        case ast.Subscript(value=value, ctx=ctx) if value is node:
            return not isinstance(ctx, ast.Load)
        case ast.Attribute(attr=name):
            return name in MUTATORS
        case ast.Call(args=args):
            return node in args
        case ast.Assign():
            return True
    return False


def _owner_of_namespace(node: ast.AST) -> ast.expr | None:
    match node:
        case ast.Attribute(value=owner, attr=name) if name == _NAMESPACE:
            return owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return owner
    return None


def _is_shown(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a node is among what a call makes a text or a copy of, however deep inside."""
    around = parents.get(node)
    while isinstance(around, _CONTAINERS):
        node, around = around, parents.get(around)
    match around:
        case ast.Call(func=ast.Name(id=name), args=[first, *_]):
            return first is node and name in _SHOWING
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name), args=[first, *_]):
            return first is node and module in _COPYING and name in _SHOWING
    return False


def _binds_whole(pattern: ast.pattern) -> bool:
    """Whether a pattern gives what is matched a name."""
    if isinstance(pattern, ast.MatchOr):
        return any(map(_binds_whole, pattern.patterns))
    return isinstance(pattern, ast.MatchAs) and pattern.name is not None


def _only_looks(function: ast.expr, methods: Set[str]) -> bool:
    """Whether a function leaves a dict that it is given as it is, and keeps none of it."""
    match function:
        case ast.Name(id=name):
            return name in _LOOKING
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _COPYING:
            return name in _COPYING[module]
        case ast.Attribute(value=of, attr=name):
            own = isinstance(of, ast.Name) and of.id in ("self", "cls")  # a method of the program
            if name in methods or (isinstance(of, ast.Name) and of.id == "dict"):
                return False  # `dict.update(a.__dict__, b)` changes the first
            return name == "update" or (name in _LOOKING_METHODS and not own)
    return False


def _text(named: ast.expr) -> str:
    """The attribute that an expression names, or the sign for any."""
    is_text = isinstance(named, ast.Constant) and type(named.value) is str
    return str(named.value) if is_text else ANY_ATTRIBUTE  # type: ignore[attr-defined]
