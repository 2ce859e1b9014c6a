"""The function that a name of a module stands for after the import."""

import functools
from types import ModuleType
from typing import Any

import pytest

from symcrete.errors import NothingToAnalyse
from symcrete.explore.rewritten import find_function, is_property


def value(self: Any) -> int:
    return 1


class Shelf:
    read = property(value)
    kept = functools.cached_property(value)
    either = functools.singledispatchmethod(value)
    for_class: Any = functools.singledispatchmethod(classmethod(value))  # type: ignore[arg-type]
    wrapped = functools.partialmethod(value)


Shelf.kept.__set_name__(Shelf, "kept")


def module(**names: Any) -> ModuleType:
    made = ModuleType("shop")
    vars(made).update(names)
    return made


@pytest.mark.parametrize("name", ["read", "kept"])
def test_what_is_read_as_an_attribute_is_a_function_inside(name: str) -> None:
    shop = module(Shelf=Shelf)

    assert find_function(shop, f"Shelf.{name}") is value
    assert is_property(shop, f"Shelf.{name}")


def test_what_decorators_make_of_a_function_is_named() -> None:
    with pytest.raises(NothingToAnalyse, match=r"no function .*, but a partialmethod"):
        find_function(module(Shelf=Shelf), "Shelf.wrapped")


@pytest.mark.parametrize("name", ["either", "for_class"])
def test_a_method_with_an_implementation_for_each_class_is_the_general_one(name: str) -> None:
    assert find_function(module(Shelf=Shelf), f"Shelf.{name}") is value


def test_a_function_of_c_has_no_code_to_cover() -> None:
    with pytest.raises(NothingToAnalyse, match="no code to cover"):
        find_function(module(length=len), "length")
