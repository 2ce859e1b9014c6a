"""Tracked lists, tuples, sets and dicts: a variable for the length, and those of the elements.

The elements of this run's length are built at once; others when a condition mentions them. Where
building an element takes branches of its own, that there is such an element is decided first.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

from symcrete.errors import StepLimit
from symcrete.inputs.shapes.containers import (
    DictShape,
    SequenceShape,
    SetShape,
    at_most,
    length_name,
    make_distinct,
)
from symcrete.inputs.shapes.shape import Shape, decides
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var
from symcrete.values.build.variables import Builder, require, steps_below, tracked_input
from symcrete.values.containers.dict_inputs import concolic_dict
from symcrete.values.containers.keys import fixed_inside, note
from symcrete.values.containers.lists import concolic_list, concolic_tuple
from symcrete.values.containers.set_inputs import concolic_set
from symcrete.values.rows.tables import TEXTS
from symcrete.values.tracking import recording
from symcrete.values.tracking.comparing import equality
from symcrete.values.tracking.lengths import LONGEST_INPUT
from symcrete.values.tracking.recording import silently
from symcrete.values.tracking.truth import truth_term


def length(shape: Any, name: str, given: Assignment, most: int | None) -> tuple[int, Term]:
    """The length of the input `name` and its term, with the shape's bounds assumed; raises where
    this input breaks them.
    """
    variable = length_name(name)
    count, term = given.setdefault(variable, shape.least), var(variable, Sort.INT)
    record = recording.active()
    record.assume(integers.le(int_const(shape.least), term))
    if most is not None:
        record.assume(integers.le(term, int_const(most)))
    record.bound(integers.le(term, int_const(LONGEST_INPUT)))
    require(count >= shape.least and (most is None or count <= most))
    if count > LONGEST_INPUT:
        raise StepLimit(f"an input of more than {LONGEST_INPUT} elements")
    return count, term


def indices(name: str, count: int, term: Term, *, decided: bool) -> Iterator[int]:
    """The indices of the elements; where `decided`, whether there is a further one is a branch."""
    return steps_below(length_name(name), count, term) if decided else iter(range(count))


def _sequence(shape: SequenceShape, name: str, given: Assignment) -> Any:
    count, term = length(shape, name, given, shape.most)

    def make(index: int) -> Any:
        return tracked_input(shape.element, f"{name}[{index}]", given)

    decided = decides(shape) or shape.kind is collections.deque
    items = [make(index) for index in indices(name, count, term, decided=decided)]
    open_length = None if decided else term
    if shape.kind is tuple:
        return tuple(items) if decided else concolic_tuple(items, open_length, make)
    made = concolic_list(items, open_length, make)
    return made if shape.kind is list else shape.kind(made)


def make_different(shape: Any, name: str, given: Assignment, count: int) -> list[Any]:
    """The plain elements of a set, or keys of a dict; those not given get values that differ."""
    taken: list[Any] = []
    for index in range(count):
        where = shape.element_name(name, index)
        if shape.element.plain(where, given) in taken:
            require(not any(where in each for each in given))
            require(make_distinct(shape.element, where, given, taken))
        taken.append(shape.element.plain(where, given))
    return taken


def hashed(shape: Shape, name: str, given: Assignment) -> Any:
    """A tracked element of a set, or key of a dict; the lengths of tuples and frozensets in it are
    fixed, since its hash depends on them.
    """
    value = tracked_input(shape, name, given)
    return fixed_inside(value, recording.active().shape_site(length_name(name), 0))


def assume_different(values: list[Any]) -> None:
    """Record that these values differ from each other. Of numbers it is assumed. Of texts it costs
    a solver much and is rarely broken, so it is asked for only where an answer breaks it.
    """
    record = recording.active()
    for index, value in enumerate(values):
        for other in values[:index]:
            term = truth_term(silently(equality, value, other))
            if term is not None:
                note = record.bound if type(value) in TEXTS else record.assume
                note(negate(term))


def _set(shape: SetShape, name: str, given: Assignment) -> Any:
    count, term = length(shape, name, given, at_most(shape.element, shape.most))
    pristine = _in_order_of_the_set(shape, name, given, count)
    items: list[Any] = []
    for index in indices(name, count, term, decided=shape.decides):
        items.append(hashed(shape.element, shape.element_name(name, index), given))
    assume_different(items)
    put_in = [items[index] for index in shape.put_in(name, given)]
    open_length = None if shape.decides else term
    return concolic_set(shape.kind, put_in, open_length, pristine=pristine)


def _in_order_of_the_set(shape: SetShape, name: str, given: Assignment, count: int) -> bool:
    """Number the elements' variables in the order in which a loop over the set takes them; False
    if renumbering changes that order again.
    """
    for _ in range(2):
        values = make_different(shape, name, given, count)
        order = list(shape.kind([values[index] for index in shape.put_in(name, given)]))
        places = [next(i for i, each in enumerate(values) if each is found) for found in order]
        if places == list(range(count)):
            return True
        _renumber(shape, name, given, places)
    return False


def _renumber(shape: SetShape, name: str, given: Assignment, places: list[int]) -> None:
    moved: Assignment = {}
    for new, old in enumerate(places):
        origin, target = shape.element_name(name, old), shape.element_name(name, new)
        for each in [each for each in given if origin in each]:
            moved[each.replace(origin, target)] = given[each]
    for each in [each for each in given if f"list({name})[" in each]:
        del given[each]
    given.update(moved)


def _dict(shape: DictShape, name: str, given: Assignment) -> Any:
    decided = shape.decides or shape.kind is not dict
    count, term = length(shape, name, given, at_most(shape.key, shape.most))
    make_different(shape, name, given, count)
    pairs: list[tuple[Any, Any]] = []
    for index in indices(name, count, term, decided=decided):
        key = hashed(shape.key, shape.element_name(name, index), given)
        pairs.append((key, tracked_input(shape.value, shape.value_name(name, index), given)))
    assume_different([key for key, _ in pairs])
    if shape.kind is dict:
        return concolic_dict(pairs, None if decided else term)
    made = shape.kind([])
    for key, value in pairs:
        silently(type(made).__setitem__, made, key, value)
        note(made, key)
    return made


BUILDERS: dict[type, Builder] = {
    SequenceShape: _sequence,
    SetShape: _set,
    DictShape: _dict,
}
