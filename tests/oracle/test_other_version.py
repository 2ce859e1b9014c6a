"""Another version of a module is imported under another name, with what it imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from symcrete.errors import BadOption, TargetNotFound
from symcrete.oracle.other_version import at_revision, beside_another
from symcrete.program.source.target import Target, targets_of


def git(folder: Path, *words: str) -> None:
    name = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def target(tmp_path: Path) -> Target:
    """A package with two commits' worth of changes, of which one is committed."""
    package = tmp_path / "store"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "tax.py").write_text("import store.rates\nRATE = store.rates.RATE\n")
    (package / "rates.py").write_text("import json\nfrom . import more\nRATE = more.RATE\n")
    (package / "more.py").write_text("RATE = 19\n")
    text = "import store.tax as t, math\nfrom store.more import RATE\ndef price(x: int) -> int:\n"
    (package / "cart.py").write_text(text + "    return x * t.RATE + RATE\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    (package / "more.py").write_text("RATE = 7\n")
    (package / "cart.py").write_text(text + "    return x\ndef fresh() -> int:\n    return 1\n")
    (found,) = targets_of(f"{package / 'cart.py'}::price")
    return found


def called(version: Target, argument: int) -> str:
    """What the version gives in an interpreter of its own, where it stands beside the other."""
    code = f"import sys; sys.path[:0] = {version.source.path}\n"
    code += f"import {version.source.module} as m; print(m.price({argument}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.stdout.strip() or done.stderr


def test_a_revision_has_the_modules_of_its_time(target: Target, tmp_path: Path) -> None:
    version = at_revision(target, "HEAD", tmp_path / "there")

    assert called(version.target, 2) == str(2 * 19 + 19)
    assert version.modules["store.more"] == "other_version.store.more"
    assert version.target.label == f"{target.label} at HEAD"


def test_a_module_of_the_same_name_is_copied_as_it_is(target: Target, tmp_path: Path) -> None:
    version = beside_another(target, tmp_path / "there")

    assert called(version.target, 2) == "2"


def test_what_is_not_in_a_revision_is_said(target: Target, tmp_path: Path) -> None:
    (fresh,) = targets_of(f"{target.source.file}::fresh")
    new = tmp_path / "new.py"
    new.write_text("def f() -> int:\n    return 1\n")

    with pytest.raises(TargetNotFound, match="there was no fresh"):
        at_revision(fresh, "HEAD", tmp_path / "a")
    with pytest.raises(TargetNotFound, match=r"there was no new\.py"):
        at_revision(targets_of(f"{new}::f")[0], "HEAD", tmp_path / "b")
    with pytest.raises(BadOption, match="no revision 'v9'"):
        at_revision(target, "v9", tmp_path / "c")
