"""Build the control-flow graphs of a module: how statements follow each other."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from symcrete.program.graph.cfg import EXIT, GRAPH_ENTRY, RAISED, Cfg
from symcrete.program.graph.expressions import Expressions, branches, calls, parts
from symcrete.program.graph.frames import End, Ends, Leaving
from symcrete.program.source.module import SHARED_TREES
from symcrete.program.source.sites import ModuleSites, is_irrefutable, numbered

_EVERYTHING: tuple[Leaving, ...] = ("raise", "return", "break", "continue")
_SILENT = (ast.Global, ast.Nonlocal)  # statements that do nothing when they are executed
_CANNOT_FAIL = (
    ast.Pass,
    ast.Break,
    ast.Continue,
    ast.Raise,
)  # a `raise` leaves, but not by accident


def control_flow_graphs(tree: ast.Module, sites: ModuleSites, first: int = 0) -> list[Cfg]:
    """One graph for each function, lambda and class body, and one for the module.

    `first` is added to the site numbers: they were given out when the module was rewritten.
    """
    return [
        _Statements(Cfg(sites.file, scope, _first_line(node), node), sites, first).build()
        for scope, node in scopes(tree)
    ]


@functools.lru_cache(maxsize=SHARED_TREES)
def graphs_of_module(tree: ast.Module, file: str, first: int) -> tuple[Cfg, ...]:
    """The graphs of a module whose tree is only read, remembered: several questions about one
    program need them.
    """
    return tuple(control_flow_graphs(tree, numbered(tree, file), first))


def scopes(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Everything with a body of its own, with its scope as sites name it."""

    def below(node: ast.AST, scope: str) -> Iterator[tuple[str, ast.AST]]:
        for name, value in ast.iter_fields(node):
            children = value if isinstance(value, list) else [value]
            inside = name == "body" and isinstance(node, _OWN_BODY)
            inner = _join(scope, _name(node)) if inside else scope
            for child in children:
                if not isinstance(child, ast.AST):
                    continue
                if isinstance(child, _OWN_BODY):
                    yield _join(inner, _name(child)), child
                yield from below(child, inner)

    yield "", tree
    yield from below(tree, "")


_OWN_BODY = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _name(node: ast.AST) -> str:
    return str(getattr(node, "name", "<lambda>"))


def _join(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


def _first_line(node: ast.AST) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([int(getattr(node, "lineno", 1)), *[each.lineno for each in decorators]])


class _Statements(Expressions):
    def build(self) -> Cfg:
        node = self.cfg.node
        function = self.push("raise", "return")
        ends: Ends = [End(GRAPH_ENTRY)]
        if isinstance(node, ast.Lambda):
            self.line = node.lineno
            ends = self.value(node.body, ends)
            ends = [End(self.point("statement", node.body, ends, calls=()))]
        else:
            if isinstance(node, ast.ClassDef):
                self.line = self.cfg.first_line
                ends = [End(self.point("statement", None, ends, quiet=True))]
            body: list[ast.stmt] = node.body  # type: ignore[attr-defined]
            ends = self._block(_without_docstring(node, body), ends)
        self.connect(ends + function.caught.get("return", []), EXIT)
        self.connect(function.caught.get("raise", []), RAISED)
        return self.cfg

    # -- statements

    def _block(self, body: list[ast.stmt], ends: Ends) -> Ends:
        for statement in body:
            if not isinstance(statement, _SILENT):
                ends = self._statement(statement, ends)
        return ends

    def _statement(self, node: ast.stmt, ends: Ends) -> Ends:
        self.line = _first_line(node)
        match node:
            case ast.If():
                true, false = self.condition(node.test, ends)
                return self._block(node.body, true) + self._block(node.orelse, false)
            case ast.While():
                return self._while(node, ends)
            case ast.For() | ast.AsyncFor():
                return self._for(node, ends)
            case ast.With() | ast.AsyncWith():
                return self._with(node.items, node.body, ends)
            case ast.Try() | ast.TryStar():
                return self._try(node, ends)
            case ast.Match():
                return self._match(node, ends)
            case ast.Assert():
                true, false = self.condition(node.test, ends)
                if node.msg is not None:
                    false = self.value(node.msg, false)
                failed = self.point("statement", node, false, quiet=True)
                self.leave("raise", [End(failed)])
                return true
            case ast.ClassDef():
                keywords = [each.value for each in node.keywords]
                return self._definition(node, [*node.bases, *keywords], ends)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                defaults = [each for each in node.args.kw_defaults if each is not None]
                return self._definition(node, [*node.args.defaults, *defaults], ends)
            case _:
                return self._simple(node, ends)

    def _simple(self, node: ast.stmt, ends: Ends) -> Ends:
        called = calls(node)
        if any(branches(part) for part in parts(node)):
            called = ()  # each call belongs to the part where it happens
            for part in parts(node):
                ends = self.value(part, ends)
        quiet = isinstance(node, _CANNOT_FAIL)
        end = [End(self.point("statement", node, ends, calls=called, quiet=quiet))]
        match node:
            case ast.Return():
                self.leave("return", end)
            case ast.Raise():
                self.leave("raise", end)
            case ast.Break():
                self.leave("break", end)
            case ast.Continue():
                self.leave("continue", end)
            case _:
                return end
        return []

    def _definition(
        self,
        node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
        parts: list[ast.expr],
        ends: Ends,
    ) -> Ends:
        """Decorators are evaluated downwards, applied upwards, and the name is bound last."""
        for decorator in node.decorator_list:
            self.line = decorator.lineno
            ends = [End(self.point("evaluation", decorator, self.value(decorator, ends)))]
        self.line = node.lineno
        for part in parts:
            ends = self.value(part, ends)
        body = (node,) if isinstance(node, ast.ClassDef) else ()
        ends = [End(self.point("statement", node, ends, calls=body))]
        for decorator in reversed(node.decorator_list):
            self.line = decorator.lineno
            ends = [End(self.point("evaluation", decorator, ends, calls=(decorator,)))]
        self.line = node.lineno
        return (
            [End(self.point("statement", node, ends, quiet=True))] if node.decorator_list else ends
        )

    def _while(self, node: ast.While, ends: Ends) -> Ends:
        line = self.line
        head = self.point("join", None, ends, quiet=True)
        true, false = self.condition(node.test, [End(head)])
        loop = self.push("break", "continue")
        ends = self._block(node.body, true)
        self.pop()
        self.connect(ends + loop.caught.get("continue", []), head)
        self.line = line
        return self._block(node.orelse, false) + loop.caught.get("break", [])

    def _for(self, node: ast.For | ast.AsyncFor, ends: Ends) -> Ends:
        ends = self.value(node.iter, ends)
        head = self.point("evaluation", node.target, ends)
        true, false = self.decide(node, node.target, [End(head)])
        loop = self.push("break", "continue")
        ends = self._block(node.body, true)
        self.pop()
        self.connect(ends + loop.caught.get("continue", []), head)
        return self._block(node.orelse, false) + loop.caught.get("break", [])

    def _with(self, items: list[ast.withitem], body: list[ast.stmt], ends: Ends) -> Ends:
        """The ends after a `with`; items nest, so that the first one sees what the second
        raises.
        """
        if not items:
            return self._block(body, ends)
        line = self.line
        manager = items[0].context_expr
        ends = self.value(manager, ends)
        enter = self.point("evaluation", manager, ends)
        frame = self.push(*_EVERYTHING)
        ends = self._with(items[1:], body, [End(enter)])
        self.pop()
        self.line = line
        caught = [end for ends_ in frame.caught.values() for end in ends_]
        leave = self.point("evaluation", manager, ends + caught)
        self.pass_on(frame, [End(leave)])
        return [End(leave)] if ends or "raise" in frame.caught else []

    def _try(self, node: ast.Try | ast.TryStar, ends: Ends) -> Ends:
        protected = self.push(*_EVERYTHING) if node.finalbody else None
        ends = self._guarded(node, [End(self.point("statement", None, ends, quiet=True))])
        if protected is None:
            return ends
        self.pop()
        caught = [end for ends_ in protected.caught.values() for end in ends_]
        done = self._block(node.finalbody, ends + caught)
        if not protected.caught:
            return done
        join = [End(self.point("join", None, done, quiet=True))]
        self.pass_on(protected, join)
        return join if ends else []

    def _guarded(self, node: ast.Try | ast.TryStar, ends: Ends) -> Ends:
        """The body, its handlers and the `else`, without the `finally`."""
        frame = self.push("raise") if node.handlers else None
        ends = self._block(node.body, ends)
        if frame is None:
            return self._block(node.orelse, ends)
        self.pop()
        done = self._block(node.orelse, ends)
        raised = frame.caught.get("raise", [])
        handlers = self._handlers if isinstance(node, ast.Try) else self._group_handlers
        return done + handlers(node.handlers, raised)

    def _handlers(self, handlers: list[ast.ExceptHandler], raised: Ends) -> Ends:
        """The ends after the handlers of a `try`, which are asked in turn; what none of them takes
        goes on.
        """
        done: Ends = []
        for handler in handlers:
            self.line = handler.lineno
            asked = self.point("evaluation", handler.type, raised, quiet=handler.type is None)
            done = done + self._block(handler.body, [End(asked)])
            raised = [] if handler.type is None else [End(asked, implicit=True)]
        self.leave("raise", raised)
        return done

    def _group_handlers(self, handlers: list[ast.ExceptHandler], raised: Ends) -> Ends:
        """The ends after `except*`: each handler takes its part of the group, and what they raise
        is gathered for the end.
        """
        for handler in handlers:
            self.line = handler.lineno
            asked = self.point("evaluation", handler.type, raised)
            frame = self.push("raise")
            handled = self.point("join", None, self._block(handler.body, [End(asked)]), quiet=True)
            self.pop()
            self.line = handler.lineno
            again = self.point("evaluation", handler.type, [End(handled)], quiet=True)
            gathered = [End(handled), End(asked), End(again), *frame.caught.get("raise", [])]
            raised = [End(self.point("join", None, gathered, quiet=True))]
        self.leave("raise", raised)
        return raised

    def _match(self, node: ast.Match, ends: Ends) -> Ends:
        ends = self.value(node.subject, ends)
        ends = [End(self.point("statement", node.subject, ends, calls=()))]
        done: Ends = []
        for case in node.cases:
            self.line = case.pattern.lineno
            tried = [End(self.point("evaluation", case.pattern, ends))]
            if case.guard is None and is_irrefutable(case.pattern):
                return done + self._block(case.body, tried)
            true, ends = self.decide(case, case.pattern, tried)
            if case.guard is not None:
                true, refused = self.condition(case.guard, true)
                ends = ends + refused
            done = done + self._block(case.body, true)
        return done + ends


def _without_docstring(node: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
    if isinstance(node, ast.Module | ast.ClassDef) or ast.get_docstring(node, clean=False) is None:  # type: ignore[arg-type]
        return body
    return body[1:] or body
