"""Context-guided search on the examples of its paper (Seo and Kim, FSE 2014)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.contracts.imaginary import Imaginary, Watched, trace_of, watch

from symcrete.explore.compose import cover
from symcrete.explore.options import options_from
from symcrete.program.source.sites import Outcome
from symcrete.program.source.target import targets_of
from symcrete.search.strategies.context import (
    ContextForUncovered,
    ContextGuided,
    ContextWithDominators,
    FixedContext,
)
from symcrete.search.strategy import Guide, Result, Sample
from symcrete.terms.integers import lt
from symcrete.terms.term import TRUE, Sort, int_const, var
from symcrete.tree.tree import ExecutionTree

# Figure 1; the thresholds are our own, chosen so that b5 can only be reached through b3.
CHECKOUT = """
def f(level, total):
    if level == 3:
        shipping = 1
    else:
        shipping = 2
    if total > 100:
        discount = total // 10
    else:
        discount = 0
    if total - discount > 200:
        points = 5
    else:
        points = 0
    return shipping, points
"""
B1, B2 = (0, True), (0, False)
B3, B4 = (1, True), (1, False)
B5, B6 = (2, True), (2, False)


class InOrder(Random):
    """Chance that prefers what was found first among branches at one depth."""

    drawn = 0

    def random(self) -> float:
        self.drawn += 1
        return self.drawn * 1e-9


class FalseSides(Random):
    """An input that leaves open what it is not asked for makes conditions false."""

    def random(self) -> float:
        return 0.9


def checkout_answer(path: tuple[Outcome, ...]) -> Result:
    return "infeasible" if B4 in path and path[-1] == B5 else "ran"


def checkout() -> Imaginary:
    return Imaginary(CHECKOUT, lambda path: len(path) if len(path) < 3 else None, checkout_answer)


def explore(first_path: tuple[Outcome, ...], **parameters: float) -> Watched:
    program = checkout()
    guide = program.guide(InOrder(0), **parameters)
    watched = Watched(program, ContextGuided(guide), guide, FalseSides(0))
    watched.run(first_path, Sample())
    return watched


def selected(watched: Watched) -> tuple[Outcome, ...] | None:
    """One step: the branch selected, with the path before it, as the paper writes contexts."""
    before = len(watched.steps)
    watched.step()
    if len(watched.steps) == before:
        return None
    step = watched.steps[-1]
    assert step is not None
    path, side = step
    return (*path, (len(path), not side))


def test_figure_1_a_branch_is_selected_once_in_each_context():
    p1, p2, p3 = (B1, B4, B6), (B2, B4, B6), (B1, B3, B6)
    watched = explore(p1, k=2)
    for path in (p2, p3):  # "three execution paths over the CFG"
        watched.run(path, Sample())

    # At depth one b1 and b2 are both taken; at depth two b3 and b4 after b1, but not after b2.
    assert selected(watched) == (B2, B4)
    # At depth three b6 in path 1 is selected, and the answer is UNSAT because of b4 before it.
    assert selected(watched) == p1
    assert not watched.guide.coverage.has(*B5)
    # b6 in path 2 has the same context (b4, b6) and is skipped: next is b6 in path 3, by (b3, b6).
    assert selected(watched) == p3
    assert watched.guide.coverage.has(*B5)
    # The second (b3, b6), after b2, is skipped as well; only longer contexts tell them apart.
    assert {selected(watched), selected(watched)} == {p2, (B2, B3, B6)}
    assert selected(watched) is None


def test_contexts_grow_after_each_traversal():
    watched = explore((B1, B4, B6))

    # 1-contexts: every branch once.
    assert selected(watched) == (B1,)
    assert selected(watched) == (B1, B4)  # (b2, b4) is skipped, b4 has been selected
    assert selected(watched) == (B1, B4, B6)
    # 2-contexts, from the top: what was skipped and comes after another branch.
    assert selected(watched) == (B2, B4)
    assert {selected(watched), selected(watched)} == {(B2, B4, B6), (B1, B3, B6)}
    # 3-contexts: b6 after b3, but now after b2 too.
    assert selected(watched) == (B2, B3, B6)
    assert selected(watched) is None
    assert watched.tree.open_sides == 0


NESTED = """
def f(c1, c3, c5, c7, c9, c11):
    if c1:
        x = 1
    else:
        x = 2
    if c3:
        if c5:
            if c7:
                if c9:
                    if c11:
                        return x
    return 0
"""


def nested() -> tuple[Imaginary, Guide]:
    program = Imaginary(NESTED, lambda path: len(path) if len(path) < 6 else None)
    return program, program.guide(Random(0))


def context_of_b11(search: type[ContextGuided], first: bool, k: int) -> list[Outcome]:
    """The k-context of the innermost branch on the path that begins with b1 or with b2."""
    _, guide = nested()
    path = [(0, first), *[(site, True) for site in range(1, 6)]]
    context = search(guide).context([(2 * site + side, TRUE) for site, side in path], 5, k)
    return [(code >> 1, bool(code & 1)) for code in context]


def test_figure_5_branches_that_every_path_passes_are_left_out():
    b1, b2, b9, b11 = (0, True), (0, False), (4, True), (5, True)

    assert context_of_b11(ContextGuided, first=True, k=2) == [b11, b1]
    assert context_of_b11(ContextGuided, first=False, k=2) == [b11, b2]
    assert context_of_b11(ContextWithDominators, first=True, k=2) == [b11, b9]
    assert context_of_b11(ContextWithDominators, first=True, k=5) == [
        (site, True) for site in (5, 4, 3, 2, 1)
    ]


def test_figure_5_without_dominators_two_branches_suffice_to_tell_paths_apart():
    for search, k_needed in ((ContextGuided, 2), (ContextWithDominators, 6)):
        differs = [
            k
            for k in range(1, 8)
            if context_of_b11(search, True, k) != context_of_b11(search, False, k)
        ]
        assert differs[0] == k_needed


def test_with_a_fixed_k_the_first_traversal_already_tells_paths_apart():
    program = Imaginary(CHECKOUT, lambda path: len(path) if len(path) < 3 else None)
    watched = watch(program, FixedContext)
    while watched.step() is not None:
        pass

    assert watched.tree.open_sides == 0
    depths = [len(step[0]) for step in watched.steps if step is not None]
    assert depths == sorted(depths)  # one traversal, from the top


def test_an_earlier_turn_of_a_loop_stays_in_the_context():
    program = Imaginary(
        "def f(a):\n    while a:\n        a = a - 1\n    return a",
        lambda path: None if (path and path[-1] == (0, False)) or len(path) == 4 else 0,
    )
    guide = program.guide(Random(0))
    strategy = ContextGuided(guide)
    watched = Watched(program, strategy, guide, Random(0))
    watched.run(((0, True),) * 3 + ((0, False),), Sample())

    context = strategy.context([(1, TRUE), (1, TRUE), (1, TRUE), (0, TRUE)], 1, k=2)

    assert context == (1, 1)  # nobody must go round once to go round


@pytest.mark.parametrize("name", ["cgs", "cgs-fixed-k", "cgs-nodom", "cgs-uncovered"])
def test_the_shop_itself_is_covered(name: str, tmp_path: Path):
    file = tmp_path / "shop.py"
    file.write_text(CHECKOUT.replace("level, total", "level: int, total: int"))
    (target,) = targets_of(str(file))

    report = cover(target, options_from({"strategy": name, "max_runs": 50, "replay": False}))

    assert report.branches.covered == report.branches.total == 6


def for_uncovered(*paths: tuple[Outcome, ...]) -> Watched:
    program = checkout()
    guide = program.guide(InOrder(0))
    watched = Watched(program, ContextForUncovered(guide), guide, FalseSides(0))
    for path in paths:
        watched.run(path, Sample())
    return watched


def test_a_side_nobody_covered_is_tried_before_all_others():
    watched = for_uncovered((B1, B4, B6), (B2, B4, B6))

    flips = {selected(watched), selected(watched)}

    assert watched.guide.coverage.has(*B3)
    assert {path[-1] for path in flips if path} == {B4, B6}  # to b3 and to b5


def test_a_context_by_data_has_the_branches_that_share_an_input():
    guide = checkout().guide(Random(0))
    total, level = var("total", Sort.INT), var("level", Sort.INT)
    bound = [lt(int_const(value), total) for value in (100, 200)]
    path = ((1, lt(level, int_const(3))), (3, bound[0]), (4, bound[1]))
    tree = ExecutionTree()

    grown = tree.add(replace(trace_of(()), events=path))

    strategy = ContextForUncovered(guide)
    assert strategy.context(grown.nodes[2], k=3) == (4, 3)
    assert strategy.context(grown.nodes[2], k=1) == (4,)


def test_where_everything_is_covered_it_goes_on_as_cgs_does():
    watched = for_uncovered((B1, B4, B6), (B2, B3, B5))

    assert watched.guide.coverage.wanted == 0
    assert selected(watched) is not None
