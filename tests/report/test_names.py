"""What a test file imports, under which names and in which order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from symcrete.explore.findings import FoundInput, Spot
from symcrete.inputs.told_apart import renamed
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import (
    Bindings,
    Import,
    different,
    free,
    identifier,
    import_block,
    imported_in,
    in_words,
    renamed_input,
    telling,
)
from symcrete.run.use import Ending


def test_a_name_is_imported_as_it_is() -> None:
    assert Bindings().bind("shop", "price") == Import("shop", "price")


def test_a_path_is_called_as_the_file_calls_it_and_another_class_otherwise() -> None:
    names = Bindings()

    assert names.bind("pathlib", "Path") == Import("pathlib", "Path")
    assert names.bind("shop", "Path") == Import("shop", "Path", "_Path")


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


@pytest.mark.parametrize("name", ["at_once", "archive", "connection_2", "moments_now", "Fixed"])
def test_what_sets_a_situation_defines_names_of_its_own(name: str) -> None:
    assert Bindings().bind("m", name).bound == f"_{name}"


def test_what_pytest_would_give_to_a_test_is_called_otherwise() -> None:
    assert Bindings().bind("keyboard", "request") == Import("keyboard", "request", "_request")


@pytest.mark.parametrize(
    "name",
    [
        *("setup_module", "teardown_function", "setUpModule", "load_tests"),  # called by runners
        *("pytest_configure", "pytestmark"),
        *("set", "isinstance", "TimeoutError"),  # may stand in values and errors
        *("result", "items", "captured"),  # assigned to in tests
    ],
)
def test_a_name_that_means_more_in_a_test_file_is_changed(name: str) -> None:
    assert Bindings().bind("m", name).bound == f"_{name}"
    assert Bindings().bind_module(name) is None


def test_names_that_a_file_has_are_kept() -> None:
    names = Bindings([Import("a", "X"), Import("numpy", "", "X_2")])

    assert names.bind("b", "X").bound == "X_3"


def test_only_variables_are_renamed() -> None:
    assert renamed('f(x, "x", a.x, x=x)', {"x": "y"}) == 'f(y, "x", a.x, x=y)'
    assert renamed("é = x\nx = [x]", {"x": "long"}) == "é = long\nlong = [long]"


def test_every_text_of_an_input_is_renamed() -> None:
    found = FoundInput(
        {"a": "T(1)"}, Ending.RAISED, None, "T()", (), "", setup=("t = T()",), caught="T"
    )

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


def test_a_name_that_is_changed_stands_where_sorters_want_it() -> None:
    imports = [Import("click.types", "_Base"), Import("click.types", "Path", "_Path")]

    _, others, _ = import_block(imports, [], Layout())

    assert others == [
        "from click.types import Path as _Path",
        "from click.types import _Base",
    ]


def test_names_are_sorted_as_ruff_does(tmp_path: Path) -> None:
    words = ["_Validator", "_get", "f10", "f9", "F2", "Zed", "able", "MAX", "A", "_x1", "_X1"]
    imports = [
        Import(module, word) for module in ("b.Sub", "b.other", "B2", "b10") for word in words
    ]
    file = tmp_path / "sorted.py"
    sections = import_block(imports, [], Layout())
    file.write_text("\n".join(line for section in sections for line in section) + "\n")

    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--select=I",
        "--diff",
        str(file),
    ]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout


def test_a_name_that_is_taken_gets_underscores() -> None:
    assert free("a", ["a", "a_"]) == "a__"
    assert free("and", []) == "and_"  # an object of the class And


def test_a_condition_ends_the_name_of_a_test() -> None:
    found = in_words("os.environ.get('SHOP') == '1'")

    assert found == "_when_os_environ_get_shop_is_1"
    assert in_words("returns True, at its edge") == "_returns_true_at_its_edge"
    assert in_words("a_very_long_name_of_something >= another_long_name_of_it") == (
        "_when_a_very_long_name_of_something"
    )
    assert in_words("") == ""


def case(*conditions: str) -> FoundInput:
    spots = tuple([Spot(1, 0, True, text) for text in conditions])
    return FoundInput({}, Ending.RETURNED, "0", None, spots, "")


def test_a_case_is_named_by_two_conditions_or_by_a_whole_one() -> None:
    long = "not isinstance(obj, unicode_type)"

    assert identifier(case("a > b", "c")) == "a > b, c"
    assert identifier(case(long, "isinstance(obj, bytes_type)")) == long
    assert identifier(case("returns 1", "returns 1, at its edge")) == "returns 1, at its edge"
    assert identifier(case("x" * 90)) == "x" * 57 + "..."
    assert different(["a", "a", "b"]) == ["a", "a (2)", "b"]


def test_a_loop_that_was_entered_and_left_was_entered() -> None:
    spots = (Spot(3, 6, False, "i >= len(a)"), Spot(3, 6, True, "i < len(a)"))

    assert telling(spots) == ["i < len(a)"]


def test_parts_and_wholes_are_not_told_twice() -> None:
    whole = Spot(2, 7, True, "a > 1 and b")
    part = Spot(2, 7, True, "a > 1")
    not_whole = Spot(2, 7, False, "not (a > 1 and b)")
    not_part = Spot(2, 7, False, "a <= 1")

    assert telling((whole, part)) == ["a > 1 and b"]
    assert telling((not_whole, not_part)) == ["a <= 1"]
    assert telling((not_whole,)) == ["not (a > 1 and b)"]


def test_a_module_is_imported_under_the_name_that_the_file_has_for_it() -> None:
    names = Bindings([Import("other", "", "shop")])

    sections = import_block([names.bind("shop", "")], ["shop"], Layout(88))

    assert [line for section in sections for line in section] == ["import shop as shop_2"]


def test_a_text_that_does_not_parse_imports_nothing() -> None:
    assert imported_in("from m import f\ndef (\n", 1, "") == set()
