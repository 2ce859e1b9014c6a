from __future__ import annotations

import random
from time import perf_counter

from tests.limits import allowed

from symcrete.constraint.dependence import Dependence, first_difference
from symcrete.terms.evaluate import all_hold
from symcrete.terms.integers import add, le, lt
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var
from symcrete.terms.visit import names

VARIABLES = [var(f"d{i}", Sort.INT) for i in range(40)]


def below(i: int, j: int, bound: int = 0) -> Term:
    return lt(add(VARIABLES[i], int_const(bound)), VARIABLES[j])


def by_definition(path: list[Term], goal: Term) -> list[int]:
    """Every condition that shares variables with the goal, directly or through others."""
    reached = set(names(goal))
    places: set[int] = set()
    grown = True
    while grown:
        grown = False
        for place, condition in enumerate(path):
            if place not in places and names(condition) & reached:
                places.add(place)
                reached |= names(condition)
                grown = True
    return sorted(places)


def test_conditions_are_connected_through_shared_variables():
    path = (below(0, 1), below(2, 3), below(1, 4), below(5, 6))
    dependence = Dependence()
    dependence.follow(path)

    assert dependence.connected(below(4, 7), 4)[0] == [0, 2]
    assert dependence.connected(below(8, 9), 4)[0] == []
    assert dependence.connected(below(4, 7), 2)[0] == []


def test_a_condition_beyond_the_prefix_connects_nothing():
    path = (below(0, 1), below(2, 3), below(1, 2))
    dependence = Dependence()
    dependence.follow(path)

    assert dependence.connected(below(0, 5), 2)[0] == [0]
    assert dependence.connected(below(0, 5), 3)[0] == [0, 1, 2]


def test_following_random_paths_gives_what_the_definition_says():
    source = random.Random(4)
    dependence = Dependence()
    path: list[Term] = []
    for _ in range(300):
        del path[source.randint(0, len(path)) :]
        for _ in range(source.randint(0, 12)):
            i, j = source.sample(range(40), 2)
            path.append(below(i, j, source.randint(0, 2)))
        goal = below(*source.sample(range(40), 2))
        count = source.randint(0, len(path))

        dependence.follow(tuple(path[:count]))

        assert dependence.path[:count] == path[:count]
        assert dependence.connected(goal, count)[0] == by_definition(path[:count], goal)


def test_follow_tells_how_much_was_there_before():
    path = tuple(below(i, i + 1) for i in range(20))
    other = (*path[:7], below(30, 31), *path[8:])
    dependence = Dependence()

    assert dependence.follow(path) == 0
    assert dependence.follow(path[:5]) == 20
    assert dependence.follow((*path, below(1, 9))) == 20
    assert dependence.follow(other) == 7


def test_paths_are_compared_to_their_first_difference():
    path = [below(i, i + 1) for i in range(30)]

    for place in range(30):
        other = [*path[:place], below(33, 34), *path[place + 1 :]]
        assert first_difference(path, tuple(other)) == place
    assert first_difference(path, tuple(path[:11])) == 11
    assert first_difference([], ()) == 0


def test_a_flip_on_a_path_of_20000_independent_conditions_costs_the_same_as_on_one_of_1000():
    def cost(length: int) -> float:
        cells = [var(f"cell{i}", Sort.INT) for i in range(length)]
        path = tuple(le(int_const(0), cell) for cell in cells)
        dependence = Dependence()
        dependence.follow(path)
        best = 1.0
        for _ in range(5):
            started = perf_counter()
            for place in range(0, length, length // 50):
                assert dependence.connected(lt(cells[place], int_const(-5)), length)[0] == [place]
            best = min(best, perf_counter() - started)
        return best

    assert cost(20_000) < allowed(4) * cost(1_000)


def test_of_several_bounds_on_one_sum_the_tightest_counts():
    n = VARIABLES[0]
    path = (
        lt(int_const(0), n),
        lt(int_const(1), n),
        le(n, int_const(90)),
        lt(int_const(1), n),
        le(n, int_const(95)),
        lt(int_const(7), n),
    )
    dependence = Dependence(tightest=True)
    dependence.follow(path)
    goal = lt(n, int_const(50))

    assert dependence.connected(goal, 6)[0] == [2, 5]
    assert dependence.connected(goal, 5)[0] == [1, 2]
    assert dependence.connected(goal, 2)[0] == [1]
    assert dependence.connected(goal, 1)[0] == [0]


def test_the_tightest_bounds_say_what_all_of_them_say_on_random_paths():
    source = random.Random(9)
    dependence = Dependence(tightest=True)
    path: list[Term] = []
    for _ in range(300):
        del path[source.randint(0, len(path)) :]
        for _ in range(source.randint(0, 12)):
            i, j = source.sample(range(4), 2)
            made = below(i, j, source.randint(-9, 9))
            path.append(made if source.random() < 0.5 else negate(made))
        goal = below(*source.sample(range(4), 2))
        count = source.randint(0, len(path))

        dependence.follow(tuple(path[:count]))
        places = dependence.connected(goal, count)[0]

        everything = by_definition(path[:count], goal)
        assert set(places) <= set(everything)
        for _ in range(20):
            values = {f"d{i}": source.randint(-12, 12) for i in range(4)}
            all_of_them = all_hold([path[place] for place in everything], values)
            assert all_hold([path[place] for place in places], values) == all_of_them
