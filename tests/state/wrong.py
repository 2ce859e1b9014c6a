"""The cases whose answer is wrong today: each entry is a defect, and goes when it is mended."""

from __future__ import annotations

import pytest
from tests.state.case import Case

WRONG: dict[str, str] = {}
GROUP = 8  # cases


def rows(cases: list[Case]) -> list[object]:
    """The cases as parameters; those whose answer is still wrong have to fail."""
    return [
        pytest.param(
            case,
            id=str(case),
            marks=_wrong(case),
        )
        for case in cases
    ]


def groups(cases: list[Case]) -> list[object]:
    """The cases as parameters, many to a group, which share one start of the tool and of pytest:
    most of the time of one. Those whose answer is still wrong have to fail, each alone.
    """
    right = [case for case in cases if str(case) not in WRONG]
    return [
        *[
            pytest.param(right[first : first + GROUP], id=f"{right[first]}, and after it")
            for first in range(0, len(right), GROUP)
        ],
        *[
            pytest.param([case], id=str(case), marks=_wrong(case))
            for case in cases
            if str(case) in WRONG
        ],
    ]


def _wrong(case: Case) -> list[pytest.MarkDecorator]:
    name = str(case)
    return [pytest.mark.xfail(strict=True, reason=WRONG[name])] if name in WRONG else []
