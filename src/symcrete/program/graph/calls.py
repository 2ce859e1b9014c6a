"""The call graph: which functions of the rewritten modules a call can mean.

Names are resolved as far as the text tells: functions and classes of the module, nested functions,
imports from other rewritten modules, `self.method`. Of any other `x.method(...)` all methods of
that name are taken. What only a run can tell (functions kept in variables) is left out.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from symcrete.program.graph.cfg import Cfg
from symcrete.program.source.module import SHARED_TREES, walked

_CONSTRUCTORS = ("__new__", "__init__", "__post_init__")


class CallGraph:
    """Tells which functions a call can mean."""

    def __init__(self, graphs: Iterable[Cfg]) -> None:
        self._named: dict[tuple[str, str], list[Cfg]] = {}  # by file and scope
        self._bodies: dict[ast.AST, Cfg] = {}
        self._methods: dict[str, list[Cfg]] = {}
        self._imports: dict[
            str, Mapping[str, tuple[str, str]]
        ] = {}  # file: name: (module, name in it)
        for graph in graphs:
            self._named.setdefault((graph.file, graph.scope), []).append(graph)
            self._bodies[graph.node] = graph
            owner, _, name = graph.scope.rpartition(".")
            if owner and isinstance(graph.node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._methods.setdefault(name, []).append(graph)
            if isinstance(graph.node, ast.Module):
                self._imports[graph.file] = _imports(graph.node)

    def named(self, file: str, scope: str) -> Cfg | None:
        """The function that a name means after the module has run: the last one so called."""
        found = self._named.get((file, scope))
        return found[-1] if found else None

    def callees(self, caller: Cfg, called: ast.AST) -> list[Cfg]:
        """The functions that `called`, an expression in `caller`, can mean."""
        match called:
            case ast.ClassDef() | ast.Lambda():
                return [self._bodies[called]] if called in self._bodies else []
            case ast.Name(id=name):
                return self._by_name(caller, name)
            case ast.Call(func=func):  # a decorator with arguments
                return self.callees(caller, func)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                owner = caller.scope.rpartition(".")[0]
                return self._in(caller.file, f"{owner}.{name}") or self._methods.get(name, [])
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                found = self._imported(caller.file, module, name)
                return self._methods.get(name, []) if found is None else found
            case ast.Attribute(attr=name):
                return self._methods.get(name, [])
            case _:
                return []

    def _by_name(self, caller: Cfg, name: str) -> list[Cfg]:
        scope = caller.scope
        while True:
            found = self._in(caller.file, f"{scope}.{name}" if scope else name)
            if found or not scope:
                break
            scope = scope.rpartition(".")[0]
        return found or self._imported(caller.file, name, None) or []

    def _in(self, file: str, scope: str) -> list[Cfg]:
        """The function of this scope, or the constructors if it is a class."""
        found = self._named.get((file, scope), [])
        if not found or not isinstance(found[-1].node, ast.ClassDef):
            return found
        return [
            each
            for name in _CONSTRUCTORS
            for each in self._named.get((file, f"{scope}.{name}"), [])
        ]

    def _imported(self, file: str, name: str, attribute: str | None) -> list[Cfg] | None:
        """The functions that `name(...)` or `name.attribute(...)` means where `name` is imported;
        None where it is not.
        """
        module, inside = self._imports.get(file, {}).get(name, ("", ""))
        if not module and not inside:
            return None
        if attribute is not None:
            if inside:  # from package import module
                module, inside = f"{module}.{inside}".strip("."), attribute
            else:
                inside = attribute
        for other in self._imports:
            if is_module(other, module):
                return self._in(other, inside)
        return []


def is_module(file: str, module: str) -> bool:
    """Whether Python finds that module in this file."""
    path = PurePath(file).with_suffix("")
    parts = path.parts[:-1] if path.name == "__init__" else path.parts
    names = tuple(module.split("."))
    return bool(module) and parts[-len(names) :] == names


@functools.lru_cache(maxsize=SHARED_TREES)
def _imports(module: ast.Module) -> Mapping[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for node in walked(module):
        if isinstance(node, ast.Import):
            for each in node.names:
                found[each.asname or each.name] = (each.name, "")
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                found[each.asname or each.name] = (node.module or "", each.name)
    return found


def imported_modules(module: ast.Module) -> set[str]:
    """Every module that an import statement may load."""
    found: set[str] = set()
    for name, inside in _imports(module).values():
        found |= {name, f"{name}.{inside}".strip(".")} if inside else {name}
    return found - {""}
