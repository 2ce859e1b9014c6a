"""An outcome in words: what was true at a condition, as a person would say it."""

from __future__ import annotations

import ast
from keyword import iskeyword

from symcrete.program.source.module import text_of
from symcrete.program.source.sites import Site

_INVERSE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**"})
LONGEST_WORDING = 60  # characters: what fits into a column of the report


def wording(site: Site, side: bool) -> str:
    """`a <= 0` or, for the other side, `a > 0`; `another x` for a loop that goes on, `except
    KeyError` for a handler.
    """
    if site.implicit:
        return f"no {site.kind}" if side else site.kind
    if site.kind == "try":
        return "nothing raised"
    text = (
        site.text
        if len(site.text) <= LONGEST_WORDING
        else site.text[: LONGEST_WORDING - len("...")] + "..."
    )
    if site.kind == "for":
        return f"another {text}" if side else f"no more {text}"
    if site.kind == "except":
        return f"except {text}".rstrip()
    if site.kind == "case":
        return f"case {text}" if side else f"not case {text}"
    return text if side else _negated(text)


def _negated(text: str) -> str:
    compared = [word for word in text.split(" ") if not _is_plain(word)]
    if len(compared) == 1 and compared[0] in _OPPOSITE:
        # As most are: parsing eleven conditions took a fiftieth of a small exploration.
        return text.replace(f" {compared[0]} ", f" {_OPPOSITE[compared[0]]} ")
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return f"not ({text})"
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        node.ops = [_INVERSE[type(node.ops[0])]()]
        return text_of(node)
    if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        return f"not {text}"
    return f"not ({text})"


def _is_plain(word: str) -> bool:
    """Whether a word is a name, a number or an arithmetic operator, none of which binds less than
    a comparison.
    """
    return word in _ARITHMETIC or word.isdecimal() or (word.isidentifier() and not iskeyword(word))
