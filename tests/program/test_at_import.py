"""Names that an import made of something of another module."""

import ast

from symcrete.program.state.at_import import Taken
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

    assert found["LIVE"].origins == {("os", "getenv")}


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
