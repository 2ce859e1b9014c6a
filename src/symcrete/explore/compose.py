"""Put the parts together for one target: the only module that names them all."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.errors import BadOption, SymcreteError, TargetNotFound
from symcrete.explore.attack.attack import attack
from symcrete.explore.cover.summary import summarise
from symcrete.explore.findings import TargetReport
from symcrete.explore.lazy.expansion import Lazily, LazyExploration
from symcrete.explore.lazy.realise import Settings
from symcrete.explore.loop.loop import Exploration, Explored
from symcrete.explore.loop.parts import Listener, Parts
from symcrete.explore.loop.phase import Budget, Phase
from symcrete.explore.loop.progress import Progress
from symcrete.explore.loop.random_testing import RandomTesting
from symcrete.explore.options import Options
from symcrete.explore.proof.closures import watch_closures
from symcrete.explore.rewritten import World, find_function
from symcrete.explore.wanted import EveryBranch, OneLine, Wanted
from symcrete.inputs.draw.sampling import mine
from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.program.graph.icfg import program_graph
from symcrete.program.source.mangling import mangled
from symcrete.program.source.module import Source, parsed
from symcrete.program.source.sites import functions, is_within
from symcrete.program.source.target import Target, counted
from symcrete.run.callees.callees import Callees
from symcrete.run.callees.expanding import ExpandingRunner
from symcrete.run.callees.judge import Judge
from symcrete.run.runner import Limits, Runner, silenced
from symcrete.run.state import ModuleState
from symcrete.run.surroundings import Surroundings
from symcrete.run.watch_line import LineWatch
from symcrete.search.strategies.combine import Overheard
from symcrete.search.strategy import Guide
from symcrete.search.table import make_strategy
from symcrete.solve.choose import make_solver
from symcrete.solve.count import CountQueries
from symcrete.terms import term as terms
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import Coverage


def cover(
    target: Target,
    options: Options,
    *,
    listener: Listener | None = None,
    starts: Sequence[Assignment] = (),
    begin: Callable[[Explored], None] = lambda exploration: None,
    clock: Clock = wall,
) -> TargetReport:
    """Explore one target in this process; a target that cannot be explored is a report too.

    `starts` are inputs known to be worth a run. `begin` is shown the exploration before its first
    run.
    """
    began = clock()
    try:
        wanted = EveryBranch(options.within, paths=options.paths)
        exploration, phase = prepare(
            target, wanted, options, listener=listener, starts=starts, began=began, clock=clock
        )
    except SymcreteError as error:
        return TargetReport(
            target.label,
            "failed",
            error=str(error),
            exit_code=error.exit_code,
            file=str(target.source.file),
            module=target.source.module,
            root=str(target.source.root),
            scope=target.scope,
            seconds=clock() - began,
        )
    begin(exploration)
    if not options.chain:
        status = exploration.explore(phase)
        attack(exploration, options)
        return summarise(exploration, options, status, began)
    chain = RandomTesting(exploration.parts)
    phase = replace(phase, strategy=Overheard(phase.strategy, chain.observe))
    status = exploration.explore(phase)
    attack(exploration, options)
    exploration.draw_on(phase)
    report = summarise(exploration, options, status, began)
    return replace(report, chain=chain.as_plain())


def prepare(
    target: Target,
    wanted: Wanted,
    options: Options,
    *,
    listener: Listener | None = None,
    starts: Sequence[Assignment] = (),
    world: World | None = None,
    began: float | None = None,
    clock: Clock = wall,
) -> tuple[Exploration | LazyExploration, Phase]:
    """An exploration ready to start, and its first phase; in a world that is there already, or in
    one of its own. The budget counts from the moment `began`.
    """
    began = clock() if began is None else began
    listener = listener or Listener()
    if world is None:
        world = loaded(target.source, options)
    watch_closures(world)
    function, owner = callable_of(world.module, target)
    arguments = arguments_of(function, options.types, target.scope, owner=owner)
    file, scope = _counted(target, wanted, world)
    coverage = _coverage(file, scope, world)
    random = Random(options.seed)
    guide = _guide(target, options, coverage, random, world)
    watch = LineWatch(wanted.file, wanted.line) if isinstance(wanted, OneLine) else None
    runner = _runner(function, arguments, world, options, listener, watch, clock)
    quick, patient = _solvers(options)
    parts = Parts(
        target=target,
        world=world,
        runner=runner,
        arguments=arguments,
        coverage=coverage,
        pool=mine([target.source.tree(), *_counted_code(target, file, scope)]),
        random=random,
        solver=quick,
        patient=patient,
        watch=watch,
        listener=listener,
        clock=clock,
    )
    paths = isinstance(wanted, EveryBranch) and wanted.paths
    progress = Progress(
        quick,
        every=[] if paths else None,
        passed_on=functools.partial(listener.on_path, parts),
    )
    exploration = Exploration(parts, progress)
    lazily = _lazily(parts, guide, options) if options.lazy is not None else None
    start = read_input(options.start, arguments, vars(world.module))
    phase = Phase(
        budget=Budget(began + options.budget, options.max_runs, clock),
        strategy=make_strategy(_strategy_name(options), guide),
        first=(start, *starts),
        whole_tree=paths,
    )
    return (exploration if lazily is None else LazyExploration(exploration, lazily)), phase


def loaded(source: Source, options: Options) -> World:
    """The module of a target imported rewritten; terms of an earlier target are forgotten."""
    terms.forget()
    world = World(source, options.instrument, steps=options.import_steps)
    with silenced():
        world.load()
    return world


def _coverage(file: str, scope: str, world: World) -> Coverage:
    sites = world.rewritten.files[file]
    return Coverage(
        world.rewritten.sites,
        tuple(sites.own(scope)),
        tuple(sites.own_branches(scope)),
        scope=scope,
        file=file,
    )


def _guide(
    target: Target, options: Options, coverage: Coverage, random: Random, world: World
) -> Guide:
    rewritten = world.rewritten
    # A draw says nothing about the results of abstracted calls.
    few: dict[str, float] = {} if options.lazy is None else {"draws": 0, "draws when stuck": 0}
    return Guide(
        random,
        coverage,
        options.order,
        parameters=few,
        # Few strategies need it, and it takes longer than a small exploration.
        graph=functools.cache(
            lambda: program_graph(
                rewritten.files, rewritten.sites, str(target.source.file), target.scope
            )
        ),
    )


def _runner(
    function: Callable[..., Any],
    arguments: Arguments,
    world: World,
    options: Options,
    listener: Listener,
    watch: LineWatch | None,
    clock: Clock,
) -> Runner:
    words, own = world.rewritten.words, world.rewritten.builtins
    surroundings = Surroundings(words, options.seed, own)
    return Runner(
        function,
        arguments,
        world.record,
        world.hooks,
        Limits(options.run_steps, options.run_seconds, options.plain_steps, options.plain_seconds),
        beside=listener.beside,
        state=ModuleState(world.modules()),
        surroundings=surroundings if surroundings.watched else None,
        watch=watch,
        clock=clock,
    )


def _solvers(options: Options) -> tuple[CountQueries, Callable[[], CountQueries]]:
    """A solver that gives each query a little time, and how to make one that gives it more."""
    make = functools.partial(
        make_solver,
        options.solver,
        ippc=options.ippc,
        seed=options.seed,
        cache=options.cache,
        slicing=options.slicing,
        incremental=options.incremental,
    )
    quick = make(seconds=min(options.solver_seconds, options.budget / 4))
    return quick, lambda: make(seconds=options.budget / 2, counts=quick.counts)


def _lazily(parts: Parts, guide: Guide, options: Options) -> Lazily:
    """Which calls are abstracted, and how abstract paths are realised."""
    assert options.lazy is not None
    judge = Judge(options.lazy)
    callees = Callees(parts.world.record, judge)
    beyond = not options.lazy_as_published
    return Lazily(
        runner=ExpandingRunner(parts.runner, callees, parts.watch),
        judge=judge,
        make_strategy=lambda: make_strategy(_strategy_name(options), guide),
        # Inside a callee nothing is to be covered: what is nearest is best.
        make_callee_strategy=lambda: make_strategy(
            "bfs" if options.strategy == "auto" else options.strategy, guide
        ),
        settings=Settings(known_paths=beyond, backjumping=beyond, whole_run_first=beyond),
        only_returning=options.only_returning,
    )


def _counted(target: Target, wanted: Wanted, world: World) -> tuple[str, str]:
    """The file and the scope whose branches are to be covered."""
    within = wanted.within if isinstance(wanted, EveryBranch) else ""
    file, scope = counted(target.source, target.scope, within)
    if file not in world.rewritten.files:
        module = within.partition(":")[0]
        raise BadOption(
            f"{module} is not rewritten, so its branches are not seen; add --instrument {module}"
        )
    if within and not world.rewritten.files[file].own(scope):
        raise TargetNotFound(f"{within} has no branches to cover")
    return file, scope


def _counted_code(target: Target, file: str, scope: str) -> list[ast.AST]:
    """Code outside the target's file whose branches count: the function, and what it refers to."""
    if file == str(target.source.file):
        return []
    tree = parsed(file)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    found: list[ast.AST] = [each for each in tree.body if not isinstance(each, kinds)]
    return found + [node for name, node in functions(tree) if is_within(name, scope)]


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
