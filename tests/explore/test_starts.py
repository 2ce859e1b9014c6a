"""What is called to come to a line, where a call of the function around it will not do."""

from pathlib import Path

import pytest
from tests.explore.test_reach import reach_here

from symcrete.explore.reach.reached import Reached, Undecided, Unreachable

FOR_A_SUBCLASS = """
    class Address:
        @classmethod
        def prefix(cls, mask):
            return cls.bits_of(mask) - 1

        @classmethod
        def bits_of(cls, mask):
            if cls.BITS - mask == 7:
                return 1  # here
            return 0


    class Other(Address):
        pass


    class Short(Address):
        BITS = 32
"""

KEPT_UNDER_A_NAME = """
    class Number:
        def __init__(self, value: int) -> None:
            self.value = value

        def _operators(apply):
            def forward(a, b):
                if isinstance(b, int | Number):
                    return apply(a, b)
                return NotImplemented  # here

            return forward

        __add__ = _operators(lambda a, b: a)
"""


@pytest.mark.parametrize(
    ("source", "entry"),
    [(FOR_A_SUBCLASS, "Short.bits_of"), (KEPT_UNDER_A_NAME, "Number.__add__")],
    ids=["a class method that needs a subclass", "a function made by another"],
)
def test_a_line_is_reached_by_what_else_the_function_goes_by(
    source: str, entry: str, tmp_path: Path
) -> None:
    verdict = reach_here(source, tmp_path, replay=True)

    assert isinstance(verdict, Reached)
    assert verdict.entry.endswith(f"::{entry}")
    assert verdict.report.scope == entry


def test_a_class_method_that_its_own_class_can_run_is_called_on_it(tmp_path: Path) -> None:
    source = FOR_A_SUBCLASS.replace("class Address:", "class Address:\n        BITS = 8\n")

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Reached)
    assert verdict.entry.endswith("::Address.bits_of")


def test_a_way_around_that_does_not_lead_there_proves_nothing(tmp_path: Path) -> None:
    source = """
        class Address:
            @classmethod
            def bits_of(cls, mask: int) -> int:
                if cls.BITS == 8:
                    if mask > 3:
                        return 1  # here
                return 0


        class Short(Address):
            BITS = 32


        class Long(Address):
            BITS = 8
    """

    verdict = reach_here(source, tmp_path, budget=2.0)

    assert type(verdict).__name__ != "Unreachable"


GUARDED_CALL = """
    import zlib


    def inner(x: int) -> int:
        if zlib.crc32(str(x).encode()) == 3421780262:  # that of 123456789
            return 1  # here
        return 0


    def outer(y: int) -> int:
        if y > 7:
            return 3
        if y > 9:
            return inner(y)
        return 5
"""


def test_a_caller_that_does_not_lead_there_proves_nothing_about_a_line_that_another_call_runs(
    tmp_path: Path,
) -> None:
    verdict = reach_here(GUARDED_CALL, tmp_path, budget=2.0)

    assert isinstance(verdict, Undecided)
    assert verdict.entry.endswith("::inner")


def test_a_caller_that_is_asked_for_is_proved_not_to_lead_there(tmp_path: Path) -> None:
    verdict = reach_here(GUARDED_CALL, tmp_path, entry="outer", budget=2.0)

    assert isinstance(verdict, Unreachable)
