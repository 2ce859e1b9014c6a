"""Independence slicing: solve only for the variables the goal depends on, keep the rest of the
input.

What is kept is known to hold: the run the constraint came from satisfied it, which is checked once
for a run by evaluation, not believed. Without slicing the whole constraint is solved, and the rest
of the input is kept all the same: which path follows must not hang on values that a solver happens
to give to variables nobody asked about.
"""

from __future__ import annotations

from symcrete.constraint.dependence import Dependence
from symcrete.constraint.path import PathConstraint, unknowns
from symcrete.solve.solver import Answer, Sat, Solver, Unsat
from symcrete.solve.wrappers.cores import Cores
from symcrete.terms.evaluate import Assignment, evaluator
from symcrete.terms.term import Term


class Slice:
    """A solver that hands on the part of a constraint that shares variables with its goal, or the
    whole of it, and changes the variables of that part only.
    """

    def __init__(
        self,
        inner: Solver,
        *,
        whole: bool = False,
        tightest: bool = False,
        cores: Cores | None = None,
    ) -> None:
        self.inner = inner
        self._whole = whole
        self._cores = cores  # known cores are looked for before anything else
        self._dependence = Dependence(tightest=tightest)
        self._near: Assignment = {}
        # how many conditions at the start of the indexed path are known to hold under `_near`
        self._holding = 0

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        prefix, goal = constraint.prefix, constraint.goal
        count = len(prefix)
        dependence = self._dependence
        unchanged = dependence.follow(prefix)
        if self._cores is not None:
            place_of = dependence.place_of
            core = self._cores.refuting(goal, lambda condition: place_of(condition) < count)
            if core is not None:
                return Unsat(core)
        if near is not self._near:
            self._near = near
            self._holding = 0
        elif self._holding > unchanged:
            self._holding = unchanged
        path = dependence.path
        places, others = dependence.connected(goal, count)
        if len(places) == count:
            return self.inner.solve(constraint, near)
        if others and self._holding < count and not self._prefix_holds(path, count, near):
            return self.inner.solve(constraint, near)
        conditions = tuple([path[place] for place in places])
        part = PathConstraint(conditions, goal, constraint.origin)
        if not self._whole:
            return self.inner.solve(part, near)
        answer = self.inner.solve(constraint, near)
        return _restricted(answer, unknowns(part), near) if isinstance(answer, Sat) else answer

    def _prefix_holds(self, path: list[Term], count: int, near: Assignment) -> bool:
        place = self._holding
        try:
            for term in path[place:count]:
                if not (term.evaluator or evaluator(term))(near):
                    return False
                place += 1
        except (ArithmeticError, ValueError, TypeError, LookupError):
            return False
        finally:
            self._holding = place
        return True


def _restricted(answer: Sat, changed: set[str], near: Assignment) -> Sat:
    found = answer.assignment
    kept = {name: value for name, value in near.items() if name not in changed}
    return Sat({**found, **kept})
