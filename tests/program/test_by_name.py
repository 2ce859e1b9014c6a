"""Attributes that are set by way of something that does not name them."""

import ast

import pytest

from symcrete.program.state.by_name import (
    ANY_ATTRIBUTE,
    attribute_set,
    hands_on_setter,
    namespace_changed,
    sets_by_name,
)
from symcrete.program.state.facts import ModuleFacts
from symcrete.program.state.reads import Collector
from symcrete.program.state.scopes import Scopes


@pytest.mark.parametrize(
    ("call", "owner", "name"),
    [
        ("setattr(a, 'k', 1)", "a", "k"),
        ("delattr(a.b, k)", "a.b", ANY_ATTRIBUTE),
        ("object.__setattr__(a, 'k', 1)", "a", "k"),
        ("a.__setattr__('k', 1)", "a", "k"),
        ("super().__delattr__(k)", "super()", ANY_ATTRIBUTE),
        ("setattr(*given)", "*given", ANY_ATTRIBUTE),
        ("object.__setattr__(*given)", "*given", ANY_ATTRIBUTE),
        ("super().__setattr__(*given)", "super()", ANY_ATTRIBUTE),
        ("patch.setattr(a, 'k', 1)", "a", "k"),
        ("patch.delattr(a, 'k')", "a", "k"),
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
        ("[vars(a) for a in b]", True),
        ("{k: a.__dict__ for k, a in b}", True),
        ("f(vars(a) for a in b)", True),
        ("lambda a: vars(a)", True),
        ("[k for k in vars(a)]", False),
        ("list(vars(a) for a in b)", True),
        ("copy.copy([vars(a) for a in b])", True),
        ("json.dumps({'all': [vars(a) for a in b]})", False),
        ("print(1, [vars(a)])", True),
        ("print([vars(a)])", False),
        ("[k for k in b if k in vars(a)]", False),
        ("lambda a: len(vars(a))", False),
        ("', '.join(vars(a))", False),
        ("'{}'.format(vars(a))", False),
        ("b.format_map(vars(a))", False),
        ("string.Template(b).substitute(vars(a))", False),
        ("logging.info('%s', vars(a))", False),
        ("self.logger.debug('%s', vars(a))", False),
        ("self.log(vars(a))", True),
        ("OrderedDict(vars(a))", False),
        ("copy(vars(a))", False),
        ("match vars(a):\n    case d: d['k'] = 1", True),
        ("match vars(a):\n    case {'k': 1} | d: pass", True),
        ("match vars(a):\n    case {'k': 1}: pass\n    case _: pass", False),
        ("def f(d=vars(a)): d['k'] = 1", True),
        ("dict.update(vars(a), k=1)", True),
        ("self.x.update(vars(a))", False),
    ],
)
def test_a_dict_of_attributes_is_changed_or_looked_at(statement: str, changed: bool) -> None:
    tree = ast.parse(statement)

    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    found = [namespace_changed(node, parents) for node in ast.walk(tree)]

    assert any(each is not None for each in found) is changed


@pytest.mark.parametrize("call", ["keeper.update(vars(a))", "log.info(a.__dict__)"])
def test_a_method_of_the_module_may_change_the_dict_that_it_is_given(call: str) -> None:
    tree = ast.parse(call)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    def is_changed(methods: set[str]) -> bool:
        return any(namespace_changed(node, parents, methods) for node in ast.walk(tree))

    assert not is_changed({"other"})
    assert is_changed({"update", "info"})


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


@pytest.mark.parametrize(
    ("text", "handed_on"),
    [
        ("def f(rows): return map(vars, rows)", True),
        ("def f(row, get=vars): get(row)", True),
        ("def f(row): return vars(row)", False),
        ("def f(vars): return map(vars, [1])", False),
        ("def f(row):\n    put = setattr\n    put(row, 'k', 1)", True),
        ("def f(row, put=object.__setattr__): put(row, 'k', 1)", True),
        ("from functools import partial\ndef f(row): return partial(delattr, row)", True),
        ("def f(row, monkey):\n    put = monkey.setattr\n    put(row, 'k', 1)", True),
        ("def f(row): setattr(row, 'k', 1)", False),
        ("def f(row): object.__setattr__(row, 'k', 1)", False),
    ],
)
def test_a_function_that_sets_attributes_is_handed_on_or_called(text: str, handed_on: bool) -> None:
    scopes = Scopes(ast.parse(text), text, "m.py")

    assert any(hands_on_setter(each, scopes) for each in scopes.nodes) is handed_on


@pytest.mark.parametrize(
    ("call", "unseen"),
    [
        ("mock.patch('shop.LIMIT', 5).start()", True),
        ("patch.object(shop, 'LIMIT', 5)", True),
        ("mock.patch.multiple(shop, LIMIT=5)", True),
        ("session.patch('/carts/3')", False),
        ("shop.object(3)", False),
        ("replace('shop.LIMIT', 5)", True),
        ("mock.patch.dict('shop.TABLE', LIMIT=5)", True),
        ("mock.patch.dict('os.environ', LIMIT='5')", False),
        ("mock.patch.dict(shop.TABLE, LIMIT=5)", False),  # the table is handed on
        ("session.setattr('shop.LIMIT', 5)", True),
        ("session.setattr('LIMIT', 5)", False),
        ("mocker.patch('shop.LIMIT', 5)", True),
        ("setattr(*session)", True),
        ("inspect.currentframe().f_globals['LIMIT'] = 5", True),
        ("sys._getframe(1).f_globals.update(LIMIT=5)", True),
        ("print(sys._getframe().f_globals['LIMIT'])", False),
        ("sys.modules['shop'].__setattr__('LIMIT', 5)", True),
    ],
)
def test_names_are_bound_by_patches_and_through_frames(call: str, unseen: bool) -> None:
    text = f"import sys, inspect, shop\nfrom unittest import mock\nfrom unittest.mock import patch as replace\ndef f(session): {call}"

    facts = Collector(Scopes(ast.parse(text), text, "m.py"), "m.py", []).facts

    assert (facts.anything is not None) is unseen
