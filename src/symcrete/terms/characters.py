"""Conditions on single characters: classes, case, and comparison with what case mapping made of
them.

For a str CPython's own methods decide, whatever the character; solvers see the ASCII part as
intervals. For bytes ASCII is all there is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin, disjoin
from symcrete.terms.operations import MODELLED
from symcrete.terms.term import Operation, Sort, Term, int_const, memo
from symcrete.terms.texts import CASE_BIT, STR, Kind, apply, modelled

ASCII = 127  # the last code of ASCII
LAST_SPACE = 0x3000  # the highest code of a space
CASED_BELOW = 0x20000  # no letter with case lies above (tests look at all of Unicode)
FINAL_SIGMA = 0x3A3  # the code of the Greek capital sigma: its lower case depends on its neighbours

Ranges = tuple[tuple[int, int], ...]
_memo: dict[object, Term] = memo()


def ranges_of(codes: Iterable[int]) -> Ranges:
    """Code points as intervals."""
    found: list[list[int]] = []
    for code in sorted(set(codes)):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return tuple([(low, high) for low, high in found])


def member(code: Term, ranges: Ranges) -> Term:
    """The condition that a code point lies in one of the intervals."""
    key = (code, ranges)
    found = _memo.get(key)
    if found is None:
        found = _memo[key] = disjoin([between(code, low, high) for low, high in ranges])
    return found


def between(code: Term, low: int, high: int) -> Term:
    """The condition that a code point lies in this interval."""
    if low == high:
        return integers.eq(code, int_const(low))
    return conjoin([integers.le(int_const(low), code), integers.le(code, int_const(high))])


# -- classes


def _test(name: str) -> Callable[[int], bool]:
    def test(code: int) -> bool:
        return bool(getattr(chr(code), name)())

    return test


def _is_cased(code: int) -> bool:
    char = chr(code)
    return char.isupper() or char.islower() or char.istitle()


def _continues_identifier(code: int) -> bool:
    return ("_" + chr(code)).isidentifier()


_TESTS: dict[str, Callable[[int], bool]] = {
    name: _test(name)
    for name in [
        "isalpha",
        "isdigit",
        "isdecimal",
        "isnumeric",
        "isalnum",
        "isspace",
        "isupper",
        "islower",
        "istitle",
        "isprintable",
        "isidentifier",
    ]
}
_TESTS |= {
    "iscased": _is_cased,
    "cased_not_upper": lambda code: _is_cased(code) and not chr(code).isupper(),
    "cased_not_lower": lambda code: _is_cased(code) and not chr(code).islower(),
    "continues_identifier": _continues_identifier,
}
_CLASSES = {
    name: Operation(
        name,
        Sort.BOOL,
        test,
        f"chr({{0}}).{name}()" if hasattr(str, name) else "",
        opaque=True,
    )
    for name, test in _TESTS.items()
}
# Characters that stand for all beyond ASCII: a digit that `int` does not take, and a letter.
WITNESSES = (0xB2, 0xE9)
_PLAIN: Ranges = ((0, ASCII), *[(code, code) for code in WITNESSES])
_BYTE_TESTS = {
    "iscased": "isalpha",
    "cased_not_upper": "islower",
    "cased_not_lower": "isupper",
}


@functools.cache
def _ranges(name: str) -> Ranges:
    """The characters of a class, among those that solvers are told of: ASCII and the witnesses."""
    test = _TESTS[name]
    return ranges_of([code for code in (*range(ASCII + 1), *WITNESSES) if test(code)])


@functools.cache
def _spaces() -> Ranges:
    """All spaces of Unicode, so that this class needs no model: they are few, none above U+3000."""
    return ranges_of([code for code in range(LAST_SPACE + 1) if chr(code).isspace()])


@functools.cache
def _byte_ranges(name: str) -> Ranges:
    test = _BYTE_TESTS.get(name, name)
    return ranges_of([code for code in range(ASCII + 1) if getattr(bytes([code]), test)()])


def is_a(kind: Kind, name: str, code: Term) -> Term:
    """The condition that a single character belongs to a class: `is_a(STR, "isdigit", c)`."""
    if name == "isascii":
        return integers.le(code, int_const(ASCII))
    if kind is not STR:
        return member(code, _byte_ranges(name))
    if name == "isspace":
        return member(code, _spaces())
    key = (name, code)
    found = _memo.get(key)
    if found is None:
        model = member(code, _ranges(name))
        found = _memo[key] = modelled(apply(_CLASSES[name], code), model, is_plain(code))
    return found


def is_plain(code: Term) -> Term:
    """The condition that a character is one for which models of classes are exact: ASCII, and a
    few others.
    """
    return member(code, _PLAIN)


# -- case


def _mapped(name: str) -> Callable[[int], int]:
    def apply_to(code: int) -> int:
        text = getattr(chr(code), name)()
        return ord(text) if len(text) == 1 else code

    return apply_to


MAPPINGS = {name: _mapped(name) for name in ["upper", "lower", "casefold", "swapcase", "title"]}
_MAPS = {
    name: Operation(name, Sort.INT, function, "", opaque=True)
    for name, function in MAPPINGS.items()
}
_MAP_OF = {op: name for name, op in _MAPS.items()}


def mapped(kind: Kind, name: str, code: Term) -> Term:
    """The term of the character that `upper` or its like makes of one; itself where it would
    become several.
    """
    if code.is_const and kind is STR:
        return int_const(MAPPINGS[name](code.value))
    key = (kind.name, name, "map", code)
    found = _memo.get(key)
    if found is None:
        model = _ascii_case(name, code)
        found = model
        if kind is STR:
            exact = apply(_MAPS[name], code)
            found = modelled(exact, model, integers.le(code, int_const(ASCII)))
        _memo[key] = found
    return found


def _ascii_case(name: str, code: Term) -> Term:
    up, down = integers.sub(code, int_const(CASE_BIT)), integers.add(code, int_const(CASE_BIT))
    result = code
    if name in ("upper", "title", "swapcase"):
        result = choose(between(code, ord("a"), ord("z")), up, result)
    if name in ("lower", "casefold", "swapcase"):
        result = choose(between(code, ord("A"), ord("Z")), down, result)
    return result


@functools.cache
def special(name: str) -> frozenset[int]:
    """The code points of which a mapping makes more or fewer than one character, or one that
    depends on its neighbours.
    """
    found = {c for c in range(CASED_BELOW) if len(getattr(chr(c), name)()) != 1}
    if name in ("lower", "swapcase", "title"):
        found.add(FINAL_SIGMA)
    return frozenset(found)


@functools.cache
def _sources(name: str) -> dict[int, tuple[int, ...]]:
    """By character, the other characters that a mapping turns into it."""
    made: dict[int, list[int]] = {}
    chars = [chr(code) for code in range(CASED_BELOW)]
    # A method of `str` over all of them at once: a fifth of the time of calls one by one.
    for char, image in zip(chars, map(getattr(str, name), chars), strict=True):
        if image != char and len(image) == 1:
            made.setdefault(ord(image), []).append(ord(char))
    return {image: tuple(codes) for image, codes in made.items()}


def same(left: Term, right: Term) -> Term:
    """The condition that two characters are the same; a mapped one is compared by what it comes
    from.
    """
    if left.is_const:
        left, right = right, left
    if right.is_const and left.op is MODELLED:
        name = _MAP_OF.get(left.args[0].op)
        if name is not None:
            return _mapped_is(name, left.args[0].args[0], right.value)
    return integers.eq(left, right)


def _mapped_is(name: str, code: Term, image: int) -> Term:
    origins = list(_sources(name).get(image, ()))
    if MAPPINGS[name](image) == image:
        origins.append(image)
    # What was mapped may itself be mapped: each origin is compared the same way.
    return disjoin([same(code, int_const(origin)) for origin in origins])
