"""Which scope a name of a module belongs to, by Python's own symbol tables."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from importlib.util import decode_source

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPED: dict[type, str] = {
    ast.FunctionDef: "",
    ast.AsyncFunctionDef: "",
    ast.ClassDef: "",
    ast.Lambda: "lambda",
    ast.ListComp: "listcomp",
    ast.SetComp: "setcomp",
    ast.DictComp: "dictcomp",
    ast.GeneratorExp: "genexpr",
}


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """The node and all below it, outermost first.

    As `ast.walk`, which asks `collections` for its queue: that may be the very module that is
    imported rewritten at this moment.
    """
    found = [tree]
    for node in found:
        found += ast.iter_child_nodes(node)
    return found


class Scopes:
    """For each node of a module: its parent, the functions around it, and what a name means."""

    def __init__(self, tree: ast.Module, source: str | bytes, file: str) -> None:
        self.parent: dict[ast.AST, ast.AST] = {}
        for node in nodes_of(tree):
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node
        # Functions of the module that a call by name means, whatever happens.
        self.functions = _plain_functions(tree)
        text = source if isinstance(source, str) else decode_source(source)
        self._tables: dict[tuple[str, int], list[symtable.SymbolTable]] = {}
        for table in _all(symtable.symtable(text, file, "exec")):
            self._tables.setdefault((table.get_name(), table.get_lineno()), []).append(table)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that a node is part of, the nearest first."""
        while node in self.parent:
            node = self.parent[node]
            yield node

    def function_around(self, node: ast.AST) -> str:
        """The functions and classes around a node, "Class.method.inner"; "" at module level."""
        names: list[str] = []
        for each in self.around(node):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(each.name)
            elif isinstance(each, ast.Lambda):
                names.append("<lambda>")
        return ".".join(reversed(names))

    def is_global(self, name: ast.Name) -> bool:
        """Whether a name, where it stands, is one of the module or of the built-ins.

        Scopes that begin on the same line are not told apart: global in one of them is global.
        """
        for each in self.around(name):
            found = [
                table.lookup(name.id).is_global()
                for table in self._tables_of(each)
                if name.id in table.get_identifiers()
            ]
            if found:
                return any(found)
        return True

    def _tables_of(self, node: ast.AST) -> list[symtable.SymbolTable]:
        if type(node) not in _SCOPED:
            return []
        name = _SCOPED[type(node)] or getattr(node, "name", "")
        return self._tables.get((name, getattr(node, "lineno", 0)), [])

    def runs_later(self, node: ast.AST) -> bool:
        """Whether a node is executed when something is called, not when the module is imported."""
        child = node
        for each in self.around(node):
            if isinstance(each, FUNCTIONS):
                body = each.body if isinstance(each.body, list) else [each.body]
                if child in body:
                    return True
            child = each
        return False


def _plain_functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Functions of a module that are defined once and not decorated, by name."""
    named = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = [node.name for node in named]
    return {
        node.name: node for node in named if names.count(node.name) == 1 and not node.decorator_list
    }


def _all(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for each in table.get_children():
        yield from _all(each)
