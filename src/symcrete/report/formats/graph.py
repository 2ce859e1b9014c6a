"""A function's control-flow graph as a drawing, with the state of each branch, and as DOT text.

Straight-line code becomes one block of source lines; each condition is a node of its own, because
its two sides are what a search covers.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import field
from pathlib import Path
from typing import Literal, TextIO, TypeAlias

from symcrete.errors import SymcreteError
from symcrete.explore.findings import Report, Spot, TargetReport
from symcrete.program.graph.cfg import GRAPH_ENTRY, RAISED, Cfg, Edge
from symcrete.program.graph.statements import control_flow_graphs
from symcrete.program.source.module import source_of_file
from symcrete.program.source.sites import ModuleSites, Outcome, Site, SiteTable
from symcrete.program.source.target import Target
from symcrete.program.source.wording import wording
from symcrete.slotted import dataclass

State: TypeAlias = Literal["covered", "open", "infeasible", "unknown"]
Shape: TypeAlias = Literal["end", "block", "condition"]
COLOURS: dict[State, str] = {
    "covered": "#00796b",
    "open": "#e65100",
    "infeasible": "#8d8d8d",
    "unknown": "#424242",
}
LONGEST_CODE_LINE = 46  # characters of a line of code: two boxes beside each other fit a page
# Keywords that are shown before a condition, by the kind of its site.
_WORDS = {"if": "if", "while": "while", "for": "for", "case": "case", "assert": "assert"}


@dataclass(slots=True)
class Box:
    """A block of code, a condition, or an end of the function."""

    shape: Shape
    lines: list[str] = field(default_factory=list)
    state: State = "unknown"  # covered where some run came by


@dataclass(frozen=True, slots=True)
class Arrow:
    """A way from one box to another."""

    source: int  # the number of the box it comes from
    target: int  # the number of the box it leads to
    state: State = "unknown"
    side: bool | None = None  # of the condition it comes from
    implicit: bool = False  # an exception on its way to a handler


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn, without saying where."""

    title: str
    boxes: list[Box]
    arrows: list[Arrow]

    def count(self, state: State) -> int:
        """How many arrows are sides of conditions in this state."""
        return sum(arrow.side is not None and arrow.state == state for arrow in self.arrows)


def draw(target: Target, report: TargetReport | None = None) -> Drawing:
    """The graph of a target; without a report nothing is known of its branches."""
    text = target.source.lines()
    tree = target.source.tree()
    table = SiteTable()
    sites = ModuleSites(tree, str(target.source.file), table)
    graphs = control_flow_graphs(tree, sites)
    cfg = [each for each in graphs if each.scope == target.scope][-1]
    return _Sketch(cfg, table, text, _states(table, report)).drawing(target.label)


def drawings(report: Report) -> list[Drawing]:
    """The graph of each target whose code can be read: not of one that is gone or no Python."""
    found = []
    for each in report.targets:
        with contextlib.suppress(SymcreteError, OSError, LookupError):
            target = Target(source_of_file(Path(each.file)), each.scope, each.target)
            found.append(draw(target, None if each.error else each))
    return found


class Dot:
    """The graphs of all targets as text for Graphviz."""

    def emit(self, report: Report, out: TextIO) -> None:
        out.write("".join(map(dot, drawings(report))))


def _states(table: SiteTable, report: TargetReport | None) -> dict[Outcome, State]:
    if report is None:
        return {}
    # If no worker finished, only what the inputs cover is known: all other sides count as open.
    is_whole = report.conditions.total > 0
    still_open, infeasible = _places(report.open), _places(report.infeasible)
    covered = _places(spot for each in report.inputs for spot in each.covers)
    found: dict[Outcome, State] = {}
    for site in table.sites:
        for side in site.sides:
            place = (site.line, site.column, side, wording(site, side))
            state: State = "covered"
            if place in infeasible:
                state = "infeasible"
            elif place in still_open or not (is_whole or place in covered):
                state = "open"
            found[site.number, side] = state
    return found


def _places(spots: Iterable[Spot]) -> set[tuple[int, int, bool, str]]:
    return {(spot.line, spot.column, spot.side, spot.text) for spot in spots}


class _Sketch:
    """Makes boxes of the points of a control-flow graph."""

    def __init__(
        self, cfg: Cfg, sites: SiteTable, text: list[str], states: dict[Outcome, State]
    ) -> None:
        self._cfg = cfg
        self._sites = sites
        self._text = text
        self._states = states
        self._box_of: dict[int, int] = {}  # by point
        self._boxes: list[Box] = []

    def drawing(self, title: str) -> Drawing:
        for point in self._cfg.points:
            if point.number not in self._box_of and self._is_drawn(point.number):
                self._start_box(point.number)
        arrows = self._arrows()
        self._mark(arrows)
        return Drawing(title, self._boxes, arrows)

    def _is_drawn(self, number: int) -> bool:
        """Whether a point is drawn: an end of the function only if the code goes there on purpose,
        code only if it can be reached.
        """
        if number == GRAPH_ENTRY:
            return True
        return any(not edge.implicit or number > RAISED for edge in self._cfg.before[number])

    def _start_box(self, number: int) -> None:
        """Add a box for the code from this point to where it branches or other code joins it; a
        condition at the end gets a box of its own.
        """
        if number <= RAISED:
            self._boxes.append(Box("end", [("start", "return", "raise")[number]]))
            self._box_of[number] = len(self._boxes) - 1
            return
        chain = self._chain(number)
        last = self._cfg.points[chain[-1]]
        if last.site is not None:
            # What a condition evaluates on its own line belongs to it.
            own = [each for each in chain if self._cfg.points[each].line == last.line]
            self._put(Box("block"), chain[: -len(own)])
            self._put(Box("condition", [self._condition(self._sites[last.site])]), own)
        else:
            self._put(Box("block"), chain)

    def _put(self, box: Box, points: list[int]) -> None:
        if not points:
            return
        if box.shape == "block":
            box.lines = self._source(points)
        self._boxes.append(box)
        for each in points:
            self._box_of[each] = len(self._boxes) - 1

    def _chain(self, number: int) -> list[int]:
        chain = [number]
        while True:
            on = self._normal(self._cfg.after[chain[-1]])
            if len(on) != 1 or on[0].target <= RAISED or on[0].outcome is not None:
                return chain
            target = on[0].target
            if len(self._normal(self._cfg.before[target])) != 1 or target in self._box_of:
                return chain
            if any(edge.implicit for edge in self._cfg.before[target]):
                return chain  # a handler
            chain.append(target)

    def _normal(self, edges: list[Edge]) -> list[Edge]:
        return [edge for edge in edges if not edge.implicit]

    def _source(self, chain: list[int]) -> list[str]:
        """The source lines of these points as the author wrote them, each once."""
        lines: list[str] = []
        for number in dict.fromkeys(self._cfg.points[each].line for each in chain):
            if number:
                code = self._text[number - 1].strip()
                lines.append(f"{number}  {_shortened(code)}")
        return lines

    def _condition(self, site: Site) -> str:
        word = _WORDS.get(site.kind, "")
        return f"{site.line}  {_shortened(f'{word} {site.text}'.strip())}"

    def _arrows(self) -> list[Arrow]:
        found: dict[Arrow, None] = {}
        for edge in self._cfg.edges():
            source, target = self._box_of.get(edge.source), self._box_of.get(edge.target)
            if source is None or target is None:
                continue
            if edge.implicit and (source == target or edge.target <= RAISED):
                continue
            if edge.outcome is not None:
                state = self._states.get(edge.outcome, "unknown")
                found[Arrow(source, target, state, edge.outcome[1])] = None
            elif source != target or self._loops(edge):
                found[Arrow(source, target, "unknown", None, edge.implicit)] = None
        return list(found)

    def _loops(self, edge: Edge) -> bool:
        """Whether an edge within one box leads back up: only such an edge is worth an arrow."""
        return edge.target <= edge.source

    def _mark(self, arrows: list[Arrow]) -> None:
        """Set the states of the boxes: covered if covered sides lead there from the start, open if
        covered and open ones do, else infeasible.
        """
        if not self._states:
            return
        leaving: dict[int, list[Arrow]] = {}
        for arrow in arrows:
            leaving.setdefault(arrow.source, []).append(arrow)
        for box in self._boxes:
            box.state = "infeasible"
        self._reach(leaving, "open", ("covered", "open"))
        self._reach(leaving, "covered", ("covered",))

    def _reach(
        self, leaving: dict[int, list[Arrow]], state: State, passable: tuple[State, ...]
    ) -> None:
        ahead = [self._box_of[GRAPH_ENTRY]]
        for here in ahead:
            self._boxes[here].state = state
            for arrow in leaving.get(here, []):
                passed = arrow.side is None or arrow.state in passable
                if passed and self._boxes[arrow.target].state != state:
                    self._boxes[arrow.target].state = state
                    ahead.append(arrow.target)


def _shortened(code: str) -> str:
    return code if len(code) <= LONGEST_CODE_LINE else code[: LONGEST_CODE_LINE - 1] + "…"


def dot(drawing: Drawing) -> str:
    """The drawing as text for Graphviz."""
    lines = [
        "digraph {",
        f"  label={_quoted(drawing.title)}; labelloc=t; fontname=monospace;",
        '  node [fontname=monospace, fontsize=10, shape=box, style="rounded"];',
        "  edge [fontname=monospace, fontsize=9];",
    ]
    shapes = {"end": "oval", "block": "box", "condition": "hexagon"}
    for number, box in enumerate(drawing.boxes):
        label = "".join(_escaped(line) + r"\l" for line in box.lines)
        if box.shape != "block":
            label = _escaped(box.lines[0])
        lines.append(
            f'  {number} [label="{label}", shape={shapes[box.shape]}, '
            f'color="{COLOURS[box.state]}"];'
        )
    styles = {"open": "dashed", "infeasible": "dotted", "covered": "solid", "unknown": "solid"}
    for arrow in drawing.arrows:
        side = "" if arrow.side is None else f', label="{str(arrow.side).lower()}"'
        style = "dotted" if arrow.implicit else styles[arrow.state]
        lines.append(
            f"  {arrow.source} -> {arrow.target} "
            f'[color="{COLOURS[arrow.state]}", style={style}{side}];'
        )
    return "\n".join([*lines, "}", ""])


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
