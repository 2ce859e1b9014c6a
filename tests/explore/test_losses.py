"""A term that is lost voids what comes after it, and nothing that came before."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

LOSING = "base64.b64encode(bytes([abs(n) % 7]))"
BEFORE = {
    "at the end": (
        "import base64\ndef f(n: int) -> bytes:\n"
        "    if n > 5 and n < 3:\n        return b''\n"
        f"    return {LOSING}\n"
    ),
    "with branches after it": (
        "import base64\ndef f(n: int) -> int:\n"
        "    if n > 5 and n < 3:\n        return 1\n"
        f"    text = {LOSING}\n"
        "    if text == b'AQ==':\n        return 2\n"
        "    return 3\n"
    ),
    "on the other way": (
        "import base64\ndef f(n: int) -> bytes:\n"
        f"    if n > 100:\n        return {LOSING}\n"
        "    if n > 5 and n < 3:\n        return b''\n"
        "    return b'x'\n"
    ),
}
AFTER = {
    "before it": (
        "import base64\ndef f(n: int) -> int:\n"
        f"    text = {LOSING}\n"
        "    if text == b'never':\n        return 1\n"
        "    return 2\n"
    ),
    "in a loop": (
        "import base64\ndef f(n: int) -> int:\n    seen = b''\n    for _ in range(2):\n"
        "        if seen == b'never':\n            return 1\n"
        f"        seen = {LOSING}\n"
        "    return 2\n"
    ),
    "in a function that is called": (
        "import base64\ndef g(n: int) -> bytes:\n"
        f"    return {LOSING}\n"
        "def f(n: int) -> int:\n"
        "    if n > 5 and n < 3:\n        return 1\n"
        "    return len(g(n))\n"
    ),
    "and comes back": (
        "import base64\ndef g(n: int) -> int:\n    return f(n, False)\n"
        "def f(n: int, first: bool) -> int:\n"
        "    if n == 77 and not first and n > 90:\n        return 1\n"
        "    if first:\n"
        f"        return g(len({LOSING}) * 20)\n"
        "    return 2\n"
    ),
}


@pytest.mark.parametrize("text", BEFORE.values(), ids=list(BEFORE))
def test_a_branch_before_a_loss_is_proved_infeasible(text: str, tmp_path: Path) -> None:
    report = explore(text, tmp_path)

    assert [each.text for each in report.infeasible] == ["n < 3"]
    assert report.status != "complete"


@pytest.mark.parametrize("text", AFTER.values(), ids=list(AFTER))
def test_nothing_is_proved_of_what_may_come_after_a_loss(text: str, tmp_path: Path) -> None:
    report = explore(text, tmp_path)

    assert not report.infeasible
    assert report.open


def test_a_run_that_ends_before_another_with_the_same_branches_is_no_error_of_ours(
    tmp_path: Path,
) -> None:
    report = explore(
        f"import base64\ndef f(n: int) -> int:\n    text = {LOSING}\n"
        "    if n > 5 and n < 3:\n        return 1\n"
        "    if text == b'AQ==' and n < 100:\n        return 2\n"
        "    return 3\n",
        tmp_path,
        budget=5.0,
    )

    assert not report.error
    assert not report.infeasible


def test_what_is_read_to_find_out_about_a_stand_in_is_no_read_of_the_program(
    tmp_path: Path,
) -> None:
    report = explore(
        "def f(x) -> int:\n    if x.inner.colour.shade == x.outer.first().shade:\n"
        "        return 1\n    if type(f) in (bytes,):\n        return 2\n    return 0\n",
        tmp_path,
        max_runs=10,
    )

    assert report.open
    assert not [spot for spot in report.open if "files of this machine" in spot.reason]
