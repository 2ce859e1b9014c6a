"""Globals that mean the same in every run: what a proof may take for a constant.

A value that anything in the program can rebind or change is none, whatever it holds now; nor is one
that the module computes while it is imported from what it finds there, such as an environment
variable or the platform.
"""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from symcrete.backward.view.module_texts import ProgramText
from symcrete.program.source.module import SHARED_TREES, walked
from symcrete.slotted import dataclass

_IMMUTABLE = (int, float, bool, str, bytes, type(None), complex, frozenset, range, enum.Enum)
_CODE = (type, FunctionType, type(len), type(str.join))
# Library modules whose values are the same on every machine.
STEADY = frozenset({"math", "cmath", "string", "operator", "re", "typing", "enum", "errno", "http"})
# Names of a module that say how it was loaded.
_OF_LOADING = frozenset({"__name__", "__file__", "__spec__", "__package__", "__path__"})

# Statements with others in them that run while the module is imported.
_COMPOUND = ast.If | ast.Try | ast.TryStar | ast.With | ast.For | ast.While | ast.Match
# Built-in functions whose results are constants where their arguments are.
_MAKERS = frozenset({"frozenset", "tuple", "range", "float", "int"})


class Constants:
    """Tells of a dotted name of a module whether it is constant, and its value."""

    def __init__(self, text: ProgramText) -> None:
        self._text = text
        self._fixed: dict[tuple[str, str], bool] = {}
        self.used: dict[str, None] = {}  # the constants that were relied on, in words: `LIMIT is 3`
        self._files = {  # by the name of a loaded module
            name: file
            for name, module in list(sys.modules.items())
            if (file := getattr(module, "__file__", None)) in text.trees
        }

    def resolve(self, file: str, namespace: dict[str, Any], dotted: str) -> tuple[bool, Any]:
        """Whether the name always means the same unchanging value, and which."""
        first, *rest = dotted.split(".")
        if self._text.rewrites or first in self._text.rebound:
            return False, None
        if first in namespace:
            value = namespace[first]
            if first in _OF_LOADING:
                return False, None
            if not self._is_fixed_name(file, first, value):
                return False, None
        elif hasattr(builtins, first):
            value = getattr(builtins, first)
        else:
            return False, None
        for name in rest:
            if not isinstance(value, ModuleType | type) or not hasattr(value, name):
                return False, None
            if name in self._text.stored:
                return False, None
            owner, value = value, getattr(value, name)
            if not self._is_fixed_in(owner, name, value):
                return False, None
        if isinstance(value, ModuleType):
            return True, value
        if not _is_unchanging(value):
            return False, value
        if not isinstance(value, _CODE):
            self.used[f"{dotted} is {value!r}, as its module sets it"] = None
        return True, value

    def _is_fixed_in(self, owner: Any, name: str, value: Any) -> bool:
        if isinstance(owner, type):
            return isinstance(value, enum.Enum | FunctionType)
        file = self._files.get(owner.__name__)
        if file is not None:
            return self._is_fixed_name(file, name, value)
        if isinstance(value, (ModuleType, *_CODE)):
            return True
        return owner.__name__.partition(".")[0] in STEADY

    def _is_fixed_name(self, file: str, name: str, value: Any) -> bool:
        """Whether a name of a module of the program always means the value that it has."""
        if not isinstance(value, ModuleType):
            return self._is_fixed_by_text(file, name)
        tree = self._text.trees.get(file)
        if tree is None or name in self._text.stored_anywhere:
            return False
        known = _names_of(tree)
        if known.deeper & {name, "*"}:
            return False
        last = value.__name__.rpartition(".")[2]
        match known.bindings.get(name, []):
            # A module inside a package is bound there by whoever imports it.
            case []:
                return known.last_star_import > 0 or last == name
            case [*_, ast.Import()]:
                return True
            case [*_, ast.ImportFrom(names=names)] if any(
                each.name == last and (each.asname or each.name) == name for each in names
            ):
                return True
            case _:
                return self._is_fixed_by_text(file, name)

    def _is_fixed_by_text(self, file: str, name: str) -> bool:
        """Whether one statement at the top of a module binds the name, to something known."""
        key = (file, name)
        if key not in self._fixed:
            self._fixed[key] = False  # for a name bound in terms of itself
            self._fixed[key] = name not in self._text.stored and self._find(file, name)
        return self._fixed[key]

    def _find(self, file: str, name: str) -> bool:
        tree = self._text.trees.get(file)
        if tree is None:
            return False
        known = _names_of(tree)
        bindings = known.bindings.get(name, [])
        if len(bindings) != 1 or name in known.deeper:
            return False
        if known.last_star_import > bindings[0].lineno:  # which may bind any name anew
            return False
        match bindings[0]:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return True
            case ast.ClassDef(bases=bases):
                return all(self._is_fixed_base(file, base) for base in bases)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                return self._is_constant(file, value)
            case ast.ImportFrom(module=module, names=names, level=level):
                alias = next(each for each in names if (each.asname or each.name) == name)
                return self._is_imported(file, module or "", alias.name, level)
            case ast.Import():
                return True
            case _:
                return False

    def _is_fixed_base(self, file: str, base: ast.expr) -> bool:
        """Whether a class always extends the same one, as far as the text says."""
        match base:
            case ast.Name(id=name):
                return self._is_built_in(file, name) or self._is_fixed_by_text(file, name)
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=inner):
                return self._is_fixed_base(file, inner)
        return False

    def _is_imported(self, importer: str, module: str, name: str, level: int) -> bool:
        if level:  # a relative import is one of the program
            package = next((m for m, f in self._files.items() if f == importer), "").split(".")
            up = level - 1 if Path(importer).stem == "__init__" else level
            module = ".".join([*package[: len(package) - up], *filter(None, [module])])
            file = self._files.get(module)
            return file is not None and self._is_fixed_by_text(file, name)
        file = self._files.get(module)
        if file is not None:
            return self._is_fixed_by_text(file, name)
        value = getattr(sys.modules.get(module), name, None)
        return isinstance(value, (ModuleType, *_CODE)) or module.partition(".")[0] in STEADY

    def _is_constant(self, file: str, node: ast.expr) -> bool:
        match node:
            case ast.Constant() | ast.Lambda():
                return True
            case ast.Tuple(elts=parts):
                return all(self._is_constant(file, part) for part in parts)
            case ast.UnaryOp(operand=operand):
                return self._is_constant(file, operand)
            case ast.BinOp(left=left, right=right):
                return self._is_constant(file, left) and self._is_constant(file, right)
            case ast.Name(id=name):
                return self._is_fixed_by_text(file, name)
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute):
                if attribute in self._text.stored or not self._is_fixed_by_text(file, owner):
                    return False
                module = _module_called(owner, self._text.trees[file])
                return module is None or self._is_imported(file, module, attribute, 0)
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _MAKERS:
                return self._is_built_in(file, name) and all(
                    self._is_literal(file, each) for each in node.args
                )
            case _:
                return False

    def _is_built_in(self, file: str, name: str) -> bool:
        """Whether a name of a built-in function means that function in a module."""
        names = _names_of(self._text.trees[file])
        bound = name in names.anywhere or names.last_star_import
        return not bound and name not in self._text.rebound

    def _is_literal(self, file: str, node: ast.expr) -> bool:
        match node:
            case ast.List(elts=parts) | ast.Set(elts=parts):
                return all(self._is_constant(file, part) for part in parts)
            case _:
                return self._is_constant(file, node)


def _is_unchanging(value: Any) -> bool:
    if type(value) in (tuple, frozenset):
        return all(_is_unchanging(part) for part in value)
    return isinstance(value, (*_IMMUTABLE, *_CODE))


def _bound_by(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {(each.asname or each.name).partition(".")[0] for each in names}
        case _ if isinstance(node, _COMPOUND):
            return set()
        case _:
            return {
                each.id
                for each in ast.walk(node)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store | ast.Del)
            }


def _name_of(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
            return name
        case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return name
        case ast.alias(name=name, asname=other):
            return (other or name).partition(".")[0]
        case _:
            return ""


@dataclass(frozen=True, slots=True)
class _Names:
    """What the text of a module binds."""

    bindings: dict[str, list[ast.stmt]]  # the statements at its top that bind a name
    deeper: frozenset[str]  # bound in compound statements at its top, or further inside
    anywhere: frozenset[str]
    last_star_import: int  # the last line with a `from ... import *`; 0 where there is none


@functools.lru_cache(maxsize=SHARED_TREES)
def _names_of(tree: ast.Module) -> _Names:
    """The names of a module, remembered: each constant and each call asks for one of them."""
    bindings: dict[str, list[ast.stmt]] = {}
    deeper: set[str] = set()
    for node in tree.body:
        for name in _bound_by(node):
            bindings.setdefault(name, []).append(node)
        if isinstance(node, _COMPOUND):
            deeper.update([_name_of(each) for each in ast.walk(node)])
    anywhere = frozenset([_name_of(each) for each in walked(tree)])
    return _Names(bindings, frozenset(deeper), anywhere, _last_star_import(tree))


def _last_star_import(tree: ast.Module) -> int:
    """The last line with a `from ... import *`; 0 where there is none."""
    return max(
        (
            node.lineno
            for node in walked(tree)
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        ),
        default=0,
    )


def _module_called(name: str, tree: ast.Module) -> str | None:
    """The module that an `import` at the top binds to a name; None for any other name."""
    for node in tree.body:
        for each in node.names if isinstance(node, ast.Import) else ():
            if (each.asname or each.name.partition(".")[0]) == name:
                return each.name if each.asname else name
    return None
