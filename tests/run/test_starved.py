"""A run that did not get the processor is not judged by the clock."""

import time

from symcrete.run.starved import Lateness


def test_the_first_look_at_a_run_only_tells_where_it_stood() -> None:
    assert Lateness(time.perf_counter).is_starved(1.0, limit=0.5)


def test_a_run_that_sleeps_has_no_excuse() -> None:
    lateness = Lateness(time.perf_counter)
    began = time.perf_counter()
    lateness.is_starved(began, limit=0.01)

    time.sleep(0.3)

    assert not lateness.is_starved(began, limit=0.01)


def test_nobody_waits_for_a_starved_run_without_end() -> None:
    moments = iter([0.0, 100.0])
    lateness = Lateness(lambda: next(moments))
    lateness.is_starved(1.0, limit=1.0)

    assert not lateness.is_starved(1.0, limit=1.0)
