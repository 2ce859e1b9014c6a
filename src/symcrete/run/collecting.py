"""Whether the interpreter is collecting garbage: an exception raised there would be lost."""

from __future__ import annotations

import gc
from types import FrameType

# frames from the current one outwards in which a callback of the collector is looked for; chosen,
# not measured
_DEEPEST_IN_CALLBACK = 3


def is_collecting(frame: FrameType | None) -> bool:
    """Whether this frame is that of a function in `gc.callbacks`, or was called by one. Hypothesis
    has such a function, and pytest reports what is raised in it as a failure.
    """
    called = {getattr(each, "__code__", None) for each in gc.callbacks}
    for _ in range(_DEEPEST_IN_CALLBACK):
        if frame is None:
            return False
        if frame.f_code in called:
            return True
        frame = frame.f_back
    return False
