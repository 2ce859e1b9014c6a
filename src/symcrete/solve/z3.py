"""z3: always there, all theories.

One solver stays alive and follows the path constraint from query to query: what the next one shares with
the last stays asserted.
"""

from __future__ import annotations

from typing import Any

from z3 import z3core

from symcrete.constraint.path import PathConstraint
from symcrete.solve.arithmetic import ArithmeticLowering
from symcrete.solve.lowering import CannotLower
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.watchdog import watchdog
from symcrete.solve.z3_functions import C, Context
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, Term
from symcrete.terms.visit import names

STEPS_PER_SECOND = 2_000_000  # of z3's resource counter, about
MOST_NODES = 300_000  # then a new context
SAT, UNSAT = 1, -1


class Incremental:
    """A z3 solver with the conditions of the last query on its stack, one scope each."""

    def __init__(self, *, seconds: float = 5.0, seed: int = 0) -> None:
        self.seconds = seconds
        self._seed = seed
        self._open()

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        if self._lowering.nodes > MOST_NODES:
            self._context.close()
            self._open()
        conditions = constraint.conditions
        try:
            narrowed = self._assert(conditions)
        except CannotLower as reason:
            return Unknown(str(reason))
        verdict = self._check()
        if verdict == SAT:
            return Sat(self._assignment(conditions, near))
        if verdict == UNSAT:
            if narrowed:
                return Unknown("no answer in the reals, which is no proof for doubles")
            return Unsat(conditions)
        return Unknown(self._reason())

    def _open(self) -> None:
        self._context = Context()
        self._lowering = ArithmeticLowering(self._context)
        ref = self._context.ref
        self._solver = z3core.Z3_mk_simple_solver(ref)
        z3core.Z3_solver_inc_ref(ref, self._solver)
        settings = z3core.Z3_mk_params(ref)
        z3core.Z3_params_inc_ref(ref, settings)
        for name, value in (
            ("rlimit", int(self.seconds * STEPS_PER_SECOND)),
            ("random_seed", self._seed),
        ):
            z3core.Z3_params_set_uint(ref, settings, z3core.Z3_mk_string_symbol(ref, name), value)
        z3core.Z3_solver_set_params(ref, self._solver, settings)
        self._stack: list[Term] = []
        self._narrowed: list[bool] = []

    def _assert(self, conditions: tuple[Term, ...]) -> bool:
        """Bring the stack to these conditions; whether any of them was narrowed."""
        stack, ref, solver = self._stack, self._context.ref, self._solver
        shared = 0
        for old, new in zip(stack, conditions, strict=False):
            if old is not new:
                break
            shared += 1
        if shared < len(stack):
            C.solver_pop(ref, solver, len(stack) - shared)
            del stack[shared:]
            del self._narrowed[shared:]
        for condition in conditions[shared:]:
            expression, narrowed = self._lowering.condition(condition)
            C.solver_push(ref, solver)
            C.solver_assert(ref, solver, expression)
            stack.append(condition)
            self._narrowed.append(narrowed)
        self._context.check_errors()
        return any(self._narrowed)

    def _check(self) -> int:
        ref = self._context.ref
        watchdog.start(self.seconds, lambda: C.interrupt(ref))
        try:
            verdict: int = C.solver_check(ref, self._solver)
        finally:
            watchdog.stop()
        return verdict

    def _reason(self) -> str:
        reason = z3core.Z3_solver_get_reason_unknown(self._context.ref, self._solver)
        if "canceled" in reason or "resource" in reason:
            return f"timeout {self.seconds:g}s"
        return f"z3: {reason}"

    def _assignment(self, conditions: tuple[Term, ...], near: Assignment) -> Assignment:
        ref = self._context.ref
        model: Any = z3core.Z3_solver_get_model(ref, self._solver)
        z3core.Z3_model_inc_ref(ref, model)
        assignment = dict(near)
        try:
            for name in sorted(set().union(*[names(condition) for condition in conditions])):
                value = self._context.value(model, name, _sort(near.get(name)))
                if value is not None:
                    assignment[name] = value
        finally:
            z3core.Z3_model_dec_ref(ref, model)
        return assignment


def _sort(value: Any) -> Sort:
    if value.__class__ is bool:
        return Sort.BOOL
    if value.__class__ is float:
        return Sort.FLOAT
    return Sort.INT
