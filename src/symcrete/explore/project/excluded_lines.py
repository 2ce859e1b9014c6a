"""Lines that coverage.py leaves out: those that a pragma stands on, and the blocks they begin."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from symcrete.explore.project.line_flow import blocks


def excluded_lines(tree: ast.Module, text: str, patterns: Sequence[str]) -> set[int]:
    """The numbers of the lines that do not count: those in which a pattern is found, and the whole
    block where such a line begins one.
    """
    lines = text.splitlines()
    marked = {
        number
        for number, line in enumerate(lines, 1)
        if any(re.search(pattern, line) for pattern in patterns)
    }
    excluded = set(marked)
    if not marked:
        return excluded
    for node in ast.walk(tree):
        if isinstance(node, ast.match_case):
            _exclude(excluded, marked, node.pattern.lineno, node.body)
        elif isinstance(node, ast.ExceptHandler):
            _exclude(excluded, marked, node.lineno, node.body)
        elif isinstance(node, ast.stmt) and not isinstance(node, ast.Match):
            _exclude_statement(excluded, marked, node)
    return excluded


def _exclude_statement(excluded: set[int], marked: set[int], node: ast.stmt) -> None:
    inner = blocks(node)
    decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
    first = min([node.lineno, *decorators])
    if not inner:
        whole = range(first, (node.end_lineno or first) + 1)
        if marked.intersection(whole):
            excluded.update(whole)
        return
    begins = first
    for block in inner:
        _exclude(excluded, marked, begins, block)
        begins = (block[-1].end_lineno or block[-1].lineno) + 1


def _exclude(excluded: set[int], marked: set[int], first: int, block: list[ast.stmt]) -> None:
    """Leave out a block if its head, which begins in the first line, is marked."""
    head = range(first, max(first + 1, block[0].lineno))
    if marked.intersection(head):
        excluded.update(range(first, (block[-1].end_lineno or first) + 1))
