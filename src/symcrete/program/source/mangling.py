"""Private names: within a class, `__name` is stored as `_Class__name`."""

from __future__ import annotations

import ast


def mangled(owner: str, name: str) -> str:
    """The name under which Python stores a name written in a class; outside classes `owner` is
    empty.
    """
    stem = owner.lstrip("_")
    if not stem or not name.startswith("__") or name.endswith("__"):
        return name
    return f"_{stem}{name}"


def with_mangled_names(tree: ast.Module) -> ast.Module:
    """The tree with the names in classes as Python stores them, changed in place."""
    _Mangling("").visit(tree)
    return tree


class _Mangling(ast.NodeVisitor):
    def __init__(self, owner: str) -> None:
        self._owner = owner

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        inside = _Mangling(node.name)
        for each in ast.iter_child_nodes(node):
            inside.visit(each)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        node.attr = mangled(self._owner, node.attr)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        node.id = mangled(self._owner, node.id)

    def visit_arg(self, node: ast.arg) -> None:
        node.arg = mangled(self._owner, node.arg)
        self.generic_visit(node)
