"""Solvers asked in a thread of their own: one that never comes back costs its query.

A solver is code in C that is asked to stop and mostly does. Where it does not, the thread that
called it is lost. So it is called in a thread that can be done without: after a while the query
is given up, the thread stays where it is, and the next query gets another thread, with solvers of
its own. A hand-over takes 15 us, a query to z3 or bitwuzla hundreds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from weakref import WeakKeyDictionary

from symcrete.constraint.path import PathConstraint
from symcrete.solve.per_thread import shared
from symcrete.solve.solver import Answer, Solver, Unknown
from symcrete.terms.evaluate import Assignment

NEVER_BACK = "the solver did not come back"
# Seconds that a solver may take beyond its limit: being interrupted takes up to half a second, and
# a busy machine several times that. The driver waits for longer (sandbox/worker/exploring.py).
OVERTIME = 1.5


class NeverBack(Exception):
    """A call did not return in time; its thread is lost."""


class Elsewhere:
    """A thread that does one thing after the other, and is replaced when it does not come back."""

    def __init__(self) -> None:
        self.lost = 0  # threads so far that did not come back
        self._thread: _Thread | None = None
        # objects that lost threads may still use, so they are not freed
        self._kept: list[object] = []

    def call(self, work: Callable[[], Answer], seconds: float) -> Answer:
        """What the work returns, or raises, in the thread; raises NeverBack if it takes longer."""
        thread = self._thread
        if thread is None or not thread.is_alive():  # a fork leaves threads behind
            thread = self._thread = _Thread()
            thread.start()
        # Until it is back nobody else may use it, whatever interrupts the waiting.
        self._thread = None
        if not thread.has_done(work, seconds):
            self._kept.append((thread, work))
            self.lost += 1
            raise NeverBack
        self._thread = thread
        if thread.error is not None:
            raise thread.error
        assert thread.answer is not None
        return thread.answer


class _Thread(threading.Thread):
    """A thread that waits for work, does it, and says that it is done."""

    def __init__(self) -> None:
        super().__init__(name="symcrete-solver", daemon=True)
        self._work: Callable[[], Answer] | None = None
        # Both are held but for a hand-over: to wait for a lock is the cheapest signal between
        # threads.
        self._wanted, self._done = threading.Lock(), threading.Lock()
        self._wanted.acquire()
        self._done.acquire()
        self.answer: Answer | None = None
        self.error: BaseException | None = None

    def has_done(self, work: Callable[[], Answer], seconds: float) -> bool:
        """Whether it did the work within so many seconds."""
        self.answer, self.error, self._work = None, None, work
        self._wanted.release()
        return self._done.acquire(timeout=seconds)

    def run(self) -> None:
        while True:
            self._wanted.acquire()
            work, self._work = self._work, None
            assert work is not None
            try:
                self.answer = work()
            except BaseException as error:
                self.error = error
            self._done.release()


class Apart:
    """A solver that lives elsewhere: each thread makes one for itself, and asks no other."""

    def __init__(self, make: Callable[[], Solver], elsewhere: Elsewhere, seconds: float) -> None:
        """`seconds` is the limit that the solver itself is to keep."""
        self._make = make
        self._elsewhere = elsewhere
        self._seconds = seconds

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        """The answer, or Unknown if the solver does not come back."""
        try:
            return self._elsewhere.call(
                lambda: self._solver().solve(constraint, near), self._seconds + OVERTIME
            )
        except NeverBack:
            return Unknown(NEVER_BACK)

    def _solver(self) -> Solver:
        """The solver of the thread that asks for it.

        A thread that was given up goes on some time: a solver that two threads ask has the
        conditions of both, and proves what is false.
        """
        made: WeakKeyDictionary[Apart, Solver] = shared("solvers", WeakKeyDictionary)
        inner = made.get(self)
        if inner is None:
            inner = made[self] = self._make()
        return inner
