"""Programs with a line that an input executes, each of which once was proved not to have one."""

from pathlib import Path

import pytest
from tests.backward.searching import searched

# By what the proof had not considered, a module whose `f` executes the line with the mark HERE.
REACHABLE = {
    "`x += (x := 5)` adds to what x was before": """
def f(x: int) -> int:
    x += (x := 5)
    if x == 12:
        return 1  # HERE
    return 0
""",
    "a local that no turn of a comprehension reads need not be bound": """
def g(n: int) -> int:
    if n > 5:
        k = 1
    xs = [k for _ in range(n - 5)]
    return len(xs)

def f(n: int) -> int:
    if g(n) == 0 and n == 3:
        return 1  # HERE
    return 0
""",
    "a lambda may be a special method": """
class Once:
    def __init__(self) -> None:
        self.n = 0
    def step(self) -> bool:
        self.n += 1
        return self.n % 2 == 0
    __bool__ = lambda self: self.step()

def f(k: int) -> int:
    o = Once()
    if o:
        return 0
    if o:
        return 1  # HERE
    return 2
""",
    "a class may be given a special method later": """
class Once:
    def __init__(self) -> None:
        self.n = 0
def step(self) -> bool:
    self.n += 1
    return self.n % 2 == 0
Once.__bool__ = step

def f(k: int) -> int:
    o = Once()
    if o:
        return 0
    if o:
        return 1  # HERE
    return 2
""",
    "special methods may be bound together": """
def ops():
    def truth(self):
        self.n += 1
        return self.n % 2 == 0
    return truth, None
class Once:
    def __init__(self) -> None:
        self.n = 0
    __bool__, other = ops()
def f(k: int) -> int:
    o = Once()
    if o:
        return 0
    if o:
        return 1  # HERE
    return 2
""",
    "`__del__` runs when a local is rebound": """
class Res:
    def __init__(self, log) -> None:
        self.log = log
    def __del__(self) -> None:
        self.log.append(1)

def f(n: int) -> int:
    log = []
    r = Res(log)
    before = len(log)
    r = None
    if len(log) != before:
        return 1  # HERE
    return 0
""",
    "a weak dict forgets what nothing else holds": """
import weakref
class A:
    pass

def f(n: int) -> int:
    known = weakref.WeakValueDictionary()
    a = A()
    known[1] = a
    if len(known) == 0:
        return 0
    a = None
    if len(known) == 0:
        return 1  # HERE
    return 2
""",
    "weakref.finalize calls back when a local is rebound": """
import weakref
class A:
    pass

def f(n: int) -> int:
    log = []
    a = A()
    weakref.finalize(a, log.append, 1)
    before = len(log)
    a = 0
    if len(log) != before:
        return 1  # HERE
    return 2
""",
    "a thread changes what a loop waits for": """
import threading
class Box:
    def __init__(self) -> None:
        self.done = False
    def finish(self) -> None:
        self.done = True
def f(n: int) -> int:
    box = Box()
    threading.Timer(0.1, box.finish).start()
    if box.done:
        return 0
    while not box.done:
        pass
    return 1  # HERE
""",
    "nan is in a tuple that holds it": """
def f(x: float, y: float) -> int:
    if x != x and x in (y, x):
        return 1  # HERE
    return 0
""",
    "a built-in function may be replaced": """
import builtins
def patch() -> None:
    builtins.abs = lambda v: -7
def f(n: int) -> int:
    if abs(n) == -7:
        return 1  # HERE
    return 0
""",
    "an ABC gets instances by `register`": """
from abc import ABC
class Shape(ABC):
    pass

def f(n: int) -> int:
    if isinstance(n, Shape):
        return 0
    Shape.register(int)
    if isinstance(n, Shape):
        return 1  # HERE
    return 2
""",
    "an object comes to fit a protocol by a store": """
from typing import Protocol, runtime_checkable
@runtime_checkable
class Closes(Protocol):
    def close(self) -> None: ...
class Thing:
    pass

def f(n: int) -> int:
    t = Thing()
    if isinstance(t, Closes):
        return 0
    t.close = print
    if isinstance(t, Closes):
        return 1  # HERE
    return 2
""",
    "`isinstance` asks a metaclass": """
class Meta(type):
    members: list = []
    def __instancecheck__(cls, other) -> bool:
        cls.members.append(1)
        return len(cls.members) % 2 == 0
class M(metaclass=Meta):
    pass
def f(n: int) -> int:
    if isinstance(n, M):
        return 0
    if isinstance(n, M):
        return 1  # HERE
    return 2
""",
    "`__floor__` gives anything": """
import math
class Q:
    def __floor__(self):
        return "low"
def f(n: int) -> int:
    q = Q()
    r = math.floor(q)
    if n > 2:
        k = 1
    else:
        k = 2
    if k == 1 and r == "low":
        return 1  # HERE
    return 0
""",
    "`5 < w` asks `__gt__` of w, which gives anything": """
class W:
    def __gt__(self, other):
        return "yes"
def f(n: int) -> int:
    w = W()
    r = 5 < w
    if n > 3:
        k = 1
    else:
        k = 2
    if k == 1 and r == "yes":
        return 1  # HERE
    return 0
""",
    "equal constants may be two objects": """
def f(n: int) -> int:
    x = 1000
    y = int("1000")
    if x is not y:
        return 1  # HERE
    return 0
""",
    "an inner function rebinds what `is` asks for": """
def f(n: int) -> int:
    found = None
    def visit(k: int) -> None:
        nonlocal found
        found = k
    if found is not None:
        return 0
    visit(n)
    if found is not None:
        return 1  # HERE
    return 2
""",
    "an inner function rebinds what `isinstance` asks for": """
def f(n: int) -> int:
    found = None
    def visit(k: int) -> None:
        nonlocal found
        found = k
    if isinstance(found, int):
        return 0
    visit(n)
    if isinstance(found, int):
        return 1  # HERE
    return 2
""",
    "a function that is handed an inner one rebinds a local": """
def apply(callback, n):
    callback(n)
def f(n: int) -> int:
    found = None
    def visit(k: int) -> None:
        nonlocal found
        found = k
    if found is not None:
        return 0
    apply(visit, n)
    if found is not None:
        return 1  # HERE
    return 2
""",
    "`hasattr` runs a property": """
class Once:
    def __init__(self) -> None:
        self.n = 0
    @property
    def ready(self) -> bool:
        self.n += 1
        if self.n < 2:
            raise AttributeError("not yet")
        return True
def f(k: int) -> int:
    o = Once()
    if hasattr(o, "ready"):
        return 0
    if hasattr(o, "ready"):
        return 1  # HERE
    return 2
""",
    "making an exception may raise TypeError": """
def f(n: int) -> int:
    try:
        if n == 3:
            raise UnicodeDecodeError("bad")
    except TypeError:
        return 1  # HERE
    return 0
""",
    "an exception may refuse keywords": """
class Bad(ValueError):
    pass
def f(n: int) -> int:
    try:
        if n == 3:
            raise Bad("x", code=n)
    except TypeError:
        return 1  # HERE
    return 0
""",
    "an OSError of two arguments is one of a subclass": """
def f(n: int) -> int:
    try:
        if n == 3:
            raise OSError(2, "gone")
    except FileNotFoundError:
        return 1  # HERE
    return 0
""",
    "a parameter by position only takes no keyword": """
def g(a: int, /) -> int:
    return a
def f(n: int) -> int:
    try:
        return g(a=n)
    except TypeError:
        return 1  # HERE
""",
    "a handler may name a local": """
class Stop(Exception):
    pass
def f(n: int) -> int:
    Stop = KeyError
    try:
        if n == 3:
            raise KeyError(n)
    except Stop:
        return 1  # HERE
    return 0
""",
    "the truth of a class may be that of its metaclass": """
class Meta(type):
    items: list = []
    def __len__(cls) -> int:
        return len(cls.items)
class Registry(metaclass=Meta):
    pass
def f(n: int) -> int:
    Registry.items.append(n)
    if Registry:
        return 1  # HERE
    return 0
""",
    "an `except*` that lets an exception pass has run its body": """
def f(n: int) -> int:
    last = 0
    try:
        try:
            last = n
            raise ExceptionGroup("g", [ValueError(n)])
        except* KeyError:
            pass
    except ExceptionGroup:
        if last == 5:
            return 1  # HERE
    return 0
""",
    "an import that fails has bound its first names": """
def f(n: int) -> int:
    path = None
    try:
        from os import path, nosuch
    except ImportError:
        if path is not None:
            return 1  # HERE
    return 0
""",
    "an assignment with a star may fail at its last target": """
class Closed:
    def __setattr__(self, name: str, value: object) -> None:
        raise KeyError(name)
def f(n: int) -> int:
    a = 0
    closed = Closed()
    try:
        a, *closed.rest = [n, 2, 3]
    except KeyError:
        if a == 5:
            return 1  # HERE
    return 0
""",
    "`:=` binds in what a generator yields": """
from collections.abc import Iterator
def f(n: int) -> Iterator[int]:
    a = 0
    yield (a := n)
    if a == 5:
        yield 77  # HERE
""",
    "`:=` binds in a default": """
def f(n: int) -> int:
    a = 0
    def g(x: int = (a := n)) -> int:
        return x
    if a == 5:
        return g()  # HERE
    return 0
""",
    "`:=` binds in what follows `except`": """
def f(n: int) -> int:
    a = 0
    try:
        1 // 0
    except ZeroDivisionError if (a := n) else KeyError:
        if a == 5:
            return 1  # HERE
    return 0
""",
}


@pytest.mark.parametrize("source", REACHABLE.values(), ids=list(REACHABLE))
def test_a_line_that_an_input_executes_is_not_proved_unreachable(
    source: str, tmp_path: Path
) -> None:
    file = tmp_path / "reachable_program.py"
    file.write_text(source, encoding="utf-8")
    (line,) = [n for n, text in enumerate(source.splitlines(), 1) if "# HERE" in text]

    search = searched(file, line)

    assert not search.proved, search.proof()
