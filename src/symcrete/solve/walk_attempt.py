"""One connected part of a constraint: where to begin, what to try there, when to begin again."""

from __future__ import annotations

import random
from collections.abc import Sequence

from symcrete.solve.polytope import Polytope
from symcrete.solve.walk_bits import flip_bits
from symcrete.solve.walk_compile import Compiler
from symcrete.solve.walk_goal import AllOf, AnyOf, Goal
from symcrete.solve.walk_known import constants, definitions, of_sort, ranges
from symcrete.solve.walk_landscape import Landscape
from symcrete.solve.walk_minimum import minimise
from symcrete.solve.walk_newton import newton
from symcrete.solve.walk_polish import NEAR, polish, scan, snap
from symcrete.solve.walk_problem import Problem
from symcrete.solve.walk_score import GENTLE
from symcrete.solve.walk_search import Budget, OutOfBudget, Search
from symcrete.solve.walk_variable import Range, Variable
from symcrete.terms.evaluate import Assignment, evaluate
from symcrete.terms.term import Sort, Term
from symcrete.terms.visit import names

import os

K = int(os.environ.get("K", "16"))
COMMIT = float(os.environ.get("COMMIT", "0.5"))
PROJECT = float(os.environ.get("PROJECT", "0.0"))


class Attempt:
    def __init__(self, part, compiler, chance, budget, solutions):
        self.part = part
        self.compiler = compiler
        self.chance = chance
        self.budget = budget
        self.solutions = [s for s in solutions if part.sorts.keys() <= s.keys()]
        self.goals = part.linear + part.nonlinear
        self.known = definitions(self.goals)
        bounds = ranges(self.goals, part.sorts)
        mined = constants(self.goals)
        self.variables = {}
        for name, sort in part.sorts.items():
            if sort is not Sort.OBJECT and name not in self.known:
                r = bounds.get(name, Range())
                self.variables[name] = Variable(name, sort, r, of_sort(mined, sort, r))
        self.whole = Landscape(self.goals, compiler, GENTLE, self.known)
        self.alternatives = any(_has_choice(g) for g in self.goals)

    def solution(self):
        restarts = 0
        starts = [
            self.part.start,
            *(
                {**self.part.start, **{n: s[n] for n in self.variables}}
                for s in reversed(self.solutions)
            ),
        ]
        while True:
            landscape = self.whole
            if restarts and self.alternatives and self.chance.random() < COMMIT:
                goals = [each for g in self.goals for each in _committed(g, self.chance)]
                landscape = Landscape(goals, self.compiler, GENTLE, self.known)
            if starts:
                start = starts.pop(0)
            else:
                start = self.fresh(landscape)
            search = Search(landscape, self.variables, start, self.chance, self.budget)
            if self.climb(search):
                point = self.complete(search.point)
                if point is not None:
                    return {n: point[n] for n in self.part.sorts}
            restarts += 1
            self.restarts = restarts

    def complete(self, point):
        point = dict(point)
        pending = dict(self.known)
        while pending:
            for name in list(pending):
                if not names(pending[name]) & pending.keys():
                    try:
                        point[name] = evaluate(pending.pop(name), point)
                    except Exception:
                        return None
        return point

    def climb(self, search):
        if search.descend(20 + 4 * len(search.variables)):
            return True
        for _ in range(3):
            if flip_bits(search) or newton(search, 12):
                return True
            if minimise(search) or (search.total < NEAR and snap(search)):
                return True
            if search.total < NEAR and polish(search, 60):
                return True
            if scan(search, 100) or search.descend(10):
                return True
        if search.total < NEAR:
            return polish(search, 400)
        return search.is_there

    def fresh(self, landscape):
        chance = self.chance
        best = None
        keep = chance.choice((0.0, 0.2, 0.5))
        for _ in range(chance.randint(1, K)):
            point = dict(self.part.start)
            for name, variable in self.variables.items():
                if chance.random() >= keep:
                    point[name] = variable.fresh(chance)
            self.budget.spend()
            total = sum(landscape.scores(point))
            if best is None or total < best[0]:
                best = (total, point)
        return best[1]


def _has_choice(goal):
    return isinstance(goal, AnyOf) or (
        isinstance(goal, AllOf) and any(map(_has_choice, goal.parts))
    )


def _committed(goal, chance):
    if isinstance(goal, AnyOf):
        return _committed(chance.choice(goal.parts), chance)
    if isinstance(goal, AllOf):
        return [e for p in goal.parts for e in _committed(p, chance)]
    return [goal]
