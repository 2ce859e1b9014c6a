"""The parts of the walk, each by itself."""

import math
import random
import signal
import struct
import time
import zlib
from itertools import pairwise

import pytest
from tests.limits import allowed
from tests.solve.building import add, call, doubles, eq, ints, le, lt, mul, ne, sub, truths

from symcrete.solve.walk.moves.bit_equations import flip_bits
from symcrete.solve.walk.moves.last_bits import polish, scan, snap
from symcrete.solve.walk.moves.minimum import minimise
from symcrete.solve.walk.moves.newton import least_norm, newton
from symcrete.solve.walk.moves.one_variable import Budget, OutOfBudget, Search
from symcrete.solve.walk.moves.roots import between, root
from symcrete.solve.walk.problem import variables
from symcrete.solve.walk.terrain.compiled import FAILED, LARGEST_DOUBLE, Compiler
from symcrete.solve.walk.terrain.goal import (
    LARGEST_GOAL,
    AllOf,
    AnyOf,
    Comparison,
    Relation,
    comparisons,
    goal_of,
    size,
)
from symcrete.solve.walk.terrain.known import Bounds, constants, definitions
from symcrete.solve.walk.terrain.landscape import Landscape
from symcrete.solve.walk.terrain.opaque_calls import Calls
from symcrete.solve.walk.terrain.ordinal import double, ordinal, stepped
from symcrete.solve.walk.terrain.score import GENTLE
from symcrete.solve.walk.terrain.variable import Range, Variable
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import evaluate
from symcrete.terms.logic import choose, conjoin, disjoin, negate, same_truth
from symcrete.terms.term import Sort, const, int_const
from symcrete.terms.texts import STR, Source, function

x, y, z = ints("x y z")
u, v, w = doubles("u v w")
p, q = truths("p q")


def difference(condition, **point):
    (comparison,) = comparisons(goal_of(condition))
    return Compiler(Calls(seconds=1)).difference(comparison)(point)


def searching(*conditions, points=100_000, seed=0, **start):
    sorts = variables(conditions)
    goals = [goal_of(condition) for condition in conditions]
    bounds = Bounds(goals, sorts).ranges
    landscape = Landscape(goals, Compiler(Calls(seconds=1)), GENTLE)
    directions = {n: Variable(n, s, bounds.get(n, Range())) for n, s in sorts.items()}
    budget = Budget(end=math.inf, clock=time.monotonic, points=points)
    return Search(landscape, directions, start, random.Random(seed), budget)


# -- goals


def test_negations_reach_the_comparisons():
    goal = goal_of(negate(conjoin([lt(x, 3), disjoin([eq(y, 4), lt(u, v)])])))

    assert isinstance(goal, AnyOf)
    assert isinstance(goal.parts[1], AllOf)
    last = goal.parts[1].parts[1]
    assert last == Comparison(v, Relation.AT_MOST, u, nan_satisfies=True)


def test_a_compared_choice_becomes_a_choice_of_goals():
    goal = goal_of(eq(add(choose(p, x, y), 3), 7))

    assert isinstance(goal, AnyOf)
    chosen = [part.parts[1] for part in goal.parts if isinstance(part, AllOf)]
    assert [str(each.left) for each in chosen if isinstance(each, Comparison)] == ["x - 4", "y - 4"]


def test_a_whole_text_beside_a_choice_keeps_its_name():
    whole = Source("s", STR).whole
    place = function(str.find, Sort.INT, "find", whole, choose(lt(x, y), x, y))

    found = variables(
        side
        for each in comparisons(goal_of(eq(place, int_const(3))))
        for side in (each.left, each.right)
    )

    assert {"x", "y", *variables([whole])} <= set(found)


def test_an_equivalence_is_both_or_neither():
    goal = goal_of(same_truth(lt(x, 3), lt(u, v)))

    assert isinstance(goal, AnyOf)
    assert all(isinstance(part, AllOf) for part in goal.parts)


def test_nested_equivalences_do_not_explode():
    nested = lt(x, 0)
    for bound in range(1, 40):
        nested = same_truth(nested, lt(mul(x, y), bound))

    goal = goal_of(nested)

    assert size(goal) <= LARGEST_GOAL
    assert isinstance(goal, Comparison)


# -- compiled differences


def test_a_difference_says_which_side_is_larger_and_by_how_much():
    assert difference(eq(mul(x, x), 50), x=7) == -1
    assert difference(lt(mul(u, u), 2.0), u=2.0) == 2.0
    assert difference(p, p=False) == -1


def test_differences_keep_their_sign_where_subtraction_would_not():
    big = 2**53 + 1
    assert difference(lt(floats.to_float(x), floats.to_float(y)), x=big, y=big - 1) == 0
    assert difference(lt(mul(u, 1.0), mul(v, 1.0)), u=5e-324, v=0.0) == 5e-324
    assert difference(lt(mul(u, 1.0), mul(v, 1.0)), u=math.inf, v=math.inf) == 0.0
    assert difference(lt(mul(u, 1.0), mul(v, 1.0)), u=-math.inf, v=1.0) == -LARGEST_DOUBLE
    assert math.isnan(difference(lt(mul(u, 1.0), v), u=math.nan, v=1.0))
    assert difference(floats.lt(u, mul(x, x)), u=2.0**53, x=94906267) < 0


def test_a_comparison_that_cannot_be_computed_says_so():
    assert difference(lt(floats.sqrt(u), 1.0), u=-1.0) == FAILED
    assert difference(eq(integers.mod(x, y), 1), x=5, y=0) == FAILED


def test_huge_powers_and_shifts_are_refused_not_computed():
    assert difference(eq(integers.power(x, y), 1), x=3, y=10**9) == FAILED
    assert difference(eq(integers.lshift(x, y), 1), x=3, y=10**12) == FAILED
    assert difference(eq(integers.power(x, y), 8), x=2, y=3) == 0


def test_what_is_guarded_is_computed_only_where_needed():
    quotient = integers.floordiv(x, y)
    guarded = choose(ne(y, 0), add(mul(quotient, quotient), quotient), int_const(0))
    held = conjoin([lt(z, 5), eq(add(mul(guarded, z), guarded), 0)])

    # As one truth value: too many choices would be split otherwise.
    comparison = Comparison(held, Relation.EQUAL, const(True))
    compiled = Compiler(Calls(seconds=1)).difference(comparison)

    assert compiled({"x": 3, "y": 0, "z": 1}) == 0
    assert compiled({"x": 9, "y": 3, "z": 1}) == -1


def test_defined_variables_are_computed():
    (comparison,) = comparisons(goal_of(lt(add(v, w), 10.0)))
    known = {"v": mul(u, 2.0), "w": mul(v, v)}

    compiled = Compiler(Calls(seconds=1)).difference(comparison, known)

    assert compiled({"u": 1.0}) == 6.0 - 10.0


def test_compiled_differences_agree_with_evaluation():
    chance = random.Random(5)
    sums = [x, y, integers.mod(x, int_const(7)), integers.bitxor(x, y), mul(x, y)]
    for _ in range(200):
        total = int_const(chance.randint(-9, 9))
        for part in chance.choices(sums, k=3):
            total = add(total, integers.scale(part, chance.randint(-3, 3)))
        point = {"x": chance.randint(-99, 99), "y": chance.randint(-99, 99)}
        for condition in (le(total, 0), lt(0, total), eq(total, 0)):
            if condition.is_const:
                continue
            for comparison in comparisons(goal_of(condition)):
                found = Compiler(Calls(seconds=1)).difference(comparison)(point)
                left, right = (evaluate(t, point) for t in (comparison.left, comparison.right))
                assert found == left - right


# -- applications


def test_results_and_failures_are_remembered_apart_by_type():
    seen = []

    def record(*args):
        seen.append(args)
        return 1 / args[0]

    wrapped = Calls(seconds=1).wrap(record)

    for args in [(1,), (1,), (1.0,), (True,), (2,), (2,), (2.0,)]:
        assert wrapped(*args) == 1 / args[0]
    for _ in range(2):
        with pytest.raises(ArithmeticError):
            wrapped(0)
    assert seen == [(1,), (1.0,), (True,), (2,), (2.0,), (0,)]


def test_signed_zeros_are_different_arguments():
    wrapped = Calls(seconds=1).wrap(lambda value: math.copysign(1, value))

    assert (wrapped(0.0), wrapped(-0.0)) == (1, -1)


def test_a_long_application_is_ended():
    def forever():
        while True:
            pass

    calls = Calls(seconds=0.05)
    wrapped = calls.wrap(forever)
    before = time.monotonic()

    with calls.limited(), pytest.raises(ArithmeticError):
        wrapped()

    assert time.monotonic() - before < allowed(5)


def test_many_short_applications_are_not_ended():
    calls = Calls(seconds=0.02)

    def short(n: int) -> int:
        time.sleep(0.001)
        return n

    wrapped = calls.wrap(short)

    with calls.limited():
        assert [wrapped(n) for n in range(60)] == list(range(60))


# -- doubles by number


@pytest.mark.parametrize("value", [0.0, 1.0, -1.0, 5e-324, -5e-324, 1.7e308, math.inf, -math.inf])
def test_the_number_of_a_double_leads_back_to_it(value):
    assert double(ordinal(value)) == value


def test_numbers_grow_with_the_doubles():
    values = [-math.inf, -1e308, -1.0, -5e-324, 0.0, 5e-324, 1e-300, 1.0, math.pi, math.inf]

    assert sorted(values, key=ordinal) == values
    assert stepped(1.0, 1) == math.nextafter(1.0, 2.0)
    assert stepped(0.0, -1) == -5e-324
    assert stepped(1e308, 1 << 60) == math.inf
    assert ordinal(-0.0) == 0


# -- one variable


def test_a_root_is_followed_down_to_neighbouring_doubles():
    found = root(lambda a: a * a - 2.0, 1.0, -1.0, 1.1)

    assert min(abs(n - math.sqrt(2)) for n in (found, stepped(found, 1), stepped(found, -1))) == 0


def test_a_root_of_whole_numbers_is_exact_however_large():
    big = 3**200

    assert root(lambda a: 7 * a - 7 * big, 0, -7 * big, 1) == big


def test_a_sign_change_at_a_jump_is_found():
    found = between(lambda a: -1.0 if a < math.pi else 1.0, 0.0, -1.0, 1e300, 1.0)

    assert abs(ordinal(found) - ordinal(math.pi)) <= 1


def test_the_bits_of_a_double_are_found_by_bisection():
    target = struct.unpack("<q", struct.pack("<d", 1e-200))[0]

    def f(value):
        return struct.unpack("<q", struct.pack("<d", value))[0] - target

    assert between(f, 1.0, f(1.0), 0.0, f(0.0)) == 1e-200


def test_values_around_stay_in_the_range():
    chance = random.Random(1)
    digit = Variable("d", Sort.INT, Range(0, 9))
    angle = Variable("a", Sort.FLOAT, Range(-1.5, 1.5))

    assert set(digit.around(3, [], chance, 12)) == set(range(10)) - {3}
    assert all(-1.5 <= value <= 1.5 for value in angle.around(0.3, [7.0, 99], chance, 40))
    assert all(0 <= digit.fresh(chance) <= 9 for _ in range(50))
    assert all(-1.5 <= angle.fresh(chance) <= 1.5 for _ in range(50))


def test_characters_are_mostly_text():
    chance = random.Random(1)
    code = Variable("c", Sort.INT, Range(0, 0x10FFFF))

    fresh = [code.fresh(chance) for _ in range(200)]

    assert sum(chr(value).isprintable() for value in fresh) > 120


# -- what is known before searching


def test_bounds_on_single_variables_are_read_off():
    conditions = [
        lt(x, 10),
        lt(x, 50),
        le(3, x),
        lt(2.0, u),
        le(u, 7.5),
        eq(y, 4),
        lt(mul(x, y), 9),
    ]
    goals = [goal_of(condition) for condition in conditions]
    bounds = Bounds(goals, variables(conditions))

    assert bounds.ranges["x"] == Range(3, 9)
    assert bounds.ranges["u"] == Range(math.nextafter(2.0, 3.0), 7.5)
    assert bounds.ranges["y"] == Range(4, 4)
    assert bounds.implied() == {goal_of(lt(x, 50))}


def test_definitions_need_no_circle():
    conditions = [eq(v, mul(u, u)), eq(u, add(v, 1.0)), eq(w, add(u, v)), eq(x, mul(x, y))]

    found = definitions([goal_of(condition) for condition in conditions])

    assert "w" in found
    assert not {"u", "v"} <= found.keys()
    assert "x" not in found


def test_a_variable_in_a_sum_is_solved_for():
    condition = eq(add(sub(mul(x, 3), y), mul(z, z)), 7)

    found = definitions([goal_of(condition)])

    assert list(found) == ["y"]
    assert evaluate(found["y"], {"x": 2, "z": 5}) == 24


def test_constants_come_with_both_signs_and_neighbours():
    found = constants([goal_of(eq(mul(x, y), 1147)), goal_of(lt(mul(u, u), 2.5))])

    assert {1146, 1147, 1148, 2.5} <= set(found)


# -- searching


def test_a_budget_ends_a_search():
    search = searching(lt(call(math.sin, Sort.FLOAT, u), -2.0), u=0.0, points=100)

    with pytest.raises(OutOfBudget):
        while True:
            search.descend(100)
    assert search.budget.spent == 101


def test_scores_of_goals_that_a_step_does_not_move_are_kept():
    counted = []

    def costly(value):
        counted.append(value)
        return value * 2.0

    search = searching(
        lt(call(costly, Sort.FLOAT, u, name="costly"), -5.0), eq(mul(v, v), 2.25), u=-3.0, v=1.0
    )
    counted.clear()

    assert search.step("v")
    assert counted == []


def test_newton_solves_a_smooth_system():
    search = searching(eq(add(mul(u, u), mul(v, v)), 5.0), eq(mul(u, v), 2.0), u=3.0, v=0.5)

    newton(search, 20)

    assert search.total < 1e-12


def test_newton_enters_inequalities_together():
    sines = [call(math.sin, Sort.FLOAT, t) for t in doubles("a b c d e")]
    chain = [lt(low, high) for low, high in pairwise(sines)]

    search = searching(*chain, **dict.fromkeys("abcde", 0.0))

    assert newton(search, 12)


def test_the_shortest_step():
    assert least_norm([[3.0], [4.0]], [25.0]) == pytest.approx([3.0, 4.0])
    assert least_norm([[1.0, 1e9], [1.0, -1e9]], [2.0, 0.0]) == pytest.approx([1.0, 1.0])
    assert least_norm([], []) is None


def test_a_minimum_is_reached_where_slopes_vanish():
    valley = add(
        mul(sub(u, 1.0), sub(u, 1.0)), mul(100.0, mul(sub(v, mul(u, u)), sub(v, mul(u, u))))
    )
    search = searching(eq(valley, 0.0), u=-0.5, v=0.7)

    minimise(search)

    assert search.total < 1e-8
    assert snap(search)
    assert (search.point["u"], search.point["v"]) == (1.0, 1.0)


def test_polishing_makes_an_equation_exact():
    product = mul(call(math.sin, Sort.FLOAT, u), v)
    search = searching(eq(product, 0.7), u=1.0, v=0.7 / math.sin(1.0) * (1 + 3e-16))

    assert search.total < 1e-12
    assert search.is_there or polish(search, 500)


def test_scanning_solves_for_one_factor_after_the_other():
    search = searching(eq(mul(x, y), 1147), lt(1, x), lt(1, y), x=20, y=20)

    assert any(scan(search, 60) for _ in range(4))
    assert search.point["x"] * search.point["y"] == 1147


def test_flipping_bits_inverts_a_crc():
    codes = ints("a b c d")
    crc = call(lambda *a: zlib.crc32(bytes(a)), Sort.INT, *codes, name="crc32")
    ranges = [c for code in codes for c in (le(0, code), le(code, 255))]
    search = searching(*ranges, eq(crc, 0x12345678), **dict.fromkeys("abcd", 0))

    assert flip_bits(search)
    assert search.budget.spent < 200


def test_flipping_bits_upwards_inverts_a_product():
    low = integers.bitand(mul(x, 2654435761), int_const(0xFFFFFF))
    search = searching(eq(low, 0xABCDEF), x=0)

    assert flip_bits(search)
    assert search.point["x"] * 2654435761 & 0xFFFFFF == 0xABCDEF


def test_the_timer_of_somebody_else_goes_on_after_the_walk():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        with Calls(seconds=0.05).limited():
            time.sleep(0.12)
            during = len(rung)
        time.sleep(0.2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    assert during == 0
    assert len(rung) >= 1


def test_an_application_that_does_not_end_is_cut_short_under_somebody_elses_timer():
    def endless(n):
        while True:
            n += 1

    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        calls = Calls(seconds=0.05)
        with calls.limited(), pytest.raises(ArithmeticError):
            calls.wrap(endless)(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
