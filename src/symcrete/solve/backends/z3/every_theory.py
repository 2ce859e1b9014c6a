"""z3 alone, for every theory: arithmetic first, then bit-vectors and exact doubles."""

from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import ONLY_LINEAR, OPAQUE, theory_of
from symcrete.solve.backends.z3.backend import Arithmetic, Z3Workspace
from symcrete.solve.backends.z3.bit_vectors import BitVectors
from symcrete.solve.solver import QUERY_SECONDS, Answer, Sat, Unknown
from symcrete.solve.wrappers.run_time_values import Concretise
from symcrete.terms.evaluate import Assignment, all_hold

QUICK_PART = 10  # a first try by arithmetic gets a tenth of the time; chosen, not measured


class Z3:
    """The baseline that is always installed."""

    def __init__(
        self,
        *,
        seconds: float = QUERY_SECONDS,
        seed: int = 0,
        incremental: bool = True,
        workspace: Z3Workspace | None = None,
    ) -> None:
        self._arithmetic = Arithmetic(
            seconds=seconds, seed=seed, incremental=incremental, workspace=workspace
        )
        self.workspace = self._arithmetic.workspace
        self._quick = Arithmetic(
            seconds=seconds / QUICK_PART,
            seed=seed,
            incremental=incremental,
            workspace=self.workspace,
        )
        self._bits = BitVectors(seconds=seconds / 2, seed=seed)
        self._concretise = Concretise(_WithoutFunctions(self))

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        found = theory_of(constraint)
        if found == ONLY_LINEAR:
            return self._arithmetic.solve(constraint, near)
        if found & OPAQUE:
            return self._concretise.solve(constraint, near)
        return self.without_functions(constraint, near)

    def without_functions(self, constraint: PathConstraint, near: Assignment) -> Answer:
        """The answer to a constraint without opaque functions: by a quick try, bit-vectors, then
        arithmetic in full.
        """
        answer: Answer = Unknown("")
        for backend in (self._quick, self._bits, self._arithmetic):
            answer = backend.solve(constraint, near)
            if isinstance(answer, Sat):
                if all_hold(constraint.conditions, answer.assignment):
                    return answer
                answer = Unknown("answers that evaluation refutes")
            elif not isinstance(answer, Unknown):
                return answer
        return answer


class _WithoutFunctions:
    """The solver without opaque functions, for `Concretise`, which replaces them first."""

    def __init__(self, solver: Z3) -> None:
        self._solver = solver

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        return self._solver.without_functions(constraint, near)
