"""The source of a function, each line with what is known of it."""

from __future__ import annotations

import ast
import contextlib
import io
import keyword
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from pathlib import Path

from symcrete.errors import SymcreteError
from symcrete.explore.findings import FoundInput, Spot, TargetReport
from symcrete.program.graph.statements import scopes
from symcrete.program.source.module import source_of_file

_KINDS = {tokenize.STRING: "string", tokenize.NUMBER: "numeral", tokenize.COMMENT: "comment"}
# Since Python 3.12 an f-string is several tokens.
_KINDS |= {
    getattr(tokenize, name): "string"
    for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
    if hasattr(tokenize, name)
}


def source_view(target: TargetReport, inputs: tuple[FoundInput, ...]) -> str:
    """The lines of the function; nothing if its file cannot be read."""
    with contextlib.suppress(SymcreteError, OSError, ValueError):
        source = source_of_file(Path(target.file))
        text = "\n".join(source.lines())
        for scope, node in scopes(source.tree()):
            if scope == target.scope and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = _Lines(target, inputs, node).all(coloured(text))
                return f"<div class='source'>{''.join(lines)}</div>"
    return ""


class _Lines:
    def __init__(
        self,
        target: TargetReport,
        inputs: tuple[FoundInput, ...],
        node: ast.FunctionDef | ast.AsyncFunctionDef,
    ) -> None:
        self._node = node
        self._known = any(each.lines for each in inputs)
        self._reached: dict[int, list[int]] = defaultdict(list)
        self._covered: dict[int, list[Spot]] = defaultdict(list)
        for number, each in enumerate(inputs):
            for line in each.lines:
                self._reached[line].append(number)
            for spot in each.covers:
                self._covered[spot.line].append(spot)
        self._open = _by_line(target.open)
        self._infeasible = _by_line(target.infeasible)
        self._dead = dead_lines(node, target.infeasible)
        self._statements = {
            inner.lineno
            for inner in ast.walk(node)
            if isinstance(inner, ast.stmt) and inner is not node and not _is_docstring(inner)
        }

    def all(self, coloured: list[str]) -> Iterator[str]:
        first = min([self._node.lineno, *[each.lineno for each in self._node.decorator_list]])
        for number in range(first, (self._node.end_lineno or first) + 1):
            yield self._line(number, coloured[number - 1])
            for spot in self._infeasible[number]:
                told = escape(spot.proof + "".join(f"; assumes that {a}" for a in spot.assumes))
                yield _remark("infeasible", f"never <code>{escape(spot.text)}</code>: {told}")
            reasons: dict[str, list[str]] = {}
            for spot in self._open[number]:
                reasons.setdefault(spot.reason, []).append(f"<code>{escape(spot.text)}</code>")
            for why, sides in reasons.items():
                yield _remark("open", f"no input for {' or '.join(sides)}: {escape(why)}")

    def _line(self, number: int, code: str) -> str:
        reached = self._reached[number]
        pills = [
            *[_pill("covered", spot) for spot in self._covered[number]],
            *[_pill("infeasible", spot) for spot in self._infeasible[number]],
            *[_pill("open", spot) for spot in self._open[number]],
        ]
        count = f"{len(reached)}×" if reached else ""
        return (
            f"<div class='line {self._state(number)}' data-inputs='{' '.join(map(str, reached))}'>"
            f"<span class='at'>{number}</span><span class='count'>{count}</span>"
            f"<code>{code or ' '}</code><span class='pills'>{''.join(pills)}</span></div>"
        )

    def _state(self, number: int) -> str:
        if self._reached[number]:
            return "hit"
        if number in self._dead:
            return "dead"
        return "missed" if self._known and number in self._statements else ""


def _by_line(spots: tuple[Spot, ...]) -> dict[int, list[Spot]]:
    found: dict[int, list[Spot]] = defaultdict(list)
    for spot in spots:
        found[spot.line].append(spot)
    return found


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _remark(state: str, text: str) -> str:
    return f"<div class='remark {state}'>{text}</div>"


def _pill(state: str, spot: Spot) -> str:
    return f"<span class='pill {state}' title='{state}'>{escape(spot.text or spot.kind)}</span>"


def dead_lines(node: ast.AST, infeasible: tuple[Spot, ...]) -> set[int]:
    """The lines of those bodies of `if`, `while` and their `else` that are proved never to be
    entered.
    """
    never = {(spot.line, spot.column, spot.side) for spot in infeasible}
    found: set[int] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.If | ast.While):
            test = (inner.test.lineno, inner.test.col_offset)
            for side, body in ((True, inner.body), (False, inner.orelse)):
                if side in _needed(inner.test) and (*test, side) in never and body:
                    last = body[-1].end_lineno or body[-1].lineno
                    found |= set(range(body[0].lineno, last + 1))
    return found


def _needed(test: ast.expr) -> tuple[bool, ...]:
    """The values that a test can have only if its first operand has the same one: `a and b` is true
    only if `a` is, but false by `b` alone. Neither, if the first operand is an `and` or `or`.
    """
    match test:
        case ast.BoolOp(values=[ast.BoolOp(), *_]):
            return ()
        case ast.BoolOp(op=ast.And()):
            return (True,)
        case ast.BoolOp():
            return (False,)
    return (True, False)


def coloured(text: str) -> list[str]:
    """The lines of a program as HTML, with keywords, strings, numbers and comments marked."""
    lines = text.splitlines()
    marks: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = _KINDS.get(token.type, "")
            if token.type == tokenize.NAME and keyword.iskeyword(token.string):
                kind = "keyword"
            if kind:
                (row, begin), (last, end) = token.start, token.end
                for each in range(row, min(last, len(lines)) + 1):
                    left = begin if each == row else 0
                    right = end if each == last else len(lines[each - 1])
                    marks[each].append((left, right, kind))
    return [_marked(line, marks[number]) for number, line in enumerate(lines, 1)]


def _marked(line: str, marks: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for left, right, kind in marks:
        inner = escape(line[left:right])
        parts += [escape(line[at:left]), f"<span class='{kind}'>{inner}</span>"]
        at = right
    return "".join([*parts, escape(line[at:])])
