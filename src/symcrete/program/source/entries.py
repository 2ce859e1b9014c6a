"""Where to start from: the functions of a module that may lead to a line, the nearest first.

By names alone: whoever mentions a function, or a method's name on any object, may call it; whoever
mentions a class may make an object of it and so call its special methods.
"""

from __future__ import annotations

import ast

from symcrete.program.source.module import walked
from symcrete.program.source.place import Place
from symcrete.program.source.sites import functions

# calls between an entry and the function around the line; chosen, not measured
MOST_CALLS_FROM_ENTRY = 4


def entries(place: Place) -> list[str]:
    """The scope around the line, then those that may lead to it: public ones first, functions
    before methods, near ones before far ones.
    """
    tree = place.source.tree()
    bases = _bases(tree)
    outermost = {
        scope: node for scope, node in functions(tree) if _is_outermost(scope, bases.keys())
    }
    mentions = {scope: _mentioned(node) for scope, node in outermost.items()}
    found = {place.entry: 0}
    ahead = [place.entry]
    for distance in range(1, MOST_CALLS_FROM_ENTRY + 1):
        callers = [
            scope
            for scope in outermost
            if scope not in found
            and any(_calls(mentions[scope], callee, bases) for callee in ahead)
        ]
        found |= dict.fromkeys(callers, distance)
        ahead = callers
    first, *others = found
    return [first, *sorted(others, key=lambda scope: _rank(scope, found[scope]))]


def _is_outermost(scope: str, classes: object) -> bool:
    owner, _, _ = scope.rpartition(".")
    return not owner or owner in classes  # type: ignore[operator]


def _bases(tree: ast.Module) -> dict[str, list[str]]:
    """The classes of the module, with the names of their bases."""
    return {
        node.name: [base.id for base in node.bases if isinstance(base, ast.Name)]
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def _mentioned(node: ast.AST) -> tuple[set[str], set[str]]:
    """The names that a node mentions, and the attributes that it reads of any object."""
    names = {each.id for each in walked(node) if isinstance(each, ast.Name)}
    attributes = {each.attr for each in walked(node) if isinstance(each, ast.Attribute)}
    return names, attributes


def _calls(mentioned: tuple[set[str], set[str]], callee: str, bases: dict[str, list[str]]) -> bool:
    names, attributes = mentioned
    owner, _, name = callee.rpartition(".")
    if not owner:
        return name in names
    if not (name.startswith("__") and name.endswith("__")):
        return name in attributes
    family = {owner, *(kind for kind, above in bases.items() if owner in above)}
    return not family.isdisjoint(names)


def _rank(scope: str, distance: int) -> tuple[bool, bool, int]:
    owner, _, name = scope.rpartition(".")
    return name.startswith("_"), bool(owner), distance
