"""The process that a user starts imports what it needs: no engine, no solver, no program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Of ours, `__init__` files counted: 105 for `reach`, which writes and tries its test, and fewer for
# the others; 201 when an annotation loaded the engine.
MOST_MODULES = 105
ENGINE = ("values", "instrument", "tree", "constraint", "solve", "backward", "world")
MAIN = """
import contextlib, io, sys
from symcrete.cli import main

with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(*sorted(sys.modules))
"""


def loaded(folder: Path, *arguments: str) -> list[str]:
    """The modules in the process that ran this command."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    "arguments",
    [
        ("cover", str(ROOT / "examples" / "gcd.py"), "--no-journal", "--max-runs", "5"),
        ("reach", f"{ROOT / 'examples' / 'gcd.py'}:8", "--max-runs", "20"),
        ("explain", f"{ROOT / 'examples' / 'gcd.py'}::gcd", "--input", "a=1, b=2"),
    ],
    ids=["cover", "reach", "explain"],
)
def test_the_driver_loads_neither_engine_nor_solver_nor_program(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    modules = loaded(tmp_path, *arguments)

    ours = [name.split(".") for name in modules if name.split(".")[0] == "symcrete"]
    assert [name for name in ours if len(name) > 1 and name[1] in ENGINE] == []
    assert len(ours) <= MOST_MODULES
    assert {"z3", "yices", "bitwuzla", "gcd"}.isdisjoint(modules)


@pytest.mark.parametrize("arguments", [("--help",), ("strategies",), ("--version",)])
def test_what_only_tells_about_symcrete_loads_no_engine(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    modules = loaded(tmp_path, *arguments)

    assert {"z3", "symcrete.solve.choose", "symcrete.search.strategy"}.isdisjoint(modules)


def test_the_engine_loads_no_solver_and_no_backward_search_before_they_are_needed() -> None:
    code = "import sys, symcrete.sandbox.worker.holding; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    modules = done.stdout.split()
    assert {"z3", "yices", "bitwuzla", "symcrete.explore.reach.quest"}.isdisjoint(modules)
    assert [name for name in modules if name.startswith("symcrete.backward.")] == []


def test_a_run_that_knows_every_result_starts_nothing_and_loads_no_driver(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def f(x: int) -> int:\n    return 1 if x > 3 else 0\n")
    command = ("cover", "one.py", "--max-runs", "20")

    first, second = loaded(tmp_path, *command), loaded(tmp_path, *command)

    assert "symcrete.sandbox.driver.driver" in first
    assert not {"symcrete.sandbox.driver.driver", "subprocess", "socket"} & set(second)
