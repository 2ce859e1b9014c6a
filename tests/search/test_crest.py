"""CREST's own searches, and contexts over all executed branches."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.contracts.imaginary import Imaginary, watch

from symcrete.explore.compose import prepare
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.inputs.draw.sampling import Pool
from symcrete.program.source.target import targets_of
from symcrete.search.strategies.context import ContextAsPublished, ContextGuided
from symcrete.search.strategies.crest import BoundedDepthFirst, path_through
from symcrete.search.strategy import Sample
from symcrete.search.table import looks_at_all_branches, make_strategy
from symcrete.tree.tree import Side

THREE = """
def f(a, b, c):
    if a:
        a = 1
    if b:
        b = 1
    if c:
        c = 1
"""


def three_branches(answer=lambda path: "ran") -> Imaginary:
    return Imaginary(THREE, lambda path: len(path) if len(path) < 3 else None, answer)


def test_the_earliest_branch_is_flipped_first_and_then_what_comes_below_it():
    program = three_branches()
    watched = watch(program, BoundedDepthFirst)
    first = [(site, side) for site, side in enumerate(_sides(watched.traces[0]))]

    for _ in range(3):
        watched.step()

    depths = [len(step[0]) for step in watched.steps if step is not None]
    assert depths == [0, 1, 2]
    assert watched.steps[0] == ((), not first[0][1])


def _sides(trace) -> list[bool]:
    return [bool(code & 1) for code, _ in trace.events]


def test_the_depth_bounds_flips_on_top_of_each_other_and_not_the_place_on_the_path():
    watched = watch(three_branches(), lambda guide: make_strategy("crest-dfs:depth=1", guide))

    while watched.step() is not None:
        pass

    depths = [len(step[0]) for step in watched.steps if step is not None]
    assert depths == [0]  # a flip uses the bound up, for the rest of this path too


def test_a_bounded_search_goes_on_past_a_branch_that_cannot_be_flipped():
    program = three_branches(lambda path: "infeasible" if len(path) == 1 else "ran")
    watched = watch(program, BoundedDepthFirst)
    watched.steps.clear()

    while watched.step() is not None:
        pass

    assert [len(step[0]) for step in watched.steps if step is not None][:2] == [0, 1]
    assert watched.tree.open_sides == 0


def test_a_run_that_strays_is_not_followed():
    program = three_branches(lambda path: "diverged" if len(path) == 1 else "ran")
    watched = watch(program, BoundedDepthFirst)

    while watched.step() is not None:
        pass

    assert watched.tree.root is not None
    assert Side.DIVERGED in watched.tree.root.state


def test_a_side_taken_before_is_entered_again_without_a_run():
    watched = watch(three_branches(), lambda guide: make_strategy("crest-random", guide), seed=3)
    for _ in range(60):
        if watched.tree.open_sides == 0:
            break
        watched.step()

    root = watched.tree.root
    assert root is not None
    assert watched.tree.open_sides == 0
    for side in (True, False):
        path = path_through(root, side)
        assert [node.depth for node in path] == [0, 1, 2]
        assert path[1] is root.children[side]
    assert isinstance(watched.step(), Sample)  # nothing is left but to start again


CALLING = """
def checked(n):
    if n > 0:
        return n
    raise ValueError

def f(a, b):
    checked(1)
    for _ in (1, 2):
        pass
    if a > 3:
        return 1
    return 2
"""


def test_what_a_callee_must_pass_dominates_what_follows_the_call():
    program = Imaginary(CALLING, lambda path: None)
    inside, after = program.outcome("n > 0", True), program.outcome("a > 3", True)

    assert program.graph.dominates(inside, after, across_calls=True)
    assert not program.graph.dominates(inside, after)
    assert not program.graph.dominates(after, inside, across_calls=True)


CONCRETE = """
MODE = (1, 0)

def f(a: int) -> int:
    total = 0
    for each in MODE:
        if each:
            total += 1
    if a > 3:
        total += 2
    return total
"""


def test_contexts_as_published_are_of_branches_that_no_input_decides_too(tmp_path: Path):
    assert looks_at_all_branches("dfs+cgs-paper")
    assert not looks_at_all_branches("dfs+cgs")
    file = tmp_path / "mode.py"
    file.write_text(CONCRETE)
    (target,) = targets_of(str(file))
    options = options_from({"strategy": "cgs-paper", "max_runs": 3, "replay": False})

    exploration, phase = prepare(target, EveryBranch(""), options)
    exploration.explore(phase)
    root = exploration.progress.tree.root
    assert root is not None
    guide = three_branches().guide(Random(0))
    published = ContextAsPublished(guide)
    published.without_dominators = False
    ours = ContextGuided(guide)
    ours.without_dominators = False

    sites = exploration.parts.coverage.sites.sites
    lines = [(sites[code >> 1].line, bool(code & 1)) for code in published.context_of(root, 6)]
    assert lines[0][0] == 9  # the only branch that an input decides
    assert lines[1:] == [(6, False), (7, False), (6, True), (7, True), (6, True)]
    assert len(ours.context_of(root, 6)) == 1


def test_a_uniform_prior_draws_all_integers_alike_and_only_finite_doubles():
    pool, random = Pool(uniform=True, integers=(7,)), Random(0)

    drawn = [pool.integer(random) for _ in range(2000)]
    doubles = [pool.float(random) for _ in range(200)]

    assert 900 < sum(each < 0 for each in drawn) < 1100
    assert sum(abs(each) < 2**24 for each in drawn) < 40
    assert max(map(abs, doubles)) > 1e100
    assert all(each - each == 0 for each in doubles)
