"""What a value is: type, isinstance, len and the like."""

from __future__ import annotations

import collections
import inspect
import sys
import typing
import warnings
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any

from symcrete.values.rows.model_rows import Model, ModelRow, Transparent
from symcrete.values.rows.tables import LENGTHS, OPEN, STANDS_FOR
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.numeric import ConcolicInt, tracked, untracked
from symcrete.values.tracking.ranges import concolic_range


def type_model(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and not kwargs:
        kind = type(args[0])
        return STANDS_FOR.get(kind, kind)
    return type(*args, **kwargs)


def len_model(value: Any, /) -> Any:
    known = LENGTHS.get(type(value))
    if known is not None:
        return known(value)
    if type(value) in OPEN:
        return lengths.length_of(value)
    method = getattr(type(value), "__len__", None)
    if type(method) is not FunctionType:
        return len(value)
    found = method(value)  # Python code: its result may carry a term, which C's len drops
    well = type(found) in (int, ConcolicInt) and 0 <= found <= sys.maxsize
    return found if well else len(value)


def id_model(value: Any, /) -> int:
    """`id(value)`; an address is no input, so it is noted as a read of the world."""
    recording.active().read_world("id()")
    return id(value)


def _by_name(original: Callable[..., Any]) -> Model:
    """The model of a function of an object and the name of an attribute, which must be plain."""

    def call(owner: Any, name: Any, *rest: Any) -> Any:
        if tracked(name):
            recording.active().lose(f"{original.__name__}()")
            name = untracked(name)
        return original(owner, name, *rest)

    return Model(original, call)


def _of_a_frame_above(original: Callable[..., Any]) -> Model:
    """The model of a function that is told how many frames above its caller it is to look.

    Who called is no input, so it is a read of the world. The model itself is one more frame.
    """

    def call(depth: int = 0) -> Any:
        recording.active().read_world(f"{original.__name__}()")
        return original(untracked(depth) + 1)

    return Model(original, call)


def currentframe_model() -> FrameType | None:
    """The caller's frame; it leads to the frames of all callers, so it is a read of the world."""
    recording.active().read_world("currentframe()")
    return sys._getframe(1)


def warn_model(
    message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **others: Any
) -> None:
    """`warnings.warn(...)`; a read of the world, since filters say whether it raises."""
    recording.active().read_world("warn()")
    warnings.warn(message, category, untracked(stacklevel) + 1, *args, **others)


def exc_info_model() -> Any:
    """`sys.exc_info()`. Where the program handles no exception its callers may: a read of the
    world.
    """
    if sys.exception() is None:
        recording.active().read_world("exc_info()")
    return sys.exc_info()


def exception_model() -> BaseException | None:
    """`sys.exception()`. Where the program handles no exception its callers may: a read of the
    world.
    """
    if sys.exception() is None:
        recording.active().read_world("exception()")
    return sys.exception()


_SINCE_3_12 = ("_getframemodulename",)
_BY_NAME: tuple[Callable[..., Any], ...] = (getattr, setattr, hasattr, delattr)
MODELS: tuple[ModelRow, ...] = (
    Model(sys.exc_info, exc_info_model),
    Model(sys.exception, exception_model),
    Transparent(collections.namedtuple),  # it looks at the frame above for the name of a module
    _of_a_frame_above(sys._getframe),
    *[_of_a_frame_above(getattr(sys, name)) for name in _SINCE_3_12 if hasattr(sys, name)],
    Model(inspect.currentframe, currentframe_model),
    Model(warnings.warn, warn_model),
    Transparent(isinstance, issubclass, callable, object),
    Transparent(typing.cast, typing.assert_type),  # they give back what they are given
    Model(id, id_model),
    *[_by_name(each) for each in _BY_NAME],
    Model(type, type_model),
    Model(range, concolic_range),
    Model(len, len_model),
)
