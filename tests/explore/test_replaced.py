"""Functions, methods and names that something in the program replaces are no constants."""

import sys
from itertools import count
from pathlib import Path

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of

_numbers = count()  # of packages: one of each name is imported in a process

SHOP = """
from typing import TypeVar
T = TypeVar("T")
class Rule:
    limit = 3
    def step(self) -> int: return 1
    def __len__(self) -> int: return 3
    @staticmethod
    def tax() -> int: return 1
class Meta(type):
    def put(cls, n: int) -> None: cls.size = n
class Made(metaclass=Meta):
    size = 3
class Second(Meta):
    def grow(cls) -> None: cls.depth = 5
class Deep(metaclass=Second):
    depth = 3
def price() -> int: return 3
LIMIT = 3
"""
ASKED = """
from PKG.shop import Made, Rule
from PKG import shop
def f(n: int) -> int:
    if ASKED:
        return 1
    return 0
"""


def explored(folder: Path, shop: str, main: str) -> TargetReport:
    """The report on `f` of the module `main`; PKG in a text is the package of them all."""
    package = folder / f"replaced_{next(_numbers)}"
    package.mkdir()
    for name, text in {"__init__": "", "shop": shop, "main": main}.items():
        (package / f"{name}.py").write_text(text.replace("PKG", package.name))
    (target,) = targets_of(f"{package / 'main.py'}::f")
    return cover(target, options_from({"budget": 5.0, "max_runs": 300, "replay": False}))


@pytest.mark.parametrize(
    ("asked", "change"),
    [
        ("shop.price() != 3", "def change(do): shop.price = do"),
        ("shop.price() != 3", "def change(do): setattr(shop, 'price', do)"),
        ("Rule().step() != 1", "def change(do): Rule.step = do"),
        ("Rule().step() != 1", "def change(do): setattr(Rule, 'step', do)"),
        (
            "shop.price() != 3",
            "def change(do):\n    import PKG.shop as s\n    r = s\n    r.price = do",
        ),
        ("shop.LIMIT != 3", "def change(do):\n    from . import shop as s\n    do(s).LIMIT = 5"),
        ("len(Rule()) != 3", "def change(do): Rule.__len__ = do"),
        ("len(Rule()) != 3", "def change(do): setattr(shop.Rule, '__len__', do)"),
        ("not Rule()", "def change(do): shop.Rule.__bool__ = do"),
        ("Rule.tax() != 1", "def change(do): shop.Rule.tax = do"),
        ("Rule.limit != 3", "def change(kind: shop.T) -> shop.T: kind.limit = 5"),
        ("Made.size != 3", "def change(): Made.put(5)"),
        ("shop.Deep.depth != 3", "def change(): shop.Deep.grow()"),
        ("shop.LIMIT != 3", "from unittest.mock import patch\nchanged = patch('a.shop.LIMIT', 5)"),
        ("shop.LIMIT != 3", "from unittest import mock\ndef change(n): mock.patch(n, 5).start()"),
        (
            "shop.LIMIT != 3",
            "from unittest.mock import patch as p\ndef change(): p('a.shop.LIMIT', 5)",
        ),
        ("shop.LIMIT != 3", "def change(monkey): monkey.setattr(shop, 'LIMIT', 5)"),
        ("shop.LIMIT != 3", "def change(monkey): monkey.setattr('a.shop.LIMIT', 5)"),
        ("shop.LIMIT != 3", "def change(*given): setattr(*given)"),
    ],
)
def test_what_something_replaces_is_open(asked: str, change: str, tmp_path: Path) -> None:
    main = f"{ASKED.replace('ASKED', asked)}\n{change}\n"
    if "shop.T" in change:  # a type variable is known where it is defined
        change = change.replace("shop.T", "T")
        report = explored(tmp_path, f"{SHOP}\n{change}\n", ASKED.replace("ASKED", asked))
    else:
        report = explored(tmp_path, SHOP, main)

    assert not report.infeasible
    assert len(report.open) == 1


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_a_type_parameter_may_stand_for_a_class(tmp_path: Path) -> None:
    change = "def change[T](kind: T) -> T: kind.limit = 5"

    report = explored(tmp_path, f"{SHOP}\n{change}\n", ASKED.replace("ASKED", "Rule.limit != 3"))

    assert not report.infeasible


@pytest.mark.parametrize(
    "asked",
    [
        *("shop.price() != 3", "Rule().step() != 1", "Rule.limit != 3", "shop.LIMIT != 3"),
        "len(Rule()) != 3",
    ],
)
@pytest.mark.parametrize(
    "other",
    [
        "def look(): return shop.price(), Rule.step, Rule.limit, shop.LIMIT",
        "def change(rule: Rule, do): rule.other = do",
        "def change(do): Rule.__doc__ = do.__module__ = 'text'",
        "def change(client): return client.patch('/shop.LIMIT')",
    ],
)
def test_what_nothing_replaces_is_proved(asked: str, other: str, tmp_path: Path) -> None:
    report = explored(tmp_path, SHOP, f"{ASKED.replace('ASKED', asked)}\n{other}\n")

    assert len(report.infeasible) == 1


MEMBERS = """
from enum import Enum
class Size(Enum):
    SMALL = 3
    def __init__(self, n: int) -> None: self.label = "small"
class Shelf:
    def __init__(self, size: Size) -> None:
        OTHER
def f(size: Size) -> int:
    if size.label != "small":
        return 1
    return 0
"""


@pytest.mark.parametrize(
    ("statement", "proved"), [("size.label = 'x'", 0), ("self.label = size.label", 1)]
)
def test_constructors_of_other_classes_may_change_members(
    statement: str, proved: int, tmp_path: Path
) -> None:
    report = explored(tmp_path, "", MEMBERS.replace("OTHER", statement))

    assert len(report.infeasible) == proved


CHOSEN = {
    "match": "match os.environ.get('SHOP', 'a'):\n    case 'a': LIMIT = 3\n    case _: LIMIT = 5",
    "try": "try:\n    os.environ['SHOP']\n    LIMIT = 3\nexcept KeyError: LIMIT = 5",
    "def": "if os.environ.get('SHOP'):\n    def limit(): return 3\nelse:\n    def limit(): return 5",
    "import": "if os.environ.get('SHOP'): from math import floor as limit\n"
    "else: from math import ceil as limit",
    "declared lambda": "load: object = lambda: os.environ.get('SHOP')\nLIMIT = 3 if load() else 5",
    "import in try": "try:\n    import os.path as path\n    os.environ['SHOP']\n"
    "    LIMIT = 3\nexcept KeyError: LIMIT = 5",
    "test in try": "try:\n    if os.environ['SHOP']: pass\n    LIMIT = 5\n"
    "except KeyError: LIMIT = 3",
    "suppress": "import contextlib\nLIMIT = 3\nwith contextlib.suppress(KeyError):\n"
    "    os.environ['SHOP']\n    LIMIT = 5",
    "while": "LIMIT = 3\nwhile 'SHOP' in os.environ:\n    LIMIT = 5\n    break",
    "for": "LIMIT = 3\nfor _ in os.environ.get('SHOP', ''): LIMIT = 5",
    "star": "if os.environ.get('SHOP'): from string import *\nelse: from PKG.shop import *",
    "chosen module": "if os.environ.get('SHOP'): import string as shop\n"
    "else: from PKG import shop\nLIMIT = shop.LIMIT",
    "program": "import shutil\nLIMIT = 5 if shutil.which('no such program') else 3",
    "decorator": "def on(fn): return (lambda: 5) if os.environ.get('SHOP') else fn\n"
    "@on\ndef limit(): return 3",
    "base": "class A:\n    n = 3\nclass B:\n    n = 5\nBase = B if os.environ.get('SHOP') else A\n"
    "class C(Base): pass\ndef limit(): return C().n",
    "item of an object": "class Env:\n    def __getitem__(self, k): return os.environ.get(k)\n"
    "LIMIT = 3 if Env()['SHOP'] else 5",
}


@pytest.mark.parametrize("how", CHOSEN)
def test_what_the_environment_chooses_is_no_constant(how: str, tmp_path: Path) -> None:
    asked = "limit() == 3" if "limit()" in CHOSEN[how] else "LIMIT == 3"
    asked = "limit(1.5) == 1" if how == "import" else asked
    main = f"import os\n{CHOSEN[how]}\ndef f(n: int) -> int:\n    if {asked}:\n        return 1"

    report = explored(tmp_path, "LIMIT = 3\n", f"{main}\n    return 0\n")

    assert not report.infeasible


KEEPING = """
from enum import Enum
class Mixin:
    def mark(self) -> None: self.marked = True
class Size(Mixin, Enum):
    SMALL = "s"
    def __init__(self, text: str) -> None: self.rows = []
    def note(self) -> None: self.seen = True
    def put(self, n: int) -> None: setattr(self, "set", n)
class Outer:
    class Inner(Enum):
        ONE = 1
        def __init__(self, n: int) -> None: self.rank = n
class Config: pass
class Own:
    def __init__(self) -> None: self.n = 1
    def change(self) -> None: self.others = 1
OTHER
def f(size: Size) -> int:
    if ASKED:
        return 1
    return 0
"""


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("len(size.rows) == 1", "def add(s):\n    rows = s.rows\n    rows.append(1)"),
        ("len(size.rows) == 1", "def add(s): return s.rows"),
        ("len(size.rows) == 1", "def add(s, do): do(s.rows)"),
        ("len(size.rows) == 1", "def add(s): s.rows.append(1)"),
        ("len(size.rows) == 1", "ROWS = Size.SMALL.rows\ndef add(): ROWS.append(1)"),
        ("Outer.Inner.ONE.value == 5", "def change(i): i._value_ = 5"),
        ("hasattr(size, 'seen')", ""),
        ("getattr(size, 'seen', False)", ""),
        ("hasattr(size, 'set')", ""),
        ("hasattr(size, 'marked')", ""),
        ("hasattr(size, 'other')", "def change(s): s.other = 1"),
        ("'seen' in vars(size)", ""),
        ("size.value == 'x'", "def change(s, name): setattr(s, name, 'x')"),
        ("size.value == 'x'", "def change(s: Size, name): setattr(s, name, 'x')"),
        ("size.value == 'x'", "def change(s: Mixin, name): setattr(s, name, 'x')"),
        (
            "size.value == 'x'",
            "def change(s: Config, name):\n    s = Size.SMALL\n    setattr(s, name, 'x')",
        ),
        ("size.value == 'x'", "def change(s, all): s.__dict__ = all"),
    ],
)
def test_what_members_of_enumerations_keep_may_change(
    asked: str, other: str, tmp_path: Path
) -> None:
    report = explored(tmp_path, "", KEEPING.replace("OTHER", other).replace("ASKED", asked))

    assert not report.infeasible
    assert len(report.open) == 1


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("len(size.rows) == 1", "def look(s):\n    rows = s.rows\n    return len(rows)"),
        ("Outer.Inner.ONE.rank == 5", ""),
        ("hasattr(size, 'others')", ""),
        ("hasattr(size, 'other')", ""),
        ("size.value == 'x'", "def change(s: Config, name): setattr(s, name, 'x')"),
        ("size.value == 'x'", "def change(s: 'Config', name): vars(s)[name] = 'x'"),
    ],
)
def test_what_members_of_enumerations_keep_is_constant_where_nothing_changes_it(
    asked: str, other: str, tmp_path: Path
) -> None:
    report = explored(tmp_path, "", KEEPING.replace("OTHER", other).replace("ASKED", asked))

    assert len(report.infeasible) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("    import no_such as fast\nexcept ImportError:\n    fast = None", "no_such cannot"),
        (
            "    import tomllib as fast\nexcept ImportError:\n    import tomli as fast",
            "tomllib can",
        ),
        ("    from PKG import shop as fast\nexcept ImportError:\n    fast = None", ""),
    ],
)
def test_what_depends_on_an_import_is_told_with_the_module(
    text: str, told: str, tmp_path: Path
) -> None:
    main = f"try:\n{text}\nLIMIT = 3 if fast is None else 5\n"

    report = explored(tmp_path, SHOP, f"{main}{ASKED.replace('ASKED', 'LIMIT == 4')}")

    (proved,) = report.infeasible
    said = [each for each in proved.assumes if each.endswith("be imported")]
    assert said == [f"{told} be imported"] * bool(told)


TIMED = """
import functools, time
def timed(do):
    @functools.wraps(do)
    def run(*given):
        time.perf_counter()
        return do(*given)
    return run
@timed
def limit() -> int: return 3
def f(n: int) -> int:
    if limit() != 3:
        return 1
    return 0
"""


def test_what_a_decorator_makes_may_ask_the_system(tmp_path: Path) -> None:
    assert len(explored(tmp_path, "", TIMED).infeasible) == 1


@pytest.mark.parametrize("asked", ["Rule().step() != 1", "Rule.tax() != 1"])
def test_a_proof_says_that_no_method_of_a_class_is_set_without_naming_it(
    asked: str, tmp_path: Path
) -> None:
    install = "def install(kind, name, do): setattr(kind, name, do)"

    report = explored(tmp_path, SHOP, f"{ASKED.replace('ASKED', asked)}\n{install}\n")

    (proved,) = report.infeasible
    assert "`install` sets no method of Rule" in proved.assumes
