"""The cases whose answer is wrong today: each entry is a defect, and goes when it is mended."""

from __future__ import annotations

import pytest
from tests.state.case import Case

WRONG: dict[str, str] = {}


def rows(cases: list[Case]) -> list[object]:
    """The cases as parameters; those whose answer is still wrong have to fail."""
    return [
        pytest.param(
            case,
            id=str(case),
            marks=[pytest.mark.xfail(strict=True, reason=WRONG[str(case)])]
            if str(case) in WRONG
            else [],
        )
        for case in cases
    ]
