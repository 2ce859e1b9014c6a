from __future__ import annotations

import os
import threading
import weakref
from time import monotonic, sleep

from tests.limits import allowed

from symcrete.solve.backends.watchdog import Watchdog


def test_what_runs_too_long_is_interrupted_soon_after_its_deadline():
    watchdog = Watchdog()
    interrupted = threading.Event()
    started = monotonic()

    watchdog.start(0.1, interrupted.set)
    assert interrupted.wait(20)
    seconds = monotonic() - started

    assert watchdog.stop()
    assert 0.1 <= seconds < allowed(0.6)


def test_what_ends_in_time_is_left_alone():
    watchdog = Watchdog()
    interrupted = threading.Event()

    watchdog.start(0.05, interrupted.set)
    assert not watchdog.stop()
    sleep(0.2)

    assert not interrupted.is_set()


def test_it_wakes_again_after_a_long_sleep():
    watchdog = Watchdog()
    watchdog.start(1, lambda: None)
    watchdog.stop()
    sleep(1.3)
    interrupted = threading.Event()

    watchdog.start(0.05, interrupted.set)

    assert interrupted.wait(20)
    watchdog.stop()


def test_it_works_in_a_forked_process():
    watchdog = Watchdog()
    watchdog.start(1, lambda: None)
    watchdog.stop()

    child = os.fork()
    if child == 0:
        interrupted = threading.Event()
        watchdog.start(0.05, interrupted.set)
        os._exit(0 if interrupted.wait(20) else 1)
    _, status = os.waitpid(child, 0)

    assert status == 0


def test_a_call_that_was_given_up_does_not_end_the_watch_over_the_next():
    watchdog, interrupted = Watchdog(), threading.Event()
    began, given_up = threading.Event(), threading.Event()
    seen: list[bool] = []

    def lost_call() -> None:
        watchdog.start(60, lambda: None)
        began.set()
        given_up.wait()
        seen.append(watchdog.stop())

    thread = threading.Thread(target=lost_call)
    thread.start()
    began.wait()

    watchdog.start(0.05, interrupted.set)
    given_up.set()
    thread.join()

    assert interrupted.wait(20)
    assert watchdog.stop()
    assert seen == [True]


def test_a_solver_whose_call_is_over_is_not_kept():
    class Solver:
        def interrupt(self) -> None:
            pass

    watchdog, solver = Watchdog(), Solver()
    watchdog.start(5, solver.interrupt)
    watchdog.stop()
    kept = weakref.ref(solver)
    del solver

    assert kept() is None
