"""The found inputs as pytest tests that a person would keep."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TextIO

from symcrete.explore.findings import Report, TargetReport
from symcrete.program.source.module import parsed
from symcrete.report.tests.cases import Asserting, TargetTests, WrittenTest
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import Bindings, Import, import_block
from symcrete.slotted import dataclass

_PATH = (Import("sys"), Import("pathlib", "Path"))  # what the lines that change the path use
# Names that code mentions if it reads standard input.
_STDIN = frozenset({"input", "stdin", "fileinput", "getpass"})

Left = Mapping[tuple[str, int], str]  # target and number of an input without a test, and why
_NONE_LEFT: Left = MappingProxyType({})
_EXACT = Asserting()


class PytestFile:
    """All tests of a report in one file, for whoever knows how to import the program.

    Inputs of which the report says that their tests do not hold (`kept.held`) have none.
    """

    def __init__(self, assertions: str = "exact") -> None:
        self._asserting = Asserting(assertions)

    def emit(self, report: Report, out: TextIO) -> None:
        left_out = {
            (target.target, number): found.untested
            for target in report.targets
            for number, found in enumerate(target.inputs)
            if found.untested
        }
        tests = tests_of(report.targets, Layout(), Bindings(), set(), left_out, self._asserting)
        if tests:
            modules = sorted({each.module for each in report.targets if each.inputs})
            out.write(
                Page(f"Tests of {', '.join(modules)}, found by Symcrete.", modules, tests).text()
            )


def tests_of(
    targets: Iterable[TargetReport],
    layout: Layout,
    bindings: Bindings,
    taken: set[str],
    left_out: Left = _NONE_LEFT,
    asserting: Asserting = _EXACT,
) -> list[WrittenTest]:
    """The tests of all targets; their names are added to `taken`. Raises `CannotWriteTests`, with
    the target, where an error of ours keeps the tests of one from being written.
    """
    tests: list[WrittenTest] = []
    for target in targets:
        if target.inputs and target.module:
            left = {
                number: why for (each, number), why in left_out.items() if each == target.target
            }
            stdin = reads_stdin(target.file, target.scope)
            writing = TargetTests(target, bindings, layout, left, taken, stdin, asserting)
            try:
                tests += writing.tests()
            except Exception as error:
                raise CannotWriteTests(target.target) from error
    return tests


class CannotWriteTests(Exception):
    """An error of ours while the tests of one target, which it names, were written."""


@dataclass(frozen=True, slots=True)
class Page:
    """One test file."""

    doc: str
    modules: Sequence[str]  # the program's own
    tests: Sequence[WrittenTest]
    roots: Sequence[str] = ()  # expressions for folders to be put on the path
    layout: Layout = field(default_factory=Layout)

    def text(self) -> str:
        imports = {each for test in self.tests for each in test.imports}
        lines = head(self.doc, imports, self.modules, self.roots, self.layout)
        for test in self.tests:
            lines += ["", "", *test.lines]
        return "\n".join(lines) + "\n"


def head(
    doc: str,
    imports: Iterable[Import],
    modules: Sequence[str],
    roots: Sequence[str],
    layout: Layout,
) -> list[str]:
    """What stands above the first test: a sentence, the imports, the path where it is needed."""
    wanted = [*imports, *(_PATH if roots else ())]
    library, others, own = import_block(wanted, modules, layout)
    path: list[str] = []
    for root in roots:
        path += layout.laid_out("sys.path.insert(", ["0", f"str({root})"], ")")
    shown = doc.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = [f'"""{shown}"""']
    for section in (library, others, path, own):
        lines += ["", *section] if section else []
    return lines


def reads_stdin(file: str, scope: str) -> bool:
    """Whether a function, or one of its module that it names, asks for standard input."""
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        named: dict[str, list[ast.AST]] = {}
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                named.setdefault(node.name, []).append(node)
        waiting, seen = [scope.rpartition(".")[2]], set[str]()
        while waiting:
            name = waiting.pop()
            seen.add(name)
            used = {each for node in named.get(name, ()) for each in _names(node)}
            if used & _STDIN:
                return True
            waiting += [each for each in used if each in named and each not in seen]
    return False


def _names(node: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
