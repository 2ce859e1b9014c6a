"""The reference has every reason for an open branch, every key and every status there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from symcrete.cli import main, parser
from symcrete.explore.cover import open_reasons, recount
from symcrete.explore.loop.loop import NONE_OF_THE_TYPE
from symcrete.explore.options import option_names
from symcrete.sandbox.driver import rounds
from symcrete.shell.help_texts import EXAMPLES
from symcrete.solve.wrappers import apart, hopes
from symcrete.user import OF_PROJECTS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "symcrete"
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
SHORTEST = 10  # letters before the first value: shorter beginnings are names of solvers
STATUSES = ("complete", "covered", "budget", "failed")
OUTCOMES = ("returned", "raised", "timeout", "crashed", "blocked", "flaky")
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


@pytest.mark.parametrize("key", sorted({*option_names(), *OF_PROJECTS}))
def test_a_key_of_the_configuration_is_in_the_reference(key: str) -> None:
    keys = REFERENCE.partition("## `[tool.symcrete]`")[2]

    assert f"`{key.replace('_', '-')}`" in keys


@pytest.mark.parametrize("word", [*STATUSES, *OUTCOMES])
def test_a_word_of_the_json_is_in_the_reference(word: str) -> None:
    assert f"`{word}`" in REFERENCE


def test_every_command_has_examples_in_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    listed = next(each for each in parser()._actions if each.dest == "command")

    assert listed.choices
    assert {f"symcrete {name}" for name in listed.choices} <= EXAMPLES.keys()
    assert main(["graph", "--help"]) == 0
    assert "examples:" in capsys.readouterr().out
