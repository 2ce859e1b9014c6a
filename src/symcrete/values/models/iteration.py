"""Built-ins that pass values on: their own code never looks inside, the functions they are given
do.
"""

from __future__ import annotations

import collections
import copy
import functools
import itertools
from typing import Any

from symcrete.values import recording
from symcrete.values.models.table import (
    callee,
    method_model,
    model,
    transparent,
    transparent_methods,
)
from symcrete.values.numeric import ConcolicInt

transparent(
    iter, next, enumerate, zip, reversed, any, all, list, tuple, set, frozenset, dict, slice
)
transparent(staticmethod, classmethod, property, super, copy.copy, copy.deepcopy)
transparent(collections.deque, collections.OrderedDict, collections.defaultdict)
transparent(
    *[getattr(itertools, name) for name in ("chain", "count", "cycle", "repeat", "islice", "tee")],
    *[getattr(itertools, name) for name in ("product", "permutations", "combinations", "pairwise")],
    itertools.zip_longest,
)
transparent_methods(list, "append extend insert pop reverse clear copy remove index count")
transparent_methods(dict, "items keys values copy clear update popitem")
transparent_methods(tuple, "index count")
transparent_methods(set, "clear copy pop")
transparent_methods(
    collections.deque, "append appendleft pop popleft extend extendleft clear rotate copy"
)


@model(map)
def map_model(function: Any, *iterables: Any) -> Any:
    return map(callee(function), *iterables)


@model(filter)
def filter_model(function: Any, iterable: Any) -> Any:
    return filter(function if function is None else callee(function), iterable)


@model(sorted)
def sorted_model(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    items = list(iterable)
    sort_model(items, key=key, reverse=reverse)
    return items


@method_model(list, "sort")
def sort_model(items: list[Any], /, *, key: Any = None, reverse: Any = False) -> None:
    kinds = {type(each) for each in items}
    if ConcolicInt in kinds and (float in kinds or bool in kinds):
        recording.active().lose("sort()")  # a plain float takes our int for a plain one
    items.sort(key=None if key is None else callee(key), reverse=reverse)


@model(functools.reduce)
def reduce_model(function: Any, *rest: Any) -> Any:
    return functools.reduce(callee(function), *rest)


@model(functools.partial)
def partial_model(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    return functools.partial(function, *args, **kwargs)
