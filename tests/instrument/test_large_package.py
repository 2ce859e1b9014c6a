"""A package of many modules: one that no run enters is imported, and nothing more."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from symcrete.explore import compose
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of

MODULES = 60
MODULE = """
def work(n: int, text: str) -> int:
    total = 0
    for char in text:
        if char == "a" and n > 3:
            total += n
    return total
"""
SMALL = """
from many_modules import m7

def small(n: int) -> int:
    if n > 3:
        return m7.work(n, "a")
    return 0
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "many_modules"
    folder.mkdir()
    numbers = range(MODULES)
    (folder / "__init__.py").write_text("".join(f"from . import m{each}\n" for each in numbers))
    for each in numbers:
        (folder / f"m{each}.py").write_text(MODULE)
    (folder / "small.py").write_text(SMALL)
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [each for each in sys.modules if each.partition(".")[0] == "many_modules"]:
        del sys.modules[name]


def test_only_modules_that_a_run_enters_are_rewritten(package: Path) -> None:
    (target,) = targets_of("many_modules.small:small")
    options = options_from({"max_runs": 20, "replay": False})

    imported = compose.loaded(target.source, options, at_once=False)
    before = {Path(each).stem for each in imported.rewritten.files}
    report = compose.cover(target, options, imported=imported)

    assert before == {"small"}
    assert report.branches.covered == report.branches.total == 2
    assert {Path(each).stem for each in imported.rewritten.files} == {"small", "m7"}
    assert len(imported.rewritten.waiting) >= MODULES - 1
