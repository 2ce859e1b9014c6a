"""One step back over a statement: its effect on the search state (Algorithm 4.2)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from symcrete.backward.choices import Frame, State, Symbols
from symcrete.backward.heap.writes import NOTHING, Anything, Container, Effects, Nothing
from symcrete.backward.invariants import Invariants
from symcrete.backward.loop_method import Ending, LoopMethod, loop_method
from symcrete.backward.sorts import Sorts, bound_arguments
from symcrete.backward.trace_statements import Apply, Fit, Hidden, Input, Let, Sees, Wrote
from symcrete.backward.view.program_view import Program
from symcrete.backward.view.raised_classes import RaisedClasses
from symcrete.program.lowering.expression_values import QUIET, operands_of
from symcrete.program.lowering.three_address import (
    UNCAUGHT,
    Assign,
    Branch,
    Call,
    Caught,
    Compute,
    Constant,
    Edge,
    Flow,
    Loop,
    Opaque,
    Operand,
    Raise,
    Return,
    Statement,
)
from symcrete.terms.term import Sort

DEEPEST_CALL = 6  # calls within calls that are stepped into; chosen, not measured
_DIVISIONS = frozenset({"floordiv", "mod", "truediv", "ifloordiv", "imod", "itruediv"})
_NUMBERS = frozenset({Sort.INT, Sort.FLOAT, Sort.BOOL})
_TOTAL = frozenset({"add", "sub", "mul", "neg", "pos", "not", "and", "or", "xor", "invert", "hint"})
_TOTAL |= {"lt", "le", "gt", "ge", "eq", "ne", "index", "tuple"}
_TOTAL |= {"iadd", "isub", "imul", "iand", "ior", "ixor"}  # none raises on ints and bools


class Steps:
    """Gives the states before a statement; an empty list where no path leads."""

    def __init__(self, program: Program, sorts: Sorts, symbols: Symbols) -> None:
        self.program = program
        self.effects = Effects(program, sorts)
        self._sorts = sorts
        self._symbols = symbols
        self._methods: dict[tuple[Loop, Ending], LoopMethod | None] = {}
        # which calls were not stepped into because they are too deep, in words
        self.bounded: dict[str, None] = {}
        self._invariants = Invariants(program, sorts)
        self._classes = RaisedClasses(program)

    def over(self, state: State, number: int, side: bool | None) -> list[State]:
        """Step back over a statement that completed; `side` is the way a branch went."""
        statement = state.flow.statements[number]
        state = self._forgotten(replace(state, at=number), statement)
        match statement:
            case Call(target=target):
                shared = target in state.flow.shared
                state, symbol = self._symbols.take(state, target)
                if shared and symbol is not None:
                    state, symbol = state.with_entry(Hidden(symbol, _rebound(target))), None
                return self._call(state, statement, symbol)
            case Assign(target=target) | Compute(target=target) if target in state.flow.shared:
                return [self._hide(self.written(state, statement), (target,), _rebound(target))]
            case Branch():
                return self._branch(state, statement, side)
            case Assign(target=target):
                state, symbol = self._symbols.take(self.written(state, statement), target)
                return [state if symbol is None else self._assign(state, statement, symbol)]
            case Compute(target=target):
                state, symbol = self._symbols.take(self.written(state, statement), target)
                return [state if symbol is None else self._compute(state, statement, symbol)]
            case Caught(target=str() as name):
                return [self._hide(state, (name,), "the exception")]
            case Opaque(writes=written, text=text):
                return [self._hide(self.written(state, statement), written, text)]
            case _:
                return [self.written(state, statement)]

    def touches(self, state: State, statement: Statement) -> bool:
        """Whether a statement may write what a condition below looks at."""
        looks = state.looks or not state.flow.shared.isdisjoint(state.frames[-1].names)
        return looks and self.effects.of(state.flow, statement) != NOTHING

    def _forgotten(self, state: State, statement: Statement) -> State:
        """The state before a statement that may call inner functions: the locals that these rebind
        may have held something else.
        """
        names = state.flow.shared & state.frames[-1].names.keys()
        if not names or not isinstance(self.effects.of(state.flow, statement), Anything):
            return state
        for name in sorted(names):
            state = self._hide(state, (name,), _rebound(name))
        return state

    def written(self, state: State, statement: Statement) -> State:
        """The state before the writes of a statement; the same state if no condition depends on
        them.
        """
        if not state.looks:
            return state
        match self.effects.of(state.flow, statement):
            case Nothing():
                return state
            case Container(operand=operand):
                state, (held,) = self._symbols.look_up(state, operand)
                return state.with_entry(Wrote(held, statement.line))
            case Anything():
                return state.with_entry(Wrote(None, statement.line))

    def _looking(self, state: State, *operands: Operand) -> State:
        """The state of a path that depends on these operands; if one may be an object, writes
        matter from here on.
        """
        if state.looks or all(self._sort(state.flow, each) in _NUMBERS for each in operands):
            return state
        return replace(state, looks=True)

    def _branch(self, state: State, branch: Branch, side: bool | None) -> list[State]:
        if side is None:
            return [state]
        if isinstance(branch.operand, Constant):
            return [state] if bool(branch.operand.value) is side else []
        state = self._looking(self.written(state, branch), branch.operand)
        sees = self.effects.seen_by(state.flow, branch)
        state, (operand,) = self._symbols.look_up(state, branch.operand)
        return [state.with_entry(Fit(operand, side, branch.line, branch.text, sees))]

    def _assign(self, state: State, statement: Assign, symbol: str) -> State:
        if statement.operation == "global":
            name = statement.args[0]
            assert isinstance(name, Constant)
            known, value = self.program.resolve(state.flow, name.value)
            if not known:
                return state.with_entry(Hidden(symbol, f"the global {name.value}"))
            return state.with_entry(Let(symbol, "copy", (Constant(value),), statement.line))
        flow = state.flow
        sees = self.effects.seen_by(flow, statement)
        makes = self.effects.makes_container(flow, statement)
        state, args = self._symbols.look_up(self._looking(state, *statement.args), *statement.args)
        return state.with_entry(Let(symbol, statement.operation, args, statement.line, sees, makes))

    def _compute(self, state: State, statement: Compute, symbol: str) -> State:
        function = expression(statement, self.program.namespace(state.flow))
        if function is None:
            return state.with_entry(Hidden(symbol, ast.unparse(statement.node)))
        flow = state.flow
        sees = self.effects.seen_by(flow, statement)
        makes = self.effects.makes_container(flow, statement)
        state, args = self._symbols.look_up(replace(state, looks=True), *statement.reads)
        text = f"`{ast.unparse(statement.node)}`"
        entry = Apply(symbol, function, text, args, statement.line, sees=sees, makes=makes)
        return state.with_entry(entry)

    def _hide(self, state: State, names: tuple[str, ...], why: str) -> State:
        for name in names:
            state, symbol = self._symbols.take(state, name)
            if symbol is not None:
                state = state.with_entry(Hidden(symbol, why))
        return state

    # -- calls

    def _call(self, state: State, call: Call, symbol: str | None) -> list[State]:
        """The states before a call: at the returns of the function called, where its result or
        writes matter and it can be entered.
        """
        writes = self.touches(state, call)
        if symbol is None and not writes:
            return [state]
        inner = self.program.callee(state.flow, call)
        if inner is not None and bound_arguments(inner, call) is not None:
            if len(state.frames) <= DEEPEST_CALL:
                if self.program.text.unforeseen:  # its locals go when it returns
                    state = self.written(state, call)
                return [self._into(state, inner, number, symbol) for number in inner.returns]
            self.bounded[f"calls of {inner.scope} nested deeper than {DEEPEST_CALL}"] = None
        state = self.written(state, call)
        return [state if symbol is None else self._foreign(state, call, symbol, inner)]

    def _into(self, state: State, inner: Flow, number: int, symbol: str | None) -> State:
        """The state at a `return` of the callee."""
        returned = inner.statements[number]
        assert isinstance(returned, Return)
        names: dict[str, str] = {}
        if symbol is not None and isinstance(returned.operand, str):
            names[returned.operand] = symbol
        elif symbol is not None:
            state = state.with_entry(Let(symbol, "copy", (returned.operand,), returned.line))
        frame = Frame(inner, names, state.at)
        return replace(state, at=number, frames=(*state.frames, frame))

    def _foreign(self, state: State, call: Call, symbol: str, inner: Flow | None) -> State:
        """The state before a call of a function that is not entered."""
        names = tuple(name for name, _ in call.keywords)
        operands = (*call.args, *[operand for _, operand in call.keywords])
        if not call.plain:
            return state.with_entry(Hidden(symbol, f"{call.callee or 'a call'} with * or **"))
        sees = self.effects.seen_by(state.flow, call)
        makes = self.effects.makes_container(state.flow, call)
        if call.callee is None:
            assert call.function is not None
            state = replace(state, looks=True)
            state, args = self._symbols.look_up(state, call.function, *operands)
            function: Callable[..., Any] = partial(_called, names)
            entry = Apply(symbol, function, "call", args, call.line, sees=sees, makes=makes)
            return state.with_entry(entry)
        known, value = self.program.resolve(state.flow, call.callee)
        if not known or not callable(value):
            return state.with_entry(Hidden(symbol, f"what {call.callee} is"))
        state = self._looking(state, *operands)
        state, args = self._symbols.look_up(state, *operands)
        if names:
            value = partial(_called, names, value)
        hint = _declared(inner)
        return state.with_entry(
            Apply(symbol, value, call.callee, args, call.line, hint, sees, makes)
        )

    def out_of(self, state: State, caller: Frame, number: int) -> State | None:
        """The state before the call in the caller, from the entry of the function; None where the
        call does not fit.
        """
        frame = state.frames[-1]
        call = caller.flow.statements[number]
        assert isinstance(call, Call)
        bound = bound_arguments(frame.flow, call)
        if bound is None:
            return None
        state = replace(state, at=number, frames=(*state.frames[:-1], caller))
        for name, symbol in frame.names.items():
            if name in frame.flow.shared:
                state = state.with_entry(Hidden(symbol, _rebound(name)))
                continue
            if name not in bound:
                if name not in frame.flow.perhaps_read:
                    return None  # a local that nothing on this path has assigned
                state = state.with_entry(Hidden(symbol, name))
                continue
            operand = bound[name]
            if operand is None:
                state = state.with_entry(Hidden(symbol, f"the default of {name}"))
                continue
            state, args = self._symbols.look_up(state, operand)
            state = state.with_entry(Let(symbol, "copy", args, call.line))
        return state

    def at_entry(self, state: State) -> State | None:
        """The state whose names are bound to the entry point's parameters; None if a local was
        never assigned.
        """
        frame = state.frames[-1]
        for name, symbol in frame.names.items():
            if name in frame.flow.parameters and name not in frame.flow.shared:
                state = state.with_entry(Input(symbol, name))
            elif name in frame.flow.shared | frame.flow.perhaps_read or _is_star(frame.flow, name):
                state = state.with_entry(Hidden(symbol, name))
            else:
                return None
        return state

    # -- loops

    def over_loop(self, state: State, loop: Loop, ending: Ending = "any") -> list[State]:
        """The states before a loop that ends as `ending` says, taken as a call of its real code."""
        flow, key = state.flow, (loop, ending)
        if key not in self._methods:
            self._methods[key] = loop_method(flow, *key, self.program.namespace(flow))
        made = self._methods[key]
        if made is None:
            return []
        taken: list[tuple[str, str]] = []
        for name in made.writes:
            state, symbol = self._symbols.take(state, name)
            if symbol is not None:
                taken.append((name, symbol))
        if any(self.touches(state, flow.statements[n]) for n in range(loop.first, loop.last + 1)):
            state = state.with_entry(Wrote(None, loop.node.lineno))
            for number in range(loop.first, loop.last + 1):
                state = self._forgotten(state, flow.statements[number])
        state, args = self._symbols.look_up(replace(state, looks=True), *made.reads)
        for name, symbol in taken:
            sort = self._sorts.of(flow, name)
            hint = sort if sort is not Sort.OBJECT else None
            label = f"loop_{loop.node.lineno}_{name}"
            entry = Apply(symbol, made.function(name), label, args, loop.node.lineno, hint)
            state = state.with_entry(entry)
        outside = [edge for edge in flow.before[loop.header] if edge.source not in loop]
        found = []
        for edge in outside:
            found += self.over(state, edge.source, edge.side)
        return found

    def always(self, state: State, line: int) -> State:
        """The state at a loop with what its locals always are, told as conditions."""
        for name, symbol in state.frames[-1].names.items():
            numbers = self._invariants.of(state.flow, name)
            if numbers.modulus > 1:
                rest = self._symbols.fresh(state.flow, "%")
                text = f"{name} % {numbers.modulus} == {numbers.rest}"
                state = self._told(state, "eq", rest, numbers.rest, text, line)
                of = (symbol, Constant(numbers.modulus))
                state = state.with_entry(Let(rest, "mod", of, line, Sees.NOTHING))
            if numbers.low is not None:
                state = self._told(
                    state, "ge", symbol, numbers.low, f"{name} >= {numbers.low}", line
                )
            if numbers.high is not None:
                state = self._told(
                    state, "le", symbol, numbers.high, f"{name} <= {numbers.high}", line
                )
        return state

    def _told(
        self, state: State, operation: str, symbol: str, value: int, text: str, line: int
    ) -> State:
        """The state on whose path a comparison holds."""
        truth = self._symbols.fresh(state.flow, "%")
        state = state.with_entry(Fit(truth, True, line, text, Sees.NOTHING))
        return state.with_entry(
            Let(truth, operation, (symbol, Constant(value)), line, Sees.NOTHING)
        )

    # -- exceptions

    def raised(self, state: State, edge: Edge) -> list[State]:
        """The states before a statement that raised instead of completing."""
        assert edge.catches is not None
        catches, passes = edge.catches, edge.passes
        if state.error is not None:
            catches, passes = state.error[0], (*state.error[1], *passes)
        statement = state.flow.statements[edge.source]
        here = self._forgotten(replace(state, at=edge.source, error=None), statement)
        if isinstance(statement, Call):
            inner = self.program.callee(state.flow, statement)
            followed = inner is not None and bound_arguments(inner, statement) is not None
            if inner is not None and followed and len(state.frames) <= DEEPEST_CALL:
                frames = (*here.frames, Frame(inner, {}, edge.source))
                inside = replace(here, at=UNCAUGHT, frames=frames, error=(catches, passes))
                return [inside, *self._unbound(here, statement, catches, passes)]
        # A statement that failed may have changed or bound something before.
        here = self.written(here, statement)
        if isinstance(statement, Opaque):
            here = self._hide(here, statement.writes, statement.text)
        found = self._failed(here, statement, catches, passes)
        return [*found, *self._unbound(here, statement, catches, passes)]

    def _unbound(
        self, state: State, statement: Statement, catches: tuple[str, ...], passes: tuple[str, ...]
    ) -> list[State]:
        """The states in which the statement raises UnboundLocalError, where it reads a local that
        may hold nothing.
        """
        if state.flow.risky.isdisjoint(operands_of(statement)):
            return []
        return self._perhaps(state, "UnboundLocalError", catches, passes)

    def _perhaps(
        self, state: State, error: str, catches: tuple[str, ...], passes: tuple[str, ...]
    ) -> list[State]:
        """The state in which a statement raises this built-in exception, which only a run can
        tell; none if it would not be caught here.
        """
        caught = self._classes.is_one_of(state.flow, error, catches)
        passed = self._classes.is_one_of(state.flow, error, passes) if passes else False
        if caught is False or passed is True:
            return []
        return [self._somehow(state, state.flow.statements[state.at].line, (error,))]

    def _failed(
        self, state: State, statement: Statement, catches: tuple[str, ...], passes: tuple[str, ...]
    ) -> list[State]:
        """The states in which the statement raises an exception that is caught here."""
        flow = state.flow
        match statement:
            case Raise():
                return self._explicit(state, statement, catches, passes)
            case Assign(operation=operation, args=args) if operation in _DIVISIONS:
                sorts = [self._sort(flow, arg) for arg in args]
                if set(sorts) <= _NUMBERS:
                    return self._by_zero(state, statement, sorts, catches, passes)
            case Assign(operation="global", args=(Constant(value=name),)):
                if self.program.resolve(flow, name)[0]:
                    return []
            case Assign(operation=operation, args=args) if operation in _TOTAL:
                sorts = [self._sort(flow, arg) for arg in args]
                if set(sorts) <= {Sort.INT, Sort.BOOL}:
                    return []
            case Assign(operation=operation) if operation in QUIET:
                return []
            case Return():
                return []
            case Branch(operand=operand):
                if self._sort(flow, operand) in _NUMBERS:
                    return []
            case _:
                pass
        return [self._somehow(state, statement.line, catches)]

    def _sort(self, flow: Flow, operand: Operand) -> Sort:
        if isinstance(operand, Constant):
            kinds = {int: Sort.INT, float: Sort.FLOAT, bool: Sort.BOOL}
            return kinds.get(type(operand.value), Sort.OBJECT)
        return self._sorts.of(flow, operand)

    def _somehow(self, state: State, line: int, catches: tuple[str, ...]) -> State:
        symbol = self._symbols.fresh(state.flow, "%raised")
        where = f"line {line} raises" if line else "a `with` lets pass"
        return state.with_entry(Hidden(symbol, f"whether {where} {' or '.join(catches)}"))

    def _explicit(
        self, state: State, statement: Raise, catches: tuple[str, ...], passes: tuple[str, ...]
    ) -> list[State]:
        error = statement.error
        caught = self._classes.is_one_of(state.flow, error, catches)
        passed = self._classes.is_one_of(state.flow, error, passes) if passes else False
        runs_code = self.effects.of(state.flow, statement) != NOTHING
        if runs_code or not self._classes.is_as_written(state.flow, statement):
            # Making the exception may raise another one, or make one of another class.
            return [self._somehow(state, statement.line, catches)]
        if caught is False or passed is True:
            return []
        if caught is None or passed is None:
            return [self._somehow(state, statement.line, catches)]
        return [state]

    def _by_zero(
        self,
        state: State,
        statement: Assign,
        sorts: list[Sort],
        catches: tuple[str, ...],
        passes: tuple[str, ...],
    ) -> list[State]:
        if Sort.FLOAT in sorts or statement.operation.endswith("truediv"):
            others = [self._somehow(state, statement.line, ("OverflowError",))]
            if self._classes.is_one_of(state.flow, "OverflowError", catches) is False:
                others = []
        else:
            others = []
        caught = self._classes.is_one_of(state.flow, "ZeroDivisionError", catches)
        passed = (
            self._classes.is_one_of(state.flow, "ZeroDivisionError", passes) if passes else False
        )
        if caught is False or passed is True:
            return others
        state, (divisor,) = self._symbols.look_up(state, statement.args[1])
        symbol = self._symbols.fresh(state.flow, "%zero")
        fit = Fit(symbol, True, statement.line, "division by zero")
        made = state.with_entry(fit).with_entry(
            Let(symbol, "eq", (divisor, Constant(0)), statement.line)
        )
        if caught is None or passed is None:
            made = self._somehow(made, statement.line, catches)
        return [made, *others]


def _rebound(name: str) -> str:
    return f"{name}, which inner functions rebind"


def expression(statement: Compute, namespace: dict[str, Any]) -> Callable[..., Any] | None:
    """A function of the locals that an expression reads, which runs its real code; None if there
    is no such function.
    """
    if any(name.startswith("%") for name in statement.reads):
        return None
    text = f"lambda {', '.join(statement.reads)}: ({ast.unparse(statement.node)})"
    try:
        made: Callable[..., Any] = eval(compile(text, "<trace>", "eval"), namespace)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return made


def _called(names: tuple[str, ...], function: Callable[..., Any], *args: Any) -> Any:
    """Call the function with its last arguments as keywords of these names."""
    count = len(args) - len(names)
    return function(*args[:count], **dict(zip(names, args[count:], strict=True)))


def _declared(flow: Flow | None) -> Sort | None:
    if flow is None or not isinstance(flow.node.returns, ast.Name):
        return None
    kinds = {"int": Sort.INT, "float": Sort.FLOAT, "bool": Sort.BOOL}
    return kinds.get(flow.node.returns.id)


def _is_star(flow: Flow, name: str) -> bool:
    args = flow.node.args
    return any(each is not None and each.arg == name for each in (args.vararg, args.kwarg))
