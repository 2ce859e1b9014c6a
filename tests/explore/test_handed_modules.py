"""A module of the program that is used as a value keeps proofs away."""

import ast
from pathlib import Path

import pytest

from symcrete.explore.compose import prepare
from symcrete.explore.options import Options
from symcrete.explore.proof.changing import handed_on, modules_handed_on
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

SETTINGS = "LIMIT = 5\ndef set_limit(n: int) -> None:\n    global LIMIT\n    LIMIT = n\n"


@pytest.mark.parametrize(
    "body",
    [
        "s = settings",
        "helper(settings)",
        "getattr(settings, 'LIMIT')",
        "vars(settings)",
        "settings.__dict__",
    ],
)
def test_a_name_that_is_used_by_itself_is_handed_on(body: str) -> None:
    tree = ast.parse(f"def f(n):\n    {body}\n")

    assert [each.id for each in handed_on(tree, {"settings"})] == ["settings"]


@pytest.mark.parametrize("body", ["settings.LIMIT", "settings = 3; print(settings)", "other"])
def test_attributes_of_a_module_and_other_names_are_not(body: str) -> None:
    assert handed_on(ast.parse(f"def f(n):\n    {body}\n"), {"settings"}) == []


@pytest.mark.parametrize(("used", "count"), [("get(settings)", 1), ("settings.LIMIT", 0)])
def test_places_that_hand_a_module_of_the_program_on_are_told(
    used: str, count: int, tmp_path: Path
) -> None:
    package = f"shop{count}"  # a package is imported only once
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("")
    (tmp_path / package / "settings.py").write_text(SETTINGS)
    file = tmp_path / package / "main.py"
    file.write_text(
        f"from {package} import settings\n\n\ndef get(module):\n    return module.LIMIT\n\n\n"
        f"def f(n: int) -> int:\n    return 1 if {used} == 7 else 0\n"
    )
    made, _ = prepare(targets_of(f"{file}::f")[0], EveryBranch(), Options(budget=1.0, replay=False))

    assert len(list(modules_handed_on(made.parts))) == count
