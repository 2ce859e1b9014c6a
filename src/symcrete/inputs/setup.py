"""What has to be done before a call: objects that its arguments mention by name are made.

The text of one argument is an expression that also names such an object, `(same_a := [])`, so that
arguments can be evaluated one after the other. For people it is taken apart: `same_a = []` first,
then `f(same_a, same_a)`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from symcrete.slotted import dataclass

PREFIX = "same_"  # how the names of objects begin that are mentioned more than once


def taken_apart(args: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The statements to run first, and the arguments as they are written after them."""
    statements: list[str] = []
    plain: dict[str, str] = {}
    for label, text in args.items():
        plain[label] = text
        if f"({PREFIX}" in text:
            whole = _Text(text.encode(), statements)
            plain[label] = whole.of(ast.parse(text, mode="eval").body)
    return tuple(statements), plain


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of one argument; the statements that make its named objects are added to
    `statements`.
    """

    text: bytes  # as bytes, since a syntax tree counts them
    statements: list[str]

    def of(self, node: ast.expr) -> str:
        """The text of an expression, with a name in place of each object that has one."""
        match node:
            case ast.NamedExpr(target=ast.Name(id=name), value=value) if name.startswith(PREFIX):
                self.statements.append(f"{name} = {self.of(value)}")
                return name
            case ast.Subscript(
                value=ast.Tuple(elts=[ast.NamedExpr(target=ast.Name(id=name)) as made, *changes])
            ) if name.startswith(PREFIX):
                found = self.of(made)
                self.statements.extend([self._statement(each) for each in changes])
                return found
            case _:
                return self._around(node)

    def _around(self, node: ast.expr) -> str:
        """The text of an expression with the texts of its parts put in their places."""
        text, start = self.text[node.col_offset : node.end_col_offset], node.col_offset
        parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        keywords = [each.value for each in ast.iter_child_nodes(node) if _is_keyword(each)]  # type: ignore[attr-defined]
        found = [(each, self.of(each)) for each in sorted([*parts, *keywords], key=_place)]
        for part, new in reversed(found):
            first, last = part.col_offset - start, (part.end_col_offset or 0) - start
            taken_out = isinstance(part, ast.NamedExpr) and part.target.id.startswith(PREFIX)
            if taken_out and text[first - 1 : first] + text[last : last + 1] == b"()":
                first, last = first - 1, last + 1  # with the brackets around it
            text = text[:first] + new.encode() + text[last:]
        return text.decode()

    def _statement(self, change: ast.expr) -> str:
        """The statement that people write for a change made by an expression: `x.a = 1` for
        `setattr(x, "a", 1)`.
        """
        match change:
            case ast.Call(
                func=ast.Name(id="setattr"), args=[holder, ast.Constant(value=str() as name), value]
            ):
                return f"{self.of(holder)}.{name} = {self.of(value)}"
            case ast.Call(
                func=ast.Attribute(value=holder, attr="__setitem__"), args=[key, value], keywords=[]
            ):
                return f"{self.of(holder)}[{self.of(key)}] = {self.of(value)}"
            case ast.Attribute():
                return f"_ = {self.of(change)}"
            case _:
                return self.of(change)


def _is_keyword(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword)


def _place(node: ast.expr) -> int:
    return node.col_offset
