"""z3: always there, all theories.

Integers are exact, doubles tried as reals; one solver follows the path from query to query.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from z3 import z3core

from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import ONLY_LINEAR, theory_of
from symcrete.solve.backends.stacked import Stacked, Workspace, sort_of
from symcrete.solve.backends.watchdog import watchdog
from symcrete.solve.backends.z3.c_library import C, Context
from symcrete.solve.lowering.numbers import ArithmeticLowering
from symcrete.solve.lowering.rounded import RoundedLowering
from symcrete.solve.per_thread import shared
from symcrete.solve.solver import QUERY_SECONDS, SAT, UNDECIDED, Answer, OutOfTime, Unknown
from symcrete.terms.evaluate import Assignment

STEPS_PER_SECOND = 2_000_000  # units that z3's resource counter is taken to count in a second


class Z3Workspace(Workspace):
    """One z3 context and the terms lowered into it."""

    def __init__(self, *, rounded: bool = False) -> None:
        super().__init__()
        self._kind = RoundedLowering if rounded else ArithmeticLowering
        self._open()

    def _open(self) -> None:
        self.context = Context()
        self.lowering: ArithmeticLowering = self._kind(self.context)

    def renew(self) -> None:
        self.context.close()
        self._open()
        self.generation += 1


class Arithmetic:
    """Mathematical integers and reals; linear integers go to z3's solver for just these."""

    def __init__(
        self,
        *,
        seconds: float = QUERY_SECONDS,
        seed: int = 0,
        incremental: bool = True,
        workspace: Z3Workspace | None = None,
    ) -> None:
        self.workspace = workspace or shared("z3", Z3Workspace)
        settings = {"seconds": seconds, "seed": seed, "incremental": incremental}
        self._linear = Stack(self.workspace, logic="QF_LIA", **settings)
        self._general = Stack(self.workspace, logic="", **settings)

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        if theory_of(constraint) == ONLY_LINEAR:
            return self._linear.solve(constraint, near)
        return self._general.solve(constraint, near)


class RoundedReals(Arithmetic):
    """Doubles as reals that may be off by a rounding: for proofs that there is no answer."""

    def __init__(
        self,
        *,
        seconds: float = QUERY_SECONDS,
        seed: int = 0,
        incremental: bool = True,
        workspace: Z3Workspace | None = None,
    ) -> None:
        super().__init__(
            seconds=seconds,
            seed=seed,
            incremental=incremental,
            workspace=workspace or shared("z3 rounded", lambda: Z3Workspace(rounded=True)),
        )


class Stack(Stacked):
    """One z3 solver. Its scopes are dear: opening one makes it work through what is pending."""

    dear_scopes = True
    workspace: Z3Workspace

    def __init__(
        self, workspace: Z3Workspace, *, logic: str, seconds: Any, seed: Any, incremental: Any
    ) -> None:
        self._logic = logic
        self._seed = seed
        super().__init__(workspace, seconds=seconds, incremental=incremental)

    def open(self) -> None:
        self._context = self.workspace.context
        ref = self._ref = self._context.ref
        if self._logic:
            symbol = z3core.Z3_mk_string_symbol(ref, self._logic)
            self._solver = z3core.Z3_mk_solver_for_logic(ref, symbol)
        else:
            self._solver = z3core.Z3_mk_simple_solver(ref)
        z3core.Z3_solver_inc_ref(ref, self._solver)
        limit = int(self.seconds * STEPS_PER_SECOND)
        set_numbers(ref, self._solver, rlimit=limit, random_seed=self._seed)

    def push(self, expressions: list[Any]) -> bool:
        C.solver_push(self._ref, self._solver)
        for expression in expressions:
            C.solver_assert(self._ref, self._solver, expression)
        return True

    def pop(self, count: int) -> None:
        C.solver_pop(self._ref, self._solver, count)

    def check(self) -> int:
        self._context.check_errors()
        # z3's own timeout costs a thread per check, 80 us; resource limit and watchdog cost none.
        watchdog.start(self.seconds, self._interrupt)
        try:
            verdict: int = C.solver_check(self._ref, self._solver)
        finally:
            interrupted = watchdog.stop()
        # An interrupt in the last moment leaves the verdict but no model.
        return UNDECIDED if interrupted and verdict == SAT else verdict

    def _interrupt(self) -> None:
        C.interrupt(self._ref)

    def undecided(self) -> Unknown:
        return undecided_by(self._ref, self._solver, self.seconds)

    def read(self, asked: Iterable[str], assignment: Assignment) -> None:
        model: Any = z3core.Z3_solver_get_model(self._ref, self._solver)
        z3core.Z3_model_inc_ref(self._ref, model)
        try:
            for name in asked:
                value = self._context.value(model, name, sort_of(assignment.get(name)))
                if value is not None:
                    assignment[name] = value
        finally:
            z3core.Z3_model_dec_ref(self._ref, model)


def set_numbers(ref: Any, solver: Any, **settings: int) -> None:
    """Set numeric parameters of a solver."""
    record = z3core.Z3_mk_params(ref)
    z3core.Z3_params_inc_ref(ref, record)
    for name, value in settings.items():
        symbol = z3core.Z3_mk_string_symbol(ref, name)
        z3core.Z3_params_set_uint(ref, record, symbol, min(value, 2**32 - 1))  # unsigned
    z3core.Z3_solver_set_params(ref, solver, record)
    z3core.Z3_params_dec_ref(ref, record)


def undecided_by(ref: Any, solver: Any, seconds: float) -> Unknown:
    """Why z3 gave no verdict, in the user's words."""
    reason = z3core.Z3_solver_get_reason_unknown(ref, solver)
    if any(word in reason for word in ("cancel", "resource", "timeout", "interrupt")):
        return OutOfTime.after(seconds)
    return Unknown(f"z3: {reason}")
