"""Where a module's functions read what may change between two calls, told from its text."""

import ast
from textwrap import dedent

import pytest

from symcrete.program.state.facts import ModuleFacts, StateRead
from symcrete.program.state.reads import Collector
from symcrete.program.state.scopes import Scopes
from symcrete.program.state.uses import how_used


def read_in(source: str) -> tuple[list[StateRead], ModuleFacts]:
    text = dedent(source)
    tree = ast.parse(text)
    reads: list[StateRead] = []
    facts = Collector(Scopes(tree, text, "m.py"), "m.py", reads).facts
    return reads, facts


def names(source: str) -> list[str]:
    return [read.shown for read in read_in(source)[0]]


CONSTANT = {
    "number": "LIMIT = 3\ndef f(): return LIMIT",
    "tuple": "SIDES = (1, 'a', (2.5,))\ndef f(): return SIDES",
    "pattern": "import re\nWORD = re.compile('a')\ndef f(): return WORD",
    "function": "def g(): pass\ndef f(): return g()",
    "attribute of a class that is not always a flag": (
        "class C:\n    on = False\n    on = 3\ndef f(): return C.on"
    ),
    "class": "class C: pass\ndef f(): return C()",
    "module that is called": "import math\ndef f(x): return math.floor(x)",
    "table that is looked at": "T = {'a': 1}\ndef f(x): return T[x] if x in T else len(T)",
    "table passed to who looks": "T = [1]\ndef g(t): return t[0]\ndef f(): return g(T)",
    "local of the same name": "x = []\ndef f(x): return x",
    "variable of a comprehension": "x = []\ndef f(): return [x for x in (1, 2)]",
    "what import executes": "x = []\nx.append(1)\ny = len(x)",
}


@pytest.mark.parametrize("source", CONSTANT.values(), ids=list(CONSTANT))
def test_a_constant_is_no_read_of_state(source: str) -> None:
    assert names(source) == []


READ = {
    "rebound": ("n = 0\ndef f():\n    global n\n    n = n + 1", "n"),
    "flag": ("ON = True\ndef f(): return ON", "ON"),
    "flag of a class": ("class C:\n    on = False\ndef f(): return C.on", "C.on"),
    "flag of a class that its body gives two values": (
        "import os\nclass C:\n    on = False\n    if os.path.isdir('a'):\n        on = True\n"
        "def f(): return C.on",
        "C.on",
    ),
    "flag of a class whose name another class inside one has": (
        "class C:\n    on = False\nclass Outer:\n    class C:\n        on = 3\n"
        "def f(): return C.on",
        "C.on",
    ),
    "changed table": ("T = []\ndef g(x): T.append(x)\ndef f(): return T", "T"),
    "table that is returned": ("T = []\ndef f(): return T", "T"),
    "table passed to who changes it": (
        "T = []\ndef g(t): t.append(1)\ndef f(): return g(T)",
        "T",
    ),
    "object": ("class C: pass\nc = C()\ndef f(): return c.x", "c"),
    "attribute of a module": ("import sys\ndef f(): return sys.argv", "sys.argv"),
    "attribute of a module inside a package": (
        "import package.settings\ndef f(): return package.settings.LIMIT",
        "package.settings.LIMIT",
    ),
    "attribute that a module may lack": (
        'import os\ndef f(): return hasattr(os.path, "isjunction")',
        "hasattr(os.path, 'isjunction')",
    ),
    "imported name": ("from sys import argv\ndef f(): return argv", "argv"),
    "attribute of a class": (
        "class C:\n    n = 0\ndef g(): C.n = 1\ndef f(): return C.n",
        "C.n",
    ),
    "shared list of a class": (
        "class C:\n    xs = []\n    def g(self): self.xs.append(1)\ndef f(): return C.xs",
        "C.xs",
    ),
    "first argument of a class method": (
        "class C:\n    one = None\n    @classmethod\n    def get(k):\n        k.one = k.one or C()",
        "k.one",
    ),
    "sent": ("def f():\n    got = yield 1", "yield"),
    "thrown into what waits": (
        "async def f(lock):\n    async with lock:\n        yield 1",
        "yield",
    ),
    "table passed to a name that is rebound": (
        "T = {}\ndef g(t): return len(t)\ndef h(t): t['a'] = 1\nif h: g = h\ndef f(): return g(T)",
        "T",
    ),
    "thrown": (
        "def f():\n    try:\n        yield 1\n    except ValueError:\n        pass",
        "yield",
    ),
    "default": ("def f(x, acc=[]): acc.append(x)", "acc"),
    "table that is a default": ("T = [1]\ndef g(t=T): t.append(1)\ndef f(): return len(T)", "T"),
    "table that a call at import keeps": (
        "T = [1]\ndef g(t):\n    return lambda: t.append(1)\nh = g(T)\ndef f(): return len(T)",
        "T",
    ),
    "table passed to a function called as a built-in one": (
        "T = [1]\ndef format(t): t.append(1)\ndef f(): return format(T)",
        "T",
    ),
    "table passed to a method called as a container's": (
        "T = [1]\nclass C:\n    def update(self, t): t.append(1)\ndef f(): return C().update(T)",
        "T",
    ),
    "attribute of a class that is given": (
        "class C:\n    n = 0\ndef g(kind: type[C]): kind.n = 1\ndef f(): return C.n",
        "C.n",
    ),
}


@pytest.mark.parametrize(("source", "shown"), READ.values(), ids=list(READ))
def test_what_may_change_between_two_calls_is_a_read_of_state(source: str, shown: str) -> None:
    assert shown in names(source)


def test_who_changes_a_variable_is_known_by_function_and_line() -> None:
    _, facts = read_in("seen = {}\ndef learn(x):\n    seen[x] = 1\ndef f(x): return x in seen")

    (change,) = facts.uses["", "seen"]

    assert (change.how, change.scope, change.line) == ("changed", "learn", 3)


UNSEEN = {
    "globals": "def f(): globals()['x'] = 1",
    "globals by another name": "def f():\n    g = globals\n    g()['x'] = 1",
    "exec of the built-ins": "import builtins\ndef f(s): builtins.exec(s)",
    "a module by its name": "import sys\ndef f(): sys.modules[__name__].x = 1",
    "setattr of a module": "import sys\ndef f(): setattr(sys.modules[__name__], 'x', 1)",
    "a module that has a name": "import sys\ndef f():\n    m = sys.modules[__name__]\n    m.x = 1",
    "an imported module": "import importlib as i\ndef f(): vars(i.import_module('m'))['x'] = 1",
    "a module that is given": "from types import ModuleType\ndef f(m: ModuleType): m.x = 1",
    "names of a function": "def g(): pass\ndef f(s): exec_(s, g.__globals__)",
    "defaults": "def g(*, k=5): pass\ndef f(): g.__kwdefaults__['k'] = 1",
    "any attribute of a class": "class C:\n    @classmethod\n    def f(c, k): setattr(c, k, 1)",
}


@pytest.mark.parametrize("source", UNSEEN.values(), ids=list(UNSEEN))
def test_names_that_are_bound_in_ways_that_no_text_shows_are_told(source: str) -> None:
    _, facts = read_in(source)

    assert facts.anything is not None
    assert facts.anything.scope


@pytest.mark.parametrize(
    "source",
    [
        "import sys\ndef f(n): return sys.modules[n].x if n in sys.modules else None",
        "class C:\n    def f(self, k): super().__setattr__(k, 1)",
        "class C:\n    def f(self, k): setattr(self, k, 1)",
        "def g(): pass\ndef f(): return g.__globals__['x'], g.__defaults__[0], vars(g)['y']",
        "def f(app, globals): app.exec(globals)",
    ],
)
def test_what_only_looks_or_sets_attributes_of_objects_binds_no_names(source: str) -> None:
    _, facts = read_in(source)

    assert facts.anything is None


@pytest.mark.parametrize(
    ("expression", "how"),
    [
        ("t[0]", "looked at"),
        ("x in t", "looked at"),
        ("t.get(1)", "looked at"),
        ("sorted(t)", "looked at"),
        ("[each for each in t]", "looked at"),
        ("t.append(1)", "changed"),
        ("unknown(t)", "handed on"),
        ("t or x", "handed on"),
        ("(t, 1)", "handed on"),
    ],
)
def test_how_a_container_is_used(expression: str, how: str) -> None:
    text = f"def f(t, x):\n    return {expression}"
    tree = ast.parse(text)
    scopes = Scopes(tree, text, "m.py")
    node = next(
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.Name) and each.id == "t" and isinstance(each.ctx, ast.Load)
    )

    assert how_used(node, scopes) == how
