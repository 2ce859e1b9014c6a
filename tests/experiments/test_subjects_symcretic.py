"""Each marked line is reached by an input that is written down here, or by none."""

import importlib
import sys
from itertools import product
from types import FrameType

import pytest
from experiments.subjects.symcretic import easy_loop, figures, trityp
from experiments.subjects.symcretic.targets import TARGETS, line, source

TCAS = (601, 1, 1, 100, 600, 200, 0, 500, 300, 0, 0, 0)
TCAS_DOWN = (601, 1, 1, 300, 600, 200, 0, 500, 600, 0, 0, 0)
TCAS_NONE = (601, 1, 1, 100, 600, 200, 0, 500, 400, 0, 0, 0)

REACHED_BY = {
    "dart": (2, 5),
    "easy_loop": (500,),
    "hard_loop": (1024, 1.0),
    "narrow": (-(2**31),),
    "sine_second": (1.5,),
    "sine_fourth": (4.8,),
    "tcas_upward": TCAS,
    "tcas_downward": TCAS_DOWN,
    "tcas_unresolved": TCAS_NONE,
    "trityp_scalene": (3, 4, 5),
    "trityp_isosceles": (3, 3, 5),
    "trityp_equilateral": (3, 3, 3),
    "tsafe_near": (0.0, 400.0, 400.0, 30.0, 40.0, 0.0, 20.0),
    "tsafe_conflict": (0.0, 400.0, 400.0, 0.5, 0.5, 0.0, 20.0),
    "tsafe_turn": (0.0, 0.0, 5.0, 0.1, 1.0, 0.0, 2.0, 1.0),
    "external": (0.0,),
}


def lines_run(marked, arguments) -> set[int]:
    """The lines of the target's file that a call executes."""
    file = str(source(marked))
    entry = getattr(importlib.import_module(marked.module), marked.entry)
    seen: set[int] = set()

    def trace(frame: FrameType, event: str, _: object):
        if frame.f_code.co_filename == file:
            seen.add(frame.f_lineno)
            return trace
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        entry(*arguments)
    finally:
        sys.settrace(before)
    return seen


def test_every_marked_line_is_in_the_table_once():
    marked = {
        text.rpartition("# target: ")[2].strip()
        for file in {source(marked) for marked in TARGETS}
        for text in file.read_text().splitlines()
        if "# target: " in text
    }

    assert marked == {row.target for row in TARGETS}
    assert len(TARGETS) == len(marked) == 21


def test_the_reachable_targets_are_those_with_an_input():
    assert {row.target for row in TARGETS if row.reachable} == set(REACHED_BY)


@pytest.mark.parametrize("marked", [m for m in TARGETS if m.reachable], ids=lambda m: m.target)
def test_a_reachable_target_is_reached_by_its_input(marked):
    assert line(marked) in lines_run(marked, REACHED_BY[marked.target])


def test_unreachable_targets_are_not_reached_by_any_combination_of_signs():
    for signs in product((-1, 1), repeat=9):
        assert figures.unreach(*signs) is False
        assert figures.slicing(*signs) != 1000


def test_trityp_agrees_with_the_triangle_inequality():
    names = {1: trityp.EQUILATERAL, 2: trityp.ISOSCELES, 3: trityp.SCALENE}

    for sides in product(range(-1, 7), repeat=3):
        a, b, c = sorted(sides)
        expected = names[len(set(sides))] if a > 0 and a + b > c else trityp.NO_TRIANGLE
        assert trityp.trityp(*sides) == expected, sides


def test_easy_loop_asks_for_one_number_of_steps():
    assert [x for x in range(-5, 600) if easy_loop.easy_loop(x)] == [easy_loop.STEPS]


def test_hard_loop_needs_both_conditions():
    assert not figures.hard_loop(1023, 1.0)
    assert not figures.hard_loop(1024, 4.0)


def test_narrow_is_narrow():
    assert [x for x in (-(2**31), -(2**31) + 1, -1, 0, 1, 2**31 - 1) if figures.narrow(x)] == [
        -(2**31)
    ]


def test_external_tells_the_zeros_apart():
    assert figures.external(0.0)
    assert not figures.external(-0.0)
    assert not figures.external(1.0)
