"""Functions that are defined more than once under one name."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent
from typing import Any

from symcrete.program.source.definitions import lines_of_other_accessors, other_definitions
from symcrete.program.source.target import targets_of

PROPERTY = dedent(
    """
    class T:
        @property
        def far(self) -> int:
            return 1

        @far.setter
        def far(self, v: int) -> None:
            if v < 0:
                raise ValueError
    """
).lstrip()
TWICE = dedent(
    """
    def f() -> int:
        return 1

    def f() -> int:
        return 2
    """
).lstrip()


def test_the_lines_of_a_getter_and_its_setter_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "prop.py"
    file.write_text(PROPERTY, encoding="utf-8")

    found = {target.called: lines_of_other_accessors(target) for target in targets_of(str(file))}

    assert found == {"T.far": {6, 7, 8, 9}, "T.far.fset": {2, 3, 4}}


def test_of_two_definitions_the_one_that_is_not_called_is_named() -> None:
    names: dict[str, Any] = {}
    exec(compile(TWICE, "twice.py", "exec"), names)

    found = other_definitions(ast.parse(TWICE), "f", names["f"])

    assert found == {range(1, 3): "`f` means another definition, the one at line 4"}
    assert other_definitions(ast.parse("def f(): ..."), "f", names["f"]) == {}
