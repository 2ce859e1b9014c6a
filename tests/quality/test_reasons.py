"""Every reason for an open branch that the program can give is in the reference."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from symcrete.explore.cover import open_reasons, recount
from symcrete.explore.loop.loop import NONE_OF_THE_TYPE
from symcrete.sandbox.driver import rounds
from symcrete.solve.wrappers import apart, hopes

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "symcrete"
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
SHORTEST = 10  # letters before the first value: shorter beginnings are names of solvers
# Modules whose sentences are what a condition depends on.
DEPENDING = ("changing.py", "told_call.py", "object_state.py")


def beginning(node: ast.expr) -> str:
    """The words of a text before its first value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp):
        return beginning(node.left)
    if isinstance(node, ast.JoinedStr) and node.values:
        return beginning(node.values[0])
    return ""


def answers_of_solvers() -> Iterator[str]:
    """What is said where a solver has no answer."""
    for file in [*SOURCE.glob("solve/**/*.py"), *SOURCE.glob("explore/loop/*.py")]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Unknown":
                yield beginning(node.args[0])


def returned_by(module: str) -> Iterator[str]:
    """The texts that functions of a module return."""
    for node in ast.walk(ast.parse(Path(module).read_text())):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from map(beginning, alternatives(node.value))


def alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp):
        return [each for value in node.values for each in alternatives(value)]
    if isinstance(node, ast.IfExp):
        return [*alternatives(node.body), *alternatives(node.orelse)]
    return [node]


def sentences() -> set[str]:
    found = {recount.UNCONFIRMED, recount.REFUTED, recount.TOO_LATE, recount.UNWRITTEN}
    found |= {rounds.SPENT, NONE_OF_THE_TYPE, hopes.BEYOND, apart.NEVER_BACK}
    found |= set(answers_of_solvers()) | set(returned_by(str(open_reasons.__file__)))
    for name in DEPENDING:
        texts = returned_by(str(SOURCE / "explore" / "proof" / name))
        found |= {each for each in texts if each.startswith("depends on")}
    return {each.rstrip("`'(\" ") for each in found if len(each) >= SHORTEST and each[0] != ";"}


@pytest.mark.parametrize("sentence", sorted(sentences()))
def test_a_reason_is_in_the_reference(sentence: str) -> None:
    assert sentence in re.sub(r"\s+", " ", REFERENCE)


def test_there_are_reasons_to_look_for() -> None:
    assert len(sentences()) > 20
