"""Which rows a statement of SQL asks for: each comparison of its WHERE, on values with terms.

The database itself decides what a statement gives. This only makes its decisions known, as
branches, so that a search for rows which fit has something to go by; what is not understood here
is decided all the same.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symcrete.slotted import dataclass

WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_CLAUSE = re.compile(
    r"\bwhere\b(.*?)(?=\bgroup\s+by\b|\border\s+by\b|\blimit\b|\breturning\b|;|$)",
    re.IGNORECASE | re.DOTALL,
)
_OPERAND = r"(?:\?|[:@$]\w+|'(?:[^']|'')*'|-?\d+)"
_COMPARISON = re.compile(
    rf"(?:{WORD}\.)?({WORD})\s*(?:(==|=|!=|<>|<=|>=|<|>|\blike\b)\s*({_OPERAND})"
    rf"|(\bin\b)\s*\(([^()]*)\)|(\bbetween\b)\s+({_OPERAND})\s+and\s+({_OPERAND}))",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:[^']|'')*'")


def _is_like(cell: Any, pattern: Any) -> Any:
    """`cell LIKE pattern`, for patterns with `%` at their ends only."""
    if pattern.startswith("%"):
        inside = pattern[1:-1] if pattern.endswith("%") else pattern[1:]
        return inside in cell if pattern.endswith("%") else cell.endswith(inside)
    return cell.startswith(pattern[:-1]) if pattern.endswith("%") else cell == pattern


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "like": _is_like,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A column, and the values with which a statement compares it."""

    column: str
    operator: str  # of SQL, in lower case; also `in` and `between`
    values: tuple[Any, ...]

    def holds(self, cell: Any) -> bool:
        """Whether a cell fits, as far as it is of the same kind as the value; else False. How the
        database orders values of different kinds does not depend on the values.
        """
        if self.operator == "between":
            low, high = self.values
            return _compared(">=", cell, low) and _compared("<=", cell, high)
        name = "=" if self.operator == "in" else self.operator
        return any(_compared(name, cell, each) for each in self.values)


def _compared(name: str, cell: Any, value: Any) -> bool:
    alike = any(isinstance(cell, kind) and isinstance(value, kind) for kind in (int, str))
    return alike and bool(_OPERATORS[name](cell, value))


def conditions(statement: str, given: Any) -> list[list[Comparison]]:
    """The comparisons of a statement with these parameters: a row fits if all of one list hold."""
    found = _CLAUSE.search(statement)
    if found is None:
        return []
    alternatives: list[list[Comparison]] = []
    place = found.start(1)
    for part in _EITHER.split(found[1]):
        at = statement.index(part, place)
        place = at + len(part)
        made = [
            _comparison(each, _Given(statement, given, at)) for each in _COMPARISON.finditer(part)
        ]
        alternatives.append([each for each in made if each is not None])
    return alternatives


def look_at(rows: Sequence[Mapping[str, Any]], alternatives: list[list[Comparison]]) -> None:
    """Compare the rows, each given by its columns, as the statement does. Nothing is returned: the
    comparisons are branches where a cell has a term.
    """
    for row in rows:
        for comparisons in alternatives:
            known = [each for each in comparisons if each.column in row]
            if known and all(each.holds(row[each.column]) for each in known):
                break


class _Given:
    """The values of operands, by their text and its place in a statement."""

    def __init__(self, statement: str, given: Any, offset: int) -> None:
        # Quoted texts may hold question marks, which are no places of parameters.
        self._statement = _QUOTED.sub(lambda match: "'" * len(match[0]), statement)
        self._given, self._offset = given, offset

    def value(self, text: str, place: int) -> Any:
        """The value of an operand; raises LookupError where there is none."""
        if text == "?":
            return self._given[self._statement[: self._offset + place].count("?")]
        if text[0] in ":@$":
            return self._given[text[1:]]
        if text[0] == "'":
            return text[1:-1].replace("''", "'")
        return int(text)


def _comparison(match: re.Match[str], given: _Given) -> Comparison | None:
    """What a match of _COMPARISON says; None if a parameter that it needs is not given."""
    numbers = [number for number in (3, 7, 8) if match[number]]  # groups of _COMPARISON
    operands = [(match[number], match.start(number)) for number in numbers]
    if match[5]:
        inside = re.finditer(_OPERAND, match[5])
        operands = [(each[0], match.start(5) + each.start()) for each in inside]  # `in (...)`
    try:
        values = tuple([given.value(text, place) for text, place in operands])
    except (LookupError, TypeError):
        return None
    name = (match[2] or match[4] or match[6]).lower()
    return Comparison(match[1], name, values)
