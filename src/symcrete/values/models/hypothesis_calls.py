"""What a test under Hypothesis's `@given` says about its inputs: `assume` and `reject`.

They are known by name, so that Hypothesis need not be installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.values.rows.model_rows import ModelRow, Pure
from symcrete.values.tracking.operators import truth_of


def assumed(original: Callable[..., Any], condition: Any) -> bool:
    """`assume(condition)`: a branch; where it fails, the test has no such input."""
    if not truth_of(condition):
        raise AssumptionFailed
    return True


def rejected(original: Callable[..., Any]) -> None:
    """`reject()`: the test has no such input."""
    raise AssumptionFailed


MODELS: tuple[ModelRow, ...] = (
    Pure("hypothesis.control", "assume", assumed),
    Pure("hypothesis.control", "reject", rejected),
)
