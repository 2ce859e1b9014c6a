"""The board: what a worker is about to do, in memory that outlives it.

Writing on it costs no system call, so it can be done before every run; reading is only needed
when the worker hangs or has died. Two slots, of which one byte says which is valid: a worker that
dies while writing leaves the previous entry, never half of one.
"""

import json
import mmap
import os
import struct
from collections.abc import Mapping

from symcrete.clock import Clock, wall
from symcrete.slotted import dataclass

# characters from which on a field is left out of an entry that is too long; chosen, not measured
LONGEST_ON_BOARD = 4096
_SLOT = 1 << 20  # bytes of one entry; a longer one is told without its long fields
_PAGE = mmap.PAGESIZE
_HEAD = struct.Struct("<dddI")  # number, started, limit, length
_BELL, _BELL_AT = struct.Struct("<I"), 8  # a count, and the byte of the first page where it is
_SIZE = _PAGE + 2 * _SLOT
_ROOM = _SLOT - _HEAD.size
_MOST_ENTRY_READS = 10  # tries to read an entry that is overwritten meanwhile


@dataclass(frozen=True, slots=True)
class Entry:
    """A task, when it was begun and how long it may take."""

    what: dict[str, object]
    started: float
    limit: float  # seconds; infinity for "as long as the budget lasts"


class Board:
    """One side's view; made by the driver, then opened again in the worker."""

    def __init__(self, descriptor: int, clock: Clock = wall) -> None:
        self._clock = clock  # the same for all processes of a machine
        if os.fstat(descriptor).st_size < _SIZE:
            os.ftruncate(descriptor, _SIZE)
        self._memory = mmap.mmap(descriptor, _SIZE)
        self._entries = 0

    def close(self) -> None:
        self._memory.close()

    def write(self, what: Mapping[str, object], limit: float = float("inf")) -> None:
        """Say what comes next; it replaces what was said before."""
        data = json.dumps(what).encode()
        if len(data) > _ROOM:
            data = json.dumps(_cut(what)).encode()
        self._entries += 1
        slot = self._entries % 2
        start = _PAGE + slot * _SLOT
        memory = self._memory
        _HEAD.pack_into(memory, start, self._entries, self._clock(), limit, len(data))
        memory[start + _HEAD.size : start + _HEAD.size + len(data)] = data
        memory[0] = slot + 1

    def catch_up(self) -> None:
        """Let the next entry count as later than the last one, also if a fork of this process wrote
        it.
        """
        _, number = self._last()
        self._entries = max(self._entries, int(number))

    def ring(self) -> None:
        """The driver's bell: something has been sent that the worker may want to fetch."""
        _BELL.pack_into(self._memory, _BELL_AT, (self.rings() + 1) & 0xFFFFFFFF)  # 32 bits

    def rings(self) -> int:
        """How often it has rung; asking costs the worker no system call."""
        return int(_BELL.unpack_from(self._memory, _BELL_AT)[0])

    def read(self) -> Entry | None:
        """The last entry; None when there is none, or the program scribbled over it."""
        for _ in range(_MOST_ENTRY_READS):
            # A busy worker may write two entries while one is read: then it is read again.
            slot, number = self._last()
            if slot not in (0, 1):
                return None
            start = _PAGE + slot * _SLOT
            _, started, limit, length = _HEAD.unpack_from(self._memory, start)
            if length > _ROOM:
                continue
            data = self._memory[start + _HEAD.size : start + _HEAD.size + length]
            if self._last() == (slot, number):
                break
        else:
            return None
        try:
            what = json.loads(data)
        except (ValueError, RecursionError):
            return None
        return Entry(what, started, limit) if isinstance(what, dict) else None

    def _last(self) -> tuple[int, float]:
        """The valid slot and the number of its entry."""
        slot = self._memory[0] - 1
        if slot not in (0, 1):
            return slot, 0.0
        return slot, float(_HEAD.unpack_from(self._memory, _PAGE + slot * _SLOT)[0])


def _cut(what: Mapping[str, object]) -> dict[str, object]:
    """The entry with everything long left out."""
    return {
        key: value if len(json.dumps(value)) < LONGEST_ON_BOARD else "too long to keep"
        for key, value in what.items()
    }
