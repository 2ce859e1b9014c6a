"""How calls are abstracted and abstract paths realised, for one target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from symcrete.explore.lazy.realise import Settings
from symcrete.explore.loop.parts import Parts
from symcrete.explore.options import Options
from symcrete.run.callees.callees import Callees
from symcrete.run.callees.expanding import ExpandingRunner
from symcrete.run.callees.judge import Judge
from symcrete.search.strategy import Strategy
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Lazily:
    """How calls are abstracted and how abstract paths are realised."""

    runner: ExpandingRunner
    judge: Judge
    make_strategy: Callable[[], Strategy]
    make_callee_strategy: Callable[[], Strategy]
    settings: Settings = field(default_factory=Settings)
    only_returning: bool = False  # whether abstract paths that end in an exception are left alone


def abstracting(
    parts: Parts, options: Options, strategy: str, make: Callable[[str], Strategy]
) -> Lazily:
    """What lazy expansion of one target needs, as the options say: which calls are abstracted, by
    which strategies paths are searched, and whether it is the algorithm as published.
    """
    assert options.lazy is not None
    beyond = not options.lazy_as_published
    judge = Judge(options.lazy, state=beyond)
    return Lazily(
        runner=ExpandingRunner(parts.runner, Callees(parts.imported.record, judge), parts.watch),
        judge=judge,
        make_strategy=lambda: make(strategy),
        # Inside a callee nothing is to be covered, so the shortest paths through it come first.
        make_callee_strategy=lambda: make(
            "bfs" if options.strategy == "auto" else options.strategy
        ),
        settings=Settings(known_paths=beyond, backjumping=beyond, whole_run_first=beyond),
        only_returning=options.only_returning,
    )
