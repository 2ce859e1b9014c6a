"""The strategies by name; listing them imports none."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable

from symcrete.errors import BadOption
from symcrete.search.strategy import Guide, Strategy

STRATEGIES: dict[str, tuple[str, str]] = {
    "auto": ("symcrete.search.auto:Auto", "draws first, then uncovered branches, then by depth"),
    "dfs": (
        "symcrete.search.orders:DepthFirst",
        "the last branch first; --order earliest: the first",
    ),
    "bfs": ("symcrete.search.orders:BreadthFirst", "the branch nearest the root first"),
    "random-branch": ("symcrete.search.orders:RandomBranch", "any open branch"),
    "uniform": (
        "symcrete.search.orders:Uniform",
        "down the path, flip with probability 1/2 (CREST)",
    ),
    "random-input": ("symcrete.search.orders:RandomInput", "random inputs, no solving"),
    "generational": ("symcrete.search.orders:Generational", "all branches of the best run (SAGE)"),
}


def make_strategy(name: str, guide: Guide) -> Strategy:
    if name not in STRATEGIES:
        close = difflib.get_close_matches(name, STRATEGIES, n=3)
        hint = f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(STRATEGIES)}"
        raise BadOption(f"no strategy {name!r}; {hint}")
    module, _, attribute = STRATEGIES[name][0].partition(":")
    factory: Callable[[Guide], Strategy] = getattr(importlib.import_module(module), attribute)
    return factory(guide)
