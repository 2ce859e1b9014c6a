"""Whole texts in the walk: what is searched for is their length and the characters within reach.

A function of a text (`zlib.crc32(s)`) has no variable of its own in it: it reads off the text's
length and characters. A few characters behind the present end can be walked to as well.
"""

from __future__ import annotations

from collections.abc import Iterable

from symcrete.solve.walk.terrain.variable import Range
from symcrete.terms.evaluate import Assignment, computed
from symcrete.terms.term import Term
from symcrete.terms.texts import BYTES, STR, WINDOW, element_names, length_name
from symcrete.terms.visit import postorder

BEHIND = 8  # characters that a text may grow by in one query; chosen, not measured


def read_texts(terms: Iterable[Term]) -> dict[str, int]:
    """The inputs that some function reads as a whole, and the highest code of their characters."""
    found: dict[str, int] = {}
    for node in postorder(terms, computed):
        if node.op.reads is not None:
            kind = BYTES if node.op.name.endswith(BYTES.name) else STR
            found[node.args[0]] = kind.highest
    return found


def is_out_of_reach(name: str, texts: dict[str, int], near: Assignment) -> bool:
    """Whether a variable is a character of such a text, too far behind its end."""
    text, bracket, _ = name.rpartition("[")
    if not bracket or text not in texts:
        return False
    return name not in element_names(text, WINDOW)[: _reach(text, near)]


def ranges_of_texts(texts: dict[str, int], near: Assignment) -> dict[str, Range]:
    """The ranges of the lengths and of the characters within reach of these texts."""
    found: dict[str, Range] = {}
    for text, highest in texts.items():
        count = _reach(text, near)
        found[length_name(text)] = Range(0, count)
        found |= {name: Range(0, highest) for name in element_names(text, WINDOW)[:count]}
    return found


def _reach(text: str, near: Assignment) -> int:
    present: int = near.get(length_name(text), 0)
    return min(WINDOW, max(present, 0) + BEHIND)
