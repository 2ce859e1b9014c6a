"""Put the parts together for one target: the only module that names them all."""

from __future__ import annotations

import ast
import functools
import inspect
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from symcrete.errors import BadOption, SymcreteError, TargetNotFound
from symcrete.explore.cover.summary import summarise
from symcrete.explore.findings import TargetReport
from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.lazy.realise import Settings
from symcrete.explore.loop.loop import Budget, Exploration
from symcrete.explore.loop.random_testing import RandomTesting
from symcrete.explore.options import Options
from symcrete.explore.rewritten import World, find_function
from symcrete.inputs.draw.sampling import mine
from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.program.graph.icfg import program_graph
from symcrete.program.source.mangling import mangled
from symcrete.program.source.module import parsed
from symcrete.program.source.sites import functions, is_within
from symcrete.program.source.target import Target, counted
from symcrete.run.callees import Callees
from symcrete.run.expanding import ExpandingRunner
from symcrete.run.judge import Judge
from symcrete.run.runner import Limits, Runner, silenced
from symcrete.run.state import ModuleState
from symcrete.run.surroundings import Surroundings
from symcrete.search.strategy import Guide
from symcrete.search.table import make_strategy
from symcrete.solve.choose import make_solver
from symcrete.terms import term as terms
from symcrete.tree.coverage import Coverage


def cover(
    target: Target,
    options: Options,
    begin: Callable[[Exploration, World], None] = lambda found, world: None,
) -> TargetReport:
    """Explore one target in this process; a target that cannot be explored is a report too.

    `begin` is given the exploration before its first run, to listen to it.
    """
    began = time.perf_counter()
    try:
        exploration, world = prepare(target, options, began)
    except SymcreteError as error:
        return TargetReport(
            target.label,
            "failed",
            error=str(error),
            exit_code=error.exit_code,
            file=str(target.source.file),
            seconds=time.perf_counter() - began,
        )
    begin(exploration, world)
    chain = RandomTesting(target, exploration, world) if options.chain else None
    status = exploration.explore()
    if chain is not None:
        exploration.draw_on()
    report = summarise(target, options, exploration, world, status, began)
    return report if chain is None else replace(report, chain=chain.as_plain())


def prepare(
    target: Target, options: Options, began: float, world: World | None = None
) -> tuple[Exploration, World]:
    """An exploration ready to start; in a world that is there already, or in one of its own."""
    if world is None:
        terms.forget()
        world = World(target.source, options.instrument)
        with silenced():
            world.load()
    function, owner = callable_of(world.module, target)
    arguments = arguments_of(function, options.types, target.scope, owner=owner)
    file, scope = _counted(target, options, world)
    sites = world.rewritten.files[file]
    coverage = Coverage(
        world.rewritten.sites,
        tuple(sites.own(scope)),
        tuple(sites.own_branches(scope)),
        scope=scope,
        file=file,
    )
    random = Random(options.seed)
    guide = Guide(
        random,
        coverage,
        options.order,
        # Few strategies need it, and it takes longer than a small exploration.
        graph=functools.cache(
            lambda: program_graph(
                world.rewritten.files,
                world.rewritten.sites,
                str(target.source.file),
                target.scope,
            )
        ),
    )
    limits = Limits(options.run_steps, options.run_seconds)
    runner, kind, settings = _how_to_run(function, arguments, world, limits, guide, options)
    runner.state = ModuleState(world.modules())
    words, own = world.rewritten.words, world.rewritten.builtins
    surroundings = Surroundings(words, options.seed, own)
    runner.surroundings = surroundings if surroundings.watched else None
    solver = functools.partial(
        make_solver,
        options.solver,
        ippc=options.ippc,
        seed=options.seed,
        cache=options.cache,
        slicing=options.slicing,
        incremental=options.incremental,
    )
    quick = solver(seconds=min(options.solver_seconds, options.budget / 4))
    exploration = kind(
        runner=runner,
        arguments=arguments,
        strategy=make_strategy(_strategy_name(options), guide),
        solver=quick,
        patient=lambda: solver(seconds=options.budget / 2, counts=quick.counts),
        coverage=coverage,
        pool=mine([target.source.tree(), *_counted_code(target, file, scope)]),
        random=random,
        budget=Budget(began + options.budget, options.max_runs),
        whole_tree=options.paths,
        start=read_input(options.start, arguments, vars(world.module)),
        every=[] if options.paths else None,
        **settings,
    )
    return exploration, world


def _counted(target: Target, options: Options, world: World) -> tuple[str, str]:
    """The file and the scope whose branches are to be covered."""
    file, scope = counted(target.source, target.scope, options.within)
    if file not in world.rewritten.files:
        module = options.within.partition(":")[0]
        raise BadOption(
            f"{module} is not rewritten, so its branches are not seen; add --instrument {module}"
        )
    if options.within and not world.rewritten.files[file].own(scope):
        raise TargetNotFound(f"{options.within} has no branches to cover")
    return file, scope


def _counted_code(target: Target, file: str, scope: str) -> list[ast.AST]:
    """Code outside the target's file whose branches count: the function, and what it refers to."""
    if file == str(target.source.file):
        return []
    tree = parsed(file)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    found: list[ast.AST] = [each for each in tree.body if not isinstance(each, kinds)]
    return found + [node for name, node in functions(tree) if is_within(name, scope)]


def _how_to_run(
    function: Callable[..., Any],
    arguments: Arguments,
    world: World,
    limits: Limits,
    guide: Guide,
    options: Options,
) -> tuple[Runner, type[Exploration], dict[str, Any]]:
    """Follow every call, or abstract those that lazy expansion was asked to."""
    if options.lazy is None:
        return Runner(function, arguments, world.record, world.hooks, limits), Exploration, {}
    runner = ExpandingRunner(function, arguments, world.record, world.hooks, limits)
    judge = Judge(options.lazy)
    runner.callees = Callees(world.record, judge)
    # A draw says nothing about the results of abstracted calls.
    guide.parameters |= {"draws": 0, "draws when stuck": 0}
    beyond = not options.lazy_as_published
    return (
        runner,
        LazyExploration,
        {
            "judge": judge,
            "only_returning": options.only_returning,
            "make_strategy": lambda: make_strategy(_strategy_name(options), guide),
            # Inside a callee nothing is to be covered: what is nearest is best.
            "make_callee_strategy": lambda: make_strategy(
                "bfs" if options.strategy == "auto" else options.strategy, guide
            ),
            "settings": Settings(known_paths=beyond, backjumping=beyond, whole_run_first=beyond),
        },
    )


def _strategy_name(options: Options) -> str:
    """To explore every path, the shortest first is the best there is; draws only repeat them."""
    return "bfs" if options.paths and options.strategy == "auto" else options.strategy


def callable_of(module: Any, target: Target) -> tuple[Callable[..., Any], type | None]:
    """What is called, and the class of its first argument if it is a method of objects."""
    function = find_function(module, target.called)
    if not target.is_method:
        return function, None
    owner: Any = module
    *path, name = target.called.split(".")
    for part in path:
        owner = getattr(owner, part)
    if not isinstance(owner, type):
        return function, None
    match inspect.getattr_static(owner, mangled(owner.__name__, name)):
        case staticmethod() if name != "__new__":
            return function, None
        case classmethod() | staticmethod():
            return functools.partial(function, owner), None
        case _:
            return function, owner
