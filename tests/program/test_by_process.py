"""What differs between two processes that import the same text."""

import ast

import pytest

from symcrete.program.state.by_process import differing
from symcrete.program.state.scopes import nodes_of

DIFFERING = {
    "x = hash('a')": ["hash('a')"],
    "x = sorted(names, key=id)": ["sorted(names, key=id)"],
    "x = list({'a', 'b'})": ["list({'a', 'b'})"],
    "class C:\n    names = {'a', *more}\nx = C.names.pop()": ["C.names.pop()"],
    "names: set[str] = made()\nfor x in names: pass": ["names"],
    "def f(names: frozenset[str]): return [*names]": ["names"],
    "x = '%s' % ({'a', 'b'} - y)": ["{'a', 'b'} - y"],
    "x = {k: 1 for k in set('ab')}": ["set('ab')"],
    "x = sorted(list({'a', 'b'}))": [],
    "x = {len(k) for k in {'a', 'b'}}": [],
    "x = frozenset(k for k in {'a', 'b'})": [],
    "x = 'a' in {'a', 'b'}": [],
    "x = list({'a'})": [],
    "x = list({1, 2.0})": [],
    "names: set[int] = made()\nx = list(names)": [],
}


@pytest.mark.parametrize(("source", "expected"), DIFFERING.items())
def test_what_hashes_decide_is_found(source: str, expected: list[str]) -> None:
    found = differing(nodes_of(ast.parse(source)))

    assert [ast.unparse(each) for each in found] == expected
