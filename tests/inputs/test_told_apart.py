"""Two classes of one name in an input are told apart."""

import math
import os

import pytest

from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes.shape import Written
from symcrete.inputs.told_apart import beside, import_line, imported, told_apart

SHOP = frozenset({("shop", "Item")})
STOCK = frozenset({("stock", "Item")})


def test_texts_without_such_classes_stay_as_they_are() -> None:
    written = {"a": Written("Item(1)", SHOP), "b": Written("[Item(2)]", SHOP)}

    assert told_apart(written) == ({"a": "Item(1)", "b": "[Item(2)]"}, {("shop", "Item")})


def test_the_second_class_of_a_name_is_written_with_its_module() -> None:
    texts, imports = told_apart({"a": Written("Item(1)", SHOP), "b": Written("[Item(2)]", STOCK)})

    assert texts == {"a": "Item(1)", "b": '[import_module("stock").Item(2)]'}
    assert imports == {("shop", "Item"), ("importlib", "import_module")}


def test_a_text_that_means_both_has_none() -> None:
    with pytest.raises(NoLiteral):
        told_apart({"a": Written("[Item(1), Item(2)]", SHOP | STOCK)})


def test_a_nested_class_is_known_by_the_outer_one() -> None:
    text, imports = beside(SHOP, "Item.Part(3)", {("stock", "Item.Part")})

    assert text == 'import_module("stock").Item.Part(3)'
    assert imports == SHOP | {("importlib", "import_module")}


def test_without_a_name_the_module_itself_is_imported() -> None:
    assert imported("math", "") == ("math", math)
    assert imported("math", "pi") == ("pi", math.pi)
    assert import_line("math", "") == "import math"
    assert import_line("math", "pi") == "from math import pi"
    assert beside((), "math.pi", {("math", "")}) == ("math.pi", {("math", "")})


def test_a_submodule_that_is_imported_binds_the_name_of_its_package() -> None:
    assert imported("os.path", "") == ("os", os)
