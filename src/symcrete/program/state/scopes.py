"""Which scope a name of a module belongs to, by Python's own symbol tables."""

from __future__ import annotations

import ast
import symtable
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.util import decode_source

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# Nodes with a symbol table, by the name that `symtable` gives it; "" for that of the node itself.
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
# Fields whose nodes are one object for the whole tree, so that nothing is around them.
_WITHOUT_MEANING = frozenset({"ctx", "op", "ops"})
# Nodes that bind names: most others need not be compared with all the patterns.
_BINDING = frozenset(
    {ast.Name, ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias}
)


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
    """For each node of a module: its parent, the functions around it, and what a name means.

    All of it is found in one walk from the outside in: a large module has 100,000 nodes, and asking
    each of them for what is around it took most of the time of rewriting.
    """

    def __init__(self, tree: ast.Module, source: str | bytes, file: str) -> None:
        self.tree = tree
        self.nodes: list[ast.AST] = [tree]  # outermost first
        self.parent: dict[ast.AST, ast.AST] = {}
        self._later: set[ast.AST] = set()  # nodes that are executed by a call, not at import
        self._scope: dict[ast.AST, ast.AST] = {}  # the nearest node around that has names
        for node in self.nodes:
            self._enter(node)
        counted = Counter(_bound_names(self.nodes))
        self.bound = frozenset(counted)  # names that may mean something else than the built-in one
        self.bound_once = frozenset(name for name, times in counted.items() if times == 1)
        self.methods = frozenset(_method_names(self.nodes))  # of all classes
        # Functions that a call by name is taken to mean: defined once, and not decorated.
        self.functions = _plain_functions(tree, counted)
        text = source if isinstance(source, str) else decode_source(source)
        self._tables: dict[tuple[str, int], list[symtable.SymbolTable]] = {}
        for table in _all(symtable.symtable(text, file, "exec")):
            self._tables.setdefault((table.get_name(), table.get_lineno()), []).append(table)
        self._is_global: dict[tuple[ast.AST | None, str], bool] = {}

    def _enter(self, node: ast.AST) -> None:
        """Note for the children of a node what they inherit from it."""
        later = node in self._later
        is_function = isinstance(node, FUNCTIONS)
        scope = node if type(node) in _SCOPED else self._scope.get(node)
        for field in node._fields:
            if field in _WITHOUT_MEANING:
                continue
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                children = [value]
            elif isinstance(value, list):
                children = [each for each in value if isinstance(each, ast.AST)]
            else:
                continue
            self.nodes += children
            for child in children:
                self.parent[child] = node
            if scope is not None:
                self._scope.update(dict.fromkeys(children, scope))
            if later or (is_function and field == "body"):
                self._later.update(children)

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
        scope = self._scope.get(name)
        key = (scope, name.id)
        known = self._is_global.get(key)
        if known is None:
            known = self._is_global[key] = self._found_global(scope, name.id)
        return known

    def _found_global(self, scope: ast.AST | None, name: str) -> bool:
        while scope is not None:
            found = [
                table.lookup(name).is_global()
                for table in self._tables_of(scope)
                if name in table.get_identifiers()
            ]
            if found:
                return any(found)
            scope = self._scope.get(scope)
        return True

    def _tables_of(self, node: ast.AST) -> list[symtable.SymbolTable]:
        name = _SCOPED[type(node)] or getattr(node, "name", "")
        return self._tables.get((name, getattr(node, "lineno", 0)), [])

    def runs_later(self, node: ast.AST) -> bool:
        """Whether a node is executed when something is called, not when the module is imported."""
        return node in self._later


def _method_names(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for part in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                yield part.name


def _plain_functions(tree: ast.Module, bound: Mapping[str, int]) -> dict[str, ast.FunctionDef]:
    """Functions of a module that are not decorated and whose names nothing else binds, by name;
    `bound` tells how often each name is.
    """
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and bound[node.name] == 1 and not node.decorator_list
    }


def _bound_names(nodes: list[ast.AST]) -> Iterator[str]:
    """Each name that is bound anywhere, as often as it is; names of methods are not."""
    methods = {part for each in nodes if isinstance(each, ast.ClassDef) for part in each.body}
    for node in nodes:
        if type(node) not in _BINDING:
            continue
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if node not in methods:
                    yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]


def _all(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for each in table.get_children():
        yield from _all(each)
