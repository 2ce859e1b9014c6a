"""Incremental partial path constraints: solve the negated condition, add only what an answer
breaks.

A part of the path that is unsatisfiable proves the whole unsatisfiable (Koroglu and Sen, 2016).
`Paper` is their Algorithm 2; `Partial` starts from the conditions that mattered at this branch
before, adds several broken ones at once, and asks for the whole where parts have not been paying.
"""

from __future__ import annotations

from symcrete.constraint.cost import cost
from symcrete.constraint.dependence import first_difference
from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import ONLY_LINEAR, theory_of
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.solve.wrappers.mattered import Mattered
from symcrete.terms.evaluate import Assignment, evaluator, first_broken, holds
from symcrete.terms.term import Term


class Paper:
    """IPPC_Solve line by line, with a loop for the recursion."""

    def __init__(self, inner: Solver, whole: Solver) -> None:
        self.inner = inner
        # asked where the solver leaves a part undecided, which the paper's never does
        self.whole = whole

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        learned: list[Term] = []
        goal = constraint.goal
        while True:
            answer = self.inner.solve(PathConstraint(tuple(learned), goal), near)
            if not isinstance(answer, Sat):
                if isinstance(answer, Unknown) and len(learned) < len(constraint.prefix):
                    return self.whole.solve(constraint, near)
                return answer
            broken = first_broken(constraint.prefix, answer.assignment)
            if broken is None:
                return answer
            learned.append(broken)


MOST_PARTS = 8  # calls for parts of one constraint; then the whole is asked for
AT_ONCE = 8  # broken conditions added after the first part, twice as many after each further one
FEW_CONDITIONS = 4  # conditions; a constraint of so few is asked for as a whole
MEMORY = 0.9  # the weight of the past in the running ratio of what parts cost to what they save
# the part of the cost that a proof by parts counts, since its core will refuse other constraints,
# too
PROOF_COST_COUNTED = 0.4
# the ratio of what parts cost to what they save, before anything is known; chosen, not measured
FIRST_RATIO = 0.5
# constraints that are asked for as a whole once parts have not paid: at first, and at most; chosen,
# not measured
FIRST_PAUSE, LONGEST_PAUSE = 4, 256


@dataclass(frozen=True, slots=True)
class Price:
    """What a backend's calls cost, in microseconds on the machine the weights were fitted on.

    Frozen, so that the same seed takes the same decisions everywhere.
    """

    call: float
    condition: float  # for each condition in the call
    asserting: float  # for each condition that was not there in the call before


FAST = Price(15.0, 0.7, 2.0)  # Yices
SLOW = Price(120.0, 1.0, 12.0)  # z3


def _broken(conditions: tuple[Term, ...], assignment: Assignment) -> list[Term]:
    try:
        return [term for term in conditions if not (term.evaluator or evaluator(term))(assignment)]
    except (ArithmeticError, ValueError, TypeError, LookupError):
        return [term for term in conditions if not holds(term, assignment)]


class Partial:
    """Incremental partial path constraints, never much slower than the whole constraint and mostly
    much faster.

    Parts and wholes go to solvers of their own, so that the whole path stays asserted in one while
    parts come and go in the other.
    """

    def __init__(self, whole: Solver, parts: Solver, *, fast: bool) -> None:
        self.whole = whole
        self.parts = parts
        self._price = FAST if fast else SLOW
        self._mattered = Mattered()
        self._last: tuple[Term, ...] = ()
        self._ratio = FIRST_RATIO  # the cost of parts relative to that of the whole, of late
        self._wait = 0  # constraints that go to the whole before parts are tried again
        self._pause = FIRST_PAUSE

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        prefix = constraint.prefix
        price = self._price
        count = len(prefix)
        if count <= FEW_CONDITIONS:
            return self.parts.solve(constraint, near)
        fresh = count - first_difference(self._last, prefix)
        self._last = prefix
        if self._wait > 0:
            self._wait -= 1
            return self.whole.solve(constraint, near)
        linear = theory_of(constraint) == ONLY_LINEAR
        if linear:
            estimate = price.call + price.condition * count + price.asserting * (fresh + 1)
        else:
            estimate = 1e6 * cost(constraint)  # microseconds
        answer, spent = self._by_parts(constraint, near, estimate, linear=linear)
        if answer is None:
            answer = self.whole.solve(constraint, near)
            spent += estimate
            if isinstance(answer, Unsat) and not linear:
                self._mattered.refuted(answer.core, (), constraint.goal, constraint.origin)
        ratio = spent / estimate
        self._weigh(ratio * PROOF_COST_COUNTED if isinstance(answer, Unsat) else ratio)
        return answer

    def _weigh(self, ratio: float) -> None:
        self._ratio = MEMORY * self._ratio + (1 - MEMORY) * ratio
        if self._ratio < 1.0:
            self._pause = FIRST_PAUSE
        else:
            # Parts do not pay here: look again later, each time after twice as long.
            self._wait = self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._ratio = 1.0

    def _by_parts(
        self, constraint: PathConstraint, near: Assignment, enough: float, *, linear: bool
    ) -> tuple[Answer | None, float]:
        """The answer, if parts gave one before they cost as much as the whole, else None; and what
        they cost, in microseconds.
        """
        prefix, goal = constraint.prefix, constraint.goal
        price = self._price
        mattered = self._mattered
        # To know conditions by their branches helps where a call is dear (experiments/ippc.py,
        # descent: 1.4 times as fast); linear ones are better known by their terms (gcd: half the
        # calls).
        origin = None if linear else constraint.origin
        held = dict.fromkeys(mattered.first(prefix, origin))
        spent = 0.0
        for step in range(MOST_PARTS):
            part = PathConstraint(tuple(held), goal)
            if linear:
                each = price.call + (price.condition + price.asserting) * len(held)
            else:
                each = 1e6 * cost(part)  # microseconds
            if len(held) == len(prefix) or (step and spent + each > enough):
                break
            spent += each
            answer = self.parts.solve(part, near)
            if isinstance(answer, Unsat):
                mattered.refuted(answer.core, held, goal, origin)
                return answer, spent
            if isinstance(answer, Unknown):
                break
            broken = _broken(prefix, answer.assignment)
            if not broken:
                return answer, spent
            broken = broken[-(AT_ONCE << step) :]
            mattered.broken(broken, origin)
            held.update(dict.fromkeys(broken))
        return None, spent
