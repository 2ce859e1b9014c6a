"""Render the measured part of the pages in `docs/papers`, and the pictures of `docs/techniques`.

    python -m experiments.papers            write the pages
    python -m experiments.papers --check    fail if a page is not what the results say

A page has a line `<!-- measured: NAME -->` for each result it shows; what stands between that line
and `<!-- end -->` is replaced by the tables of the result of that name in `experiments/results`.
Figures are drawn from the same results.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from experiments.committed import RESULTS, ROOT, Result, as_markdown, read
from experiments.ippc_figure import figure_4
from experiments.technique_figures import (
    blocks_by_time,
    branches_by_strategy,
    conditions_of_a_call,
    covered_by_solver,
    runs_until_done,
    segments_until_decided,
)

DOCS = ROOT / "docs"
PAGES = DOCS / "papers"
PART = re.compile(r"<!-- measured: ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)

# picture of the documentation -> the result it is drawn from, and how
FIGURES: dict[str, tuple[str, Callable[[Result], str]]] = {
    "papers/ippc-figure4.svg": ("ippc", figure_4),
    "techniques/backward.svg": ("symcretic", segments_until_decided),
    "techniques/context.svg": ("context", branches_by_strategy),
    "techniques/ippc.svg": ("ippc", conditions_of_a_call),
    "techniques/lazy.svg": ("lazy", runs_until_done),
    "techniques/optimal.svg": ("optimal", blocks_by_time),
    "techniques/walk.svg": ("walk", covered_by_solver),
}


def rendered(text: str) -> str:
    """The page with its measured parts as the results have them."""

    def part(found: re.Match[str]) -> str:
        name = found.group(1)
        measured = as_markdown(read(RESULTS / f"{name}.json"))
        return f"<!-- measured: {name} -->\n{measured}\n<!-- end -->"

    return PART.sub(part, text)


def everything() -> dict[Path, str]:
    """Every page and figure as the results have it."""
    made = {page: rendered(page.read_text(encoding="utf-8")) for page in sorted(PAGES.glob("*.md"))}
    for name, (result, draw) in FIGURES.items():
        made[DOCS / name] = draw(read(RESULTS / f"{result}.json"))
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    differ = []
    for page, made in everything().items():
        if not page.exists() or page.read_text(encoding="utf-8") != made:
            differ.append(page.name)
            if not check:
                page.write_text(made, encoding="utf-8")
    print(f"{'out of date' if check else 'written'}: {', '.join(differ) or 'none'}")
    return int(check and bool(differ))


if __name__ == "__main__":
    sys.exit(main())
