"""The program that calls two functions is written beside copies of ours, and is one target."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from symcrete.oracle.joint import joint_target, libraries
from symcrete.program.source.target import targets_of

PROGRAM = "def one(x: int) -> int:\n    return x + 1\ndef two(x: int) -> int:\n    return 1 + x\n"


@pytest.mark.parametrize("name", ["shop", "my-shop", "2nd"])
def test_the_joint_program_runs_without_the_engine(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(PROGRAM)
    (one,), (two,) = targets_of(f"{file}::one"), targets_of(f"{file}::two")

    joint = joint_target(one, two, tmp_path / "joint")
    code = f"import sys; sys.path[:0] = {joint.source.path}; import joint_program\n"
    code += "print(joint_program.compare(3), [n for n in sys.modules if 'symcrete' in n])"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)

    assert done.stdout == "same []\n", done.stderr
    assert [each.scope for each in joint.subjects] == ["one", "two"]
    assert joint.source.beside == (tmp_path,)


def test_functions_of_installed_packages_are_named_to_be_rewritten(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(PROGRAM)

    assert libraries([*targets_of(f"{file}::one"), *targets_of("textwrap:dedent")]) == ("textwrap",)


def test_a_function_that_hides_its_module_is_found(tmp_path: Path) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("from .one import one\n")
    (package / "one.py").write_text(PROGRAM)
    (one,), (two,) = [targets_of(f"{package / 'one.py'}::{each}") for each in ("one", "two")]

    joint = joint_target(one, two, tmp_path / "joint")
    path = [*joint.source.path, str(tmp_path)]
    code = f"import sys; sys.path[:0] = {path}; import joint_program\n"
    code += "print(joint_program.compare(3))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)

    assert done.stdout == "same\n", done.stderr
