"""Reports of many functions: as many in memory as of a few, and all of them there."""

import gc
import tempfile

import pytest

from symcrete.explore.findings import FoundInput, Status, Tally, TargetReport
from symcrete.run.use import Ending
from symcrete.sandbox.journal.shelf import Shelf, Shelved


def report(number: int) -> TargetReport:
    found = FoundInput({"x": str(number)}, Ending.RETURNED, "'é'", None, (), "x > 1")
    return TargetReport(f"f{number}", Status.COMPLETE, Tally(2, 2, 0), inputs=(found,), runs=number)


def test_what_was_put_on_the_shelf_is_found_and_few_reports_stay_in_memory() -> None:
    shelf = Shelf(most=3)

    for number in range(20):
        shelf.put(report(number))

    assert [shelf[f"f{number}"] for number in range(20)] == [report(n) for n in range(20)]
    assert len(shelf) == 20 and "f7" in shelf and "g" not in shelf
    gc.collect()
    assert sum(isinstance(each, TargetReport) for each in gc.get_objects()) < 10


def test_a_later_report_of_a_target_takes_the_place_of_the_earlier() -> None:
    shelf = Shelf(most=1)
    for number in (1, 2):
        shelf.put(report(number))

    shelf.put(TargetReport("f1", Status.BUDGET))

    assert shelf["f1"].status == "budget"
    assert len(shelf) == 2


def test_a_full_disk_keeps_reports_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    shelf = Shelf(most=1)

    for number in range(5):
        shelf.put(report(number))

    assert [shelf[f"f{number}"].runs for number in range(5)] == list(range(5))


def test_reports_come_in_the_order_asked_for_and_others_after_them() -> None:
    shelf = Shelf(most=1)
    for number in range(3):
        shelf.put(report(number))

    found = Shelved(shelf, ["f2", "f0"], [TargetReport("broken.py", Status.FAILED)])

    assert [each.target for each in found] == ["f2", "f0", "broken.py"]
    assert found[-1].status == "failed"
    assert [each.target for each in found[1:]] == ["f0", "broken.py"]
