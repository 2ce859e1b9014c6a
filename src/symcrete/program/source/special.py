"""Special methods: how a person calls them, `str(c)` and `a == b`, and how that is written.

A row is added here for a method that has an expression of its own; others are called by their name.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from symcrete.slotted import dataclass

# Called by calling the class: what they are given is what the class is given.
CONSTRUCTING = frozenset({"__init__", "__post_init__"})
# Methods that nobody calls on purpose, or that leave nothing to be asserted.
NEVER_CALLED = frozenset({"__del__"})
# Special methods behind statements that change an object in place, by how those are written.
IN_PLACE = {
    "__iadd__": "+=",
    "__isub__": "-=",
    "__imul__": "*=",
    "__ior__": "|=",
    "__iand__": "&=",
    "__ixor__": "^=",
    "__ilshift__": "<<=",
}


@dataclass(frozen=True, slots=True)
class Spelling:
    """The expression that calls a special method."""

    function: Callable[..., Any]  # does the same, given the object and what else there is
    text: str  # with a place for each of those

    def written(self, values: list[str]) -> str:
        """The expression with these operands, in brackets where they are no names, literals or
        calls.
        """
        if "(" not in self.text:
            least = 1 if "[" in self.text else len(values)  # a key is between brackets already
            values = [
                value if index >= least or _is_simple(value) else f"({value})"
                for index, value in enumerate(values)
            ]
        return self.text.format(*values)


def _is_simple(text: str) -> bool:
    """Whether an operand needs no brackets: one name, literal or call."""
    depth, quote = 0, ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[index - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and not (char.isalnum() or char in "_.,"):
            return False
    return not text.startswith("lambda")


def _contains(self: Any, item: Any) -> bool:
    return item in self


SPELLINGS: dict[str, Spelling] = {
    "__str__": Spelling(str, "str({})"),
    "__repr__": Spelling(repr, "repr({})"),
    "__bytes__": Spelling(bytes, "bytes({})"),
    "__format__": Spelling(format, "format({}, {})"),
    "__hash__": Spelling(hash, "hash({})"),
    "__bool__": Spelling(bool, "bool({})"),
    "__len__": Spelling(len, "len({})"),
    "__int__": Spelling(int, "int({})"),
    "__float__": Spelling(float, "float({})"),
    "__iter__": Spelling(iter, "iter({})"),
    "__next__": Spelling(next, "next({})"),
    "__reversed__": Spelling(reversed, "reversed({})"),
    "__abs__": Spelling(abs, "abs({})"),
    "__neg__": Spelling(operator.neg, "-{}"),
    "__pos__": Spelling(operator.pos, "+{}"),
    "__invert__": Spelling(operator.invert, "~{}"),
    "__eq__": Spelling(operator.eq, "{} == {}"),
    "__ne__": Spelling(operator.ne, "{} != {}"),
    "__lt__": Spelling(operator.lt, "{} < {}"),
    "__le__": Spelling(operator.le, "{} <= {}"),
    "__gt__": Spelling(operator.gt, "{} > {}"),
    "__ge__": Spelling(operator.ge, "{} >= {}"),
    "__add__": Spelling(operator.add, "{} + {}"),
    "__sub__": Spelling(operator.sub, "{} - {}"),
    "__mul__": Spelling(operator.mul, "{} * {}"),
    "__truediv__": Spelling(operator.truediv, "{} / {}"),
    "__floordiv__": Spelling(operator.floordiv, "{} // {}"),
    "__mod__": Spelling(operator.mod, "{} % {}"),
    "__matmul__": Spelling(operator.matmul, "{} @ {}"),
    "__and__": Spelling(operator.and_, "{} & {}"),
    "__or__": Spelling(operator.or_, "{} | {}"),
    "__xor__": Spelling(operator.xor, "{} ^ {}"),
    "__lshift__": Spelling(operator.lshift, "{} << {}"),
    "__rshift__": Spelling(operator.rshift, "{} >> {}"),
    "__getitem__": Spelling(operator.getitem, "{}[{}]"),
    "__contains__": Spelling(_contains, "{1} in {0}"),
}


def spelling_of(scope: str, operands: int) -> Spelling | None:
    """How a target with so many arguments, its object among them, is called; None if by its
    name.
    """
    found = SPELLINGS.get(scope.rpartition(".")[2]) if "." in scope else None
    return found if found is not None and found.text.count("{") == operands else None
