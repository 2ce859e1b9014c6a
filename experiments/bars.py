"""Bars as SVG: a group of bars for each subject, a colour for each tool."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

from experiments.figures import COLOURS

WIDTH = 720  # pixels, as wide as a page of the documentation
NAMES = 150  # for the subjects, at the left
VALUES = 120  # for the number behind the longest bar, and a note
HEAD = 40  # for the legend
FOOT = 44  # for the axis and what it counts
BAR = 13  # how thick a bar is
GAP = 12  # between two subjects
SHORTEST = 2.0  # of a bar by orders of magnitude, so that a one can be seen
LETTER = 7.0  # how wide a letter of the legend is, about


def draw_bars(
    groups: Mapping[str, Mapping[str, float]],
    *,
    across: str,
    longest: float | None = None,
    logarithmic: bool = False,
    notes: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """A group of bars for each subject, its tools named at the top.

    `longest` is where the axis ends, else it is the greatest number. `notes` has words to put behind
    the number of a bar, by subject and tool. A tool without a number for a subject has no bar there.
    """
    tools = list(dict.fromkeys(tool for bars in groups.values() for tool in bars))
    longest = longest or max(value for bars in groups.values() for value in bars.values())
    length = _scale(longest, logarithmic)
    high = HEAD + FOOT + sum(BAR * len(bars) + GAP for bars in groups.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{high}" fill="white"/>',
        *_legend(tools),
        *_marks(longest, length, high, across, logarithmic),
    ]
    top = float(HEAD)
    for subject, bars in groups.items():
        middle = top + BAR * len(bars) / 2 + 4
        parts.append(
            f'<text x="{NAMES - 8}" y="{middle:.1f}" text-anchor="end">{escape(subject)}</text>'
        )
        for tool, value in bars.items():
            colour = COLOURS[tools.index(tool) % len(COLOURS)]
            wide = length(value)
            note = (notes or {}).get((subject, tool))
            told = f"{value:,.10g}, {note}" if note else f"{value:,.10g}"
            parts.append(
                f'<rect x="{NAMES}" y="{top:.1f}" width="{wide:.1f}" height="{BAR - 2}" fill="{colour}"/>'
            )
            parts.append(
                f'<text x="{NAMES + wide + 5:.1f}" y="{top + BAR - 3:.1f}" font-size="10">'
                f"{escape(told)}</text>"
            )
            top += BAR
        top += GAP
    return "\n".join([*parts, "</svg>", ""])


def _scale(longest: float, logarithmic: bool) -> Callable[[float], float]:
    """How long the bar of a number is; by orders of magnitude it begins at one."""
    wide = WIDTH - NAMES - VALUES
    if not logarithmic:
        return lambda value: wide * value / longest
    orders = math.log10(max(10.0, longest))
    return lambda value: max(SHORTEST, wide * math.log10(max(1.0, value)) / orders)


def _legend(tools: Sequence[str]) -> list[str]:
    parts = []
    left = float(NAMES)
    for number, tool in enumerate(tools):
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<rect x="{left:.1f}" y="12" width="11" height="11" fill="{colour}"/>')
        parts.append(f'<text x="{left + 16:.1f}" y="22">{escape(tool)}</text>')
        left += 34 + LETTER * len(tool)
    return parts


def _marks(
    longest: float, length: Callable[[float], float], high: float, across: str, logarithmic: bool
) -> list[str]:
    """Upright lines with their numbers, and below them what they count."""
    if logarithmic:
        marks = [10.0**power for power in range(math.floor(math.log10(max(10.0, longest))) + 1)]
    else:
        marks = [longest * share / 5 for share in range(6)]
    bottom = high - FOOT
    parts = []
    for mark in marks:
        x = NAMES + length(mark)
        parts.append(f'<path d="M{x:.1f} {HEAD - 6}V{bottom}" stroke="#dddddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{mark:,.6g}</text>')
    middle = NAMES + (WIDTH - NAMES - VALUES) / 2
    parts.append(f'<text x="{middle}" y="{high - 8}" text-anchor="middle">{escape(across)}</text>')
    return parts
