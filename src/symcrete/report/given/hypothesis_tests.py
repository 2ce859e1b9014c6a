"""Find the Hypothesis tests of a project that call a function with what they are given."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from symcrete.program.source.module import is_library, parsed
from symcrete.slotted import dataclass

_ROOT_FILES = ("pyproject.toml", "setup.cfg", "setup.py", ".git")
_NO_TESTS = ("node_modules", "build", "dist", "site-packages")
MOST_TEST_FILES = 2000  # of a project that are looked at; chosen, not measured


@dataclass(frozen=True, slots=True)
class GivenTest:
    """A test with `@given` that calls a function of the program with what it is given."""

    file: Path
    name: str
    line: int  # the last one of its decorator `given`
    indent: int
    passes: tuple[tuple[str, str], ...]  # parameter of the function, parameter of the test
    shown: tuple[str, ...]  # the examples that it has, as `a=1, b=2` in the order of its parameters


def given_tests(root: Path, function: str, parameters: tuple[str, ...]) -> Iterator[GivenTest]:
    """The Hypothesis tests in the project around a folder that pass each value they are given,
    unchanged, to the function: an input of the function is then an example of the test. Nothing for
    a folder of Python itself or of an installed package.
    """
    if is_library(root / "x"):
        return
    for file in _test_files(_project_of(root)):
        try:
            text = file.read_text(encoding="utf-8")
            if "hypothesis" not in text or function.rpartition(".")[2] not in text:
                continue
            tree = parsed(str(file))
        except (OSError, SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                found = _as_given(file, node, function, parameters)
                if found is not None:
                    yield found


def _project_of(folder: Path) -> Path:
    """The nearest folder above that is set up as a project; the folder itself if none is."""
    for place in (folder, *folder.parents):
        if any((place / name).exists() for name in _ROOT_FILES):
            return place
    return folder


def _test_files(folder: Path) -> Iterator[Path]:
    seen = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(
            [
                each
                for each in folders
                if not each.startswith((".", "venv", "__")) and each not in _NO_TESTS
            ]
        )
        for name in sorted(files):
            if name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py")):
                seen += 1
                if seen > MOST_TEST_FILES:
                    return
                yield Path(place) / name


def _as_given(
    file: Path, node: ast.FunctionDef, function: str, parameters: tuple[str, ...]
) -> GivenTest | None:
    """The test, if it passes every value that it is given to the function; else None."""
    given = next((d for d in node.decorator_list if _is_call_of(d, "given")), None)
    taken = [each.arg for each in node.args.args]
    if not isinstance(given, ast.Call) or node.args.kwonlyargs or node.args.vararg:
        return None
    if len(given.args) + len(given.keywords) != len(taken):
        return None  # something else, a fixture, gives the others
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and _is_call_of(call, function.rpartition(".")[2]):
            passes = _passed(call, parameters)
            if passes is not None and sorted(test for _, test in passes) == sorted(taken):
                line = given.end_lineno or given.lineno
                shown = tuple([_shown(d, taken) for d in _examples(node)])
                return GivenTest(file, node.name, line, node.col_offset, passes, shown)
    return None


def _passed(call: ast.Call, parameters: tuple[str, ...]) -> tuple[tuple[str, str], ...] | None:
    """Which parameter gets which name; None where a call passes anything but names."""
    if len(call.args) > len(parameters):
        return None
    pairs = [*zip(parameters, call.args, strict=False)]
    pairs += [(each.arg or "", each.value) for each in call.keywords]
    if sorted(name for name, _ in pairs) != sorted(parameters):
        return None
    names = [(name, each.id) for name, each in pairs if isinstance(each, ast.Name)]
    return tuple(names) if len(names) == len(pairs) else None


def _examples(node: ast.FunctionDef) -> list[ast.Call]:
    return [d for d in node.decorator_list if isinstance(d, ast.Call) and _is_call_of(d, "example")]


def _shown(example: ast.Call, taken: list[str]) -> str:
    by_name = {**dict(zip(taken, example.args, strict=False))}
    by_name |= {each.arg or "": each.value for each in example.keywords}
    return ", ".join([f"{name}={ast.unparse(by_name[name])}" for name in taken if name in by_name])


def _is_call_of(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=called)) | ast.Call(func=ast.Attribute(attr=called)):
            return called == name
        case _:
            return False
