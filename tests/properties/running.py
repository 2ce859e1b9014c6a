"""Runs tests of properties by pytest, inside this process, and tells how each ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from symcrete.properties import pytest_plugin


class Ended:
    """How the tests of one run ended, by name."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.texts: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.partition("::")[2]
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[name] = report.outcome
            self.texts[name] = report.longreprtext


def ended(folder: Path, test: str, *flags: str, **others: str) -> Ended:
    """Write a test file, and other modules beside it, and run it."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_it.py").write_text(test)
    for name, text in others.items():
        (folder / f"{name}.py").write_text(text)
    found = Ended()
    args = [str(folder), "-q", "-p", "no:symcrete", "-p", "no:cacheprovider", f"--rootdir={folder}"]
    with _modules_forgotten({"test_it", *others}):
        pytest.main([*args, *flags], plugins=[pytest_plugin, found])
    return found


@contextmanager
def _modules_forgotten(names: set[str]) -> Iterator[None]:
    import sys

    former = list(sys.path)
    for name in names:  # another test may have left one
        sys.modules.pop(name, None)
    try:
        yield
    finally:
        sys.path[:] = former
        for name in names:
            sys.modules.pop(name, None)
