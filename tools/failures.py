"""A pytest plugin that writes down which tests failed, one name per line.

    SYMCRETE_FAILURES=FILE pytest -p tools.failures

Under pytest-xdist the workers tell the process that started them, and only that one writes.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "SYMCRETE_FAILURES"


class Notes:
    """Writes the name of each test that fails, once, as soon as it is known."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test's set-up, body or tear-down is over."""
        if report.failed and report.nodeid not in self._seen:
            self._seen.add(report.nodeid)
            with self._file.open("a") as file:
                file.write(report.nodeid + "\n")


def pytest_configure(config: pytest.Config) -> None:
    """Take notes, unless this is a worker of somebody who does."""
    if VARIABLE in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Notes(Path(os.environ[VARIABLE])))
