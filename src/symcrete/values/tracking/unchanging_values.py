"""What tracked values of classes that never change have in common: copies, hashes, pickles."""

from __future__ import annotations

from typing import Any

from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import untracked


class Unchanging:
    """A base for tracked values that never change: a copy is the value itself; a hash or pickle is
    that of the plain value, and the term is lost.

    A class that defines `__eq__` has to name this `__hash__` itself: Python sets it to None there.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return hash(untracked(self))

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        recording.active().lose("pickling")
        return untracked(self).__reduce_ex__(protocol)
