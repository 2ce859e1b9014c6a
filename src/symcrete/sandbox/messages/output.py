"""What the program under test prints: counted, and the end of it kept."""

from collections import deque

LONGEST_TAIL = 16384  # bytes: enough for the last words of a program; chosen, not measured


class Tail:
    """The last bytes of a stream of any length, in bounded memory."""

    def __init__(self, most: int = LONGEST_TAIL) -> None:
        self._most = most
        self._pieces: deque[bytes] = deque()
        self._kept = 0
        self.count = 0  # bytes seen

    def feed(self, data: bytes) -> None:
        self.count += len(data)
        self._pieces.append(data[-self._most :])
        self._kept += len(self._pieces[-1])
        while self._kept - len(self._pieces[0]) >= self._most:
            self._kept -= len(self._pieces.popleft())

    def text(self) -> str:
        """What is kept, with a first line that says how much is not."""
        kept = b"".join(self._pieces)[-self._most :]
        missing = self.count - len(kept)
        note = f"[{missing:,} bytes before this are not shown]\n" if missing else ""
        return note + kept.decode(errors="replace")
