"""A term as a Python expression that a person would write.

`show` is for messages and always finds words. `Expressions` gives an expression only if it can be
evaluated: every name in it is one the caller vouches for, every function one that can be imported.
"""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from symcrete.terms.large import written
from symcrete.terms.operations import AND, EQ0, ITE, LE0, LINEAR, MODELLED, NOT, OR
from symcrete.terms.term import CONST, VAR, Operation, Sort, Term
from symcrete.terms.texts import BYTES_OF, CHARS, CONCAT, LAST_CODE
from symcrete.terms.visit import children, postorder

LONGEST_SHOWN = 4000  # characters: about a page, beyond which nobody reads a condition
_CUT = " ..."  # the end of an expression that is cut
_AND = " and "
_FLIPPED = {"<=": ">", "==": "!="}
_PLAIN = (int, float, bool, str, bytes, type(None))  # constants whose repr is a literal

Names = Callable[[str], "str | None"]  # a variable as an expression; None if it has none


def show(term: Term) -> str:
    """The expression, without needless outer parentheses; cut where it would fill pages."""
    text = _strip(_Lenient().text(term))
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - len(_CUT)] + _CUT


def show_all(terms: Sequence[Term]) -> str:
    """The conjunction of conditions, cut where it would fill pages."""
    if not terms:
        return "True"
    words = _Lenient()
    parts: list[str] = []
    room = LONGEST_SHOWN
    for term in terms:
        parts.append(conjunct(words.text(term)))
        room -= len(parts[-1]) + len(_AND)
        if room < 0:
            break
    text = _AND.join(parts)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - len(_CUT)] + _CUT


def conjunct(text: str) -> str:
    """A condition as it may stand beside `and`: in parentheses only where it needs them."""
    bare = _strip(text)
    return text if " or " in bare or " if " in bare or ":=" in bare else bare


class Expressions:
    """Terms as Python expressions, in which `names` says how to write a variable; each is worked
    out once.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._texts: dict[Term, str | None] = {}

    def text(self, term: Term) -> str | None:
        """The expression, in parentheses where it needs them; None if there is none."""
        for node in postorder([term] if term not in self._texts else [], _shown):
            text = self._text(node)
            self._texts[node] = text if text is None or len(text) <= LONGEST_SHOWN else None
        return self._texts[term]

    def _text(self, node: Term) -> str | None:
        if node.op is VAR:
            return self._names(str(node.args[0]))
        if node.op.reads is not None:
            return self._names(str(node.args[0])) if node.sort is Sort.OBJECT else None
        if node.op is CONST and not _is_plain(node.args[0]):
            return None
        if any(self._texts[each] is None for each in _shown(node)):
            return None
        return _text(node, self._texts, _callable_text)  # type: ignore[arg-type]


class _Lenient:
    """Terms in words for people, which need not be Python."""

    def __init__(self) -> None:
        self._texts: dict[Term, str] = {}

    def text(self, term: Term) -> str:
        for node in postorder([term] if term not in self._texts else [], _shown):
            text = self._text(node)
            self._texts[node] = text if len(text) <= LONGEST_SHOWN else "(...)"
        return self._texts[term]

    def _text(self, node: Term) -> str:
        if node.op is VAR or node.op.reads is not None:
            return str(node.args[0])
        return _text(node, self._texts, lambda op: op.name) or node.op.name


def _text(
    node: Term, texts: dict[Term, str], called: Callable[[Operation], str | None]
) -> str | None:
    op, args = node.op, node.args
    if op is CONST:
        return _constant(args[0])
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
    if op.name in _WRITTEN and op.opaque:
        return _WRITTEN[op.name](parts)
    name = called(op)
    return None if name is None else f"{name}({', '.join(_strip(part) for part in parts)})"


def _characters(codes: list[str]) -> str:
    """The text of these code points: `s[0] + chr(n)`."""
    parts = [_of_ord(code) if _is_ord(code) else f"chr({_strip(code)})" for code in codes]
    return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"


def _piece(text: str, start: str, stop: str) -> str:
    whole = start == "0" and stop == f"len({text})"
    return text if whole else f"{text}[{_strip(start)}:{_strip(stop)}]"


def _after_lead(parts: list[str]) -> str:
    """The expression for the index in a text at which a piece of it begins once it is stripped."""
    text, chars, start, stop = parts
    piece, given = _piece(text, start, stop), "" if chars == "None" else chars
    lead = f"len({piece}) - len({piece}.lstrip({given}))"
    return f"({lead})" if start == "0" else f"({start} + {lead})"


def _before_trail(parts: list[str]) -> str:
    """The expression for the index in a text at which a piece of it ends once it is stripped."""
    text, chars, start, stop = parts
    given = "" if chars == "None" else chars
    length = f"len({_piece(text, start, stop)}.rstrip({given}))"
    return length if start == "0" else f"({start} + {length})"


# How to write operations for which a template does not suffice, by their names in the models.
_WRITTEN: dict[str, Callable[[list[str]], str]] = {
    CHARS.name: _characters,
    BYTES_OF.name: lambda parts: f"bytes([{', '.join(parts)}])",
    CONCAT.name: lambda parts: f"({' + '.join(parts)})",
    "lstripped": _after_lead,
    "rstripped": _before_trail,
    "among": lambda parts: f"({parts[0]} in {parts[1]})",
}


def _is_ord(text: str) -> bool:
    return text.startswith("ord(") and text.endswith("])")


def _of_ord(text: str) -> str:
    """What is between the parentheses of `ord(...)`."""
    return text[len("ord(") : -1]


def _callable_text(op: Operation) -> str | None:
    """The name of an operation's function, if that name can be imported and means this function;
    else None.
    """
    first, *rest = op.name.split(".")
    found: Any = getattr(builtins, first, None) or sys.modules.get(first)
    for name in rest:
        found = getattr(found, name, None)
    own = found is not None and found is op.function
    return op.name if own and (not rest or first in sys.stdlib_module_names) else None


def _is_plain(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in _PLAIN


def _shown(node: Term) -> list[Term]:
    return [node.args[0]] if node.op is MODELLED else children(node)


def _relation(sign: str, inner: Term, texts: dict[Term, str]) -> str:
    """A comparison of a sum with 0, as people write it: `a - b + 3 <= 0` is `a + 3 <= b`."""
    if inner.op is not LINEAR:
        return f"({texts[inner]} {sign} 0)"
    constant, products = inner.args[0], _products(inner.args, texts)
    character = _character(sign, constant, products)
    if character:
        return character
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


def _character(sign: str, constant: int, products: list[tuple[int, str]]) -> str:
    """`ord(s[0]) - 97 == 0` as `s[0] == 'a'`; empty where it is no such comparison."""
    if len(products) != 1 or abs(products[0][0]) != 1:
        return ""
    factor, text = products[0]
    code = -constant * factor
    if not (_is_ord(text) and 0 <= code <= LAST_CODE):
        return ""
    if factor < 0:
        sign = {"<=": ">=", ">": "<"}.get(sign, sign)
    return f"({_of_ord(text)} {sign} {chr(code)!r})"


@functools.lru_cache(maxsize=1 << 16)  # the paths of one program share most of their conditions
def _strip(text: str) -> str:
    """The text without its outer parentheses, if they enclose the whole of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth, quote, escaped = 0, "", False
    for position, char in enumerate(text):
        if quote:  # brackets in a literal are characters
            quote = "" if char == quote and not escaped else quote
            escaped = char == "\\" and not escaped
        elif char in "'\"":
            quote = char
        else:
            depth += (char == "(") - (char == ")")
        if depth == 0 and position < len(text) - 1:
            return text
    return text[1:-1]
