"""A function that runs again while it runs: what comes later in it also comes before."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.proof.reentry import may_run_again

AGAIN = {
    "itself": "def f(n):\n    return f(n - 1)",
    "through another": "def g(n):\n    return f(n)\ndef f(n):\n    return g(n)",
    "through two others": (
        "def h(n):\n    return f(n)\ndef g(n):\n    return h(n)\ndef f(n):\n    return g(n)"
    ),
    "by a table": "def f(n):\n    return TABLE[n]()\nTABLE = {1: f}",
    "by a table that is filled later": "TABLE = []\ndef f(n):\n    return TABLE[0]()\nTABLE.append(f)",
    "by a table that holds another": (
        "TABLE = []\ndef g(n):\n    return f(n)\ndef f(n):\n    return TABLE[0]()\nTABLE += [g]"
    ),
    "by a function that was kept": (
        "def keep(g):\n    KEPT.append(g)\ndef f(n):\n    return KEPT[0](n)\nG = f\nkeep(G)"
    ),
    "by what a class was made into": (
        "def made(kind):\n    return lambda: f(0)\n@made\nclass A: pass\ndef f(n):\n    return A()"
    ),
    "by its name": "def f(n):\n    return globals()['f'](n)",
    "by an operator": (
        "class A:\n    def __add__(self, n):\n        return f(n)\ndef f(n):\n    return n + 1"
    ),
    "as a default": "def g(n, then=None):\n    return then(n)\ndef f(n):\n    return g(n, f)",
    "by a scheduler": "def plan():\n    S.enter(0, 1, f, (None,))\ndef f(n):\n    S.run()",
    "by a timer": "def plan():\n    Timer(1, lambda: f(None)).start()\ndef f(n):\n    return n",
    "by a signal": "def g(*_):\n    f(None)\nsignal(2, g)\ndef f(n):\n    return n",
    "at the end": "@atexit.register\ndef g():\n    f(None)\ndef f(n):\n    return n",
    "by a partial": "LATER = partial(f, None)\nloop.call_soon(LATER)\ndef f(n):\n    return n",
    "by what a library's object has": "sys.excepthook = f\ndef f(n):\n    return n",
    "by the class above": "class A(Thread):\n    def run(self):\n        f(0)\ndef f(n):\n    return n",
    "by whoever has an object": (
        "class A:\n    def write(self, s):\n        f(0)\nsys.stdout = A()\ndef f(n):\n    print(n)"
    ),
    "by whoever an object registers with": (
        "class A:\n    def __init__(self):\n        add(self)\n    def hear(self):\n        f(0)\n"
        "def f(n):\n    tell()"
    ),
    "a task": "async def f(n):\n    return n",
}
ONCE = {
    "nothing else": "def f(n):\n    return n",
    "called by another": "def f(n):\n    return n\ndef g(n):\n    return f(n)",
    "calls another": "def g(n):\n    return n\ndef f(n):\n    return g(n)",
    "its result is handed on": "def g(n):\n    return n\ndef f(n):\n    return g(n)\nprint(f(1))",
    "another is handed on": "def g(n):\n    return n\ndef f(n):\n    return n\nprint(g)",
    "called by an object": "class A:\n    def go(self):\n        f(0)\ndef f(n):\n    return n",
    "a local of that kind": "def g(n):\n    return h(n)\ndef h(n):\n    return n\ndef f(n):\n    return g(n)",
}
STATE = "LIMIT = 1\ndef set_limit(n: int) -> None:\n    global LIMIT\n    LIMIT = n\n"
DEPENDING = {
    "a function that another calls": (
        "f",
        "from typing import Literal\n"
        "def again(n: int, depth: int) -> int:\n    return f(n, depth)\n"
        "def f(n: Literal[1, 2], depth: Literal[0, 1]) -> int:\n"
        "    if n == 5:\n        return 1\n"
        "    if depth == 1:\n        return again(LIMIT, 0)\n"
        "    return 0\n",
    ),
    "a function inside": (
        "f",
        "def f(n: bool) -> int:\n    def inner(k: int) -> int:\n"
        "        if k == 5:\n            return 1\n        return LIMIT\n"
        "    return inner(inner(n))\n",
    ),
    "a method": (
        "Box.put",
        "class Box:\n    def __init__(self) -> None:\n        self.x = 0\n"
        "    def put(self, n: bool) -> int:\n"
        "        if self.x == 5:\n            return 1\n"
        "        self.x = LIMIT\n        return 0\n",
    ),
}


@pytest.mark.parametrize("text", AGAIN.values(), ids=list(AGAIN))
def test_it_may_run_again(text: str) -> None:
    assert may_run_again(ast.parse(text), "f")


@pytest.mark.parametrize("text", ONCE.values(), ids=list(ONCE))
def test_it_runs_once(text: str) -> None:
    assert not may_run_again(ast.parse(text), "f")


def test_another_module_that_names_it_may_call_it() -> None:
    tree = ast.parse("def f(n):\n    return n")

    assert may_run_again(tree, "f", [b"import m\nm.f(1)"])
    assert not may_run_again(tree, "f", [b"x = 1"])
    assert not may_run_again(tree, "f", [b"if x:  # a part of a word is no name\n    find(x)"])


def test_another_module_may_call_what_calls_it() -> None:
    tree = ast.parse("def g():\n    aim(None)\nHOOKS = [g]\ndef aim(n):\n    return other.run()")

    assert may_run_again(tree, "aim", [b"def run():\n    m.g()"])
    assert may_run_again(tree, "aim", [b"def run():\n    m.HOOKS[0]()"])
    assert not may_run_again(tree, "aim", [b"def run():\n    pass"])


def test_a_method_of_an_object_that_is_handed_on_is_called_as_it_is_declared() -> None:
    tree = ast.parse("class A(Thread):\n    def run(self, n):\n        return n\n")

    assert not may_run_again(tree, "A.run")


@pytest.mark.parametrize(("scope", "text"), DEPENDING.values(), ids=list(DEPENDING))
def test_what_is_read_after_a_branch_counts_where_the_branch_comes_again(
    scope: str, text: str, tmp_path: Path
) -> None:
    report = explore(STATE + text, tmp_path, scope)

    assert not report.infeasible


def test_what_is_read_after_a_branch_does_not_count_where_nothing_comes_again(
    tmp_path: Path,
) -> None:
    report = explore(
        STATE + "def f(n: bool) -> int:\n    if n == 5:\n        return 1\n    return LIMIT\n",
        tmp_path,
    )

    assert len(report.infeasible) == 1
