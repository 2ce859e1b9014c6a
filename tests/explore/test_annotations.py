"""Every kind of annotation: the branch that needs a particular value is covered, and the input
replays.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.limits import allowed

from symcrete.explore.compose import cover
from symcrete.explore.options import Options
from symcrete.program.source.target import targets_of

FILE = Path(__file__).with_name("annotated.py")
METHODS = ["Account.rich", "Account.stuck", "Account.of", "Account.fee"]
NOT_TARGETS = ["Account.deposit", "Account.close"]
TARGETS = {target.scope: target for target in targets_of(str(FILE))}
SCOPES = [scope for scope in TARGETS if scope not in NOT_TARGETS and not scope.endswith("_init__")]


@pytest.mark.timed
@pytest.mark.parametrize("scope", SCOPES)
def test_the_branch_that_needs_a_particular_value_is_covered(scope: str) -> None:
    began = time.process_time()  # a busy machine is no reason to miss one
    report = cover(TARGETS[scope], Options(budget=60.0))
    seconds = time.process_time() - began

    assert seconds < allowed(4.0)
    assert not report.error
    assert report.conditions.open == 0, report.open
    assert any("True" in (found.returned or "") for found in report.inputs)
    assert {found.outcome for found in report.inputs} <= {"returned", "raised"}


def test_there_are_more_kinds_than_the_issue_asks_for() -> None:
    assert len(SCOPES) >= 36
    assert set(METHODS) <= set(SCOPES)
