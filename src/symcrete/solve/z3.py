"""z3: always there, all theories.

Integers are exact, doubles tried as reals; one solver follows the path from query to query.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from z3 import z3core

from symcrete.solve.arithmetic import ArithmeticLowering
from symcrete.solve.stacked import Stacked, sort_of
from symcrete.solve.watchdog import watchdog
from symcrete.solve.z3_functions import C, Context
from symcrete.terms.evaluate import Assignment

STEPS_PER_SECOND = 2_000_000  # of z3's resource counter, about


class Arithmetic(Stacked):
    """Mathematical integers and reals, the last path kept asserted."""

    def __init__(self, *, seconds: float = 5.0, seed: int = 0) -> None:
        super().__init__(seconds=seconds)
        self._seed = seed
        self._open()

    def _open(self) -> None:
        self._context = Context()
        self.lowering = ArithmeticLowering(self._context)
        ref = self._ref = self._context.ref
        self._solver = z3core.Z3_mk_simple_solver(ref)
        z3core.Z3_solver_inc_ref(ref, self._solver)
        limit = int(self.seconds * STEPS_PER_SECOND)
        set_numbers(ref, self._solver, rlimit=limit, random_seed=self._seed)

    def renew(self) -> None:
        z3core.Z3_solver_dec_ref(self._ref, self._solver)
        self._context.close()
        self._open()

    def push(self, expression: Any) -> None:
        C.solver_push(self._ref, self._solver)
        C.solver_assert(self._ref, self._solver, expression)

    def pop(self, count: int) -> None:
        C.solver_pop(self._ref, self._solver, count)

    def check(self) -> int:
        self._context.check_errors()
        # z3's own timeout costs a thread per check, 80 us; resource limit and watchdog cost none.
        watchdog.start(self.seconds, self._interrupt)
        try:
            verdict: int = C.solver_check(self._ref, self._solver)
        finally:
            watchdog.stop()
        return verdict

    def _interrupt(self) -> None:
        C.interrupt(self._ref)

    def reason(self) -> str:
        return reason_unknown(self._ref, self._solver, self.seconds)

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
        z3core.Z3_params_set_uint(ref, record, symbol, min(value, 2**32 - 1))
    z3core.Z3_solver_set_params(ref, solver, record)
    z3core.Z3_params_dec_ref(ref, record)


def reason_unknown(ref: Any, solver: Any, seconds: float) -> str:
    reason = z3core.Z3_solver_get_reason_unknown(ref, solver)
    if any(word in reason for word in ("cancel", "resource", "timeout", "interrupt")):
        return f"timeout {seconds:g}s"
    return f"z3: {reason}"
