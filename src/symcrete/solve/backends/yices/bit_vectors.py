"""Yices' bit-vectors: fast where no double occurs."""

from __future__ import annotations

import ctypes
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.solve.backends.watchdog import watchdog
from symcrete.solve.backends.yices.backend import VERDICTS, library
from symcrete.solve.backends.yices.c_library import Library
from symcrete.solve.lowering.lowerer import CannotLower
from symcrete.solve.lowering.widths import Widths
from symcrete.solve.solver import QUERY_SECONDS, UNDECIDED
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort

_BITS = {
    "add": "bvadd",
    "sub": "bvsub",
    "mul": "bvmul",
    "sdiv": "bvsdiv",
    "smod": "bvsmod",
    "and": "bvand2",
    "or": "bvor2",
    "xor": "bvxor2",
    "shl": "bvshl",
    "ashr": "bvashr",
}


class YicesBits:
    """The protocol `Bits` in Yices' terms, but for doubles, which it does not have."""

    def __init__(self, lib: Library) -> None:
        self.library = lib
        self.unknowns: dict[tuple[str, Any], int] = {}

    def _unknown(self, name: str, kind: Any, sort: int) -> int:
        key = (name, kind)
        found = self.unknowns.get(key)
        if found is None:
            found = self.unknowns[key] = self.library.new_uninterpreted_term(sort)
        return found

    def unknown_bits(self, name: str, width: int) -> int:
        return self._unknown(name, width, self.library.bv_type(width))

    def unknown_truth(self, name: str) -> int:
        return self._unknown(name, Sort.BOOL, self.library.bool_type())

    def number(self, value: int, width: int) -> int:
        digits = format(value & (1 << width) - 1, f"0{width}b")
        return int(self.library.parse_bvbin(digits.encode()))

    def truth(self, value: bool) -> int:
        return int(self.library.true() if value else self.library.false())

    def bits(self, operation: str, left: int, right: int) -> int:
        return int(getattr(self.library, _BITS[operation])(left, right))

    def extend(self, bits: int, extra: int) -> int:
        return int(self.library.sign_extend(bits, extra))

    def low(self, bits: int, width: int) -> int:
        return int(self.library.bvextract(bits, 0, width - 1))

    def at_most(self, left: int, right: int) -> int:
        return int(self.library.bvsle_atom(left, right))

    def equal(self, left: int, right: int) -> int:
        return int(self.library.eq(left, right))

    def negation(self, condition: int) -> int:
        return int(getattr(self.library, "not")(condition))

    def all_of(self, conditions: list[int]) -> int:
        array = (ctypes.c_int32 * len(conditions))(*conditions)
        return int(getattr(self.library, "and")(len(conditions), array))

    def any_of(self, conditions: list[int]) -> int:
        array = (ctypes.c_int32 * len(conditions))(*conditions)
        return int(getattr(self.library, "or")(len(conditions), array))

    def choice(self, condition: int, then: int, other: int) -> int:
        return int(self.library.ite(condition, then, other))

    def _no_doubles(self, *parts: Any) -> Any:
        raise CannotLower("yices knows no doubles")

    unknown_double = double = doubles = to_double = to_bits = wide = to_wide = _no_doubles


class BitVectors(Widths):
    """The solver; each query at each width gets a fresh context."""

    def __init__(
        self, *, seconds: float = QUERY_SECONDS, seed: int = 0, clock: Clock = wall
    ) -> None:
        self._library = library()
        super().__init__(seconds=seconds, clock=clock)
        lib = self._library
        self._parameters = lib.new_param_record()
        lib.set_param(self._parameters, b"random-seed", str(seed).encode())
        self._context: Any = None

    def expressions(self) -> YicesBits:
        return YicesBits(self._library)

    def check(self, expressions: list[Any], seconds: float) -> int:
        lib = self._library
        if self._context:
            lib.free_context(self._context)
        config = lib.new_config()
        lib.default_config_for_logic(config, b"QF_BV")
        lib.set_config(config, b"mode", b"one-shot")
        self._context = context = lib.new_context(config)
        lib.free_config(config)
        for expression in expressions:
            if lib.assert_formula(context, expression) < 0:
                raise RuntimeError(f"yices: {lib.error()}")
        watchdog.start(seconds, lambda: lib.stop_search(context))
        try:
            status = lib.check_context(context, self._parameters)
        finally:
            watchdog.stop()
        return VERDICTS.get(status, UNDECIDED)

    def read(self, names: list[str], assignment: Assignment, width: int) -> None:
        lib = self._library
        model = lib.get_model(self._context, 1)
        cells = (ctypes.c_int32 * width)()
        truth = ctypes.c_int32()
        try:
            for name in names:
                if assignment.get(name).__class__ is bool:
                    term = self.build.unknowns.get((name, Sort.BOOL))
                    if term and not lib.get_bool_value(model, term, ctypes.byref(truth)):
                        assignment[name] = bool(truth.value)
                    continue
                term = self.build.unknowns.get((name, width))
                if term and not lib.get_bv_value(model, term, cells):
                    raw = sum(bit << place for place, bit in enumerate(cells))
                    assignment[name] = raw - (1 << width) if cells[width - 1] else raw
        finally:
            lib.free_model(model)
