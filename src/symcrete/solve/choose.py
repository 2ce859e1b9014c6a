"""The whole stack of solvers behind one `solve`."""

from __future__ import annotations

import functools
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.errors import BadOption
from symcrete.notation import Value, nearest, read, split
from symcrete.solve.count import CountCalls, CountQueries, Counts
from symcrete.solve.direct.few_values import FewValues
from symcrete.solve.direct.one_change import Nearby
from symcrete.solve.log import Log, QueryLog
from symcrete.solve.per_thread import shared
from symcrete.solve.portfolio import PLANS
from symcrete.solve.solver import QUERY_SECONDS, Solver
from symcrete.solve.solvers import OF_EVERY_SOLVER, Backend, named
from symcrete.solve.wrappers.apart import Apart, Elsewhere
from symcrete.solve.wrappers.cache import Cache
from symcrete.solve.wrappers.cores import Cores
from symcrete.solve.wrappers.hopes import Hopeful
from symcrete.solve.wrappers.partial import Paper, Partial
from symcrete.solve.wrappers.slice import Slice
from symcrete.solve.wrappers.validate import Validate

IPPC = ("on", "paper", "off")


def make_solver(
    asked: str = "auto",
    *,
    ippc: str = "on",
    seconds: float = QUERY_SECONDS,
    seed: int = 0,
    cache: bool = True,
    slicing: bool = True,
    cores: bool = True,
    log: QueryLog | None = None,
    incremental: bool = True,
    counts: Counts | None = None,
    clock: Clock = wall,
) -> CountQueries:
    """The stack for one run: `.solve(constraint, near)`, and what it took in `.counts`.

    `asked` is a name, or a name with parameters (`z3:slicing=no`), which win over the others here.
    `ippc` is "on", "paper" (Algorithm 2 as printed) or "off"; `seconds` bounds one call of a
    backend; without `incremental` nothing stays asserted from one query to the next; `counts` are
    those of an earlier stack, to be added to; limits and counts go by the seconds of `clock`.
    """
    if ippc not in IPPC:
        raise BadOption(f"no IPPC {ippc!r}; there are {', '.join(IPPC)}")
    counts = counts or Counts()
    name, given = check_solver(asked)
    row = named()[name]
    slicing, cache = bool(given.get("slicing", slicing)), bool(given.get("cache", cache))
    cores = bool(given.get("cores", cores))
    settings: dict[str, Any] = {"seconds": seconds, "seed": seed, "clock": clock}
    backends = _pair(row, name, settings | {"incremental": incremental} | given)
    if name == "auto" and ippc != "on":
        # Closed forms belong to the solver that the paper's algorithm asks, and are counted there.
        backends = [Nearby(backend, Counts()) for backend in backends]
    whole, parts = [_guarded(backend, counts, log, clock) for backend in backends]
    solver: Solver = whole
    if ippc == "paper":
        solver = Paper(parts, whole)
    elif ippc == "on":
        solver = Partial(whole, parts, fast=_is_quick(name, row))
    if name == "auto" and ippc == "on":
        solver = FewValues(solver, counts, clock)
    known = Cores(counts, keeps=cores) if cache and slicing else None
    if cache:
        solver = Cache(solver, counts, cores=known, keeps_cores=cores)
    # The paper counts every condition of a path, also those that follow from others.
    solver = Slice(solver, whole=not slicing, tightest=slicing and ippc == "on", cores=known)
    if name == "auto" and ippc == "on":
        # First of all: to try a value costs less than to find the conditions to be solved.
        solver = Nearby(solver, counts)
    return CountQueries(solver, counts)


def check_solver(asked: str) -> tuple[str, dict[str, Value]]:
    """The name that a user asked for and the values of its parameters; nothing is made."""
    name, given = split(asked)
    row = named().get(name)
    if row is None:
        raise BadOption(f"no solver {name!r}; {nearest(name, named())}")
    return name, read(given, (*row.parameters, *OF_EVERY_SOLVER), f"solver {name}")


def _pair(row: Backend, name: str, settings: dict[str, Any]) -> list[Solver]:
    """Two solvers, one for whole constraints and one for parts of them; they share a workspace
    where their kind has one.
    """
    try:
        row.kind()
        if row.apart:
            make, elsewhere = functools.partial(row.make, settings), shared("elsewhere", Elsewhere)
            return [Hopeful(Apart(make, elsewhere, settings["seconds"])) for _ in range(2)]
        first = row.make(settings)
    except ImportError as error:
        raise BadOption(f"the solver {name!r} is not installed: {error}") from error
    workspace = getattr(first, "workspace", None)
    second = row.make(settings | ({"workspace": workspace} if workspace else {}))
    return [first, second] if name == "auto" else [Hopeful(first), Hopeful(second)]


def _guarded(backend: Solver, counts: Counts, log: QueryLog | None, clock: Clock) -> Solver:
    """The backend with its answers evaluated, its crashes caught, its calls counted and written
    down.
    """
    solver: Solver = CountCalls(Validate(backend, counts), counts, clock)
    return Log(solver, log) if log is not None else solver


def _is_quick(name: str, row: Backend) -> bool:
    """Whether a call on linear integers costs tens of microseconds rather than hundreds."""
    if name != "auto":
        return row.is_quick
    first = next(step for step in PLANS["linear"] if step.backend.installed)
    return first.backend.is_quick
