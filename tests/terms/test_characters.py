"""Classes and cases of characters as terms, against what CPython says of every kind of character."""

from __future__ import annotations

from random import Random

import pytest

from symcrete.terms.characters import between, is_a, is_plain, mapped, member, ranges_of, same
from symcrete.terms.decimal import CHUNK, decimal, parse_integer
from symcrete.terms.evaluate import evaluate
from symcrete.terms.term import Sort, int_const, var
from symcrete.terms.texts import BYTES, STR

C = var("c", Sort.INT)
INTERESTING = [
    *range(0x180), 0x1C4, 0x1C5, 0x1C6, 0x2B0, 0x345, 0x660, 0x966, 0x130, 0x131, 0x1E9E, 0x2003, 0x2028, 0x2160,
    0x2170, 0x24B6, 0x3007, 0x4E00, 0xD800, 0xFF10, 0xFF21, 0x10400, 0x1D7CE, 0x1F600, 0x10FFFF,
]  # fmt: skip
CODES = [*INTERESTING, *Random(2).sample(range(0x110000), 400)]
CLASSES = [
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "isupper",
]
BYTE_CLASSES = ["isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace", "isupper"]


@pytest.mark.parametrize("name", CLASSES)
def test_a_character_belongs_to_a_class_where_python_says_so(name: str) -> None:
    term = is_a(STR, name, C)

    wrong = [code for code in CODES if evaluate(term, {"c": code}) != getattr(chr(code), name)()]

    assert wrong == []


@pytest.mark.parametrize("name", BYTE_CLASSES)
def test_a_byte_belongs_to_a_class_where_python_says_so(name: str) -> None:
    term = is_a(BYTES, name, C)

    wrong = [n for n in range(256) if evaluate(term, {"c": n}) != getattr(bytes([n]), name)()]

    assert wrong == []


@pytest.mark.parametrize("name", ["upper", "lower", "swapcase"])
def test_the_case_of_a_byte_is_mapped_as_python_maps_it(name: str) -> None:
    term = mapped(BYTES, name, C)

    for code in range(256):
        assert evaluate(term, {"c": code}) == getattr(bytes([code]), name)()[0]


@pytest.mark.parametrize("name", ["upper", "lower", "swapcase"])
def test_a_character_with_one_image_is_mapped_to_it(name: str) -> None:
    term = mapped(STR, name, C)

    for code in [each for each in CODES if len(getattr(chr(each), name)()) == 1]:
        assert evaluate(term, {"c": code}) == ord(getattr(chr(code), name)())


def test_ascii_is_plain() -> None:
    assert all(evaluate(is_plain(C), {"c": code}) for code in range(128))
    assert not evaluate(is_plain(C), {"c": 0x1F600})


def test_ranges_hold_the_codes_they_were_made_of() -> None:
    random = Random(7)
    for _ in range(50):
        codes = {random.randrange(60) for _ in range(random.randrange(20))}
        ranges = ranges_of(codes)
        term = member(C, ranges)

        assert {n for low, high in ranges for n in range(low, high + 1)} == codes
        assert {n for n in range(60) if evaluate(term, {"c": n})} == codes


def test_between_includes_both_ends() -> None:
    assert [n for n in range(10) if evaluate(between(C, 3, 5), {"c": n})] == [3, 4, 5]


@pytest.mark.parametrize("name", ["upper", "lower"])
def test_a_mapped_character_is_equal_to_what_it_is_mapped_to(name: str) -> None:
    for wanted in map(ord, "aZ5é"):
        term = same(mapped(STR, name, C), int_const(wanted))

        for code in [each for each in CODES if len(getattr(chr(each), name)()) == 1]:
            image = getattr(chr(code), name)()
            assert evaluate(term, {"c": code}) == (ord(image) == wanted)


@pytest.mark.parametrize("digits", [1, 17, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5])
@pytest.mark.parametrize("sign", ["", "-"])
def test_an_integer_of_any_length_survives_its_digits(digits: int, sign: str) -> None:
    random = Random(digits)
    text = sign + random.choice("123456789") + "".join(random.choices("0123456789", k=digits - 1))

    value = parse_integer(text)

    assert decimal(value) == text


def test_zeros_inside_a_long_integer_are_kept() -> None:
    value = 10 ** (2 * CHUNK) + 7

    assert decimal(value) == "1" + "0" * (2 * CHUNK - 1) + "7"
    assert parse_integer(decimal(-value)) == -value
