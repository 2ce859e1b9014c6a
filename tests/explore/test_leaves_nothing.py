"""After which targets a process is known to be as it was before."""

from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.explore import compose
from symcrete.explore.leaves_nothing import code_as_written, leaves_nothing
from symcrete.explore.loop.loop import Explored
from symcrete.explore.options import Options
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of


def left(folder: Path, program: str, scope: str = "f") -> bool:
    """Whether exploring a function of a program is known to leave nothing."""
    file = folder / "prog.py"
    file.write_text(program)
    (target,) = [each for each in targets_of(str(file)) if each.scope == scope]
    begun: list[Explored] = []
    options = replace(Options(), max_runs=6, replay=False)
    compose.cover(target, options, begin=begun.append)
    return all(each.parts.leaves_nothing for each in begun)


@pytest.mark.parametrize(
    "program",
    [
        "def f(x: int) -> int:\n    return 1 if x > 3 else 0\n",
        "LIMIT = 3\ndef g(x):\n    return x > LIMIT\ndef f(x: int) -> int:\n    return 1 if g(x) else 0\n",
        "def f(x: str | None, y: dict[str, list[int]], *more: float) -> int:\n"
        "    if x is None:\n        raise ValueError\n    return len(y) + sum(more) > 3\n",
        "def f(x: tuple[int, bytes], *, flag: bool) -> list[int]:\n"
        "    return [each for each in x[1] if each > x[0] and flag]\n",
    ],
)
def test_a_function_of_built_in_values_leaves_nothing(tmp_path: Path, program: str) -> None:
    assert left(tmp_path, program)


@pytest.mark.parametrize(
    "program",
    [
        "N = 0\ndef f(x: int) -> int:\n    global N\n    N += x\n    return N\n",
        "SEEN = []\ndef f(x: int) -> int:\n    if x > 3:\n        SEEN.append(x)\n    return 0\n",
        "SEEN = {}\ndef g(x):\n    SEEN[x] = 1\ndef f(x: int) -> int:\n    return g(x)\n",
        "def f(x: int) -> int:\n    f.n = x\n    return 0\n",
        "def f(x: int, seen=[]) -> int:\n    seen.append(x)\n    return 0\n",
        "import os\ndef f(x: int) -> int:\n    os.environ['A'] = str(x)\n    return 0\n",
        "class C:\n    n = 0\n    def up(self):\n        C.n += 1\n"
        "def f(x: C) -> int:\n    x.up()\n    return 0\n",
        "import functools\n@functools.lru_cache\ndef g(x):\n    return x\n"
        "def f(x: int) -> int:\n    return g(x)\n",
        "import datetime\ndef f(x: datetime.date) -> int:\n    return x.year\n",
        "def f(x) -> int:\n    return x.value\n",
        "def f(x: int) -> int:\n    import json\n    return x\n",
    ],
)
def test_a_function_in_doubt_is_not_said_to_leave_nothing(tmp_path: Path, program: str) -> None:
    assert not left(tmp_path, program)


def test_a_method_is_always_in_doubt(tmp_path: Path) -> None:
    program = "class C:\n    def m(self, x: int) -> int:\n        return 1 if x > 3 else 0\n"

    assert not left(tmp_path, program, "C.m")


def test_what_hooks_would_hide_is_seen_in_the_code_as_written(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text("def f(d: dict[str, int]) -> None:\n    d['a'] += 1\n")
    (target,) = targets_of(str(file))

    (code,) = code_as_written(target.source).values()

    assert code is not None
    assert code.co_names == ()


def test_of_two_functions_with_one_name_and_line_neither_is_known(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text("pair = (lambda x: x), (lambda x: pair.append(x))\ndef f(): pass\n")
    (target,) = [each for each in targets_of(str(file)) if each.scope == "f"]

    written = code_as_written(target.source)

    assert [code is None for (_, name, _), code in written.items() if name == "<lambda>"] == [True]


def test_what_reads_a_name_that_an_import_took_from_the_system_sees_more_than_its_arguments(
    tmp_path: Path,
) -> None:
    file = tmp_path / "prog.py"
    file.write_text("from sys import platform\ndef f(x: int) -> bool:\n    return platform > 'm'\n")
    (target,) = targets_of(str(file))
    exploration, _ = compose.prepare(target, EveryBranch(), Options(replay=False))
    parts = exploration.parts
    function = parts.runner.function

    assert leaves_nothing(target, function, parts.arguments)
    assert not leaves_nothing(target, function, parts.arguments, sees_nothing=True)
