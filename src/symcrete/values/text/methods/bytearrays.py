"""A bytearray that carries a content.

Questions about it are answered by bytes with the same content; operations that change it decide its
length first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from symcrete.terms.term import Term, int_const
from symcrete.terms.texts import BYTES
from symcrete.values.text.content.contents import Content, Fixed
from symcrete.values.text.content.positions import item as text_item
from symcrete.values.text.content.positions import one, steps
from symcrete.values.text.content.strings import ConcolicBytes, text
from symcrete.values.text.methods.calling import decide_byte
from symcrete.values.text.methods.method_table import OF_BYTES
from symcrete.values.text.methods.text_classes import OPERATORS_OF_TEXTS
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import int_term, pinned, tracked, untracked
from symcrete.values.tracking.subscripts import item as plain_item

_new = bytearray.__new__


class ConcolicByteArray(bytearray):
    """A bytearray and what is known of its bytes."""

    content: Content

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bytearray

    __hash__ = None

    def __reduce__(self) -> Any:
        recording.active().lose("pickling")
        return bytearray, (plain_bytes_of(self),)

    def __copy__(self) -> Any:
        return tracked_array(plain_bytes_of(self), self.content)

    def __deepcopy__(self, memo: Any) -> Any:
        return tracked_array(plain_bytes_of(self), self.content)

    def __bytes__(self) -> bytes:
        recording.active().lose("bytes()")
        return plain_bytes_of(self)

    def __repr__(self) -> str:
        recording.active().lose("repr()")
        return repr(bytearray(plain_bytes_of(self)))

    # -- changes

    def append(self, value: Any, /) -> None:
        elements = _elements(self)
        term = _byte(value)
        bytearray.append(self, untracked(value))
        _set(self, [*elements, term])

    def extend(self, values: Iterable[Any], /) -> None:
        new, terms = _bytes_and_terms(values)
        elements = _elements(self)
        bytearray.extend(self, new)
        _set(self, elements + terms)

    def insert(self, index: Any, value: Any, /) -> None:
        elements, at = _elements(self), pinned(index)
        term = _byte(value)
        bytearray.insert(self, at, untracked(value))
        elements.insert(at, term)
        _set(self, elements)

    def pop(self, index: Any = -1, /) -> Any:
        elements, at = _elements(self), pinned(index)
        code = bytearray.pop(self, at)
        term = elements.pop(at)
        _set(self, elements)
        return one(BYTES, code, term)

    def remove(self, value: Any, /) -> None:
        operator.index(untracked(value))  # raises for bytes, which `find` takes
        place = as_bytes(self).find(value)  # pinned, since what is left depends on the place
        at = pinned(place)
        if at < 0:
            raise ValueError("value not found in bytearray")
        del self[at]

    def reverse(self) -> None:
        elements = _elements(self)
        bytearray.reverse(self)
        _set(self, elements[::-1])

    def clear(self) -> None:
        bytearray.clear(self)
        _set(self, [])

    def copy(self) -> Any:
        return self.__copy__()

    def __setitem__(self, index: Any, value: Any) -> None:
        elements = _elements(self)
        if isinstance(index, slice):
            where = slice(pinned(index.start), pinned(index.stop), pinned(index.step))
            new, terms = _bytes_and_terms(value)
            bytearray.__setitem__(self, where, new)
            elements[where] = terms
        else:
            at = pinned(index)
            term = _byte(value)
            bytearray.__setitem__(self, at, untracked(value))
            elements[at] = term
        _set(self, elements)

    def __delitem__(self, index: Any) -> None:
        elements = _elements(self)
        where = index
        if isinstance(index, slice):
            where = slice(pinned(index.start), pinned(index.stop), pinned(index.step))
        else:
            where = pinned(index)
        bytearray.__delitem__(self, where)
        del elements[where]
        _set(self, elements)

    def __iadd__(self, other: Any) -> Any:  # type: ignore[misc]
        if not isinstance(other, bytes | bytearray | memoryview):
            try:
                other = memoryview(other).tobytes()  # of an array, say
            except TypeError:
                return NotImplemented
        self.extend(other)
        return self

    def __imul__(self, times: Any) -> Any:  # type: ignore[misc]
        number = pinned(times)
        elements = _elements(self)
        bytearray.__imul__(self, number)
        _set(self, elements * number)
        return self


def plain_bytes_of(value: bytearray) -> bytes:
    return bytes(bytearray.__getitem__(value, slice(None)))


def as_bytes(value: Any) -> Any:
    """The bytes that a bytearray holds, tracked as it is: they answer questions in its place."""
    return text(plain_bytes_of(value), value.content)


def tracked_array(value: bytes, content: Content) -> Any:
    """The tracked bytearray of a content; a plain one where every byte is constant."""
    if isinstance(content, Fixed) and content.is_const:
        return bytearray(value)
    return made_array(value, content)


def made_array(value: bytes, content: Content) -> ConcolicByteArray:
    """The tracked bytearray of a content, also where every byte is constant."""
    made = _new(ConcolicByteArray)
    bytearray.__init__(made, value)
    made.content = content
    return made


def _elements(value: ConcolicByteArray) -> list[Term]:
    return list(value.content.closed().elements)


def _set(value: ConcolicByteArray, elements: list[Term]) -> None:
    value.content = Fixed(BYTES, tuple(elements))


def _byte(value: Any) -> Term:
    decide_byte(value)
    term = int_term(value)
    return int_const(0) if term is None else term  # what is no number raises when it is stored


def _bytes_and_terms(values: Any) -> tuple[bytes, list[Term]]:
    """The bytes that are put in, as plain bytes and as terms."""
    if isinstance(values, ConcolicByteArray):
        values = as_bytes(values)
    if type(values) is ConcolicBytes:
        return untracked(values), list(values.content.closed().elements)
    if isinstance(values, bytes | bytearray | memoryview):
        new = bytes(values)
        return new, [int_const(code) for code in new]
    items = list(values)
    terms = [_byte(each) for each in items]
    return bytes([untracked(each) for each in items]), terms


# -- what bytes answer


def as_array(value: Any) -> Any:
    """The answer of bytes with every bytes in it made a bytearray."""
    kind = type(value)
    if kind is ConcolicBytes:
        return tracked_array(untracked(value), value.content)
    if kind is bytes:
        return bytearray(value)
    if kind is list or kind is tuple:
        return kind([as_array(each) for each in value])
    return value


def _asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method of tracked bytes as a method of the bytearray: bytes in its answer are arrays."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return as_array(function(as_bytes(self), *map(_argument, args), **kwargs))

    return call


def _argument(value: Any) -> Any:
    if isinstance(value, ConcolicByteArray):
        return as_bytes(value)
    if type(value) is list:
        return [_argument(each) for each in value]
    return value


def _operator(name: str) -> Callable[..., Any]:
    function = OPERATORS_OF_TEXTS[name]

    def call(self: Any, other: Any) -> Any:
        right = bytes(other) if type(other) in (bytearray, memoryview) else _argument(other)
        found = function(as_bytes(self), right)
        return as_array(found) if name in _GIVING_ARRAYS else found

    return call


_GIVING_ARRAYS = frozenset({"__add__", "__mul__", "__rmul__", "__mod__"})


def item(value: Any, index: Any) -> Any:
    """`value[index]`: a number, or for a slice a bytearray."""
    whole = as_bytes(value) if type(value) is not bytearray else value
    return as_array(text_item(whole, index) if tracked(whole) else plain_item(whole, index))


def array_steps(value: Any, site: int) -> Iterator[Any]:
    """The bytes in turn, each as it is when it is reached: an array may change meanwhile."""
    if not isinstance(value.content, Fixed):
        yield from steps(as_bytes(value), site)
        return
    index = 0
    while index < bytearray.__len__(value):
        yield item(value, index)
        index += 1


def _iterate(self: Any) -> Iterator[Any]:
    return array_steps(self, recording.active().dynamic_site("for"))


def plain_array(value: Any) -> bytearray:
    """A plain bytearray of the same bytes."""
    return bytearray(plain_bytes_of(value))


for _name, _function in OF_BYTES.items():
    setattr(ConcolicByteArray, _name, _asking(_function))
for _name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "mul", "rmul", "mod", "contains"):
    setattr(ConcolicByteArray, f"__{_name}__", _operator(f"__{_name}__"))
_OTHERS: dict[str, Callable[..., Any]] = {
    "__getitem__": item,
    "__iter__": _iterate,
    "__len__": lambda self: OPERATORS_OF_TEXTS["__len__"](as_bytes(self)),
    "__bool__": lambda self: OPERATORS_OF_TEXTS["__bool__"](as_bytes(self)),
}
for _name, _function in _OTHERS.items():
    setattr(ConcolicByteArray, _name, _function)
