"""Try many inputs without terms before, and while, a few are followed closely.

A run that carries no terms costs a fraction of one that does, and often that is all it takes to
come to a line. Inputs that cover something new are kept, with how many branches still lie between
them and the goal; the others are changed versions of those, more often of the nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from random import Random

from symcrete.clock import Moment
from symcrete.inputs.draw.mutation import mutated
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import spread
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.objects import calls_name
from symcrete.program.graph.distances import FAR
from symcrete.program.source.sites import Outcome
from symcrete.run.runner import Runner
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.terms.texts import codes_of, texts_in
from symcrete.tree.coverage import outcomes

ANEW = 0.25  # the share of inputs that are drawn rather than changed; chosen, not measured
# the share of changed inputs that start from one of the nearest; chosen, not measured
NEAREST = 0.6
MOST_NEAREST = 6  # inputs that count as the nearest; chosen, not measured
DRAWS_FIRST = 30  # inputs drawn before any is changed; chosen, not measured
# runs before distances are asked for, which take longer to compute than most searches; chosen, not
# measured
BLIND = 150
SLOW_SECONDS = 0.03  # seconds after which a run without terms counts as slow; chosen, not measured
MOST_SLOW = 0.1  # seconds in slow runs before large numbers are avoided; chosen, not measured
TAME = 0.9  # the share of inputs with small numbers only, where runs are slow; chosen, not measured
SMALL_FOR_SCOUTING = 1000  # numbers beyond this may make a run slow; chosen, not measured
LONGEST_SCOUTED = 60  # characters of a text that is put together; chosen, not measured
# the share of changed inputs in which a text is put together; chosen, not measured
PUT_TOGETHER = 0.4
# A number that may make a run slow is replaced by one from 0 to the second of these; by one from
# minus the first to the first if it was negative. Chosen, not measured.
TAME_NEGATIVE, TAME_POSITIVE = 20, 99
# which alternative of a type, or how many calls come before, is drawn below this; chosen, not
# measured
FEW_ALTERNATIVES = 4


@dataclass(slots=True)
class Kept:
    """An input that covered something new."""

    given: Assignment
    covered: int  # the outcomes; 0 once the distance is known
    run: int  # how many runs were made before it was kept
    distance: int = FAR  # branches between it and the goal


@dataclass(slots=True)
class Scout:
    """Searches by runs without terms; what it tried is remembered for the next search."""

    runner: Runner
    arguments: Arguments
    pool: Pool
    random: Random
    nearby: Callable[[], Pool]  # makes a better pool, for when the first draws did not do
    distances: Callable[[], Callable[[Outcome], int]]  # branches between an outcome and the goal
    runs: int = 0
    seen: int = 0  # outcomes covered so far
    _kept: list[Kept] = field(default_factory=list)  # nearest first, once that is known
    _told: int = -1  # runs when `news` was last asked for
    _slow: float = 0.0  # seconds in runs that took long

    def search(self, arrived: Callable[[Assignment, int], bool], stop: Moment, most: int) -> bool:
        """Run inputs until one has arrived, the moment to stop has come or `most` runs are made;
        returns whether one arrived.

        `arrived` is given each input and what it covered.
        """
        with self.runner:
            for _ in range(most):
                if stop.has_come:
                    return False
                given = self._next()
                self.runs += 1
                began = stop.clock()
                timed = not stop.never_comes
                covered = self.runner.run_plain(given, brief=timed)
                took = stop.clock() - began
                self._slow += took if timed and took > SLOW_SECONDS else 0.0
                if covered is None:
                    continue
                if arrived(given, covered):
                    return True
                self.learn(given, covered)
        return False

    def learn(self, given: Assignment, covered: int) -> None:
        """Take in an input and what it covers."""
        new = covered & ~self.seen
        if not new:
            return
        self.seen |= new
        self._kept.append(Kept(given, covered, self.runs))
        if self.runs > BLIND:
            self._sort()

    def news(self, most: int) -> list[Assignment]:
        """The inputs kept since this was last asked, nearest first, at most so many."""
        self._sort()
        found = [kept.given for kept in self._kept if kept.run > self._told]
        self._told = self.runs
        return found[:most]

    def _next(self) -> Assignment:
        random = self.random
        if self.runs == 0:
            return {}  # the plainest input
        if self.runs == DRAWS_FIRST:
            self.pool = self.nearby()
        if self.runs < DRAWS_FIRST or not self._kept or random.random() < ANEW:
            given = self.runner.sample(self.pool, random)
        else:
            given = self._changed_version()
        # Large numbers can make a run long: the first inputs have small ones, and so have later
        # ones where runs are slow.
        if self.runs < DRAWS_FIRST or (self._slow > MOST_SLOW and random.random() < TAME):
            _tame(given, random)
        return given

    def _changed_version(self) -> Assignment:
        random = self.random
        if self.runs == BLIND:
            self._sort()
        among = self._kept
        if self.runs >= BLIND and random.random() < NEAREST:
            closest = among[0].distance
            among = [kept for kept in among[:MOST_NEAREST] if kept.distance == closest]
        given = random.choice(among).given
        texts = texts_in(given)
        if texts and random.random() < PUT_TOGETHER:
            changed = dict(given)
            self._put_together(random.choice(texts), changed)
            return changed
        return _changed(given, random, self.pool)

    def _put_together(self, name: str, given: Assignment) -> None:
        """Give a text input more of what the program mentions, or of what another input has."""
        random, old = self.random, codes_of(given, name)
        other = random.choice(self._kept).given
        if random.random() < 0.5:
            first, second = _mentioned(self.pool, random), _mentioned(self.pool, random)
        else:
            first = second = codes_of(other, name) if name in texts_in(other) else []
        at = random.randint(0, len(old))
        char = [random.choice(first)] if first else []
        ways = (first, first + old, old + first, first + second, first + old + second)
        codes = random.choice((*ways, old[:at] + char + old[at:], old[:at] + first + old[at:]))
        spread(name, codes[:LONGEST_SCOUTED], given)

    def _sort(self) -> None:
        distance = self.distances()
        for kept in self._kept:
            if kept.covered:
                kept.distance = min(map(distance, outcomes(kept.covered)))
                kept.covered = 0
        self._kept.sort(key=lambda kept: (kept.distance, -kept.run))


def _tame(given: Assignment, random: Random) -> None:
    for name, value in given.items():
        if type(value) is int and abs(value) > SMALL_FOR_SCOUTING:
            given[name] = (
                random.randint(-TAME_NEGATIVE, TAME_NEGATIVE)
                if value < 0
                else random.randint(0, TAME_POSITIVE)
            )


def _changed(given: Assignment, random: Random, pool: Pool) -> Assignment:
    changed = mutated(given, pool, random)
    for name, value in changed.items():
        # Which alternative of a type it takes, and how many calls come before: small numbers.
        if name.endswith(("?", calls_name(""))) and value != given.get(name):
            changed[name] = random.randrange(FEW_ALTERNATIVES)
    return changed


def _mentioned(pool: Pool, random: Random) -> list[int]:
    return [ord(c) for c in random.choice(pool.texts) if c < "\x80"] if pool.texts else []
