"""Methods with an implementation for each class of their argument (`singledispatchmethod`)."""

import functools
import sys
from pathlib import Path

from tests.explore.exploring import assert_covers_all, explore

from symcrete.oracle.outcomes import function_at
from symcrete.run.untouched.played import Call
from symcrete.run.untouched.replayer import function_called

SHOWER = """
    import functools

    class Shower:
        @functools.singledispatchmethod
        def show(self, value: float) -> str:
            if value > 2.5:
                return "wide"
            return "narrow"

        @show.register
        def show_text(self, value: str) -> str:
            if value == "abc":
                return "known"
            return "text"

        @functools.singledispatchmethod
        @classmethod
        def made(cls, value: float) -> str:
            if value > 2.5:
                return "wide"
            return "narrow"
"""


def test_the_general_implementation_is_covered_like_a_method(tmp_path: Path) -> None:
    report = explore(SHOWER, tmp_path, "Shower.show", replay=True)

    assert_covers_all(report)
    assert {each.returned for each in report.inputs} == {'"wide"', '"narrow"'}


def test_one_for_classes_is_covered_like_a_class_method(tmp_path: Path) -> None:
    report = explore(SHOWER, tmp_path, "Shower.made", replay=True)

    assert_covers_all(report)
    assert all(list(each.args) == ["value"] for each in report.inputs)


def test_registered_implementations_are_covered(tmp_path: Path) -> None:
    assert_covers_all(explore(SHOWER, tmp_path, "Shower.show_text", replay=True))


class Shelf:
    @functools.singledispatchmethod
    def show(self, value: object) -> str:
        return "any"

    @show.register
    def show_number(self, value: int) -> str:
        return "number"


def test_arguments_choose_the_implementation_of_replays_and_of_judged_calls() -> None:
    here = sys.modules[__name__]

    replayed = function_called(here, "Shelf.show", Call({"self": "Shelf()", "value": "1"}))
    judged = function_at(here, "Shelf.show")

    assert (replayed(Shelf(), 1), judged(Shelf(), 1)) == ("number", "number")
    assert (replayed(Shelf(), ""), judged(Shelf(), "")) == ("any", "any")
