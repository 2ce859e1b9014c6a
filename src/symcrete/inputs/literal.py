"""A value as Python source text that gives the same value again."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import re
import sys
import threading
import uuid
from collections.abc import Callable
from types import FunctionType
from typing import Any

from symcrete.terms.large import written

DEEPEST_LITERAL = 50  # containers within containers that are written out; chosen, not measured
# code of the last character that is written as it is: above it, many look like others or like
# nothing
LAST_SHOWN = 0x2000


class NoLiteral(Exception):
    """There is no expression that gives this value."""


def literal(value: Any, depth: int = 0) -> str:
    """The expression for a value; names in it other than built-ins are those of `imports_of`.
    Raises NoLiteral where there is none.
    """
    if depth > DEEPEST_LITERAL:
        raise NoLiteral("nested too deeply")
    kind = type(value)
    if kind is float:
        return _float(value)
    if kind is int:
        return written(value)
    if kind in (bool, type(None), type(Ellipsis)):
        return repr(value)
    if kind is range:
        return _range(value)
    if kind is bytes:
        return double_quoted(repr(value))
    if kind is str:
        return _text(value)
    if kind is complex:
        return f"complex({_float(value.real)}, {_float(value.imag)})"
    if kind is bytearray:
        return f"bytearray({literal(bytes(value))})"
    if isinstance(value, enum.Enum):
        return _member(value, kind)
    if type(kind).__hash__ is None:  # no table can have such a class
        raise NoLiteral(f"the metaclass of {kind.__qualname__} takes the hash from its classes")
    if kind in _LIBRARY:
        return _LIBRARY[kind](value)
    if isinstance(value, pathlib.PurePath) and kind.__module__.startswith("pathlib"):
        return f"{_name_of_path(kind)}({_text(str(value))})"
    if isinstance(value, type) and is_importable(value):
        return value.__qualname__
    if kind is FunctionType and _is_named_function(value):
        return str(value.__name__)
    if _is_named_zone(value):
        return f"ZoneInfo({_text(value.key)})"
    return _container(value, kind, depth + 1)


def _container(value: Any, kind: type, depth: int) -> str:
    if kind is slice:
        return f"slice({_listed((value.start, value.stop, value.step), depth)})"
    if kind is list:
        return "[" + _listed(value, depth) + "]"
    if kind is tuple:
        return f"({literal(value[0], depth)},)" if len(value) == 1 else f"({_listed(value, depth)})"
    if kind is dict:
        return _pairs(value, depth)
    if kind is set or kind is frozenset:
        if not value:
            return f"{kind.__name__}()"
        text = "{" + ", ".join(sorted(literal(each, depth) for each in value)) + "}"
        return text if kind is set else f"frozenset({text})"
    if kind is collections.deque:
        rest = "" if value.maxlen is None else f", maxlen={value.maxlen}"
        return f"deque([{_listed(value, depth)}]{rest})"
    if kind is collections.Counter or kind is collections.OrderedDict:
        return f"{kind.__name__}({_pairs(value, depth)})"
    if kind is collections.defaultdict:
        return f"defaultdict({literal(value.default_factory, depth)}, {_pairs(value, depth)})"
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        if is_importable(kind):
            return f"{kind.__qualname__}({_listed(value, depth)})"
        return _container(tuple(value), tuple, depth)  # equal, whatever the class is called
    if _is_record(kind):
        texts = []
        for field in dataclasses.fields(kind):
            text = literal(_attribute(value, field.name), depth)
            texts.append(f"{field.name}={text}")
        return f"{kind.__qualname__}({', '.join(texts)})"
    raise NoLiteral(f"no literal for {kind.__qualname__}")


def _listed(values: Any, depth: int) -> str:
    return ", ".join([literal(each, depth) for each in values])


def _pairs(value: Any, depth: int) -> str:
    pairs = [f"{literal(k, depth)}: {literal(v, depth)}" for k, v in value.items()]
    return "{" + ", ".join(pairs) + "}"


def _attribute(value: Any, name: str) -> Any:
    try:
        return object.__getattribute__(value, name)
    except AttributeError:
        raise NoLiteral(f"no attribute {name}") from None


def _is_record(kind: type) -> bool:
    """Whether a class is a dataclass that can be made again from its fields, and whose `==`
    compares them.
    """
    if not dataclasses.is_dataclass(kind) or not is_importable(kind):
        return False
    parameters = getattr(kind, "__dataclass_params__", None)
    own_init = "__init__" in kind.__dict__ and getattr(parameters, "init", False)
    fields = dataclasses.fields(kind)
    whole = all(field.init and field.compare for field in fields)
    if not own_init or not whole or not getattr(parameters, "eq", False):
        return False
    code = kind.__dict__["__init__"].__code__
    # Fields do not tell what was passed for an InitVar, which `__init__` takes besides them.
    return bool(code.co_argcount + code.co_kwonlyargcount == 1 + len(fields))


def is_importable(kind: type) -> bool:
    """Whether the class can be imported by its module and name: one made at run time may have a
    name that its module lacks.
    """
    if "<locals>" in kind.__qualname__ or kind.__module__ == "__main__":
        return False
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    # While exploring there are two copies of the program's classes, rewritten and not.
    return isinstance(found, type) and found.__qualname__ == kind.__qualname__


def _is_named_function(value: FunctionType) -> bool:
    """Whether a function is the one that its module has under its name: not one inside a decorator,
    whose wrapper may bear its name.
    """
    module = "" if value.__module__ == "__main__" else value.__module__
    found = getattr(sys.modules.get(module), value.__qualname__, None)
    if type(found) is not FunctionType:
        return False
    # While exploring there are two copies of the program's functions, rewritten and not.
    code, other = found.__code__, value.__code__
    return (code.co_qualname, code.co_firstlineno) == (other.co_qualname, other.co_firstlineno)


def importable_class(kind: type) -> type:
    """The class itself, or the nearest one that it inherits from and that can be imported."""
    return next((each for each in kind.__mro__ if is_importable(each)), object)


def _member(value: enum.Enum, kind: type) -> str:
    if not is_importable(kind):
        raise NoLiteral(f"{kind.__qualname__} cannot be imported")
    name = kind.__qualname__
    if not isinstance(value, enum.Flag):
        return f"{name}.{value.name}"
    members = [each for each in value if each.name in type(value).__members__]
    if not members or sum([each.value for each in members]) != value.value:
        return f"{name}({value.value})"  # bits that no member has
    return " | ".join([f"{name}.{each.name}" for each in members])


def _float(value: float) -> str:
    if math.isnan(value):
        return 'float("nan")'
    if math.isinf(value):
        return 'float("inf")' if value > 0 else 'float("-inf")'
    return repr(value).replace("e+", "e")


def _text(value: str) -> str:
    """The literal of a text, quoted as formatters like it, with characters escaped that cannot be
    seen or encoded.
    """
    text = repr(value)
    if any(
        not char.isprintable()
        or 0xD800 <= ord(char) <= 0xDFFF  # half of a pair in UTF-16, which cannot be encoded
        or ord(char) > LAST_SHOWN
        for char in text
    ):
        text = ascii(value)
    return double_quoted(text)


def double_quoted(text: str) -> str:
    """The literal that `repr` made, in the quotes that formatters prefer."""
    if text[-1] == '"':
        return text
    prefix, _, inside = text[:-1].partition("'")
    parts = re.findall(r"\\?.", inside, re.DOTALL)
    if parts.count('"') > parts.count("\\'"):
        return text
    other = {"\\'": "'", '"': '\\"'}
    return prefix + '"' + "".join([other.get(part, part) for part in parts]) + '"'


def _without_module(value: Any) -> str:
    """`datetime.date(2024, 1, 1)` as `date(2024, 1, 1)`."""
    zone = getattr(value, "tzinfo", None)
    if zone is None:
        return repr(value).removeprefix("datetime.")
    return f"{_without_module(value.replace(tzinfo=None))[:-1]}, tzinfo={literal(zone)})"


def _zone(value: datetime.timezone) -> str:
    """`UTC`, or `timezone(timedelta(hours=1), "CET")`, where the name may be missing."""
    if value is datetime.UTC:
        return "UTC"
    offset, *name = value.__getinitargs__()  # type: ignore[attr-defined]  # what pickle asks for
    hours, rest = divmod(offset, datetime.timedelta(hours=1))
    text = _without_module(offset) if rest else f"timedelta(hours={hours})"
    return f"timezone({', '.join([text, *map(_text, name)])})"


def _is_named_zone(value: Any) -> bool:
    """Whether it is a ZoneInfo that has a key; told without importing `zoneinfo`."""
    return type(value).__module__ == "zoneinfo" and getattr(value, "key", None) is not None


def _decimal(value: decimal.Decimal) -> str:
    """The expression of a Decimal: `Decimal(3)`, as linters have it, or `Decimal("3.0")`, which
    keeps the number of places. Python reads no int with more digits than its limit.
    """
    text = str(value)
    digits = text.removeprefix("-")
    whole = (
        digits.isdecimal() and text != "-0" and len(digits) <= sys.int_info.default_max_str_digits
    )
    return f"Decimal({text})" if whole else f'Decimal("{text}")'


def _range(value: range) -> str:
    """The expression of a range, short where that does: `range(3)` for `range(0, 3)`."""
    short = value.start == 0 and value.step == 1
    return f"range({value.stop})" if short else repr(value)


def _thread_local(value: threading.local) -> str:
    """`local()`, for a `threading.local` without attributes; raises NoLiteral for any other."""
    if vars(value):
        raise NoLiteral("what a thread keeps for itself")
    return "local()"


_LIBRARY: dict[type, Callable[[Any], str]] = {
    decimal.Decimal: _decimal,
    fractions.Fraction: lambda value: f"Fraction({value.numerator}, {value.denominator})",
    uuid.UUID: lambda value: f'UUID("{value}")',
    datetime.date: _without_module,
    datetime.datetime: _without_module,
    datetime.time: _without_module,
    datetime.timedelta: _without_module,
    datetime.timezone: _zone,
    threading.local: _thread_local,
}


_WITHOUT_IMPORTS = frozenset({int, str, bool, float, bytes, type(None)})


def imports_of(value: Any) -> set[tuple[str, str]]:
    """The (module, name) pairs to import for the literal of a value."""
    kind = type(value)
    if kind in _WITHOUT_IMPORTS:
        return set()
    if kind is FunctionType:
        # Others have no literal, and perhaps no module: `eval("lambda: 1", {})`.
        return {(value.__module__, value.__name__)} if _is_named_function(value) else set()
    own = {_import_of(value if isinstance(value, type) else kind)}
    if kind is _PATH:
        return {("pathlib", "Path")}
    if kind is datetime.timezone:
        named = ["UTC"] if value is datetime.UTC else ["timezone", "timedelta"]
        return {("datetime", name) for name in named}
    if kind in (datetime.datetime, datetime.time) and value.tzinfo is not None:
        return own | imports_of(value.tzinfo)
    if (
        isinstance(value, enum.Enum | type)
        or kind in _LIBRARY
        or isinstance(value, pathlib.PurePath)
        or _is_named_zone(value)
    ):
        return own - _BUILT_IN
    if kind in (list, tuple, set, frozenset):
        return _imports_of_all(value)
    if kind is slice:
        return _imports_of_all((value.start, value.stop, value.step))
    if isinstance(value, dict):
        parts = [each for pair in value.items() for each in pair]
        factory = [getattr(value, "default_factory", None)]
        return (own | _imports_of_all(parts + factory)) - _BUILT_IN - {("builtins", "dict")}
    if kind is collections.deque or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return (own if is_importable(kind) else set()) | _imports_of_all(value)
    if _is_record(kind):
        return own | _imports_of_all([_attribute(value, f.name) for f in dataclasses.fields(kind)])
    return set()


_PATH = type(pathlib.Path())  # what `Path(...)` makes on this system: nobody writes its own name


def _name_of_path(kind: type) -> str:
    return "Path" if kind is _PATH else kind.__name__


_BUILT_IN = {("builtins", name) for name in ("int", "list", "dict", "set", "str", "float", "tuple")}


def _import_of(kind: type) -> tuple[str, str]:
    if kind is threading.local:
        return "threading", "local"
    module = "pathlib" if kind.__module__.startswith("pathlib") else kind.__module__
    return module, kind.__qualname__.split(".")[0]


def _imports_of_all(values: Any) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for each in values:
        found |= imports_of(each)
    return found
