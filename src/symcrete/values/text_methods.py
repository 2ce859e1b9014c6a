"""The methods of texts: CPython's own result beside the content that gives it.

Each function takes a text, tracked or plain, and the method's arguments, of which some may be tracked. CPython
is asked first with the plain values: what it raises is raised, what it gives is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, disjoin
from symcrete.terms.term import Sort, Term, const, int_const
from symcrete.terms.texts import BYTES, STR, Kind, method
from symcrete.values import recording
from symcrete.values.numeric import concolic_int, int_term, pinned, untracked
from symcrete.values.strings import content_of, is_tracked_text, text
from symcrete.values.text_case import EACH, EACH_OR_NONE, capitalized, in_case, is_all, titled
from symcrete.values.text_codec import decoded, encoded, hex_digits
from symcrete.values.text_compare import contains_text, ends_with, starts_with
from symcrete.values.text_contents import Content, Fixed, Span, joined
from symcrete.values.text_format import concatenation, format_method, pinned_any, pinned_text
from symcrete.values.text_index import between, remember_find
from symcrete.values.text_layout import expanded, lines, translated, translated_bytes
from symcrete.values.text_marks import shifted
from symcrete.values.text_render import centered, padded, zero_filled
from symcrete.values.text_search import (
    Charset,
    behind_last,
    count,
    find,
    first,
    parted,
    simplest,
    split_at,
    split_at_last,
    stripped,
    words,
)
from symcrete.values.truth import truth

Method = Callable[..., Any]
METHODS: dict[str, Method] = {}  # of str and bytes
STR_ONLY: dict[str, Method] = {}
BYTES_ONLY: dict[str, Method] = {}


def _row(table: dict[str, Method], *names: str) -> Callable[[Method], Method]:
    def register(function: Method) -> Method:
        for name in names or (function.__name__.rstrip("_"),):
            table[name] = function
        return function

    return register


def kind_of_text(value: Any) -> Kind:
    return STR if isinstance(value, str) else BYTES


def asked(value: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """What CPython says on the plain values."""
    plain = [_plain_argument(arg) for arg in args]
    named = {key: _plain_argument(arg) for key, arg in kwargs.items()}
    return getattr(untracked(value), name)(*plain, **named)


def _plain_argument(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([untracked(each) for each in value])
    return untracked(value)


def _needle(kind: Kind, value: Any) -> Fixed:
    """What is looked for, its number of characters decided; bytes may be asked for by their number."""
    if kind is BYTES and not isinstance(value, bytes | bytearray | memoryview):
        term = int_term(value)
        return Fixed(kind, (term if term is not None else int_const(int(value)),))
    if isinstance(value, bytearray | memoryview):
        value = bytes(value)
    return content_of(value).closed()


# -- case and classes


def _cased(name: str) -> Method:
    def call(self: Any) -> Any:
        plain = untracked(self)
        result = getattr(plain, name)()
        return text(result, in_case(content_of(self), name, plain, result))

    return call


for _name in ("upper", "lower", "swapcase"):
    METHODS[_name] = _cased(_name)
STR_ONLY["casefold"] = _cased("casefold")


@_row(METHODS)
def capitalize(self: Any) -> Any:
    plain = untracked(self)
    return text(plain.capitalize(), capitalized(content_of(self), plain, plain.capitalize()))


@_row(METHODS)
def title(self: Any) -> Any:
    plain = untracked(self)
    return text(plain.title(), titled(content_of(self), plain, plain.title()))


def _class_method(name: str) -> Method:
    def call(self: Any) -> Any:
        return truth(getattr(untracked(self), name)(), is_all(content_of(self), name))

    return call


for _name in (*EACH, *EACH_OR_NONE, "isupper", "islower", "istitle", "isidentifier"):
    (METHODS if hasattr(bytes, _name) else STR_ONLY)[_name] = _class_method(_name)


# -- looking for something


def _window(self: Any, start: Any, end: Any) -> tuple[Content, Term]:
    """The part of a text that a search is confined to, and where it begins."""
    content = content_of(self)
    if start is None and end is None:
        return content, int_const(0)
    if not isinstance(content, Span):
        fixed = content.closed()
        first_index, last, _ = slice(pinned(start), pinned(end)).indices(fixed.count)
        return Fixed(content.kind, fixed.elements[first_index:last]), int_const(first_index)
    origin = content.start.term
    found = between(content, start, end)
    if isinstance(found, Span):
        return found, integers.sub(found.start.term, origin)
    first_index = slice(untracked(start), untracked(end)).indices(content.count)[0]
    return found, int_const(first_index)


def _finder(name: str) -> Method:
    last, fails = name.startswith("r"), name.endswith("index")

    def call(self: Any, sub: Any, start: Any = None, end: Any = None) -> Any:
        value = asked(self, name.replace("index", "find"), sub, start, end)
        kind = kind_of_text(self)
        part = _needle(kind, sub)
        if not part.count:
            return _exactly(self, name, value, sub, start, end)
        content, offset = _window(self, start, end)
        if fails and not recording.active().implicit(
            "ValueError", contains_text(content, part), value >= 0
        ):
            return asked(self, name, sub, start, end)  # raises
        plain_offset = value_of_offset(offset, untracked(self), start, end)
        place = value - plain_offset if value >= 0 else -1
        index = find(content, part, place, last=last)
        _remember(content, part, index, place, last=last)
        if offset.is_const and offset.value == 0:
            return concolic_int(value, index)
        absent = integers.lt(index, int_const(0))
        return concolic_int(value, choose(absent, int_const(-1), integers.add(index, offset)))

    return call


def value_of_offset(offset: Term, plain: Any, start: Any, end: Any) -> int:
    if offset.is_const:
        return int(offset.value)
    return slice(untracked(start), untracked(end)).indices(len(plain))[0]


def _remember(content: Content, part: Fixed, index: Term, place: int, *, last: bool) -> None:
    if not isinstance(content, Span) or index.is_const:
        return
    start = content.start
    if place < 0:
        remember_find(index, start, start, part.count)
        return
    if last:
        behind = behind_last(
            content.root, part, start, content.stop, start.value + place + part.count
        )
        remember_find(index, start, shifted(behind, -part.count), part.count)
    else:
        mark = first(content.root, part, start, content.stop, start.value + place)
        remember_find(index, start, mark, part.count)


def _exactly(self: Any, name: str, value: int, sub: Any, start: Any, end: Any) -> Any:
    """Looking for nothing: CPython's own answer, as it is."""
    args = [
        content_of(each).whole if is_tracked_text(each) else const(untracked(each))
        for each in (sub,)
    ]
    for bound in (start, end):
        args.append(const(None) if bound is None else int_term(bound) or const(bound))
    asked(self, name, sub, start, end)  # `index` raises where `find` gives -1
    whole = content_of(self).whole
    term = method(name.replace("index", "find"), Sort.INT, whole, *args)
    if name.endswith("index"):
        recording.active().implicit("ValueError", integers.le(int_const(0), term), value >= 0)
    return concolic_int(value, term)


for _name in ("find", "rfind", "index", "rindex"):
    METHODS[_name] = _finder(_name)


@_row(METHODS, "count")
def count_(self: Any, sub: Any, start: Any = None, end: Any = None) -> Any:
    value = asked(self, "count", sub, start, end)
    part = _needle(kind_of_text(self), sub)
    if not part.count:
        return _exactly(self, "count", value, sub, start, end)
    content, _ = _window(self, start, end)
    return concolic_int(value, count(content, part))


def _edge(name: str, test: Callable[[Content, Fixed], Term]) -> Method:
    def call(self: Any, affix: Any, start: Any = None, end: Any = None) -> Any:
        value = asked(self, name, affix, start, end)
        kind = kind_of_text(self)
        affixes = [_needle(kind, each) for each in (affix if type(affix) is tuple else (affix,))]
        if start is None and end is None:
            content = content_of(self)
            return truth(value, disjoin([test(content, each) for each in affixes]))
        if any(not each.count for each in affixes):
            args = [const(pinned_any(each)) for each in (start, end)]
            alone = const(_plain_argument(pinned_tuple(affix)))
            return truth(value, method(name, Sort.BOOL, content_of(self).whole, alone, *args))
        content, _ = _window(self, start, end)
        return truth(value, disjoin([test(content, each) for each in affixes]))

    return call


def pinned_tuple(value: Any) -> Any:
    return (
        tuple([pinned_text(each) for each in value]) if type(value) is tuple else pinned_text(value)
    )


METHODS["startswith"] = _edge("startswith", starts_with)
METHODS["endswith"] = _edge("endswith", ends_with)


@_row(METHODS)
def removeprefix(self: Any, prefix: Any) -> Any:
    result = asked(self, "removeprefix", prefix)
    part = _needle(kind_of_text(self), prefix)
    content = content_of(self)
    has = untracked(self).startswith(untracked(prefix))
    if not recording.active().implicit("text", starts_with(content, part), has):
        return self
    if isinstance(content, Span):
        return text(result, between_known(content, part.count, 0))
    return text(result, Fixed(content.kind, content.closed().elements[part.count :]))


@_row(METHODS)
def removesuffix(self: Any, suffix: Any) -> Any:
    result = asked(self, "removesuffix", suffix)
    part = _needle(kind_of_text(self), suffix)
    content = content_of(self)
    has = untracked(self).endswith(untracked(suffix))
    if not recording.active().implicit("text", ends_with(content, part), has) or not part.count:
        return self
    if isinstance(content, Span):
        return text(result, between_known(content, 0, part.count))
    return text(result, Fixed(content.kind, content.closed().elements[: -part.count]))


def between_known(content: Span, off_start: int, off_end: int) -> Content:
    """Without so many characters at each end, which are known to be there."""
    return simplest(
        Span(content.root, shifted(content.start, off_start), shifted(content.stop, -off_end))
    )


# -- taking apart


def _stripper(name: str) -> Method:
    left, right = name != "rstrip", name != "lstrip"

    def call(self: Any, chars: Any = None, /) -> Any:
        result = asked(self, name, chars)
        charset = Charset(kind_of_text(self), pinned_text(chars))
        content = stripped(content_of(self), untracked(self), charset, left=left, right=right)
        return text(result, content)

    return call


for _name in ("strip", "lstrip", "rstrip"):
    METHODS[_name] = _stripper(_name)


@_row(METHODS)
def split(self: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    pieces = asked(self, "split", sep, maxsplit)
    most = pinned(maxsplit)
    if sep is None:
        contents = words(content_of(self), untracked(self), pieces, most)
    else:
        contents = split_at(content_of(self), pieces, _needle(kind_of_text(self), sep), most)
    return [text(piece, each) for piece, each in zip(pieces, contents, strict=True)]


@_row(METHODS)
def rsplit(self: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    pieces = asked(self, "rsplit", sep, maxsplit)
    most = pinned(maxsplit)
    if most < 0:
        return split(self, sep, most)
    if sep is None:
        return _rsplit_words(self, pieces, most)
    contents = split_at_last(content_of(self), pieces, _needle(kind_of_text(self), sep), most)
    return [text(piece, each) for piece, each in zip(pieces, contents, strict=True)]


def _rsplit_words(self: Any, pieces: list[Any], most: int) -> Any:
    """As splitting the text backwards."""
    content, plain = content_of(self).closed(), untracked(self)
    turned = Fixed(content.kind, content.elements[::-1])
    contents = words(turned, plain[::-1], [piece[::-1] for piece in pieces[::-1]], most)
    found = [Fixed(content.kind, each.closed().elements[::-1]) for each in contents[::-1]]
    return [text(piece, each) for piece, each in zip(pieces, found, strict=True)]


@_row(METHODS)
def splitlines(self: Any, keepends: Any = False) -> Any:
    pieces = asked(self, "splitlines", keepends)
    contents = lines(content_of(self), untracked(self), keep=bool(keepends))
    return [text(piece, each) for piece, each in zip(pieces, contents, strict=True)]


def _parter(name: str) -> Method:
    last = name == "rpartition"

    def call(self: Any, sep: Any) -> Any:
        pieces = asked(self, name, sep)
        found = parted(content_of(self), pieces, _needle(kind_of_text(self), sep), last=last)
        if found is None:
            return (*pieces[:2], self) if last else (self, *pieces[1:])
        return tuple([text(piece, each) for piece, each in zip(pieces, found, strict=True)])

    return call


METHODS["partition"] = _parter("partition")
METHODS["rpartition"] = _parter("rpartition")


# -- putting together


@_row(METHODS)
def join(self: Any, items: Iterable[Any]) -> Any:
    parts = list(items)
    asked(self, "join", [untracked(each) for each in parts])
    woven: list[Any] = []
    for each in parts:
        woven += (self, each) if woven else (each,)
    return concatenation(kind_of_text(self), woven)


@_row(METHODS)
def replace(self: Any, old: Any, new: Any, count: Any = -1, /) -> Any:
    result = asked(self, "replace", old, new, count)
    most = pinned(count)
    kind = kind_of_text(self)
    part = _needle(kind, old)
    if most == 0:
        return self
    if not part.count:
        return _interspersed(self, result, new, most)
    plain = untracked(self)
    pieces = plain.split(kind.join(_codes(kind, old)), most if most > 0 else -1)
    contents = split_at(content_of(self), pieces, part, most)
    woven: list[Content] = [contents[0]]
    filler = content_of(new)
    for each in contents[1:]:
        woven += (filler, each)
    return text(result, joined(kind, woven)) if len(contents) > 1 else self


def _codes(kind: Kind, value: Any) -> list[int]:
    return kind.codes(untracked(value))


def _interspersed(self: Any, result: Any, new: Any, most: int) -> Any:
    """Replacing the empty text puts the new one before each character and at the end."""
    content = content_of(self).closed()
    kind = content.kind
    left = most if most >= 0 else content.count + 1
    filler = content_of(new)
    woven: list[Content] = []
    for index in range(content.count + 1):
        if index < left:
            woven.append(filler)
        woven.append(Fixed(kind, content.elements[index : index + 1]))
    return text(result, joined(kind, woven))


def _filler(name: str, align: str) -> Method:
    def call(self: Any, width: Any, fill: Any = None, /) -> Any:
        kind = kind_of_text(self)
        blank = (" " if kind is STR else b" ") if fill is None else pinned_text(fill)
        result = asked(self, name, width, blank)
        size = pinned(width)
        content, plain = content_of(self), untracked(self)
        if align == "^":
            return text(result, centered(content, plain, size, blank))
        return text(result, padded(content, plain, size, blank, align))

    return call


for _name, _align in (("ljust", "<"), ("rjust", ">"), ("center", "^")):
    METHODS[_name] = _filler(_name, _align)


@_row(METHODS)
def zfill(self: Any, width: Any) -> Any:
    result = asked(self, "zfill", width)
    return text(result, zero_filled(content_of(self), untracked(self), pinned(width)))


@_row(METHODS)
def expandtabs(self: Any, tabsize: Any = 8) -> Any:
    result = asked(self, "expandtabs", tabsize)
    return text(result, expanded(content_of(self), untracked(self), pinned(tabsize)))


@_row(STR_ONLY, "translate")
def translate_str(self: Any, table: Any) -> Any:
    return translated(self, table)


@_row(BYTES_ONLY, "translate")
def translate_bytes(self: Any, table: Any, /, delete: Any = b"") -> Any:
    return translated_bytes(self, table, delete)


# -- between str and bytes


@_row(STR_ONLY)
def encode(self: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    plain, name, how = untracked(self), pinned_text(encoding), pinned_text(errors)
    content = encoded(content_of(self), plain, name, how)
    return plain.encode(name, how) if content is None else text(plain.encode(name, how), content)


@_row(BYTES_ONLY)
def decode(self: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    plain, name, how = untracked(self), pinned_text(encoding), pinned_text(errors)
    content = decoded(content_of(self), plain, name, how)
    return plain.decode(name, how) if content is None else text(plain.decode(name, how), content)


@_row(BYTES_ONLY, "hex")
def hex_(self: Any, *args: Any) -> Any:
    plain = untracked(self)
    result = plain.hex(*args)
    digits = hex_digits(content_of(self).closed())
    if not args:
        return text(result, digits)
    separator = [index for index, char in enumerate(result) if char not in "0123456789abcdef"]
    elements = list(digits.closed().elements)
    for index in separator:
        elements.insert(index, int_const(ord(result[index])))
    return text(result, Fixed(STR, tuple(elements)))


@_row(STR_ONLY, "format")
def format_(self: Any, /, *args: Any, **kwargs: Any) -> Any:
    return format_method(self, *args, **kwargs)


@_row(STR_ONLY)
def format_map(self: Any, mapping: Any) -> Any:
    return (
        format_method(self, **mapping)
        if type(mapping) is dict
        else untracked(self).format_map(mapping)
    )
