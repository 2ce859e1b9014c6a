"""Whether the interpreter is collecting garbage: an exception raised there would be lost."""

from __future__ import annotations

import gc
from types import FrameType

_DEEPEST_IN_CALLBACK = 3  # calls inside a callback of the collector that are looked through


def is_collecting(frame: FrameType | None) -> bool:
    """Whether this frame is of a function that others let the collector call, or was called by one:
    Hypothesis has such a function, and pytest reports what is raised in it as a failure.
    """
    called = {getattr(each, "__code__", None) for each in gc.callbacks}
    for _ in range(_DEEPEST_IN_CALLBACK):
        if frame is None:
            return False
        if frame.f_code in called:
            return True
        frame = frame.f_back
    return False
