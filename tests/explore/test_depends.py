"""A result is the same while everything is that it may depend on; and not a moment longer."""

from pathlib import Path

import pytest

from symcrete.explore.project.depends import _files, depends_on
from symcrete.program.source.target import targets_of

SHOP = """\
import prices
LIMIT = 3
other = 1

def price(n: int) -> int:
    return tax(n) if n > LIMIT else prices.base(n)

def tax(n: int) -> int:
    return n * 2

def unrelated(n: int) -> int:
    return n

def set_limit(n: int) -> None:
    global LIMIT
    LIMIT = n

class Cart:
    def total(self) -> int:
        return price(self.count())

    def count(self) -> int:
        return 1
"""
PRICES = "def base(n: int) -> int:\n    return n\n\ndef unused() -> int:\n    return 0\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "prices.py").write_text(PRICES)
    return tmp_path


def keys(folder: Path) -> dict[str, str | None]:
    return {target.scope: depends_on(target) for target in targets_of(str(folder / "shop.py"))}


def edit(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / name
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new", "changed"),
    [
        ("shop.py", "return n * 2", "return n * 3", {"price", "tax", "Cart.total", "Cart.count"}),
        ("shop.py", "    return n\n\ndef set", "    return n + 1\n\ndef set", {"unrelated"}),
        ("prices.py", "return n", "return n + 1", {"price", "Cart.total", "Cart.count"}),
        ("prices.py", "return 0", "return 1", set()),
        ("shop.py", "return 1\n", "return 2\n", {"price", "Cart.total", "Cart.count"}),
        ("shop.py", "    LIMIT = n", "    LIMIT = n + 1", {"price", "set_limit", "Cart.total", "Cart.count"}),
    ],
)  # fmt: skip
def test_an_edit_changes_what_depends_on_it_and_nothing_else(
    shop: Path, name: str, old: str, new: str, changed: set[str]
) -> None:
    before = keys(shop)

    edit(shop, name, old, new)

    after = keys(shop)
    differing = {scope for scope in before if before[scope] != after[scope]}
    assert changed <= differing
    assert "unrelated" not in differing - changed
    assert bool(differing) == bool(changed)


def test_code_that_runs_at_import_is_everybodys(shop: Path) -> None:
    before = keys(shop)

    edit(shop, "shop.py", "other = 1", "other = 2")

    assert all(before[scope] != key for scope, key in keys(shop).items())


def test_a_comment_changes_nothing_but_a_line_more_moves_what_is_below(shop: Path) -> None:
    before = keys(shop)

    edit(shop, "shop.py", "return n * 2", "return n * 2  # doubled")
    commented = keys(shop)
    edit(shop, "shop.py", "def unrelated", "\ndef unrelated")
    moved = keys(shop)

    assert commented == before
    assert moved["price"] == before["price"]
    assert moved["unrelated"] != before["unrelated"]


@pytest.mark.parametrize(
    ("old", "new", "unknown"),
    [
        ("other = 1", "other = open('other.txt').read()", True),
        ("other = 1", "other = eval('1')", True),
        ("return n * 2", "return importlib.import_module('taxes').of(n)", True),
        ("return n * 2", "return int(open('tax.txt').read())", False),
        ("other = 1", "other = 'it is time to open it'", False),
        ("other = 1", "if __name__ == '__main__':\n    print(open('other.txt').read())", False),
        ("class Cart:", "class Cart:\n    size = int(os.environ['SIZE'])", True),
        ("import prices", "import prices, random, time", False),
    ],
)
def test_where_code_or_data_comes_in_unseen_nothing_tells_whether_a_result_holds(
    old: str, new: str, unknown: bool, shop: Path
) -> None:
    edit(shop, "shop.py", old, new)

    assert (keys(shop)["price"] is None) == unknown


def test_of_an_installed_target_only_its_own_package_is_read() -> None:
    source = targets_of("email.utils:unquote")[0].source

    files = _files(source)

    assert all("email" in file.parts for file in files)
    assert len(files) > 3
