"""After `imports` and its `setup` every input of a report means the class that it was found with."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcrete.explore.findings import FoundInput, import_lines, own_imports
from symcrete.run.untouched.played import Situated
from symcrete.run.use import Ending

SHOP = """
import stock

class Item:
    def __init__(self, price: int) -> None:
        self.price = price

def both(a: Item, b: "stock.Item") -> int:
    return 1 if a.price > 3 and b.count > 4 else 0

def either(a: "Item | stock.Item") -> "Item | stock.Item":
    if isinstance(a, stock.Item):
        return a if a.count == 5 else Item(a.count)
    return stock.Item(a.price)
"""
STOCK = """
class Item:
    def __init__(self, count: int) -> None:
        self.count = count

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)
"""
CHECK = """
import json, sys
sys.path.insert(0, ".")
for target in json.load(open("found.json"))["targets"]:
    for found in target["inputs"]:
        names = {}
        exec("\\n".join([*target["imports"], *found["setup"], f"from shop import {sys.argv[1]}"]), names)
        given = [eval(text, names) for text in found["args"].values()]
        assert eval(found["returned"], names) == names[sys.argv[1]](*given), found
"""


def found(*imports: tuple[str, str]) -> FoundInput:
    return FoundInput({"a": "Item(0)"}, Ending.RETURNED, "0", None, (), "", imports=imports)


def test_a_name_means_that_of_the_first_input_and_others_import_their_own() -> None:
    inputs = [found(("shop", "Item")), found(("stock", "Item")), found(("builtins", "int"))]

    assert import_lines(inputs) == ["from shop import Item"]
    assert own_imports(inputs) == [[], ["from stock import Item"], []]


def test_names_of_a_module_that_no_import_statement_takes_are_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my-shop.py").write_text(SHOP.replace("import stock", ""))
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {}

    exec("\n".join(import_lines([found(("my-shop", "Item"))])), names)

    assert names["Item"](3).price == 3


def test_names_that_a_situation_mentions_are_imported_too() -> None:
    line = 'from props import RA\nmonkeypatch.setattr("props.Reg.all", {"a": RA})'
    situated = Situated("props.Reg.all", '{"a": RA}', line)
    other = Situated("os.environ['A']", '"x"', 'monkeypatch.setenv("A", "x")')
    given = replace(found(("shop", "Item")), situation=(situated, other))

    assert import_lines([given]) == ["from props import RA", "from shop import Item"]


def test_inputs_of_one_text_and_two_classes_are_two_inputs() -> None:
    assert found(("shop", "Item")).key != found(("stock", "Item")).key
    assert found(("shop", "Item")).key == found(("shop", "Item"), ("stock", "Other")).key


def test_expressions_of_a_report_evaluate_to_what_they_stand_for(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "stock.py").write_text(STOCK)
    command = [sys.executable, "-m", "symcrete", "cover", "shop.py::both", "--json", "--no-journal"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    (tmp_path / "found.json").write_text(done.stdout)

    checked = subprocess.run(
        [sys.executable, "-c", CHECK, "both"], cwd=tmp_path, capture_output=True, text=True
    )

    (target,) = json.loads(done.stdout)["targets"]
    assert target["conditions"]["open"] == 0
    assert checked.returncode == 0, checked.stderr


def test_modules_beside_the_program_are_imported_after_the_path_is_set(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "stock.py").write_text(STOCK)
    command = [sys.executable, "-m", "symcrete", "cover", "shop.py::either", "-o", "t"]
    done = subprocess.run(
        [*command, "--json", "--no-journal"], cwd=tmp_path, capture_output=True, text=True
    )
    (target,) = json.loads(done.stdout)["targets"]
    text = (tmp_path / "t" / "test_shop.py").read_text()

    assert not [each["untested"] for each in target["inputs"] if "untested" in each]
    assert text.index("sys.path") < text.index("from stock import")
