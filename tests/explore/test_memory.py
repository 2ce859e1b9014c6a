"""The garbage collector while an exploration is under way."""

import gc
import weakref

from symcrete.explore.loop import memory
from symcrete.explore.loop.memory import RarelyCollecting, rarely_collecting


class Cycle:
    def __init__(self):
        self.me = self


def test_cycles_of_the_program_are_freed_when_enough_has_come_together(monkeypatch):
    monkeypatch.setattr(memory, "NEW_OBJECTS", 1000)
    monkeypatch.setattr(memory, "FIRST_LOOK", 3000)
    with RarelyCollecting() as collecting:
        first = weakref.ref(Cycle())
        kept: list[list[object]] = []
        for _ in range(40):
            kept += [[] for _ in range(200)]
            collecting.between_runs()

        assert first() is None


def test_the_collector_is_left_as_it_was():
    former = gc.get_threshold()

    with RarelyCollecting() as collecting:
        collecting.between_runs()
        assert gc.get_threshold()[0] >= memory.NEW_OBJECTS

    assert (gc.get_threshold(), gc.get_freeze_count()) == (former, 0)


def test_work_that_rarely_collects_leaves_the_collector_as_it_was():
    former = gc.get_threshold()

    @rarely_collecting
    def work(number: int) -> tuple[int, int]:
        with RarelyCollecting():
            pass
        return number, gc.get_threshold()[0]

    assert work(3) == (3, max(former[0], memory.NEW_OBJECTS))
    assert gc.get_threshold() == former
