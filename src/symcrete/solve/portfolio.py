"""Which backend for which constraint: by theory, in a fixed order, until one decides.

Integers go to Yices where it is installed, else to z3; what is left undecided is tried with bounded
bit-vectors, doubles first as reals and then exactly, functions nobody knows by their run-time
values, and last by the concolic walk. "Unsat" is passed on only from a backend that did not narrow
anything.
"""

from __future__ import annotations

import functools
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.constraint.path import PathConstraint, unknowns
from symcrete.constraint.theory import (
    BITS,
    CROWD,
    FLOAT,
    ONLY_LINEAR,
    OPAQUE,
    PRODUCT,
    ROUNDING,
    theory,
    theory_of,
)
from symcrete.slotted import dataclass
from symcrete.solve.per_thread import shared
from symcrete.solve.solver import Answer, OutOfTime, Sat, Solver, Unknown
from symcrete.solve.solvers import SOLVERS, Backend
from symcrete.solve.wrappers.apart import NEVER_BACK, Apart, Elsewhere
from symcrete.solve.wrappers.hopes import BEYOND, Hopeful, hopes_of
from symcrete.solve.wrappers.opaque_ranges import WithRanges
from symcrete.solve.wrappers.run_time_values import Concretise
from symcrete.terms.evaluate import Assignment, all_hold


@dataclass(frozen=True, slots=True)
class Step:
    """Backends by name, of which the first that is installed is asked, and its share of a query's
    time.
    """

    names: tuple[str, ...]
    share: float  # the part of a query's time limit

    @property
    def backend(self) -> Backend:
        """The row of the first that is installed; of the last if none is."""
        return SOLVERS[self.name]

    @property
    def name(self) -> str:
        """The first name that is installed; the last if none is."""
        return next((name for name in self.names if SOLVERS[name].installed), self.names[-1])


def _ask(*names: str, share: float) -> Step:
    return Step(names, share)


# The steps for each kind of constraint, one after the other until one decides. Measured on the
# corpus of the contract test (`benchmarks/solvers.py`): who decides most, soonest.
PLANS: dict[str, tuple[Step, ...]] = {
    "linear": (_ask("yices", share=1.0), _ask("z3-arithmetic", share=1.0)),
    # Yices is as fast on most, but may take hundreds of times as long as z3, and ends late when it
    # is stopped.
    "products": (
        _ask("z3-arithmetic", share=0.05),
        _ask("yices", share=0.003),
        _ask("yices-bits", "z3-bits", share=0.3),
        _ask("z3-arithmetic", share=0.3),
        _ask("walk", share=0.25),
    ),
    "bits": (
        _ask("yices", share=0.05),
        _ask("yices-bits", "z3-bits", share=0.6),
        _ask("z3-arithmetic", share=0.05),
        _ask("walk", share=0.25),
    ),
    "floats": (
        _ask("yices", "z3-arithmetic", share=0.02),
        _ask("yices-rounded", "z3-rounded", share=0.03),
        _ask("bitwuzla", share=0.7),
        _ask("walk", share=0.25),
    ),
    "floats without Yices": (
        _ask("z3-arithmetic", share=0.02),
        _ask("z3-rounded", share=0.03),
        _ask("bitwuzla", share=0.7),
        _ask("walk", share=0.25),
    ),
    # Texts of numbers come here, too, for which z3 knows more than bitwuzla.
    "mixed": (
        _ask("z3-arithmetic", share=0.03),
        _ask("z3-rounded", share=0.03),
        _ask("bitwuzla", share=0.4),
        _ask("z3-arithmetic", share=0.3),
        _ask("walk", share=0.25),
    ),
}
# For constraints with functions that only evaluation knows: a short walk, and a long one.
GLANCE, WALK = _ask("walk", share=0.03), _ask("walk", share=0.25)


class Backends:
    """Backends made when first used; those of one name share what they lowered."""

    def __init__(
        self, *, seconds: float, seed: int, incremental: bool = True, clock: Clock = wall
    ) -> None:
        self._settings = {"seed": seed, "incremental": incremental, "clock": clock}
        self.seconds = seconds
        self.clock = clock
        self._workspaces: dict[str, Any] = {}
        self._missing: set[str] = set()
        self._elsewhere = shared("elsewhere", Elsewhere)

    def make(self, name: str, seconds: float) -> Solver | None:
        """A backend with a time limit for one query; None if it is not installed."""
        row = SOLVERS[name]
        if name in self._missing or not row.installed:
            return None
        try:
            row.kind()
            if row.apart:
                make = functools.partial(self._made, name, seconds)
                return Apart(make, self._elsewhere, seconds)
            return self._made(name, seconds)
        except ImportError:
            self._missing.add(name)
            return None

    def _made(self, name: str, seconds: float) -> Solver:
        known = {"workspace": self._workspaces[name]} if name in self._workspaces else {}
        made: Solver = SOLVERS[name].make({**self._settings, "seconds": seconds, **known})
        # What is asked in threads of its own takes the workspace of its thread.
        if hasattr(made, "workspace") and not SOLVERS[name].apart:
            self._workspaces[name] = made.workspace
        return made


def auto(
    *,
    seconds: float,
    seed: int,
    incremental: bool,
    clock: Clock = wall,
    workspace: Backends | None = None,
) -> Auto:
    """The portfolio; a second one may share the backends of the first, as its workspace."""
    return Auto(
        workspace or Backends(seconds=seconds, seed=seed, incremental=incremental, clock=clock)
    )


class _Asked:
    """A step in one portfolio, whose backend is made when a query first comes to it."""

    __slots__ = ("_backends", "_is_made", "_solver", "_step", "evaluates", "theories")

    def __init__(self, step: Step, backends: Backends, theories: int | None = None) -> None:
        self._step = step
        self._backends = backends
        self._solver: Solver | None = None
        self._is_made = False
        self.evaluates = step.backend.evaluates
        self.theories = theories  # the theories it is asked for; None: all that come to it

    def solver(self) -> Solver | None:
        """The solver of this step, made when it is first asked for; None if it is not installed."""
        if not self._is_made:
            seconds = self._backends.seconds * self._step.share
            made = self._backends.make(self._step.name, seconds)
            # What evaluates terms needs no models of them.
            self._solver = Hopeful(made) if made is not None and not self.evaluates else made
            self._is_made = True
        return self._solver


class Auto:
    """The portfolio as a solver: it takes the steps for the constraint's theory until one
    decides.
    """

    def __init__(self, backends: Backends) -> None:
        self.workspace = backends
        self._asked: dict[Step, _Asked] = {}
        self._plans: dict[str, list[_Asked]] = {}

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        found = theory_of(constraint)
        if found == ONLY_LINEAR:
            return self._along("linear", constraint, near)
        if found & OPAQUE:
            return self._with_functions(constraint, near, found)
        return self._along(_kind(found, constraint), constraint, near)

    def _with_functions(self, constraint: PathConstraint, near: Assignment, found: int) -> Answer:
        """The answer to a constraint that holds functions which only evaluation knows.

        A short walk comes first and mostly suffices; then the functions are replaced by the
        values they had in the run (before the walk, if what is left then is linear); a long walk
        is last.
        """
        # The walk is of no use for texts, where models say much; but models do not help with a goal
        # that holds an opaque function.
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
        walk = self._step(step).solver()
        if walk is None:
            return None
        answer = walk.solve(constraint, near)
        return None if isinstance(answer, Unknown) else answer

    def _along(
        self, kind: str, constraint: PathConstraint, near: Assignment, *, walk: bool = True
    ) -> Answer:
        """The answer of the first step of a plan that decides, else Unknown; without `walk` the
        steps that only evaluate are left out.
        """
        clock = self.workspace.clock
        deadline = clock() + self.workspace.seconds
        undecided = Unknown("no solver for it is installed")
        for asked in self._plan(kind):
            if asked.evaluates and not walk:
                continue
            if asked.theories is not None and theory_of(constraint) & ~asked.theories:
                continue
            solver = asked.solver()
            if solver is None:
                continue
            answer = solver.solve(constraint, near)
            if isinstance(answer, Sat):
                if all_hold(constraint.conditions, answer.assignment):
                    return answer
                undecided = Unknown("answers that evaluation refutes")
                if hopes_of(constraint):
                    break  # the models are wrong, for every backend
            elif isinstance(answer, Unknown):
                undecided = answer
                if answer.reason in (
                    BEYOND,
                    NEVER_BACK,
                ):  # the models end here for every backend, or a lost call has used the time
                    break
            else:
                return answer
            if clock() > deadline:
                return OutOfTime.after(self.workspace.seconds)
        return undecided

    def _plan(self, kind: str) -> list[_Asked]:
        """The steps for a kind of constraint, then the backends whose rows have a share of their
        own.
        """
        found = self._plans.get(kind)
        if found is None:
            found = [self._step(step) for step in PLANS[kind]]
            for name, row in SOLVERS.items():
                if row.share:
                    step = Step((name,), row.share)
                    found.append(_Asked(step, self.workspace, row.theories))
            self._plans[kind] = found
        return found

    def _step(self, step: Step) -> _Asked:
        if step not in self._asked:
            self._asked[step] = _Asked(step, self.workspace)
        return self._asked[step]


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
