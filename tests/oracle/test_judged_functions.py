"""How a function is called is read off its text."""

from __future__ import annotations

from pathlib import Path

from symcrete.oracle.subjects import annotated, declared, is_method, kind_of, node_of, report_of
from symcrete.program.source.target import targets_of

PROGRAM = """\
from contextlib import contextmanager
def plain(a: int, b, *, c: str): return [(yield_) for yield_ in a]
def gives(): yield 1
async def waits(): return 1
async def streams(): yield 1
@contextmanager
def opened(): yield 1
class Cart:
    def __init__(self, n: int): self.n = n
    def add(self): return lambda: (yield)
    @property
    def size(self): return 1
    @size.setter
    def size(self, value): pass
    @staticmethod
    def make(): return Cart(1)
"""


def test_kinds_methods_and_declared_types(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(PROGRAM)

    found = {each.called: each for each in targets_of(str(tmp_path / "shop.py"))}

    assert {name: kind_of(each) for name, each in found.items()} == {
        "plain": "function",
        "gives": "generator",
        "waits": "coroutine",
        "streams": "asyncgen",
        "opened": "function",
        "Cart": "function",
        "Cart.add": "function",
        "Cart.size": "property",
        "Cart.size.fset": "setter",
        "Cart.make": "function",
    }
    assert annotated(found["plain"]) == 2
    assert declared(found["plain"]) == {"int", "str"}
    assert is_method(found["Cart.add"])
    assert not is_method(found["Cart.make"])
    assert not is_method(found["Cart"])
    assert report_of(found["Cart.add"], ()).is_method
    assert node_of(found["gives"]).name == "gives"  # type: ignore[union-attr]
