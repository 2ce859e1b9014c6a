"""A stub beside a module says what its functions take."""

from pathlib import Path

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.options import Options
from symcrete.explore.project.depends import depends_on
from symcrete.explore.rewritten import ImportedProgram
from symcrete.explore.stubs import annotate
from symcrete.program.source.target import targets_of

PROGRAM = """\
def clip(x, low=0):
    if x is None:
        return low
    if x < low:
        return low
    return x

def named(name: str, size):
    return name * size

class Cart:
    def __init__(self, items):
        self.items = items

    @staticmethod
    def of(count):
        return Cart([1] * count)

def either(x):
    return x
"""
STUB = """\
from typing import Sequence, overload
from elsewhere import Unknown
Number = int
def clip(x: int, low: Number = ...) -> int: ...
def named(name: int, size: Unknown) -> str: ...
def gone(x: int) -> int: ...
class Cart:
    def __init__(self, items: Sequence[int]) -> None: ...
    @staticmethod
    def of(count: int) -> Cart: ...
@overload
def either(x: int) -> int: ...
@overload
def either(x: str) -> str: ...
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(PROGRAM)
    (tmp_path / "shop.pyi").write_text(STUB)
    return tmp_path / "shop.py"


def test_functions_get_the_annotations_they_lack_and_keep_their_own(shop: Path) -> None:
    source = targets_of(str(shop))[0].source

    program = ImportedProgram(source, (), steps=10_000, at_once=False)
    found = program.load()

    assert found.clip.__annotations__ == {"x": int, "low": int}
    assert found.named.__annotations__ == {"name": str}
    assert "items" in found.Cart.__init__.__annotations__
    assert found.Cart.of.__annotations__ == {"count": int}
    assert found.either.__annotations__ == {}


def test_what_a_stub_declares_decides_as_a_declared_type_does(shop: Path) -> None:
    report = cover(targets_of(f"{shop}::clip")[0], Options(replay=False, max_runs=40))

    assert report.status == "complete"
    assert [spot.line for spot in report.infeasible] == [2]
    assert report.branches.covered == 3


def test_a_stub_that_cannot_be_read_says_nothing(shop: Path) -> None:
    module = type(pytest)("shop")
    shop.with_suffix(".pyi").write_text("def clip(x: int -> ...")

    annotate(module, shop)

    assert not hasattr(module, "clip")


def test_a_result_depends_on_the_stub(shop: Path) -> None:
    before = depends_on(targets_of(f"{shop}::clip")[0])

    shop.with_suffix(".pyi").write_text(STUB.replace("x: int, low", "x: float, low"))

    assert depends_on(targets_of(f"{shop}::clip")[0]) != before
