"""What declared types decide needs no search; what a default, a subtype or a rebinding allows does."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.explore.exploring import explore

from symcrete.explore.proof.by_type import decided_sides


def decided(text: str, elsewhere: tuple[bytes, ...] = ()) -> list[tuple[int, bool]]:
    """The sides of `f` that are decided, by the number of their condition."""
    scope: dict[str, Any] = {}
    exec(text, scope)
    function: Callable[..., Any] = scope["f"]
    return list(decided_sides(ast.parse(text), "m.py", "f", function, elsewhere))


@pytest.mark.parametrize(
    ("head", "condition", "impossible"),
    [
        ("n: int", "n is None", True),
        ("n: int", "n is not None", False),
        ("n: float", "n is None", True),
        ("n: int", "isinstance(n, int)", False),
        ("n: bool", "isinstance(n, int)", False),
        ("n: 'list[int]'", "isinstance(n, list)", False),
        ("n: int", "isinstance(n, (str, int))", False),
        ("n: int", "isinstance(n, str)", True),
        ("n: int", "isinstance(n, (str, list))", True),
        ("n: int = 3", "n is None", True),
    ],
)
def test_a_question_with_one_answer_is_decided(head: str, condition: str, impossible: bool) -> None:
    text = f"def f({head}):\n    if {condition}:\n        n = 1\n    while n: n -= 1\n"

    assert decided(text) == [(0, impossible)]


@pytest.mark.parametrize(
    "text",
    [
        "def f(n: int = None):\n    return 1 if n is None else 0\n",
        "def f(n: int):\n    return 1 if isinstance(n, bool) else 0\n",
        "def f(n: float):\n    return 1 if isinstance(n, float) else 0\n",
        "def f(n):\n    return 1 if n is None else 0\n",
        "def f(n: 'int | None'):\n    return 1 if n is None else 0\n",
        "def f(n: int):\n    n = None\n    return 1 if n is None else 0\n",
        "def f(n: int):\n    for _ in (1, 2):\n        if n is None:\n            return\n        n = None\n",
        "def f(n: int):\n    def g():\n        nonlocal n\n        n = None\n    g()\n    return 1 if n is None else 0\n",
        "def f(n: int):\n    if n is None:\n        return 1\n    return f(None)\n",
        "def g():\n    return f(None)\ndef f(n: int):\n    if n is None:\n        return 1\n    return g()\n",
        "def d(f):\n    return lambda n: f(None)\n@d\ndef f(n: int):\n    return 1 if n is None else 0\n",
        "class int(int): pass\ndef f(n: str):\n    return 1 if isinstance(n, int) else 0\n",
        "def f(n: int, int=str):\n    return 1 if isinstance(n, int) else 0\n",
        "class f:\n    n: int\n    def __init__(self, n):\n        self.n = 1 if n is None else 0\n",
        "class W(int):\n    @property\n    def __class__(self):\n        return str\n"
        "def f(n: int):\n    return 1 if isinstance(n, str) else 0\n",
        "T = []\ndef f(n: int):\n    return T[0](None) if n is not None else 0\nT.append(f)\n",
        "def f(*n: int):\n    return 1 if n is None else 0\n",
    ],
)
def test_whatever_may_be_otherwise_is_not_decided(text: str) -> None:
    assert decided(text) == []


def test_a_function_that_another_module_mentions_may_be_entered_again() -> None:
    text = "def f(n: int):\n    return 1 if n is None else 0\n"

    assert decided(text) == [(0, True)]
    assert decided(text, (b"m.f(None)",)) == []


def test_a_pattern_asks_for_the_class_too() -> None:
    text = "def f(x: list):\n    match x:\n        case list(): return 1\n        case int(): return 2\n        case [1]: return 3\n"

    assert decided(text) == [(0, False), (1, True)]


def test_a_loop_without_end_does_not_keep_a_decided_side_open(tmp_path: Path) -> None:
    report = explore(
        "def f(n: int, s: str) -> int:\n"
        "    if not isinstance(s, str):\n"
        "        raise TypeError\n"
        "    if n is None:\n"
        "        n = 3\n"
        "    while n > 10:\n"
        "        n //= 2\n"
        "    return n\n",
        tmp_path,
        max_runs=200,
        goals="branches",
    )

    proofs = [(spot.line, spot.side, spot.proof) for spot in report.infeasible]
    assert proofs == [(2, False, "s is declared as str"), (4, True, "n is declared as int")]
    assert (report.status, report.open) == ("covered", ())
    assert report.runs < 200
