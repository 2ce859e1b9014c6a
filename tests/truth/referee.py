"""The truth about a program: every input is run, every condition and line on its way is noted.

This is a second definition of what a condition is, written without the engine's: an operand of
`and`, `or` and `not` in a test, a link of a chain, a step of a `for`, a pattern of a `case`. Several
conditions may begin at one place; they are told apart by their order.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

Place = tuple[int, int]  # line and column
Key = tuple[int, int, int]  # a condition: its place, and its number there

MOST_LINES = 4_000  # of one run; a program with a longer one is not judged
MOST_STEPS = 100  # of a generator that a call returns
MOST_VALUES = 500  # whose texts are kept compiled: those of one program are the same for all runs
MOST_RUNS = 3_000  # over all histories of one program


class TooLong(BaseException):
    """A run that is not worth waiting for."""


@dataclass(slots=True)
class Taken:
    """What one or many runs did."""

    sides: set[tuple[Key, bool]] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)
    places: set[Place] = field(default_factory=set)  # handlers entered, ends of `try` blocks

    def add(self, other: Taken) -> None:
        self.sides |= other.sides
        self.lines |= other.lines
        self.places |= other.places


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended."""

    returned: Any = None
    raised: BaseException | None = None


class Referee:
    """A module loaded with every condition reporting; its functions can be called again and again."""

    def __init__(self, text: str, file: str = "program.py", module: str = "program") -> None:
        tree = ast.parse(text)
        self._rewriter = _Rewriter()
        rewritten = ast.fix_missing_locations(self._rewriter.visit(tree))
        self._now = Taken()
        self._room = MOST_LINES
        self._matched: dict[int, set[int]] = {}
        package = module.rpartition(".")[0]
        self.names: dict[str, Any] = {"__name__": module, "__package__": package, "__file__": file}
        self.names |= self._reports()
        sys.modules.setdefault(module, ModuleType(module))  # dataclasses look there
        exec(compile(rewritten, f"<referee {file}>", "exec"), self.names)
        self._first = self._state()

    @property
    def conditions(self) -> dict[Place, list[Key]]:
        """Every condition by its place."""
        found: dict[Place, list[Key]] = {}
        for key in self._rewriter.keys:
            found.setdefault(key[:2], []).append(key)
        return found

    def arguments(self, texts: dict[str, str]) -> dict[str, Any]:
        """New objects for an input; `=a` is the object of the argument `a`."""
        made: dict[str, Any] = {}
        for name, text in texts.items():
            made[name] = made[text[1:]] if text.startswith("=") else eval(_code(text), self.names)
        return made

    def run(self, entry: str, arguments: dict[str, Any]) -> tuple[Outcome, Taken]:
        """Call the function in the state the module is in now."""
        self._now, self._room = Taken(), MOST_LINES
        try:
            returned = self.names[entry](**arguments)
            if inspect.isgenerator(returned):  # its body runs as it is used
                returned = list(itertools.islice(returned, MOST_STEPS))
            outcome = Outcome(returned=returned)
        except Exception as error:
            outcome = Outcome(raised=error)
        return outcome, self._now

    def afresh(self) -> None:
        """Put the module back into the state in which it was loaded."""
        self._set(self._first)

    def everything(self, entry: str, inputs: list[dict[str, str]], depth: int) -> Taken:
        """What all inputs together do, after up to `depth` - 1 earlier calls with any of them."""
        total = Taken()
        self.afresh()
        seen = {repr(self._first)}
        states, runs = [self._state()], 0
        for _ in range(depth):
            following = []
            for state in states:
                for texts in inputs:
                    if runs >= MOST_RUNS:
                        return total
                    runs += 1
                    self._set(state)
                    total.add(self.run(entry, self.arguments(texts))[1])
                    if depth == 1:
                        continue
                    after = self._state()
                    shown = repr(after)
                    if shown not in seen:
                        seen.add(shown)
                        following.append(after)
            states = following
        return total

    def in_other_orders(self, entry: str, inputs: list[dict[str, str]], unordered: str) -> Taken:
        """What all inputs together do for every order that this constant, a set, may have."""
        total, plain = Taken(), self.names[unordered]
        for order in itertools.permutations(sorted(plain)):
            self.names[unordered] = _Ordered(plain)
            self.names[unordered].order = order
            total.add(self.everything(entry, inputs, 1))
        self.names[unordered] = plain
        return total

    # -- the state of the module: names with one underscore, what caches hold, defaults and closures

    def _state(self) -> dict[str, Any]:
        found = {name: copy.deepcopy(self.names[name]) for name in self._variables()}
        found |= {name: dict(called.calls) for name, called in self._caches}
        return found | {name: copy.deepcopy(_held(each)) for name, each in self._holders}

    def _set(self, state: dict[str, Any]) -> None:
        for name, called in self._caches:
            called.cache_clear()
            for each in state[name]:
                called(each)
            called.calls = dict(state[name])
        for name, function in self._holders:
            _hold(function, copy.deepcopy(state[name]))
        for name in self._variables():
            if name not in state:
                del self.names[name]
        for name, value in state.items():
            if name.startswith("_"):
                self.names[name] = copy.deepcopy(value)

    def _variables(self) -> list[str]:
        return [
            name
            for name, value in self.names.items()
            if name.startswith("_") and name[1:2] != "_"
            if not isinstance(value, ModuleType) and not callable(value)
        ]

    @functools.cached_property
    def _caches(self) -> list[tuple[str, Any]]:
        return [(name, each) for name, each in self.names.items() if isinstance(each, _Cached)]

    @functools.cached_property
    def _holders(self) -> list[tuple[str, FunctionType]]:
        """The functions that have values of their own: defaults, and variables around them."""
        return [
            (name, each)
            for name, each in self.names.items()
            if isinstance(each, FunctionType) and (each.__defaults__ or each.__closure__)
        ]

    # -- what rewritten code calls

    def _reports(self) -> dict[str, Any]:
        return {
            "__at__": self._at,
            "__saw__": self._saw,
            "__kept__": self._kept,
            "__steps__": self._steps,
            "__subject__": self._subject,
            "__fits__": self._fits,
            "__case__": self._case,
            "__came__": self._came,
            "__cached__": _Cached,
        }

    def _at(self, line: int) -> None:
        self._now.lines.add(line)
        self._room -= 1
        if self._room < 0:
            raise TooLong

    def _saw(self, key: Key, value: Any) -> bool:
        truth = bool(value)
        self._now.sides.add((key, truth))
        return truth

    def _came(self, line: int, column: int, value: Any = None) -> Any:
        self._now.places.add((line, column))
        return value

    def _kept(self, key: Key, value: Any) -> Any:
        self._now.sides.add((key, bool(value)))
        return value

    def _steps(self, key: Key, items: Iterable[Any]) -> Iterator[Any]:
        for each in items:
            self._now.sides.add((key, True))
            yield each
        self._now.sides.add((key, False))

    def _subject(self, match: int, value: Any) -> Any:
        self._matched[match] = set()
        return value

    def _fits(self, match: int, case: int, key: Key) -> bool:
        self._matched[match].add(case)
        self._now.sides.add((key, True))
        return True

    def _case(self, match: int, keys: list[tuple[int, Key]]) -> None:
        """The case that was chosen: those before it that did not fit are noted."""
        for case, key in keys:
            if case not in self._matched[match]:
                self._now.sides.add((key, False))


def _held(function: FunctionType) -> tuple[Any, list[Any]]:
    """The defaults of a function, and what the variables around it are; other functions are none."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return function.__defaults__, [None if callable(each) else each for each in cells]


def _hold(function: FunctionType, held: tuple[Any, list[Any]]) -> None:
    function.__defaults__, values = held
    for cell, value in zip(function.__closure__ or (), values, strict=True):
        if not callable(cell.cell_contents):
            cell.cell_contents = value


@functools.lru_cache(maxsize=MOST_VALUES)
def _code(text: str) -> CodeType:
    return compile(text, "<value>", "eval")


class _Ordered(frozenset[Any]):
    """A set of texts in the order that it is told."""

    order: tuple[Any, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.order)

    def __repr__(self) -> str:
        return f"frozenset({{{', '.join(map(repr, self.order))}}})"

    __str__ = __repr__


class _Cached:
    """A cache that knows what it holds, so that it can be filled again."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self._function = function
        self.calls: dict[int, int] = {}

    def __call__(self, n: int) -> int:
        if n not in self.calls:
            self.calls[n] = self._function(n)
        return self.calls[n]

    def cache_clear(self) -> None:
        self.calls = {}


class _Rewriter(ast.NodeTransformer):
    """Makes every condition report to the names that start with two underscores."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self._at_place: Counter[Place] = Counter()
        self._matches = 0

    def _key(self, place: ast.AST) -> ast.expr:
        line, column = place.lineno, place.col_offset  # type: ignore[attr-defined]
        number = self._at_place[line, column]
        self._at_place[line, column] += 1
        self.keys.append((line, column, number))
        return ast.Tuple([ast.Constant(each) for each in (line, column, number)], ast.Load())

    def _test(self, test: ast.expr) -> ast.expr:
        """A condition with every leaf reporting."""
        match test:
            case ast.BoolOp():
                test.values = [self._test(each) for each in test.values]
                return test
            case ast.UnaryOp(op=ast.Not()):
                test.operand = self._test(test.operand)
                return test
            case ast.Compare(ops=ops) if len(ops) > 1:
                return self._chain(test)
            case ast.Constant():
                return test
            case _:
                key = self._key(test)
                return _call("__saw__", test, key, self.visit(test))

    def _chain(self, test: ast.Compare, *, whole: bool = True) -> ast.expr:
        """`a < b < c` as `a < b and b < c`: its operands have no effects."""
        operands = [test.left, *test.comparators]
        links: list[ast.expr] = []
        for left, op, right in zip(operands, test.ops, operands[1:], strict=False):
            pair = ast.Compare(copy.deepcopy(left), [op], [copy.deepcopy(right)])
            links.append(ast.copy_location(pair, test))
        reporting = links if whole else links[:-1]
        links[: len(reporting)] = [
            _call("__saw__", test, self._key(test), link) for link in reporting
        ]
        return ast.copy_location(ast.BoolOp(ast.And(), links), test)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """As a value: each link of a chain but the last is asked for its truth."""
        if len(node.ops) == 1:
            return self.generic_visit(node)
        return self._chain(node, whole=False)

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self._all(node.body), self._all(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self._all(node.body), self._all(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._test(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """As a value: each operand but the last is asked for its truth."""
        keys = [self._key(each) for each in node.values[:-1]]
        values = [self.visit(each) for each in node.values]
        node.values = [
            *(_call("__kept__", v, k, v) for k, v in zip(keys, values, strict=False)),
            values[-1],
        ]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = _call("__steps__", node.iter, self._key(node), self.visit(node.iter))
        node.body, node.orelse = self._all(node.body), self._all(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = _call("__steps__", node.iter, self._key(node.target), self.visit(node.iter))
        node.ifs = [self._test(each) for each in node.ifs]
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        self._matches += 1
        number = ast.Constant(self._matches)
        node.subject = _call("__subject__", node.subject, number, self.visit(node.subject))
        before: list[ast.expr] = []
        for index, case in enumerate(node.cases):
            case.body = self._all(case.body)
            told = ast.Expr(
                _call("__case__", case.body[0], number, ast.List(list(before), ast.Load()))
            )
            case.body.insert(0, ast.copy_location(told, case.body[0]))
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
                continue
            key = self._key(case.pattern)
            before.append(ast.Tuple([ast.Constant(index), key], ast.Load()))
            fits = _call("__fits__", case.pattern, number, ast.Constant(index), key)
            guard = [self._test(case.guard)] if case.guard is not None else []
            case.guard = ast.copy_location(ast.BoolOp(ast.And(), [fits, *guard]), case.pattern)
            if not guard:
                case.guard = fits
        told = ast.Expr(_call("__case__", node, number, ast.List(before, ast.Load())))
        last = node.cases[-1]
        if last.guard is not None or not isinstance(last.pattern, ast.MatchAs):
            node.cases.append(ast.match_case(ast.MatchAs(), None, [ast.copy_location(told, node)]))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        for each in node.decorator_list:
            if "lru_cache" in ast.unparse(each):
                node.decorator_list = [ast.copy_location(ast.Name("__cached__", ast.Load()), each)]
        node.args = self.visit(node.args)
        node.body = self._all(node.body)
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        holder: ast.Try | ast.With = node
        while isinstance(holder.body[-1], ast.With):
            holder = holder.body[-1]
        last = holder.body[-1]
        if isinstance(last, ast.Return) and last.value is not None:
            last.value = _call("__came__", last, *_where(last), last.value)
        for body in (node.body, node.orelse, node.finalbody):
            body[:] = self._all(body)
        holder.body.append(_came(last))
        for handler in node.handlers:
            handler.body = [_came(handler), *self._all(handler.body)]
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        node.items = [self.visit(each) for each in node.items]
        node.body = self._all(node.body)
        return node

    def _all(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Each statement after a call that notes its line."""
        found: list[ast.stmt] = []
        for each in body:
            told = ast.Expr(_call("__at__", each, ast.Constant(each.lineno)))
            found += [ast.copy_location(told, each), self.visit(each)]
        return found


def _where(place: ast.AST) -> list[ast.expr]:
    return [ast.Constant(place.lineno), ast.Constant(place.col_offset)]  # type: ignore[attr-defined]


def _came(place: ast.AST) -> ast.stmt:
    """A statement that notes that a run came to this place."""
    return ast.copy_location(ast.Expr(_call("__came__", place, *_where(place))), place)


def _call(name: str, place: ast.AST, *arguments: ast.expr) -> ast.Call:
    function = ast.copy_location(ast.Name(name, ast.Load()), place)
    return ast.copy_location(ast.Call(function, list(arguments), []), place)
