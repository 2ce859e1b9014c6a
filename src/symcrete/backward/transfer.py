"""What an operation of the three-address form means as a term.

The builders are those of the forward engine (`terms.integers`, `terms.floats`, the comparison rows
of `values.arithmetic`), so both directions agree. An operation on values whose kind is not known,
or without a symbolic form, is an opaque application of Python's own operator: exact to evaluate,
closed to solvers.
"""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, TypeAlias

from symcrete.backward.python_operators import (
    IN_PLACE,
    PYTHON,
    Raises,
    as_tuple,
    foldable,
    folded,
    guarded,
    same,
)
from symcrete.backward.versions import ONCE
from symcrete.terms import floats, integers
from symcrete.terms.logic import choose, conjoin, disjoin, negate, same_truth
from symcrete.terms.operations import opaque
from symcrete.terms.term import FALSE, TRUE, Sort, Term, const, int_const, intern
from symcrete.values.tracking.arithmetic import COMPARE, COMPARE_FLOATS

Value: TypeAlias = "Term | tuple[Any, ...]"  # a tuple keeps its parts apart
NUMBERS = frozenset({Sort.INT, Sort.FLOAT, Sort.BOOL})
# entries of a constant container that are written out as cases; a wider one is left to a run;
# chosen, not measured
WIDEST_TABLE = 64
_ZERO = int_const(0)


class Transfer:
    """Computes terms and collects what must hold for the operations to go well."""

    def __init__(
        self, *, hopeful: bool = False, mark: str = "", goes_well: list[Term] | None = None
    ) -> None:
        """`goes_well`: a list to which the conditions are added, instead of one of its own."""
        self.goes_well: list[Term] = [] if goes_well is None else goes_well
        self.hopeful = hopeful  # whether annotations are believed, although nothing enforces them
        # the version of the heap that an operation on objects sees, as text behind its name
        self.mark = mark

    def apply(self, operation: str, args: list[Value]) -> Value:
        """The value of an operation; what must hold for it to go well is added to `goes_well`."""
        row = _ROWS.get(operation)
        if all(isinstance(arg, Term) and arg.is_const for arg in args):
            values = [as_term(arg).value for arg in args]
            if foldable(operation, values):
                return const(folded(operation, values))
        if row is not None:
            found: Value | None = row(self, *args)
            if found is not None:
                return found
        return self.opaque(operation, args)

    def model(self, name: str, args: list[Value]) -> Value | None:
        """The symbolic form of a built-in function on these arguments; None if it has none."""
        try:
            found: Value | None = _ROWS[name](self, *args)
        except TypeError:  # another number of arguments than the model takes
            return None
        return found

    def opaque(self, operation: str, args: list[Value]) -> Term:
        """The application of Python's own operator, which only evaluation understands."""
        function = guarded(PYTHON[operation])
        # A comparison that a class defines may give anything; others give a bool.
        own = operation in COMPARED and self.mark.startswith(ONCE)
        sort = Sort.BOOL if operation in _TRUTHS and not own else Sort.OBJECT
        terms = tuple([as_term(arg) for arg in args])
        return intern(opaque(function, sort, operation + self.marked(terms)), terms)

    def marked(self, terms: tuple[Term, ...]) -> str:
        """The mark of an application; empty where only numbers go in, which no write changes."""
        return self.mark if any(term.sort is Sort.OBJECT for term in terms) or not terms else ""

    def truth(self, value: Value) -> Term:
        """The condition that a value counts as true."""
        if isinstance(value, tuple):
            return TRUE if value else FALSE
        if value.sort is Sort.BOOL:
            return value
        if value.is_const and type(value.value) in _PLAIN_TRUTH:
            return TRUE if value.value else FALSE
        if value.sort in NUMBERS:
            return negate(is_zero(value))
        return intern(opaque(_TRUTH, Sort.BOOL, "truth" + self.mark), (value,))

    def divisor(self, term: Term) -> None:
        """Note that the divisor must not be zero."""
        if not term.is_const:
            self.goes_well.append(negate(is_zero(term)))


def is_zero(term: Term) -> Term:
    """The condition that a number is zero."""
    if term.sort is Sort.FLOAT:
        return floats.eq(term, const(0.0))
    if term.sort is Sort.INT:
        return integers.eq(term, _ZERO)
    assert term.sort is Sort.BOOL
    return negate(term)


def as_term(value: Value) -> Term:
    """The value as one term; a tuple becomes an application that builds it."""
    if not isinstance(value, tuple):
        return value
    parts = [as_term(part) for part in value]
    if all(part.is_const for part in parts):
        return const(tuple([part.value for part in parts]))
    return intern(opaque(as_tuple, Sort.OBJECT, "tuple"), tuple(parts))


def number(value: Value) -> Term | None:
    """The term of an int, float or bool, with bools as 0 and 1; None for anything else."""
    if isinstance(value, tuple) or value.sort not in NUMBERS:
        return None
    return integers.from_truth(value) if value.sort is Sort.BOOL else value


def expressible(term: Term) -> bool:
    """Whether a solver can be asked about a term: nothing in it is opaque or of unknown kind."""
    notes = term.notes
    if notes is None:
        notes = term.begin_notes()
    found = notes.get("expressible")
    if found is None:
        inside = [arg for arg in term.args if arg.__class__ is Term]
        found = term.sort is not Sort.OBJECT and not term.op.opaque
        found = found and all(expressible(arg) for arg in inside)
        notes["expressible"] = found
    return bool(found)


# -- rows ------------------------------------------------------------------------------------------


def _sum_like(name: str) -> Callable[[Transfer, Value, Value], Value | None]:
    of_ints, of_floats = getattr(integers, name), getattr(floats, name)

    def row(transfer: Transfer, left: Value, right: Value) -> Value | None:
        a, b = number(left), number(right)
        if a is None or b is None:
            return None
        if a.sort is Sort.INT and b.sort is Sort.INT:
            return of_ints(a, b)  # type: ignore[no-any-return]
        return of_floats(floats.as_float(a), floats.as_float(b))  # type: ignore[no-any-return]

    return row


def _division(name: str) -> Callable[[Transfer, Value, Value], Value | None]:
    inner = _sum_like(name)

    def row(transfer: Transfer, left: Value, right: Value) -> Value | None:
        b = number(right)
        if b is None or number(left) is None:
            return None
        transfer.divisor(b)
        return inner(transfer, left, right)

    return row


def _true_division(transfer: Transfer, left: Value, right: Value) -> Value | None:
    a, b = number(left), number(right)
    if a is None or b is None:
        return None
    transfer.divisor(b)
    if a.sort is Sort.INT and b.sort is Sort.INT:
        return floats.int_div(a, b)
    return floats.div(floats.as_float(a), floats.as_float(b))


def _power(transfer: Transfer, left: Value, right: Value) -> Value | None:
    a, b = number(left), number(right)
    if a is None or b is None or a.sort is not Sort.INT or not b.is_const:
        return None
    if b.sort is not Sort.INT or b.value < 0:
        return None
    return integers.power(a, b)


def _shift(name: str) -> Callable[[Transfer, Value, Value], Value | None]:
    build = getattr(integers, name)

    def row(transfer: Transfer, left: Value, right: Value) -> Value | None:
        a, b = number(left), number(right)
        if a is None or b is None or a.sort is not Sort.INT or b.sort is not Sort.INT:
            return None
        if not b.is_const:
            transfer.goes_well.append(integers.le(_ZERO, b))
        return build(a, b)  # type: ignore[no-any-return]

    return row


def _bitwise(name: str) -> Callable[[Transfer, Value, Value], Value | None]:
    build = getattr(integers, f"bit{name}")

    def row(transfer: Transfer, left: Value, right: Value) -> Value | None:
        if _both(left, right, Sort.BOOL):
            a, b = as_term(left), as_term(right)
            if name == "xor":
                return negate(same_truth(a, b))
            return conjoin([a, b]) if name == "and" else disjoin([a, b])
        a_, b_ = number(left), number(right)
        if a_ is None or b_ is None or a_.sort is not Sort.INT or b_.sort is not Sort.INT:
            return None
        return build(a_, b_)  # type: ignore[no-any-return]

    return row


def _both(left: Value, right: Value, sort: Sort) -> bool:
    return not (isinstance(left, tuple) or isinstance(right, tuple)) and (
        left.sort is sort and right.sort is sort
    )


def _comparison(name: str) -> Callable[[Transfer, Value, Value], Value | None]:
    of_ints, of_floats = COMPARE[name][1], COMPARE_FLOATS[name]

    def row(transfer: Transfer, left: Value, right: Value) -> Value | None:
        if name in ("eq", "ne") and _both(left, right, Sort.BOOL):
            same = same_truth(as_term(left), as_term(right))
            return same if name == "eq" else negate(same)
        a, b = number(left), number(right)
        if a is None or b is None:
            return _unlike(name, left, right)
        if a.sort is Sort.INT and b.sort is Sort.INT:
            return of_ints(a, b)
        return of_floats(a, b)

    return row


def _unlike(name: str, left: Value, right: Value) -> Term | None:
    """The truth of `==` or `!=` between a number and a constant None, text or tuple, which are
    never equal; else None.
    """
    for one, other in ((left, right), (right, left)):
        plain = not isinstance(other, tuple) and other.is_const and other.sort is Sort.OBJECT
        if number(one) is not None and plain and type(as_term(other).value) in _NO_NUMBERS:
            return {"eq": FALSE, "ne": TRUE}.get(name)
    return None


_NO_NUMBERS = frozenset({str, bytes, type(None), tuple})


def _identity(transfer: Transfer, left: Value, right: Value) -> Value | None:
    for one, other in ((left, right), (right, left)):
        if isinstance(other, tuple) or not other.is_const:
            continue
        if other.value is None and (isinstance(one, tuple) or one.sort in NUMBERS):
            return FALSE
        if other.sort is Sort.BOOL and not isinstance(one, tuple) and one.sort is Sort.BOOL:
            return same_truth(one, other)
    return None  # an int may be a bool: a bool is given where an int is declared


def _negated_row(row: Callable[..., Value | None]) -> Callable[..., Value | None]:
    def negated(transfer: Transfer, left: Value, right: Value) -> Value | None:
        found = row(transfer, left, right)
        return None if found is None else negate(as_term(found))

    return negated


def _member(transfer: Transfer, left: Value, right: Value) -> Value | None:
    """`x in (1, 2, 3)` as the condition that x is equal to one of few constants; None if it is no
    such test.
    """
    parts: list[Value]
    if isinstance(right, tuple):
        parts = list(right)
    elif right.is_const and type(right.value) in (tuple, frozenset, set, list, dict):
        if type(right.value) is not tuple and type(right.value) is not frozenset:
            return None  # the program may have changed it since
        parts = [const(part) for part in right.value]
    else:
        return None
    if len(parts) > WIDEST_TABLE or number(left) is None:
        return None
    found = []
    for part in parts:
        if _may_be_nan(left) and _may_be_nan(part):
            return None  # nan is in (nan,): `in` asks for the object first
        equal = transfer.apply("eq", [left, part])
        if isinstance(equal, tuple) or not expressible(equal):
            return None
        found.append(equal)
    return disjoin(found)


def _may_be_nan(value: Value) -> bool:
    if isinstance(value, tuple) or value.sort is not Sort.FLOAT:
        return False
    return not value.is_const or bool(value.value != value.value)


def _item(transfer: Transfer, container: Value, index: Value) -> Value | None:
    place = number(index)
    if place is None or place.sort is not Sort.INT:
        return None
    parts: list[Value]
    if isinstance(container, tuple):
        parts = list(container)
    elif container.is_const and type(container.value) is tuple:
        parts = [const(part) for part in container.value]
    else:
        return None
    if place.is_const:
        if not -len(parts) <= place.value < len(parts):
            raise Raises("IndexError")
        picked: Value = parts[place.value]
        return picked
    sorts = {part.sort for part in parts if isinstance(part, Term)}
    if not 0 < len(parts) <= WIDEST_TABLE or len(sorts) != 1 or not sorts <= NUMBERS:
        return None
    if any(isinstance(part, tuple) for part in parts):
        return None
    size = int_const(len(parts))
    transfer.goes_well.append(integers.le(integers.neg(size), place))
    transfer.goes_well.append(integers.lt(place, size))
    found = as_term(parts[-1])
    for position in range(len(parts) - 2, -1, -1):
        here = disjoin(
            [
                integers.eq(place, int_const(position)),
                integers.eq(place, int_const(position - len(parts))),
            ]
        )
        found = choose(here, as_term(parts[position]), found)
    return found


def _negative(transfer: Transfer, value: Value) -> Value | None:
    term = number(value)
    if term is None:
        return None
    return integers.neg(term) if term.sort is Sort.INT else floats.neg(term)


def _inverted(transfer: Transfer, value: Value) -> Value | None:
    term = number(value)
    return integers.invert(term) if term is not None and term.sort is Sort.INT else None


def _hint(transfer: Transfer, value: Value, kind: Value) -> Value | None:
    """The value with the sort that an annotation gives it, if annotations are believed: nothing
    enforces them.
    """
    if not transfer.hopeful:
        return value
    sort = Sort(as_term(kind).value)
    term = as_term(value)
    if term.sort in NUMBERS:
        return value
    return term if term.sort is sort else intern(opaque(same, sort, f"hint_{sort.value}"), (term,))


def _absolute(transfer: Transfer, value: Value) -> Value | None:
    term = number(value)
    if term is None:
        return None
    return integers.absolute(term) if term.sort is Sort.INT else floats.absolute(term)


def _index(transfer: Transfer, value: Value) -> Value | None:
    term = number(value)
    return term if term is not None and term.sort is Sort.INT else None


def _extreme(name: str) -> Callable[..., Value | None]:
    def row(transfer: Transfer, *values: Value) -> Value | None:
        terms = [number(value) for value in values]
        if len(values) < 2 or {t.sort if t is not None else None for t in terms} != {Sort.INT}:
            return None
        if any(not isinstance(v, tuple) and v.sort is Sort.BOOL for v in values):
            return None
        found = terms[0]
        for term in terms[1:]:
            assert found is not None and term is not None
            better = integers.lt(term, found) if name == "min" else integers.lt(found, term)
            found = choose(better, term, found)
        return found

    return row


def _to_float(transfer: Transfer, *values: Value) -> Value | None:
    term = number(values[0]) if len(values) == 1 else None
    return None if term is None else floats.as_float(term)


def _to_bool(transfer: Transfer, *values: Value) -> Value | None:
    return transfer.truth(values[0]) if len(values) == 1 else None


def _length(transfer: Transfer, value: Value) -> Value | None:
    return int_const(len(value)) if isinstance(value, tuple) else None


def _square_root(transfer: Transfer, value: Value) -> Value | None:
    term = number(value)
    if term is None:
        return None
    term = floats.as_float(term)
    transfer.goes_well.append(negate(floats.lt(term, const(0.0))))  # nan and -0.0 go well
    return floats.sqrt(term)


def _rounded(build: Callable[[Term], Term]) -> Callable[..., Value | None]:
    def row(transfer: Transfer, *values: Value) -> Value | None:
        term = number(values[0]) if len(values) == 1 else None
        if term is None or term.sort is Sort.INT:
            return term
        transfer.goes_well += [negate(floats.is_nan(term)), negate(floats.is_inf(term))]
        return build(term)

    return row


_TRUTH = guarded(bool)
# Types whose objects always count as the same: a class of another metaclass may have a `__len__`.
_PLAIN_TRUTH = frozenset({int, float, bool, complex, str, bytes, type(None), tuple, frozenset})
_PLAIN_TRUTH |= {range, type, FunctionType, BuiltinFunctionType, ModuleType}
COMPARED = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_TRUTHS = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "is", "is_not", "in", "not_in", "not"})

# By operation, its symbolic form; None from a row means that these arguments have none.
_ROWS: dict[str, Any] = {
    "copy": lambda transfer, value: value,
    "add": _sum_like("add"),
    "sub": _sum_like("sub"),
    "mul": _sum_like("mul"),
    "floordiv": _division("floordiv"),
    "mod": _division("mod"),
    "truediv": _true_division,
    "pow": _power,
    "lshift": _shift("lshift"),
    "rshift": _shift("rshift"),
    "and": _bitwise("and"),
    "or": _bitwise("or"),
    "xor": _bitwise("xor"),
    "neg": _negative,
    "pos": lambda transfer, value: number(value),
    "invert": _inverted,
    "not": lambda transfer, value: negate(transfer.truth(value)),
    "is": _identity,
    "is_not": _negated_row(_identity),
    "in": _member,
    "not_in": _negated_row(_member),
    "getitem": _item,
    "unpack": _item,
    "tuple": lambda transfer, *parts: tuple(parts),
    "hint": _hint,
    "index": _index,
    "abs": _absolute,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "int": _rounded(floats.trunc),
    "floor": _rounded(floats.floor),
    "ceil": _rounded(floats.ceil),
    "float": _to_float,
    "bool": _to_bool,
    "len": _length,
    "sqrt": _square_root,
} | {name: _comparison(name) for name in ("lt", "le", "gt", "ge", "eq", "ne")}
# On numbers `x += y` is `x = x + y`.
_ROWS |= {f"i{name}": _ROWS[name] for name in IN_PLACE if name in _ROWS}
