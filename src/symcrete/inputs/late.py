"""Inputs that are no parameters: they come into being when a run first reads them.

A run that asks for an environment variable, the time or an attribute of a fake object asks for the
value of a *root*, which has a name and a shape as a parameter has. Its variables are part of the
assignment like all others, so that they are solved for, replayed, minimised and kept in a journal.
A root that an assignment says nothing about has its plainest value.
"""

from __future__ import annotations

from symcrete.inputs.shapes.shape import Shape
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Late:
    """An input that a run asked for."""

    root: str  # its name, with which the names of its variables begin: os.environ['SHOP']
    shape: Shape
    source: str  # the row of world/sources.py that sets it; "" if an argument holds it
