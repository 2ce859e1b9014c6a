"""Every row of the catalogue of hostile programs: the user sees what the row says."""

from pathlib import Path

import pytest
from tests.hostile import endings, importing, kinds, shapes, values
from tests.hostile.case import Case, run_and_check

CASES = [*endings.CASES, *shapes.CASES, *kinds.CASES, *importing.CASES, *values.CASES]


def parameters() -> list[object]:
    return [
        pytest.param(each, id=each.name, marks=[pytest.mark.hostile] if each.slow else [])
        for each in CASES
    ]


@pytest.mark.parametrize("case", parameters())
def test_the_user_sees_what_the_row_says(case: Case, tmp_path: Path) -> None:
    run_and_check(case, tmp_path)


def test_there_is_a_case_for_every_row() -> None:
    assert {each.row for each in CASES} == set(range(1, 60))
