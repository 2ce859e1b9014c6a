"""The methods of texts that give texts: stripping, splitting, joining, replacing, coding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcrete.terms.term import int_const
from symcrete.terms.texts import STR
from symcrete.values.text.content.contents import Content, Fixed, joined
from symcrete.values.text.content.strings import content_of, kind_of, text
from symcrete.values.text.meaning.encodings import decoded, encoded, hex_digits
from symcrete.values.text.meaning.formatting import (
    concatenation,
    format_method,
    pinned_any,
    pinned_text,
)
from symcrete.values.text.meaning.lines_and_tabs import (
    expanded,
    lines,
    translated,
    translated_bytes,
)
from symcrete.values.text.meaning.rendering import centered, padded, zero_filled
from symcrete.values.text.meaning.searching import (
    Charset,
    parted,
    split_at,
    split_at_last,
    stripped,
    words,
)
from symcrete.values.text.methods.calling import (
    Method,
    asked,
    kind_of_text,
    needle,
)
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import pinned, untracked

# -- taking apart


def _stripper(name: str) -> Method:
    left, right = name != "rstrip", name != "lstrip"

    def call(self: Any, chars: Any = None, /) -> Any:
        chars = pinned_text(chars)
        result = asked(self, name, chars)
        plain = bytes(chars) if isinstance(chars, bytearray | memoryview) else chars
        charset = Charset(kind_of_text(self), plain)
        content = stripped(content_of(self), untracked(self), charset, left=left, right=right)
        return text(result, content)

    return call


def _texts(pieces: Iterable[Any], contents: Iterable[Content]) -> list[Any]:
    return [text(piece, each) for piece, each in zip(pieces, contents, strict=True)]


def split(self: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    most = pinned(maxsplit)
    part = None if sep is None else needle(kind_of_text(self), sep)
    pieces = asked(self, "split", sep, most)
    if sep is None:
        return _texts(pieces, words(content_of(self), untracked(self), pieces, most))
    assert part is not None
    return _texts(pieces, split_at(content_of(self), pieces, part, most))


def rsplit(self: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    most = pinned(maxsplit)
    part = None if sep is None else needle(kind_of_text(self), sep)
    pieces = asked(self, "rsplit", sep, most)
    if sep is None:
        return split(self) if most < 0 else _rsplit_words(self, pieces, most)
    assert part is not None
    return _texts(pieces, split_at_last(content_of(self), pieces, part, most))


def _rsplit_words(self: Any, pieces: list[Any], most: int) -> Any:
    """The texts of `rsplit(None, most)`, found as `split` of the text turned round."""
    content, plain = content_of(self).closed(), untracked(self)
    turned = Fixed(content.kind, content.elements[::-1])
    contents = words(turned, plain[::-1], [piece[::-1] for piece in pieces[::-1]], most)
    return _texts(pieces, [Fixed(content.kind, c.closed().elements[::-1]) for c in contents[::-1]])


def splitlines(self: Any, keepends: Any = False) -> Any:
    keep = bool(pinned(keepends))
    pieces = asked(self, "splitlines", keep)
    return _texts(pieces, lines(content_of(self), untracked(self), keep=keep))


def _parter(name: str) -> Method:
    last = name == "rpartition"

    def call(self: Any, sep: Any, /) -> Any:
        part = needle(kind_of_text(self), sep)
        pieces = asked(self, name, sep)
        assert part is not None
        found = parted(content_of(self), pieces, part, last=last)
        if found is None:
            return (*pieces[:2], self) if last else (self, *pieces[1:])
        return tuple(_texts(pieces, found))

    return call


# -- putting together


def join(self: Any, items: Iterable[Any], /) -> Any:
    if type(items) is set or type(items) is frozenset:
        recording.read_order(items)
    parts = list(items)
    kind = kind_of_text(self)
    result = asked(self, "join", [untracked(each) for each in parts])
    if any(kind_of(each) is not kind for each in parts):
        parts = [each if kind_of(each) is kind else kind.join(kind.codes(each)) for each in parts]
    woven: list[Any] = []
    for each in parts:
        woven += (self, each) if woven else (each,)
    return concatenation(kind, woven) if woven else result


def replace(self: Any, old: Any, new: Any, count: Any = -1) -> Any:
    most = pinned(count)
    kind = kind_of_text(self)
    part = needle(kind, old)
    result = asked(self, "replace", old, new, most)
    assert part is not None
    if most == 0:
        return self
    if not part.count:
        return _interspersed(self, result, new, most)
    pieces = untracked(self).split(kind.join(kind.codes(untracked(old))), most)
    contents = split_at(content_of(self), pieces, part, most)
    if len(contents) == 1:
        return self
    woven: list[Content] = [contents[0]]
    for each in contents[1:]:
        woven += (content_of(new), each)
    return text(result, joined(kind, woven))


def _interspersed(self: Any, result: Any, new: Any, most: int) -> Any:
    """The text with the new one put before each character and at the end, as replacing "" does."""
    content = content_of(self).closed()
    kind = content.kind
    left = most if most >= 0 else content.count + 1
    woven: list[Content] = []
    for index in range(content.count + 1):
        if index < left:
            woven.append(content_of(new))
        woven.append(Fixed(kind, content.elements[index : index + 1]))
    return text(result, joined(kind, woven))


def _filler(name: str, align: str) -> Method:
    def call(self: Any, width: Any, fill: Any = None, /) -> Any:
        kind = kind_of_text(self)
        blank = (" " if kind is STR else b" ") if fill is None else pinned_text(fill)
        size = pinned(width)
        result = asked(self, name, size, blank)
        content, plain = content_of(self), untracked(self)
        if align == "^":
            return text(result, centered(content, plain, size, blank))
        return text(result, padded(content, plain, size, blank, align))

    return call


def zfill(self: Any, width: Any, /) -> Any:
    size = pinned(width)
    result = asked(self, "zfill", size)
    return text(result, zero_filled(content_of(self), untracked(self), size))


def expandtabs(self: Any, tabsize: Any = 8) -> Any:
    size = pinned(tabsize)
    result = asked(self, "expandtabs", size)
    return text(result, expanded(content_of(self), untracked(self), size))


def translate_str(self: Any, table: Any, /) -> Any:
    return translated(self, table)


def translate_bytes(self: Any, table: Any, /, delete: Any = b"") -> Any:
    return translated_bytes(self, pinned_text(table), pinned_text(delete))


# -- between str and bytes


def encode(self: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    plain, name, how = untracked(self), pinned_text(encoding), pinned_text(errors)
    content = encoded(content_of(self), plain, name, how)
    result = plain.encode(name, how)
    return result if content is None else text(result, content)


def decode(self: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    plain, name, how = untracked(self), pinned_text(encoding), pinned_text(errors)
    content = decoded(content_of(self), plain, name, how)
    result = plain.decode(name, how)
    return result if content is None else text(result, content)


def hex_(self: Any, *args: Any) -> Any:
    digits = hex_digits(content_of(self).closed())
    plain = [pinned_any(each) for each in args]
    result = untracked(self).hex(*plain)
    elements = list(digits.elements)
    # A separator may look like a digit: where it stands is asked with one that does not.
    for index, char in enumerate(untracked(self).hex("-", *plain[1:]) if plain else ""):
        if char == "-":
            elements.insert(index, int_const(ord(result[index])))
    return text(result, Fixed(STR, tuple(elements)))


def format_(self: Any, /, *args: Any, **kwargs: Any) -> Any:
    return format_method(self, *args, **kwargs)


def format_map(self: Any, mapping: Any, /) -> Any:
    if type(mapping) is dict:
        named = {key: value for key, value in mapping.items() if isinstance(key, str)}
        try:
            return format_method(self, **named)
        except IndexError:
            # A field without a name is another error here than for `format`: CPython raises it.
            return pinned_text(self).format_map(mapping)
    return pinned_text(self).format_map(mapping)


METHODS: dict[str, Method] = {
    "strip": _stripper("strip"),
    "lstrip": _stripper("lstrip"),
    "rstrip": _stripper("rstrip"),
    "split": split,
    "rsplit": rsplit,
    "splitlines": splitlines,
    "partition": _parter("partition"),
    "rpartition": _parter("rpartition"),
    "join": join,
    "replace": replace,
    "ljust": _filler("ljust", "<"),
    "rjust": _filler("rjust", ">"),
    "center": _filler("center", "^"),
    "zfill": zfill,
    "expandtabs": expandtabs,
}
STR_ONLY: dict[str, Method] = {
    "translate": translate_str,
    "encode": encode,
    "format": format_,
    "format_map": format_map,
}
BYTES_ONLY: dict[str, Method] = {
    "translate": translate_bytes,
    "decode": decode,
    "hex": hex_,
}
