"""Wiring is visible: importing a module changes nothing in the modules imported before it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_importing_any_module_changes_nothing_elsewhere() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "contracts.importing"],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=True,
    )

    *changes, total = done.stdout.splitlines()
    assert changes == []
    assert int(total.split()[0]) > 350


def test_the_tables_of_values_are_empty_until_a_vocabulary_is_taken_into_use() -> None:
    script = """
from symcrete.instrument import hooks
from symcrete.values.rows import tables
from symcrete.values.tracking import modelled
from symcrete.values.vocabulary.vocabulary import LISTED, use
before = (len(tables.PLAIN), len(tables.MEETS), len(modelled.PURE))
use(LISTED)
print(before, len(tables.PLAIN) > 10, len(tables.MEETS) > 10, len(modelled.PURE) > 10)
"""

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stdout == "(0, 0, 0) True True True\n"
