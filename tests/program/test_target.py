"""Which functions of a file are targets, and by which name each is called."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from symcrete.errors import TargetNotFound
from symcrete.program.source.module import is_library, is_of_program
from symcrete.program.source.target import targets_of

SHOP = """
class Shop:
    def __init__(self, n):
        self._n = n

    def __eq__(self, other):
        return True

    def __del__(self):
        pass

    @property
    def n(self):
        return self._n

    @n.setter
    def n(self, value):
        self._n = value

    class Till:
        def __post_init__(self):
            pass


def outer():
    def inner():
        pass
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.py"
    file.write_text(SHOP)
    return file


def test_constructors_special_methods_and_setters_are_targets(shop: Path) -> None:
    found = [(each.scope, each.called) for each in targets_of(str(shop))]

    assert found == [
        ("Shop.__init__", "Shop"),
        ("Shop.__eq__", "Shop.__eq__"),
        ("Shop.n", "Shop.n"),
        ("Shop.n", "Shop.n.fset"),
        ("Shop.Till.__post_init__", "Shop.Till"),
        ("outer", "outer"),
    ]


def test_labels_are_different(shop: Path) -> None:
    labels = [each.label for each in targets_of(str(shop))]

    assert len(set(labels)) == len(labels)


def test_a_constructor_can_be_named(shop: Path) -> None:
    (target,) = targets_of(f"{shop}::Shop.__init__")

    assert target.called == "Shop"


def test_a_function_inside_a_function_is_none(shop: Path) -> None:
    with pytest.raises(TargetNotFound, match="name the function around it"):
        targets_of(f"{shop}::outer.inner")


def test_what_a_label_names_is_the_target_it_is_of(shop: Path) -> None:
    for each in targets_of(str(shop)):
        (again,) = targets_of(each.label)

        assert (again.scope, again.called, again.label) == (each.scope, each.called, each.label)


def test_what_only_type_checkers_see_is_no_target(tmp_path: Path) -> None:
    file = tmp_path / "typed.py"
    file.write_text(
        "import typing\nfrom typing import TYPE_CHECKING\n\n"
        "if TYPE_CHECKING:\n    def hint(): ...\nelse:\n    def real(): return 1\n\n"
        "class Version:\n"
        "    if typing.TYPE_CHECKING:\n"
        "        @property\n        def _key(self): ...\n"
        "    def __hash__(self): return hash(self._key)\n"
    )

    assert [each.scope for each in targets_of(str(file))] == ["real", "Version.__hash__"]


def test_a_module_is_found_in_src_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "src" / "shop_in_src"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "pricing.py").write_text("def price(x: int) -> int:\n    return x\n")
    monkeypatch.chdir(tmp_path)

    (target,) = targets_of("shop_in_src.pricing:price")

    assert target.source.root == tmp_path / "src"
    assert target.source.module == "shop_in_src.pricing"


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("shpo.py", "; did you mean shop.py?"),
        ("srcc", "; did you mean src?"),
        ("shpo", "; did you mean shop.py?"),
        ("srcs/deep.py", "; did you mean src/deep.py?"),
        ("nowhere/else/shop.py", ""),
        ("quux.py", ""),  # as long as another, and nothing like it
    ],
)
def test_a_name_that_is_not_there_is_answered_by_what_is_like_it(
    written: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    for name in ("shop.py", "src/deep.py", "help.py", "temp.py"):
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(TargetNotFound) as caught:
        targets_of(written)

    assert str(caught.value).endswith((hint or written, f"{written!r} and no file of that name"))
    assert hint or "did you mean" not in str(caught.value)


def test_the_folders_of_libraries_are_those_that_python_names() -> None:
    named = sysconfig.get_paths()

    found = [is_library(Path(named[key]) / "x.py") for key in ("stdlib", "purelib", "platlib")]

    assert found == [True, True, True]
    assert not is_library(Path(named["stdlib"]).parent / "x.py")


def test_the_program_is_its_package_and_all_that_is_not_installed() -> None:
    installed = sysconfig.get_paths()["purelib"]

    assert is_of_program(f"{installed}/shop/till.py", "shop.till", "shop.prices")
    assert not is_of_program(f"{installed}/shopping.py", "shopping", "shop.prices")
    assert is_of_program("/project/other.py", "other", "shop.prices")


def test_files_that_are_named_as_tests_are_no_program(tmp_path: Path) -> None:
    for name in ("shop.py", "tests.py", "shop_test.py", "test_shop.py", "conftest.py", "latest.py"):
        (tmp_path / name).write_text("def f(x: int) -> int:\n    return x\n")

    assert {each.source.module for each in targets_of(str(tmp_path))} == {"shop", "latest"}
