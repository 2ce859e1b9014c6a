"""The examples that a docstring shows (`>>> half(4)`), run confined: a wrong one is a failure."""

from __future__ import annotations

import ast
import configparser
import contextlib
import doctest
import tomllib
from pathlib import Path

from symcrete.explore.findings import FoundInput
from symcrete.explore.options import Options
from symcrete.oracle import docstring_run
from symcrete.oracle.explored import alone
from symcrete.oracle.joint import imported_as, written
from symcrete.oracle.subjects import node_of
from symcrete.oracle.verdicts import WrongExample
from symcrete.program.source.target import Target
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

_TEXT = """\

{imports}
from joint_docstring_run import wrong_examples


def examples():
    return wrong_examples(first_module, {text!r}, {flags!r})
"""
_FLAGS = "doctest_optionflags"  # what pytest calls them
_INI_FILES = (("pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"))


@dataclass(frozen=True, slots=True)
class ShownExamples:
    """What became of the examples of a function."""

    wrong: tuple[WrongExample, ...] = ()
    doubtful: str = ""  # why it is not known whether they are right


def run_examples(target: Target, folder: Path, options: Options) -> ShownExamples:
    """Run the examples in the docstring of a function, with those of its class where it is the
    constructor; the program that does so is written into the folder.
    """
    found: list[WrongExample] = []
    for number, (text, line) in enumerate(_docstrings(target)):
        try:
            if not doctest.DocTestParser().get_examples(text):
                continue
        except ValueError as error:
            return ShownExamples(doubtful=f"its examples cannot be read: {error}")
        called = _TEXT.format(
            imports=imported_as(target, "first_module"), text=text, flags=_flags(target.source.root)
        )
        source = written(folder / f"shown{number}", called, (), (target,), (docstring_run,))
        running = Target(source, "examples", f"examples of {target.label}")
        (did,) = alone(running, [FoundInput({}, Ending.RETURNED, None, None, (), "")], options)
        if did is None or did.outcome != Ending.RETURNED or did.returned is None:
            why = f": {did.reason or did.raised or did.outcome}" if did is not None else ""
            return ShownExamples(doubtful=f"its examples could not be run{why}")
        for at, shown, expected, got in ast.literal_eval(did.returned):
            found.append(WrongExample(line + at, shown.strip(), expected.strip(), got.strip()))
    return ShownExamples(tuple(found))


def _docstrings(target: Target) -> list[tuple[str, int]]:
    """The docstrings that show examples, each with its line: that of a function, and of its class
    if it is the constructor.
    """
    owner, _, name = target.scope.rpartition(".")
    nodes: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = []
    if name == "__init__":
        every = ast.walk(target.source.tree())
        nodes += [n for n in every if isinstance(n, ast.ClassDef) and n.name == owner]
    own = node_of(target)
    nodes += [own] if own is not None else []
    found = []
    for node in nodes:
        match node.body[:1]:
            case [ast.Expr(value=ast.Constant(value=str() as text, lineno=line))] if ">>>" in text:
                found.append((text, line))
            case _:
                pass
    return found


def _flags(root: Path) -> tuple[str, ...]:
    """The names of doctest's options (`ELLIPSIS`, ...) that the project has set for pytest."""
    for place in (root, *root.parents):
        with contextlib.suppress(OSError, ValueError):
            table = tomllib.loads((place / "pyproject.toml").read_text(encoding="utf-8"))
            given = table.get("tool", {}).get("pytest", {}).get("ini_options", {}).get(_FLAGS)
            if given is not None:
                return tuple(given.split() if isinstance(given, str) else given)
        for name, section in _INI_FILES:
            parser = configparser.ConfigParser(interpolation=None)
            with contextlib.suppress(OSError, configparser.Error, UnicodeDecodeError):
                parser.read(place / name, encoding="utf-8")
                if parser.has_option(section, _FLAGS):
                    return tuple(parser.get(section, _FLAGS).split())
    return ()
