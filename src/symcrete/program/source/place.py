"""A line of a program as something to be reached: its statement and the function around it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from types import CodeType

from symcrete.errors import TargetNotFound
from symcrete.program.source.module import SHARED_TREES, Source, walked
from symcrete.program.source.sites import functions
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A line that runs, and the outermost function that holds it."""

    source: Source
    line: int
    scope: str  # the innermost function around it
    entry: str  # the outermost function around it, which can be called from outside
    text: str
    statement: int = 0  # the line where its statement begins


def place_of(source: Source, line: int, shown: str) -> Place:
    """The place of a line; a line that cannot run is an error that says what is there."""
    tree = source.tree()
    lines = source.file.read_text(encoding="utf-8", errors="replace").splitlines()
    if not 1 <= line <= len(lines):
        raise TargetNotFound(f"{shown} has {len(lines)} lines; there is no line {line}")
    text = lines[line - 1].strip()
    runs = _lines_that_run(tree, str(source.file))
    if line not in runs:
        line = _statement_line(tree, line, runs, text, shown)
    around = [
        (scope, node)
        for scope, node in functions(tree)
        if node.body[0].lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if not around:
        raise TargetNotFound(
            f"line {line} of {shown} is outside any function: it runs when the module is imported"
        )
    begins = [
        node.lineno
        for node in walked(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return Place(source, line, around[-1][0], around[0][0], text, max(begins))


def _statement_line(
    tree: ast.Module, line: int, runs: frozenset[int], text: str, shown: str
) -> int:
    """The first line of the statement that a line is part of; raises TargetNotFound, which says
    what is there, if it is part of none.
    """
    if text and not text.startswith("#"):
        around = [
            node.lineno
            for node in walked(tree)
            if isinstance(node, ast.stmt)
            and not isinstance(node, _COMPOUND)
            and node.lineno <= line <= (node.end_lineno or node.lineno)
            and node.lineno in runs
        ]
        if around:
            return max(around)
    what = (
        "blank"
        if not text
        else "a comment"
        if text.startswith("#")
        else f"no code that runs ({text})"
    )
    inside = sorted(each for each in runs if each > line)
    hint = f"; the next line that runs is {inside[0]}" if inside else ""
    raise TargetNotFound(f"line {line} of {shown} is {what}{hint}")


_COMPOUND = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.Match,
)


@functools.lru_cache(maxsize=SHARED_TREES)
def _lines_that_run(tree: ast.Module, file: str) -> frozenset[int]:
    """The lines that can be asked for; remembered, since several of a module mostly are."""
    return frozenset(executable_lines(tree, file) | _written_lines(tree))


def _written_lines(tree: ast.Module) -> set[int]:
    """Where statements begin that the compiler may have dropped because nothing leads to them."""
    return {
        node.lineno
        for node in walked(tree)
        if isinstance(node, ast.Return | ast.Raise | ast.Assign | ast.AugAssign | ast.Assert)
        or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
        or isinstance(node, ast.Break | ast.Continue | ast.Delete)
    }


def executable_lines(tree: ast.Module, file: str) -> set[int]:
    """The lines that a trace of the program can report."""
    code = compile(tree, file, "exec", dont_inherit=True)
    return {line for each in _codes(code) for _, _, line in each.co_lines() if line}


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
