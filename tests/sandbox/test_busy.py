"""A worker that did not get the work it was promised says so."""

from collections.abc import Iterator

from symcrete.sandbox.worker.busy import Share, Spent, spent


def test_a_worker_that_had_to_wait_complains() -> None:
    clock: Iterator[float] = iter([10.0, 18.0])
    looks = iter([Spent(1.0, 0.5), Spent(4.0, 5.5)])

    share = Share(lambda: next(clock), lambda: next(looks))
    complaint = share.complaint()

    assert str(complaint) == "the machine was too busy: 3.0 s of processor time in 8.0 s"
    assert complaint is not None and complaint.is_serious


def test_a_worker_that_had_most_of_the_time_says_only_that_it_waited() -> None:
    clock: Iterator[float] = iter([10.0, 18.0])
    looks = iter([Spent(1.0, 0.5), Spent(6.5, 3.0)])

    share = Share(lambda: next(clock), lambda: next(looks))
    complaint = share.complaint()

    assert str(complaint) == "the machine was busy: 5.5 s of processor time in 8.0 s"
    assert complaint is not None and not complaint.is_serious


def test_a_worker_that_slept_does_not() -> None:
    clock: Iterator[float] = iter([10.0, 18.0])
    looks = iter([Spent(1.0, 0.5), Spent(1.1, 0.6)])

    share = Share(lambda: next(clock), lambda: next(looks))

    assert share.complaint() is None


def test_a_thread_that_works_runs() -> None:
    before = spent()
    sum(range(3_000_000))

    assert spent().ran >= before.ran
