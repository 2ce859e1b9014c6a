"""Where a program makes texts of values, a bool given for an int is one more input: `True` is not
`1` as a text, though it is equal to it.
"""

from pathlib import Path

import pytest
from tests.explore.exploring import explore
from tests.explore.test_reach import reach_here

from symcrete.explore.reach.reached import Reached

SUBJECT = """
    from typing import Annotated
    from annotated_types import Ge, Le

    def f(b: Annotated[int, Ge(0), Le(1)], a: tuple[bool, Annotated[int, Ge(1), Le(3)]]) -> int:
        if "1" in {text}:
            return 1
        if a == (True, b):
            return 2
        return 0
"""
TEXTS = ["f'{b}'", "f'{b!r:>3}'", "str(b)", "'%s' % b", "'{}'.format(b)", "''.join(map(str, [b]))"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_branch_that_needs_the_text_of_a_bool_is_covered(text: str, tmp_path: Path) -> None:
    report = explore(SUBJECT.format(text=text), tmp_path)

    assert report.conditions.covered == report.conditions.total == 4


def test_a_line_that_needs_the_text_of_a_bool_is_reached(tmp_path: Path) -> None:
    source = SUBJECT.format(text="str(b)").replace("return 2", "return 2  # here")

    assert isinstance(reach_here(source, tmp_path), Reached)


@pytest.mark.parametrize("text", ["'%d' % b", "bytes([48 + b]).decode()"])
def test_where_the_text_is_that_of_a_number_the_branch_is_infeasible(
    text: str, tmp_path: Path
) -> None:
    report = explore(SUBJECT.format(text=text), tmp_path)

    assert [spot.line for spot in report.infeasible] == [8]


def test_what_an_error_says_is_no_text_that_decides(tmp_path: Path) -> None:
    program = """
        def f(n: int) -> int:
            if n < 0:
                raise ValueError(f"{n} is negative")
            if n == -1:
                return 1
            return 0
    """

    report = explore(program, tmp_path)

    assert len(report.infeasible) == 1
    assert report.paths <= 3  # no alternative doubles them


HELD = """
    from typing import Annotated
    from annotated_types import Ge, Le, Len

    Bit = Annotated[int, Ge(0), Le(1)]

    def f(held: Annotated[{kind}, Len(0, 2)]) -> int:
        for each in held:
            if {asked}:
                return 1
        return 0
"""


@pytest.mark.parametrize("asked", ["str(each) == 'True'", "each is True"])
def test_bools_are_tried_inside_lists(asked: str, tmp_path: Path) -> None:
    report = explore(HELD.format(kind="list[Bit]", asked=asked), tmp_path)

    assert report.conditions.covered == report.conditions.total


@pytest.mark.parametrize("asked", ["str(each) == 'True'", "each is True"])
@pytest.mark.parametrize("kind", ["set[Bit]", "frozenset[Bit]", "dict[Bit, int]"])
def test_keys_that_may_be_bools_are_left_open(kind: str, asked: str, tmp_path: Path) -> None:
    report = explore(HELD.format(kind=kind, asked=asked), tmp_path, max_runs=300)

    assert not report.infeasible
    assert "f.held may hold bools for ints" in report.open[0].reason
