"""A library module inside a package is rewritten however the program names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.explore.exploring import explore

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
