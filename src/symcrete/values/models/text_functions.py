"""Built-ins on texts, and what plain texts do with tracked arguments."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import conjoin
from symcrete.terms.term import int_const
from symcrete.terms.texts import BYTES, STR
from symcrete.values.containers.sets import ordered
from symcrete.values.rows.model_rows import Method, Model, ModelRow, TransparentMethods
from symcrete.values.text.content.contents import Fixed, constant
from symcrete.values.text.content.positions import index_of
from symcrete.values.text.content.strings import ConcolicBytes, ConcolicStr, content_of, text
from symcrete.values.text.meaning.formatting import (
    as_ascii,
    as_repr,
    as_str,
    formatted,
    told,
)
from symcrete.values.text.meaning.numerals import to_float, to_int
from symcrete.values.text.methods import making
from symcrete.values.text.methods.bytearrays import ConcolicByteArray, as_bytes, made_array
from symcrete.values.text.methods.method_table import OF_BYTES, OF_STR
from symcrete.values.tracking import recording
from symcrete.values.tracking.carrying import carries
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import (
    ConcolicInt,
    concolic_int,
    int_term,
    pinned,
    tracked,
    untracked,
)
from symcrete.values.tracking.subscripts import plain_slice
from symcrete.values.tracking.truth import Truth


def plain_item(container: Any, index: Any) -> Any:
    """`container[index]` for a plain text, where the index may be tracked."""
    if type(index) is ConcolicInt or type(index) is Truth:
        kind = STR if type(container) is str else BYTES
        return index_of(constant(kind, container), container, +index)
    return container[plain_slice(index) if type(index) is slice else index]


# -- text and numbers


def int_of_text(value: Any, /, base: Any = 10) -> Any:
    """`int(value, base)` for a tracked text."""
    number = pinned(base)
    if type(number) is not int or not (number == 0 or 2 <= number <= 36):
        # raises, or asks an object for the number it stands for
        return int(untracked(value), number)
    return to_int(content_of(value), untracked(value), number)


def float_of_text(value: Any) -> Any:
    """`float(value)` for a tracked text."""
    return to_float(content_of(value), untracked(value))


def str_model(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and not kwargs:
        return as_str(args[0])
    if args and type(args[0]) is ConcolicBytes:
        return making.decode(*args, **kwargs)
    return foreign(str, *args, **kwargs)


def repr_model(value: Any, /) -> Any:
    return as_repr(value)


def ascii_model(value: Any, /) -> Any:
    return as_ascii(value)


def format_builtin(value: Any, spec: Any = "", /) -> Any:
    return formatted(value, -1, spec)


def _in_base(original: Callable[[Any], str], spec: str) -> Model:
    """The model of `hex`, `oct` or `bin`: what `format` gives for this specification."""

    def call(value: Any, /) -> Any:
        return (
            formatted(+value, -1, spec) if type(value) in (ConcolicInt, Truth) else original(value)
        )

    return Model(original, call)


def ord_model(char: Any, /) -> Any:
    if type(char) is not ConcolicStr and type(char) is not ConcolicBytes:
        return ord(char)
    content = char.content
    if not isinstance(content, Fixed):
        one = integers.eq(content.length, int_const(1))
        recording.active().implicit("TypeError", one, content.count == 1)
    code = ord(untracked(char))
    return concolic_int(code, content.given(1)[0])


def chr_model(code: Any, /) -> Any:
    if type(code) is not ConcolicInt and type(code) is not Truth:
        return chr(code)
    number: Any = +code
    term, plain = number.term, untracked(number)
    inside = [integers.le(int_const(0), term), integers.le(term, int_const(0x10FFFF))]
    record = recording.active()
    if not record.implicit("ValueError", conjoin(inside), 0 <= plain <= 0x10FFFF):
        least, most = -(2**31), 2**31 - 1  # of an int in C, for which the error is another
        in_c = [integers.le(int_const(least), term), integers.le(term, int_const(most))]
        record.implicit("OverflowError", conjoin(in_c), least <= plain <= most)
    return text(chr(plain), Fixed(STR, (term,)))


def bytes_model(*args: Any, **kwargs: Any) -> Any:
    source: Any = args[0] if args else None
    if type(source) is ConcolicBytes and len(args) == 1:
        return source
    if type(source) is ConcolicByteArray and len(args) == 1:
        return as_bytes(source)
    if type(source) is ConcolicStr:
        named = {**dict(zip(("encoding", "errors"), args[1:], strict=False)), **kwargs}
        return making.encode(source, **named) if named else bytes(untracked(source))
    if type(source) in (ConcolicInt, Truth):
        return bytes(pinned(source))
    if len(args) == 1 and type(source) in (list, tuple) and any(tracked(each) for each in source):
        return _bytes_of(source)
    return foreign(bytes, *args, **kwargs)


def _bytes_of(numbers: Any) -> Any:
    record = recording.active()
    terms = []
    for each in numbers:
        term, plain = int_term(each), untracked(each)
        if term is None:
            return foreign(bytes, numbers)
        inside = [integers.le(int_const(0), term), integers.le(term, int_const(255))]
        record.implicit("ValueError", conjoin(inside), 0 <= plain <= 255)
        terms.append(term)
    return text(bytes([untracked(each) for each in numbers]), Fixed(BYTES, tuple(terms)))


def bytearray_model(*args: Any, **kwargs: Any) -> Any:
    """`bytearray(...)`; in a run it is always a tracked one, since something tracked may be put
    into it.
    """
    found = bytes_model(*args, **kwargs)
    if not recording.active().live:
        return bytearray(found)
    return made_array(untracked(found), content_of(found))


def print_model(
    *args: Any, sep: Any = None, end: Any = None, file: Any = None, flush: Any = False
) -> None:
    """`print(...)`; what goes to a file that the program may read again keeps its terms."""
    out = sys.stdout if file is None else file
    if out is not None and not getattr(out, "swallows", False) and carries((args, sep, end)):
        write = callee(out.write)
        for number, each in enumerate(args):
            # One by one as CPython does: what comes before a value that has no text is written.
            if number:
                write(" " if sep is None else sep)
            write(as_str(each))
        write("\n" if end is None else end)
        return
    record = recording.active()
    losses = dict(record.losses)
    print(*[untracked(arg) for arg in args], sep=sep, end=end, file=file, flush=flush)
    record.losses.clear()
    record.losses.update(losses)


def fspath_model(path: Any) -> Any:
    return path if type(path) is ConcolicStr or type(path) is ConcolicBytes else os.fspath(path)


# -- methods of plain texts, given something tracked


def _bound(kind: type, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The method `name` of texts: `function` where something tracked is involved, else the
    built-in one.
    """
    original = getattr(kind, name)

    def call(owner: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(owner) is kind and not kwargs and PLAIN_KINDS.issuperset(map(type, args)):
            return original(owner, *args)
        if not isinstance(owner, kind):
            return original(owner, *args, **kwargs)  # raises
        if tracked(owner) or carries(args) or (kwargs and carries(kwargs.values())):
            return function(_of_kind(kind, owner), *args, **kwargs)
        result = original(owner, *args, **kwargs)
        return told([*args, *kwargs.values()], result) if name == "format" else result

    return call


def _of_kind(kind: type, owner: Any) -> Any:
    """The text as a plain one of the class `kind`. A subclass may define a method that calls the
    one of `kind`; the model of the latter must not call the former again.
    """
    if type(owner) is kind or tracked(owner):
        return owner
    return str.__str__(owner) if kind is str else bytes.__getitem__(owner, slice(None))


PLAIN_KINDS = frozenset({str, bytes, int, type(None)})


def _joining(kind: type, function: Callable[..., Any]) -> Callable[..., Any]:
    """As `_bound` for `join`, whose argument is an iterable of texts."""
    original: Callable[..., Any] = vars(kind)["join"]

    def call(owner: Any, items: Any, /) -> Any:
        if not isinstance(owner, kind):
            return original(owner, items)  # raises
        parts = items if type(items) is list or type(items) is tuple else list(ordered(items))
        if tracked(owner) or any(tracked(each) for each in parts):
            return function(_of_kind(kind, owner), parts)
        return original(owner, parts)

    return call


def _methods_of(kind: type, functions: dict[str, Callable[..., Any]]) -> Iterator[ModelRow]:
    """The methods of plain texts, called on a text and as in `map(str.strip, parts)`."""
    for name, function in functions.items():
        call = _joining(kind, function) if name == "join" else _bound(kind, name, function)
        yield Method(kind, name, call)
        yield Model(getattr(kind, name), call)


MODELS: tuple[ModelRow, ...] = (
    *_methods_of(str, OF_STR),
    *_methods_of(bytes, OF_BYTES),
    Model(str, str_model),
    Model(repr, repr_model),
    Model(ascii, ascii_model),
    Model(format, format_builtin),
    _in_base(hex, "#x"),
    _in_base(oct, "#o"),
    _in_base(bin, "#b"),
    Model(ord, ord_model),
    Model(chr, chr_model),
    Model(bytes, bytes_model),
    Model(bytearray, bytearray_model),
    Model(os.fspath, fspath_model),
    Model(print, print_model),
    TransparentMethods(
        str,
        "upper lower casefold swapcase capitalize title isalpha isdigit isdecimal isnumeric "
        "isalnum isspace isupper islower istitle isprintable isidentifier isascii",
    ),
    TransparentMethods(
        bytes,
        "upper lower swapcase capitalize title isalpha isdigit isalnum isspace isupper islower "
        "istitle isascii",
    ),
)
