"""Attributes that an object has for good, by the text of its class."""

import ast
import inspect
import textwrap
from dataclasses import dataclass

import pytest

from symcrete.explore.proof.fixed_attributes import attributes_of, class_texts
from symcrete.inputs.infer.class_source import free_fields


class Box:
    """A class with an attribute of each kind."""

    label: str

    def __init__(self, n: int, items: list[int], unit: "str | None" = None) -> None:
        self.n = n
        self.double = 2 * n if n else -1
        self.name = f"box {n}"
        self.unit = unit
        self.count = len(items)
        self.items = items
        self.first, self.second = n, n
        self.seen = 0

    def look(self) -> int:
        self.seen += 1
        return self.n

    def later(self):
        def store() -> None:
            self.second = 3

        return store


class ByName(Box):
    def put(self, name: str) -> None:
        setattr(self, name, 1)


@dataclass
class Record:
    n: int


class Stranger(ast.Name):
    def __init__(self, n: int) -> None:
        self.n = n


def texts() -> dict[str, ast.ClassDef]:
    made = ast.parse(textwrap.dedent(inspect.getsource(inspect.getmodule(Box) or ast)))
    return dict(class_texts(__name__, made))


def test_what_only_constructors_store_and_nobody_can_change_is_fixed() -> None:
    found = attributes_of(Box, texts())

    assert found.fixed == {"n", "double", "name", "unit", "count", "label"}
    assert found.all == found.fixed | {"items", "first", "second", "seen"}


def test_what_methods_store_is_told_with_the_method() -> None:
    found = attributes_of(Box, texts())

    assert found.changed["seen"] == "Box.look"
    assert "second" in found.changed


@pytest.mark.parametrize("kind", [ByName, Stranger])
def test_nothing_is_fixed_where_the_text_does_not_say_what_is_stored(kind: type) -> None:
    assert attributes_of(kind, texts()).fixed == frozenset()


def test_fields_of_a_record_are_free() -> None:
    assert free_fields(Record) == {"n"}
    assert free_fields(Box) == set()
