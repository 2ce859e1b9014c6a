"""Built-ins that pass values on: they never look inside, the functions they are given do."""

from __future__ import annotations

import collections
import copy
import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

from symcrete.values.containers import keys
from symcrete.values.containers.sets import ordered
from symcrete.values.models.ordering import Compared
from symcrete.values.tracking.modelled import called_by_kind, callee, model, transparent
from symcrete.values.tracking.numeric import pinned
from symcrete.values.tracking.operators import OPERATORS, family_of
from symcrete.values.tracking.subscripts import del_item, item, set_item

transparent(next, any, all, slice)
transparent(staticmethod, classmethod, property, super)
transparent(itertools.count, itertools.tee, functools.cmp_to_key)


def _passed_on(original: Callable[..., Any]) -> None:
    """Iterators over what they are given, in its order."""

    @model(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        return original(*[ordered(arg) for arg in args], **kwargs)


for _name in ("chain", "cycle", "product", "permutations", "combinations", "pairwise"):
    _passed_on(getattr(itertools, _name))
for _name in ("zip_longest", "combinations_with_replacement", "compress", "batched"):
    if hasattr(itertools, _name):
        _passed_on(getattr(itertools, _name))
_function: Any
for _function in (iter, enumerate, zip, reversed):
    _passed_on(_function)


def _with_function(original: Callable[..., Any]) -> None:
    """Iterators that call the function they are given first."""

    @model(original)
    def call(function: Any, *iterables: Any, **kwargs: Any) -> Any:
        known = function if function is None else callee(function)
        return original(known, *[ordered(each) for each in iterables], **kwargs)


for _function in (map, filter, functools.reduce, itertools.takewhile, itertools.dropwhile):
    _with_function(_function)
for _function in (itertools.filterfalse, itertools.starmap):
    _with_function(_function)


@model(itertools.repeat)
def repeat_model(value: Any, *times: Any, **named: Any) -> Any:
    counts = {name: pinned(each) for name, each in named.items()}
    return itertools.repeat(value, *[pinned(each) for each in times], **counts)


@model(itertools.islice)
def islice_model(iterable: Any, *bounds: Any) -> Any:
    return itertools.islice(ordered(iterable), *[pinned(each) for each in bounds])


@model(itertools.accumulate)
def accumulate_model(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    add = OPERATORS["add"] if func is None else callee(func)
    return itertools.accumulate(ordered(iterable), add, initial=initial)


@model(itertools.groupby)
def groupby_model(iterable: Any, key: Any = None) -> Any:
    known = _itself if key is None else callee(key)
    groups = itertools.groupby(ordered(iterable), lambda each: Compared(known(each)))
    return ((each.value, group) for each, group in groups)


def _itself(value: Any) -> Any:
    return value


@model(functools.partial)
def partial_model(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    return functools.partial(callee(function), *args, **kwargs)


@model(copy.copy)
def copy_model(value: Any) -> Any:
    made = copy.copy(value)
    return keys.note_copy(made, value) if family_of(type(value)) in ("dict", "set") else made


@model(copy.deepcopy)
def deepcopy_model(value: Any, *memo: Any) -> Any:
    return copy.deepcopy(value, *memo)


@model(collections.deque)
def deque_model(iterable: Any = (), *maxlen: Any, **named: Any) -> Any:
    longest = {name: pinned(each) for name, each in named.items()}
    return collections.deque(ordered(iterable), *[pinned(each) for each in maxlen], **longest)


# -- the operators as functions

for _name in [
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
]:
    model(getattr(operator, _name))(OPERATORS[_name])
    model(getattr(operator, f"i{_name.rstrip('_')}"))(OPERATORS[f"i{_name.rstrip('_')}"])
for _name in ("lt", "le", "gt", "ge", "eq", "ne", "not_", "is_", "is_not"):
    model(getattr(operator, _name))(OPERATORS[_name])
transparent(operator.neg, operator.pos, operator.abs, operator.inv, operator.truth)


@model(operator.contains)
def contains_model(container: Any, value: Any) -> Any:
    return OPERATORS["in_"](value, container)


model(operator.getitem)(item)
model(operator.delitem)(del_item)


@model(operator.setitem)
def setitem_model(container: Any, index: Any, value: Any) -> None:
    set_item(value, container, index)


@called_by_kind(operator.itemgetter)
def itemgetter_model(getter: Any, value: Any) -> Any:
    _, wanted = getter.__reduce__()
    found = [item(value, each) for each in wanted]
    return found[0] if len(found) == 1 else tuple(found)


called_by_kind(type(functools.cmp_to_key(max)))(lambda wrap, value: wrap(value))
called_by_kind(operator.attrgetter)(lambda getter, value: getter(value))
