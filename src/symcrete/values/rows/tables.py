"""The tables that values look things up in, by the class of a value.

They are read in the hottest code there is, so they are plain dicts, one for each question. All of
them are empty until `use_kinds` fills them from rows; nothing else writes to them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from symcrete.terms.term import Term
from symcrete.terms.texts import Kind as TextKind
from symcrete.values.rows.kind_rows import Family, Kind, Meeting

# By class; what each means is said at the field of `Kind` that fills it.
PLAIN: dict[type, Callable[[Any], Any]] = {}
STANDS_FOR: dict[type, type] = {}
OPERANDS: set[type] = set()
LIFT: dict[type, Callable[[Any, str], Any]] = {}  # by the plain class
TRUTHS: dict[type, Callable[[Any], Any]] = {}
EQUALS: dict[type, Callable[[Any, Any], Term | None]] = {}
CONTAINS: dict[type, Callable[[Any, Any], Any]] = {}
FORMATS: dict[type, Callable[[Any, Any], Any]] = {}
GETITEM: dict[type | str, Callable[[Any, Any], Any]] = {}  # by class, then by family
SETITEM: dict[type | str, Callable[[Any, Any, Any], None]] = {}
DELITEM: dict[type | str, Callable[[Any, Any], None]] = {}
LENGTHS: dict[type, Callable[[Any], Any]] = {}
OPEN: dict[type, Callable[[Any], int]] = {}  # containers whose length may be open: their count
TO_INT: dict[type, Callable[..., Any]] = {}
TO_FLOAT: dict[type, Callable[[Any], Any]] = {}
TEXT_KINDS: dict[type, TextKind] = {}
TEXTS: set[type] = set()  # the texts among the tracked kinds
STEPPED: dict[type, Callable[[Any, int], Iterator[Any]]] = {}

# By family.
ELEMENTS: dict[str, Callable[[Any], Iterator[Any]]] = {}
EQUALITIES: dict[str, Callable[[Any, Any], Any]] = {}
FAMILY_CONTAINS: dict[str, Callable[[Any, Any], Any]] = {}
MEETS: dict[tuple[str | None, str | None, str], Callable[[Any, Any], Any]] = {}


def use_kinds(
    kinds: Iterable[Kind], families: Iterable[Family], meetings: Iterable[Meeting]
) -> None:
    """From now on the tables hold these rows, and no others."""
    for table in (*_BY_CLASS.values(), *_BY_FAMILY.values(), LIFT, MEETS, _families, SPECIAL):
        table.clear()
    OPERANDS.clear()
    TEXTS.clear()
    rows = list(kinds)
    assert len({row.kind for row in rows}) == len(rows), "two rows for one class"
    for row in rows:
        _add_kind(row)
    for family in families:
        for name, by_family in _BY_FAMILY.items():
            if getattr(family, name) is not None:
                by_family[family.name] = getattr(family, name)
    for meeting in meetings:
        for name, function in meeting.operators.items():
            MEETS[(meeting.left, meeting.right, name)] = function


def _add_kind(row: Kind) -> None:
    for by_class, entry in zip(_BY_CLASS.values(), _ENTRIES(row), strict=True):
        if entry is not None:
            by_class[row.kind] = entry
    if row.operand:
        OPERANDS.add(row.kind)
    if row.lift is not None:
        assert row.stands_for is not None, "lift is for what stands for a plain class"
        LIFT[row.stands_for] = row.lift
    if row.text is not None and row.plain is not None:
        TEXTS.add(row.kind)
    if row.family is not None:
        _families[row.kind] = row.family
    for name, method in row.methods.items():
        setattr(row.kind, name, method)


# Which table each field of a row goes to.
_BY_CLASS: dict[str, dict[Any, Any]] = {
    "plain": PLAIN,
    "stands_for": STANDS_FOR,
    "truth": TRUTHS,
    "equals": EQUALS,
    "contains": CONTAINS,
    "formats": FORMATS,
    "get_item": GETITEM,
    "set_item": SETITEM,
    "del_item": DELITEM,
    "length": LENGTHS,
    "count": OPEN,
    "to_int": TO_INT,
    "to_float": TO_FLOAT,
    "text": TEXT_KINDS,
    "steps": STEPPED,
}
_ENTRIES = operator.attrgetter(*_BY_CLASS)  # of a row, in the order of the tables
_BY_FAMILY: dict[str, dict[Any, Any]] = {
    "elements": ELEMENTS,
    "equal": EQUALITIES,
    "contains": FAMILY_CONTAINS,
    "get_item": GETITEM,
    "set_item": SETITEM,
    "del_item": DELITEM,
}


# -- what follows from the rows for any class, remembered

_families: dict[type, str | None] = {}
_BASES: tuple[tuple[type, str], ...] = (
    (list, "list"),
    (tuple, "tuple"),
    (dict, "dict"),
    (set, "set"),
    (frozenset, "set"),
)
_DEFINING = ("__iter__", "__len__", "__contains__")


def class_name(value: Any) -> str:
    """The name of the class that the program takes a value for: it knows nothing of ours."""
    kind = type(value)
    return STANDS_FOR.get(kind, kind).__name__


def family_of(kind: type) -> str | None:
    """The built-in container that a class behaves as: "list", "tuple", "dict", "set" (frozen ones
    too), or a family that a row names; None if there is none.
    """
    try:
        return _families[kind]
    except KeyError:
        found = _families[kind] = _family(kind)
        return found


def _family(kind: type) -> str | None:
    """The family of a class: that of its base, unless it defines anew what makes it such a
    container.
    """
    for base, family in _BASES:
        if issubclass(kind, base):
            names = _DEFINING if base is dict else (*_DEFINING, "__eq__")
            same = all(getattr(kind, name) is getattr(base, name) for name in names)
            return family if same else None
    return None


class _Special(dict[type, bool]):
    """Whether an operator looks at a right operand of a class before Python does: at tracked ones,
    plain ones that tracked numbers can be lifted to, and containers.
    """

    def __missing__(self, kind: type) -> bool:
        known = kind in OPERANDS or kind in LIFT or kind in TEXTS
        found = self[kind] = known or family_of(kind) is not None
        return found


SPECIAL = _Special()
