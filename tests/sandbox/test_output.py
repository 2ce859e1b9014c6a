import random

from symcrete.sandbox.messages.output import Tail


def test_the_end_of_any_stream_is_kept_in_bounded_memory():
    choice = random.Random(0)
    tail, everything = Tail(100), b""

    for _ in range(2000):
        piece = choice.randbytes(choice.choice([0, 1, 10, 99, 100, 101, 500])).hex().encode()
        tail.feed(piece)
        everything += piece
        kept = tail.text().rpartition("\n")[2]
        assert kept == everything[-100:].decode()
        assert sum(map(len, tail._pieces)) < 300

    assert tail.count == len(everything)
    assert tail.text().startswith(f"[{len(everything) - 100:,} bytes before this are not shown]\n")


def test_a_short_stream_is_shown_whole():
    tail = Tail(100)

    tail.feed(b"a\xff")
    tail.feed(b"b")

    assert tail.text() == "a\ufffdb"
