"""The control-flow graph of one function: what can run after what.

A point evaluates a statement or a part of one, or decides one condition; conditions carry the
instrumenter's site numbers, so that an outcome (site, side) is one edge. Where an exception that
nobody wrote down may leave a point, an implicit edge leads to whoever catches it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import field
from typing import Literal, TypeAlias

from symcrete.program.source.sites import Outcome
from symcrete.slotted import dataclass

Kind: TypeAlias = Literal["entry", "exit", "raised", "statement", "evaluation", "condition", "join"]
GRAPH_ENTRY, EXIT, RAISED = (
    0,
    1,
    2,
)  # points of every graph: entered, returned, left by an exception


@dataclass(slots=True, eq=False)
class Point:
    """One step of the function: a statement, a part of one, or the decision of a condition."""

    number: int
    kind: Kind
    line: int  # the first line of its statement, which is the one coverage.py counts
    node: ast.AST | None = None
    site: int | None = None  # the number of the condition, if it is one
    calls: tuple[ast.AST, ...] = ()  # callees as written; a class statement calls its own body

    @property
    def text(self) -> str:
        """The code of the point; its kind where it has none."""
        return ast.unparse(self.node) if self.node is not None else self.kind


@dataclass(frozen=True, slots=True)
class Edge:
    """One point that can come right after another."""

    source: int
    target: int
    outcome: Outcome | None = None  # the branch that this edge is
    implicit: bool = False  # an exception that nobody wrote down


@dataclass(slots=True, eq=False)
class Cfg:
    """One function, lambda, class body or module; points 0, 1, 2 are the entry and the two ends."""

    file: str
    scope: str
    first_line: int  # decorators included
    node: ast.AST
    points: list[Point] = field(default_factory=list)
    after: list[list[Edge]] = field(default_factory=list)
    before: list[list[Edge]] = field(default_factory=list)
    branches: dict[Outcome, Edge] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.add("entry", 0)
        self.add("exit", 0)
        self.add("raised", 0)

    def add(
        self,
        kind: Kind,
        line: int,
        node: ast.AST | None = None,
        site: int | None = None,
        calls: tuple[ast.AST, ...] = (),
    ) -> int:
        """Add a point and return its number."""
        number = len(self.points)
        self.points.append(Point(number, kind, line, node, site, calls))
        self.after.append([])
        self.before.append([])
        return number

    def connect(self, edge: Edge) -> None:
        """Add an edge, if it is not there yet."""
        if edge in self.after[edge.source]:
            return
        self.after[edge.source].append(edge)
        self.before[edge.target].append(edge)
        if edge.outcome is not None:
            assert edge.outcome not in self.branches, f"outcome {edge.outcome} is two edges"
            self.branches[edge.outcome] = edge

    def edges(self) -> Iterable[Edge]:
        return (edge for leaving in self.after for edge in leaving)

    def covering(self, line: int, column: int) -> Point | None:
        """The point with the smallest piece of code around a place, to which an implicit branch
        there belongs; None if there is none.
        """
        best: tuple[tuple[int, int], Point] | None = None
        for point in self.points:
            span = _span(point.node) if point.kind in ("statement", "evaluation") else None
            if span is None or not span[0] <= (line, column) < span[1]:
                continue
            size = (span[1][0] - span[0][0], span[1][1] - span[0][1])
            if best is None or size < best[0]:
                best = (size, point)
        return best[1] if best else None

    def arcs(self) -> set[tuple[int, int]]:
        """The graph between lines as coverage.py has it: entering and leaving are negative."""
        return {
            (self._line(edge.source), self._line(target))
            for edge in self.edges()
            if self.points[edge.source].kind != "join"
            for target in self._through_joins(edge.target)
        }

    def _through_joins(self, number: int) -> set[int]:
        found: set[int] = set()
        ahead, seen = [number], {number}
        while ahead:
            here = ahead.pop()
            if self.points[here].kind != "join":
                found.add(here)
                continue
            for edge in self.after[here]:
                if edge.target not in seen:
                    seen.add(edge.target)
                    ahead.append(edge.target)
        return found

    def _line(self, number: int) -> int:
        return self.points[number].line if number > RAISED else -self.first_line


def _span(node: ast.AST | None) -> tuple[tuple[int, int], tuple[int, int]] | None:
    if not isinstance(node, ast.expr | ast.stmt):
        return None
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return (node.lineno, node.col_offset), end
