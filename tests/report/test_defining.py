"""A module always gets a test: if nothing else, that it can be imported and what it defines."""

from __future__ import annotations

from pathlib import Path

from tests.report.whole_modules import covered

from symcrete.report.tests.defining import defined, defining_test
from symcrete.report.tests.names import Bindings

ADDRESS = "def now():\n    raise KeyError(id(object()))\n"


def test_a_module_of_which_nothing_can_be_asserted_is_imported(tmp_path: Path) -> None:
    found = covered(ADDRESS, tmp_path)

    assert found.passes, found.said
    assert "def test_shop_can_be_imported():\n    assert callable(now)" in found.text


def test_another_run_replaces_that_test_by_better_ones(tmp_path: Path) -> None:
    covered(ADDRESS, tmp_path)

    found = covered("def now():\n    return 3\n", tmp_path)

    assert found.passes, found.said
    assert "can_be_imported" not in found.text
    assert "now() == 3" in found.text


def test_that_test_comes_back_where_no_other_holds_any_more(tmp_path: Path) -> None:
    covered("def now():\n    return 3\n", tmp_path)

    found = covered(ADDRESS, tmp_path)

    assert found.passes, found.said
    assert "def test_shop_can_be_imported()" in found.text


def test_the_names_are_those_that_the_text_always_defines(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text("def _a(): ...\nclass B: ...\n@d\ndef c(): ...\nif 1:\n    def e(): ...\n")

    assert defined(str(file)) == ["B", "_a"]
    assert defined(str(tmp_path / "none.py")) == []


def test_a_module_without_names_is_imported_by_its_own(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text("x = 1\n")

    test = defining_test("pack.shop", str(file), Bindings())

    assert 'importlib.import_module("pack.shop")' in test.text
