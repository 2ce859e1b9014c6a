"""Slices between the blanks of a text, written as people do: `s.strip()`.

A run knows a stripped text by where its blanks end, and so do conditions made of its terms:
`s[len(s) - len(s.lstrip()):len(s)]`.
"""

from __future__ import annotations

import ast

# Methods that keep the length of most texts; whoever asks evaluates the new condition.
_SAME_LENGTH = ("upper", "lower", "swapcase", "title")


def with_strips(text: str) -> str:
    """The condition with slices between blanks written as `strip`, `lstrip` or `rstrip`; the same
    text if there are none.
    """
    if "strip()" not in text:
        return text
    try:
        found = ast.unparse(_Strips().visit(ast.parse(text, mode="eval")))
        same = found == ast.unparse(ast.parse(text, mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # it may be very long
        return text
    return text if same else found


class _Strips(ast.NodeTransformer):
    """Replaces what is inside first, so that `lstrip` is seen when `strip` is looked for."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Slice) or node.slice.step is not None:
            return node
        whole, change = node.value, ""
        match node.value:
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[], keywords=[]):
                if name in _SAME_LENGTH:
                    whole, change = inner, f".{name}()"
        lower, upper = (
            ast.unparse(each) if each is not None else ""
            for each in (node.slice.lower, node.slice.upper)
        )
        text = ast.unparse(whole)
        lead = f"len({text}) - len({text}.lstrip())"
        method = {
            (lead, f"len({text})"): "lstrip",
            (lead, ""): "lstrip",
            (lead, f"{lead} + len({text}.lstrip().rstrip())"): "strip",
            ("", f"len({text}.rstrip())"): "rstrip",
            ("0", f"len({text}.rstrip())"): "rstrip",
        }.get((lower, upper))
        if method is None:
            return node
        return ast.parse(f"({text}).{method}(){change}", mode="eval").body
