"""Search toward a goal, and around a side that has no solution where it was tried."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.contracts.imaginary import Imaginary, Watched, watch

from symcrete.program.graph.distances import FAR
from symcrete.program.source.sites import Outcome
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.branches.detour import MOST_TRIES, Detours
from symcrete.search.strategies.toward import DRAWS_BEFORE_FLIPS, FLIPS_BETWEEN_DRAWS, Toward
from symcrete.search.strategy import Feedback, Flip, Sample
from symcrete.terms.integers import le
from symcrete.terms.term import Sort, int_const, var
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import ExecutionTree, Side

PROGRAM = """
    def f(a, b, c):
        if a:
            pass
        if b:
            pass
        if c:
            pass
"""


def in_turn(path: tuple[Outcome, ...]) -> int | None:
    return len(path) if len(path) < 3 else None


class Fixed:
    """Distances that are given, by site."""

    def __init__(self, of: dict[int, int]) -> None:
        self._of = of

    def of(self, outcome: Outcome) -> int:
        return self._of.get(outcome[0], FAR)

    def knows(self, outcome: Outcome) -> bool:
        return outcome[0] in self._of


def toward(distances: dict[int, int]) -> Watched:
    given: Any = Fixed(distances)
    return watch(Imaginary(PROGRAM, in_turn), lambda guide: Toward(given))


def test_the_first_steps_toward_a_goal_are_drawn() -> None:
    watched = toward({0: 3, 1: 2, 2: 1})

    steps = [watched.strategy.choose(watched.tree) for _ in range(DRAWS_BEFORE_FLIPS + 1)]

    assert all(isinstance(step, Sample) for step in steps[:-1])
    assert isinstance(steps[-1], Flip)


def test_the_branch_nearest_to_the_goal_is_flipped_first() -> None:
    for nearest in range(3):
        watched = toward(dict.fromkeys(range(3), 9) | {nearest: 1})
        for _ in range(DRAWS_BEFORE_FLIPS):
            watched.strategy.choose(watched.tree)

        step = watched.strategy.choose(watched.tree)

        assert isinstance(step, Flip)
        assert step.node.site == nearest


def test_flips_are_interrupted_by_draws_and_end_in_draws() -> None:
    def long(path: tuple[Outcome, ...]) -> int | None:
        return len(path) % 3 if len(path) < 40 else None

    given: Any = Fixed({0: 1, 1: 1, 2: 1})
    watched = watch(Imaginary(PROGRAM, long), lambda guide: Toward(given))

    steps = [watched.strategy.choose(watched.tree) for _ in range(80)]

    kinds = "".join("s" if isinstance(step, Sample) else "f" for step in steps)
    assert "s" * DRAWS_BEFORE_FLIPS + "f" * FLIPS_BETWEEN_DRAWS + "ss" + "f" in kinds
    assert kinds.endswith("s")


X = var("x", Sort.INT)
Y = var("y", Sort.INT)


def trace_over(*events: tuple[int, bool, Any]) -> Trace:
    covered = 0
    for site, side, _ in events:
        covered |= bit(site, side)
    shown = tuple((2 * site + side, term) for site, side, term in events)
    return Trace({}, shown, (), covered, Ending.RETURNED, None, (), 0, 0.0)


def detoured(*, shared: bool) -> tuple[Detours, ExecutionTree, Coverage]:
    """The last of three branches has no solution on its path; the first speaks of it, or not."""
    coverage = Imaginary(PROGRAM, in_turn).guide(Random(0)).coverage
    tree = ExecutionTree()
    first = le(X if shared else Y, int_const(1))
    last = le(X, int_const(5))
    trace = trace_over((0, True, first), (1, True, le(Y, int_const(2))), (2, True, last))
    tree.add(trace)
    coverage.add(trace.covered)
    detours = Detours(coverage)
    goal = deepest(tree)
    tree.settle(goal, False, Side.INFEASIBLE)
    detours.learn(Feedback(Flip(goal, False), "infeasible"))
    return detours, tree, coverage


def deepest(tree: ExecutionTree) -> Any:
    node = tree.root
    while node is not None and any(node.children):
        node = next(each for each in node.children if each is not None)
    return node


def test_the_path_is_left_where_the_same_variables_were_asked_about() -> None:
    detours, tree, _ = detoured(shared=True)

    step = detours.choose()

    assert step == Flip(tree.root, False)  # type: ignore[arg-type]


def test_the_path_is_not_left_at_branches_over_other_variables() -> None:
    assert detoured(shared=False)[0].choose() is None


def test_a_run_that_left_is_led_back_to_the_goal() -> None:
    detours, tree, _ = detoured(shared=True)
    step = detours.choose()
    assert step is not None
    trace = trace_over(
        (0, False, le(X, int_const(1))),
        (1, False, le(Y, int_const(2))),
        (2, True, le(X, int_const(5))),
    )
    grown = tree.add(trace)

    detours.learn(Feedback(step, "ran", trace, grown))

    ahead = detours.choose()
    assert ahead is not None
    # The goal is on the new path too: its wanted side is asked for there.
    assert (ahead.node.site, ahead.side, ahead.node.depth) == (2, False, 2)


def test_no_detour_is_made_for_what_is_covered_meanwhile_or_was_tried_often_enough() -> None:
    covered, _, coverage = detoured(shared=True)
    coverage.add(bit(2, False))
    tired, _, _ = detoured(shared=True)
    step = tired.choose()
    assert step is not None

    tired.learn(Feedback(step, "infeasible", solving=float(MOST_TRIES)))
    tired.learn(Feedback(Flip(deepest(detoured(shared=True)[1]), False), "infeasible"))

    assert covered.choose() is None
    assert tired.choose() is None
