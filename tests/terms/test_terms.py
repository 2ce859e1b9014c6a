"""Terms are interned, stay small, and evaluate and show as the expression they stand for."""

import sys
import threading
from random import Random

from symcrete.terms import floats, integers
from symcrete.terms.evaluate import all_hold, compiled, evaluate, first_broken, holds
from symcrete.terms.logic import choose, conjoin, disjoin, negate
from symcrete.terms.show import show, show_all
from symcrete.terms.term import FALSE, TRUE, Sort, Term, const, int_const, var
from symcrete.terms.visit import names

X, Y = var("x", Sort.INT), var("y", Sort.INT)
F = var("f", Sort.FLOAT)


def test_terms_built_alike_are_one_object() -> None:
    assert integers.add(X, Y) is integers.add(Y, X)
    assert integers.lt(X, Y) is integers.lt(X, Y)
    assert negate(negate(integers.lt(X, Y))) is integers.lt(X, Y)


def test_a_condition_and_its_negation_share_one_node() -> None:
    assert negate(integers.le(X, Y)) is integers.lt(Y, X)
    assert integers.lt(X, int_const(5)) is integers.le(X, int_const(4))


def test_signed_zeros_and_nan_are_constants_of_their_own() -> None:
    assert const(0.0) is not const(-0.0)
    assert const(float("nan")) is const(float("nan"))
    assert const(1) is not const(True)
    assert const(1) is not const(1.0)


def test_subtracting_in_a_loop_does_not_grow_the_term() -> None:
    term = X
    for _ in range(1000):
        term = integers.sub(term, Y)

    assert term.size <= 4
    assert show(term) == "x - 1000 * y"


def test_adding_up_a_long_list_stays_linear() -> None:
    total: Term = int_const(0)
    for i in range(3000):
        total = integers.add(total, var(f"e{i}", Sort.INT))

    assert evaluate(total, {f"e{i}": i for i in range(3000)}) == sum(range(3000))


def test_a_sum_that_cancels_is_a_constant() -> None:
    assert integers.sub(integers.add(X, int_const(3)), X) is int_const(3)
    assert integers.lt(X, integers.add(X, int_const(1))) is TRUE
    assert integers.eq(integers.scale(X, 2), int_const(5)) is FALSE


def _random_int_term(random: Random, depth: int) -> tuple[Term, str]:
    """A term, and the Python expression it must be equal to."""
    if depth == 0:
        value = random.randint(-6, 6)
        return random.choice([(X, "x"), (Y, "y"), (int_const(value), f"({value})")])
    (a, ta), (b, tb) = _random_int_term(random, depth - 1), _random_int_term(random, depth - 1)
    return random.choice(
        [
            (integers.add(a, b), f"({ta} + {tb})"),
            (integers.sub(a, b), f"({ta} - {tb})"),
            (integers.mul(a, b), f"({ta} * {tb})"),
            (integers.bitand(a, b), f"({ta} & {tb})"),
            (integers.bitor(a, b), f"({ta} | {tb})"),
            (integers.bitxor(a, b), f"({ta} ^ {tb})"),
            (integers.neg(a), f"(-{ta})"),
            (integers.invert(a), f"(~{ta})"),
            (integers.absolute(a), f"abs({ta})"),
            (integers.mod(a, int_const(7)), f"({ta} % 7)"),
            (integers.floordiv(a, int_const(-3)), f"({ta} // -3)"),
            (choose(integers.lt(a, b), a, b), f"({ta} if {ta} < {tb} else {tb})"),
        ]
    )


def test_random_integer_terms_evaluate_compile_and_show_alike() -> None:
    random = Random(1)
    for _ in range(3000):
        term, text = _random_int_term(random, random.randint(0, 4))
        inputs = {"x": random.randint(-50, 50), "y": random.randint(-50, 50)}
        expected = eval(text, dict(inputs))

        assert evaluate(term, inputs) == expected, text
        assert compiled([term])(inputs) == expected, text
        assert eval(show(term), dict(inputs)) == expected, (text, show(term))


def test_random_comparisons_evaluate_and_show_alike() -> None:
    random = Random(2)
    operators = {"<": integers.lt, "<=": integers.le, "==": integers.eq}
    for _ in range(3000):
        (a, ta), (b, tb) = _random_int_term(random, 2), _random_int_term(random, 2)
        sign, build = random.choice(list(operators.items()))
        inputs = {"x": random.randint(-9, 9), "y": random.randint(-9, 9)}
        expected = eval(f"{ta} {sign} {tb}", dict(inputs))
        term = build(a, b)

        assert evaluate(term, inputs) is expected
        assert evaluate(negate(term), inputs) is not expected
        assert eval(show(term), dict(inputs)) == expected


def test_deep_terms_do_not_exhaust_the_stack() -> None:
    term = X
    for _ in range(20_000):
        term = integers.add(integers.mul(term, Y), X)

    assert evaluate(integers.eq(term, X), {"x": 3, "y": 0}) is True
    assert names(term) == {"x", "y"}


def test_a_shared_part_that_may_raise_is_computed_only_where_it_is_used() -> None:
    quotient = integers.floordiv(X, Y)
    for _ in range(80):
        quotient = integers.add(integers.mul(quotient, quotient), int_const(0))
        quotient = integers.mod(quotient, int_const(1000))
    guarded = choose(integers.eq(Y, int_const(0)), int_const(-1), quotient)

    assert evaluate(guarded, {"x": 5, "y": 0}) == -1


def test_integers_compare_with_doubles_exactly() -> None:
    assert floats.lt(X, const(2.5)) is integers.le(X, int_const(2))
    assert floats.le(const(2.5), X) is integers.le(int_const(3), X)
    assert floats.eq(X, const(2.5)) is FALSE
    assert floats.lt(X, const(float("nan"))) is FALSE
    assert floats.lt(X, const(float("inf"))) is TRUE
    big = 2**53 + 1
    assert evaluate(floats.eq(X, F), {"x": big, "f": float(big)}) is False


def test_a_condition_that_cannot_be_computed_does_not_hold() -> None:
    quotient = integers.eq(integers.floordiv(X, Y), int_const(1))

    assert not holds(quotient, {"x": 1, "y": 0})
    assert first_broken([TRUE, quotient], {"x": 1, "y": 0}) is quotient
    assert all_hold([quotient], {"x": 3, "y": 2})


def test_conjunctions_and_disjunctions_are_simplified() -> None:
    small = integers.lt(X, int_const(5))

    assert conjoin([small, small, TRUE]) is small
    assert conjoin([small, negate(small)]) is FALSE
    assert disjoin([small, negate(small)]) is TRUE
    assert disjoin([]) is FALSE


def test_conditions_read_as_a_person_would_write_them() -> None:
    assert show(integers.lt(int_const(50), X)) == "x > 50"
    assert show(integers.lt(X, Y)) == "x < y"
    assert show(negate(integers.eq(X, Y))) == "x != y"
    assert show_all([integers.lt(X, Y), integers.le(int_const(1), X)]) == "x < y and x > 0"


def test_a_value_used_twice_at_every_level_is_computed_once_at_each() -> None:
    term = X
    for _ in range(60):
        half = integers.floordiv(term, Y)
        term = choose(integers.lt(half, X), integers.add(half, term), half)

    assert isinstance(evaluate(term, {"x": 10**40, "y": 3}), int)


def test_a_power_too_large_to_compute_is_refused_at_once() -> None:
    huge = {"x": 10**7, "y": 10**9}

    assert not holds(integers.eq(integers.power(X, Y), int_const(1)), huge)
    assert not holds(integers.eq(integers.lshift(X, Y), int_const(1)), huge)
    assert evaluate(integers.power(X, Y), {"x": -1, "y": 10**9}) == 1


def test_threads_that_make_the_same_terms_at_once_have_the_same_objects() -> None:
    number, waiting = 10_000, threading.Barrier(2)
    made: list[list[Term]] = [[], []]

    def make(into: list[Term]) -> None:
        waiting.wait(timeout=10)
        into.extend([int_const(7_000_000 + each) for each in range(number)])

    former = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # seconds: a switch between almost any two instructions
    try:
        threads = [threading.Thread(target=make, args=(into,)) for into in made]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(former)

    assert all(one is other for one, other in zip(*made, strict=True))
