"""Ctrl-C: once ends the work and keeps what was found, twice ends everything at once.

The first is only noted: an exception at an arbitrary point would leave half-done bookkeeping.
Workers are in sessions of their own and hear nothing of it; the kernel ends them with the driver.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

EXIT_CODE = 130  # 128 and the number of SIGINT, as shells have it


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """A context with a function that tells whether the user wants to stop."""
    asked = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            os._exit(EXIT_CODE)
        asked.set()

    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set  # signals go to the main thread, which is somebody else's
        return
    former = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
