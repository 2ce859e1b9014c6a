"""Constants to draw inputs from: those of the functions on the way before those of the module."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from symcrete.inputs.draw.sampling import Pool, mine
from symcrete.inputs.infer.examples import shown_in
from symcrete.program.source.module import Source, parsed, walked
from symcrete.program.source.sites import functions, is_within
from symcrete.program.source.target import Target

# calls between the function and one whose constants still count as near; chosen, not measured
MOST_CALLS_TO_NEARBY = 4
MOST_GLOBAL_ELEMENTS = 50  # elements taken from a global list, set or dict; chosen, not measured
LONGEST_TEXT = 200  # characters or bytes of a global that is drawn from; chosen, not measured

_SCALARS = (int, float, str, bytes)

T = TypeVar("T")


def pool_for(target: Target, file: str, scope: str, prior: str, names: Mapping[str, Any]) -> Pool:
    """The pool that inputs of a target are drawn from: constants of its module, and of `scope` in
    `file` if the branches that count are there; for the prior "uniform" a pool without constants.
    """
    if prior == "uniform":
        return Pool(uniform=True)
    tree, more = target.source.tree(), _counted_code(target, file, scope)
    more += [each.source.tree() for each in target.subjects]
    mined = mine([tree, *shown_in(tree), *more]) if more else constants_of(tree)
    return nearby_pool(target.source, target.scope, names, mined)


@functools.lru_cache(maxsize=1)  # the functions of a module are explored one after the other
def constants_of(tree: ast.Module) -> Pool:
    """The constants that a module mentions."""
    return mine([tree, *shown_in(tree)])


def _counted_code(target: Target, file: str, scope: str) -> list[ast.AST]:
    """The code whose branches count, if it is not in the target's file: the functions of the scope,
    and the statements of their module outside of functions and classes.
    """
    if file == str(target.source.file):
        return []
    tree = parsed(file)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    found: list[ast.AST] = [each for each in tree.body if not isinstance(each, kinds)]
    return found + [node for name, node in functions(tree) if is_within(name, scope)]


def nearby_pool(source: Source, scope: str, names: Mapping[str, Any], whole: Pool) -> Pool:
    """A pool of constants, half of which the function or what it may call mentions.

    `names` are the globals of the module as they are: some constants are computed.
    """
    nodes = _called_from(source.tree(), scope)
    near = mine(nodes)
    values = _mentioned_values(nodes, names)
    return Pool(
        _half(whole.integers, [*near.integers, *(v for v in values if type(v) is int)]),
        _half(whole.floats, [*near.floats, *(v for v in values if type(v) is float)]),
        _half(whole.texts, [*near.texts, *(v for v in values if type(v) is str)]),
        _half(whole.blobs, [*near.blobs, *(v for v in values if type(v) is bytes)]),
        documents={
            form: _nearest_first(tuple(made), list(near.documents.get(form, ())))
            for form, made in whole.documents.items()
        },
    )


def _half(whole: tuple[T, ...], near: list[T]) -> tuple[T, ...]:
    """The values with as many near ones added, repeated as often as needed."""
    if not near:
        return whole
    times = -(-len(whole) // len(near)) or 1
    return (*whole, *(near * times))


def _nearest_first(whole: tuple[T, ...], near: list[T]) -> tuple[T, ...]:
    """Like `_half`, for values that are tried in order: the near ones come first."""
    return _half(tuple(dict.fromkeys([*near, *whole])), near)


def _called_from(tree: ast.Module, scope: str) -> list[ast.AST]:
    """The function and those it may call, found by names alone."""
    every, by_name = _functions_of(tree)
    found = {scope} & every.keys()
    ahead = list(found)
    for _ in range(MOST_CALLS_TO_NEARBY):
        mentioned = set[str]().union(*(_names(every[each]) for each in ahead))
        called = [each for name in mentioned for each in by_name.get(name, ())]
        ahead = [each for each in dict.fromkeys(called) if each not in found]
        found.update(ahead)
    return [node for each, node in every.items() if each in found]


@functools.lru_cache(maxsize=1)  # the functions of a module are explored one after the other
def _functions_of(tree: ast.Module) -> tuple[Mapping[str, ast.AST], Mapping[str, list[str]]]:
    """The functions of a module by scope, and the scopes by their last name."""
    every: dict[str, ast.AST] = dict(functions(tree))
    by_name: dict[str, list[str]] = {}
    for each in every:
        by_name.setdefault(each.rpartition(".")[2], []).append(each)
    return every, by_name


@functools.lru_cache(maxsize=256)  # functions; chosen, not measured
def _names(node: ast.AST) -> frozenset[str]:
    """The names and attributes that a node mentions."""
    return frozenset(
        [
            each.id if isinstance(each, ast.Name) else each.attr
            for each in walked(node)
            if isinstance(each, ast.Name | ast.Attribute)
        ]
    )


def _mentioned_values(nodes: list[ast.AST], names: Mapping[str, Any]) -> list[Any]:
    """The values of globals that the functions mention, with the elements of containers."""
    found: list[Any] = []
    for name in sorted(set[str]().union(*map(_names, nodes)) & names.keys()):
        value = names[name]
        if type(value) in (set, frozenset):  # in an order that is the same in every process
            found += sorted([v for v in value if type(v) in _SCALARS], key=repr)[
                :MOST_GLOBAL_ELEMENTS
            ]
        elif type(value) in (list, tuple, dict):
            found += list(value)[:MOST_GLOBAL_ELEMENTS]
        else:
            found.append(value.pattern if isinstance(value, re.Pattern) else value)
    return [each for each in found if type(each) not in (str, bytes) or len(each) <= LONGEST_TEXT]
