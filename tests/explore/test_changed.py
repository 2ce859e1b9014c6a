"""Which functions a diff touches: their text, what they mention, and who calls them."""

import subprocess
from pathlib import Path

import pytest

from symcrete.errors import BadOption
from symcrete.explore.project.changed import Changed
from symcrete.program.source.target import targets_of

SHOP = """\
LIMIT = 3

def price(n: int) -> int:
    return tax(n) if n > LIMIT else n

def tax(n: int) -> int:
    return n * 2

def unrelated(n: int) -> int:
    return n

class Cart:
    size = 4

    def total(self) -> int:
        return price(self.size)
"""


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def touched(folder: Path, file: str = "shop.py", revision: str = "HEAD") -> set[str]:
    changed = Changed(revision, folder)
    return {target.scope for target in targets_of(str(folder / file)) if changed.touches(target)}


@pytest.mark.parametrize(
    ("old", "new", "scopes"),
    [
        ("n * 2", "n * 3", {"tax", "price"}),
        ("    return n\n\nclass", "    return n + 1\n\nclass", {"unrelated"}),
        ("LIMIT = 3", "LIMIT = 4", {"price"}),
        ("size = 4", "size = 5", {"Cart.total"}),
        ("LIMIT = 3\n", "", {"price"}),
        ("def tax(n: int) -> int:\n    return n * 2\n", "", {"price"}),
        ("def tax", "# a comment\n\n\ndef tax", set()),
    ],
)
def test_a_diff_touches_what_differs_and_who_mentions_it(
    shop: Path, old: str, new: str, scopes: set[str]
) -> None:
    (shop / "shop.py").write_text(SHOP.replace(old, new))

    assert touched(shop) == scopes


def test_untracked_files_are_new_and_deleted_ones_are_gone(shop: Path) -> None:
    (shop / "new.py").write_text("def fresh(n: int) -> int:\n    return n\n")

    assert touched(shop, "new.py") == {"fresh"}
    (shop / "new.py").unlink()
    assert touched(shop) == set()


def test_a_revision_that_is_none_is_a_mistake(shop: Path) -> None:
    with pytest.raises(BadOption, match="--changed"):
        Changed("no-such-revision", shop)
