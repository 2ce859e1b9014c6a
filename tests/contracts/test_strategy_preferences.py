"""What sets each strategy apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from tests.contracts.imaginary import Imaginary, Path, Watched

from symcrete.search.branches.frontier import WeightedFrontier
from symcrete.search.strategies.by_chance import RandomBranch, RandomPath, RandomState, Uniform
from symcrete.search.strategies.combine import Interleave, SwitchOnStagnation
from symcrete.search.strategies.context import Subpath
from symcrete.search.strategies.orders import BreadthFirst, Dart, DepthFirst, Generational
from symcrete.search.strategies.uncovered import CarFast, CfgDirected, CovNew
from symcrete.search.strategy import Feedback, Flip, Guide, Result, Sample, Strategy
from symcrete.tree.tree import ExecutionTree

FOUR = "def f(a, b, c, d):\n" + "".join(f"    if {name}:\n        x = 1\n" for name in "abcd")


class FalseSides(Random):
    def random(self) -> float:
        return 0.9


def four() -> Imaginary:
    return Imaginary(FOUR, lambda path: len(path) if len(path) < 4 else None)


def falling(
    make: Callable[[Guide], Strategy], program: Imaginary | None = None, **parameters: float
) -> Watched:
    """An exploration whose first run, and whatever else is left open, takes every false side."""
    program = program or four()
    guide = program.guide(Random(0), **parameters)
    watched = Watched(program, make(guide), guide, FalseSides(0))
    watched.run(program.path((), watched.random), Sample())
    return watched


def flips(watched: Watched, count: int) -> list[str]:
    """The next steps as the sides of the path they ask for; `?` for a random input."""
    for _ in range(count):
        watched.step()
    shown = []
    for step in watched.steps:
        if step is None:
            shown.append("?")
        else:
            path, side = step
            shown.append("".join("ft"[s] for _, s in path) + "ft"[side])
    return shown


def test_depth_first_flips_the_last_branch_of_the_newest_path():
    assert flips(falling(DepthFirst), 4) == ["ffft", "fft", "fftt", "ft"]


def test_in_the_order_of_crest_depth_first_flips_the_earliest():
    program = four()
    guide = program.guide(Random(0))
    guide.order = "earliest"
    watched = Watched(program, DepthFirst(guide), guide, FalseSides(0))
    watched.run(program.path((), watched.random), Sample())

    assert flips(watched, 4) == ["t", "tt", "ttt", "tttt"]


def test_depth_first_stops_at_its_bound():
    watched = falling(DepthFirst, depth=2)

    assert flips(watched, 4) == ["ft", "t", "tt"]
    assert watched.step() is None


def test_breadth_first_goes_down_level_by_level():
    assert flips(falling(BreadthFirst), 7) == ["t", "ft", "tt", "fft", "tft", "ftt", "ttt"]


def test_dart_starts_over_when_a_run_strays():
    def answer(path: Path) -> Result:
        return "diverged" if path == ((0, False), (1, False), (2, False), (3, True)) else "ran"

    program = Imaginary(FOUR, lambda path: len(path) if len(path) < 4 else None, answer)

    assert flips(falling(Dart, program), 3) == ["ffft", "?", "fft"]


def test_a_generation_is_finished_before_its_best_child_is_expanded():
    watched = falling(Generational)

    assert flips(watched, 4) == ["t", "ft", "fft", "ffft"]
    # All of them covered one outcome; of equals the oldest is expanded.
    assert flips(watched, 3)[4:] == ["tt", "tft", "tfft"]


def test_the_random_branch_is_on_the_last_path():
    watched = falling(RandomBranch)
    last: Path = ((0, False), (1, False), (2, False), (3, False))

    for _ in range(3):
        watched.step()
        asked = watched.steps[-1]
        assert asked is not None
        before, side = asked
        assert last[: len(before)] == before
        rest = [(site, False) for site in range(len(before) + 1, 4)]
        last = (*before, (len(before), side), *rest)


class TrueSides(Random):
    def random(self) -> float:
        return 0.1


def test_the_uniform_walk_goes_on_from_where_it_flipped():
    program = four()
    guide = program.guide(TrueSides(0))
    watched = Watched(program, Uniform(guide), guide, FalseSides(0))
    watched.run(program.path((), watched.random), Sample())

    # At the end it starts from the root again, through sides that it need not run for.
    assert flips(watched, 5) == ["t", "tt", "ttt", "tttt", "ttft"]


def chosen_depths(make: Callable[[Guide], Strategy]) -> Counter[int]:
    """Where 400 choices fall on a tree with one open branch at each of nine depths."""
    program = Imaginary(FOUR, lambda path: len(path) % 4 if len(path) < 9 else None)
    watched = falling(make, program)
    found: Counter[int] = Counter()
    for _ in range(400):
        step = watched.strategy.choose(watched.tree)
        assert isinstance(step, Flip)
        found[step.node.depth] += 1
    return found


def test_random_path_tosses_a_coin_at_each_fork():
    found = chosen_depths(RandomPath)

    assert 160 < found[0] < 240
    assert 70 < found[1] < 130


def test_random_state_likes_all_open_branches_alike():
    found = chosen_depths(RandomState)

    assert all(20 < found[depth] < 75 for depth in range(9))


def test_carfast_prefers_the_branch_with_more_code_behind_it():
    program = Imaginary(
        """
        def f(a, b, c):
            if a:
                x = 1
            if b:
                x = 2
                y = 3
                z = 4
            if c:
                x = 5
                y = 6
        """,
        lambda path: len(path) if len(path) < 3 else None,
    )

    assert flips(falling(CarFast, program), 3) == ["ft", "ftt", "t"]


def test_carfast_looks_at_the_last_path_only_and_draws_when_that_has_nothing_left():
    program = Imaginary(
        """
        def f(a, b):
            if a:
                x = 1
                return x
            if b:
                x = 2
        """,
        lambda path: len(path) if len(path) < 2 and (0, True) not in path else None,
    )

    assert flips(falling(CarFast, program), 3) == ["t", "?", "ft"]


DEEP = """
def f(a, b, c, d):
    if a:
        x = 1
    if b:
        if c:
            if d:
                x = 2
"""


def deep(path: Path) -> int | None:
    """Branches of DEEP in the order of execution."""
    sides = dict(path)
    for site in range(4):
        if site not in sides:
            return site if site < 2 or all(sides[each] for each in range(1, site)) else None
    return None


def test_cfg_forces_the_branch_nearest_to_something_uncovered_and_follows_the_graph():
    watched = falling(CfgDirected, Imaginary(DEEP, deep))
    for outcome in ((0, True), (1, True), (2, True), (2, False), (3, False)):
        watched.guide.coverage.add(1 << (16 * outcome[0] + 8 * outcome[1]))
    strategy = CfgDirected(watched.guide)
    again = Watched(watched.program, strategy, watched.guide, FalseSides(0))
    again.run(((0, False), (1, False)), Sample())

    # Only d's true side is uncovered: two branches behind b's, out of reach behind a's.
    assert flips(again, 3) == ["ft", "ftt", "fttt"]


def test_covnew_prefers_what_is_near_uncovered_code():
    program = Imaginary(DEEP, deep)
    guide = program.guide(Random(0))
    covered = ((0, True), (0, False), (1, True), (1, False), (2, True), (2, False), (3, False))
    for site, side in covered:
        guide.coverage.add(1 << (16 * site + 8 * side))
    watched = Watched(program, CovNew(guide), guide, FalseSides(0))
    watched.run(((0, False), (1, False)), Sample())

    chosen = Counter(watched.strategy.choose(watched.tree).node.site for _ in range(1000))  # type: ignore[union-attr]

    # Two branches lie before d behind b, three behind a: 1/3^2 against 1/4^2.
    assert abs(chosen[1] / 1000 - 16 / (16 + 9)) < 0.05


def test_subpath_takes_the_least_travelled_way():
    program = Imaginary(
        "def f(a, b):\n    while a:\n        if b:\n            a = 1\n",
        lambda path: (
            None if len(path) == 12 or (path and path[-1] == (0, False)) else len(path) % 2
        ),
    )
    watched = falling(Subpath, program, length=1)
    # The loop is entered six times, b is never true.
    watched.run(((0, True), (1, False)) * 6, Sample())

    assert flips(watched, 1)[-1].endswith("t")  # b's true side: travelled by nobody


def test_weights_decide_how_often_something_is_drawn_even_after_they_fell():
    tree_of = falling(DepthFirst).tree
    nodes = [tree_of.root, *[None] * 3]
    for depth in range(1, 4):
        assert nodes[depth - 1] is not None
        nodes[depth] = nodes[depth - 1].children[False]  # type: ignore[union-attr]
    weights = {0: 1.0, 1: 0.5, 2: 0.03, 3: 1.0}
    frontier = WeightedFrontier(lambda flip: weights[flip.node.depth])
    for node in nodes:
        assert node is not None
        frontier.add(Flip(node, True))
    weights[3] = 0.25
    random = Random(0)

    drawn = Counter(frontier.draw(random).node.depth for _ in range(20_000))  # type: ignore[union-attr]

    total = sum(weights.values())
    for depth, weight in weights.items():
        assert abs(drawn[depth] / 20_000 - weight / total) < 0.015


class Says:
    """A strategy that always offers the same, and remembers what it was told."""

    def __init__(self, step: Flip | Sample | None) -> None:
        self.step = step
        self.heard = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        return self.step

    def learn(self, feedback: Feedback) -> None:
        self.heard += 1


def test_interleaved_strategies_take_turns_and_all_of_them_learn():
    first, nothing, second = Says(Sample()), Says(None), Says(Sample())
    both = Interleave([first, nothing, second])
    tree = ExecutionTree()

    assert [both.choose(tree) for _ in range(4)] == [Sample()] * 4
    assert both.choose(tree) is first.step
    assert both.choose(tree) is second.step
    both.learn(Feedback(Sample(), "ran"))
    assert first.heard == nothing.heard == second.heard == 1
    assert Interleave([nothing, nothing]).choose(tree) is None


def test_the_next_strategy_comes_after_some_steps_without_news():
    first, second = Says(Sample()), Says(Sample())
    switch = SwitchOnStagnation([first, second], patience=[2, 2])
    tree = ExecutionTree()
    quiet, news = Feedback(Sample(), "ran"), Feedback(Sample(), "ran", new=1)

    chosen = []
    for feedback in (quiet, news, quiet, quiet, quiet, quiet):
        chosen.append(switch.choose(tree) is first.step)
        switch.learn(feedback)

    assert chosen == [True, True, True, True, False, False]
    assert switch.choose(tree) is first.step


def test_guide_names_what_is_to_be_covered():
    guide = four().guide(Random(0))

    assert guide.goals == [(site, side) for site in range(4) for side in (False, True)]
