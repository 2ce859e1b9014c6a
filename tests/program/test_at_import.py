"""Names that an import made of something of another module."""

import ast
from pathlib import Path
from types import ModuleType

import pytest

from symcrete.program.state.at_import import Taken, origins_of
from symcrete.program.state.facts import ModuleFacts
from symcrete.program.state.origins import origins_behind
from symcrete.program.state.reads import Collector
from symcrete.program.state.scopes import Scopes


def taken(text: str) -> dict[str, Taken]:
    return Collector(Scopes(ast.parse(text), text, "shop.py"), "shop.py", []).facts.taken


def test_a_name_is_made_of_the_variables_that_its_expression_asks_for() -> None:
    found = taken('import os\nMODE = os.environ.get("MODE", "dev")\nSIZE = 3\n')

    assert set(found) == {"MODE"}
    assert ("os", "environ") in found["MODE"].origins
    assert found["MODE"].defaults == ("dev",)


def test_what_is_made_of_such_a_name_is_one_too() -> None:
    found = taken('from os import getenv\nMODE = getenv("M")\nLIVE = MODE == "prod"\n')

    assert found["LIVE"].origins == {("os", "getenv"), ("os", "getenv()")}


def test_methods_of_classes_of_other_modules_are_told_with_their_class() -> None:
    found = taken(
        "import pathlib\nfrom pathlib import Path\nA = Path.home()\nB = pathlib.Path.cwd()\n"
    )

    assert ("pathlib", "Path.home") in found["A"].origins
    assert ("pathlib", "Path.cwd") in found["B"].origins


def test_literals_and_names_of_the_module_itself_are_not_taken() -> None:
    assert taken("A = 1\nB = A + 2\ndef f(): ...\nC = f\n") == {}


def test_attributes_of_classes_are_told_with_their_class() -> None:
    found = taken(
        "import os\nclass Config:\n    base = os.environ['BASE']\n    logs = base + '/logs'\n"
    )

    assert ("os", "environ") in found["Config.base"].origins
    assert ("os", "environ") in found["Config.logs"].origins
    assert "base" not in found


def test_a_name_that_is_bound_among_others_is_made_of_its_own_part() -> None:
    found = taken("import os\na, b = os.environ['A'], 1\nif a:\n    c, d = split(a)\n")

    assert set(found) == {"a", "c", "d"}


def test_a_text_is_kept_once_of_a_name_that_is_made_of_itself_again_and_again() -> None:
    start = 'import os\nmode = os.environ.get("MODE", "dev")\n'

    found = taken(start + "mode = mode.strip() + mode.lower()\n" * 12)

    assert found["mode"].defaults == ("dev",)


def test_names_and_attributes_of_classes_are_made_of_what_stands_before_them() -> None:
    found = taken(
        "import os\nclass A:\n    x = os.environ['X']\nsize = len(A.x)\n"
        "class B:\n    y = size\n    z = A.x\nold = B.w\nclass B:\n    w = size\n"
    )

    assert set(found) == {"A.x", "size", "B.y", "B.z", "B.w"}
    assert ("os", "environ") in found["B.y"].origins


def test_what_a_test_chooses_is_taken_from_what_the_test_asks() -> None:
    found = taken(
        "import os, sys\nif os.environ.get('BIG', 'no'):\n    size = 10\n    far = os.getcwd()\n"
        "if sys.version < '3':\n    text = 1\nclass A:\n    if far:\n        b = 2\n"
    )

    assert set(found) == {"size", "far", "A.b"}
    assert (found["size"].chosen, found["size"].defaults) == (True, ())
    assert (found["far"].chosen, found["A.b"].chosen) == (False, True)


def test_a_call_is_made_of_what_the_function_and_those_that_it_calls_mention() -> None:
    read = "import os\ndef _read(name): return os.environ.get(name, 'dev')\n"
    load = "class Settings:\n    def __init__(self): self.mode = _read('MODE')\n"
    load += "    def load(self): return self.mode\n    def other(self): return 3\n"

    found = taken(
        f"{read}{load}A = _read('X')\nB = Settings()\nC = B.load()\nclass D: a = _read('Y')"
    )

    assert set(found) == {"A", "B", "C", "D.a"}
    assert all(("os", "environ") in each.origins for each in found.values())
    assert found["A"].defaults == ("dev",)


def test_what_a_function_that_is_not_called_mentions_counts_for_nothing() -> None:
    load = "import os\ndef _read(name): return os.environ.get(name)\n"
    config = "class Config:\n    size = 3\n    token = _read('T')\n"
    config += "    def load(self): return _read('X')\n"

    found = taken(f"{load}{config}SIZE = Config.size\nONE = int('1')\nC = Config\n")

    assert set(found) == {"Config.token"}


@pytest.mark.parametrize(
    "store",
    [
        "TABLE['a'] = os.environ['A']",
        "TABLE.update(os.environ)",
        "TABLE['a'] += os.environ['A']",
        "if os.environ.get('A'):\n    TABLE['a'] = 3",
    ],
)
def test_what_the_import_puts_into_a_table_counts_for_it(store: str) -> None:
    assert ("os", "environ") in taken(f"import os\nTABLE = {{}}\n{store}\n")["TABLE"].origins


@pytest.mark.parametrize(
    "store",
    [
        "Config.limit = int(os.environ['A'])",
        "setattr(Config, 'limit', os.environ['A'])",
        "for name in ('limit',):\n    setattr(Config, name, os.environ[name])",
    ],
)
def test_what_the_import_stores_on_a_class_counts_for_its_attribute(store: str) -> None:
    found = taken(f"import os\nclass Config:\n    limit = 3\n{store}\n")

    assert ("os", "environ") in found["Config.limit"].origins


def test_what_another_module_mentions_is_told_by_the_names_of_this_one() -> None:
    text = "import os\nfrom . import other\nTOKEN = os.getenv('T')\nload = lambda: other.read()\n"
    tree = ast.parse(f"{text}class C:\n    def __init__(self): self.token = TOKEN\n")
    known = taken(text)
    modules, imported = {"os": "os"}, {"other": ("", "other")}

    def found(name: str) -> frozenset[tuple[str, str]]:
        return origins_of(name, tree, known, modules, imported)

    assert ("os", "getenv") in found("TOKEN")
    assert ("", "other.read") in found("load")
    assert ("os", "getenv") in found("C()")
    assert found("C") == frozenset()
    assert found("other.read") == {("", "other.read")}


def test_the_choices_of_a_name_are_told_where_it_is_bound_to_constants_only() -> None:
    found = taken(
        "import os\n"
        "if os.environ.get('BIG'):\n    size = 10\n    far = 1\n    near = 2\n    one, two = 3, 4\n"
        "else:\n    size = None\n    far = len('abc')\n    near = 5\nsize = '10'\nnear += 1\n"
    )

    assert set(found["size"].choices) == {10, None, "10"}
    assert found["far"].choices == found["near"].choices == found["one"].choices == ()


SETTINGS = """
import os
class Settings:
    def get(self, name): return os.environ.get(name)
    def items(self): return os.environ.items()
CODES = {"a": 1}
settings = Settings()
"""


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ('CODES.get("a", 5)', set()),
        ("{k for k, _ in CODES.items()}", set()),
        ('{"a": 1}.get("a")', set()),
        ('settings.get("a")', {"LIMIT"}),
        ("dict(settings.items())", {"LIMIT"}),
        ('CODES["a"].get("a")', {"LIMIT"}),
    ],
)
def test_methods_of_tables_as_they_are_written_are_those_of_dicts(
    value: str, names: set[str]
) -> None:
    assert set(taken(f"{SETTINGS}LIMIT = {value}\n")) == names


def test_a_name_that_is_also_something_else_is_no_table() -> None:
    later = "def change(given):\n    global CODES\n    CODES = given\n"

    assert set(taken(f'{SETTINGS}{later}LIMIT = CODES.get("a")\n')) == {"LIMIT"}


def test_what_many_names_are_made_of_by_one_chain_of_calls_is_read_once() -> None:
    many = 2000
    chain = "".join([f"def f{each}(): return f{each + 1}()\n" for each in range(many)])
    names = "".join([f"A{each} = f0()\n" for each in range(many)])

    found = taken(f"import os\n{chain}def f{many}(): return os.environ['A']\n{names}")

    assert len(found) == many


DECORATORS = {
    "it asks": ("@on", "def on(fn):\n    return fn if os.getenv('A') else None", True),
    "what it calls asks": (
        "@on",
        "def on(fn):\n    def pick(): return os.getenv('A')\n    return fn if pick() else None",
        True,
    ),
    "its result asks": ("@on()", "def on():\n    return lambda fn: fn or os.getenv('A')", True),
    "its argument asks": ("@on(os.getenv('A'))", "def on(a): return lambda fn: fn", True),
    "a class asks": (
        "@on(1)",
        "class on:\n    def __init__(self, a): pass\n"
        "    def __call__(self, fn): return fn if os.getenv('A') else None",
        True,
    ),
    "what it makes asks": (
        "@on",
        "def on(fn):\n    def made(): return fn(os.getenv('A'))\n    return made",
        False,
    ),
    "what the result makes asks": (
        "@on(1)",
        "def on(a):\n    def put(fn):\n        return lambda: os.getenv('A')\n    return put",
        False,
    ),
}


@pytest.mark.parametrize("how", DECORATORS)
def test_a_decorated_function_is_made_of_what_its_decorator_asks(how: str) -> None:
    decorator, text, asks = DECORATORS[how]
    function = f"{decorator}\ndef g(): pass\n"
    method = f"class C:\n    {decorator}\n    def g(self): pass\n"

    found = taken(f"import os\n{text}\n{function}{method}")

    assert [("os", "getenv") in found[e].origins for e in ("g", "C.g") if e in found] == [True] * (
        2 * asks
    )


def test_a_class_is_made_of_what_it_extends() -> None:
    text = "import os\nBase = A if os.getenv('A') else B\nclass C(Base): pass\nclass D(C): pass\n"

    found = taken(f"{text}class E(A): pass\n")

    assert set(found) == {"Base", "C", "D"}


def test_what_stands_behind_a_name_is_followed_through_modules(tmp_path: Path) -> None:
    text = "import os\ndef on(fn): return fn if os.getenv('A') else None\nTOKEN = os.getcwd()\n"
    config = ModuleType("shop.config")
    config.__file__ = str(tmp_path / "config.py")
    Path(config.__file__).write_text(text)
    known = Collector(Scopes(ast.parse(text), text, "config.py"), "config.py", []).facts

    def behind(user: str, name: str) -> set[tuple[str, str]]:
        facts_of = {config.__file__: known}.get
        return set(
            origins_behind(taken(user)[name], [config], lambda f: facts_of(f) or ModuleFacts(f))
        )

    assert ("os", "getcwd") in behind("from .config import TOKEN\nA = TOKEN\n", "A")
    assert ("os", "getenv") in behind("from .config import on\n@on\ndef g(): pass\n", "g")
    assert ("os", "getenv") in behind("from . import config\n@config.on\ndef g(): pass\n", "g")
