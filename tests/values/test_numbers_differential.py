"""Every operation on tracked ints, bools and floats does what CPython does, and its term too.

For each operation and random or boundary operands: the same value, type or exception as CPython; the term
evaluates to that value; and for a second input that satisfies the recorded conditions, the term gives what CPython
computes for that input. The last is what makes an answer of the solver mean something.
"""

import math
import operator
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from symcrete.program.source.sites import SiteTable
from symcrete.terms.evaluate import all_hold, evaluate
from symcrete.terms.term import Sort, var
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import concolic_float, concolic_int, tracked, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.recording import Recording, activate, held
from symcrete.values.tracking.subscripts import item
from symcrete.values.tracking.truth import truth
from symcrete.values.vocabulary.vocabulary import LISTED, use

use(LISTED)
PER_OPERATION = 3500
INTS = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    8,
    10,
    -10,
    63,
    64,
    255,
    256,
    2**31,
    -(2**31),
    2**53 + 1,
    2**63,
    10**20,
]
INTS += [-(10**20), 2**1023, 2**1024, -(2**1024)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 0.2, 0.3, 0.5, 1.5, 2.5, -2.5, 1e308, -1e308, 5e-324, 1e-300]
FLOATS += [math.inf, -math.inf, math.nan, 2.0**53, 2.0**63, 1e22, 3.0, 100.0]


def _called(function: Callable[..., Any], *operands: Any) -> Any:
    """What rewritten code gets for a call of the function."""
    return callee(function)(*operands)


BINARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    name: (getattr(operator, name), OPERATORS[name])
    for name in [
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "lshift",
        "rshift",
        "and_",
        "or_",
        "xor",
        "lt",
        "le",
        "gt",
        "ge",
        "eq",
        "ne",
    ]
}
_CALLED: dict[str, Callable[..., Any]] = {
    "divmod": divmod,
    "min": min,
    "max": max,
    "math.atan2": math.atan2,
    "math.copysign": math.copysign,
    "math.fmod": math.fmod,
    "math.hypot": math.hypot,
    "math.gcd": math.gcd,
    "math.pow": math.pow,
}
BINARY |= {name: (function, partial(_called, function)) for name, function in _CALLED.items()}
BINARY["in"] = (lambda a, b: a in (b, 3, 5), lambda a, b: OPERATORS["in_"](a, (b, 3, 5)))
BINARY["is"] = (
    lambda a, b: (a > 0) is (b > 0),
    lambda a, b: OPERATORS["is_"](OPERATORS["gt"](a, 0), OPERATORS["gt"](b, 0)),
)
BINARY["sum"] = (lambda a, b: sum([a, b, 1]), lambda a, b: callee(sum)([a, b, 1]))
BINARY["truth and"] = (
    lambda a, b: (a > 1) & (b > 1),
    lambda a, b: OPERATORS["and_"](OPERATORS["gt"](a, 1), OPERATORS["gt"](b, 1)),
)
BINARY["truth plus"] = (
    lambda a, b: (a > 1) + (b == 2),
    lambda a, b: OPERATORS["add"](OPERATORS["gt"](a, 1), OPERATORS["eq"](b, 2)),
)
UNARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "neg": (operator.neg, operator.neg),
    "pos": (operator.pos, operator.pos),
    "invert": (operator.invert, operator.invert),
    "not": (operator.not_, OPERATORS["not_"]),
    "bit_length": (lambda a: a.bit_length(), lambda a: a.bit_length()),
    "bit_count": (lambda a: a.bit_count(), lambda a: a.bit_count()),
    "is_integer": (lambda a: float(a).is_integer(), lambda a: callee(float)(a).is_integer()),
    "square": (lambda a: a**2, lambda a: a**2),
    "inverse": (lambda a: a**-1, lambda a: a**-1),
    "shift": (lambda a: a << 3, lambda a: a << 3),
    "unshift": (lambda a: a >> 2, lambda a: a >> 2),
    "low bits": (lambda a: a & 0xFF, lambda a: a & 0xFF),
    "table": (lambda a: (5, 6, 7)[a], lambda a: item((5, 6, 7), a)),
    "look-up": (lambda a: {1: 5, 2: 6}[a], lambda a: item({1: 5, 2: 6}, a)),
    "round 2": (lambda a: round(a, 2), lambda a: callee(round)(a, 2)),
    "modular power": (lambda a: pow(a, 3, 7), lambda a: callee(pow)(a, 3, 7)),
}
for _function in (
    abs,
    int,
    float,
    bool,
    round,
    math.floor,
    math.ceil,
    math.trunc,
    math.sqrt,
    math.fabs,
):
    UNARY[_function.__name__] = (_function, lambda a, f=_function: callee(f)(a))
for _name in [
    "isnan",
    "isinf",
    "isfinite",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "log2",
    "log10",
    "atan",
    "asin",
    "degrees",
    "isqrt",
]:
    _function = getattr(math, _name)
    UNARY[f"math.{_name}"] = (_function, lambda a, f=_function: callee(f)(a))


def _draw(random: Random) -> Any:
    kind = random.random()
    if kind < 0.3:
        return random.choice(INTS)
    if kind < 0.5:
        return random.randint(-30, 30)
    if kind < 0.55:
        return random.random() < 0.5
    if kind < 0.8:
        return random.choice(FLOATS)
    return random.uniform(-50, 50)


def _second(random: Random, first: Any) -> Any:
    """Another input of the same type."""
    if type(first) is bool:
        return random.random() < 0.5
    if type(first) is int:
        return random.choice(
            [random.choice(INTS), random.randint(-30, 30), first + random.randint(-2, 2)]
        )
    return random.choice([random.choice(FLOATS), random.uniform(-50, 50)])


def _track(name: str, value: Any) -> Any:
    if type(value) is bool:
        return truth(value, var(name, Sort.BOOL))
    if type(value) is int:
        return concolic_int(value, var(name, Sort.INT))
    return concolic_float(value, var(name, Sort.FLOAT))


def _result(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error)


def _shown(value: Any) -> Any:
    """A value with its type, nan and the sign of zero; tracked values as what they stand for."""
    if isinstance(value, tuple):
        return tuple([_shown(each) for each in value])
    plain = untracked(value)
    return type(plain), repr(plain)


def _too_large(name: str, args: tuple[Any, ...]) -> bool:
    """Results that would not fit into memory."""
    if name in ("lshift", "rshift", "pow", "inverse"):
        return any(isinstance(each, int) and abs(each) > 300 for each in args)
    return False


def _check(
    name: str, plain: Any, model: Any, record: Recording, random: Random, count: int
) -> None:
    inputs = [_draw(random) for _ in range(count)]
    if _too_large(name, tuple(inputs)):
        return
    record.start()
    marks = [random.random() < 0.75 for _ in inputs]
    if not any(marks):
        marks[0] = True
    names = ["x", "y"]
    values = [_track(n, v) if m else v for n, v, m in zip(names, inputs, marks, strict=False)]

    expected = _result(plain, *inputs)
    actual = _result(model, *values)

    case = f"{name}{tuple(inputs)} tracked {marks}"
    assert _shown(actual) == _shown(expected), case
    conditions = [held(event) for event in record.events]
    assignment = {n: v for n, v, m in zip(names, inputs, marks, strict=False) if m}
    assert all_hold(conditions, assignment), f"{case}: {conditions}"
    parts = list(actual) if isinstance(actual, tuple) else [actual]
    for part in parts:
        if tracked(part):
            assert _shown(evaluate(part.term, assignment)) == _shown(part), case
    if record.losses:
        return
    others = [_second(random, v) if m else v for v, m in zip(inputs, marks, strict=True)]
    other = {n: v for n, v, m in zip(names, others, marks, strict=False) if m}
    if _too_large(name, tuple(others)) or not all_hold(conditions, other):
        return
    theirs = _result(plain, *others)
    if isinstance(theirs, type):
        assert isinstance(actual, type), f"{case} predicts no error for {others}"
        return
    assert not isinstance(actual, type), f"{case} predicts an error for {others}"
    for part, wanted in zip(parts, theirs if isinstance(theirs, tuple) else [theirs], strict=True):
        got = evaluate(part.term, other) if tracked(part) else part
        assert _shown(got) == _shown(wanted), f"{case} then {others}"


def check_operation(name: str, inputs: int) -> None:
    """Try an operation on so many inputs."""
    record = Recording(SiteTable())
    former = activate(record)
    random = Random(name)
    plain, model = BINARY.get(name) or UNARY[name]
    try:
        for _ in range(inputs):
            _check(name, plain, model, record, random, 2 if name in BINARY else 1)
    finally:
        activate(former)


@pytest.mark.parametrize("name", [*BINARY, *UNARY])
def test_a_tracked_operation_agrees_with_cpython(name: str) -> None:
    check_operation(name, PER_OPERATION)


def test_the_operations_add_up_to_200_000() -> None:
    assert (len(BINARY) + len(UNARY)) * PER_OPERATION >= 200_000
