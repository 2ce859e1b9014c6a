"""z3's bit-vectors and IEEE doubles, through its C functions."""

from __future__ import annotations

import struct
from typing import Any

from z3 import z3core

from symcrete.clock import Clock, wall
from symcrete.solve.backends.watchdog import watchdog
from symcrete.solve.backends.z3.backend import STEPS_PER_SECOND, set_numbers
from symcrete.solve.backends.z3.c_library import C, Context, Logic
from symcrete.solve.lowering.widths import Widths
from symcrete.solve.solver import QUERY_SECONDS, SAT, UNDECIDED, UNSAT
from symcrete.terms.decimal import decimal
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort

# so many times STEPS_PER_SECOND are allowed in a second on bit-vectors; chosen, not measured
STEPS_OF_BITS = 5
INTERRUPT_GRACE = 0.2  # seconds after z3 should have ended by itself; chosen, not measured

_BITS = {
    "add": C.mk_bvadd,
    "sub": C.mk_bvsub,
    "mul": C.mk_bvmul,
    "sdiv": C.mk_bvsdiv,
    "smod": C.mk_bvsmod,
    "and": C.mk_bvand,
    "or": C.mk_bvor,
    "xor": C.mk_bvxor,
    "shl": C.mk_bvshl,
    "ashr": C.mk_bvashr,
}
_ROUNDED = {
    "add": C.mk_fpa_add,
    "sub": C.mk_fpa_sub,
    "mul": C.mk_fpa_mul,
    "div": C.mk_fpa_div,
    "sqrt": C.mk_fpa_sqrt,
}
_DOUBLES = {
    "neg": C.mk_fpa_neg,
    "abs": C.mk_fpa_abs,
    "lt": C.mk_fpa_lt,
    "le": C.mk_fpa_leq,
    "eq": C.mk_fpa_eq,
    "isnan": C.mk_fpa_is_nan,
    "isinf": C.mk_fpa_is_infinite,
}


class Z3Bits(Logic):
    """The protocol `Bits` in a private context."""

    def __init__(self) -> None:
        self.context = Context()
        ref = self.ref = self.context.ref
        self._double = z3core.Z3_mk_fpa_sort_double(ref)
        self._quadruple = z3core.Z3_mk_fpa_sort_quadruple(ref)
        self._modes = {
            "even": z3core.Z3_mk_fpa_rne(ref),
            "zero": z3core.Z3_mk_fpa_rtz(ref),
            "down": z3core.Z3_mk_fpa_rtn(ref),
            "up": z3core.Z3_mk_fpa_rtp(ref),
        }
        self._even = self._modes["even"]
        self.unknowns: dict[tuple[str, Any], Any] = {}

    def _unknown(self, name: str, kind: Any, sort: Any) -> Any:
        key = (name, kind)
        found = self.unknowns.get(key)
        if found is None:
            symbol = z3core.Z3_mk_string_symbol(self.ref, name)
            found = self.unknowns[key] = z3core.Z3_mk_const(self.ref, symbol, sort)
        return found

    def unknown_bits(self, name: str, width: int) -> Any:
        return self._unknown(name, width, C.mk_bv_sort(self.ref, width))

    def unknown_truth(self, name: str) -> Any:
        return self._unknown(name, Sort.BOOL, self.context.sorts[Sort.BOOL])

    def unknown_double(self, name: str) -> Any:
        return self._unknown(name, Sort.FLOAT, self._double)

    def number(self, value: int, width: int) -> Any:
        sort = C.mk_bv_sort(self.ref, width)
        return z3core.Z3_mk_numeral(self.ref, decimal(value & (1 << width) - 1), sort)

    def truth(self, value: bool) -> Any:
        return self.context.truth(value)

    def double(self, value: float) -> Any:
        return C.mk_fpa_numeral_double(self.ref, value, self._double)

    def bits(self, operation: str, left: Any, right: Any) -> Any:
        return _BITS[operation](self.ref, left, right)

    def extend(self, bits: Any, extra: int) -> Any:
        return C.mk_sign_ext(self.ref, extra, bits)

    def low(self, bits: Any, width: int) -> Any:
        return C.mk_extract(self.ref, width - 1, 0, bits)

    def at_most(self, left: Any, right: Any) -> Any:
        return C.mk_bvsle(self.ref, left, right)

    def doubles(self, operation: str, *parts: Any) -> Any:
        if operation in _ROUNDED:
            return _ROUNDED[operation](self.ref, self._even, *parts)
        if operation == "floor":
            return C.mk_fpa_round_to_integral(self.ref, self._modes["down"], *parts)
        return _DOUBLES[operation](self.ref, *parts)

    def to_double(self, bits: Any) -> Any:
        return C.mk_fpa_to_fp_signed(self.ref, self._even, bits, self._double)

    def to_wide(self, bits: Any) -> Any:
        return C.mk_fpa_to_fp_signed(self.ref, self._even, bits, self._quadruple)

    def wide(self, double: Any) -> Any:
        return C.mk_fpa_to_fp_float(self.ref, self._even, double, self._quadruple)

    def to_bits(self, double: Any, rounding: str, width: int) -> Any:
        return C.mk_fpa_to_sbv(self.ref, self._modes[rounding], double, width)


class BitVectors(Widths):
    """A fresh z3 solver for each query and width, in one context."""

    def __init__(
        self, *, seconds: float = QUERY_SECONDS, seed: int = 0, clock: Clock = wall
    ) -> None:
        super().__init__(seconds=seconds, clock=clock)
        self._seed = seed
        self._solver: Any = None
        self._held: Any = None  # the context the solver lives in

    def expressions(self) -> Z3Bits:
        return Z3Bits()

    def check(self, expressions: list[Any], seconds: float) -> int:
        ref = self.build.ref
        if self._solver is not None:
            z3core.Z3_solver_dec_ref(self._held, self._solver)
        self._held = ref
        self._solver = solver = z3core.Z3_mk_solver(ref)
        z3core.Z3_solver_inc_ref(ref, solver)
        limit = int(seconds * STEPS_PER_SECOND * STEPS_OF_BITS)
        milliseconds = int(seconds * 1000)  # as z3 wants it
        set_numbers(ref, solver, rlimit=limit, timeout=milliseconds, random_seed=self._seed)
        for expression in expressions:
            C.solver_assert(ref, solver, expression)
        self.build.context.check_errors()
        watchdog.start(seconds + INTERRUPT_GRACE, lambda: C.interrupt(ref))
        try:
            verdict: int = C.solver_check(ref, solver)
        finally:
            interrupted = watchdog.stop()
        if interrupted and verdict == 1:
            return UNDECIDED  # an interrupt in the last moment leaves the verdict, not the model
        return {1: SAT, -1: UNSAT}.get(verdict, UNDECIDED)

    def read(self, names: list[str], assignment: Assignment, width: int) -> None:
        ref = self.build.ref
        model: Any = z3core.Z3_solver_get_model(ref, self._solver)
        z3core.Z3_model_inc_ref(ref, model)
        try:
            for name in names:
                old = assignment.get(name)
                value = self._value(model, name, old, width)
                if value is not None:
                    assignment[name] = value
        finally:
            z3core.Z3_model_dec_ref(ref, model)

    def _value(self, model: Any, name: str, old: Any, width: int) -> Any:
        ref = self.build.ref
        kind: Any = {bool: Sort.BOOL, float: Sort.FLOAT}.get(old.__class__, width)
        term = self.build.unknowns.get((name, kind))
        if term is None:
            return None
        declaration = C.get_app_decl(ref, term)
        found = C.model_get_const_interp(ref, model, declaration)
        if not found:
            return None
        if kind is Sort.BOOL:
            return bool(C.get_bool_value(ref, found) == 1)
        if kind is Sort.FLOAT:
            return self._double(model, found)
        raw = int(C.get_numeral_string(ref, found))
        return raw - (1 << width) if raw >> (width - 1) else raw

    def _double(self, model: Any, found: Any) -> float | None:
        ref = self.build.ref
        if C.fpa_is_numeral_nan(ref, found):
            return float("nan")
        raw = C.simplify(ref, C.mk_fpa_to_ieee_bv(ref, found))
        text = C.get_numeral_string(ref, raw)
        if not text:
            return None
        value: float = struct.unpack(">d", struct.pack(">Q", int(text)))[0]
        return value
