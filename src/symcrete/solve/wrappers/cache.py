"""What is known from before, ahead of any solver: answers, unsatisfiable cores, inputs.

An input found for one constraint often satisfies another (IPPC's future work calls this input
vector caching); evaluation decides. A core stays unsatisfiable in every constraint that contains
it.
"""

from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.solve.count import Counts
from symcrete.solve.solver import Answer, Sat, Solver, Unsat
from symcrete.solve.wrappers.cores import Cores
from symcrete.terms.evaluate import NOT_COMPUTABLE, Assignment, evaluator, first_broken
from symcrete.terms.term import Term
from symcrete.terms.visit import names

MOST_ANSWERS = 20_000  # answers kept; when it is full the oldest quarter goes; chosen, not measured
# latest inputs on which every goal is evaluated before a solver is asked; chosen, not measured
MOST_LATEST_INPUTS = 12
# below this share of hits, inputs are tried on few queries only; chosen, not measured
WORTH_A_TRY = 0.02
TRIES_BEFORE_DOUBT = 200  # tries until that share is looked at; chosen, not measured
QUERIES_PER_TRY = 16  # then inputs are tried on one query in so many; chosen, not measured
PART_FORGOTTEN = 4  # one in four answers is forgotten where there are too many; chosen


class Cache:
    """A solver that answers from what is known, and asks the one inside it for the rest."""

    def __init__(
        self,
        inner: Solver,
        counts: Counts,
        *,
        cores: Cores | None = None,
        keeps_cores: bool = True,
    ) -> None:
        self.inner = inner
        self.counts = counts
        self._answers: dict[tuple[Term, ...], Answer] = {}
        self.cores = cores if cores is not None else Cores(counts, keeps=keeps_cores)
        # whether cores are looked for here, not by a solver that is asked before
        self._looks = cores is None
        self._inputs: list[Assignment] = []  # the best first
        self._tried = 0  # queries on which known inputs were tried
        self._hit = 0  # those that they answered

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        prefix, goal = constraint.prefix, constraint.goal
        key = (goal, *prefix)
        known = self._answers.get(key)
        if known is not None:
            found = self._again(known, constraint, near)
            if found is not None:
                self.counts.count_known()
                return found
        core = self.cores.refuting(goal, frozenset(prefix).__contains__) if self._looks else None
        if core is not None:
            return Unsat(core)
        found = self._by_known_input(constraint, near)
        if found is not None:
            self.counts.count_known()
            return found
        answer = self.inner.solve(constraint, near)
        self._remember(key, answer)
        return answer

    def _again(self, known: Answer, constraint: PathConstraint, near: Assignment) -> Answer | None:
        if known.__class__ is not Sat:
            return known
        assert isinstance(known, Sat)
        return self._mixed(constraint, known.assignment, near)

    def _mixed(
        self, constraint: PathConstraint, known: Assignment, near: Assignment
    ) -> Answer | None:
        """The near input with the constraint's variables as in a known one, if that satisfies the
        constraint; else None.
        """
        prefix, goal = constraint.prefix, constraint.goal
        if first_broken(prefix, known) is not None or first_broken((goal,), known) is not None:
            return None
        assignment = dict(near)
        for group in {condition.names or names(condition) for condition in (goal, *prefix)}:
            for name in group:
                if name in known:
                    assignment[name] = known[name]
                else:  # a character that a text has only once it is long enough
                    assignment.pop(name, None)
        return Sat(assignment)

    def _by_known_input(self, constraint: PathConstraint, near: Assignment) -> Answer | None:
        is_vain = self._tried > TRIES_BEFORE_DOUBT and self._hit < self._tried * WORTH_A_TRY
        if is_vain and self.counts.queries % QUERIES_PER_TRY:
            return None
        goal = constraint.goal
        test = goal.evaluator or evaluator(goal)
        self._tried += 1
        partial: bool | None = None
        for place, known in enumerate(self._inputs):
            try:
                if not test(known):
                    continue
            except NOT_COMPUTABLE:
                continue
            if partial is None:
                partial = _leaves_some(constraint, near)
            if not partial:
                return None  # the answer would be a known input, whose path has been seen
            found = self._mixed(constraint, known, near)
            if found is not None:
                self._hit += 1
                if place:
                    self._inputs.insert(place // 2, self._inputs.pop(place))
                return found
        return None

    def _remember(self, key: tuple[Term, ...], answer: Answer) -> None:
        if answer.__class__ is Sat:
            assert isinstance(answer, Sat)
            self._inputs.insert(len(self._inputs) // 2, answer.assignment)
            del self._inputs[MOST_LATEST_INPUTS:]
        elif answer.__class__ is Unsat:
            assert isinstance(answer, Unsat)
            self.cores.remember(key[0], answer.core)
        else:
            return
        if len(self._answers) >= MOST_ANSWERS:
            for old in list(self._answers)[: MOST_ANSWERS // PART_FORGOTTEN]:
                del self._answers[old]
        self._answers[key] = answer


def _leaves_some(constraint: PathConstraint, near: Assignment) -> bool:
    """Whether `near` has more variables than the constraint mentions."""
    mentioned: set[str] = set()
    for group in {each.names or names(each) for each in constraint.conditions}:
        mentioned |= group
        if len(mentioned) >= len(near):
            return False
    return True
