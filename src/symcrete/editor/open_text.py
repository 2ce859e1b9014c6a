"""The functions of a text in an editor, which may have changed since they were explored."""

from __future__ import annotations

import ast

from symcrete.program.source.sites import functions
from symcrete.program.source.target import callable_scopes
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A function where it stands now."""

    scope: str  # "func" or "Class.method"
    first: int  # line of `def`, from 0
    last: int  # its last line, from 0
    text: str  # what stands in these lines


def functions_in(text: str) -> list[Function] | None:
    """The functions that a test can call; None while the text is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    lines = text.splitlines()
    wanted = set(callable_scopes(tree))
    found: list[Function] = []
    for scope, node in functions(tree):
        if scope in wanted:
            first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            found.append(Function(scope, first, last, "\n".join(lines[first : last + 1])))
            wanted.discard(scope)  # of two with one name the first is meant
    return found
