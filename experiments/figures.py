"""Curves and points as SVG: enough for the papers' figures, without a plotting library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

COLOURS = ("#c1272d", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#444444", "#8c564b")
WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 150, 20, 50  # margins
WIDE, HIGH = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

Place = Callable[[float, float], tuple[float, float]]


def draw_curves(
    curves: Mapping[str, Sequence[tuple[float, float]]], *, across: str, up: str, top: float = 100.0
) -> str:
    """Step curves over one axis each, named at the right."""
    furthest = max((x for points in curves.values() for x, _ in points), default=1.0) or 1.0
    place = _scale(furthest, top)
    parts = _axes(place, furthest, top, across, up)
    for number, (name, points) in enumerate(curves.items()):
        placed = [place(x, y) for x, y in points]
        if placed:
            path = f"M{placed[0][0]:.1f} {placed[0][1]:.1f}"
            path += "".join(f"H{x:.1f}V{y:.1f}" for x, y in placed[1:])
            colour = COLOURS[number % len(COLOURS)]
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_legend(number, name))
    return "\n".join([*parts, "</svg>", ""])


def draw_points(
    groups: Mapping[str, Mapping[str, tuple[float, float]]], *, across: str, up: str
) -> str:
    """Named points of several groups; the groups are named at the right."""
    points = [point for group in groups.values() for point in group.values()]
    furthest = max((x for x, _ in points), default=1.0) or 1.0
    top = max((y for _, y in points), default=1.0) or 1.0
    place = _scale(furthest, top)
    parts = _axes(place, furthest, top, across, up)
    for number, (name, group) in enumerate(groups.items()):
        colour = COLOURS[number % len(COLOURS)]
        for point, (x, y) in group.items():
            left, down = place(x, y)
            parts.append(f'<circle cx="{left:.1f}" cy="{down:.1f}" r="4" fill="{colour}"/>')
            parts.append(
                f'<text x="{left + 6:.1f}" y="{down + 4:.1f}" font-size="10">{escape(point)}</text>'
            )
        parts.append(_legend(number, name))
    return "\n".join([*parts, "</svg>", ""])


def _scale(furthest: float, top: float) -> Place:
    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + WIDE * x / furthest, TOP + HIGH * (1 - y / top)

    return place


def _axes(place: Place, furthest: float, top: float, across: str, up: str) -> list[str]:
    """The opening of the picture: paper, grid, numbers and what they count."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for share in range(6):
        x, _ = place(furthest * share / 5, 0)
        _, y = place(0, top * share / 5)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{LEFT + WIDE}M{x:.1f} {TOP}V{TOP + HIGH}" stroke="#dddddd"/>'
        )
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{top * share / 5:.3g}</text>'
        )
        parts.append(
            f'<text x="{x:.1f}" y="{TOP + HIGH + 18}" text-anchor="middle">'
            f"{furthest * share / 5:.3g}</text>"
        )
    middle = TOP + HIGH / 2
    parts.append(
        f'<text x="{LEFT + WIDE / 2}" y="{HEIGHT - 10}" text-anchor="middle">'
        f"{escape(across)}</text>"
    )
    parts.append(
        f'<text x="16" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 16 {middle})">{escape(up)}</text>'
    )
    return parts


def _legend(number: int, name: str) -> str:
    colour = COLOURS[number % len(COLOURS)]
    y = TOP + 14 + 18 * number
    return f'<text x="{LEFT + WIDE + 12}" y="{y}" fill="{colour}">{escape(name)}</text>'
