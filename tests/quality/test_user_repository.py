"""A user's repository from end to end, by the commands that one types, judged by coverage.py.

Its tests cover 60 % of the branches; one branch cannot be taken. Then a function is edited, a fault
is seeded, promises are broken, and the recipe for continuous integration is run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.limits import allowed

from symcrete.report.page.before_after import Earlier, Share

CART = '''"""What a cart costs."""


def discount(total: int, code: str) -> int:
    """Per cent off."""
    if total < 0:
        raise ValueError("negative total")
    if code == "SUMMER":
        return 20 if total > 5000 else 10
    if code.startswith("VIP-") and len(code) == 8:
        return 30
    return 0


def shipping(weight: int, express: bool) -> int:
    """In cents."""
    cost = 300
    if weight > 2000:
        cost += 450
    if express:
        cost *= 2
    if cost < 300:
        return 0
    return cost
'''
TESTS = """from cart import discount, shipping


def test_discount():
    assert discount(100, "") == 0
    assert discount(100, "SUMMER") == 10


def test_shipping():
    assert shipping(10, False) == 300
"""
PROMISES = '''def half(n: int) -> int:
    """
    post: __return__ * 2 == n
    """
    return n // 2


def share(total: int, people: int) -> int:
    return total // people


def grade(points: int) -> str:
    assert points != 137, "nobody has that many"
    return "pass" if points >= 50 else "fail"
'''


class Repository:
    """A folder with commands run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("src/cart.py", CART)
        self.write("tests/test_cart.py", TESTS)
        self.write(
            "pyproject.toml",
            '[tool.pytest.ini_options]\npythonpath = ["src"]\n\n[tool.coverage.run]\nbranch = true\nsource = ["src"]\n',
        )
        self.write(".gitignore", ".symcrete\n.coverage\n__pycache__\n.pytest_cache\n")
        self.run("git init -q -b main . && git add -A && git commit -qm first")

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, command: str, expect: int = 0, **more: str) -> str:
        """Run a command line as a shell does, and return what it prints."""
        binaries = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        who = {"GIT_AUTHOR_NAME": "u", "GIT_AUTHOR_EMAIL": "u@e", "GIT_COMMITTER_NAME": "u"}
        env = {**os.environ, **who, "GIT_COMMITTER_EMAIL": "u@e", "PATH": binaries, **more}
        env.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=env, capture_output=True, text=True
        )
        assert done.returncode == expect, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def measured(self) -> dict[str, int]:
        """Branches that coverage.py counts, and those that the tests cover."""
        self.run("python -m coverage run -m pytest -q -p no:cacheprovider tests")
        self.run("python -m coverage json -q -o .symcrete/coverage.json")
        totals = json.loads((self.folder / ".symcrete/coverage.json").read_text())["totals"]
        return {"all": totals["num_branches"], "covered": totals["covered_branches"]}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    (tmp_path / ".symcrete").mkdir()
    return Repository(tmp_path)


def test_one_command_raises_coverage_to_what_is_feasible(repository: Repository) -> None:
    before = repository.measured()

    repository.run(f"symcrete cover src --coverage .coverage -o tests --budget {allowed(10):g}s")
    after = repository.measured()
    page = repository.run("symcrete report --emit html -o page.html --force") or (
        repository.folder / "page.html"
    ).read_text(encoding="utf-8")

    assert 0.55 <= before["covered"] / before["all"] <= 0.65
    assert before["all"] - after["covered"] == 1  # `cost < 300` cannot be
    assert ">before</th>" in page
    assert f"{before['all']}" in page


def test_an_edited_function_is_covered_again_and_only_that(repository: Repository) -> None:
    repository.run(f"symcrete cover src -o tests --budget {allowed(10):g}s")
    repository.run("git add -A && git commit -qm tests")
    repository.write("src/cart.py", CART.replace("if express:", "if express and weight != 777:"))

    told = json.loads(
        repository.run(f"symcrete cover src --changed HEAD --json --budget {allowed(10):g}s")
    )

    assert [each["target"] for each in told["targets"]] == ["src/cart.py::shipping"]
    weights = [each["args"]["weight"] for each in told["targets"][0]["inputs"]]
    assert "777" in weights


def test_a_seeded_fault_shows_as_a_difference(repository: Repository) -> None:
    repository.write("src/cart.py", CART.replace("total > 5000", "total >= 5000"))

    told = repository.run(
        f"symcrete diff src/cart.py::discount --rev HEAD --budget {allowed(10):g}s --json", expect=1
    )

    (difference, *_) = json.loads(told)["differences"]
    assert difference["args"] == {"total": "5000", "code": '"SUMMER"'}


def test_three_broken_promises_are_found(repository: Repository) -> None:
    repository.write("src/promises.py", PROMISES)

    told = json.loads(
        repository.run(f"symcrete check src/promises.py --json --budget {allowed(10):g}s", expect=1)
    )

    kinds = {each["target"]: each["failures"][0]["kind"] for each in told["targets"]}
    assert kinds == {
        "src/promises.py::half": "contract",
        "src/promises.py::share": "exception",
        "src/promises.py::grade": "assert",
    }


def test_the_recipe_for_continuous_integration_is_green(repository: Repository) -> None:
    repository.run("symcrete init")
    recipe = (repository.folder / ".github/workflows/symcrete.yml").read_text()
    folded = re.findall(r"run: >-\n((?: {10}.*\n)+)", recipe)
    repository.run("git add -A && git commit -qm recipe && git branch origin/main HEAD~1")
    repository.write("src/cart.py", CART.replace("2000", "2001"))

    for step in folded:
        told = repository.run(" ".join(step.split()), BASE="origin/main")

    assert len(folded) == 1
    assert "::notice" in told or "src/cart.py" in told


def test_shares_of_several_functions_are_one() -> None:
    known = Earlier({"a": Share(1, 2, 4), "b": Share(2, 3, 3)})

    assert sum(known.shares.values(), Share(0, 0, 0)) == Share(3, 5, 7)
    assert known.of([]) is None
