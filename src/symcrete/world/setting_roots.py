"""Roots of the settings that others than their row ask for or know."""

from __future__ import annotations

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape

SETTINGS_NAME = "settings"  # of the row
CURRENT_FOLDER = "os.getcwd()"
YES_OR_NO = ChoiceShape((ConstantShape(False), ConstantShape(True)))


def is_terminal(stream: str) -> Late:
    """Whether a stream that is written to, `sys.stdout`, is a terminal."""
    return Late(f"{stream}.isatty()", YES_OR_NO, SETTINGS_NAME)
