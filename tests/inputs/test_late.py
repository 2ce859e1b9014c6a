"""A late input is a name, a shape and the row that sets it."""

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import IntShape


def test_two_reads_of_one_root_are_one_input() -> None:
    assert Late("clock", IntShape(), "clock") == Late("clock", IntShape(), "clock")
