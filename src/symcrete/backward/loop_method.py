"""A loop as a method: its parameters are what it reads, its results what it writes."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import field
from typing import Any, Literal, TypeAlias

from symcrete.program.lowering.three_address import Flow, Loop
from symcrete.slotted import dataclass

# turns of one loop while it is evaluated, so that an endless one ends; chosen, not measured
MOST_EVALUATED_TURNS = 20_000
_COUNTER = "symcrete_turns"
# what a loop cannot have that is made a function of locals
_ESCAPES = ast.Yield | ast.YieldFrom | ast.Await | ast.Nonlocal | ast.Global
# how a loop ends that is jumped over: on its own, by `break`, or in either way
Ending: TypeAlias = Literal["any", "itself", "break"]
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


@dataclass(slots=True)
class LoopMethod:
    """A loop as functions of the locals it reads, one for each local it writes."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    _run: Callable[..., dict[str, Any]]
    _last: list[Any] = field(default_factory=list)  # arguments and results of the last call
    _functions: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def function(self, name: str) -> Callable[..., Any]:
        """The function that gives one of the results; calls for several results with the same
        arguments run the loop once.
        """
        if name not in self._functions:
            self._functions[name] = self._result(name)
        return self._functions[name]

    def _result(self, name: str) -> Callable[..., Any]:
        def result(*args: Any) -> Any:
            # `1`, `True` and `1.0` are equal, alone and in lists: their texts tell them apart.
            key = (args, repr(args))
            if not self._last or self._last[0] != key:
                self._last[:] = [key, self._run(*args)]
            return self._last[1][name]

        result.__qualname__ = f"loop_{name}"
        return result


def loop_method(
    flow: Flow, loop: Loop, ending: Ending, namespace: dict[str, Any]
) -> LoopMethod | None:
    """The method of a loop; None for a loop that does more than compute locals.

    Its results are the locals when it ends. It raises ValueError where the loop returns from the
    function or ends in another way than `ending` says. What is in its `else` is no part of it.
    """
    node = copy.deepcopy(loop.node)
    node.orelse = [_stop("the loop ends by itself")] if ending == "break" else []
    if any(isinstance(each, _ESCAPES) for each in ast.walk(node)):
        return None
    known = {name for statement in flow.statements for name in _targets(statement)}
    known |= set(flow.parameters)
    used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} & known
    writes = {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    # A local that each turn writes before it reads it need not have a value before the loop.
    reads = tuple(sorted(used - _local_to(node, writes)))
    body = copy.deepcopy(node)
    _Raising().visit(body)
    if ending == "itself":
        _Unbroken(body).visit(body)
    body.body.insert(0, ast.parse(f"{_COUNTER}()").body[0])
    function = ast.parse(f"def method({', '.join([_COUNTER, *reads])}):\n  pass\n  return locals()")
    definition = function.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.body[0] = body
    ast.fix_missing_locations(function)
    made: dict[str, Any] = {}
    try:
        exec(compile(function, f"<loop at line {node.lineno}>", "exec"), namespace, made)
    except (SyntaxError, ValueError, RecursionError):
        return None
    method = made["method"]

    def run(*args: Any) -> dict[str, Any]:
        found: dict[str, Any] = method(_counter(), *args)
        return found

    return LoopMethod(reads, tuple(sorted(writes)), run)


class _Raising(ast.NodeTransformer):
    """Puts a `raise` in place of each `return`: a path that goes on behind the loop has none."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _SCOPES):
            return node
        if isinstance(node, ast.Return):
            return ast.copy_location(_stop("the loop returns"), node)
        return self.generic_visit(node)


class _Unbroken(ast.NodeTransformer):
    """Puts a `raise` in place of each `break` of the loop: a path through its `else` has none."""

    def __init__(self, loop: ast.For | ast.While) -> None:
        self._loop = loop

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _SCOPES):
            return node
        if isinstance(node, ast.For | ast.While) and node is not self._loop:
            # A `break` in its body is its own, one in its `else` is ours.
            node.orelse = [self.visit(each) for each in node.orelse]
            return node
        if isinstance(node, ast.Break):
            return ast.copy_location(_stop("the loop is left"), node)
        return self.generic_visit(node)


def _stop(why: str) -> ast.stmt:
    return ast.parse(f"raise ValueError({why!r})").body[0]


def _counter() -> Callable[[], None]:
    left = MOST_EVALUATED_TURNS

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise ValueError("the loop goes on for too long")

    return count


def _targets(statement: object) -> tuple[str, ...]:
    target = getattr(statement, "target", None)
    written: tuple[str, ...] = getattr(statement, "writes", ())
    return (target,) if isinstance(target, str) else written


def _local_to(node: ast.For | ast.While, writes: set[str]) -> set[str]:
    """Names that each turn assigns before it reads them, as far as the order of the text tells."""
    found: set[str] = set()
    if isinstance(node, ast.For):
        found |= {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
    read: set[str] = set()
    if isinstance(node, ast.While):
        read |= {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                read |= {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
                if name not in read:
                    found.add(name)
            case _:
                read |= {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
    return found & writes
