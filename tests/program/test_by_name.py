"""Attributes that are set by way of something that does not name them."""

import ast

import pytest

from symcrete.program.state.by_name import (
    ANY_ATTRIBUTE,
    attribute_set,
    namespace_changed,
    sets_by_name,
)
from symcrete.program.state.facts import ModuleFacts


@pytest.mark.parametrize(
    ("call", "owner", "name"),
    [
        ("setattr(a, 'k', 1)", "a", "k"),
        ("delattr(a.b, k)", "a.b", ANY_ATTRIBUTE),
        ("object.__setattr__(a, 'k', 1)", "a", "k"),
        ("a.__setattr__('k', 1)", "a", "k"),
        ("super().__delattr__(k)", "super()", ANY_ATTRIBUTE),
    ],
)
def test_whose_attribute_a_call_sets(call: str, owner: str, name: str) -> None:
    found = attribute_set(ast.parse(call, mode="eval").body)

    assert found is not None
    assert (ast.unparse(found[0]), found[1]) == (owner, name)


@pytest.mark.parametrize("call", ["getattr(a, 'k')", "a.k(1)", "setattr()", "a.__setattr__()"])
def test_other_calls_set_nothing(call: str) -> None:
    assert attribute_set(ast.parse(call, mode="eval").body) is None


@pytest.mark.parametrize(
    ("statement", "changed"),
    [
        ("vars(a)['k'] = 1", True),
        ("del a.__dict__['k']", True),
        ("a.__dict__.update(k=1)", True),
        ("d = a.__dict__", True),
        ("x = vars(a)['k']", False),
        ("f(a.__dict__)", True),
        ("f(1, k=vars(a))", True),
        ("f(k, [vars(a)])", True),
        ("f(a.__dict__ or {})", True),
        ("kept.append(a.__dict__)", True),
        ("return a.__dict__", True),
        ("(yield vars(a))", True),
        ("f({'k': vars(a)})", True),
        ("f(**a.__dict__)", False),
        ("f({**a.__dict__, 'k': 1})", False),
        ("dict(a.__dict__)", False),
        ("json.dumps(vars(a))", False),
        ("b.update(vars(a))", False),
        ("a.__dict__ == b", False),
    ],
)
def test_a_dict_of_attributes_is_changed_or_looked_at(statement: str, changed: bool) -> None:
    tree = ast.parse(statement)

    found = [
        namespace_changed(child, node)
        for node in ast.walk(tree)
        for child in ast.iter_child_nodes(node)
    ]

    assert any(each is not None for each in found) is changed


def test_a_method_tells_what_it_sets_but_what_setting_an_attribute_does() -> None:
    (kind,) = ast.parse(
        "class C:\n"
        "    def put(self, k): setattr(self, k, 1); setattr(self, 'n', 1)\n"
        "    def __setattr__(self, k, v): object.__setattr__(self, k, v)\n"
    ).body
    assert isinstance(kind, ast.ClassDef)
    put, own = kind.body
    assert isinstance(put, ast.FunctionDef)
    assert isinstance(own, ast.FunctionDef)

    assert set(sets_by_name(put)) == {ANY_ATTRIBUTE, "n"}
    assert set(sets_by_name(own)) == set()


def test_nothing_is_known_of_an_empty_module() -> None:
    assert ModuleFacts("m.py").anything is None
