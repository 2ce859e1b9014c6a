"""Proofs about programs of several modules, one of which changes what another one reads."""

from itertools import count
from pathlib import Path

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of

_numbers = count()  # of packages: one of each name is imported in a process

LIMITS = """
LIMIT = 3
TABLE = {"a": 1}
class Config:
    limit = 3
    def __init__(self) -> None: self.other = 4
def is_over(n: int) -> bool: return LIMIT != 3
def is_in_table(n: int) -> bool: return TABLE["a"] != 1
def is_configured(n: int) -> bool: return Config.limit != 3
"""
ASKED = """
from PKG.limits import is_over, is_in_table, is_configured
def f(n: int) -> int:
    if ASKED(n):
        return 1
    return 0
"""


def explored(folder: Path, **modules: str) -> TargetReport:
    """The report on `f` of the module `main`; PKG in a text is the package of them all."""
    package = folder / f"several_{next(_numbers)}"
    package.mkdir()
    for name, text in {"__init__": "", **modules}.items():
        (package / f"{name}.py").write_text(text.replace("PKG", package.name))
    (target,) = targets_of(f"{package / 'main.py'}::f")
    return cover(target, options_from({"budget": 5.0, "replay": False}))


@pytest.mark.parametrize(
    ("asked", "change"),
    [
        ("is_over", "import PKG.limits as a\ndef change(): a.LIMIT = 5"),
        ("is_over", "from PKG import limits\ndef change(): setattr(limits, 'LIMIT', 5)"),
        ("is_in_table", "from PKG.limits import TABLE\ndef change(): TABLE['a'] = 5"),
        ("is_configured", "from PKG.limits import Config as C\ndef change(): C.limit = 5"),
        ("is_configured", "import PKG.limits as a\ndef change(): a.Config.limit = 5"),
        ("is_in_table", "import PKG.limits\ndef change(): PKG.limits.TABLE.clear()"),
        ("is_over", "import PKG.limits\ndef change(): PKG.limits.LIMIT = 5"),
        ("is_configured", "from PKG import limits\ndef change(): limits.Config.limit = 5"),
    ],
)
@pytest.mark.parametrize("place", ["main", "other"])
def test_what_another_module_changes_is_no_constant(
    asked: str, change: str, place: str, tmp_path: Path
) -> None:
    main = ASKED.replace("ASKED", asked)
    modules = {"main": f"{change}\n{main}"}
    if place == "other":
        modules = {"other": change, "main": f"from PKG import other\n{main}"}

    report = explored(tmp_path, limits=LIMITS, **modules)

    assert not report.infeasible
    assert "depends on" in report.open[0].reason


@pytest.mark.parametrize("asked", ["is_over", "is_in_table", "is_configured"])
@pytest.mark.parametrize(
    "other",
    [
        "from PKG.limits import TABLE\ndef look(): return TABLE['a']",
        "from PKG.limits import Config\ndef change(c: Config): c.other = 5",
        "LIMIT = TABLE = None\ndef change():\n    global LIMIT\n    LIMIT = 5",
        "from PKG import limits\nclass C: limit = 1\ndef change(): limits.OTHER = 5",
    ],
)
def test_what_another_module_has_under_the_same_name_keeps_no_proof_away(
    asked: str, other: str, tmp_path: Path
) -> None:
    main = f"from PKG import other\n{ASKED.replace('ASKED', asked)}"

    report = explored(tmp_path, limits=LIMITS, other=other, main=main)

    assert len(report.infeasible) == 1


CONFIG = """
import os
from functools import lru_cache
TOKEN = os.environ.get("TOKEN", "7")
@lru_cache
def load() -> int: return int(os.environ.get("LIMIT", "7"))
class Settings:
    limit = int(TOKEN)
    size = 7
    def __init__(self) -> None: self.other = load()
"""


@pytest.mark.parametrize(
    "limit",
    [
        "from PKG.config import load\nLIMIT = load()",
        "from PKG import config\nLIMIT = config.load()",
        "import PKG.config as c\nLIMIT = max(3, c.load())",
        "from .config import TOKEN\nLIMIT = int(TOKEN)",
        "from .config import Settings\nLIMIT = Settings().other",
        "from .between import load_it\nLIMIT = load_it()",
        "from .between import load\nLIMIT = load()",
        "from . import config\ndef _limit() -> int: return config.load()\nLIMIT = _limit()",
    ],
)
def test_what_a_module_takes_from_the_system_through_another_one_is_an_input(
    limit: str, tmp_path: Path
) -> None:
    between = "from PKG.config import load\ndef load_it() -> int: return load()"
    main = f"{limit}\ndef f(n: int) -> int:\n    if LIMIT == 8:\n        return 1\n    return 0"

    report = explored(tmp_path, config=CONFIG, between=between, main=main)

    assert report.conditions.covered == report.conditions.total == 2


@pytest.mark.parametrize(
    "before",
    [
        "from PKG.config import Settings as S\nasked = 'S.limit'",
        "from PKG import config\nconfig.Settings.size = config.load()\nasked = 'config.Settings.size'",
        "from PKG import config, limits\nlimits.LIMIT = config.load()\nasked = 'limits.LIMIT'",
    ],
)
def test_what_a_class_of_another_module_took_from_the_system_is_no_constant(
    before: str, tmp_path: Path
) -> None:
    asked = before.rpartition("asked = ")[2].strip("'")
    main = f"{before}\ndef f(n: int) -> int:\n    if {asked} == 8:\n        return 1\n    return 0"

    report = explored(tmp_path, config=CONFIG, limits=LIMITS, main=main)

    assert not report.infeasible


@pytest.mark.parametrize("limit", ["Settings.size", "len('seven')", "other()"])
def test_what_is_not_of_the_system_is_a_constant_beside_it(limit: str, tmp_path: Path) -> None:
    main = f"from .config import Settings\nfrom .limits import *\ndef other() -> int: return 7\nLIMIT = {limit}\n"
    main += "def f(n: int) -> int:\n    if LIMIT == 8:\n        return 1\n    return 0"

    report = explored(tmp_path, config=CONFIG, limits=LIMITS, main=main)

    assert len(report.infeasible) == 1


CONFIG_CLASS = """
class Config:
    limit = 3
    def __init__(self, n: int) -> None: self.n = n
"""
ASKED_OF_CLASS = (
    "\ndef f(n: int) -> int:\n    if Config.limit != 3:\n        return 1\n    return 0"
)


@pytest.mark.parametrize(
    "change",
    [
        "def poke(c): c.limit = 5\ndef change(): poke(Config)",
        "def change():\n    c = Config\n    c.limit += 1",
        "def change():\n    for c in (Config, int): c.limit = 5",
        "KINDS = {'c': Config}\ndef change(name): KINDS[name].limit = 5",
        "class Holder:\n    kind = Config\n    def change(self): self.kind.limit = 5",
        "class Tools:\n    @staticmethod\n    def poke(c): c.limit = 5",
        "import sys\ndef change(name):\n    c = sys.modules[name].Config\n    c.limit = 5",
        "def change(c, name): setattr(c, name, 5)",
        "def kind() -> type: return Config\ndef change(): kind().limit = 5",
        "def change(c: type): c.limit = 5",
        "Kind = type[Config]\ndef change(c: Kind): c.limit = 5",
        "from typing import Protocol\nclass P(Protocol):\n    limit: int\ndef change(c: P): c.limit = 5",
        "def Kind(): return Config\ndef change(): Kind().limit = 5",
    ],
)
def test_what_is_set_on_a_class_under_another_name_is_no_constant(
    change: str, tmp_path: Path
) -> None:
    report = explored(tmp_path, main=f"{CONFIG_CLASS}\n{change}\n{ASKED_OF_CLASS}")

    assert not report.infeasible
    assert "depends on `Config.limit`" in report.open[0].reason


@pytest.mark.parametrize(
    "change",
    [
        "def change(c: Config): c.limit = 5",
        "def change():\n    c = Config(3)\n    c.limit = 5",
        "def change(): Config(3).limit = 5",
        "def change(cs: list[Config]):\n    for c in cs: c.limit += 5",
        "class Other:\n    def __init__(self): self.limit = 5",
        "def change(c): c.other = 5",
    ],
)
def test_what_is_set_on_objects_leaves_their_class_as_it_is(change: str, tmp_path: Path) -> None:
    report = explored(tmp_path, main=f"{CONFIG_CLASS}\n{change}\n{ASKED_OF_CLASS}")

    assert len(report.infeasible) == 1


def test_what_a_static_method_sets_on_its_first_parameter_is_set_from_outside(
    tmp_path: Path,
) -> None:
    tools = "class Tools:\n    @staticmethod\n    def poke(c: Config): c.n = 5\n"
    asked = "def f(c: Config) -> int:\n    if c.n == c.k:\n        return 1\n    return 0"
    config = "class Config:\n    def __init__(self) -> None: self.n, self.k = 3, 4\n"

    report = explored(tmp_path, main=f"{config}{tools}{asked}")

    assert not report.infeasible


FINDER = """
import importlib, sys
ALL = sys.modules
class Loader:
    def get(self, name): return importlib.import_module(name)
def find(name): return sys.modules[name]
def apply(what, name): what(sys.modules[name])
"""
POKER = """
def poke(module): module.LIMIT = 5
def set_any(module, name): setattr(module, name, 5)
"""
ASKED_OF_MODULE = "\nLIMIT = 3\nSIZE = len('abc')\ndef f(n: int) -> int:\n    if LIMIT != 3 or SIZE != 3:\n        return 1\n    return 0"


@pytest.mark.parametrize(
    "change",
    [
        "from .finder import find\ndef change(): find(__name__).LIMIT = 5",
        "from . import finder\ndef change():\n    m = finder.find(__name__)\n    m.SIZE = 5",
        "from .finder import Loader\ndef change(): setattr(Loader().get(__name__), 'LIMIT', 5)",
        "from . import finder\ndef change(): finder.ALL[__name__].SIZE += 5",
        "from .finder import apply\ndef put(m): m.LIMIT = 5\ndef change(): apply(put, __name__)",
        "import sys\nfrom .poker import poke\ndef change(): poke(sys.modules[__name__])",
        "import sys\nfrom .poker import set_any\ndef change(): set_any(sys.modules[__name__], 'SIZE')",
    ],
)
def test_a_module_may_be_looked_up_in_one_file_and_set_in_another(
    change: str, tmp_path: Path
) -> None:
    main = f"{change}\n{ASKED_OF_MODULE}"
    other = {"poker": POKER} if "poker" in change else {"finder": FINDER}

    report = explored(tmp_path, main=main, **other)

    assert not report.infeasible
    assert "depends on" in report.open[0].reason


def test_a_module_that_is_handed_to_another_file_may_be_set_there(tmp_path: Path) -> None:
    finder = "def poke(module): module.LIMIT = 5"
    change = "from . import main as me\nfrom .finder import poke\ndef change(): poke(me)"

    report = explored(tmp_path, finder=finder, main=f"{change}\n{ASKED_OF_MODULE}")

    assert not report.infeasible


@pytest.mark.parametrize(
    "change",
    [
        "from .finder import find\ndef look(): return find(__name__).LIMIT",
        "from .finder import find\ndef change(): find(__name__).OTHER = 5",
        "class Box: SIZE = 3\ndef change(box: Box): box.SIZE = 5",
    ],
)
def test_a_module_that_is_looked_up_and_keeps_a_name_keeps_no_proof_away(
    change: str, tmp_path: Path
) -> None:
    finder = "import sys\ndef find(name): return sys.modules[name]"

    report = explored(tmp_path, finder=finder, main=f"{change}\n{ASKED_OF_MODULE}")

    assert len(report.infeasible) == 2


THING = "class Thing:\n    def ask(self) -> int: return 1\n    def other(self) -> int: return 1"
OWN = "class Own(BASE):\n        def NAME(self) -> int: return 2"
ASKED_OF_THING = "from PKG.thing import Thing\nfrom PKG import alias, maker\ndef f(t: Thing) -> int:\n    if t.ask() == 2:\n        return 1\n    return 0"


@pytest.mark.parametrize(
    ("before", "base"),
    [
        ("from PKG.thing import Thing as Base\ndef make():\n    ", "Base"),
        ("from PKG.alias import Base\ndef make():\n    ", "Base"),
        ("def make():\n    from PKG.alias import Base\n    ", "Base"),
        ("from PKG import alias\ndef make():\n    ", "alias.Base"),
        ("import PKG.alias as a\ndef make():\n    ", "a.Base"),
    ],
)
def test_a_class_that_a_function_of_another_module_makes_may_extend_an_alias(
    before: str, base: str, tmp_path: Path
) -> None:
    alias = "from PKG import thing\nBase = thing.Thing"
    overriding = f"{before}{OWN.replace('BASE', base).replace('NAME', 'ask')}\n    return Own()"
    harmless = f"{before}{OWN.replace('BASE', base).replace('NAME', 'extra')}\n    return Own()"

    reports = [
        explored(tmp_path, thing=THING, alias=alias, maker=each, main=ASKED_OF_THING)
        for each in (overriding, harmless)
    ]

    assert [len(each.infeasible) for each in reports] == [0, 1]
    assert "may be a Own that `make` makes" in reports[0].open[0].reason


BOXES = """
from abc import ABC
from dataclasses import dataclass
class Box:
    k: int
    def __init__(self) -> None: self.k = 1
@dataclass
class Crate:
    items: list[int]
class Shape(ABC): pass
"""


@pytest.mark.parametrize(
    ("of", "asked", "change"),
    [
        ("x: Box", "x.k != 1", "def change(b: Box): b.k = 5"),
        ("x: Box", "x.k != 1", "def change(b: Box): b.k += 5"),
        ("x: Box", "x.k != 1", "def change(b: Box): b.k: int = 5"),
        ("x: Box", "x.k != 1", "def change(b: Box): b.other, b.k = 2, 5"),
        ("x: Box", "x.k != 1", "def change(b: Box): (b.k, b.other) = 2, 5"),
        ("x: Box", "x.k != 1", "def change(b: Box):\n    for b.k in (1, 2): pass"),
        ("x: Box", "x.k != 1", "def change(b: Box):\n    with open('x') as b.k: pass"),
        ("x: Box", "not hasattr(x, 'k')", "def change(b: Box): del b.other, b.k"),
        (
            "x: Crate",
            "x.items and isinstance(x.items[0], str)",
            "def change(c: Crate):\n    xs = c.items\n    xs.append(None)",
        ),
        (
            "x: Crate",
            "x.items and isinstance(x.items[0], str)",
            "def change(c: Crate): c.items[:] = ['a']",
        ),
        ("x: int", "isinstance(x, Shape)", "def change(kind: type): Shape.register(kind)"),
        (
            "x: float",
            "f'{1.5:n}' != '1.5'",
            "import locale\ndef change(): locale.setlocale(0, 'de')",
        ),
    ],
)
def test_what_a_module_that_nothing_calls_changes_counts(
    of: str, asked: str, change: str, tmp_path: Path
) -> None:
    start = "from .boxes import Box, Crate, Shape\n"
    main = f"{start}from . import other\ndef f({of}) -> int:\n    if {asked}:\n        return 1\n    return 0"
    look = "def look(b: Box, c: Crate): return b.k == 1, len(c.items) if b.k else 2"

    changed = explored(tmp_path, boxes=BOXES, other=f"{start}{change}", main=main)
    looked_at = explored(tmp_path, boxes=BOXES, other=f"{start}{look}", main=main)

    assert not changed.infeasible
    assert len(looked_at.infeasible) == 1


MEMBERS = """
from enum import Enum
class E(Enum):
    A = 1
    B = 2
    def __new__(cls, n: int) -> "E":
        made = object.__new__(cls)
        made._value_ = n
        return made
    def __init__(self, n: int) -> None: self.label = "x"
class Box:
    def __init__(self, n: int) -> None: self.value = n
"""


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ("def change(e: E): e._value_ = 3", "e.value == 3"),
        ("def change(e: E): e.__dict__['_value_'] = 3", "e.value == 3"),
        ("def change(e: E): object.__setattr__(e, '_value_', 3)", "e.value == 3"),
        ("def change(e: E): vars(e).update(_value_=3)", "e.value == 3"),
        ("def change(): E.A._value_ = 3", "E.A.value == 3"),
        ("def change(e: E): e._name_ = 'C'", "e.name == 'C'"),
        ("def change(e: E): e.label = 'y'", "e.label == 'y'"),
        ("class F(Enum):\n    A = 3\n    def change(self): self._value_ = 3", "e.value == 3"),
    ],
)
def test_what_is_set_of_a_member_of_an_enumeration_is_no_constant(
    change: str, asked: str, tmp_path: Path
) -> None:
    asking = f"def f(e: E) -> int:\n    if {asked}:\n        return 1\n    return 0"
    other = f"from .members import *\n{change}"
    main = f"from .members import *\nfrom . import other\n{asking}"

    here = explored(tmp_path, main=f"{MEMBERS}{change}\n{asking}")
    elsewhere = explored(tmp_path, members=MEMBERS, other=other, main=main)

    assert not here.infeasible
    assert not elsewhere.infeasible


@pytest.mark.parametrize(
    "change",
    ["def change(b: Box): b.value = 3", "def look(e: E): return e._value_, vars(e)['_name_']"],
)
def test_members_of_enumerations_that_nothing_changes_are_constants(
    change: str, tmp_path: Path
) -> None:
    asking = "def f(e: E) -> int:\n    if e.value == 3:\n        return 1\n    return 0"

    report = explored(tmp_path, main=f"{MEMBERS}{change}\n{asking}")

    assert len(report.infeasible) == 1


@pytest.mark.parametrize(
    ("limit", "asked"),
    [
        ("import random\nLIMIT = random.random()", "LIMIT > 0.5 and LIMIT < 0.1"),
        ("import time\nLIMIT = time.time()", "LIMIT < 3"),
        ("import time\nclass C: limit = time.time()", "C.limit < 3"),
        (
            "import os\nif 'X' in os.environ: from .fast import LIMIT\nelse: from .slow import LIMIT",
            "LIMIT == 4",
        ),
        (
            "import os\nif 'X' in os.environ:\n    def limit(): return 4\nelse:\n    def limit(): return 3",
            "limit() == 4",
        ),
        ("LIMIT = hash('abc') % 2", "LIMIT == 4"),
        ("LIMIT = sum(map(hash, ['a', 'b']))", "LIMIT == 4"),
        ("LIMIT = id(object())", "LIMIT == 4"),
        ("import threading\nLIMIT = threading.get_ident()", "LIMIT == 4"),
        ("import gc\nLIMIT = gc.get_count()[0]", "LIMIT == -4"),
        ("import time\nLIMIT = getattr(time, 'time')()", "LIMIT < 4"),
        ("LIMIT = list({'a', 'b', 'c'})[0]", "LIMIT == 'd'"),
        ("LIMIT = {'a', 'b', 'c'}.pop()", "LIMIT == 'd'"),
        ("LIMIT = next(iter(frozenset(['a', 'b'])))", "LIMIT == 'd'"),
        ("NAMES = {'a', 'b'} | {'c'}\nLIMIT = ','.join(NAMES)", "LIMIT == 'd'"),
        ("NAMES = set('abc')\nLIMIT = [name for name in NAMES][0]", "LIMIT == 'd'"),
        ("for LIMIT in {'a', 'b'}: pass", "LIMIT == 'd'"),
        ("LIMIT, other = {'a', 'b'}", "LIMIT == 'd'"),
        ("LIMIT = (*{'a', 'b'},)[0]", "LIMIT == 'd'"),
        ("LIMIT = f\"{ {'a', 'b'} }\"", "LIMIT == 'd'"),
        ("LIMIT = max({'a', 'b'}, key=len)", "LIMIT == 'd'"),
        ("def first(names): return next(iter(names))\nLIMIT = first({'a', 'b'})", "LIMIT == 'd'"),
        ("class C: limit = list({'a', 'b'})[0]", "C.limit == 'd'"),
    ],
)
def test_what_differs_between_two_imports_is_no_constant(
    limit: str, asked: str, tmp_path: Path
) -> None:
    main = f"{limit}\ndef f(n: int) -> int:\n    if {asked}:\n        return 1\n    return 0"

    report = explored(tmp_path, fast="LIMIT = 4", slow="LIMIT = 3", main=main)

    assert not report.infeasible


@pytest.mark.parametrize(
    "limit",
    [
        "import sys\nif sys.version_info >= (3, 8):\n    from .fast import LIMIT\nelse: LIMIT = 4",
        "import time\nNOW = time.time()\nLIMIT = 3",
        "try:\n    from .fast import LIMIT\nexcept ImportError: LIMIT = 3",
        "NAMES = {'a', 'b'}\nLIMIT = len(NAMES)",
        "LIMIT = sorted({'a', 'b'} - {'c'})[0]",
        "LIMIT = sorted(list({'a', 'b'}))[0]",
        "LIMIT = max(len(name) for name in {'a', 'b'})",
        "LIMIT = list({1, 2, 3})[0]",
        "LIMIT = list(set(range(3)))[0]",
        "def key_of(id): return id + 1\nLIMIT = key_of(2)",
    ],
)
def test_what_every_import_here_gives_is_a_constant(limit: str, tmp_path: Path) -> None:
    main = f"{limit}\ndef f(n: int) -> int:\n    if LIMIT == 8:\n        return 1\n    return 0"

    report = explored(tmp_path, fast="LIMIT = 3", main=main)

    assert len(report.infeasible) == 1
