"""The table of operations: the concrete function beside the Python expression that shows and
computes it.

The models of built-ins, the evaluator, the solvers and the backward phase all read these rows, so
they cannot drift apart. Integers have just two comparisons, `term <= 0` and `term == 0`: every
other one is brought to these by `integers`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from symcrete.terms.term import CONST, VAR, Operation, Sort

BOOL, INT, FLOAT, OBJECT = Sort.BOOL, Sort.INT, Sort.FLOAT, Sort.OBJECT


def _linear(constant: int, *pairs: Any) -> int:
    total: int = constant
    for i in range(0, len(pairs), 2):
        total += pairs[i] * pairs[i + 1]
    return total


# bits of a power that is computed: 0.05 s of the processor; larger ones take seconds, or all memory
MOST_POWER_BITS = 1 << 20


def _power(base: Any, exponent: Any) -> Any:
    if exponent > MOST_POWER_BITS or abs(base).bit_length() * exponent > MOST_POWER_BITS:
        if abs(base) > 1:
            raise OverflowError("a power too large to be worth computing")
    return base**exponent


def _left_shift(value: Any, places: Any) -> Any:
    if places > MOST_POWER_BITS and value:
        raise OverflowError("a shift too far to be worth computing")
    return value << places


# args: constant, atom, coefficient, atom, coefficient, ... sorted by the atoms' index
LINEAR = Operation("linear", INT, _linear, "")

# -- integers
MUL = Operation("mul", INT, operator.mul, "({0} * {1})")
FLOORDIV = Operation("floordiv", INT, operator.floordiv, "({0} // {1})")
MOD = Operation("mod", INT, operator.mod, "({0} % {1})")
POW = Operation("pow", INT, _power, "({0} ** {1})")
LSHIFT = Operation("lshift", INT, _left_shift, "({0} << {1})")
RSHIFT = Operation("rshift", INT, operator.rshift, "({0} >> {1})")
BITAND = Operation("and", INT, operator.and_, "({0} & {1})")
BITOR = Operation("or", INT, operator.or_, "({0} | {1})")
BITXOR = Operation("xor", INT, operator.xor, "({0} ^ {1})")
ABS = Operation("abs", INT, abs, "abs({0})")
BIT_LENGTH = Operation("bit_length", INT, int.bit_length, "({0}).bit_length()")
LE0 = Operation("le0", BOOL, lambda a: a <= 0, "({0} <= 0)")
EQ0 = Operation("eq0", BOOL, lambda a: a == 0, "({0} == 0)")

# -- floats
FADD = Operation("fadd", FLOAT, operator.add, "({0} + {1})")
FSUB = Operation("fsub", FLOAT, operator.sub, "({0} - {1})")
FMUL = Operation("fmul", FLOAT, operator.mul, "({0} * {1})")
FDIV = Operation("fdiv", FLOAT, operator.truediv, "({0} / {1})")
FFLOORDIV = Operation("ffloordiv", FLOAT, operator.floordiv, "({0} // {1})")
FMOD = Operation("fmod", FLOAT, operator.mod, "({0} % {1})")
FPOW = Operation("fpow", FLOAT, operator.pow, "({0} ** {1})")
FNEG = Operation("fneg", FLOAT, operator.neg, "(-{0})")
FABS = Operation("fabs", FLOAT, abs, "abs({0})")
FSQRT = Operation("fsqrt", FLOAT, math.sqrt, "math.sqrt({0})")
FLT = Operation("flt", BOOL, operator.lt, "({0} < {1})")  # either side may be an integer
FLE = Operation("fle", BOOL, operator.le, "({0} <= {1})")
FEQ = Operation("feq", BOOL, operator.eq, "({0} == {1})")
ISNAN = Operation("isnan", BOOL, math.isnan, "math.isnan({0})")
ISINF = Operation("isinf", BOOL, math.isinf, "math.isinf({0})")

# -- between integers and floats
TO_FLOAT = Operation("to_float", FLOAT, float, "float({0})")
TRUEDIV = Operation("truediv", FLOAT, operator.truediv, "({0} / {1})")  # of two integers
TRUNC = Operation("trunc", INT, math.trunc, "int({0})")
FLOOR = Operation("floor", INT, math.floor, "math.floor({0})")
CEIL = Operation("ceil", INT, math.ceil, "math.ceil({0})")
ROUND = Operation("round", INT, round, "round({0})")

# -- truth
NOT = Operation("not", BOOL, operator.not_, "(not {0})")
AND = Operation("all", BOOL, lambda *args: all(args), "")  # any number of arguments
OR = Operation("any", BOOL, lambda *args: any(args), "")
IFF = Operation("iff", BOOL, operator.eq, "({0} == {1})")
ITE = Operation("ite", OBJECT, lambda c, a, b: a if c else b, "({1} if {0} else {2})")

# -- what CPython computes exactly beside what a solver can be told of it
# args: the exact term, which evaluation uses; a model of it; the condition under which they agree
MODELLED = Operation("modelled", OBJECT, lambda exact, model, agrees: exact, "{0}", computed=1)

# These never raise; any other operation can (a division by zero, a conversion that overflows).
TOTAL = frozenset(
    {CONST, VAR, LINEAR, MUL, BITAND, BITOR, BITXOR, ABS, BIT_LENGTH, LE0, EQ0, FADD, FSUB, FMUL}
    | {FNEG, FABS, FLT, FLE, FEQ, ISNAN, ISINF, NOT, AND, OR, IFF, ITE}
)

_opaque: dict[tuple[str, Sort], Operation] = {}


def opaque(function: Callable[..., Any], sort: Sort, name: str | None = None) -> Operation:
    """The operation that applies `function`, which no solver knows; one per name and sort."""
    label = name or f"{function.__module__}.{function.__qualname__}"
    key = (label, sort)
    found = _opaque.get(key)
    if found is None or found.function is not function:
        found = _opaque[key] = Operation(label, sort, function, "", opaque=True)
    return found
