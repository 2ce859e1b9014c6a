"""z3 through its C functions: a private context and the expressions of `Arithmetic`.

z3's Python classes cost five times as much per expression as the calls below them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from z3 import z3core
from z3.z3types import Ast, Z3Exception

from symcrete.terms.decimal import decimal, parse_integer
from symcrete.terms.term import Sort


class Functions:
    """z3's functions: `functions.mk_add` is `Z3_mk_add` without the check of the error code after
    each call.
    """

    def __getattr__(self, name: str) -> Any:
        checked = getattr(z3core, "Z3_" + name)
        raw = checked.__defaults__[0].f  # z3core keeps the unchecked function in a default argument
        setattr(self, name, raw)
        return raw


ROOT_DIGITS = 30  # decimals of a root: more than a double holds
C = Functions()


def _ignore(context: Any, code: int) -> None:
    """An error handler that does nothing: the error code is asked for where it matters."""


class Logic:
    """Conditions of a context, whatever the numbers in them are."""

    ref: Any  # the context

    def equal(self, left: Any, right: Any) -> Any:
        return C.mk_eq(self.ref, left, right)

    def negation(self, condition: Any) -> Any:
        return C.mk_not(self.ref, condition)

    def all_of(self, conditions: list[Any]) -> Any:
        return C.mk_and(self.ref, len(conditions), (Ast * len(conditions))(*conditions))

    def any_of(self, conditions: list[Any]) -> Any:
        return C.mk_or(self.ref, len(conditions), (Ast * len(conditions))(*conditions))

    def choice(self, condition: Any, then: Any, other: Any) -> Any:
        return C.mk_ite(self.ref, condition, then, other)


class Context(Logic):
    """One z3 context. Expressions live as long as it does, so that nodes may keep them."""

    def __init__(self) -> None:
        config = z3core.Z3_mk_config()
        z3core.Z3_set_param_value(config, "model", "true")
        self.ref = z3core.Z3_mk_context(config)  # not `_rc`: this one keeps all expressions it made
        z3core.Z3_del_config(config)
        # Without a handler z3 ends the process at its first complaint.
        self._handler = z3core.Z3_set_error_handler(self.ref, _ignore)
        ref = self.ref
        self.sorts = {
            Sort.INT: z3core.Z3_mk_int_sort(ref),
            Sort.BOOL: z3core.Z3_mk_bool_sort(ref),
            Sort.FLOAT: z3core.Z3_mk_real_sort(ref),
        }
        self._int, self._real = self.sorts[Sort.INT], self.sorts[Sort.FLOAT]
        self._integers: dict[int, Any] = {}
        self._unknowns: dict[tuple[str, Sort], Any] = {}
        self._declarations: dict[tuple[str, Sort], Any] = {}
        self._true, self._false = z3core.Z3_mk_true(ref), z3core.Z3_mk_false(ref)

    def close(self) -> None:
        """Free the context with all its expressions; none of them may be used afterwards."""
        z3core.Z3_del_context(self.ref)

    def check_errors(self) -> None:
        """Raise RuntimeError if a call since the last one failed."""
        code = C.get_error_code(self.ref)
        if code:
            raise RuntimeError(f"z3: {z3core.Z3_get_error_msg(self.ref, code)}")

    def declaration(self, name: str, sort: Sort) -> Any:
        """The declaration of an unknown, by which a model is asked for its value."""
        return self._declarations[(name, sort)]

    # -- the protocol `Arithmetic`

    def unknown(self, name: str, sort: Sort) -> Any:
        key = (name, sort)
        found = self._unknowns.get(key)
        if found is None:
            symbol = z3core.Z3_mk_string_symbol(self.ref, name)
            found = self._unknowns[key] = z3core.Z3_mk_const(self.ref, symbol, self.sorts[sort])
            self._declarations[key] = z3core.Z3_get_app_decl(self.ref, found)
        return found

    def integer(self, value: int) -> Any:
        found = self._integers.get(value)
        if found is None:
            found = self._integers[value] = z3core.Z3_mk_numeral(
                self.ref, decimal(value), self._int
            )
        return found

    def rational(self, value: Fraction) -> Any:
        text = f"{decimal(value.numerator)}/{decimal(value.denominator)}"
        return z3core.Z3_mk_numeral(self.ref, text, self._real)

    def truth(self, value: bool) -> Any:
        return self._true if value else self._false

    def linear(self, constant: int, atoms: list[Any], factors: list[int]) -> Any:
        ref = self.ref
        parts = []
        for atom, factor in zip(atoms, factors, strict=True):
            if factor == 1:
                parts.append(atom)
            else:
                parts.append(C.mk_mul(ref, 2, (Ast * 2)(self.integer(factor), atom)))
        if constant or not parts:
            parts.append(self.integer(constant))
        return (
            parts[0] if len(parts) == 1 else C.mk_add(ref, len(parts), (Ast * len(parts))(*parts))
        )

    def add(self, left: Any, right: Any) -> Any:
        return C.mk_add(self.ref, 2, (Ast * 2)(left, right))

    def sub(self, left: Any, right: Any) -> Any:
        return C.mk_sub(self.ref, 2, (Ast * 2)(left, right))

    def mul(self, left: Any, right: Any) -> Any:
        return C.mk_mul(self.ref, 2, (Ast * 2)(left, right))

    def div(self, left: Any, divisor: int) -> Any:
        return C.mk_div(self.ref, left, self.integer(divisor))

    def mod(self, left: Any, divisor: int) -> Any:
        return C.mk_mod(self.ref, left, self.integer(divisor))

    def quotient(self, left: Any, right: Any) -> Any:
        return C.mk_div(self.ref, left, right)

    def real(self, integer: Any) -> Any:
        return C.mk_int2real(self.ref, integer)

    def floor(self, real: Any) -> Any:
        return C.mk_real2int(self.ref, real)

    def at_most(self, left: Any, right: Any) -> Any:
        return C.mk_le(self.ref, left, right)

    # -- models

    def value(self, model: Any, name: str, sort: Sort) -> Any:
        """The model's value of an unknown as a Python value; None where it says nothing."""
        declaration = self._declarations.get((name, sort))
        if declaration is None:
            return None
        found = C.model_get_const_interp(self.ref, model, declaration)
        if not found:
            return None
        if sort is Sort.BOOL:
            return bool(C.get_bool_value(self.ref, found) == 1)
        if sort is Sort.INT:
            return parse_integer(C.get_numeral_string(self.ref, found).decode())
        return self._double(found)

    def _double(self, number: Any) -> float | None:
        try:
            if z3core.Z3_is_algebraic_number(self.ref, number):
                text = z3core.Z3_get_numeral_decimal_string(self.ref, number, ROOT_DIGITS)
                return float(text.rstrip("?"))
            top, _, bottom = z3core.Z3_get_numeral_string(self.ref, number).partition("/")
            return float(Fraction(parse_integer(top), parse_integer(bottom or "1")))
        except (OverflowError, ValueError, Z3Exception):
            return None
