"""Curves as SVG: enough for coverage over time, without a plotting library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

COLOURS = ("#c1272d", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#444444", "#8c564b")
WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 150, 20, 50  # margins


def draw_curves(
    curves: Mapping[str, Sequence[tuple[float, float]]], *, across: str, up: str, top: float = 100.0
) -> str:
    """Step curves over one axis each, named at the right."""
    furthest = max((x for points in curves.values() for x, _ in points), default=1.0) or 1.0
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + wide * x / furthest, TOP + high * (1 - y / top)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for share in range(6):
        x, _ = place(furthest * share / 5, 0)
        _, y = place(0, top * share / 5)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{LEFT + wide}M{x:.1f} {TOP}V{TOP + high}" stroke="#dddddd"/>'
        )
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{top * share / 5:g}</text>'
        )
        parts.append(
            f'<text x="{x:.1f}" y="{TOP + high + 18}" text-anchor="middle">'
            f"{furthest * share / 5:g}</text>"
        )
    middle = TOP + high / 2
    parts.append(
        f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 10}" text-anchor="middle">'
        f"{escape(across)}</text>"
    )
    parts.append(
        f'<text x="16" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 16 {middle})">{escape(up)}</text>'
    )
    for number, (name, points) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        placed = [place(x, y) for x, y in points]
        if placed:
            path = f"M{placed[0][0]:.1f} {placed[0][1]:.1f}"
            path += "".join(f"H{x:.1f}V{y:.1f}" for x, y in placed[1:])
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = TOP + 14 + 18 * number
        parts.append(f'<text x="{LEFT + wide + 12}" y="{y}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])
