"""Modules that a program looks up while it runs, followed to where their attributes are set."""

import ast
import sys

import pytest

from symcrete.program.state.looked_up import LookedUp
from symcrete.program.state.reads import Collector
from symcrete.program.state.scopes import Scopes

LOADERS = """class A:
    def load(self, n): return sys.modules[n]
class B:
    def load(self, n):
        n = str(n)
"""


def binds_unseen(text: str) -> bool:
    text = f"import sys, importlib, inspect\nfrom types import ModuleType\n{text}"
    collector = Collector(Scopes(ast.parse(text), text, "m.py"), "m.py", [])
    return collector.facts.anything is not None


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    m = __import__(n)\n    m.x = n",
        "def f(n):\n    (m := importlib.import_module(n))\n    m.x = n",
        "def f(n):\n    for m in sys.modules.values(): m.x = n",
        "def f(n):\n    for _, m in list(sys.modules.items()): m.x = n",
        "def f(n):\n    [setattr(m, 'x', 1) for m in (sys.modules[n], sys)]",
        "def f(n):\n    sys.modules.get(n).sub.x = n",
        "def f(n):\n    a = b = sys.modules[n] if n else None\n    b.x = n",
        "def f(n):\n    vars(inspect.getmodule(n))['x'] = n",
        "def f(m: 'ModuleType | None'): m.x = 1",
        "def g(n): return importlib.import_module(n)\ndef f(n): g(n).x = n",
        "class C:\n    def __init__(self, n): self.m = sys.modules[n]\n    def f(self): self.m.x = 1",
        "class C:\n    m = sys.modules[__name__]\n    def f(self): self.m.x = 1",
        "m = sys.modules[__name__]\ndef f(n): m.x = n",
        "KNOWN = {}\ndef g(n): KNOWN[n] = sys.modules[n]\ndef f(n): KNOWN[n].x = n",
        "def f(n):\n    ms = []\n    ms.append(sys.modules[n])\n    ms[0].x = n",
        "def g(n): f(sys.modules[n])\ndef f(m): m.x = 1",
        "def g(n): f(1, k=sys.modules[n])\ndef f(m, *, k): k.x = 1",
        "def g(n): f(1, sys.modules[n], 2)\ndef f(m, *ms): ms[0].x = 1",
        "def g(n): f(k=sys.modules[n])\ndef f(m=None, **more): more['k'].x = 1",
        "def g(n): return f(sys.modules[n])\ndef f(m): return [m]\ndef h(n): g(n)[0].x = 1",
        "def g(n): return f(sys.modules[n])\ndef f(m): yield m\ndef h(n):\n    for o in g(n): o.x = 1",
        "def g(n): f(sys.modules[n]).x = 1\ndef f(m): return m.config",
        "def g(n): f(*[sys.modules[n]])\ndef f(m): m.x = 1",
        "def g(n): f([sys.modules[n]])\ndef f(ms):\n    for m in ms: m.x = 1",
        "def g(n): f(sys.modules[n])\ndef f(m):\n    def inner(): m.x = 1\n    inner()",
        "def g(n): f(sys.modules[n])\ndef f(m): h(m)\ndef h(k): k.x = 1",
        "def g(n): f(sys.modules[n])\ndef f(m): h(**locals())\ndef h(m): m.x = 1",
        "def g(n): f(sys.modules[n])\ndef f(m): return m\nf = print\ndef h(k): k.x = 1",
        "def g(n, f): f(sys.modules[n])\ndef f(m): return m.x\ndef h(k): k.x = 1",
        "import pool\ndef g(n): pool.run(f, sys.modules[n])\ndef f(m): m.x = 1",
        "import pool\ndef g(n): pool.run(lambda m: setattr(m, 'x', 1), sys.modules[n])",
        "import pool\ndef g(n, pool): pool.run(sys.modules[n])\ndef f(m): m.x = 1",
        "import pool\ndef g(n, h): pool.run(h, sys.modules[n])\ndef f(m): m.x = 1",
        "class C:\n    def info(self, m): m.x = 1\ndef g(n): C().info(sys.modules[n])",
        "import own.m\ndef g(n): own.m.f(sys.modules[n])\ndef f(m): m.x = 1",
        "import logging as g\ndef f(n): g.last(sys.modules[n]).x = 1",
        "def f(n): getattr(sys.modules[n], 'C').x = 1",
        "def f(n): vars(getattr(sys.modules[n].sub, 'C'))['x'] = 1",
        "def f(n):\n    match sys.modules[n]:\n        case m: m.x = 1",
        "def f(n):\n    match n, sys.modules[n]:\n        case (1, m) | (m, 1): m.x = 1",
        "def f(n):\n    match sys.modules:\n        case {'a': 1, **ms}: ms[n].x = 1",
        "def f(n):\n    global m\n    match sys.modules[n]:\n        case m: m.x = 1",
        f"{LOADERS}\ndef f(n): A().load(n).x = 1",
        f"{LOADERS}\ndef f(n, a): a.load(n).x = 1",
        f"{LOADERS}\ndef f(n):\n    B.load = A.load\n    B().load(n).x = 1",
        f"{LOADERS}    def __new__(cls): return A()\ndef f(n): B().load(n).x = 1",
        f"{LOADERS}        return A().load(n)\ndef f(n): B().load(n).x = 1",
        "from importlib import import_module as load\ndef f(n): load(n).x = 1",
        "from sys import modules as ms\ndef f(n): ms[n].x = 1",
        # What is given counts, not what is declared.
        "class C:\n    def put(self, m: 'C', n): m.x = n\ndef f(n): C().put(sys.modules[n], n)",
        "class C:\n    def set(self, m: 'C', n): m.x = n\ndef f(n): C.set(C(), sys.modules[n], n)",
        "class C:\n    def __init__(self, m: 'C'): m.x = 1\ndef f(n): C(sys.modules[n])",
        "class C:\n    @staticmethod\n    def put(m: int): m.x = 1\ndef f(n): C.put(sys.modules[n])",
        "class C:\n    @classmethod\n    def put(cls, m: int): m.x = 1\ndef f(n): C.put(sys.modules[n])",
        "class C:\n    def put(self, k: int, m: int): m.x = 1\ndef f(n): C().put(*n, sys.modules[n])",
        "@inspect.g\ndef put(m: int): m.x = 1\ndef f(n): put(sys.modules[n])",
    ],
)
def test_who_sets_what_a_look_up_gave_binds_a_name_unseen(text: str) -> None:
    assert binds_unseen(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    m = importlib.import_module(n)\n    return m.x\ndef g(o): o.x = 1",
        "def f(n):\n    m = importlib.import_module(n)\n    return m.x\ndef g(m): m.x = 1",
        "def f(n): return 'numpy' in sys.modules\ndef g(o): o.x = 1",
        "def f(n, o): o.x = getattr(sys.modules[n], 'x')",
        "def g(n): f(sys.modules[n])\ndef f(m): return m.x\nclass C:\n    def h(self): self.x = 1",
        "def g(n): f(sys.modules[n])\ndef f(m): return m.x\ndef h(o: int): o.x = 1",
        "def g(n): f(sys.modules[n])\ndef f(m): return m.x\ndef h(o): o.x = 1",
        "def g(n, o): o.x = f(sys.modules[n])\ndef f(m) -> str: return m.x\ndef h(o): o.x.y = 1",
        "def g(n, o): o.x = f(sys.modules[n])\ndef f(m): return f'{m.x}'\ndef h(o): o.x.y = 1",
        "def g(n): f(1, m=sys.modules[n])\ndef f(k, m): k.x = m.x",
        "def f(graph):\n    for m in graph.modules: m.x = 1",
        "def f(n): sys.modules[n] = None",
        "def f(n): inspect.getmembers(sys.modules[n], inspect.isclass)\ndef g(o): o.x = 1",
        "import logging\ndef f(n): logging.info('%s', sys.modules[n])\ndef g(o): o.x = 1",
        "def f(n, logger): logger.info('%s', n, sys.modules[n])\ndef g(o): o.x = 1",
        "def f(n):\n    match sys.modules[n]:\n        case m: return m.x\ndef g(m): m.x = 1",
        f"{LOADERS}        return self\ndef f(n): B().load(n).x = 1",
        "class C:\n    def put(self, m, k: int): k.x = 1\ndef f(n: str): C().put(sys.modules[n], n)",
        "class C:\n    def put(self, m): self.x = m.x\ndef f(n): C().put(sys.modules[n])",
        "def f(n, m): sys.modules[n] = m\ndef g(net):\n    for m in net.modules: m.x = 1",
    ],
)
def test_a_look_up_that_is_only_read_binds_none(text: str) -> None:
    assert not binds_unseen(text)


def calls_to_collect(size: int) -> int:
    """How many calls it takes to read a module with a function of this many stores."""
    stores = [f"    m.a{i} = {i}" for i in range(size)]
    text = "\n".join(["def f(o):", "    m = __import__(o)", *stores])
    scopes = Scopes(ast.parse(text), text, "m.py")
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        Collector(scopes, "m.py", [])
    finally:
        sys.setprofile(before)
    return calls


def test_a_function_with_many_stores_is_not_walked_for_each() -> None:
    assert calls_to_collect(300) < 4 * calls_to_collect(100)


def test_the_names_under_which_a_module_is_kept_are_told_from_others() -> None:
    text = "def f(n):\n    m = __import__(n)\n    m.x = n"
    tree = ast.parse(text)
    loads = [each for each in ast.walk(tree) if isinstance(each, ast.Name)]
    looked_up = LookedUp(Scopes(tree, text, "m.py"))

    found = {each.id for each in loads if looked_up.is_module(each)}

    assert found == {"__import__", "m"}
