"""What a trace means: the condition of each `fit` as a term over symbols nothing assigns yet."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, assert_never

from symcrete.backward.python_operators import Raises, guarded
from symcrete.backward.trace_statements import (
    Apply,
    Change,
    Entry,
    Fit,
    Hidden,
    Input,
    Let,
    Sees,
    Trace,
    Wrote,
    entries,
)
from symcrete.backward.transfer import Transfer, Value, as_term, number
from symcrete.backward.versions import Versions
from symcrete.program.lowering.three_address import Constant, Operand
from symcrete.slotted import dataclass
from symcrete.terms.logic import negate
from symcrete.terms.operations import opaque
from symcrete.terms.term import FALSE, Sort, Term, const, intern, var

# Functions with a symbolic form of their own.
MODELS: dict[Any, str] = {
    builtins.abs: "abs",
    builtins.min: "min",
    builtins.max: "max",
    builtins.int: "int",
    builtins.float: "float",
    builtins.bool: "bool",
    builtins.len: "len",
    math.sqrt: "sqrt",
    math.floor: "floor",
    math.ceil: "ceil",
    math.trunc: "int",
}
_FLOATS = (
    "acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees erf erfc exp exp2 expm1 "
)
_FLOATS += (
    "fabs fmod fsum gamma hypot ldexp lgamma log log10 log1p log2 nextafter pow radians remainder "
)
_FLOATS += "sin sinh sqrt tan tanh ulp"
_INTS = "comb factorial floor ceil gcd isqrt lcm perm trunc"
_TRUTHS = "isclose isfinite isinf isnan"
# The sort of the results of functions that give values of one kind only.
RESULTS: dict[Any, Sort] = {
    **{getattr(math, name): Sort.FLOAT for name in _FLOATS.split() if hasattr(math, name)},
    **{getattr(math, name): Sort.INT for name in _INTS.split()},
    **{getattr(math, name): Sort.BOOL for name in _TRUTHS.split()},
    builtins.len: Sort.INT,
    builtins.ord: Sort.INT,
    builtins.int: Sort.INT,
    builtins.float: Sort.FLOAT,
    builtins.bool: Sort.BOOL,
    builtins.isinstance: Sort.BOOL,
    builtins.callable: Sort.BOOL,
}

# Those that ask a method of an object, which may give anything: `__floor__` and its like.
BY_METHOD = (math.floor, math.ceil, math.trunc)

# Operations that look at one object and at nothing that it refers to.
SHALLOW = frozenset({"getattr", "getitem", "not"})


@dataclass(slots=True)
class Meaning:
    """The conditions of a trace in order, each with its `fit`, or None for one that an operation
    needs.
    """

    conditions: list[tuple[Fit | None, Term]] = field(default_factory=list)
    skipped: set[Fit] = field(default_factory=set)  # conditions that a `change` leaves out
    free: set[str] = field(default_factory=set)  # symbols that nothing in the trace assigns
    hidden: list[str] = field(default_factory=list)  # values that only a run can tell
    contradiction: str = ""  # the exception that a statement raises on every way here


class Interpretation:
    """Computes the meaning of traces; `sort_of` tells the sort of a free symbol, if it is known."""

    def __init__(
        self,
        sort_of: Callable[[str], Sort],
        inputs: Mapping[str, Value],
        *,
        hopeful: bool = False,
    ) -> None:
        self._sort_of = sort_of
        self._inputs = inputs
        # whether annotations are believed: good enough to look for inputs, not for proofs
        self._hopeful = hopeful

    def meaning(self, trace: Trace) -> Meaning:
        found = Meaning()
        values: dict[str, Value] = {}
        heap = Versions()
        goes_well: list[Term] = []
        for entry in entries(trace):
            try:
                self._step(entry, values, goes_well, heap, found)
            except Raises as error:
                found.contradiction = str(error)
                found.conditions.append((None, FALSE))
                return found
            found.conditions += [(None, term) for term in goes_well]
            goes_well.clear()
        return found

    def _step(
        self,
        entry: Entry,
        values: dict[str, Value],
        goes_well: list[Term],
        heap: Versions,
        found: Meaning,
    ) -> None:
        match entry:
            case Let(symbol=symbol, operation=operation, args=args):
                given = [self._value(arg, values, found) for arg in args]
                mark = _mark(heap, given, operation in SHALLOW, entry.sees)
                values[symbol] = self._seeing(mark, goes_well).apply(operation, given)
                if entry.makes:
                    heap.made(values[symbol])
            case Apply(symbol=symbol, args=args, function=function):
                given = [self._value(arg, values, found) for arg in args]
                shallow = function is len or function is bool
                mark = _mark(heap, given, shallow, entry.sees)
                values[symbol] = self._applied(entry, given, self._seeing(mark, goes_well))
                if entry.makes:
                    heap.made(values[symbol])
            case Input(symbol=symbol, parameter=parameter):
                if parameter in self._inputs:
                    values[symbol] = self._inputs[parameter]
                else:
                    values[symbol] = var(symbol, Sort.OBJECT)
                    found.hidden.append(f"the default of {parameter}")
            case Hidden(symbol=symbol, why=why):
                values[symbol] = var(symbol, Sort.OBJECT)
                heap.appeared(values[symbol])
                found.hidden.append(why)
            case Fit(operand=operand, side=side):
                value = self._value(operand, values, found)
                mark = _mark(heap, [value], True, entry.sees)
                condition = self._seeing(mark, goes_well).truth(value)
                found.conditions.append((entry, condition if side else negate(condition)))
            case Wrote(container=container):
                known = None if container is None else self._value(container, values, found)
                heap.wrote(known)
            case Change(fit=fit):
                found.skipped.add(fit)
            case _:
                assert_never(entry)

    def _value(self, operand: Operand, values: dict[str, Value], found: Meaning) -> Value:
        if isinstance(operand, Constant):
            value = operand.value
            return tuple(map(const, value)) if type(value) is tuple else const(value)
        known = values.get(operand)
        if known is None:
            found.free.add(operand)
            known = values[operand] = var(operand, self._sort_of(operand))
        return known

    def _seeing(self, mark: str, goes_well: list[Term]) -> Transfer:
        """What computes an operation that sees this version of the heap."""
        return Transfer(hopeful=self._hopeful, mark=mark, goes_well=goes_well)

    def _applied(self, entry: Apply, args: list[Value], transfer: Transfer) -> Value:
        hint = entry.sort if self._hopeful else None
        return applied(entry.function, entry.name, args, transfer, hint, entry.sees)


def _mark(heap: Versions, args: list[Value], shallow: bool, sees: Sees) -> str:
    match sees:
        case Sees.NOTHING:
            return ""
        case Sees.HEAP:
            return heap.seen(args[0] if args else None, shallow=shallow)
        case Sees.ITSELF:
            return heap.once()
        case _:
            assert_never(sees)


def applied(
    function: Any,
    name: str,
    args: list[Value],
    transfer: Transfer,
    hint: Sort | None = None,
    sees: Sees = Sees.HEAP,
) -> Value:
    """The value of a call of a function that is not followed: its symbolic form, its result where
    all arguments are known, or an opaque application.
    """
    operation = _looked_up(MODELS, function)
    if operation is not None:
        value = transfer.model(operation, args)
        if value is not None:
            return value
    sort = _result_of(function, args) or hint or Sort.OBJECT
    # What a class says of its instances may change between import and run: `sees` tells.
    steady = function is not builtins.isinstance or sees is Sees.NOTHING
    if _looked_up(RESULTS, function) is not None and steady:
        known = _computed(function, args)
        if known is not None:
            return known
    terms = tuple([as_term(arg) for arg in args])
    mark = transfer.mark if sees is Sees.ITSELF else transfer.marked(terms)
    return intern(opaque(guarded(function), sort, name + mark), terms)


def _result_of(function: Any, args: list[Value]) -> Sort | None:
    """The sort of what a function gives; None where it may give anything."""
    if any(function is each for each in BY_METHOD) and any(number(arg) is None for arg in args):
        return None
    found: Sort | None = _looked_up(RESULTS, function)
    return found


def _computed(function: Any, args: list[Value]) -> Term | None:
    """The result of a function without side effects where every argument is constant; None if it
    fails or is not known.
    """
    values = [arg.value for arg in args if isinstance(arg, Term) and arg.is_const]
    if len(values) != len(args):
        return None
    try:
        return const(function(*values))
    except Exception:  # the application says so where it is evaluated
        return None


def _looked_up(table: dict[Any, Any], function: Any) -> Any:
    try:
        return table.get(function)
    except TypeError:
        return None
