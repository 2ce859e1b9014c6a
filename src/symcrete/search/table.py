"""The strategies by name; listing them imports none."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from symcrete.errors import BadOption

if TYPE_CHECKING:
    from symcrete.search.strategy import Guide, Strategy

STRATEGIES: dict[str, tuple[str, str]] = {
    "auto": (
        "symcrete.search.strategies.auto:Auto",
        "draws first, then uncovered branches, then new contexts",
    ),
    "dfs": (
        "symcrete.search.strategies.orders:DepthFirst",
        "the last branch first; --order earliest: the first",
    ),
    "bfs": ("symcrete.search.strategies.orders:BreadthFirst", "the branch nearest the root first"),
    "dart": (
        "symcrete.search.strategies.orders:Dart",
        "depth-first, restarted when a run strays (DART)",
    ),
    "generational": (
        "symcrete.search.strategies.orders:Generational",
        "all branches of the best run (SAGE)",
    ),
    "random-input": (
        "symcrete.search.strategies.by_chance:RandomInput",
        "random inputs, no solving",
    ),
    "random-branch": (
        "symcrete.search.strategies.by_chance:RandomBranch",
        "a random branch of the last path (CREST)",
    ),
    "uniform": (
        "symcrete.search.strategies.by_chance:Uniform",
        "down the path, flip with probability 1/2 (CREST)",
    ),
    "random-state": ("symcrete.search.strategies.by_chance:RandomState", "any open branch (KLEE)"),
    "random-path": (
        "symcrete.search.strategies.by_chance:RandomPath",
        "down the tree by coin tosses (KLEE)",
    ),
    "cfg": (
        "symcrete.search.strategies.uncovered:CfgDirected",
        "nearest to uncovered code in the graph (CREST)",
    ),
    "carfast": (
        "symcrete.search.strategies.uncovered:CarFast",
        "uncovered and with most code behind it (CarFast)",
    ),
    "covnew": (
        "symcrete.search.strategies.uncovered:CovNew",
        "at random, near uncovered code first (KLEE)",
    ),
    "klee": (
        "symcrete.search.strategies.combine:klee",
        "random-path and covnew in turn (KLEE's default)",
    ),
    "cgs": (
        "symcrete.search.strategies.context:ContextGuided",
        "branches in new contexts, growing contexts (CGS)",
    ),
    "cgs-fixed-k": (
        "symcrete.search.strategies.context:FixedContext",
        "the same with contexts of five branches",
    ),
    "cgs-nodom": (
        "symcrete.search.strategies.context:ContextWithDominators",
        "the same with dominating branches kept in the context",
    ),
    "greedy": (
        "symcrete.search.strategies.optimal:GreedyStrategy",
        "draw or solve, whichever covers more per cost (Wang et al.)",
    ),
    "greedy-plus": (
        "symcrete.search.strategies.optimal:GreedyPlus",
        "the same, looking ahead: what is dear to cover weighs more",
    ),
    "subpath": (
        "symcrete.search.strategies.context:Subpath",
        "the least travelled last branches (Li et al.)",
    ),
}


def make_strategy(name: str, guide: Guide) -> Strategy:
    if name not in STRATEGIES:
        close = difflib.get_close_matches(name, STRATEGIES, n=3)
        hint = f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(STRATEGIES)}"
        raise BadOption(f"no strategy {name!r}; {hint}")
    module, _, attribute = STRATEGIES[name][0].partition(":")
    factory: Callable[[Guide], Strategy] = getattr(importlib.import_module(module), attribute)
    return factory(guide)
