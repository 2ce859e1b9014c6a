"""Built-ins on numbers: int, float, bool, abs, divmod, pow, round, min, max, sum."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from symcrete.terms import floats, integers
from symcrete.terms.logic import choose
from symcrete.terms.operations import opaque
from symcrete.terms.term import Sort, Term, int_const, intern
from symcrete.values.containers.sets import compared, elements, in_turn
from symcrete.values.rows.model_rows import Model, ModelRow, Transparent
from symcrete.values.rows.tables import TEXTS, TO_FLOAT, TO_INT, family_of
from symcrete.values.tracking.arithmetic import BINARY, modular_power, number, to_int
from symcrete.values.tracking.comparing import traced
from symcrete.values.tracking.followed import is_followed
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import (
    ConcolicFloat,
    ConcolicInt,
    concolic_float,
    concolic_int,
    float_of,
    int_term,
    note_fits_float,
    number_term,
    pinned,
    tracked,
    untracked,
)
from symcrete.values.tracking.operators import OPERATORS, truth_of
from symcrete.values.tracking.subscripts import MOST_IN_ONE_TERM
from symcrete.values.tracking.truth import Truth


def int_model(*args: Any, **kwargs: Any) -> Any:
    if args and type(args[0]) in TEXTS and type(args[0]) in TO_INT:
        return TO_INT[type(args[0])](*args, **kwargs)  # with a base, perhaps
    if len(args) == 1 and not kwargs:
        value = args[0]
        kind = type(value)
        if kind is ConcolicInt:
            return value
        if kind is Truth:
            return +value
        if kind is ConcolicFloat:
            return to_int(value, int, floats.trunc)
        if kind in TO_INT:
            return TO_INT[kind](value)
        if _is_own(kind, "__int__"):
            return own_number(value, "__int__", int)
    return foreign(int, *args, **kwargs)


def _is_own(kind: type, name: str) -> bool:
    """Whether the program's own code converts values of this class by the method `name`."""
    return is_followed(getattr(kind, name, None))


def own_number(value: Any, name: str, wanted: type) -> Any:
    """What the program's own conversion method gives, with its term; TypeError if that is not
    `wanted`.
    """
    found = getattr(type(value), name)(value)
    if not isinstance(untracked(found), wanted):
        kinds = f"{wanted.__name__} (type {type(untracked(found)).__name__})"
        raise TypeError(f"{name} returned non-{kinds}")
    return callee(wanted)(found) if type(found) not in (ConcolicInt, ConcolicFloat) else found


def float_model(*args: Any) -> Any:
    if len(args) == 1:
        value = args[0]
        kind = type(value)
        if kind is ConcolicFloat:
            return value
        if kind is ConcolicInt or kind is Truth:
            value = +value
            return concolic_float(*float_of(value, value.term))
        if kind in TO_FLOAT:
            return TO_FLOAT[kind](value)
        if _is_own(kind, "__float__"):
            return own_number(value, "__float__", float)
    return foreign(float, *args)


def bool_model(*args: Any) -> Any:
    return truth_of(args[0]) if len(args) == 1 else bool(*args)


def divmod_model(left: Any, right: Any) -> Any:
    return _binary("divmod", divmod, left, right)


def pow_model(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return OPERATORS["pow"](base, exp)
    known = any(tracked(each) and int_term(each) is not None for each in (base, exp, mod))
    return modular_power(base, exp, mod) if known else pow(base, exp, mod)


def round_model(number: Any, ndigits: Any = None) -> Any:
    """`round(number, ndigits)` with a tracked number of digits pinned: Python would take it for a
    plain one.
    """
    return round(number, pinned(ndigits)) if ndigits is not None else round(number)


def _binary(name: str, original: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if tracked(left) or tracked(right):
        a, b = number_term(left), number_term(right)
        if a is not None and b is not None:
            return BINARY[name](left, right, a, b)
    return original(left, right)


def min_model(*args: Any, **kwargs: Any) -> Any:
    return _extreme(min, "lt", args, kwargs)


def max_model(*args: Any, **kwargs: Any) -> Any:
    return _extreme(max, "gt", args, kwargs)


def _extreme(original: Callable[..., Any], better: str, args: Any, kwargs: dict[str, Any]) -> Any:
    """`min` or `max`: one term for few numbers of one kind, else a comparison for each element, as
    the built-in does it.
    """
    if (
        not args
        or not kwargs.keys() <= {"key", "default"}
        or (len(args) > 1 and "default" in kwargs)
    ):
        return original(*args, **kwargs)  # refuses
    key = kwargs.get("key")
    items = compared(args[0], key) if len(args) == 1 else list(args)
    if not items:
        return original(items, **kwargs)
    if key is None:
        if not any(traced(each) for each in items):
            return original(items)
        kinds = {type(each) for each in items}
        if len(items) <= MOST_IN_ONE_TERM and (
            kinds <= {int, ConcolicInt} or kinds <= {float, ConcolicFloat}
        ):
            return _extreme_term(original, better, items)
    wins, known = OPERATORS[better], callee(key) if key is not None else None
    best = items[0]
    record = known(best) if known is not None else best
    for each in items[1:]:
        value = known(each) if known is not None else each
        if truth_of(wins(value, record)):
            best, record = each, value
    return best


def _extreme_term(original: Callable[..., Any], better: str, items: list[Any]) -> Any:
    terms = [number_term(each) for each in items]
    less = integers.lt if type(items[0]) in (int, ConcolicInt) else floats.lt
    best = terms[0]
    assert best is not None
    for term in terms[1:]:
        assert term is not None
        wins = less(term, best) if better == "lt" else less(best, term)
        best = choose(wins, term, best)
    return number(original([untracked(each) for each in items]), best)


# Classes of numbers that are added without rounding.
_WHOLE = frozenset({int, bool, ConcolicInt, Truth})


def sum_model(iterable: Any, /, start: Any = 0) -> Any:
    items = elements(iterable)
    if family_of(type(iterable)) == "set" and not _WHOLE.issuperset(map(type, (start, *items))):
        items = in_turn(iterable)  # only the sum of whole numbers is the same in any order
    if not any(tracked(each) for each in items) and not tracked(start):
        return sum(items, start)
    sum((), untracked(start))  # raises for texts, which are to be joined
    if any(type(each) in (float, ConcolicFloat) for each in (start, *items)):
        return _float_sum(items, start)
    add, total = OPERATORS["add"], start
    for each in items:
        total = add(total, each)
    return total


def prod_model(iterable: Any, /, *, start: Any = 1) -> Any:
    items = in_turn(iterable)
    if not any(tracked(each) for each in items) and not tracked(start):
        return math.prod(items, start=start)
    times, total = OPERATORS["mul"], start
    for each in items:
        total = times(total, each)
    return total


def hash_model(value: Any, /) -> Any:
    """`hash(value)`: that of an int is the int modulo a prime, and -2 for -1, which is how C code
    says that it failed.
    """
    if type(value) is not ConcolicInt and type(value) is not Truth:
        return foreign(hash, value)
    number_: Any = +value
    rest = integers.mod(integers.absolute(number_.term), int_const(sys.hash_info.modulus))
    signed = choose(integers.lt(number_.term, int_const(0)), integers.neg(rest), rest)
    term = choose(integers.eq(signed, int_const(-1)), int_const(-2), signed)
    return concolic_int(hash(untracked(number_)), term)


def _float_sum(items: list[Any], start: Any) -> Any:
    """The sum as one application of `sum`: since 3.12 it adds floats with a compensation, unlike
    `+`.
    """
    terms: list[Term] = []
    for each in (start, *items):
        term = number_term(each)
        if term is None:
            return sum(items, start)
        if term.sort is Sort.INT:
            note_fits_float(each, term)
        terms.append(term)
    value = sum([untracked(each) for each in items], untracked(start))
    return number(value, intern(_SUM, tuple(terms)))


def _summed(start: Any, *items: Any) -> Any:
    return sum(items, start)


_SUM = opaque(_summed, Sort.FLOAT, "sum")


MODELS: tuple[ModelRow, ...] = (
    Transparent(abs),
    Model(round, round_model),
    Model(int, int_model),
    Model(float, float_model),
    Model(bool, bool_model),
    Model(divmod, divmod_model),
    Model(pow, pow_model),
    Model(min, min_model),
    Model(max, max_model),
    Model(sum, sum_model),
    Model(math.prod, prod_model),
    Model(hash, hash_model),
)
