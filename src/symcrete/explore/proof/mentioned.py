"""Which functions of a program may run when one of them is called: names decide.

A function may run if its last name is mentioned in one that may: as a name, as an attribute, or in
a text, as `getattr` takes it. Who calls special methods mentions nothing; they are starts for
whoever wants to miss none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from symcrete.explore.loop.parts import Parts
from symcrete.program.source.sites import functions

Scope: TypeAlias = tuple[str, str]  # file and function


def mentions(trees: Mapping[str, ast.Module]) -> dict[Scope, set[str]]:
    """The names, attributes and texts that stand in each function of these files."""
    found: dict[Scope, set[str]] = {}
    for file, tree in trees.items():
        for scope, node in functions(tree):
            words = found[file, scope] = set()
            for each in ast.walk(node):
                match each:
                    case ast.Name(id=word) | ast.Attribute(attr=word):
                        words.add(word)
                    case ast.Constant(value=str() as word):
                        words.add(word)
                    case ast.MatchClass():
                        words.add("isinstance")  # what a class in a pattern asks
    return found


def reached(starts: Iterable[Scope], mentioned: dict[Scope, set[str]]) -> set[Scope]:
    """These functions, those that they mention, and so on."""
    named: dict[str, list[Scope]] = {}
    for file, scope in mentioned:
        last = scope.rpartition(".")[2]
        named.setdefault(last, []).append((file, scope))
        if last == "__init__" and "." in scope:  # called by the name of its class
            named.setdefault(scope.split(".")[-2], []).append((file, scope))
    seen = set(starts)
    ahead = list(seen)
    while ahead:
        for word in mentioned.get(ahead.pop(), ()):
            for each in named.get(word, ()):
                if each not in seen:
                    seen.add(each)
                    ahead.append(each)
    return seen


def is_special(scope: Scope) -> bool:
    """Whether operators and statements call a function without naming it."""
    return scope[1].rpartition(".")[2].startswith("__")


def own_scopes(parts: Parts) -> list[Scope]:
    """The function that is explored, and those that it judges, which it does not name."""
    return [(parts.coverage.file, parts.coverage.scope), *judged_scopes(parts)]


def judged_scopes(parts: Parts) -> list[Scope]:
    """The functions that a program of ours calls to judge them."""
    return [(str(each.source.file), each.scope) for each in parts.target.subjects]
