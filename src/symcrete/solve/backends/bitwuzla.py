"""Bitwuzla: bit-vectors and IEEE doubles, many times as fast as z3 on the latter."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from bitwuzla import (
    Bitwuzla as Instance,
)
from bitwuzla import (
    BitwuzlaException,
    Kind,
    Option,
    Options,
    Result,
    RoundingMode,
    TermManager,
)

from symcrete.clock import Clock, wall
from symcrete.solve.lowering.widths import Widths
from symcrete.solve.solver import QUERY_SECONDS, SAT, UNDECIDED, UNSAT
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort

_BITS = {
    "add": Kind.BV_ADD,
    "sub": Kind.BV_SUB,
    "mul": Kind.BV_MUL,
    "sdiv": Kind.BV_SDIV,
    "smod": Kind.BV_SMOD,
    "and": Kind.BV_AND,
    "or": Kind.BV_OR,
    "xor": Kind.BV_XOR,
    "shl": Kind.BV_SHL,
    "ashr": Kind.BV_ASHR,
}
_DOUBLES = {
    "neg": Kind.FP_NEG,
    "abs": Kind.FP_ABS,
    "lt": Kind.FP_LT,
    "le": Kind.FP_LEQ,
    "eq": Kind.FP_EQUAL,
    "isnan": Kind.FP_IS_NAN,
    "isinf": Kind.FP_IS_INF,
}
_ROUNDED = {
    "add": Kind.FP_ADD,
    "sub": Kind.FP_SUB,
    "mul": Kind.FP_MUL,
    "div": Kind.FP_DIV,
    "sqrt": Kind.FP_SQRT,
}


# Bits of the exponent and of the digits, the hidden one included (IEEE 754).
_DOUBLE = (11, 53)
_QUADRUPLE = (15, 113)


class BitwuzlaExpressions:
    """The protocol `Bits` in Bitwuzla's terms."""

    def __init__(self) -> None:
        tm = self.manager = TermManager()
        # Bitwuzla's terms, which ours keep as their lowered forms, do not keep the manager alive,
        # and the process crashes when a term is freed after its manager. Hence one reference too
        # many: the manager is never freed, the terms are.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(tm))
        self._double = tm.mk_fp_sort(*_DOUBLE)
        self._quadruple = tm.mk_fp_sort(*_QUADRUPLE)
        self._modes = {
            "even": tm.mk_rm_value(RoundingMode.RNE),
            "zero": tm.mk_rm_value(RoundingMode.RTZ),
            "down": tm.mk_rm_value(RoundingMode.RTN),
            "up": tm.mk_rm_value(RoundingMode.RTP),
        }
        self._even = self._modes["even"]
        self._widths: dict[int, Any] = {}
        self.unknowns: dict[tuple[str, Any], Any] = {}

    def _sort(self, width: int) -> Any:
        found = self._widths.get(width)
        if found is None:
            found = self._widths[width] = self.manager.mk_bv_sort(width)
        return found

    def _unknown(self, name: str, kind: Any, sort: Any) -> Any:
        key = (name, kind)
        found = self.unknowns.get(key)
        if found is None:
            found = self.unknowns[key] = self.manager.mk_const(sort)
        return found

    def unknown_bits(self, name: str, width: int) -> Any:
        return self._unknown(name, width, self._sort(width))

    def unknown_truth(self, name: str) -> Any:
        return self._unknown(name, Sort.BOOL, self.manager.mk_bool_sort())

    def unknown_double(self, name: str) -> Any:
        return self._unknown(name, Sort.FLOAT, self._double)

    def number(self, value: int, width: int) -> Any:
        return self.manager.mk_bv_value(self._sort(width), value)

    def truth(self, value: bool) -> Any:
        return self.manager.mk_true() if value else self.manager.mk_false()

    def double(self, value: float) -> Any:
        (raw,) = struct.unpack(">Q", struct.pack(">d", value))
        tm = self.manager
        return tm.mk_fp_value(
            tm.mk_bv_value(self._sort(1), raw >> 63),  # the sign
            tm.mk_bv_value(self._sort(11), raw >> 52 & 0x7FF),  # the exponent
            tm.mk_bv_value(self._sort(52), raw & (1 << 52) - 1),  # what follows the point
        )

    def bits(self, operation: str, left: Any, right: Any) -> Any:
        return self.manager.mk_term(_BITS[operation], [left, right])

    def extend(self, bits: Any, extra: int) -> Any:
        return self.manager.mk_term(Kind.BV_SIGN_EXTEND, [bits], [extra])

    def low(self, bits: Any, width: int) -> Any:
        return self.manager.mk_term(Kind.BV_EXTRACT, [bits], [width - 1, 0])

    def at_most(self, left: Any, right: Any) -> Any:
        return self.manager.mk_term(Kind.BV_SLE, [left, right])

    def equal(self, left: Any, right: Any) -> Any:
        return self.manager.mk_term(Kind.EQUAL, [left, right])

    def negation(self, condition: Any) -> Any:
        return self.manager.mk_term(Kind.NOT, [condition])

    def all_of(self, conditions: list[Any]) -> Any:
        return conditions[0] if len(conditions) == 1 else self.manager.mk_term(Kind.AND, conditions)

    def any_of(self, conditions: list[Any]) -> Any:
        return conditions[0] if len(conditions) == 1 else self.manager.mk_term(Kind.OR, conditions)

    def choice(self, condition: Any, then: Any, other: Any) -> Any:
        return self.manager.mk_term(Kind.ITE, [condition, then, other])

    def doubles(self, operation: str, *parts: Any) -> Any:
        if operation in _ROUNDED:
            return self.manager.mk_term(_ROUNDED[operation], [self._even, *parts])
        if operation == "floor":
            return self.manager.mk_term(Kind.FP_RTI, [self._modes["down"], *parts])
        return self.manager.mk_term(_DOUBLES[operation], list(parts))

    def to_double(self, bits: Any) -> Any:
        return self.manager.mk_term(Kind.FP_TO_FP_FROM_SBV, [self._even, bits], list(_DOUBLE))

    def to_wide(self, bits: Any) -> Any:
        return self.manager.mk_term(Kind.FP_TO_FP_FROM_SBV, [self._even, bits], list(_QUADRUPLE))

    def wide(self, double: Any) -> Any:
        return self.manager.mk_term(Kind.FP_TO_FP_FROM_FP, [self._even, double], list(_QUADRUPLE))

    def to_bits(self, double: Any, rounding: str, width: int) -> Any:
        return self.manager.mk_term(Kind.FP_TO_SBV, [self._modes[rounding], double], [width])


class Bitwuzla(Widths):
    """The solver; each query at each width gets a fresh instance of Bitwuzla."""

    def __init__(
        self, *, seconds: float = QUERY_SECONDS, seed: int = 0, clock: Clock = wall
    ) -> None:
        super().__init__(seconds=seconds, clock=clock)
        self._seed = seed
        self._instance: Any = None

    def expressions(self) -> BitwuzlaExpressions:
        return BitwuzlaExpressions()

    def check(self, expressions: list[Any], seconds: float) -> int:
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        milliseconds = max(1, int(seconds * 1000))  # as Bitwuzla wants it
        options.set(Option.TIME_LIMIT_PER, milliseconds)
        options.set(Option.SEED, self._seed)
        self._instance = instance = Instance(self.build.manager, options)
        try:
            for expression in expressions:
                instance.assert_formula(expression)
            result = instance.check_sat()
        except BitwuzlaException as error:
            raise RuntimeError(f"bitwuzla: {error}") from error
        if result == Result.SAT:
            return SAT
        return UNSAT if result == Result.UNSAT else UNDECIDED

    def read(self, names: list[str], assignment: Assignment, width: int) -> None:
        unknowns = self.build.unknowns
        for name in names:
            for kind in (width, Sort.FLOAT, Sort.BOOL):
                term = unknowns.get((name, kind))
                if term is not None and _fits(kind, assignment.get(name)):
                    assignment[name] = _value(self._instance.get_value(term), kind)


def _fits(kind: Any, value: Any) -> bool:
    """Whether a variable with this value in the run has this kind: a width in bits for an int,
    else FLOAT or BOOL.
    """
    if kind is Sort.BOOL:
        return value.__class__ is bool
    return (kind is Sort.FLOAT) == (value.__class__ is float) and value.__class__ is not bool


def _value(term: Any, kind: Any) -> Any:
    if kind is Sort.BOOL:
        return bool(term.value())
    if kind is Sort.FLOAT:
        text = term.value(2, False)
        return struct.unpack(">d", struct.pack(">Q", int(text, 2)))[0]
    raw = int(term.value(2), 2)
    return raw - (1 << kind) if raw >> (kind - 1) else raw
