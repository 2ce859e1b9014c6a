"""What a test file imports, under which names and in which order."""

from __future__ import annotations

from symcrete.explore.findings import FoundInput
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import Bindings, Import, import_block, renamed, renamed_input


def test_a_name_is_imported_as_it_is() -> None:
    assert Bindings().bind("shop", "price") == Import("shop", "price")


def test_two_things_of_one_name_get_two() -> None:
    names = Bindings()

    assert names.bind("shop", "date").bound == "date"
    assert names.bind("datetime", "date").bound == "date_2"
    assert names.bind("shop", "date").bound == "date"


def test_what_pytest_would_take_for_a_test_is_called_otherwise() -> None:
    names = Bindings()

    assert names.bind("m", "testme").bound == "_testme"
    assert names.bind("m", "TestCase").bound == "_TestCase"


def test_what_tests_use_themselves_keeps_its_meaning() -> None:
    assert Bindings().bind("m", "list").bound == "_list"
    assert Bindings().bind("m", "re").bound == "_re"


def test_names_that_a_file_has_are_kept() -> None:
    names = Bindings([Import("a", "X"), Import("numpy", "", "X_2")])

    assert names.bind("b", "X").bound == "X_3"


def test_only_variables_are_renamed() -> None:
    assert renamed('f(x, "x", a.x, x=x)', {"x": "y"}) == 'f(y, "x", a.x, x=y)'
    assert renamed("é = x\nx = [x]", {"x": "long"}) == "é = long\nlong = [long]"


def test_every_text_of_an_input_is_renamed() -> None:
    found = FoundInput({"a": "T(1)"}, "raised", None, "T()", (), "", setup=("t = T()",), caught="T")

    new = renamed_input(found, {"T": "_T"})

    assert new.args == {"a": "_T(1)"} and new.setup == ("t = _T()",) and new.caught == "_T"


def test_imports_are_sorted_into_the_library_others_and_the_program() -> None:
    imports = {
        Import("shop.cart", "Cart"),
        Import("pytest"),
        Import("re"),
        Import("datetime", "date"),
        Import("shop", "price"),
        Import("shop", "LIMIT"),
        Import("shop", "Shop"),
        Import("shop", "test_it", "_test_it"),
        Import("asyncio"),
    }

    library, others, own = import_block(imports, ["shop"], Layout())

    assert library == ["import asyncio", "import re", "from datetime import date"]
    assert others == ["import pytest"]
    assert own == [
        "from shop import LIMIT, Shop, price",
        "from shop import test_it as _test_it",
        "from shop.cart import Cart",
    ]
