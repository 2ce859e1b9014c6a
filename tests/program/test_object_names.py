"""Which names stand for objects where they are declared or called, and which for classes, too."""

import ast

import pytest

from symcrete.program.state.object_names import ObjectNames, object_names
from symcrete.program.state.scopes import Scopes

DECLARING = """
import q
from abc import ABCMeta
from collections import namedtuple
from typing import NewType, Protocol, TypeVar
from other import Base, ModelT, T
V = TypeVar("V")
Kind = type["Shape"]
KindToo = Kind
Row = list["Shape"]
Ident = NewType("Ident", int)
Point = namedtuple("Point", "x y")
Made = q.make()
class Sized(Protocol):
    limit: int
class Shape(metaclass=ABCMeta): pass
class First(type): pass
class Second(First): pass
class Third(q.Special): pass
class Fourth(metaclass=Third): pass
class Mine(type):
    def __call__(cls): return cls
class Calling(metaclass=Mine): pass
class Own:
    def __new__(cls): return cls
class Other:
    def __new__(cls): return object.__new__(cls)
def Factory(): return Shape
def Builder() -> Shape: return Shape()
def run(Given): pass
"""


def names() -> ObjectNames:
    return object_names(Scopes(ast.parse(DECLARING), DECLARING, "m.py"))


@pytest.mark.parametrize(
    ("declared", "objects"),
    [
        *[(each, True) for each in ("int", "str | None", "Shape", "'Shape'", "list[Shape]", "Row")],
        *[(each, True) for each in ("Ident", "Point", "Base", "q.Base", "Fourth", "Other")],
        *[(each, False) for each in ("type[Shape]", "Kind", "KindToo", "list[Kind]", "ABCMeta")],
        *[(each, False) for each in ("T", "V", "ModelT", "q.T", "Sized", "First", "Second")],
        *[(each, False) for each in ("Third", "Made", "object", "'Sized | None'")],
    ],
)
def test_a_parameter_is_an_object_if_no_class_and_no_module_is_declared_so(
    declared: str, objects: bool
) -> None:
    annotation = ast.parse(declared, mode="eval").body

    assert names().declares_object(annotation) is objects


@pytest.mark.parametrize(
    ("made", "is_object"),
    [
        *[(f"{each}()", True) for each in ("Shape", "Base", "q.Base", "Point", "Other")],
        *[(f"{each}()", True) for each in ("Builder", "ValueError")],
        *[(f"{each}()", False) for each in ("Factory", "Kind", "First", "Second", "Third")],
        *[(f"{each}()", False) for each in ("Calling", "Own", "Made", "q.make", "Given")],
        *[("Enum('E', 'A')", False), ("SomeMeta('E', (), {})", False)],
    ],
)
def test_a_call_gives_an_object_if_it_makes_one_of_a_class(made: str, is_object: bool) -> None:
    call = ast.parse(made, mode="eval").body
    assert isinstance(call, ast.Call)

    assert names().gives_object(call) is is_object


def test_a_variable_with_the_name_of_a_class_may_be_any_class() -> None:
    text = "class Shape: pass\ndef f(Shape): Shape()\ndef g(): Shape()"
    scopes = Scopes(ast.parse(text), text, "m.py")
    calls = [each for each in scopes.nodes if isinstance(each, ast.Call)]

    found = [object_names(scopes).gives_object(each) for each in calls]

    assert found == [False, True]
