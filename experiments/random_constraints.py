"""Random path constraints for a solver to be wrong about.

Terms over integers, doubles, truths and opaque functions, some of which raise, give nan or jump;
conditions joined by and, or, equivalence and if-then-else. A planted constraint is true at a known
assignment, so that nobody may call it unsatisfiable.
"""

from __future__ import annotations

import math
import random
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from symcrete.constraint.path import PathConstraint
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment, holds
from symcrete.terms.logic import choose, conjoin, disjoin, negate, same_truth
from symcrete.terms.operations import opaque
from symcrete.terms.term import FALSE, TRUE, Sort, Term, const, int_const, intern, var


def bits(value: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def checksum(value: int) -> int:
    return zlib.crc32(str(value).encode()) & 0xFF


def jumpy(value: float) -> float:
    return math.nan if value > 50 else math.floor(value) * -1.5


UNARY: list[tuple[Callable[..., object], Sort, Sort]] = [
    (math.sin, Sort.FLOAT, Sort.FLOAT),
    (math.sqrt, Sort.FLOAT, Sort.FLOAT),
    (math.exp, Sort.FLOAT, Sort.FLOAT),
    (jumpy, Sort.FLOAT, Sort.FLOAT),
    (bits, Sort.FLOAT, Sort.INT),
    (checksum, Sort.INT, Sort.INT),
    (math.isqrt, Sort.INT, Sort.INT),
]
NUMBERS = (0, 1, -1, 2, 3, 7, 10, 255, 1000, 2**31, -(2**40))
DOUBLES = (0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 3.0, 1e-3, 100.0, 1e10, 1e300, 5e-324)


@dataclass
class RandomConstraints:
    """One constraint after the other from a source of chance."""

    chance: random.Random
    names: dict[str, Sort] = field(
        default_factory=lambda: {
            **dict.fromkeys(("i", "j", "k"), Sort.INT),
            **dict.fromkeys(("a", "b", "c"), Sort.FLOAT),
            **dict.fromkeys(("p", "q"), Sort.BOOL),
        }
    )

    def planted(self) -> tuple[PathConstraint, Assignment]:
        """A constraint and an assignment that satisfies it."""
        secret = self.assignment()
        conditions = []
        while len(conditions) < self.chance.randint(1, 5):
            condition = self.condition(3)
            if not holds(condition, secret):
                condition = negate(condition)
            # One that cannot be computed at the secret holds neither way.
            if holds(condition, secret) and condition is not TRUE:
                conditions.append(condition)
        return PathConstraint(tuple(conditions[:-1]), conditions[-1]), secret

    def free(self) -> PathConstraint:
        """A constraint that may or may not be satisfiable."""
        conditions = [self.condition(3) for _ in range(self.chance.randint(1, 5))]
        kept = [condition for condition in conditions if condition is not TRUE] or [FALSE]
        return PathConstraint(tuple(kept[:-1]), kept[-1])

    def assignment(self) -> Assignment:
        return {name: self._value(sort) for name, sort in self.names.items()}

    def condition(self, depth: int) -> Term:
        kind = self.chance.random()
        if depth > 0 and kind < 0.35:
            parts = [self.condition(depth - 1) for _ in range(2)]
            joined = self.chance.choice((conjoin, disjoin, lambda two: same_truth(*two)))(parts)
            return negate(joined) if self.chance.random() < 0.2 else joined
        if kind < 0.42:
            return self._variable(Sort.BOOL)
        sort = self.chance.choice((Sort.INT, Sort.FLOAT))
        left, right = self.number(sort, 3), self.number(sort, 2)
        module = integers if sort is Sort.INT else floats
        compare = self.chance.choice((module.lt, module.le, module.eq))
        made = compare(left, right)
        return negate(made) if self.chance.random() < 0.3 else made

    def number(self, sort: Sort, depth: int) -> Term:
        kind = self.chance.random()
        if depth == 0 or kind < 0.3:
            return self._variable(sort) if self.chance.random() < 0.6 else const(self._value(sort))
        if kind < 0.45:
            return self._applied(sort, depth)
        if kind < 0.53:
            condition = self.condition(0)
            return choose(condition, self.number(sort, depth - 1), self.number(sort, depth - 1))
        left, right = self.number(sort, depth - 1), self.number(sort, depth - 1)
        if sort is Sort.FLOAT:
            return self.chance.choice((floats.add, floats.sub, floats.mul, floats.div))(left, right)
        operation = self.chance.choice(
            (integers.add, integers.sub, integers.mul, integers.bitxor, integers.bitand, _modulo)
        )
        return operation(left, right)

    def _applied(self, sort: Sort, depth: int) -> Term:
        options = [row for row in UNARY if row[2] is sort]
        function, argument, _ = self.chance.choice(options)
        return intern(opaque(function, sort), (self.number(argument, depth - 1),))

    def _variable(self, sort: Sort) -> Term:
        names = [name for name, each in self.names.items() if each is sort]
        return var(self.chance.choice(names), sort)

    def _value(self, sort: Sort) -> object:
        if sort is Sort.BOOL:
            return self.chance.random() < 0.5
        if sort is Sort.INT:
            small = self.chance.randint(-50, 50)
            return small if self.chance.random() < 0.7 else self.chance.choice(NUMBERS)
        some = round(self.chance.uniform(-20, 20), self.chance.randint(0, 6))
        return some if self.chance.random() < 0.7 else self.chance.choice(DOUBLES)


def _modulo(left: Term, right: Term) -> Term:
    """A divisor that is never 0."""
    odd = integers.add(integers.scale(right, 2), int_const(1))
    return integers.mod(left, odd)
