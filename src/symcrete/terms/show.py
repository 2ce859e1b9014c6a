"""A term as a Python expression that a person would write."""

from __future__ import annotations

import functools
from typing import Any

from symcrete.terms.large import written
from symcrete.terms.operations import AND, EQ0, ITE, LE0, LINEAR, MODELLED, NOT, OR
from symcrete.terms.term import CONST, VAR, Term
from symcrete.terms.visit import children, postorder

LONGEST = 4000
_FLIPPED = {"<=": ">", "==": "!="}


def show(term: Term) -> str:
    """The expression, without needless outer parentheses; cut where it would fill pages."""
    text = _strip(_texts([term])[term])
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


def show_all(terms: list[Term], texts: dict[Term, str] | None = None) -> str:
    """The conjunction of conditions; `texts` keeps what was worked out for the next path."""
    if not terms:
        return "True"
    texts = _texts(terms, texts)
    parts: list[str] = []
    room = LONGEST
    for term in terms:
        parts.append(texts[term] if term.op is OR else _strip(texts[term]))
        room -= len(parts[-1]) + 5
        if room < 0:
            break
    text = " and ".join(parts)
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


def _texts(terms: list[Term], known: dict[Term, str] | None = None) -> dict[Term, str]:
    texts: dict[Term, str] = {} if known is None else known
    for node in postorder([term for term in terms if term not in texts], _shown):
        text = _text(node, texts)
        texts[node] = text if len(text) <= LONGEST else "(...)"
    return texts


def _text(node: Term, texts: dict[Term, str]) -> str:
    op, args = node.op, node.args
    if op is VAR:
        return str(args[0])
    if op is CONST:
        return _constant(args[0])
    if op.reads is not None:
        return str(args[0])
    if op is MODELLED:
        return texts[args[0]]
    if op is LINEAR:
        return "(" + _sum(args[0], _products(args, texts)) + ")"
    if op is LE0 or op is EQ0:
        return _relation("<=" if op is LE0 else "==", args[0], texts)
    if op is NOT and args[0].op in (LE0, EQ0):
        inner = args[0]
        return _relation(_FLIPPED["<=" if inner.op is LE0 else "=="], inner.args[0], texts)
    parts = [texts[arg] for arg in args if arg.__class__ is Term]
    if op is AND or op is OR:
        return "(" + (" and " if op is AND else " or ").join(parts) + ")"
    if op is ITE:
        return f"({parts[1]} if {_strip(parts[0])} else {parts[2]})"
    if op.template:
        return op.template.format(*parts)
    return f"{op.name}({', '.join(_strip(part) for part in parts)})"


def _shown(node: Term) -> list[Term]:
    return [node.args[0]] if node.op is MODELLED else children(node)


def _relation(sign: str, inner: Term, texts: dict[Term, str]) -> str:
    """`a - b + 3 <= 0` as `a + 3 <= b`: what is positive left, the rest right."""
    if inner.op is not LINEAR:
        return f"({texts[inner]} {sign} 0)"
    constant, products = inner.args[0], _products(inner.args, texts)
    left = [(factor, text) for factor, text in products if factor > 0]
    right = [(-factor, text) for factor, text in products if factor < 0]
    if right:
        left_constant, right_constant = (constant, 0) if constant > 0 else (0, -constant)
    else:
        left_constant, right_constant = 0, -constant
    if right and sign in ("<=", ">") and right_constant == 0 and left_constant == 1:
        left_constant, sign = 0, {"<=": "<", ">": ">="}[sign]
    return f"({_sum(left_constant, left)} {sign} {_sum(right_constant, right)})"


def _products(args: tuple[Any, ...], texts: dict[Term, str]) -> list[tuple[int, str]]:
    return [(args[i + 1], texts[args[i]]) for i in range(1, len(args), 2)]


def _sum(constant: int, products: list[tuple[int, str]]) -> str:
    text = ""
    for factor, atom in products:
        size = abs(factor)
        piece = atom if size == 1 else f"{_enclosed(size)} * {atom}"
        if text:
            text += f" {'-' if factor < 0 else '+'} {piece}"
        else:
            text = f"-{piece}" if factor < 0 else piece
    if not text:
        return written(constant)
    if constant:
        text += f" {'-' if constant < 0 else '+'} {_enclosed(abs(constant))}"
    return text


def _enclosed(value: int) -> str:
    text = written(value)
    return f"({text})" if " " in text else text


def _constant(value: Any) -> str:
    if type(value) is int:
        text = written(value)
        return f"({text})" if text.startswith("-") or " " in text else text
    if type(value) is float and (value != value or value in (float("inf"), float("-inf"))):
        return f"float('{value}')"
    text = repr(value)
    return f"({text})" if text.startswith("-") else text


@functools.lru_cache(maxsize=1 << 16)  # the paths of one program share most of their conditions
def _strip(text: str) -> str:
    """Without the outer parentheses, if they enclose the whole."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for position, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and position < len(text) - 1:
            return text
    return text[1:-1]
