"""The `math` module: what floats can express exactly as terms, the rest as opaque applications."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from symcrete.terms import floats
from symcrete.terms.logic import conjoin, negate
from symcrete.terms.operations import opaque
from symcrete.terms.term import FALSE, TRUE, Operation, Sort, Term, const, intern
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.tracking import recording
from symcrete.values.tracking.arithmetic import to_int
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import (
    ConcolicFloat,
    ConcolicInt,
    concolic_float,
    concolic_int,
    float_of,
    number_term,
    tracked,
    untracked,
)
from symcrete.values.tracking.truth import Truth, truth


def applied(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Call a pure function of numbers; the term of the result is its application, and that it
    raises is a branch.
    """
    if not any(tracked(arg) for arg in args):
        return function(*args)
    terms: list[Term] = []
    for arg in args:
        term = number_term(arg)
        if term is None:
            return foreign(function, *args)
        terms.append(term)
    plain = [untracked(arg) for arg in args]
    name = f"{function.__module__}.{function.__name__}"
    error = _error_of(function, plain)
    well = intern(opaque(_Succeeds(function), Sort.BOOL, f"{name}.succeeds"), tuple(terms))
    if not recording.active().implicit("ValueError", well, error is None):
        raises = lambda each: intern(_raises(function, name, each), tuple(terms))
        recording.active().fork("error", (function, *terms), error, raises)
    value = function(*plain)
    kind = type(value)
    if kind is float:
        return concolic_float(value, intern(opaque(function, Sort.FLOAT, name), tuple(terms)))
    if kind is int:
        return concolic_int(value, intern(opaque(function, Sort.INT, name), tuple(terms)))
    if kind is bool:
        return truth(value, intern(opaque(function, Sort.BOOL, name), tuple(terms)))
    recording.active().lose(f"{name}()")
    return value


class _Succeeds:
    """Tells whether a function returns for some arguments; there is one object for each function,
    so that the same question is the same term.
    """

    made: dict[Any, _Succeeds] = {}  # noqa: RUF012

    def __new__(cls, function: Callable[..., Any]) -> _Succeeds:
        found = cls.made.get(function)
        if found is None:
            found = cls.made[function] = super().__new__(cls)
            found.function = function
        return found

    function: Callable[..., Any]

    def __call__(self, *args: Any) -> bool:
        return _error_of(self.function, list(args)) is None


def _raises(function: Callable[..., Any], name: str, error: str) -> Operation:
    """The operation that tells whether a function raises an exception of this class; always the
    same for one function.
    """
    found = _RAISES.get((function, error))
    if found is None:
        test = lambda *args: _error_of(function, list(args)) == error
        found = opaque(test, Sort.BOOL, f"{name}.raises_{error}")
        _RAISES[(function, error)] = found
    return found


_RAISES: dict[tuple[Any, str], Operation] = {}


def _error_of(function: Callable[..., Any], args: list[Any]) -> str | None:
    try:
        function(*args)
    except Exception as error:
        return type(error).__name__
    return None


def _opaque_model(function: Callable[..., Any]) -> Model:
    """The model of a function whose result is an opaque application of it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return foreign(function, *args, **kwargs) if kwargs else applied(function, args)

    return Model(function, call)


def _rounding(function: Callable[[Any], int], build: Callable[[Term], Term]) -> Model:
    """The model of `math.floor` and the like: floats become ints by the term that `build` makes."""

    def call(value: Any) -> Any:
        if type(value) is ConcolicFloat:
            return to_int(value, function, build)
        if type(value) in (ConcolicInt, Truth):
            return +value
        return function(value)

    return Model(function, call)


def _predicate(function: Callable[[Any], bool], build: Callable[[Term], Term]) -> Model:
    """The model of `math.isnan` and the like, whose condition is the term that `build` makes."""

    def call(value: Any) -> Any:
        term = number_term(value) if tracked(value) else None
        if term is None:
            return function(value)
        number, term = float_of(value, term)
        return truth(function(untracked(number)), build(term))

    return Model(function, call)


def _is_finite(term: Term) -> Term:
    return conjoin([negate(floats.is_nan(term)), negate(floats.is_inf(term))])


def fabs_model(value: Any) -> Any:
    """`math.fabs(value)`, exactly."""
    if not tracked(value):
        return math.fabs(value)
    number, term = float_of(value, number_term(value) or FALSE)
    return concolic_float(math.fabs(untracked(number)), floats.absolute(term))


def sqrt_model(value: Any) -> Any:
    """`math.sqrt(value)`, exactly; that the value is not negative is a branch."""
    if not tracked(value):
        return math.sqrt(value)
    number, term = float_of(value, number_term(value) or TRUE)
    plain = untracked(number)
    negative = floats.lt(term, const(0.0))
    recording.active().implicit("ValueError", negate(negative), not plain < 0)
    return concolic_float(math.sqrt(plain), floats.sqrt(term))


_OPAQUE = (  # some only in newer versions of Python
    "acos acosh asin asinh atan atan2 atanh cbrt comb copysign cos cosh degrees erf erfc exp "
    "exp2 expm1 factorial fmod frexp gamma gcd hypot isqrt lcm ldexp lgamma log log10 log1p "
    "log2 modf nextafter perm pow radians remainder sin sinh tan tanh ulp fma isclose"
)
MODELS: tuple[ModelRow, ...] = (
    *[_opaque_model(getattr(math, name)) for name in _OPAQUE.split() if hasattr(math, name)],
    _rounding(math.floor, floats.floor),
    _rounding(math.ceil, floats.ceil),
    _rounding(math.trunc, floats.trunc),
    _predicate(math.isnan, floats.is_nan),
    _predicate(math.isinf, floats.is_inf),
    _predicate(math.isfinite, _is_finite),
    Model(math.fabs, fabs_model),
    Model(math.sqrt, sqrt_model),
)
