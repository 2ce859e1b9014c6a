import os
import random

import pytest

from symcrete.sandbox.messages.channel import Receiver, Sender


def through_a_pipe(events, token="t0k3n"):
    read, write = os.pipe()
    sender = Sender(write, token)
    for name, fields in events:
        sender.send(name, fields)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        return file.read()


MESSAGES: list[tuple[str, dict[str, object]]] = [
    ("a", {"x": 1}),
    ("b", {"text": "line\nline \u2028 ä \ud800"}),
    ("c", {"y": [None]}),
]
WANTED = [{"event": name, **fields} for name, fields in MESSAGES]


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
def test_messages_arrive_however_the_bytes_are_cut(size):
    data = through_a_pipe(MESSAGES)
    receiver = Receiver("t0k3n")

    found = [e for i in range(0, len(data), size) for e in receiver.feed(data[i : i + size])]

    assert found == WANTED
    assert receiver.garbage == 0


def test_whatever_else_is_written_between_messages_is_skipped():
    choice = random.Random(0)
    receiver = Receiver("t0k3n")
    found = []

    for name, fields in MESSAGES * 20:
        rubbish = choice.choice([b"", b"x", b"\n", b"\xff\0", b"{}\n", b'{"event": "a"}', b"t0k3n"])
        found += receiver.feed(rubbish + through_a_pipe([(name, fields)]))

    assert found == WANTED * 20
    assert receiver.garbage > 0


@pytest.mark.parametrize(
    "line",
    [
        b"t0k3n ",
        b"t0k3n []",
        b"t0k3n 5",
        b't0k3n {"no": "event"}',
        b't0k3n {"event": 5}',
        b't0k3n {"event": "a"',
        b"t0k3n " + b"[" * 100_000,
        b't0k3n {"event": "a", "n": ' + b"9" * 5000 + b"}",
        b't0k3n {"event": "\xff"}',
        b'other {"event": "a"}',
    ],
)
def test_a_line_that_is_no_message_is_counted_and_does_no_harm(line):
    receiver = Receiver("t0k3n")

    assert receiver.feed(line + b"\n") == []
    assert receiver.garbage == 1
    assert receiver.feed(through_a_pipe(MESSAGES)) == WANTED


def test_a_line_without_end_takes_no_memory_and_what_follows_is_heard():
    receiver = Receiver("t0k3n", longest=1000)

    for _ in range(1000):
        assert receiver.feed(b"x" * 997) == []
        assert sum(map(len, receiver._rest)) <= 1000
    found = receiver.feed(through_a_pipe(MESSAGES))

    assert found == WANTED
    assert receiver.garbage == 1
