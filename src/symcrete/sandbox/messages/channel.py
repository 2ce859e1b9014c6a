"""Messages as JSON lines over pipes that the program does not know of; `words` has what they say.

Every line begins with a token of this worker, so that bytes which the program happens to write
to the descriptor are told from messages.
"""

import json
import os
import threading
from collections.abc import Mapping
from typing import Any

Event = dict[str, Any]  # a JSON object whose "event" names the message
CUT_OFF = 71  # exit code of a worker that lost its channel
_LONGEST_MESSAGE = 1 << 24  # bytes: what is longer is the program's noise, not a report


class Sender:
    """The worker's end."""

    def __init__(self, descriptor: int, token: str) -> None:
        self.descriptor = descriptor
        self._head = f"\n{token} ".encode()
        self._lock = threading.Lock()

    def send(self, event: str, fields: Mapping[str, object]) -> None:
        """Tell the driver; ends this process if nobody can hear it any more."""
        data = self._head + json.dumps({"event": event, **fields}).encode() + b"\n"
        with self._lock:
            try:
                while data:
                    data = data[os.write(self.descriptor, data) :]
            except OSError:
                # Closed by the program, or nobody listens: nothing done here can be of use.
                os._exit(CUT_OFF)


class Orders:
    """What the driver asks of a worker after its start, in order; ends with the driver."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._rest = b""

    def __iter__(self) -> "Orders":
        return self

    def __next__(self) -> Event:
        while b"\n" not in self._rest:
            try:
                data = os.read(self.descriptor, 1 << 16)  # what a pipe holds
            except OSError:  # closed by the program
                raise StopIteration from None
            if not data:
                raise StopIteration
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        order: Event = json.loads(line)
        return order


class Receiver:
    """The driver's end: takes any bytes, gives the messages among them."""

    def __init__(self, token: str, longest: int = _LONGEST_MESSAGE) -> None:
        self._head = f"{token} ".encode()
        self._longest = longest
        self._rest: list[bytes] = []  # of the line that has not ended yet
        self._length = 0
        self.garbage = 0  # lines that were no messages

    def feed(self, data: bytes) -> list[Event]:
        """The messages that are complete with these bytes, which may begin and end anywhere."""
        *lines, rest = data.split(b"\n")
        events: list[Event] = []
        for line in lines:
            self._take(b"".join([*self._rest, line]), events)
            self._rest, self._length = [], 0
        self._length += len(rest)
        if self._length <= self._longest:
            self._rest.append(rest)
        else:
            self._rest = [b""]  # longer than any message of ours: wait for its end
        return events

    def _take(self, line: bytes, events: list[Event]) -> None:
        event = self._message(line) if self._length <= self._longest else None
        if event is not None:
            events.append(event)
        elif line or self._length:
            self.garbage += 1

    def _message(self, line: bytes) -> Event | None:
        if not line.startswith(self._head):
            return None
        try:
            event = json.loads(line[len(self._head) :])
        except (ValueError, RecursionError):
            return None
        if isinstance(event, dict) and isinstance(event.get("event"), str):
            return event
        return None
