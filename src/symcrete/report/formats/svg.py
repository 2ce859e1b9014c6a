"""A control-flow graph as an SVG picture, laid out here: no other program is needed."""

from __future__ import annotations

from html import escape
from typing import TextIO

from symcrete.explore.findings import Report
from symcrete.report.formats.graph import COLOURS, Box, Drawing, State, drawings
from symcrete.report.formats.layered import Placed, place

# All in pixels. A character of the fonts named below is 7.2 wide at their size.
CHARACTER, LINE, PADDING, MARGIN = 7.25, 16.0, 10.0, 24.0
HEADING, LEGEND = 30.0, 34.0
FAINT = "#bdbdbd"
FILLS: dict[State, str] = {
    "covered": "#e8f5f2",
    "open": "#fff3e6",
    "infeasible": "#f2f2f2",
    "unknown": "#f7f7f7",
}
DASHES: dict[State, str] = {
    "open": ' stroke-dasharray="6 4"',
    "infeasible": ' stroke-dasharray="2 4"',
}
NOT_TAKEN: tuple[State, ...] = ("open", "infeasible")


class Svg:
    """The graphs of all targets as one picture."""

    def emit(self, report: Report, out: TextIO) -> None:
        out.write(svg(*drawings(report)))


def svg(*graphs: Drawing) -> str:
    """The whole picture as text, several graphs one below the other."""
    width = height = 0.0
    parts = []
    for drawing in graphs:
        across, down, lines = _picture(drawing)
        parts += [f'<g transform="translate(0 {height:.1f})">', *lines, "</g>"]
        width, height = max(width, across), height + down
    title = escape(", ".join(drawing.title for drawing in graphs))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="ui-monospace, DejaVu Sans Mono, '
            'Menlo, Consolas, monospace" font-size="12">',
            f"<title>{title}</title>",
            _markers(),
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _picture(drawing: Drawing) -> tuple[float, float, list[str]]:
    """Width, height and elements of one graph with its heading and legend."""
    sizes = [_size(box) for box in drawing.boxes]
    placed = place(sizes, [(arrow.source, arrow.target) for arrow in drawing.arrows])
    title_width = CHARACTER * 1.1 * len(drawing.title)
    width = max(placed.width, title_width, 420.0) + 2 * MARGIN
    height = placed.height + 2 * MARGIN + HEADING + LEGEND
    shift = (width - placed.width) / 2
    parts = [
        f'<text x="{MARGIN}" y="{MARGIN + 6}" font-size="13" font-weight="bold" fill="#212121">'
        f"{escape(drawing.title)}</text>",
        f'<g transform="translate({shift:.1f} {MARGIN + HEADING:.1f})">',
    ]
    parts += [_arrow(drawing, placed, sizes, n) for n in range(len(drawing.arrows))]
    parts += [_box(box, placed.x[n], placed.y[n], *sizes[n]) for n, box in enumerate(drawing.boxes)]
    parts += [_side(drawing, placed, sizes, n) for n in range(len(drawing.arrows))]
    parts += ["</g>", _legend(drawing, height - LEGEND + 6)]
    return width, height, [part for part in parts if part]


def _size(box: Box) -> tuple[float, float]:
    longest = max((len(line) for line in box.lines), default=1)
    extra = 2 * PADDING if box.shape == "condition" else 0.0  # its ends are pointed
    return longest * CHARACTER + 2 * PADDING + extra, max(1, len(box.lines)) * LINE + PADDING


def _markers() -> str:
    made = [
        f'<marker id="{state}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto">'
        f'<path d="M0 0.8 L7.5 4 L0 7.2 z" fill="{colour}"/></marker>'
        for state, colour in [*COLOURS.items(), ("faint", FAINT)]
    ]
    return "<defs>" + "".join(made) + "</defs>"


def _box(box: Box, x: float, y: float, width: float, height: float) -> str:
    left, top = x - width / 2, y - height / 2
    ink = "#9a9a9a" if box.state in NOT_TAKEN else "#212121"
    style = f'fill="{FILLS[box.state]}" stroke="{COLOURS[box.state]}" stroke-width="1.2"'
    if box.shape == "condition":
        tip = PADDING
        corners = [
            (left, y),
            (left + tip, top),
            (left + width - tip, top),
            (left + width, y),
            (left + width - tip, top + height),
            (left + tip, top + height),
        ]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
        shape = f'<polygon points="{points}" {style}/>'
    else:
        round_ = height / 2 if box.shape == "end" else 4
        shape = (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'rx="{round_:.1f}" {style}/>'
        )
    start = left + PADDING + (PADDING if box.shape == "condition" else 0)
    lines = [
        f'<text x="{start:.1f}" y="{top + PADDING / 2 + LINE * (n + 0.75):.1f}" fill="{ink}" '
        f'xml:space="preserve">{escape(line)}</text>'
        for n, line in enumerate(box.lines)
    ]
    return shape + "".join(lines)


def _points(
    drawing: Drawing, placed: Placed, sizes: list[tuple[float, float]], number: int
) -> list[tuple[float, float]]:
    """The points of an arrow from the border of one box to that of the other; none for a box that
    leads to itself.
    """
    arrow, route = drawing.arrows[number], list(placed.routes[number])
    if arrow.source == arrow.target:
        return []
    (x0, y0), (x1, y1) = route[0], route[-1]
    half_source, half_target = sizes[arrow.source][1] / 2, sizes[arrow.target][1] / 2
    if arrow.side is not None:
        x0 += _hand(drawing, placed, number) * sizes[arrow.source][0] / 6
    down, arrives_down = route[1][1] > y0, y1 > route[-2][1]
    route[0] = (x0, y0 + (half_source if down else -half_source))
    route[-1] = (x1, y1 - (half_target if arrives_down else -half_target))
    return route


def _hand(drawing: Drawing, placed: Placed, number: int) -> int:
    """Whether an arrow leaves its condition on the left (-1) or on the right (1): of two sides, the
    one that leads further left leaves on the left.
    """
    arrow = drawing.arrows[number]
    ways = {
        each.side: placed.routes[n][1][0]
        for n, each in enumerate(drawing.arrows)
        if each.source == arrow.source and each.side is not None and len(placed.routes[n]) > 1
    }
    side = bool(arrow.side)
    other = ways.get(not side, ways[side])
    if other == ways[side]:
        return -1 if side else 1
    return -1 if ways[side] < other else 1


def _curve(points: list[tuple[float, float]]) -> str:
    """A line through these points that is vertical where it meets a layer and smooth between."""
    x, y = points[0]
    path = f"M{x:.1f} {y:.1f}"
    for to_x, to_y in points[1:]:
        middle = (y + to_y) / 2
        path += f" C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"
        x, y = to_x, to_y
    return path


def _arrow(drawing: Drawing, placed: Placed, sizes: list[tuple[float, float]], number: int) -> str:
    arrow = drawing.arrows[number]
    name, colour = str(arrow.state), COLOURS[arrow.state]
    if arrow.side is None and drawing.boxes[arrow.source].state in NOT_TAKEN:
        name, colour = "faint", FAINT  # no run came to the box that it leaves
    dashes = ' stroke-dasharray="1 4"' if arrow.implicit else DASHES.get(arrow.state, "")
    thick = 1.0 if arrow.implicit else 1.4
    points = _points(drawing, placed, sizes, number)
    if points:
        path = _curve(points)
    else:  # a box that leads to itself
        x, y = placed.x[arrow.source], placed.y[arrow.source]
        right = x + sizes[arrow.source][0] / 2
        path = f"M{right:.1f} {y + 4:.1f} c26 14 26 -22 0 -10"
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{thick}"'
        f'{dashes} marker-end="url(#{name})"/>'
    )


def _side(drawing: Drawing, placed: Placed, sizes: list[tuple[float, float]], number: int) -> str:
    """`true` or `false` where an arrow leaves its condition."""
    arrow = drawing.arrows[number]
    points = _points(drawing, placed, sizes, number)
    if arrow.side is None or not points:
        return ""
    (x, y), (_, next_y) = points[0], points[1]
    left = _hand(drawing, placed, number) < 0
    where = (
        f'x="{x + (-5 if left else 5):.1f}" y="{y + (12 if next_y > y else -6):.1f}" '
        f'font-size="10" text-anchor="{"end" if left else "start"}"'
    )
    word = str(arrow.side).lower()
    halo = f'<text {where} stroke="#ffffff" stroke-width="3" fill="#ffffff">{word}</text>'
    return halo + f'<text {where} fill="{COLOURS[arrow.state]}">{word}</text>'


def _legend(drawing: Drawing, y: float) -> str:
    x = MARGIN
    parts = []
    for state in ("covered", "open", "infeasible"):
        label = f"{drawing.count(state)} {state}"
        colour = COLOURS[state]
        parts.append(
            f'<path d="M{x:.1f} {y:.1f} h26" stroke="{colour}" stroke-width="2"'
            f'{DASHES.get(state, "")} marker-end="url(#{state})"/>'
            f'<text x="{x + 34:.1f}" y="{y + 4:.1f}" fill="{colour}">{label}</text>'
        )
        x += 34 + CHARACTER * len(label) + 26
    return "".join(parts)
