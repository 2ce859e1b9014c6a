"""A library module inside a package is rewritten however the program names it."""

from __future__ import annotations

import urllib.parse
from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.values.tracking.followed import rewritten_files

NAMED = {
    "as an attribute of its package": "import urllib.parse\n",
    "from its package": "from urllib import parse\n",
    "its function": "from urllib.parse import urlsplit\n",
}
CALLED = {
    "as an attribute of its package": "urllib.parse.urlsplit",
    "from its package": "parse.urlsplit",
    "its function": "urlsplit",
}


@pytest.mark.parametrize("how", NAMED)
def test_a_module_of_a_package_is_rewritten(how: str, tmp_path: Path) -> None:
    text = f"{NAMED[how]}\ndef f(s: str):\n    return {CALLED[how]}(s)\n"
    within = {"instrument": "urllib.parse", "within": "urllib.parse:urlsplit"}

    for _ in range(2):  # a copy for an earlier target does not stand in the way
        report = explore(text, tmp_path, max_runs=60, **within)

        assert not report.error, report.error
        assert report.conditions.covered > 2


def test_a_module_rewritten_for_an_earlier_target_is_not_taken_for_rewritten(
    tmp_path: Path,
) -> None:
    text = "from urllib.parse import urlsplit\n\ndef f(s: str):\n    return 1 if urlsplit(s).port == 8443 else 2\n"
    explore(text, tmp_path, max_runs=5, instrument="urllib.parse")
    assert urllib.parse.__file__ in rewritten_files

    explore("def f(n: int) -> int:\n    return n\n", tmp_path, max_runs=5)

    assert urllib.parse.__file__ not in rewritten_files
