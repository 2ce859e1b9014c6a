"""Which functions cannot leave anything behind."""

import math
import textwrap
from typing import Any

import pytest

from symcrete.run.untouched.self_contained import is_self_contained


def function(text: str) -> Any:
    names: dict[str, Any] = {"math": math}
    exec(textwrap.dedent(text), names)
    return names["f"]


YES = [
    "def f(x): return x + 1",
    "def f(x, y=3, *, z='a'): return [x, y, z]",
    "TABLE = (1, 'a', (2.0, None))\ndef f(x): return TABLE[x]",
    "def f(x):\n    while x > 0: x -= 1\n    return x",
    "def g(x): return x * 2\ndef f(x): return g(x) + math.sqrt(x)",
    "def f(x): return f(x - 1) if x else 0",
    "def f(x):\n    d = {}\n    d[x] = [x]\n    d[x].append(1)\n    return d",
    "def f(x):\n    if x < 0: raise ValueError('negative')\n    return sorted(map(str, range(x)))",
    "def f(x):\n    n = 0\n    def add():\n        nonlocal n\n        n += x\n    add()\n    return n",
    "def f(x):\n    try: return int(x)\n    except (ValueError, TypeError) as e: return str(e)",
    "def f(x): return [y for y in x if y] + list(z for z in x)",
]
NO = [
    "N = 0\ndef f(x):\n    global N\n    N += 1\n    return N",
    "SEEN = []\ndef f(x):\n    SEEN.append(x)",
    "TABLE = ([],)\ndef f(x): return TABLE[0]",
    "def f(x, seen=[]): seen.append(x)",
    "def f(x, *, seen={}): return seen",
    "def f(x): f.n = x",
    "def f(x): return f.__dict__",
    "def f(x): math.answer = x",
    "def f(x):\n    import random\n    return random.random()",
    "def f(x): return open(x)",
    "def f(x): print(x)",
    "def f(x): return eval(x)",
    "def f(x): setattr(x, 'a', 1)",
    "def f(x): return globals()",
    "import itertools\nc = itertools.count()\ndef f(x): return next(c)",
    "def g():\n    n = []\n    def f(x): n.append(x)\n    return f\nf = g()",
    "import functools\n@functools.lru_cache\ndef f(x): return x",
    "class A:\n    n = 0\ndef f(x):\n    A.n += 1",
    "class A: pass\ndef f(x): return A()",
    "def g(x): SEEN.append(x)\nSEEN = []\ndef f(x): return g(x)",
    "def f(x):\n    class B: pass\n    return B",
    "def f(x): return unknown",
    "def f(x): return (y for y in x).gi_frame.f_globals",
    "f = len",
]


@pytest.mark.parametrize("text", YES)
def test_what_only_uses_its_own_is_known_to_leave_nothing(text: str) -> None:
    assert is_self_contained(function(text))


@pytest.mark.parametrize("text", NO)
def test_what_can_reach_anything_shared_is_not(text: str) -> None:
    assert not is_self_contained(function(text))
