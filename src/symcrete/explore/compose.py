"""Put the parts together for one target: the only module that names them all."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from symcrete.clock import Clock, wall
from symcrete.errors import BadOption, SymcreteError, TargetNotFound, UnsupportedInput
from symcrete.explore.attack.attack import attack
from symcrete.explore.beyond import NOTHING, Beyond, taken_on
from symcrete.explore.cover.aiming import aim_beyond_branches
from symcrete.explore.cover.aims import Aims
from symcrete.explore.cover.plan import counting
from symcrete.explore.cover.summary import failed, summarise
from symcrete.explore.earlier import history_of
from symcrete.explore.findings import Status, TargetReport
from symcrete.explore.first_inputs import first_inputs
from symcrete.explore.lazy.on_request import brought_in, in_turn, lazily
from symcrete.explore.leaves_nothing import code_as_written, leaves_nothing
from symcrete.explore.loop.enough import explored
from symcrete.explore.loop.loop import Exploration, Explored
from symcrete.explore.loop.memory import rarely_collecting
from symcrete.explore.loop.nearby_constants import constants_of, pool_for
from symcrete.explore.loop.parts import Listener, Parts
from symcrete.explore.loop.phase import Budget, Phase, limits_of
from symcrete.explore.loop.progress import Progress
from symcrete.explore.loop.random_testing import RandomTesting
from symcrete.explore.options import QUERIES_IN_A_BUDGET, Options
from symcrete.explore.proof.by_type import decided_for
from symcrete.explore.proof.closures import watch_closures
from symcrete.explore.rewritten import (
    ImportedProgram,
    as_context,
    callable_of,
    enter_mentioned,
    load_program,
)
from symcrete.explore.second_look import (
    AFTER_REFUSALS,
    SecondLook,
    has_more,
    nothing_built,
    widened,
)
from symcrete.explore.wanted import EveryBranch, OneLine, Wanted
from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.arguments import USUAL, Arguments, Guesses, arguments_of
from symcrete.inputs.strategies.given_tests import known_by_given
from symcrete.notation import Value
from symcrete.program.graph.icfg import program_graph
from symcrete.program.source.module import Source
from symcrete.program.source.sites import Outcome
from symcrete.program.source.target import Target, counted
from symcrete.run.history import History
from symcrete.run.runner import Limits, Runner
from symcrete.run.silence import silenced
from symcrete.run.situation import Situation
from symcrete.run.state import ModuleState
from symcrete.run.surroundings import Surroundings
from symcrete.run.watch_line import LineWatch
from symcrete.search import table as strategies
from symcrete.search.strategies.combine import Overheard
from symcrete.search.strategy import Guide
from symcrete.search.table import looks_at_all_branches, make_strategy
from symcrete.slotted import copied
from symcrete.solve.choose import make_solver
from symcrete.solve.count import CountQueries
from symcrete.terms import term as terms
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import Coverage
from symcrete.world.sources import every_source

if TYPE_CHECKING:
    from symcrete.explore.lazy.expansion import LazyExploration

FOR_REFUSED = 1.0  # seconds, at least, with other objects than were refused; chosen, not measured


@rarely_collecting
def cover(
    target: Target,
    options: Options,
    *,
    listener: Listener | None = None,
    starts: Sequence[Assignment] = (),
    recorded: Sequence[str] = (),
    begin: Callable[[Explored], None] = lambda exploration: None,
    imported: ImportedProgram | None = None,
    clock: Clock = wall,
    beyond: Beyond = NOTHING,
) -> TargetReport:
    """Explore one target in this process; a target that cannot be explored is a report too.

    `starts` are inputs known to be worth a run, `recorded` those that others wrote: what does not
    fit the parameters is passed over. `begin` is shown the exploration before its first run.
    `imported`: the target's module, if imported already. `beyond`: who takes on what is left open.
    """
    began = clock()
    wanted = EveryBranch(options.within, paths=options.paths)
    ready = functools.partial(
        _raced if _is_race(options) else prepare,
        target,
        wanted,
        options,
        listener=listener,
        starts=starts,
        recorded=recorded,
        began=began,
        clock=clock,
    )
    try:
        try:
            exploration, phase = ready(imported=imported)
        except UnsupportedInput:  # perhaps only the object of a method
            exploration, phase = ready(imported=imported, guesses=Guesses(blank="only"))
    except SymcreteError as error:
        return failed(target, error, clock() - began)
    begin(exploration)
    with exploration.parts.runner.situation.in_place():
        return _explored(exploration, phase, options, ready, begin, began, beyond)


def _explored(
    exploration: Any,
    phase: Phase,
    options: Options,
    ready: Callable[..., tuple[Explored, Phase]],
    begin: Callable[[Explored], None],
    began: float,
    beyond: Beyond,
) -> TargetReport:
    """Explore a prepared target and report; with more kinds of inputs if `SecondLook` asks."""
    if not options.chain:
        look = SecondLook(exploration, options, began)

        def arrived() -> bool:
            return look.due or (type(exploration) is Exploration and beyond.due(exploration, phase))

        def searched() -> Status:
            nonlocal exploration, phase
            status = explored(exploration, copied(phase, arrived=arrived), options)
            while not phase.budget.spent(exploration.progress.runs) and (more := look.wider()):
                with contextlib.suppress(SymcreteError):
                    exploration, phase = widened(exploration, phase, ready, more, begin)
                look.goes_on(exploration)
                status = explored(exploration, copied(phase, arrived=arrived), options)
            return status

        status = searched()
        for guesses in AFTER_REFUSALS:
            if not nothing_built(exploration):
                break
            with contextlib.suppress(SymcreteError):
                since = max(began, exploration.parts.clock() - options.budget + FOR_REFUSED)
                imported = exploration.parts.imported
                again, then = ready(imported=imported, guesses=guesses, began=since)
                if guesses.widely and not has_more(again, exploration):
                    continue
                exploration, phase = again, then
                begin(exploration)
                look.goes_on(exploration)
                status = searched()
        status = taken_on(exploration, phase, options, status, beyond)
        aims = Aims(options, exploration.parts.coverage)
        aim_beyond_branches(exploration, phase, options, aims)
        attack(exploration.standing if _is_race(options) else exploration, options)
        return summarise(exploration, options, status, began, aims=aims)
    chain = RandomTesting(exploration.parts)
    phase = copied(phase, strategy=Overheard(phase.strategy, chain.observe))
    status = exploration.explore(phase)
    attack(exploration, options)
    exploration.draw_on(phase)
    return replace(summarise(exploration, options, status, began), chain=chain.as_plain())


def _is_race(options: Options) -> bool:
    """Whether lazy expansion and plain search take turns: not where the user asks for all paths,
    for the Markov chain, or for lazy expansion alone.
    """
    special = options.paths or options.only_returning or options.chain or options.lazy_as_published
    return options.lazy is not None and not special and not options.lazy_alone


def _raced(
    target: Target,
    wanted: Wanted,
    options: Options,
    *,
    imported: ImportedProgram | None,
    **given: Any,
) -> tuple[Explored, Phase]:
    """Plain search and lazy expansion, ready to take turns, and their first phase."""
    given["imported"] = imported or loaded(target.source, options, at_once=True)
    plain, phase = prepare(target, wanted, replace(options, lazy=None), **given)
    assert isinstance(plain, Exploration)
    lazy, other = prepare(target, wanted, options, beside=plain, **given)
    assert not isinstance(lazy, Exploration)
    return in_turn(plain, lazy, other.strategy), phase


def prepare(
    target: Target,
    wanted: Wanted,
    options: Options,
    *,
    listener: Listener | None = None,
    starts: Sequence[Assignment] = (),
    recorded: Sequence[str] = (),
    imported: ImportedProgram | None = None,
    began: float | None = None,
    clock: Clock = wall,
    guesses: Guesses = USUAL,
    beside: Exploration | None = None,
) -> tuple[Exploration | LazyExploration, Phase]:
    """An exploration ready to start, and its first phase. Without `imported` the program is
    imported here. The budget counts from the moment `began`. `guesses`: what
    is given where the program does not tell. `beside` is another search of the same program, which
    shares its coverage and its finds.
    """
    began = clock() if began is None else began
    listener = listener or Listener()
    if imported is None:
        imported = loaded(target.source, options, at_once=isinstance(wanted, OneLine))
    function, owner = callable_of(imported.module, target)
    enter_mentioned(function)
    if isinstance(wanted, OneLine) or target.subjects:  # all paths are claimed something of
        guesses = replace(guesses, bools=True)
    arguments = _arguments(target, function, owner, imported, options, guesses)
    file, scope = _counted(target, wanted, imported)
    uncounted = frozenset[str]() if options.within else target.uncounted
    by_type = {} if options.within else decided_for(target, function, imported)
    shared = None if beside is None else beside.parts.coverage
    coverage = shared or _coverage(file, scope, imported, uncounted, by_type)
    random = Random(options.seed)
    guide = _guide(target, options, coverage, random, imported, clock)
    watch = LineWatch(wanted.file, wanted.line) if isinstance(wanted, OneLine) else None
    if options.lazy is None:
        function = as_context(imported.module, target.called, function)
    limits = limits_of(options, began)
    alone = leaves_nothing(target, function, arguments, sees_nothing=True)
    runner = _runner(
        target, function, arguments, imported, options, listener, watch, clock, limits, alone
    )
    quick, patient = _solvers(options)
    parts = Parts(
        target=target,
        imported=imported,
        runner=runner,
        arguments=arguments,
        coverage=coverage,
        pool=pool_for(target, file, scope, options.prior, vars(imported.module)),
        random=random,
        solver=quick if beside is None else beside.parts.solver,
        patient=patient if beside is None else beside.parts.patient,
        watch=watch,
        listener=listener,
        clock=clock,
        leaves_nothing=alone or leaves_nothing(target, function, arguments),
    )
    paths = isinstance(wanted, EveryBranch) and wanted.paths
    progress = Progress(
        quick,
        every=[] if paths else None,
        passed_on=functools.partial(listener.on_path, parts),
    )
    plain = Exploration(parts, progress if beside is None else beside.progress.beside())
    make = functools.partial(make_strategy, guide=guide)
    name = _strategy_name(options)
    names = vars(imported.module)
    start = read_input(options.start, arguments, names)
    phase = Phase(
        budget=Budget(began + options.budget, options.max_runs, clock, options.both_limits),
        strategy=make(name),
        first=(start, *starts, *first_inputs(target, function, arguments, names, recorded)),
        whole_tree=paths,
    )
    return (plain if options.lazy is None else lazily(plain, options, name, make)), phase


def _arguments(
    target: Target,
    function: Callable[..., Any],
    owner: type | None,
    imported: ImportedProgram,
    options: Options,
    guesses: Guesses,
) -> Arguments:
    """The parameters of the target, with the shapes of what they are given."""
    if target.subjects:
        return _arguments_of_subjects(target, imported, options, guesses)
    known = known_by_given(imported.module, target)
    return arguments_of(
        function,
        options.types,
        target.scope,
        owner=owner,
        guesses=guesses,
        known=known,
    )


def _arguments_of_subjects(
    target: Target, imported: ImportedProgram, options: Options, guesses: Guesses
) -> Arguments:
    """The parameters of a target that hands its arguments on: those of its first subject."""
    called = []
    for each in target.subjects:
        module = getattr(imported.module, each.bound)
        called.append(callable_of(module, Target(each.source, each.scope, "", each.name)))
        enter_mentioned(called[-1][0])
    (function, owner), *others = called
    made = arguments_of(
        function,
        options.types,
        target.subjects[0].scope,
        owner=owner,
        guesses=guesses,
        beside=[other for other, _ in others],
    )
    # The object of a method is an argument like all others here.
    return replace(made, has_receiver=False)


def loaded(source: Source, options: Options, *, at_once: bool) -> ImportedProgram:
    """The module of a target imported rewritten; terms of an earlier target are forgotten.

    Whoever looks for ways through several modules, or counts branches of another one, needs the
    others rewritten `at_once`; else each is rewritten when it is first entered.
    """
    terms.forget()
    at_once = at_once or bool(options.within) or brought_in(options)
    with silenced():
        imported = load_program(
            source,
            options.instrument,
            steps=options.import_steps,
            at_once=at_once,
            ordered=looks_at_all_branches(options.strategy),
        )
    watch_closures(imported)
    return imported


def bring_in() -> None:
    """Import what the usual options name, and the sources of state, before they are needed."""
    every_source()
    usual = Options()
    strategies.bring_in(usual.strategy)
    make_solver(usual.solver)


def warmed(imported: ImportedProgram, target: Target, options: Options) -> None:
    """Have ready what every target of the module needs, by looking at one of them.

    It is in caches then, which forks of this process begin with. Nothing of the program is called.
    """
    with contextlib.suppress(SymcreteError):
        function, owner = callable_of(imported.module, target)
        arguments_of(function, options.types, target.scope, owner=owner)
        _coverage(*_counted(target, EveryBranch(options.within), imported), imported)
        code_as_written(imported.source)
    constants_of(imported.source.tree())


def _coverage(
    file: str,
    scope: str,
    imported: ImportedProgram,
    uncounted: frozenset[str] = frozenset(),
    impossible: Mapping[Outcome, str] = MappingProxyType({}),
) -> Coverage:
    sites = imported.rewritten.files[file]
    own, branches = counting(sites.own(scope), sites.own_branches(scope), uncounted)
    return Coverage(
        imported.rewritten.sites,
        tuple(own),
        tuple(branches),
        scope=scope,
        file=file,
        impossible=impossible,
    )


def _guide(
    target: Target,
    options: Options,
    coverage: Coverage,
    random: Random,
    imported: ImportedProgram,
    clock: Clock,
) -> Guide:
    rewritten = imported.rewritten
    # A draw says nothing about the results of abstracted calls.
    few: dict[str, Value] = {} if options.lazy is None else {"draws": 0, "draws-when-stuck": 0}
    return Guide(
        random,
        coverage,
        options.order,
        parameters=few,
        clock=clock if options.max_runs is None else None,
        # Few strategies need it, and it takes longer than a small exploration.
        graph=functools.cache(
            lambda: program_graph(
                rewritten.files, rewritten.sites, str(target.source.file), target.scope
            )
        ),
    )


def _runner(
    target: Target,
    function: Callable[..., Any],
    arguments: Arguments,
    imported: ImportedProgram,
    options: Options,
    listener: Listener,
    watch: LineWatch | None,
    clock: Clock,
    limits: Limits,
    alone: bool,
) -> Runner:
    rewritten = imported.rewritten
    surroundings = Surroundings(rewritten.words, options.seed, rewritten.builtins)
    situation = Situation(
        rewritten.words,
        rewritten.facts,
        rewritten.reads,
        modules=imported.modules,
        # What sees its arguments alone meets none; putting them takes a quarter of a small run.
        sources=() if alone else None,
        facts_of=rewritten.facts_of,
    )
    return Runner(
        function,
        arguments,
        imported.record,
        imported.hooks,
        limits,
        beside=listener.beside,
        state=ModuleState(imported.modules()),
        surroundings=surroundings if surroundings.watched else None,
        situation=situation,
        history=_history(imported, target, options),
        watch=watch,
        clock=clock,
    )


def _history(imported: ImportedProgram, target: Target, options: Options) -> History:
    """Earlier calls that a run may begin with. There are none where every path is wanted or calls
    are abstracted, since each earlier call multiplies the paths.
    """
    if options.paths or options.lazy is not None:
        return History()
    return history_of(imported, target, options.types)


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
    quick = make(seconds=min(options.solver_seconds, options.budget / QUERIES_IN_A_BUDGET))
    return quick, lambda: make(seconds=options.budget / 2, counts=quick.counts)


def _counted(target: Target, wanted: Wanted, imported: ImportedProgram) -> tuple[str, str]:
    """The file and the scope whose branches are to be covered."""
    within = wanted.within if isinstance(wanted, EveryBranch) else ""
    file, scope = counted(target.source, target.scope, within)
    if file not in imported.rewritten.files:
        module = within.partition(":")[0]
        raise BadOption(
            f"{module} is not rewritten, so its branches are not seen; add --instrument {module}"
        )
    if within and not imported.rewritten.files[file].own(scope):
        raise TargetNotFound(f"{within} has no branches to cover")
    return file, scope


def _strategy_name(options: Options) -> str:
    """The strategy to use. Where every path is wanted and the user chose none it is breadth first,
    which takes the shortest paths first; random draws would only repeat paths.
    """
    return "bfs" if options.paths and options.strategy == "auto" else options.strategy
