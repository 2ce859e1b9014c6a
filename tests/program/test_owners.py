"""Whose attribute is read, told from the text."""

import ast
import textwrap

import pytest

from symcrete.program.state.owners import (
    IMPORTING,
    class_values,
    is_class_itself,
    may_be_class,
    names_chosen,
    owner_of,
    shared_values,
    values_bound,
)
from symcrete.program.state.scopes import Scopes

TEXT = textwrap.dedent("""
    class Shop:
        debug = False
        items: list = []

        @classmethod
        def make(cls):
            return cls.items

        def look(self):
            return self.items, type(self).items

    shop = Shop()

    def f(other):
        return shop.items, Shop.items, other.items
""")


def read() -> tuple[Scopes, list[ast.Attribute], dict[str, list[ast.AST]]]:
    scopes = Scopes(ast.parse(TEXT), TEXT, "shop.py")
    reads = [node for node in scopes.nodes if isinstance(node, ast.Attribute)]
    bound: dict[str, list[ast.AST]] = {
        "Shop": [node for node in scopes.nodes if isinstance(node, ast.ClassDef)],
        "shop": [*[node.value for node in scopes.nodes if isinstance(node, ast.Assign)][:1]],
    }
    return scopes, sorted(reads, key=lambda node: (node.lineno, node.col_offset)), bound


def test_the_owner_is_the_class_or_object_of_the_module() -> None:
    scopes, reads, bound = read()

    found = [owner_of(each.value, scopes, bound) for each in reads]

    assert found == ["Shop", "Shop", "Shop", "shop", "Shop", ""]


def test_the_first_argument_of_a_class_method_is_the_class_itself() -> None:
    scopes, reads, bound = read()

    found = [is_class_itself(each.value, scopes, bound) for each in reads[:3]]

    assert found == [True, False, True]


def test_the_values_of_a_class_are_what_its_body_binds() -> None:
    found = class_values(list(ast.walk(ast.parse(TEXT))))

    assert {name: [*map(ast.unparse, values)] for name, values in found.items()} == {
        ("Shop", "debug"): ["False"],
        ("Shop", "items"): ["[]"],
    }


def test_a_name_is_bound_to_its_part_of_what_the_text_assigns_or_to_all_of_it() -> None:
    tree = ast.parse("""
a, b = c = 1, make()
d, *e = make()
with open(path) as f:
    if (g := f.read()):
        f += g
match data:
    case [l, *m]:
        o = 2
    case {**n}:
        pass
    case _:
        pass
for h, i in table:
    def inner():
        j = 1
k: int
b.p["x"] = c.update(d) or 3
setattr(b, "q", 4)
""")

    found = [(name, ast.unparse(value)) for name, value in values_bound(tree)]

    assert found == [
        *[("a", "1"), ("b", "make()"), ("c", "(1, make())"), ("d", "make()"), ("e", "make()")],
        *[("f", "open(path)"), ("g", "f.read()"), ("f", "g")],
        *[(name, "data") for name in "lmn"],
        *[("o", "2"), ("h", "table"), ("i", "table")],
        *[("b.p", "c.update(d) or 3"), ("c", "c.update(d)"), ("b.q", "setattr(b, 'q', 4)")],
    ]


def test_lists_that_objects_of_a_class_share_are_found_wherever_its_body_makes_them() -> None:
    (shop,) = ast.parse("""
class Shop:
    names, size = [], 1
    if size:
        prices: dict = {}
    items: list = field(default_factory=list)
    OPEN, CLOSED = range(2)
""").body
    assert isinstance(shop, ast.ClassDef)

    assert [*shared_values(shop)] == ["names", "prices"]


def test_a_list_that_a_loop_goes_through_is_not_what_its_variable_holds() -> None:
    (shop,) = ast.parse("""
class Shop:
    for name in sorted(["a", "b"]):
        sizes = [name]
    for key, value in table.items():
        pass
    for row in [[1], [2]]:
        pass
""").body
    assert isinstance(shop, ast.ClassDef)

    assert [*shared_values(shop)] == ["sizes", "row"]


def test_names_are_told_with_the_tests_that_choose_them() -> None:
    tree = ast.parse("""
a = 0
if one:
    b = 1
    if two:
        c = 2
else:
    d = 3
def f():
    if three:
        e = 4
""")

    found = {(name, ast.unparse(test)) for name, test in names_chosen(tree)}

    assert found == {("b", "one"), ("c", "one"), ("c", "two"), ("d", "one")}


@pytest.mark.parametrize(
    ("loop", "is_object"),
    [
        ("def f(all: list[Shape]):\n    for it in all: it.limit = 5", True),
        ("def f(all: 'list[Shape]'):\n    for it in all: it.limit = 5", True),
        ("def f(all: list[Kind]):\n    for it in all: it.limit = 5", False),
        ("def f(all: Shape):\n    for it in all: it.limit = 5", False),
        ("def f(all: list[Shape]):\n    all = [Shape]\n    for it in all: it.limit = 5", False),
        ("def f(all):\n    for it in all: it.limit = 5", False),
        ("def f(it: Shape):\n    match kinds:\n        case [it]: it.limit = 5", False),
    ],
)
def test_a_loop_through_a_declared_container_gives_its_objects(loop: str, is_object: bool) -> None:
    text = f"class Shape: pass\nKind = type[Shape]\n{loop}"
    scopes = Scopes(ast.parse(text), text, "m.py")
    (stored,) = [each for each in scopes.nodes if getattr(each, "attr", "") == "limit"]
    assert isinstance(stored, ast.Attribute)

    assert may_be_class(stored.value, scopes) is not is_object


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("while one: b = 1", {"one"}),
        ("for a in one: b = 1", {"one"}),
        ("with one: b = 1", {"one"}),
        ("try:\n  a: int = one\n  b = 1\nexcept KeyError: pass", {"int", "one"}),
        ("try:\n  if one: pass\n  b = 1\nexcept KeyError: pass", {"one"}),
        ("try:\n  import a.c\n  b = 1\nexcept ImportError: pass", {f"{IMPORTING}.a.c"}),
        ("try:\n  from a import c\nexcept ImportError:\n  def b(): pass", {f"{IMPORTING}.a"}),
        ("try:\n  one\nfinally: b = 1", set()),
        ("try:\n  def a(): return one\n  b = 1\nexcept KeyError: pass", set()),
    ],
)
def test_what_may_not_be_executed_is_told_with_what_decides_that(
    text: str, tests: set[str]
) -> None:
    found = [test for name, test in names_chosen(ast.parse(text)) if name == "b"]
    parts = [each for test in found for each in getattr(test, "elts", [test])]

    read = [each for each in parts if not isinstance(getattr(each, "ctx", None), ast.Store)]
    assert {ast.unparse(each) for each in read} - {"1"} == tests
