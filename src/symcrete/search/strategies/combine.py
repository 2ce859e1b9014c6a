"""Strategies made of strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symcrete.search.strategies.by_chance import RandomPath
from symcrete.search.strategies.uncovered import CovNew
from symcrete.search.strategy import Feedback, Flip, Guide, Sample, Strategy
from symcrete.tree.tree import ExecutionTree


class Interleave:
    """Take turns; one that has nothing to offer is passed over."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        self._strategies = list(strategies)
        self._turn = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        for _ in self._strategies:
            strategy = self._strategies[self._turn]
            self._turn = (self._turn + 1) % len(self._strategies)
            step = strategy.choose(tree)
            if step is not None:
                return step
        return None

    def learn(self, feedback: Feedback) -> None:
        for strategy in self._strategies:
            strategy.learn(feedback)


class Overheard:
    """A strategy whose feedback is told to another listener, too."""

    def __init__(self, inner: Strategy, hear: Callable[[Feedback], None]) -> None:
        self._inner = inner
        self._hear = hear

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        return self._inner.choose(tree)

    def learn(self, feedback: Feedback) -> None:
        self._hear(feedback)
        self._inner.learn(feedback)


class Noting:
    """A strategy that keeps the feedback of its runs, so that another one can be told later."""

    def __init__(self, inner: Strategy) -> None:
        self._inner = inner
        self.lessons: list[Feedback] = []

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        return self._inner.choose(tree)

    def learn(self, feedback: Feedback) -> None:
        if feedback.grown is not None:
            self.lessons.append(feedback)
        self._inner.learn(feedback)


class SwitchOnStagnation:
    """Stay with one strategy while it brings news; after some steps without, go to the next.

    After the last comes the first again. Each has a patience of its own, in steps.
    """

    def __init__(self, strategies: Sequence[Strategy], patience: Sequence[int]) -> None:
        self._strategies = list(strategies)
        self._patience = list(patience)
        self._current = 0
        self._quiet = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        if self._quiet >= self._patience[self._current]:
            self._next()
        for _ in self._strategies:
            step = self._strategies[self._current].choose(tree)
            if step is not None:
                return step
            self._next()
        return None

    def _next(self) -> None:
        self._current = (self._current + 1) % len(self._strategies)
        self._quiet = 0

    def learn(self, feedback: Feedback) -> None:
        self._quiet = 0 if feedback.new else self._quiet + 1
        for strategy in self._strategies:
            strategy.learn(feedback)


def klee(guide: Guide) -> Strategy:
    """KLEE's default: random-path and covnew in turn (Cadar, Dunbar and Engler, OSDI 2008)."""
    return Interleave([RandomPath(guide), CovNew(guide)])
