"""The concolic walk solves what no theory covers, by running the real functions."""

import hashlib
import math
import random
import struct
import subprocess
import sys
import threading
import time
import zlib

import pytest
from tests.limits import allowed
from tests.solve.building import (
    add,
    between,
    call,
    doubles,
    eq,
    ints,
    le,
    lt,
    mul,
    ne,
    path,
    sub,
    truths,
)

from symcrete.solve.solver import Sat, Unknown, Unsat
from symcrete.solve.walk.attempt import MOVES
from symcrete.solve.walk.walk import Walk
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import all_hold
from symcrete.terms.logic import choose, conjoin, disjoin, negate, same_truth
from symcrete.terms.term import FALSE, Sort, const, int_const, var

x, y, z, w = ints("x y z w")
u, v, s = doubles("u v s")
p, q = truths("p q")


def solved(*conditions, near=None, **options):
    """The assignment, which must satisfy every condition."""
    answer = Walk(**{"seconds": 10, **options}).solve(path(*conditions), near or {})
    assert isinstance(answer, Sat), answer
    assert all_hold(conditions, answer.assignment)
    return answer.assignment


def sin(value):
    return call(math.sin, Sort.FLOAT, value)


def byte_string(*codes):
    return zlib.crc32(bytes(codes))


def bits(value):
    return struct.unpack("<q", struct.pack("<d", value))[0]


def wrapped(value):
    return integers.mod(value, int_const(1 << 32))


def java_hash(first, second, third):
    """31 * (31 * first + the two halves of second xor-ed) + third, in 32 bits."""
    high = integers.floordiv(integers.mod(second, int_const(1 << 64)), int_const(1 << 32))
    folded = wrapped(integers.bitxor(second, high))
    return wrapped(add(integers.scale(wrapped(add(integers.scale(first, 31), folded)), 31), third))


@pytest.mark.parametrize("seed", range(3))
def test_a_sine_far_out(seed):
    found = solved(lt(0.9, sin(u)), lt(100.0, u), seed=seed)

    assert found["u"] > 100


@pytest.mark.parametrize("seed", range(3))
def test_eight_bits_of_a_crc(seed):
    crc = call(byte_string, Sort.INT, x, y, z, name="crc32")
    ranges = [bound for code in (x, y, z) for bound in between(0, code, 255)]

    found = solved(*ranges, eq(integers.bitand(crc, int_const(255)), 0x5A), seed=seed)

    assert byte_string(found["x"], found["y"], found["z"]) & 255 == 0x5A


def test_all_bits_of_a_crc_by_elimination():
    codes = ints("a b c d e f")
    crc = call(byte_string, Sort.INT, *codes, name="crc32")
    ranges = [bound for code in codes for bound in between(0, code, 255)]

    found = solved(*ranges, eq(crc, 0xDEADBEEF))

    assert byte_string(*(found[name] for name in "abcdef")) == 0xDEADBEEF


@pytest.mark.parametrize("target", [math.pi, -1e-300, 5e-324, -0.1])
def test_a_double_by_its_bits(target):
    found = solved(eq(call(bits, Sort.INT, u, name="bits"), bits(target)))

    assert found["u"] == target


def test_a_mask_on_the_bits_of_a_double():
    word = call(bits, Sort.INT, u, name="bits")

    solved(lt(0, integers.bitand(word, int_const(0xFF000))))


def test_square_root_and_floor():
    assert solved(eq(floats.sqrt(u), 12.5))["u"] == 156.25
    assert math.floor(solved(eq(floats.floor(mul(u, 3.7)), 1234))["u"] * 3.7) == 1234


def test_a_function_that_raises_outside_its_domain():
    found = solved(lt(floats.sqrt(sub(u, 1000.0)), 2.0))

    assert 1000 <= found["u"] < 1004


@pytest.mark.parametrize(
    "sides",
    [
        (java_hash(x, y, z), java_hash(*ints("x2 y2 z2"))),
        (java_hash(int_const(1), y, z), java_hash(int_const(2), *ints("y2 z2"))),
        (
            java_hash(int_const(1234), y, int_const(3141)),
            java_hash(int_const(5678), ints("y2")[0], int_const(3141)),
        ),
        (
            java_hash(int_const(1234), int_const(bits(3.14159e123)), int_const(3141)),
            java_hash(x, y, z),
        ),
        (
            java_hash(int_const(1234), int_const(bits(3.14159e123)), int_const(3141)),
            java_hash(int_const(5678), y, z),
        ),
    ],
    ids=["six free", "first fixed", "only the halves free", "against a constant", "first unequal"],
)
def test_hash_collisions(sides):
    different = [ne(x, ints("x2")[0])] if "x2" in str(sides[1]) else []

    solved(eq(*sides), *different)


def test_a_multiplicative_hash_under_a_mask():
    product = mul(x, 2654435761)

    found = solved(eq(integers.bitand(product, int_const(0xFFFF)), 0x1234), lt(0, x))

    assert found["x"] * 2654435761 & 0xFFFF == 0x1234


def test_factors():
    found = solved(eq(mul(x, y), 10403), lt(1, x), lt(1, y))

    assert {found["x"], found["y"]} == {101, 103}


def test_integers_larger_than_any_double_can_tell_apart():
    assert abs(solved(eq(mul(x, x), (10**20 + 39) ** 2))["x"]) == 10**20 + 39


def test_the_dissertations_example():
    """Figure 5.1: simplification commits to a value and fails."""
    solved(eq(x, mul(x, y)), lt(2, x), near={"x": 2, "y": 2})


def test_exact_equality_of_doubles_with_two_unknowns():
    solved(eq(mul(sin(u), v), 0.3), lt(1.0, u), lt(v, 5.0))


def test_an_equation_that_is_touched_but_not_crossed():
    solved(eq(add(mul(sub(u, 1.0), sub(u, 1.0)), mul(sub(v, mul(u, u)), sub(v, mul(u, u)))), 0.0))


def test_a_variable_set_equal_to_an_expression_is_computed():
    found = solved(eq(v, sin(mul(u, 3.0))), lt(0.5, v), eq(s, add(v, 2.0)))

    assert found["v"] == math.sin(found["u"] * 3.0)
    assert found["s"] == found["v"] + 2.0


def test_chained_definitions_are_computed_in_order():
    solved(eq(y, mul(x, x)), eq(z, mul(y, x)), lt(100, z), lt(z, 1000))


def test_either_of_two():
    unreachable = lt(sin(u), -2.0)
    reachable = conjoin([eq(mul(x, y), 77), lt(5, x), lt(x, 20)])

    found = solved(disjoin([unreachable, reachable]))

    assert found["x"] in (7, 11)


def test_if_then_else_inside_arithmetic():
    chosen = choose(lt(0.5, sin(u)), mul(x, x), y)

    found = solved(eq(add(chosen, 3), 147), lt(x, 0), lt(y, 0))

    assert found["x"] == -12
    assert math.sin(found["u"]) > 0.5


def test_a_table_of_constants_at_a_symbolic_index():
    values = [(7 * i * i + 3) % 101 for i in range(30)]
    looked_up = const(values[29])
    for index in reversed(range(29)):
        looked_up = choose(eq(x, index), const(values[index]), looked_up)

    found = solved(*between(0, x, 29), eq(mul(looked_up, y), values[17] * 13), lt(1, y), lt(y, 50))

    assert values[found["x"]] * found["y"] == values[17] * 13


def test_truths():
    found = solved(disjoin([p, eq(mul(x, x), 49)]), negate(p), same_truth(p, q), lt(x, 0))

    assert found == {"p": False, "q": False, "x": -7}


def test_equivalence_with_an_opaque_side():
    solved(same_truth(lt(mul(x, x), 50), lt(sin(u), 0.0)), lt(100, mul(x, y)), lt(y, 5))


def test_text_as_code_points():
    codes = [code for name in "abc" for code in ints(name)]
    number = call(lambda *a: int("".join(map(chr, a))), Sort.INT, *codes, name="number")
    ranges = [bound for code in codes for bound in between(0, code, 0x10FFFF)]

    found = solved(*ranges, eq(number, 742))

    assert int("".join(chr(found[name]) for name in "abc")) == 742


def test_nan_infinity_and_absorption():
    assert math.isnan(solved(ne(u, u))["u"])
    solved(floats.is_inf(mul(u, v)), lt(u, 1e200))
    solved(eq(add(u, 1.0), u))


def test_an_integer_and_a_double_meet():
    found = solved(eq(mul(floats.to_float(x), u), 10.0), lt(2, x), *between(1.0, u, 2.0))

    assert found["x"] * found["u"] == 10.0


def test_every_variable_of_near_is_named_and_those_not_needed_keep_their_value():
    near = {"u": 0.0, "x": 7, "other": "text", "y": 5}

    found = solved(lt(0.9, sin(u)), eq(mul(x, x), 49), near=near)

    assert found.keys() == near.keys()
    assert (found["x"], found["other"], found["y"]) == (7, "text", 5)


def test_near_is_the_answer_where_it_satisfies_everything():
    near = {"u": 1.5}

    assert solved(lt(0.9, sin(u)), near=near) == near


def test_linear_contradictions_are_proved_and_the_core_is_named():
    conditions = (lt(0.9, sin(u)), lt(y, 3), lt(5, y), lt(x, 2))

    answer = Walk().solve(path(*conditions), {})

    assert isinstance(answer, Unsat)
    assert set(answer.core) == {lt(y, 3), lt(5, y)}


def test_linear_constraints_are_decided():
    conditions = [eq(add(mul(x, 3), mul(y, 5)), 7), lt(x, 0), lt(y, 4)]

    solved(*conditions)
    answer = Walk().solve(path(*conditions, lt(3, y)), {})
    assert isinstance(answer, Unsat)


def test_false_is_unsatisfiable():
    assert Walk().solve(path(lt(0.5, sin(u)), FALSE), {}) == Unsat((FALSE,))


def test_what_nothing_satisfies_is_unknown_within_the_time():
    before = time.monotonic()

    answer = Walk(seconds=0.3).solve(path(lt(2.0, sin(u))), {})

    assert isinstance(answer, Unknown)
    assert "points" in answer.reason
    assert time.monotonic() - before < allowed(5)


def test_points_bound_a_query_instead_of_time():
    walk = Walk(points=500, seconds=60)

    assert isinstance(walk.solve(path(lt(2.0, sin(u))), {}), Unknown)
    assert walk.spent == 501


def test_a_function_that_hangs_is_cut_short():
    def slow_below_ten(value):
        while value < 10:
            pass
        return value

    f = call(slow_below_ten, Sort.INT, x, name="slow_below_ten")
    before = time.monotonic()

    found = solved(lt(20, f), near={"x": 15}, call_seconds=0.05)

    assert found["x"] > 20
    assert time.monotonic() - before < allowed(20)


def test_an_application_is_not_repeated_while_searching():
    seen = []

    def remembered(value):
        seen.append(value)
        return (value * 7919) % 1009

    answer = Walk(points=400, seconds=60).solve(
        path(eq(call(remembered, Sort.INT, x, name="remembered"), -1)), {"x": 3}
    )

    assert isinstance(answer, Unknown)
    # The first look at `near` is by plain evaluation, for the whole and for its part.
    assert len(seen) - len(set(seen)) <= 2


def test_an_application_that_raises_something_unusual_is_not_satisfied():
    class Unusual(Exception):
        pass

    def odd(value):
        if value < 100:
            raise Unusual
        return value

    assert solved(lt(5, call(odd, Sort.INT, x, name="odd")))["x"] >= 100


def test_a_random_function_is_never_believed():
    chance = random.Random(1)
    f = call(lambda value: chance.random() + value * 0, Sort.FLOAT, u, name="noise")

    answer = Walk(points=2000, seconds=20).solve(path(lt(f, 1e-3), lt(f, 0.0)), {"u": 0.0})

    assert isinstance(answer, Unknown)


def test_a_variable_of_another_kind_cannot_be_changed():
    thing = var("thing", Sort.OBJECT)
    condition = lt(3, call(len, Sort.INT, thing))

    assert isinstance(Walk().solve(path(condition), {}), Unknown)
    assert isinstance(Walk().solve(path(condition), {"thing": [1, 2, 3, 4]}), Sat)


def test_a_condition_that_nothing_can_change_is_given_up_at_once():
    thing = var("thing", Sort.OBJECT)
    before = time.monotonic()

    answer = Walk(seconds=60).solve(path(lt(3, call(len, Sort.INT, thing))), {"thing": [1]})

    assert answer == Unknown("a condition fails that no variable of the walk can change")
    assert time.monotonic() - before < allowed(5)


def test_values_of_near_are_brought_to_their_sort():
    class Odd(int):
        pass

    found = solved(lt(0.9, sin(u)), eq(mul(x, x), 49), near={"u": 3, "x": Odd(2), "y": True})

    assert type(found["u"]) is float
    assert type(found["x"]) is int
    assert found["y"] is True


def test_the_walk_works_outside_the_main_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(solved(lt(0.9, sin(u)), lt(100.0, u))))

    thread.start()
    thread.join()

    assert found[0]["u"] > 100


def test_earlier_solutions_are_starting_points():
    def digest(value):
        return int.from_bytes(hashlib.sha256(str(value).encode()).digest()[:2], "big") >> 6

    rare = [*between(0, x, 10**6), eq(call(digest, Sort.INT, x, name="digest"), 0x2BC)]
    longer = [*rare, lt(0.9, sin(add(u, floats.to_float(x))))]
    remembering = without = 0
    for seed in range(4):
        walk, fresh = Walk(seed=seed, seconds=30), Walk(seed=seed, seconds=30)
        assert isinstance(walk.solve(path(*rare), {"x": 0}), Sat)
        for_the_first = walk.spent
        assert isinstance(walk.solve(path(*longer), {"x": 0, "u": 1.0}), Sat)
        assert isinstance(fresh.solve(path(*longer), {"x": 0, "u": 1.0}), Sat)
        remembering += walk.spent - for_the_first
        without += fresh.spent

    assert remembering < without / 3


def test_the_same_seed_gives_the_same_answer_under_every_hash_seed():
    program = (
        "import math\n"
        "from building import call, doubles, eq, ints, lt, mul, path\n"
        "from symcrete.solve.walk.walk import Walk\n"
        "from symcrete.terms.term import Sort\n"
        "x, y = ints('x y'); u, v = doubles('u v')\n"
        "sine = call(math.sin, Sort.FLOAT, mul(u, v))\n"
        "conditions = [eq(mul(x, y), 1147), lt(1, x), lt(x, y), lt(0.99, sine), lt(u, v), lt(3.0, u)]\n"
        "walk = Walk(seed=3, seconds=60)\n"
        "print(walk.solve(path(*conditions), {}), walk.spent)\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }

    assert len(outputs) == 1
    assert "Sat" in outputs.pop()


@pytest.mark.parametrize("move", sorted(MOVES))
def test_no_move_is_indispensable_for_an_easy_constraint(move):
    solved(lt(0.9, sin(u)), lt(100.0, u), moves=MOVES - {move})


def test_long_paths_do_not_slow_the_walk_down():
    codes = [var(f"s{i}", Sort.INT) for i in range(40)]
    near = {f"s{i}": 40 + i for i in range(40)}
    prefix = [bound for code in codes for bound in between(0, code, 0x10FFFF)]
    prefix += [lt(code, 100 + i) for i, code in enumerate(codes)]
    prefix += [le(10, code) for code in codes]
    checksum = call(
        lambda *a: zlib.crc32("".join(map(chr, a)).encode()), Sort.INT, *codes, name="crc"
    )
    before = time.monotonic()

    found = solved(*prefix, eq(integers.bitand(checksum, int_const(255)), 77), near=near)

    assert time.monotonic() - before < allowed(5)
    assert found.keys() == near.keys()
