"""Folders as they really lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from symcrete import folders
from symcrete.folders import real_folder


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert real_folder(str(tmp_path / "link")) == os.path.realpath(tmp_path / "real")


def test_a_relative_folder_is_looked_up_from_where_the_process_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "there"):
        (tmp_path / name / "below").mkdir(parents=True)

    found = []
    for name in ("here", "there"):
        monkeypatch.chdir(tmp_path / name)
        found.append(real_folder("below"))

    assert found == [os.path.realpath(tmp_path / name / "below") for name in ("here", "there")]


def test_our_own_code_is_told_by_how_its_paths_begin() -> None:
    own = folders.real_folder.__code__.co_filename

    assert own.startswith(folders.OUR_FILES)
    assert not __file__.startswith(folders.OUR_FILES)
    assert Path(folders.IMPORT_ROOT, "symcrete", "folders.py").samefile(own)
