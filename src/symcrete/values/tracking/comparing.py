"""Equality and order of values that hold tracked ones, as one condition where that is possible.

`(a, b) == (1, 2)` asked element by element would be a branch for each; as one condition the solver
sees all of it. Where elements have methods of their own (`__eq__`, `__lt__` written by somebody),
they are called in the order and as often as CPython calls them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin, disjoin
from symcrete.terms.term import FALSE, Term, int_const
from symcrete.values.rows.tables import ELEMENTS, EQUALITIES, OPEN, TEXTS, family_of
from symcrete.values.tracking import lengths
from symcrete.values.tracking.numeric import ask_for_one_nan, number_term, tracked
from symcrete.values.tracking.operators import OPERATORS, equal_term, not_, plain_equal, truth_of
from symcrete.values.tracking.recording import silently
from symcrete.values.tracking.truth import truth, truth_term

# classes whose objects are plain and hold no others
ATOMS = frozenset({str, bytes, int, float, bool, type(None), type(Ellipsis), range, type})
DEEPEST_TERM = 8  # levels of nested containers in which terms are looked for; chosen, not measured
_COMPARE = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}


def traced(value: Any, depth: int = 0) -> bool:
    """Whether a value is tracked, or an open container, or one that holds such."""
    kind = type(value)
    if kind in ATOMS:
        return False
    if (kind is tuple or kind is list) and ATOMS.issuperset(map(type, value)):
        return False
    if tracked(value) or kind in TEXTS or (kind in OPEN and value.length is not None):
        return True
    family = family_of(kind)
    if family is None or depth > DEEPEST_TERM:
        return False
    if family == "dict" and any(traced(each, depth + 1) for each in dict.values(value)):
        return True
    if set(map(type, raw(value, family))) <= ATOMS:
        return False
    return any(traced(each, depth + 1) for each in raw(value, family))


def raw(value: Any, family: str) -> Iterator[Any]:
    """The elements of a container in this run; nothing is recorded."""
    return ELEMENTS[family](value)


def raw_set(items: Any) -> Iterator[Any]:
    """The stored elements of a set or frozenset."""
    return set.__iter__(items) if isinstance(items, set) else frozenset.__iter__(items)


def raw_dict(items: Any) -> Iterator[Any]:
    """The stored keys; nothing is recorded, although an OrderedDict hashes them on the way."""
    if type(items) is dict or type(items) in OPEN:
        return dict.__iter__(items)
    return iter(silently(list, items))


def equality(left: Any, right: Any) -> Any:
    """Whether two elements are equal, as a Truth or bool; None where their own `__eq__` has to
    tell.

    As everywhere inside containers, the same object is equal to itself, also if it is a nan.
    """
    if left is right:
        return True
    first, second = number_term(left), number_term(right)
    if first is not None and second is not None:
        condition = equal_term(left, right)
        assert condition is not None
        ask_for_one_nan(left, right, first, second)
        return truth(plain_equal(left, right), condition)
    kind, other = type(left), type(right)
    if kind in TEXTS or other in TEXTS:
        return _texts_equal(left, right, kind, other)
    family = family_of(kind)
    if family is not None and family == family_of(other):
        same_family = EQUALITIES.get(family)
        return None if same_family is None else same_family(left, right)
    if _by_identity(kind, first) and _by_identity(other, second):
        return bool(left == right) if kind in ATOMS and other in ATOMS else False
    return None


def _by_identity(kind: type, number: Term | None) -> bool:
    """Whether a value of this kind can only be equal to values of its own kind, or to itself."""
    if number is not None or kind in ATOMS or family_of(kind) is not None:
        return True
    own: Any = kind.__eq__
    return own is object.__eq__


def _texts_equal(left: Any, right: Any, kind: type, other: type) -> Any:
    """`equality` of two values, of these classes, one of which is a tracked text."""
    known = kind in TEXTS or kind in ATOMS, other in TEXTS or other in ATOMS
    if all(known):
        return truth_of(left == right if kind in TEXTS else right == left)
    both = _by_identity(kind, number_term(left)) and _by_identity(other, number_term(right))
    return False if both or any(family_of(each) is not None for each in (kind, other)) else None


def sequences_equal(left: Any, right: Any) -> Any:
    """Whether two lists or two tuples are equal, as `equality` says it."""
    conditions: list[Term] = []
    if lengths.is_open(right):
        if lengths.is_open(left):
            lengths.fixed(left)
        left, right = right, left
    family = family_of(type(right))
    assert family is not None
    theirs = list(raw(right, family))
    if lengths.is_open(left):
        conditions.append(integers.eq(left.length, int_const(len(theirs))))
        mine = left.first(len(theirs))
        same = lengths.count_of(left) == len(theirs)
    else:
        mine = list(raw(left, family))
        same = len(mine) == len(theirs)
        if not same:
            return False
    for one, two in zip(mine, theirs, strict=True):
        equal = equality(one, two)
        if equal is None:
            return None
        term = truth_term(equal)
        assert term is not None
        if term is FALSE and not conditions:
            return False
        conditions.append(term)
        same = same and int.__bool__(equal)
    return truth(same, conjoin(conditions))


def _equal(left: Any, right: Any) -> Any:
    if not traced(left) and not traced(right):
        return NotImplemented
    found = sequences_equal(left, right)
    return found if found is not None else _in_order(left, right, "eq")


def _differ(left: Any, right: Any) -> Any:
    found = _equal(left, right)
    return found if found is NotImplemented else not_(found)


def _ordered(name: str) -> Callable[[Any, Any], Any]:
    def compare(left: Any, right: Any) -> Any:
        if not traced(left) and not traced(right):
            return NotImplemented
        lengths.fixed_kind(left)
        lengths.fixed_kind(right)
        found = _order_term(left, right, name)
        return found if found is not None else _in_order(left, right, name)

    return compare


def _order_term(left: Any, right: Any, name: str) -> Any:
    """The order of two sequences as a Truth or bool, that of the first two elements that differ;
    None if elements cannot be compared in one condition.
    """
    family = family_of(type(left))
    assert family is not None
    mine, theirs = list(raw(left, family)), list(raw(right, family))
    pairs: list[tuple[Any, Any]] = []
    for one, two in zip(mine, theirs, strict=False):
        equal = equality(one, two)
        if equal is None:
            return None
        if equal is True:
            continue
        order = _element_order(one, two, name)
        if order is None:
            return None
        pairs.append((equal, order))
        if equal is False:
            break
    else:
        pairs.append((False, _COMPARE[name](len(mine), len(theirs))))
    value, term = False, FALSE
    for equal, order in reversed(pairs):
        is_equal, in_order = truth_term(equal), truth_term(order)
        assert is_equal is not None and in_order is not None
        term = choose(is_equal, term, in_order)
        value = value if int.__bool__(equal) else int.__bool__(order)
    return truth(value, term)


def _element_order(left: Any, right: Any, name: str) -> Any:
    if number_term(left) is not None and number_term(right) is not None:
        return truth_of(OPERATORS[name](left, right))
    kind, other = type(left), type(right)
    if kind is other and kind in (str, bytes):
        return _COMPARE[name](left, right)
    if kind in TEXTS and other in TEXTS:
        return truth_of(_COMPARE[name](left, right))
    family = family_of(kind)
    if family in ("list", "tuple") and family == family_of(other):
        lengths.fixed_kind(left)
        lengths.fixed_kind(right)
        return _order_term(left, right, name)
    return None


def _in_order(left: Any, right: Any, name: str) -> Any:
    """Compare two sequences as CPython does: find the first two elements that differ, compare
    these.
    """
    lengths.fixed_kind(left)
    lengths.fixed_kind(right)
    family = family_of(type(left))
    size, item = (list.__len__, list.__getitem__) if family == "list" else (len, tuple.__getitem__)
    if name in ("eq", "ne") and size(left) != size(right):
        return name == "ne"
    index = 0
    while index < size(left) and index < size(right):
        one, two = item(left, index), item(right, index)
        if not same(one, two):
            return False if name == "eq" else OPERATORS[name](one, two)
        index += 1
    return _COMPARE[name](size(left), size(right))


def same(left: Any, right: Any) -> bool:
    """`left is right or left == right` as a plain bool; where it depends on the input, that is a
    branch.
    """
    if left is right:
        return True
    equal = equality(left, right)
    return bool(OPERATORS["eq"](left, right) if equal is None else equal)


def member(value: Any, elements: list[Any]) -> Any:
    """Whether a value is among the elements, as a Truth or bool; None if each has to be asked."""
    conditions: list[Term] = []
    found = False
    for each in elements:
        equal = equality(each, value)
        if equal is None:
            return None
        if equal is True and not conditions:
            return True
        term = truth_term(equal)
        assert term is not None
        if term is not FALSE:
            conditions.append(term)
        found = found or int.__bool__(equal)
    return truth(found, disjoin(conditions))


def contains(container: Any, value: Any) -> Any:
    """`value in container` for a list or tuple, as a Truth or bool; NotImplemented if nothing is
    tracked.
    """
    if not traced(value) and not traced(container):
        return NotImplemented
    family = family_of(type(container))
    assert family is not None
    lengths.fixed_kind(container)
    found = member(value, list(raw(container, family)))
    if found is None:
        return any(same(each, value) for each in raw(container, family))
    return found


# How two lists, or two tuples, meet in a comparison.
COMPARISONS_OF_SEQUENCES: dict[str, Callable[[Any, Any], Any]] = {
    "eq": _equal,
    "ne": _differ,
    "lt": _ordered("lt"),
    "le": _ordered("le"),
    "gt": _ordered("gt"),
    "ge": _ordered("ge"),
}
