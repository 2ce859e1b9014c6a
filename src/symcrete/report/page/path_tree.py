"""The paths of the found inputs as a tree: what they have in common, and where they part."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field
from html import escape

from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.report.formats.svg import CHARACTER
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

MOST_PATHS = 120  # paths in one picture; chosen, not measured
ROW, INDENT, EDGE = 26.0, 26.0, 14.0  # pixels
LONGEST_LABEL = 84  # characters of a label, longer ones are cut; chosen, not measured


@dataclass(slots=True)
class Node:
    """Conditions that hold from here on, and the inputs whose paths end here."""

    label: str
    below: dict[str, Node] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)  # numbers of inputs


@dataclass(frozen=True, slots=True)
class _Row:
    depth: int
    parent: int  # the number of the row that a line joins it to, above it; -1 for the first
    label: str
    input: int | None  # the number of the input that it stands for; None for conditions


def path_tree(name: str, target: TargetReport) -> str:
    """The tree as a picture; nothing if there are no two paths to tell apart."""
    inputs = [each for each in target.inputs if each.path_condition][:MOST_PATHS]
    if len(inputs) < 2:
        return ""
    root = grown([(n, each) for n, each in enumerate(target.inputs) if each in inputs])
    rows = list(_rows(root, target.inputs))
    width = EDGE * 2 + max(r.depth * INDENT + CHARACTER * len(r.label) + 30 for r in rows)
    height = ROW * (len(rows) + 0.5)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" font-size="12">'
    ]
    parts += [_drawn(name, rows, number, target.inputs) for number in range(len(rows))]
    return "".join([*parts, "</svg>"])


def conjuncts(condition: str) -> list[str]:
    """The parts of a condition that all have to hold, in its order."""
    try:
        node = ast.parse(condition, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [condition]
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [
            ast.get_source_segment(condition, each) or ast.unparse(each) for each in node.values
        ]
    return [condition]


def grown(paths: list[tuple[int, FoundInput]]) -> Node:
    """The paths as a tree of their conditions; conditions between which no path ends and none parts
    are joined to one node.
    """
    root = Node("")
    for number, found in paths:
        node = root
        for part in conjuncts(found.path_condition):
            node = node.below.setdefault(part, Node(part))
        node.ends.append(number)
    return _joined(root)


def _joined(node: Node) -> Node:
    while len(node.below) == 1 and not node.ends:
        (only,) = node.below.values()
        label = f"{node.label} and {only.label}" if node.label else only.label
        node = Node(label, only.below, only.ends)
    node.below = {label: _joined(each) for label, each in node.below.items()}
    return node


def _rows(root: Node, inputs: tuple[FoundInput, ...]) -> Iterator[_Row]:
    """Nodes and inputs from top to bottom."""
    waiting: list[tuple[Node, int, int]] = [(root, 0, -1)]
    count = 0
    while waiting:
        node, depth, parent = waiting.pop()
        here = count
        yield _Row(depth, parent, _short(node.label or "start"), None)
        count += 1
        for number in node.ends:
            given = ", ".join(f"{key}={text}" for key, text in inputs[number].args.items())
            yield _Row(depth + 1, here, _short(f"{number + 1}: {given}"), number)
            count += 1
        waiting += [(each, depth + 1, here) for each in reversed(node.below.values())]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def _drawn(name: str, rows: list[_Row], number: int, inputs: tuple[FoundInput, ...]) -> str:
    row = rows[number]
    x, y = EDGE + row.depth * INDENT, ROW * (number + 0.75)
    parts = []
    if row.parent >= 0:
        up_x, up_y = EDGE + rows[row.parent].depth * INDENT, ROW * (row.parent + 0.75)
        way = f"M{up_x:.1f} {up_y + 5:.1f} V{y - 6:.1f} Q{up_x:.1f} {y:.1f} {up_x + 6:.1f} {y:.1f}"
        parts.append(f'<path d="{way} H{x - 6:.1f}" fill="none" stroke="var(--line)"/>')
    if row.input is None:
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="var(--paper)" stroke="var(--faint)"/>'
        text = (
            f'<text x="{x + 10:.1f}" y="{y + 4:.1f}" fill="var(--ink)">{escape(row.label)}</text>'
        )
        return "".join([*parts, dot, text])
    ink = "covered" if inputs[row.input].outcome == Ending.RETURNED else "error"
    dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="var(--{ink})"/>'
    text = f'<text x="{x + 10:.1f}" y="{y + 4:.1f}" fill="var(--{ink})">{escape(row.label)}</text>'
    return "".join([*parts, f'<a href="#{name}-i{row.input}">{dot}{text}</a>'])
