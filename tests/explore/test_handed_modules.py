"""Modules of the program that are used as values, and built-in functions that may be replaced, keep
proofs away.
"""

import ast
from pathlib import Path

import pytest

from symcrete.explore.compose import prepare
from symcrete.explore.options import Options
from symcrete.explore.proof.changing import handed_on, modules_handed_on, replaced_built_ins
from symcrete.explore.wanted import EveryBranch
from symcrete.oracle.judged import judging_target
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


@pytest.mark.parametrize(
    ("used", "count"), [("get(settings)", 1), ("settings.LIMIT", 0), ("KEPT[0].LIMIT", 2)]
)
def test_places_that_hand_a_module_of_the_program_on_are_told(
    used: str, count: int, tmp_path: Path
) -> None:
    package = f"shop{count}"  # a package is imported only once
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("")
    (tmp_path / package / "settings.py").write_text(SETTINGS)
    file = tmp_path / package / "main.py"
    file.write_text(
        f"from {package} import settings\n\n{'KEPT = [settings, settings]' if count == 2 else ''}\n\ndef get(module):\n    return module.LIMIT\n\n\n"
        f"def f(n: int) -> int:\n    return 1 if {used} == 7 else 0\n"
    )
    made, _ = prepare(targets_of(f"{file}::f")[0], EveryBranch(), Options(budget=1.0, replay=False))

    assert len(list(modules_handed_on(made.parts))) == count


@pytest.mark.parametrize(
    ("before", "count"),
    [
        ("import builtins\ndef g():\n    builtins.abs = len", 1),
        ("import builtins as b\ndef g():\n    setattr(b, 'abs', len)", 1),
        ("import builtins\ndef g():\n    return builtins.abs(3)", 0),
        ("def g(x):\n    x.abs = len", 0),
    ],
)
def test_places_that_may_replace_built_in_functions_are_told(
    before: str, count: int, tmp_path: Path
) -> None:
    file = tmp_path / "replacing.py"
    file.write_text(f"{before}\n\n\ndef f(n: int) -> int:\n    return 1 if abs(n) < 0 else 0\n")
    made, _ = prepare(targets_of(f"{file}::f")[0], EveryBranch(), Options(budget=1.0, replay=False))

    assert len(list(replaced_built_ins(made.parts))) == count


def test_a_program_of_ours_that_takes_a_function_out_of_its_module_hands_nothing_on(
    tmp_path: Path,
) -> None:
    file = tmp_path / "judged_twice.py"
    file.write_text("def f(n: int) -> int:\n    return n\n")
    (target,) = targets_of(f"{file}::f")
    judging = judging_target(target, tmp_path / "judging", (), ())
    made, _ = prepare(judging, EveryBranch(), Options(budget=1.0, replay=False))

    assert list(modules_handed_on(made.parts)) == []
