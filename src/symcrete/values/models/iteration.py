"""Built-ins that pass values on: they never look inside, the functions they are given do."""

from __future__ import annotations

import collections
import copy
import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.values.containers import keys, sequences
from symcrete.values.containers.sets import ordered
from symcrete.values.containers.sorting import Compared
from symcrete.values.rows.model_rows import Called, Method, Model, ModelRow, Pure, Transparent
from symcrete.values.rows.tables import family_of
from symcrete.values.tracking import lengths
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import pinned, tracked, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.subscripts import del_item, item, set_item


def _passed_on(original: Callable[..., Any]) -> Model:
    """The model of a class of iterators over its arguments, such as `zip`: the loss is noted where
    the order of a set matters, and tracked numbers are pinned.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        named = {name: pinned(each) for name, each in kwargs.items()}
        return original(*[pinned(ordered(arg)) for arg in args], **named)

    return Model(original, call)


def enumerate_model(iterable: Any, start: Any = 0) -> Any:
    """`enumerate(iterable, start)`; where the start is tracked the numbers are, too, which C code
    would make plain.
    """
    if not tracked(start):
        return enumerate(ordered(iterable), start)
    return zip(_counting(+start, 1), ordered(iterable), strict=False)


def count_model(start: Any = 0, step: Any = 1) -> Any:
    if not tracked(start) and not tracked(step):
        return itertools.count(start, step)
    itertools.count(untracked(start), untracked(step))  # raises for arguments it refuses
    return _counting(+start, step)


def _counting(start: Any, step: Any) -> Iterator[Any]:
    at = start
    while True:
        yield at
        at = OPERATORS["add"](at, step)


def tee_model(iterable: Any, n: Any = 2) -> Any:
    return itertools.tee(ordered(iterable), pinned(n))


def indices_model(which: slice, length: Any) -> Any:
    """`slice.indices(length)`: C code takes the numbers for plain ones, so each is pinned first."""
    parts = [pinned(part) for part in (which.start, which.stop, which.step)]
    return slice(*parts).indices(pinned(length))


def _with_function(original: Callable[..., Any]) -> Model:
    """The model of an iterator whose first argument is a function that it calls."""

    def call(function: Any, *iterables: Any, **kwargs: Any) -> Any:
        known = function if function is None else callee(function)
        return original(known, *[ordered(each) for each in iterables], **kwargs)

    return Model(original, call)


def repeat_model(value: Any, *times: Any, **named: Any) -> Any:
    counts = {name: pinned(each) for name, each in named.items()}
    return itertools.repeat(value, *[pinned(each) for each in times], **counts)


def islice_model(iterable: Any, *bounds: Any) -> Any:
    return itertools.islice(ordered(iterable), *[pinned(each) for each in bounds])


def accumulate_model(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    add = OPERATORS["add"] if func is None else callee(func)
    return itertools.accumulate(ordered(iterable), add, initial=initial)


def groupby_model(iterable: Any, key: Any = None) -> Any:
    known = _itself if key is None else callee(key)
    groups = itertools.groupby(ordered(iterable), lambda each: Compared(known(each)))
    return ((each.value, group) for each, group in groups)


def _itself(value: Any) -> Any:
    return value


def partial_model(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    return functools.partial(callee(function), *args, **kwargs)


def copy_model(value: Any) -> Any:
    made = copy.copy(value)
    return keys.note_copy(made, value) if family_of(type(value)) in ("dict", "set") else made


def parts_compared(original: Callable[..., Any], one: Any, other: Any) -> tuple[Any, Any]:
    """`parts_of` of `oracle/traces.py`: of two copies of one input whose length nothing has asked
    for, the elements of this run. Those further on are the input's own in both: whoever had changed
    one would have asked whether it is there. All of them would be a path for each length.
    """
    both = type(one) is type(other) and lengths.is_open(one)
    if both and one.length is other.length and one.make is other.make:
        base = sequences.base_of(one)
        return list(base.__iter__(one)), list(base.__iter__(other))
    return one, other


def deepcopy_model(value: Any, *memo: Any) -> Any:
    return copy.deepcopy(value, *memo)


def deque_model(iterable: Any = (), *maxlen: Any, **named: Any) -> Any:
    longest = {name: pinned(each) for name, each in named.items()}
    return collections.deque(ordered(iterable), *[pinned(each) for each in maxlen], **longest)


# -- the operators as functions


def _operator(name: str) -> Model:
    """The model of a function of the `operator` module: what rewritten code does for its sign."""
    return Model(getattr(operator, name), OPERATORS[name])


_IN_PLACE_TOO = [
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
    "matmul",
]
_OPERATORS = (
    *_IN_PLACE_TOO,
    *[f"i{name.rstrip('_')}" for name in _IN_PLACE_TOO],
    *["lt", "le", "gt", "ge", "eq", "ne", "not_", "is_", "is_not"],
)


def contains_model(container: Any, value: Any) -> Any:
    return OPERATORS["in_"](value, container)


def setitem_model(container: Any, index: Any, value: Any) -> None:
    set_item(value, container, index)


def itemgetter_model(getter: Any, value: Any) -> Any:
    _, wanted = getter.__reduce__()
    found = [item(value, each) for each in wanted]
    return found[0] if len(found) == 1 else tuple(found)


_SINCE_3_12 = ("batched",)
_PASSED_ON: tuple[Callable[..., Any], ...] = (
    *(iter, zip, reversed),
    *(itertools.chain, itertools.cycle, itertools.product, itertools.permutations),
    *(itertools.combinations, itertools.combinations_with_replacement, itertools.pairwise),
    *(itertools.zip_longest, itertools.compress),
    *[getattr(itertools, name) for name in _SINCE_3_12 if hasattr(itertools, name)],
)
_WITH_FUNCTION: tuple[Callable[..., Any], ...] = (
    *(map, filter, functools.reduce, itertools.takewhile, itertools.dropwhile),
    *(itertools.filterfalse, itertools.starmap),
)
MODELS: tuple[ModelRow, ...] = (
    Transparent(next, any, all, slice),
    Transparent(staticmethod, classmethod, property, super),
    Transparent(functools.cmp_to_key),
    Model(enumerate, enumerate_model),
    Model(itertools.count, count_model),
    Model(itertools.tee, tee_model),
    Method(slice, "indices", indices_model),
    *map(_passed_on, _PASSED_ON),
    *map(_with_function, _WITH_FUNCTION),
    Model(itertools.repeat, repeat_model),
    Model(itertools.islice, islice_model),
    Model(itertools.accumulate, accumulate_model),
    Model(itertools.groupby, groupby_model),
    Model(functools.partial, partial_model),
    Model(copy.copy, copy_model),
    Model(copy.deepcopy, deepcopy_model),
    Pure("joint_traces", "parts_of", parts_compared),
    Model(collections.deque, deque_model),
    *map(_operator, _OPERATORS),
    Transparent(operator.neg, operator.pos, operator.abs, operator.inv, operator.truth),
    Model(operator.contains, contains_model),
    Model(operator.getitem, item),
    Model(operator.delitem, del_item),
    Model(operator.setitem, setitem_model),
    Called(operator.itemgetter, itemgetter_model),
    Called(type(functools.cmp_to_key(max)), lambda wrap, value: wrap(value)),
    Called(operator.attrgetter, lambda getter, value: getter(value)),
)
