"""Proofs about programs of several modules, one of which changes what another one reads."""

from itertools import count
from pathlib import Path

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of

_numbers = count()  # of packages: one of each name is imported in a process

LIMITS = """
LIMIT = 3
TABLE = {"a": 1}
class Config:
    limit = 3
    def __init__(self) -> None: self.other = 4
def is_over(n: int) -> bool: return LIMIT != 3
def is_in_table(n: int) -> bool: return TABLE["a"] != 1
def is_configured(n: int) -> bool: return Config.limit != 3
"""
ASKED = """
from PKG.limits import is_over, is_in_table, is_configured
def f(n: int) -> int:
    if ASKED(n):
        return 1
    return 0
"""


def explored(folder: Path, **modules: str) -> TargetReport:
    """The report on `f` of the module `main`; PKG in a text is the package of them all."""
    package = folder / f"several_{next(_numbers)}"
    package.mkdir()
    for name, text in {"__init__": "", **modules}.items():
        (package / f"{name}.py").write_text(text.replace("PKG", package.name))
    (target,) = targets_of(f"{package / 'main.py'}::f")
    return cover(target, options_from({"budget": 5.0, "replay": False}))


@pytest.mark.parametrize(
    ("asked", "change"),
    [
        ("is_over", "import PKG.limits as a\ndef change(): a.LIMIT = 5"),
        ("is_over", "from PKG import limits\ndef change(): setattr(limits, 'LIMIT', 5)"),
        ("is_in_table", "from PKG.limits import TABLE\ndef change(): TABLE['a'] = 5"),
        ("is_configured", "from PKG.limits import Config as C\ndef change(): C.limit = 5"),
        ("is_configured", "import PKG.limits as a\ndef change(): a.Config.limit = 5"),
        ("is_in_table", "import PKG.limits\ndef change(): PKG.limits.TABLE.clear()"),
        ("is_over", "import PKG.limits\ndef change(): PKG.limits.LIMIT = 5"),
        ("is_configured", "from PKG import limits\ndef change(): limits.Config.limit = 5"),
    ],
)
@pytest.mark.parametrize("place", ["main", "other"])
def test_what_another_module_changes_is_no_constant(
    asked: str, change: str, place: str, tmp_path: Path
) -> None:
    main = ASKED.replace("ASKED", asked)
    modules = {"main": f"{change}\n{main}"}
    if place == "other":
        modules = {"other": change, "main": f"from PKG import other\n{main}"}

    report = explored(tmp_path, limits=LIMITS, **modules)

    assert not report.infeasible
    assert "depends on" in report.open[0].reason


@pytest.mark.parametrize("asked", ["is_over", "is_in_table", "is_configured"])
@pytest.mark.parametrize(
    "other",
    [
        "from PKG.limits import TABLE\ndef look(): return TABLE['a']",
        "from PKG.limits import Config\ndef change(c: Config): c.other = 5",
        "LIMIT = TABLE = None\ndef change():\n    global LIMIT\n    LIMIT = 5",
        "from PKG import limits\nclass C: limit = 1\ndef change(): limits.OTHER = 5",
    ],
)
def test_what_another_module_has_under_the_same_name_keeps_no_proof_away(
    asked: str, other: str, tmp_path: Path
) -> None:
    main = f"from PKG import other\n{ASKED.replace('ASKED', asked)}"

    report = explored(tmp_path, limits=LIMITS, other=other, main=main)

    assert len(report.infeasible) == 1
