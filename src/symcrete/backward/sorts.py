"""The sorts of locals, inferred over all that is ever assigned to them.

A backward search meets a name before it meets what the name holds; without its sort no solver could
be asked. The inference follows the transfer itself: the sort of `a + b` is that of the term which
the transfer builds.
"""

from __future__ import annotations

from collections.abc import Mapping

from symcrete.backward.meaning import applied
from symcrete.backward.python_operators import Raises
from symcrete.backward.transfer import COMPARED, Transfer, as_term
from symcrete.backward.view.program_view import Program
from symcrete.program.lowering.three_address import (
    Assign,
    Call,
    Caught,
    Compute,
    Constant,
    Flow,
    Opaque,
    Operand,
    Return,
)
from symcrete.terms.term import Sort, Term, const, var

# rounds of inference, each of which carries a sort over one more assignment; chosen, not measured
SORT_ROUNDS = 12
COMPARISONS = tuple(f"__{each}__" for each in sorted(COMPARED))


class Sorts:
    """The sort of every local; OBJECT where more than one is possible or none is known."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._declared: dict[Flow, dict[str, Sort]] = {}  # of entry points
        self._parameters: dict[Flow, dict[str, Sort]] = {}
        self._known: dict[Flow, dict[str, Sort]] = {}
        self._results: dict[Flow, Sort] = {}

    def declare(self, flow: Flow, parameters: Mapping[str, Sort]) -> None:
        """Make a function an entry point with these sorts; a parameter not named has none."""
        given = {name: parameters.get(name, Sort.OBJECT) for name in flow.parameters}
        self._declared[flow] = given
        self._bind(flow, given)

    def is_called_with_others(self, flow: Flow) -> bool:
        """Whether a call in the program hands an entry point values of other sorts than its types
        say.
        """
        return self._parameters.get(flow, {}) != self._declared.get(flow, {})

    def settle(self) -> None:
        """Infer the sorts of all locals in the functions that the entry points lead to."""
        for _ in range(SORT_ROUNDS):
            before = self._snapshot()
            for flow in list(self._parameters):
                known = self._known.setdefault(flow, {})
                for name, sort in self._parameters[flow].items():
                    _join(known, name, sort)
                for statement in flow.statements:
                    self._learn(flow, statement, known)
                self._follow(flow, known)
            if self._snapshot() == before:
                return
        self._known.clear()  # no fixed point in sight: nothing is known

    def _snapshot(self) -> object:
        parameters = {flow: dict(sorts) for flow, sorts in self._parameters.items()}
        known = {flow: dict(sorts) for flow, sorts in self._known.items()}
        return parameters, known, dict(self._results)

    def of(self, flow: Flow, name: str) -> Sort:
        if name in flow.shared:
            return Sort.OBJECT
        return self._known.get(flow, {}).get(name, Sort.OBJECT)

    def _bind(self, flow: Flow, given: dict[str, Sort]) -> None:
        parameters = self._parameters.setdefault(flow, {})
        for name, sort in given.items():
            _join(parameters, name, sort)

    def _follow(self, flow: Flow, known: dict[str, Sort]) -> None:
        for statement in flow.statements:
            if isinstance(statement, Return):
                sort = self._operand(flow, statement.operand, known)
                if sort is not None:
                    former = self._results.get(flow)
                    same = former is None or former is sort
                    self._results[flow] = sort if same else Sort.OBJECT
            elif isinstance(statement, Call):
                inner = self._program.callee(flow, statement)
                bound = None if inner is None else bound_arguments(inner, statement)
                if inner is None or bound is None:
                    continue
                given = {}
                for name, operand in bound.items():
                    sort = Sort.OBJECT
                    if operand is not None:
                        found = self._operand(flow, operand, known)
                        if found is None:
                            continue
                        sort = found
                    given[name] = sort
                self._bind(inner, given)

    def _operand(self, flow: Flow, operand: Operand, known: dict[str, Sort]) -> Sort | None:
        if isinstance(operand, Constant):
            return const(operand.value).sort
        return Sort.OBJECT if operand in flow.shared else known.get(operand)

    def _learn(self, flow: Flow, statement: object, found: dict[str, Sort]) -> None:
        match statement:
            case Assign(target=target):
                sort = self._assigned(flow, statement, found)
                if sort is not None:
                    _join(found, target, sort)
            case Call(target=target):
                sort = self._called(flow, statement, found)
                if sort is not None:
                    _join(found, target, sort)
            case Compute(target=target):
                _join(found, target, Sort.OBJECT)
            case Caught(target=str() as target):
                _join(found, target, Sort.OBJECT)
            case Opaque(writes=writes):
                for name in writes:
                    _join(found, name, Sort.OBJECT)
            case _:
                pass

    def _terms(
        self, flow: Flow, operands: tuple[Operand, ...], found: dict[str, Sort]
    ) -> list[Term] | None:
        """Variables of the operands' sorts in their place; None while one of them has no sort
        yet.
        """
        terms = []
        for operand in operands:
            if isinstance(operand, Constant):
                terms.append(const(operand.value))
                continue
            sort = Sort.OBJECT if operand in flow.shared else found.get(operand)
            if sort is None:
                return None
            terms.append(var(f"?{operand}", sort))
        return terms

    def _assigned(self, flow: Flow, statement: Assign, found: dict[str, Sort]) -> Sort | None:
        if statement.operation == "global":
            name = statement.args[0]
            assert isinstance(name, Constant)
            known, value = self._program.resolve(flow, name.value)
            return const(value).sort if known else Sort.OBJECT
        terms = self._terms(flow, statement.args, found)
        if terms is None:
            return None
        if statement.operation == "hint":
            return terms[0].sort
        if self._program.text.runs_code(*_asked_by(statement.operation)):
            if any(term.sort is Sort.OBJECT for term in terms):
                return Sort.OBJECT  # an operator that a class defines may give anything
        try:
            return as_term(Transfer().apply(statement.operation, list(terms))).sort
        except Raises:
            return None

    def _called(self, flow: Flow, call: Call, found: dict[str, Sort]) -> Sort | None:
        if call.callee is None:
            return Sort.OBJECT
        inner = self._program.callee(flow, call)
        if inner is not None:
            return self._results.get(inner)
        known, value = self._program.resolve(flow, call.callee)
        terms = self._terms(flow, call.args, found)
        if not known or call.keywords or not callable(value):
            return Sort.OBJECT
        if terms is None:
            return None
        try:
            return as_term(applied(value, call.callee, list(terms), Transfer())).sort
        except Raises:
            return None


def bound_arguments(flow: Flow, call: Call) -> dict[str, Operand | None] | None:
    """The operand that each parameter of the callee gets, None for a default that only a run can
    tell.

    None as a whole where the call does not fit the signature.
    """
    args = flow.node.args
    positional = [each.arg for each in [*args.posonlyargs, *args.args]]
    keywords = dict(call.keywords)
    if len(call.args) > len(positional) or not call.plain:
        return None
    bound: dict[str, Operand | None] = dict(zip(positional, call.args, strict=False))
    by_place = {each.arg for each in args.posonlyargs}
    for name, operand in keywords.items():
        if name in bound or name not in flow.parameters or name in by_place:
            return None
        bound[name] = operand
    for name in flow.parameters:
        if name not in bound:
            if name not in flow.defaults:
                return None
            bound[name] = flow.defaults[name]
    return bound


def _asked_by(operation: str) -> tuple[str, ...]:
    """The special methods that an operation may call: `5 < x` calls `__gt__` of x."""
    return COMPARISONS if operation in COMPARED else (f"__{operation}__",)


def _join(found: dict[str, Sort], name: str, sort: Sort) -> None:
    former = found.get(name)
    found[name] = sort if former is None or former is sort else Sort.OBJECT
