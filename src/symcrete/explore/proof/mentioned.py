"""Which functions of a program may run when one of them is called: names decide.

A function may run if its last name is mentioned in one that may: as a name, as an attribute, or in
a text, as `getattr` takes it. Operators call special methods without a mention: who must miss none
passes those as starts too.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TypeAlias

from symcrete.explore.loop.parts import Parts
from symcrete.program.source.module import SHARED_TREES, parsed, walked
from symcrete.program.source.sites import functions

Scope: TypeAlias = tuple[str, str]  # file and function
SHOWN = "format"  # the word for whatever makes a text of a value, whose class may have its own
# Words for what has no name in the text; no identifier is like them, as each has a blank.
LOCALE = "the locale"
EQUALITY = "an equality"
IMPORTED = "an import that may fail"
ASSERTED = "an assertion"
BITS = "an operator on bits"
# Names that every module has, told apart from attributes of that name.
OF_A_MODULE = {
    name: f"the global {name}"
    for name in ("__name__", "__file__", "__package__", "__spec__", "__debug__")
}
_ON_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert)
_IMPORTS = (ast.Import, ast.ImportFrom)
_EQUALITY = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
# Names that make a text of a value; `args` has the text of an exception.
_SHOWING = frozenset({"str", "repr", "format", "ascii", "print", "args"})


def mentions(trees: Mapping[str, ast.Module]) -> dict[Scope, frozenset[str]]:
    """The names, attributes and texts that stand in each function of these files. They are
    remembered by tree, so a tree must not be changed afterwards.
    """
    return {
        (file, scope): words for file, tree in trees.items() for scope, words in _words_of(tree)
    }


@functools.lru_cache(maxsize=SHARED_TREES)
def _words_of(tree: ast.Module) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple([(scope, frozenset(_words_in(node))) for scope, node in functions(tree)])


def _words_in(function: ast.AST) -> Iterator[str]:
    # A text that is made in a `raise` decides nothing until someone reads it by `str` or `args`,
    # which are found where they stand.
    annotations = _annotations(function)
    aside = _raised(function) | annotations
    for each in walked(function):
        match each:
            case ast.Name(id=word) if word in OF_A_MODULE:
                yield OF_A_MODULE[word]
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[*_, ast.Constant() as spec])):
                # A format that ends with `n` writes a number as the locale does.
                if str(spec.value).endswith("n"):
                    yield LOCALE
            case ast.Try(body=body) if any(isinstance(one, _IMPORTS) for one in body):
                yield IMPORTED
            case ast.Assert():
                yield ASSERTED
            case ast.Compare(ops=ops) if any(isinstance(op, _EQUALITY) for op in ops):
                yield EQUALITY
            case ast.Name(id=word) | ast.Attribute(attr=word):
                yield word
                if word in _SHOWING and each not in aside:
                    yield SHOWN
            case ast.Constant(value=str() as word):
                yield word
                if ":n}" in word:
                    yield LOCALE
            case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.UnaryOp(op=op) if isinstance(
                op, _ON_BITS
            ):
                if each not in annotations:
                    yield BITS
            case ast.MatchClass():
                yield "isinstance"  # what a class in a pattern asks
            case ast.JoinedStr() | ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
                if each not in aside:
                    yield SHOWN


def _raised(function: ast.AST) -> set[ast.AST]:
    """All that stands in `raise` statements."""
    found = [each for each in walked(function) if isinstance(each, ast.Raise)]
    return {inner for each in found for inner in walked(each)}


def _annotations(function: ast.AST) -> set[ast.AST]:
    """All that stands in annotations."""
    found: list[ast.AST | None] = []
    for each in walked(function):
        match each:
            case ast.arg(annotation=annotation) | ast.AnnAssign(annotation=annotation):
                found.append(annotation)
            case ast.FunctionDef(returns=returns) | ast.AsyncFunctionDef(returns=returns):
                found.append(returns)
    return {inner for each in found if each is not None for inner in walked(each)}


def used_words(parts: Parts) -> set[str]:
    """The names and attributes that stand in the target and in what it calls."""
    files = parts.imported.rewritten.files
    known = mentions({file: parsed(file) for file in files})
    return {word for each in reached(own_scopes(parts), known) for word in known.get(each, ())}


def reached(starts: Iterable[Scope], mentioned: Mapping[Scope, Set[str]]) -> set[Scope]:
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
