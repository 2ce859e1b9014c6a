"""An exploration of what runs in this very process."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from random import Random

from symcrete.clock import Clock, wall
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.phase import Budget, Phase
from symcrete.explore.loop.progress import Progress
from symcrete.explore.options import QUERIES_IN_A_BUDGET, Options
from symcrete.explore.rewritten import ImportedProgram
from symcrete.inputs.draw.sampling import mine
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.program.graph.icfg import program_graph
from symcrete.program.source.target import Target
from symcrete.run.runner import Runner
from symcrete.search.strategy import Guide
from symcrete.search.table import make_strategy
from symcrete.solve.choose import make_solver
from symcrete.solve.count import CountQueries
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import Coverage


def prepare_in_place(
    target: Target,
    runner: Runner,
    arguments: Arguments,
    imported: ImportedProgram,
    options: Options,
    *,
    starts: Sequence[Assignment] = (),
    draws: int | None = None,
    clock: Clock = wall,
) -> tuple[Exploration, Phase]:
    """An exploration of what a runner runs in this very process, and a phase for it that ends when
    every path is explored or the budget is spent.

    What it reads besides its arguments is no input, and what it leaves behind is not taken back:
    both belong to whoever runs here. `draws` is how many random inputs come before the first flip.
    """
    file, scope = str(target.source.file), target.scope
    random = Random(options.seed)
    coverage = _coverage(file, scope, imported)
    quick, patient = _solvers(options)
    parts = Parts(
        target=target,
        imported=imported,
        runner=runner,
        arguments=arguments,
        coverage=coverage,
        pool=mine([target.source.tree()]),
        random=random,
        solver=quick,
        patient=patient,
        clock=clock,
    )
    phase = Phase(
        budget=Budget(clock() + options.budget, options.max_runs, clock, options.both_limits),
        strategy=make_strategy(
            options.strategy, _guide(target, options, coverage, random, imported, draws)
        ),
        first=tuple(starts) or ({},),
        whole_tree=True,
    )
    return Exploration(parts, Progress(quick)), phase


def _coverage(file: str, scope: str, imported: ImportedProgram) -> Coverage:
    """The conditions of the test itself; none where its file is not rewritten."""
    sites = imported.rewritten.files.get(file)
    own = () if sites is None else tuple(sites.own(scope))
    return Coverage(imported.rewritten.sites, own, (), scope=scope, file=file)


def _guide(
    target: Target,
    options: Options,
    coverage: Coverage,
    random: Random,
    imported: ImportedProgram,
    draws: int | None,
) -> Guide:
    """What the strategy may look at besides the tree."""
    rewritten, file = imported.rewritten, str(target.source.file)
    few = {} if draws is None else {"draws": draws, "draws-when-stuck": draws}
    graph = lambda: program_graph(rewritten.files, rewritten.sites, file, target.scope)
    return Guide(random, coverage, options.order, parameters=few, graph=functools.cache(graph))


def _solvers(options: Options) -> tuple[CountQueries, Callable[[], CountQueries]]:
    """A solver that gives each query a little time, and how to make one that gives it more."""
    make = functools.partial(make_solver, options.solver, ippc=options.ippc, seed=options.seed)
    quick = make(seconds=min(options.solver_seconds, options.budget / QUERIES_IN_A_BUDGET))
    return quick, lambda: make(seconds=options.budget / 2, counts=quick.counts)
