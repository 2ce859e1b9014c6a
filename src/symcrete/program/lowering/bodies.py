"""A function's body in three-address form.

Exceptions are edges: from each statement that may raise to the handlers around it. A `finally` is
lowered once for each way of leaving its `try`, so that every way goes on where it was going.
"""

from __future__ import annotations

import ast
from dataclasses import field
from typing import Literal

from symcrete.program.lowering.bound_names import risky_names
from symcrete.program.lowering.expression_values import IN_PLACE, Ends, perhaps_read
from symcrete.program.lowering.local_names import (
    EVERYTHING,
    captured_names,
    caught_classes,
    default_values,
    local_names,
    own_nodes,
    parameter_names,
    suspends,
    written_names,
)
from symcrete.program.lowering.targets import Targets
from symcrete.program.lowering.three_address import (
    UNCAUGHT,
    Assign,
    Branch,
    Call,
    Caught,
    Constant,
    Edge,
    Flow,
    Loop,
    Mark,
    Opaque,
    Operand,
    Raise,
    Return,
)
from symcrete.program.source.sites import ModuleSites, is_irrefutable
from symcrete.slotted import dataclass

NO_LINE = 0  # the line number of a place where ways meet, which nobody can ask for


@dataclass(slots=True)
class _Frame:
    """A statement around the one at hand that catches some of the ways to leave it."""

    kind: Literal["loop", "try", "finally"]
    # what raises into it: the statement, its side, and the classes of handlers that let it pass
    raised: list[tuple[int, bool | None, tuple[str, ...]]] = field(default_factory=list)
    final: list[ast.stmt] = field(default_factory=list)
    leave: Opaque | None = None  # what leaving a `with` calls
    breaks: Ends = field(default_factory=list)
    continues: Ends = field(default_factory=list)


class Lowering(Targets):
    """Lowers one function."""

    def __init__(
        self,
        file: str,
        scope: str,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        sites: ModuleSites,
        first_site: int,
    ) -> None:
        names, shared = local_names(node)
        parameters = parameter_names(node.args)
        plain = not node.decorator_list and isinstance(node, ast.FunctionDef)
        stars = [each.arg for each in (node.args.vararg, node.args.kwarg) if each is not None]
        flow = Flow(
            file,
            scope,
            node,
            parameters,
            default_values(node.args),
            shared=shared,
            plain=plain and not any(suspends(each) for each in own_nodes(node)),
            risky=risky_names(node, frozenset({*parameters, *stars}), names),
        )
        super().__init__(flow, sites, names, first_site=first_site)
        self._frames: list[_Frame] = []

    def run(self) -> Flow:
        node = self.flow.node
        self.ends = [(self.flow.add(Mark(node.lineno, "entry")), None)]
        self.flow.add(Mark(node.lineno, "raised"))
        self._body(node.body)
        if self.ends:
            self._return(NO_LINE, Constant(None))
        self.flow.may_read(perhaps_read(self.flow))
        return self.flow

    # -- leaving

    def raising(self, number: int) -> None:
        self._raise([(number, None, ())])

    def _raise(self, sources: list[tuple[int, bool | None, tuple[str, ...]]]) -> None:
        for frame in reversed(self._frames):
            if frame.kind != "loop":
                frame.raised += sources
                return
        for source, side, passes in sources:
            self.flow.connect(Edge(source, UNCAUGHT, side, EVERYTHING, passes))

    def _return(self, line: int, operand: Operand) -> None:
        self._finish(0)
        if self.ends:
            self.flow.returns.append(self.emit(Return(line, operand)))
        self.ends = []

    def _jump(self, kind: str) -> None:
        depth = max(i for i, frame in enumerate(self._frames) if frame.kind == "loop")
        self._finish(depth + 1)
        loop = self._frames[depth]
        (loop.breaks if kind == "break" else loop.continues).extend(self.ends)
        self.ends = []

    def _finish(self, depth: int) -> None:
        """Run the `finally` parts of the frames from the innermost down to `depth`."""
        frames = self._frames
        for i in range(len(frames) - 1, depth - 1, -1):
            leave = frames[i].leave
            if not self.ends:
                break
            self._frames = frames[:i]
            if leave is not None:
                self.emit(leave)
            self._body(frames[i].final)
        self._frames = frames

    # -- statements

    def _body(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if not self.ends:
                # Dead code is lowered too: it may be what is asked for.
                self.ends = [(self.flow.add(Mark(statement.lineno, "dead")), None)]
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        line = node.lineno
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                self.emit(Mark(line, "pass"))
            case ast.Expr(value=value):
                self.value(value)
            case ast.Assign(targets=targets, value=value):
                # The first of several targets may rebind the name that the others are bound to.
                found = self.value(value) if len(targets) == 1 else self._kept(value)
                for target in targets:
                    self.bind(target, found)
            case ast.AnnAssign(target=target, value=value, annotation=annotation):
                self.annotated(target, value, annotation)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                left = self.held(target)
                right = self.value(value)
                if name in self._locals:
                    self.emit(Assign(line, name, IN_PLACE[type(op)], (left, right)))
                else:
                    self.emit(Opaque(line, (), self.reads(node), ast.unparse(node)))
            case ast.AugAssign(target=ast.Attribute() | ast.Subscript() as target):
                self.augmented(node, target)
            case ast.If(test=test, body=body, orelse=orelse):
                true, false = self.condition(test)
                self._arms((true, body), (false, orelse))
            case ast.While():
                self._while(node)
            case ast.For():
                self._for(node)
            case ast.Return(value=value):
                self._returned(line, Constant(None) if value is None else self.value(value))
            case ast.Raise():
                self._raised(node)
            case ast.Assert(test=test, msg=message):
                true, false = self.condition(test)
                self.ends = false
                if false:
                    if message is not None:
                        self.value(message)
                    number = self.emit(Raise(line, "AssertionError"))
                    self.raising(number)
                self.ends = true
            case ast.Delete(targets=targets):
                for target in targets:
                    self.deleted(target)
            case ast.Break():
                self.emit(Mark(line, "break"))
                self._jump("break")
            case ast.Continue():
                self.emit(Mark(line, "continue"))
                self._jump("continue")
            case ast.Try():
                self.emit(Mark(line, "try"))
                self._try(node)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                self._with(line, items, body)
            case ast.Match():
                self.emit(Mark(line, "match"))
                self._match(node)
            case ast.Global() | ast.Nonlocal():
                pass
            case _:
                self.other(node)

    def _arms(self, *arms: tuple[Ends, list[ast.stmt]]) -> None:
        done: Ends = []
        for ends, body in arms:
            self.ends = ends
            if ends or body:
                self._body(body)
            done += self.ends
        self.ends = done
        if len(done) > 1:
            self.emit(Mark(NO_LINE, "join"))

    def _returned(self, line: int, operand: Operand) -> None:
        if any(frame.final for frame in self._frames):
            # A `finally` may return something else: the line has run all the same.
            self.emit(Mark(line, "return"))
        if any(frame.final for frame in self._frames) and isinstance(operand, str):
            operand = self.assign(line, "copy", operand)
        self._return(line, operand)

    def _raised(self, node: ast.Raise) -> None:
        error: str | None = None
        given: int | None = 0
        if node.exc is not None:
            called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            error = self._dotted(called)
            if isinstance(node.exc, ast.Call):
                for part in [*node.exc.args, *[keyword.value for keyword in node.exc.keywords]]:
                    self.value(part.value if isinstance(part, ast.Starred) else part)
                starred = any(isinstance(part, ast.Starred) for part in node.exc.args)
                given = None if starred or node.exc.keywords else len(node.exc.args)
            elif error is None:
                self.value(node.exc)
        if node.cause is not None:
            self._cause(node.cause)
        number = self.emit(Raise(node.lineno, error, given))
        self.ends = []
        self.raising(number)

    def _cause(self, node: ast.expr) -> None:
        """`raise ... from node`, which raises TypeError unless it is an exception or None."""
        found = self.value(node)
        caught = {
            each.name for each in ast.walk(self.flow.node) if isinstance(each, ast.ExceptHandler)
        }
        if found != Constant(None) and not (isinstance(node, ast.Name) and node.id in caught):
            reads = (found,) if isinstance(found, str) else ()
            self.emit(Opaque(node.lineno, (), reads, f"from {ast.unparse(node)}"))

    # -- loops

    def _while(self, node: ast.While) -> None:
        first = self.emit(Mark(node.lineno, "loop"))
        true, false = self.condition(node.test)
        self._loop(node, first, true, false)

    def _loop(
        self,
        node: ast.While | ast.For,
        header: int,
        true: Ends,
        false: Ends,
        step: Assign | None = None,
    ) -> None:
        frame = _Frame("loop")
        self._frames.append(frame)
        self.ends = true
        if true:
            self._body(node.body)
        self._frames.pop()
        self.ends += frame.continues
        if step is not None and self.ends:
            self.emit(step)
        for source, side in self.ends:
            self.flow.connect(Edge(source, header, side))
        self.flow.loops.append(Loop(node, header, header, len(self.flow.statements) - 1))
        self.ends = false
        if node.orelse and self.ends:
            self.emit(Mark(NO_LINE, "else"))
            self._body(node.orelse)
        self.ends += frame.breaks
        if self.ends:
            self.emit(Mark(NO_LINE, "exit"))

    def _for(self, node: ast.For) -> None:
        line, site, text = node.lineno, self.site(node), ast.unparse(node.target)
        bounds = self._range(node.iter)
        if bounds is not None:
            start, stop, step = bounds
            index = self.temporary()
            self.emit(Assign(line, index, "copy", (start,)))
            header = self.emit(Mark(line, "loop"))
            more = self.assign(line, "lt" if step > 0 else "gt", index, stop)
            true, false = self._decide(Branch(line, more, site, text))
            self.ends = true
            self.bind(node.target, index)
            next_index = Assign(line, index, "add", (index, Constant(step)))
            self._loop(node, header, self.ends, false, next_index)
            return
        found = self.value(node.iter)
        iterator = self.temporary()
        self.emit(Call(line, iterator, "iter", (found,)))
        header = self.emit(Mark(line, "loop"))
        item, more = self.temporary(), self.temporary()
        self.emit(Opaque(line, (item, more), (iterator,), "next"))
        true, false = self._decide(Branch(line, more, site, text))
        self.ends = true
        self.bind(node.target, item)
        self._loop(node, header, self.ends, false)

    def _range(self, node: ast.expr) -> tuple[Operand, Operand, int] | None:
        """The bounds and the step of `range(...)` with a constant step; None for anything else."""
        match node:
            case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if (
                1 <= len(args) <= 3 and "range" not in self._locals  # as `range` takes
            ):
                pass
            case _:
                return None
        step = 1
        if len(args) == 3:
            match args[2]:
                case ast.Constant(value=int() as value) if value:
                    step = value
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if (
                    value
                ):
                    step = -value
                case _:
                    return None
        held = [self.assign(node.lineno, "index", self.value(arg)) for arg in args[:2]]
        return (Constant(0), held[0], step) if len(args) == 1 else (held[0], held[1], step)

    # -- exceptions

    def _try(self, node: ast.Try) -> None:
        outer = _Frame("finally", final=node.finalbody) if node.finalbody else None
        if outer is not None:
            self._frames.append(outer)
        inner = _Frame("try")
        if node.handlers:
            self._frames.append(inner)
        self._body(node.body)
        if node.handlers:
            self._frames.pop()
        if node.orelse and self.ends:
            self._body(node.orelse)
        done = self.ends
        passed: tuple[str, ...] = ()
        for handler in node.handlers:
            self._asked_class(handler, inner, passed)
            done += self._handler(handler, inner, passed)
            passed += caught_classes(handler.type, self._locals)
        if node.handlers and not {"", "BaseException"} & set(passed):
            self._raise(
                [(source, side, (*before, *passed)) for source, side, before in inner.raised]
            )
        if outer is not None:
            self._frames.pop()
            self._finally(node, outer, done)
            return
        self.ends = done
        if len(done) > 1:
            self.emit(Mark(NO_LINE, "join"))

    def _asked_class(self, node: ast.ExceptHandler, frame: _Frame, passed: tuple[str, ...]) -> None:
        """What follows `except` is evaluated first: this may raise, unless it names classes."""
        parts = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        if all(part is None or self._dotted(part) is not None for part in parts):
            return
        assert node.type is not None
        self.flow.share(frozenset(written_names(node.type)))
        text = f"except {ast.unparse(node.type)}"
        number = self.flow.add(Opaque(node.lineno, (), self.reads(node.type), text))
        for source, side, before in frame.raised:
            self.flow.connect(Edge(source, number, side, EVERYTHING, (*before, *passed)))
        self.raising(number)

    def _handler(self, node: ast.ExceptHandler, frame: _Frame, passed: tuple[str, ...]) -> Ends:
        classes = caught_classes(node.type, self._locals)
        number = self.flow.add(Caught(node.lineno, node.name, classes))
        for source, side, before in frame.raised:
            self.flow.connect(Edge(source, number, side, classes, (*before, *passed)))
        self.ends = [(number, None)]
        self._body(node.body)
        return self.ends

    def _finally(self, node: ast.Try, frame: _Frame, done: Ends) -> None:
        if frame.raised:
            number = self.flow.add(Caught(NO_LINE, None, EVERYTHING))
            for source, side, before in frame.raised:
                self.flow.connect(Edge(source, number, side, EVERYTHING, before))
            self.ends = [(number, None)]
            self._body(node.finalbody)
            if self.ends:
                again = self.emit(Raise(node.lineno, None))
                self.ends = []
                self.raising(again)
        self.ends = done
        if done:
            self._body(node.finalbody)

    def _with(self, line: int, items: list[ast.withitem], body: list[ast.stmt]) -> None:
        """Items nest: the first one sees, and may swallow, what entering the second one raises."""
        if not items:
            self._body(body)
            return
        found = self.value(items[0].context_expr)
        entered = self.temporary()
        reads = (found,) if isinstance(found, str) else ()
        self.emit(Opaque(line, (entered,), reads, "with"))
        frame = _Frame("try")
        frame.leave = Opaque(NO_LINE, (), (), f"the end of `with` in line {line}")
        self._frames.append(frame)
        if items[0].optional_vars is not None:
            self.bind(items[0].optional_vars, entered)
        self._with(line, items[1:], body)
        self._frames.pop()
        done: Ends = []
        if self.ends:
            self.emit(frame.leave)
            done = self.ends
        if frame.raised:
            # A context manager may swallow the exception, or let it pass; its code runs first.
            number = self.flow.add(Caught(NO_LINE, None, EVERYTHING))
            for source, side, before in frame.raised:
                self.flow.connect(Edge(source, number, side, EVERYTHING, before))
            self.ends = [(number, None)]
            self.emit(frame.leave)
            done += self.ends
            again = self.emit(Raise(NO_LINE, None))
            self.raising(again)
        self.ends = done
        if done:
            self.emit(Mark(NO_LINE, "join"))

    def _match(self, node: ast.Match) -> None:
        subject = self.held(node.subject)
        done: Ends = []
        for case in node.cases:
            matched: Ends
            if case.guard is None and is_irrefutable(case.pattern):
                self._capture(case.pattern, subject)
                self._body(case.body)
                done += self.ends
                self.ends = []
                break
            matched, failed = self._pattern(case, subject)
            self.ends = matched
            if case.guard is not None:
                matched, guarded = self.condition(case.guard)
                failed += guarded
                self.ends = matched
            self._body(case.body)
            done += self.ends
            self.ends = failed
        self.ends += done
        if self.ends:
            self.emit(Mark(NO_LINE, "join"))

    def _pattern(self, case: ast.match_case, subject: Operand) -> tuple[Ends, Ends]:
        pattern, line = case.pattern, case.pattern.lineno
        if is_irrefutable(pattern):  # with a guard
            site = self.site(case)
            self._capture(pattern, subject)
            return self._decide(Branch(line, Constant(True), site, ast.unparse(pattern)))
        match pattern:
            case ast.MatchValue(value=value):
                found = self.assign(line, "eq", subject, self.value(value))
            case ast.MatchSingleton(value=value):
                found = self.assign(line, "is", subject, Constant(value))
            case _:
                found = self.temporary()
                names = tuple(sorted(captured_names(pattern)))
                reads = (subject,) if isinstance(subject, str) else ()
                self.emit(Opaque(line, (found, *names), reads, ast.unparse(pattern)))
        return self._decide(Branch(line, found, self.site(case), ast.unparse(pattern)))

    def _capture(self, pattern: ast.pattern, subject: Operand) -> None:
        for name in captured_names(pattern):
            self.emit(Assign(pattern.lineno, name, "copy", (subject,)))
