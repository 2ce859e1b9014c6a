"""What a user of the installed package relies on: names, version, types, licence."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import symcrete

ROOT = Path(__file__).parents[2]


def test_dir_shows_the_public_names_before_they_are_imported() -> None:
    code = "import symcrete; print(*(n for n in dir(symcrete) if n[0] != '_'))"

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.split() == sorted(symcrete.__all__)


@pytest.mark.parametrize("name", symcrete.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(symcrete, name) is not None


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'symcrete' has no attribute 'kover'"):
        symcrete.kover  # noqa: B018  # the look-up is what is tested


def test_importing_the_package_imports_no_engine() -> None:
    code = (
        "import sys, symcrete; print(*sorted(m for m in sys.modules if m.startswith('symcrete')))"
    )

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert loaded.stdout.split() == ["symcrete"]


def test_the_version_is_written_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert "version" in project["dynamic"]
    assert "version" not in project
    assert version("symcrete") == symcrete.VERSION == symcrete.__version__


def test_the_wheel_ships_its_types_its_licence_and_only_the_package(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    skipped = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=skipped)

    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist"]
    subprocess.run(build, cwd=tmp_path, capture_output=True, check=True)

    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name.startswith(f"symcrete-{symcrete.VERSION}-py3-none-any")
    names = zipfile.ZipFile(wheel).namelist()
    assert "symcrete/py.typed" in names
    assert f"symcrete-{symcrete.VERSION}.dist-info/METADATA" in names
    assert any(name.endswith("LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"symcrete"}
    modules = {
        path.relative_to(tmp_path / "src").as_posix() for path in (tmp_path / "src").rglob("*.py")
    }
    assert modules == {name for name in names if name.endswith(".py")}
