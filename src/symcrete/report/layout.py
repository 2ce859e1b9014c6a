"""Lay out calls and lists as `ruff format` and `black` do: on one line, else indented, else one per
line.
"""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 88


def laid_out(
    before: str, parts: Sequence[str], after: str, indent: int = 0, *, exploded: bool = False
) -> list[str]:
    """`before` + parts + `after`, such as `f(`, arguments, `)`; a part may hold several lines."""
    pad = " " * indent
    flat = pad + before + ", ".join(parts) + after
    several = any("\n" in part for part in parts)
    if not exploded and not several and len(flat) <= WIDTH:
        return [flat]
    inner = pad + "    "
    joined = inner + ", ".join(parts)
    if not exploded and not several and len(joined) <= WIDTH:
        return [pad + before, joined, pad + after]
    lines = [pad + before]
    for part in parts:
        pieces = part.split("\n")
        lines += [inner + piece for piece in pieces[:-1]]
        lines.append(inner + pieces[-1] + ",")
    lines.append(pad + after)
    return lines
