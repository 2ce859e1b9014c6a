"""Patches of `unittest.mock` and of pytest, which replace names of modules without an assignment.

`patch("shop.LIMIT", 5)`, `patch.object(shop, "LIMIT", 5)`, `patch.dict("shop.TABLE", LIMIT=5)` and
`monkeypatch.setattr("shop.LIMIT", 5)`, also where `patch` has another name in its module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Set

PATCH_WORDS = ("mock", "setattr", "delattr")  # a module without any of them patches nothing
_PATCH = "patch"
_WAYS = frozenset({"object", "multiple"})  # of what is patched by `patch.object` and so on
_ENVIRONMENT = frozenset({"os.environ", "environ"})  # which is an input
# Methods of pytest's `MonkeyPatch`, which may be given the name of what they replace.
_OF_PYTEST = frozenset({"setattr", "delattr"})
_DOTTED = re.compile(r"\w+(?:\.\w+)+")


def patch_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names of `mock.patch` in a module that imports mock: `patch` and those that its text
    gives it, or its methods (`swap = patch.object`); none in other modules, where `patch` is
    something else, as that of a web client.
    """
    names: set[str] = set()
    assigned: list[tuple[ast.expr, list[ast.expr]]] = []
    for node in nodes:
        match node:
            case ast.ImportFrom(module=module, names=aliases) if "mock" in (module or ""):
                names |= {_PATCH, *(each.asname or _PATCH for each in aliases if _is_it(each))}
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                if any("mock" in f"{each.name} {each.asname}" for each in aliases):
                    names.add(_PATCH)
            case ast.Assign(targets=targets, value=value):
                assigned.append((value, targets))
    if names:
        for value, targets in assigned:
            if names & {last_name(value), last_name(getattr(value, "value", None))}:
                names |= {last_name(each) for each in targets} - {""}
    return frozenset(names)


def _is_it(alias: ast.alias) -> bool:
    return alias.name == _PATCH


def is_patch_of_any(node: ast.AST, patches: Set[str]) -> bool:
    """Whether a node patches what it does not name as an attribute: by a text, or any of several
    names. `patches` are the names of `mock.patch` there.
    """
    match node:
        # A `patch` of the web is given an address.
        case ast.Call(func=func, args=[ast.Constant(value=str() as named), *_]) if (
            last_name(func) in patches
        ):
            return bool(_DOTTED.fullmatch(named))
        case ast.Call(func=func) if last_name(func) in patches:
            return True
        case ast.Call(func=ast.Attribute(value=of, attr=way)) if way == _PATCH:
            return "mock" in last_name(of)  # `mocker` of pytest-mock
        case ast.Call(func=ast.Attribute(value=of, attr=way)) if way in _WAYS:
            return last_name(of) in {_PATCH, *patches}
        case ast.Call(func=ast.Attribute(value=of, attr="dict"), args=args, keywords=keywords):
            return last_name(of) in {_PATCH, *patches} and _is_of_module(args, keywords)
        case ast.Call(func=ast.Attribute(attr=way), args=[ast.Constant(value=str() as named), *_]):
            return way in _OF_PYTEST and bool(_DOTTED.fullmatch(named))
    return False


def _is_of_module(args: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    """Whether `patch.dict` changes a dict that its arguments do not show as a name: such a name is
    handed on there, which is known.
    """
    given = [*args, *(each.value for each in keywords if each.arg == "in_dict")][:1]
    match given:
        case [ast.Constant(value=named)]:
            return named not in _ENVIRONMENT
        case [ast.Name() | ast.Attribute()]:
            return False
    return True


def attribute_patched(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Whose attribute pytest's `MonkeyPatch` replaces or deletes, and what says which one; None for
    any other node: `monkeypatch.setattr(shop, "LIMIT", 5)`.
    """
    match node:
        case ast.Call(func=ast.Attribute(attr=way), args=[owner, named, *rest]):
            if (way == "setattr" and rest) or way == "delattr":
                return owner, named
    return None


def may_begin_later(node: ast.AST, patches: Set[str]) -> bool:
    """Whether this may be a patch: made at import, it begins when it is called."""
    func = node.func if isinstance(node, ast.Call) else None
    names = {_PATCH, *patches}
    return last_name(func) in names or last_name(getattr(func, "value", None)) in names


def last_name(node: ast.AST | None) -> str:
    """The last part of a name, `c` of `a.b.c`; "" of what is none."""
    return str(getattr(node, "id", getattr(node, "attr", "")))
