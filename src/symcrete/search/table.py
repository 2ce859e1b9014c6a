"""The strategies by name, with their parameters and combinations; listing them imports none.

A user writes `cgs-fixed-k:k=3` for a strategy with parameters, `cgs+greedy` for two that take turns
and `random-input>cgs` for one that gives way to the next when it brings nothing new.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from symcrete.errors import BadOption
from symcrete.notation import Parameter, Value, nearest, read, split
from symcrete.slotted import dataclass

if TYPE_CHECKING:
    from symcrete.search.strategy import Guide, Strategy


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy: where it is, the line that lists it, and what can be set."""

    path: str  # module and class or function, parted by a colon; made with a guide
    what: str
    parameters: tuple[Parameter, ...] = ()
    all_branches: bool = False  # whether it looks at branches that no input decides


# Steps without news after which a strategy before a `>` gives way; chosen, not measured.
PATIENCE_PARAMETER = Parameter(
    "patience", 50, "steps without news before the next one's turn", least=1
)

_DEPTH = Parameter("depth", 1_000_000, "branches of a path that may be flipped", least=1)
_GRACE = Parameter("grace", 100, "branches without news before a path counts as stale", least=0)
_FIRST_K = Parameter("k", 1, "branches of the first contexts", least=1)
_LOOPS = Parameter("loops", 3, "passes of one condition on a path that is solved for", least=1)

_ESTIMATE = Parameter(
    "estimate", "laplace", "of probabilities; or good-turing", words=("laplace", "good-turing")
)

STRATEGIES: dict[str, Row] = {
    "auto": Row(
        "symcrete.search.strategies.auto:Auto",
        "draws first, then uncovered branches, then new contexts",
        (
            Parameter("draws", 24, "random inputs before the first flip", least=0),
            Parameter("draws-when-stuck", 12, "random inputs when flips bring nothing", least=0),
        ),
    ),
    "priced": Row(
        "symcrete.search.pricing.priced:Priced",
        "draw, mutate, or one of four kinds of flips: whatever covers most per second",
        (Parameter("draws", 24, "random inputs before the first decision", least=0),),
    ),
    "dfs": Row(
        "symcrete.search.strategies.orders:DepthFirst",
        "the last branch first; --order earliest: the first",
        (_DEPTH, Parameter("errors", True, "whether operations are made to fail")),
    ),
    "bfs": Row(
        "symcrete.search.strategies.orders:BreadthFirst", "the branch nearest the root first"
    ),
    "dart": Row(
        "symcrete.search.strategies.orders:Dart",
        "depth-first, restarted when a run strays (DART)",
        (_DEPTH,),
    ),
    "generational": Row(
        "symcrete.search.strategies.orders:Generational",
        "all branches of the best run (SAGE)",
    ),
    "random-input": Row(
        "symcrete.search.strategies.by_chance:RandomInput",
        "random inputs, no solving",
    ),
    "random-branch": Row(
        "symcrete.search.strategies.by_chance:RandomBranch",
        "a random branch of the last path (CREST)",
        (Parameter("rounds", 10_000, "flips without news before a restart", least=1),),
    ),
    "uniform": Row(
        "symcrete.search.strategies.by_chance:Uniform",
        "down the path, flip with probability 1/2 (CREST)",
    ),
    "random-state": Row(
        "symcrete.search.strategies.by_chance:RandomState", "any open branch (KLEE)"
    ),
    "random-path": Row(
        "symcrete.search.strategies.by_chance:RandomPath",
        "down the tree by coin tosses (KLEE)",
    ),
    "cfg": Row(
        "symcrete.search.strategies.uncovered:CfgDirected",
        "nearest to uncovered code in the graph (CREST)",
        (Parameter("runs", 30, "runs of a round", least=1),),
    ),
    "carfast": Row(
        "symcrete.search.strategies.uncovered:CarFast",
        "uncovered and with most code behind it (CarFast)",
    ),
    "covnew": Row(
        "symcrete.search.strategies.uncovered:CovNew",
        "at random, near uncovered code first (KLEE)",
        (_GRACE,),
    ),
    "klee": Row(
        "symcrete.search.strategies.combine:klee",
        "random-path and covnew in turn (KLEE's default)",
        (_GRACE,),
    ),
    "cgs": Row(
        "symcrete.search.strategies.context:ContextGuided",
        "branches in new contexts, growing contexts (CGS)",
        (_FIRST_K,),
    ),
    "cgs-fixed-k": Row(
        "symcrete.search.strategies.context:FixedContext",
        "the same with contexts of one size",
        (Parameter("k", 5, "branches of a context", least=1),),
    ),
    "cgs-paper": Row(
        "symcrete.search.strategies.context:ContextAsPublished",
        "as printed: contexts over all executed branches, dominators across calls",
        (_FIRST_K,),
        all_branches=True,
    ),
    "cgs-uncovered": Row(
        "symcrete.search.strategies.context:ContextForUncovered",
        "uncovered sides in new contexts by data, longer where that brought nothing; then cgs",
    ),
    "crest-dfs": Row(
        "symcrete.search.strategies.crest:BoundedDepthFirst",
        "CREST's own: the earliest branch first, then below it",
        (Parameter("depth", 1_000_000, "branches flipped on top of each other", least=1),),
    ),
    "crest-random": Row(
        "symcrete.search.strategies.crest:RandomBranchOfCrest",
        "CREST's own: any branch of the last path, taken before or not",
        (Parameter("rounds", 10_000, "rounds without news before a restart", least=1),),
    ),
    "crest-uniform": Row(
        "symcrete.search.strategies.crest:UniformOfCrest",
        "CREST's own: down the path by coin tosses, through sides taken before or not",
    ),
    "cgs-nodom": Row(
        "symcrete.search.strategies.context:ContextWithDominators",
        "the same with dominating branches kept in the context",
        (_FIRST_K,),
    ),
    "greedy": Row(
        "symcrete.search.strategies.optimal:GreedyStrategy",
        "draw or solve, whichever covers more per cost (Wang et al.)",
        (_LOOPS, _ESTIMATE),
    ),
    "greedy-plus": Row(
        "symcrete.search.strategies.optimal:GreedyPlus",
        "the same, looking ahead: what is dear to cover weighs more",
        (_LOOPS, _ESTIMATE),
    ),
    "greedy-paper": Row(
        "symcrete.search.strategies.greedy_paper:GreedyAsPublished",
        "draw or solve as printed: decided anew after every run, over basic blocks",
        (_LOOPS, _ESTIMATE),
    ),
    "subpath": Row(
        "symcrete.search.strategies.context:Subpath",
        "the least travelled last branches (Li et al.)",
        (Parameter("length", 4, "branches of a subpath", least=1),),
    ),
}


def make_strategy(text: str, guide: Guide) -> Strategy:
    """The strategy that a user asked for: by name, with parameters, or several combined."""
    groups = _parsed(text)
    made = [[_made(part, guide) for part in group] for group in groups]
    if len(made) == len(made[0]) == 1:
        return made[0][0]
    from symcrete.search.strategies.combine import Interleave, SwitchOnStagnation

    lines = [group[0] if len(group) == 1 else Interleave(group) for group in made]
    return lines[0] if len(lines) == 1 else SwitchOnStagnation(lines, list(map(_patience, groups)))


def bring_in(text: str) -> None:
    """Import what `make_strategy` will need for this strategy."""
    for group in _parsed(text):
        for part in group:
            importlib.import_module(STRATEGIES[part.name].path.partition(":")[0])


def check_strategy(text: str) -> None:
    """Raise the error that `make_strategy` would; nothing is made or imported."""
    _parsed(text)


def looks_at_all_branches(text: str) -> bool:
    """Whether runs must keep the order of all branches for this strategy, symbolic or not."""
    return any(STRATEGIES[part.name].all_branches for group in _parsed(text) for part in group)


@dataclass(frozen=True, slots=True)
class Part:
    """One strategy of a combination, with the values given for its parameters."""

    name: str
    values: dict[str, Value]


def _parsed(text: str) -> list[list[Part]]:
    """The groups in their order; the strategies of a group take turns."""
    groups = [each.split("+") for each in text.split(">")]
    return [[_part(each, text, switches=len(groups) > 1) for each in group] for group in groups]


def _part(part: str, text: str, *, switches: bool) -> Part:
    name, given = split(part)
    if not name:
        raise BadOption(f"{text!r}: a strategy is missing; write cgs+greedy or random-input>cgs")
    if name not in STRATEGIES:
        raise BadOption(f"no strategy {name!r}; {nearest(name, STRATEGIES)}")
    known = STRATEGIES[name].parameters + ((PATIENCE_PARAMETER,) if switches else ())
    return Part(name, read(given, known, f"strategy {name}"))


def _patience(group: list[Part]) -> int:
    """The first patience given in a group, or else the default."""
    given = [
        part.values[PATIENCE_PARAMETER.name]
        for part in group
        if PATIENCE_PARAMETER.name in part.values
    ]
    return int(given[0] if given else PATIENCE_PARAMETER.default)


def _made(part: Part, guide: Guide) -> Strategy:
    module, _, attribute = STRATEGIES[part.name].path.partition(":")
    factory: Callable[[Guide], Strategy] = getattr(importlib.import_module(module), attribute)
    if not part.values:
        return factory(guide)
    return factory(replace(guide, parameters={**guide.parameters, **part.values}))
