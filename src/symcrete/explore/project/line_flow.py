"""Where the sides of each branch lead, by lines: as coverage.py's data and its pragmas speak."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Fork:
    """A statement with two ways on."""

    first: int  # the lines of its head
    last: int
    inside: int  # the first line of its body
    # the line that comes next if its body is not entered; 0 where the code around it decides that
    otherwise: int = 0


def forks(tree: ast.Module) -> dict[tuple[int, int], Fork]:
    """Every `if`, loop and `case` by the line and column that its branches are known by."""
    return {(place.lineno, place.col_offset): fork for place, fork in _forks(tree)}


def _forks(tree: ast.Module) -> Iterator[tuple[ast.stmt | ast.pattern, Fork]]:
    for node in ast.walk(tree):
        for block in blocks(node):
            for statement, after in zip(block, [*block[1:], None], strict=True):
                beyond = after.lineno if after is not None else 0
                match statement:
                    case ast.If(test=head) | ast.While(test=head):
                        yield statement, _fork(statement, head, beyond)
                    case ast.For(iter=head) | ast.AsyncFor(iter=head):
                        yield statement, _fork(statement, head, beyond)
                    case ast.Match(cases=cases):
                        yield from _cases(cases, beyond)


def _fork(node: ast.If | ast.While | ast.For | ast.AsyncFor, head: ast.expr, beyond: int) -> Fork:
    otherwise = node.orelse[0].lineno if node.orelse else beyond
    return Fork(node.lineno, head.end_lineno or node.lineno, node.body[0].lineno, otherwise)


def _cases(cases: Sequence[ast.match_case], beyond: int) -> Iterator[tuple[ast.pattern, Fork]]:
    for case, after in zip(cases, [*cases[1:], None], strict=True):
        otherwise = after.pattern.lineno if after is not None else beyond
        last = (case.guard or case.pattern).end_lineno or case.pattern.lineno
        yield case.pattern, Fork(case.pattern.lineno, last, case.body[0].lineno, otherwise)


def blocks(node: ast.AST) -> list[list[ast.stmt]]:
    """The lists of statements that a node holds."""
    found = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    return [each for each in found if isinstance(each, list) and each]
