"""Tests as methods of `unittest.TestCase`, for projects that have no pytest.

A test is written for pytest first and translated here: a class for each function of the program,
cases as `subTest`, fixtures as contexts that the test enters.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from symcrete.report.tests.cases import WrittenTest
from symcrete.report.tests.how_called import snake
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import Import
from symcrete.slotted import dataclass

_MODULES = ("contextlib", "io", "logging", "os", "re", "tempfile", "unittest")
_IN_PARTS = "self.enterContext({})"  # enters a context that ends with the test
# Expressions of tests for pytest, and what stands for them here.
_OUTPUT = {
    "capsys.readouterr().out": "printed.getvalue()",
    "capsys.readouterr().err": "complained.getvalue()",
    "captured.out": "printed.getvalue()",
    "captured.err": "complained.getvalue()",
    "caplog.record_tuples": "[(log.name, log.levelno, log.getMessage()) for log in logs.records]",
}
# Names for what a test prints, and the functions of `contextlib` that catch it.
_STREAMS = {"printed": "redirect_stdout", "complained": "redirect_stderr"}


class NoUnittest(Exception):
    """A test uses something of pytest that has no counterpart here."""


def as_classes(
    tests: Iterable[WrittenTest], layout: Layout, taken: Collection[str] = ()
) -> list[WrittenTest]:
    """A class for each function of the program, with its tests as methods; no two have one name,
    and none has a name that is taken: the second of that name would hide the first.

    Raises `NoUnittest` where a test cannot be told without pytest.
    """
    by_scope: dict[str, list[WrittenTest]] = {}
    for each in tests:
        by_scope.setdefault(each.scope, []).append(each)
    found: list[WrittenTest] = []
    for scope, own in by_scope.items():
        name = _class_name(scope, {*taken, *[each.name for each in found]})
        lines = [f"class {name}(unittest.TestCase):"]
        for number, each in enumerate(own):
            lines += [*([""] if number else []), *_Method(each, layout).lines()]
        used = set(_names(ast.parse("\n".join(lines))))
        imports = {i for each in own for i in each.imports if i.bound in used}
        imports |= {Import(each) for each in _MODULES if each in used}
        imports |= {Import("unittest", "mock")} if "mock" in used else set()
        imports |= {Import("pathlib", "Path")} if "Path" in used else set()
        cases = tuple([case for each in own for case in each.cases])
        found.append(WrittenTest(scope, name, tuple(lines), frozenset(imports), cases))
    return found


def _class_name(scope: str, taken: Collection[str]) -> str:
    base = "Test" + "".join(part.title() for part in re.split(r"[\W_]+", snake(scope)) if part)
    name, count = base, 1
    while name in taken:
        count += 1
        name = f"{base}{count}"
    return name


def methods_of(
    classes: Iterable[WrittenTest], tests: Sequence[WrittenTest]
) -> dict[str, WrittenTest]:
    """The tests by what pytest calls the methods that they are in the classes:
    `TestPrice::test_price`.
    """
    return {
        f"{each.name}::{test.name}": test
        for each in classes
        for test in tests
        if test.scope == each.scope
    }


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id


@dataclass(frozen=True, slots=True)
class _Method:
    """One test on its way to a method."""

    test: WrittenTest
    layout: Layout

    def lines(self) -> list[str]:
        """The method, indented as in its class."""
        text = self.test.text
        (node,) = ast.parse(text).body
        assert isinstance(node, ast.FunctionDef)
        head = [f"    def {node.name}(self):"]
        fixtures = [each.arg for each in node.args.args]
        if not node.decorator_list:
            return head + self._body(text, node, fixtures, 8)
        names, rows = self._cases(text, node.decorator_list[0])
        loop = f"        for case, {', '.join(names)} in ["
        shown = [line for row in rows for line in self.layout.expression(row, 12, after=",")]
        given = [each for each in fixtures if each not in names]
        inside = self._body(text, node, given, 16)
        return [*head, loop, *shown, "        ]:", "            with self.subTest(case):", *inside]

    def _cases(self, text: str, decorator: ast.expr) -> tuple[list[str], list[str]]:
        """The parameters of the cases, and a row for each that begins with its name."""
        match decorator:
            case ast.Call(args=[ast.Constant(value=str() as one), ast.List(elts=cases)]):
                names = [one]
            case ast.Call(args=[ast.Tuple(elts=several), ast.List(elts=cases)]):
                names = [str(each.value) for each in several if isinstance(each, ast.Constant)]
            case _:
                raise NoUnittest(f"{self.test.name} is parametrised in an unknown way")
        rows = []
        for case in cases:
            assert isinstance(case, ast.Call)
            identifier = case.keywords[0].value
            values = [_flat(text, each) for each in (identifier, *case.args)]
            rows.append(f"({', '.join(values)})")
        return names, rows

    def _body(
        self, text: str, node: ast.FunctionDef, fixtures: Sequence[str], indent: int
    ) -> list[str]:
        lines = [line for each in self._entered(text, fixtures) for line in self._out(each, indent)]
        return lines + list(self._statements(text, node.body, node.body[0].lineno, indent))

    def _out(self, text: str, indent: int) -> list[str]:
        return self.layout.expression(text, indent) if " = " not in text else _at(indent, text)

    def _entered(self, text: str, fixtures: Sequence[str]) -> Iterator[str]:
        """The statements that stand for the fixtures of a test."""
        if "tmp_path" in fixtures:
            yield "tmp_path = Path(self.enterContext(tempfile.TemporaryDirectory()))"
        if "capsys" in fixtures:
            for name, how in _STREAMS.items():
                out = "err" if name == "complained" else "out"
                if f".{out}" in text:
                    made = _IN_PARTS.format(f"contextlib.{how}(io.StringIO())")
                    yield f"{name} = {made}"
        if "caplog" in fixtures and "caplog.record_tuples" in text:
            level = re.search(r"caplog\.set_level\(([\w.]+)\)", text)
            told = f"level={level[1]}" if level else 'level="WARNING"'
            yield f"logs = self.enterContext(self.assertLogs({told}))"

    def _statements(
        self, text: str, body: Sequence[ast.stmt], after: int, indent: int
    ) -> Iterator[str]:
        """The statements, with the empty lines and comments between them."""
        source = text.splitlines()
        for statement in body:
            for line in source[after - 1 : statement.lineno - 1]:
                yield f"{' ' * indent}{line.strip()}".rstrip()
            yield from self._statement(text, statement, indent)
            after = (statement.end_lineno or statement.lineno) + 1

    def _statement(self, text: str, statement: ast.stmt, indent: int) -> Iterator[str]:
        layout = self.layout
        match statement:
            case ast.Assert(test=test):
                yield from layout.expression(_translated(self._asserted(text, test)), indent)
            case ast.Expr(value=ast.Call() as call):
                for each in _done(text, call):
                    yield from layout.expression(each, indent)
            case ast.Assign(targets=[ast.Name(id="captured")]):
                return
            case ast.Assign(targets=[target], value=value):
                shown = _translated(_flat(text, value))
                yield from layout.assignment(_flat(text, target), shown, indent)
            case ast.With(items=items, body=body):
                contexts = [self._context(text, each) for each in items]
                yield from (
                    layout.expression(contexts[0], indent, before="with ", after=":")
                    if len(contexts) == 1
                    else _at(indent, f"with {', '.join(contexts)}:")
                )
                yield from self._statements(text, body, body[0].lineno, indent + 4)
            case _:
                source = text.splitlines()[statement.lineno - 1 : statement.end_lineno]
                less = len(source[0]) - len(source[0].lstrip())
                for line in source:
                    yield (" " * indent + line[less:]).rstrip()

    def _asserted(self, text: str, test: ast.expr) -> str:
        match test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                return f"self.assertEqual({_flat(text, left)}, {_flat(text, right)})"
            case ast.Compare(ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
                return f"self.assertIsNone({_flat(text, test.left)})"
            case ast.Compare(left=left, ops=[ast.Is()], comparators=[right]):
                return f"self.assertIs({_flat(text, left)}, {_flat(text, right)})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"self.assertFalse({_flat(text, operand)})"
            case _:
                return f"self.assertTrue({_flat(text, test)})"

    def _context(self, text: str, item: ast.withitem) -> str:
        call = item.context_expr
        shown = _flat(text, call)
        name = f" as {_flat(text, item.optional_vars)}" if item.optional_vars else ""
        if not shown.startswith("pytest.raises("):
            return shown + name
        assert isinstance(call, ast.Call)
        error = _flat(text, call.args[0])
        if not call.keywords:
            return f"self.assertRaises({error})"
        return f"self.assertRaisesRegex({error}, {_flat(text, call.keywords[0].value)})"


def _done(text: str, call: ast.Call) -> list[str]:
    """The statements for a call. Calls of the fixtures `monkeypatch` and `caplog` become what does
    the same without pytest; `NoUnittest` is raised where nothing does.
    """
    shown = _flat(text, call)
    given = [_flat(text, each) for each in call.args]
    holder, _, method = _flat(text, call.func).rpartition(".")
    if holder not in ("monkeypatch", "caplog"):
        return [_translated(shown)]
    match method, given:
        case "setattr", [_, _] | [_, _, _]:
            patch = "mock.patch" if len(given) == 2 else "mock.patch.object"
            more = ", create=True" if call.keywords else ""
            return [_IN_PARTS.format(f"{patch}({', '.join(given)}{more})")]
        case "setitem", [mapping, key, value]:
            return [_IN_PARTS.format(f"mock.patch.dict({mapping}, {{{key}: {value}}})")]
        case "setenv", [name, value]:
            return [_IN_PARTS.format(f"mock.patch.dict(os.environ, {{{name}: {value}}})")]
        case "delenv", [name]:
            return [
                _IN_PARTS.format("mock.patch.dict(os.environ)"),
                f"os.environ.pop({name}, None)",
            ]
        case "chdir", [place]:
            return [_IN_PARTS.format(f"contextlib.chdir({place})")]
        case "set_level", [_] if "caplog.record_tuples" in text and not call.keywords:
            return []  # the context that keeps the records has it
        case "set_level", [level]:
            named = _flat(text, call.keywords[0].value) if call.keywords else ""
            logger = f"logging.getLogger({named})"
            return [
                f"self.addCleanup({logger}.setLevel, {logger}.level)",
                f"{logger}.setLevel({level})",
            ]
        case _:
            raise NoUnittest(f"{holder}.{method} has no counterpart in unittest")


def _translated(text: str) -> str:
    for of_pytest, here in _OUTPUT.items():
        text = text.replace(of_pytest, here)
    return text


def _at(indent: int, text: str) -> list[str]:
    return [" " * indent + text]


def _flat(text: str, node: ast.AST) -> str:
    """The source of an expression on one line, without the comma that layout put before a closing
    bracket, unless it makes a tuple.
    """
    segment = ast.get_source_segment(text, node) or ""
    first, *rest = segment.splitlines() or [""]
    plain = bare = first.strip()
    for line in map(str.strip, rest):
        gap = "" if plain.endswith(("(", "[", "{")) or line.startswith((")", "]", "}")) else " "
        ends = line.startswith((")", "]", "}"))
        plain = plain + gap + line
        bare = (bare.rstrip(",") if ends else bare) + gap + line
    is_same = rest and ast.dump(ast.parse(bare, mode="eval")) == ast.dump(
        ast.parse(plain, mode="eval")
    )
    return bare if is_same else plain
