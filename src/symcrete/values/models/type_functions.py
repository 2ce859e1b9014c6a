"""What a value is: type, isinstance, len and the like."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.modelled import model, transparent
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, untracked
from symcrete.values.tracking.ranges import ConcolicRange, concolic_range
from symcrete.values.tracking.truth import Truth

transparent(isinstance, issubclass, callable, id, getattr, setattr, hasattr, delattr, object)

STANDS_FOR: dict[type, type] = {
    ConcolicInt: int,
    ConcolicFloat: float,
    Truth: bool,
    ConcolicRange: range,
}


@model(type)
def type_model(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and not kwargs:
        kind = type(args[0])
        return STANDS_FOR.get(kind, kind)
    return type(*args, **kwargs)


model(range)(concolic_range)


LENGTHS: dict[type, Callable[[Any], Any]] = {}  # of tracked values, as a term


@model(len)
def len_model(value: Any, /) -> Any:
    known = LENGTHS.get(type(value))
    if known is not None:
        return known(value)
    if type(value) in lengths.KINDS:
        return lengths.length_of(value)
    method = getattr(type(value), "__len__", None)
    if type(method) is not FunctionType:
        return len(value)
    found = method(value)  # Python code: its result may carry a term, which C's len drops
    well = type(found) in (int, ConcolicInt) and found >= 0
    return found if well else len(value)


@model(print)
def print_model(*args: Any, **kwargs: Any) -> None:
    """What is printed does not come back: no term is lost by showing it."""
    record = recording.active()
    losses = dict(record.losses)
    print(*[untracked(arg) for arg in args], **kwargs)
    record.losses.clear()
    record.losses.update(losses)
