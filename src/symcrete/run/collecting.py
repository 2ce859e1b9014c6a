"""Whether the interpreter is taking objects away: an exception raised there would be lost."""

from __future__ import annotations

import gc
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

_WEAK: tuple[Any, ...] = (WeakSet(), WeakKeyDictionary(), WeakValueDictionary())
# What these have called when an object that they hold is gone.
_ON_LOSS = frozenset(each._remove.__code__ for each in _WEAK)

# frames from the current one outwards in which a callback of the collector is looked for; chosen,
# not measured
_DEEPEST_IN_CALLBACK = 3


def is_collecting(frame: FrameType | None) -> bool:
    """Whether this frame is that of a function in `gc.callbacks` or of a weak container that loses
    an object, or was called by one. Hypothesis has such a function, and pytest reports what is
    raised in it as a failure.
    """
    called = _ON_LOSS | {getattr(each, "__code__", None) for each in gc.callbacks}
    for _ in range(_DEEPEST_IN_CALLBACK):
        if frame is None:
            return False
        if frame.f_code in called:
            return True
        frame = frame.f_back
    return False
