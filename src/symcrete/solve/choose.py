"""Which solvers there are, and the whole stack of them behind one `solve`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symcrete.errors import BadOption
from symcrete.solve.cache import Cache
from symcrete.solve.count import CountCalls, CountQueries, Counts
from symcrete.solve.hopes import Hopeful
from symcrete.solve.nearby import Nearby
from symcrete.solve.slice import Slice
from symcrete.solve.solver import Solver
from symcrete.solve.validate import Validate

# name: (where it is, what it is); nothing is imported before it is used
SOLVERS: dict[str, tuple[str, str]] = {
    "auto": ("symcrete.solve.choose:make_solver", "the cheapest that can answer, query by query"),
    "z3": ("symcrete.solve.z3:Arithmetic", "all theories; always there"),
    "yices": ("symcrete.solve.yices:Yices", "the fastest on linear integers; an optional extra"),
}


def make_solver(
    name: str = "auto",
    *,
    ippc: str = "on",
    seconds: float = 5.0,
    seed: int = 0,
    cache: bool = True,
    slicing: bool = True,
    log: Any = None,
) -> CountQueries:
    """The stack for one run: `.solve(constraint, near)`, and what it took in `.counts`.

    `ippc` is "on", "paper" (Algorithm 2 as printed) or "off"; `seconds` bounds one query.
    """
    if name not in SOLVERS:
        raise BadOption(f"no solver {name!r}; there are {', '.join(SOLVERS)}")
    counts = Counts()
    backend = _load("yices" if name == "auto" else name)(seconds=seconds, seed=seed)
    solver: Solver = CountCalls(Validate(Hopeful(backend), counts), counts)
    if name == "auto":
        solver = Nearby(solver, counts)
    if cache:
        solver = Cache(solver, counts)
    if slicing:
        solver = Slice(solver)
    return CountQueries(solver, counts)


def _load(name: str) -> Any:
    module, _, attribute = SOLVERS[name][0].partition(":")
    return getattr(import_module(module), attribute)
