"""Fields of objects as the rules of the house see them: who sets them, what they compare with."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.modules import Module

_THIS = ("self", "cls")


@dataclass(frozen=True, slots=True)
class Place:
    """Something of interest in a module."""

    module: Module
    line: int
    text: str


def set_from_outside(modules: Sequence[Module]) -> Iterator[Place]:
    """Assignments to a field that only classes of other modules have, of another object than
    `self`.

    Types are not known here: a field is told by its name alone. What is stored into a module that
    is imported is no field; nor is a part of a node of `ast`, as far as an annotation says that it
    is one: syntax trees are rewritten in place, as `ast.NodeTransformer` does.
    """
    owners: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                for name in _fields(node):
                    owners[name].add(module.name)
    for module in modules:
        imported, parts = _imported_modules(module), _parts_of_trees(module)
        for node in module.nodes:
            if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
                continue
            if node in parts:
                continue
            of = node.value
            if isinstance(of, ast.Name) and (of.id in _THIS or of.id in imported):
                continue
            if owners[node.attr] and module.name not in owners[node.attr]:
                yield Place(module, node.lineno, ast.unparse(node))


def words_as_texts(modules: Sequence[Module]) -> Iterator[Place]:
    """Comparisons with a text of a field that is declared as a `StrEnum`: mypy lets them pass, also
    where no member says so.
    """
    classes = [
        node for module in modules for node in module.nodes if isinstance(node, ast.ClassDef)
    ]
    words = {node.name for node in classes if "StrEnum" in map(ast.unparse, node.bases)}
    fields = {
        ast.unparse(each.target)
        for node in classes
        for each in node.body
        if isinstance(each, ast.AnnAssign) and ast.unparse(each.annotation) in words
    }
    for module in modules:
        for node in module.nodes:
            match node:
                case ast.Compare(left=left, comparators=others):
                    compared = [left, *others]
                case ast.Match(subject=subject, cases=cases):
                    compared = [subject, *[each for case in cases for each in _values(case)]]
                case _:
                    continue
            named = any(
                isinstance(each, ast.Attribute) and each.attr in fields for each in compared
            )
            if named and any(_is_text(each) for each in compared):
                yield Place(module, node.lineno, ast.unparse(node).partition("\n")[0])


def _fields(node: ast.ClassDef) -> Iterator[str]:
    """The names that a class declares, has as slots, or sets on `self`."""
    for each in node.body:
        match each:
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=value):
                slots = ast.literal_eval(value)
                yield from [slots] if isinstance(slots, str) else slots
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.FunctionDef(args=ast.arguments(args=[first, *_])):
                for part in ast.walk(each):
                    match part:
                        case ast.Attribute(value=ast.Name(id=of), attr=name, ctx=ast.Store()):
                            yield from [name] * (of == first.arg)
            case _:
                pass


def _imported_modules(module: Module) -> set[str]:
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in module.nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def _parts_of_trees(module: Module) -> set[ast.AST]:
    """The fields that are stored into arguments of functions which are annotated as nodes of
    `ast`.
    """
    found: set[ast.AST] = set()
    for function in module.nodes:
        if not isinstance(function, ast.FunctionDef):
            continue
        nodes = {each.arg for each in function.args.args if _is_node_of_trees(each.annotation)}
        for node in ast.walk(function):
            match node:
                case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) if name in nodes:
                    found.add(node)
    return found


def _is_node_of_trees(annotation: ast.expr | None) -> bool:
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_node_of_trees(left) and _is_node_of_trees(right)
        case ast.Attribute(value=ast.Name(id="ast")):
            return True
        case _:
            return False


def _values(case: ast.match_case) -> list[ast.expr]:
    return [each.value for each in ast.walk(case.pattern) if isinstance(each, ast.MatchValue)]


def _is_text(node: ast.AST) -> bool:
    """Whether it is a text, or a display of which one element is."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(_is_text(each) for each in node.elts)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
