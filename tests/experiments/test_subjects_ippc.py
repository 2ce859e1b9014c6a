"""The IPPC paper's subjects do what they are named after."""

import math
import random
import re

import pytest
from experiments.subjects.ippc import (
    bsort,
    conic,
    descent,
    factor,
    gcd,
    grep,
    is_sorted,
    prime,
    ptokens,
    replace,
    sqrt,
    version,
)


def codes(text: str) -> list[int]:
    return [ord(character) for character in text]


def test_is_sorted_agrees_with_sorting():
    for a in range(-2, 3):
        for b in range(-2, 3):
            for c in range(-2, 3):
                assert is_sorted.is_sorted(a, b, c) == ([a, b, c] == sorted([a, b, c]))


def test_gcd_is_the_greatest_common_divisor():
    chance = random.Random(1)
    pairs = [(chance.randint(0, 255), chance.randint(0, 255)) for _ in range(1500)]
    pairs += [(0, 0), (0, 7), (7, 0), (255, 255), (128, 64), (1, 255)]

    assert [gcd.gcd(a, b) for a, b in pairs] == [math.gcd(a, b) for a, b in pairs]


@pytest.mark.parametrize(("a", "b"), [(-1, 4), (256, 4), (4, -1), (4, 256)])
def test_gcd_refuses_numbers_that_are_not_8_bit(a, b):
    assert gcd.gcd(a, b) == -1


def test_bsort_sorts():
    chance = random.Random(2)

    for _ in range(50):
        values = [chance.randint(-50, 50) for _ in range(30)]
        assert bsort.bsort(values) == sorted(values)
        assert bsort.bsort_flat(*values) == sorted(values)


def test_bsort_compares_435_pairs():
    compared = []

    class Counted(int):
        def __gt__(self, other: int) -> bool:
            compared.append(other)
            return int(self) > int(other)

    bsort.bubble_sort([Counted(value) for value in range(30)])

    assert len(compared) == 435


def test_bsort_leaves_alone_what_is_out_of_range():
    assert bsort.bsort([3, 2, 1]) == [3, 2, 1]
    assert bsort.bsort([2**31] + [0] * 29)[0] == 2**31


def test_sqrt_is_the_whole_part_of_the_root():
    chance = random.Random(3)
    numbers = [*range(200), *(chance.randrange(2**31) for _ in range(500)), 2**31 - 1, 46340**2]

    assert [sqrt.sqrt(n) for n in numbers] == [math.isqrt(n) for n in numbers]
    assert sqrt.sqrt(-1) == sqrt.sqrt(2**31) == -1


def test_prime_knows_the_54_primes_below_256():
    primes = [n for n in range(-5, 300) if prime.prime(n)]

    assert len(primes) == 54
    assert all(all(p % d for d in range(2, p)) for p in primes)


def test_factor_gives_primes_whose_product_is_the_number():
    for n in range(2, 256):
        factors = factor.factor(n)
        assert math.prod(factors) == n
        assert all(prime.prime(p) for p in factors)
    assert factor.factor(0) == factor.factor(1) == factor.factor(256) == []


@pytest.mark.parametrize(
    ("pattern", "substitute", "line", "expected"),
    [
        ("a", "b", "banana", "bbnbnb"),
        ("an", "<&>", "banana", "b<an><an>a"),
        ("a*", "x", "aabaa", "xbx"),
        ("%b", "X", "bab", "Xab"),
        ("b$", "X", "bab", "baX"),
        ("?", ".", "a b", "..."),
        ("[abc]", "-", "cabin", "---in"),
        ("[^abc]", "-", "cabin", "cab--"),
        ("[a-c]x", "!", "bxdx", "!dx"),
        ("[z-a]", "!", "z-a", "!!!"),
        ("@*", "star", "2*3", "2star3"),
        ("b", "@n@t@&", "abc", "a\n\t&c"),
        ("a%", "X", "a%b", "Xb"),
        ("$a", "X", "$ab", "Xb"),
        ("[0-9][0-9]*", "#", "a12b345", "a#b#"),
        ("xyz", "", "abc", "abc"),
        ("b", "", "abc", "ac"),
    ],
)
def test_replace_substitutes(pattern, substitute, line, expected):
    assert replace.replace(codes(pattern), codes(substitute), codes(line)) == codes(expected)


@pytest.mark.parametrize("pattern", ["", "[a", "%*", "a**"])
def test_replace_refuses_an_illegal_pattern(pattern):
    assert replace.replace(codes(pattern), codes("x"), codes("a")) is None


def test_replace_ends_a_text_at_a_0():
    line = [*codes("aba"), 0, *codes("aaa")]

    assert replace.replace([*codes("b"), 0, 7], [*codes("X"), 0], line) == codes("aXa")


def test_replace_refuses_codes_out_of_range():
    assert replace.replace([128], [65], [65]) is None
    assert replace.replace([65], [65], [-1]) is None


def test_replace_agrees_with_regular_expressions():
    chance = random.Random(4)
    pieces = ["a", "b", "?", "[ab]", "[^a]", "[a-c]", "a*b", "c[ab]*"]

    for _ in range(400):
        pattern = "".join(chance.choice(pieces) for _ in range(chance.randint(1, 3)))
        line = "".join(chance.choice("abcd") for _ in range(chance.randint(0, 12)))
        expected = re.sub(pattern.replace("?", "."), "<>", line)
        assert replace.replace(codes(pattern), codes("<>"), codes(line)) == codes(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [ptokens.END]),
        ("and xor =>", [ptokens.KEYWORD] * 3 + [ptokens.END]),
        ("lambda andy", [ptokens.KEYWORD, ptokens.IDENTIFIER, ptokens.END]),
        ("(x1 42)", [2, 3, 4, 2, 8]),
        ('"a b" "open', [ptokens.STRING, ptokens.ERROR, ptokens.END]),
        ("#a #1 #ab", [ptokens.CHARACTER, ptokens.ERROR, ptokens.ERROR, ptokens.END]),
        ("x;rest of line\ny", [3, 7, 3, 8]),
        ("1a ~", [ptokens.ERROR, ptokens.ERROR, ptokens.END]),
        ("a'b`c,[d]", [3, 2, 3, 2, 3, 2, 2, 3, 2, 8]),
    ],
)
def test_ptokens_classifies(text, expected):
    assert ptokens.ptokens(codes(text)) == expected


def test_ptokens_refuses_codes_out_of_range():
    assert ptokens.ptokens([65, 200]) == [ptokens.ERROR]


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        ("fox", [0]),
        ("^aaa", [1]),
        ("^$", [2]),
        ("", [0, 1, 2]),
        ("\\d\\d ", [0]),
        ("[x-y]", [0, 1]),
        ("[^a-z ]", [0, 1]),
        ("fox|bb", [0, 1]),
        ("a\\*b", [1]),
        ("q+ui?c", [0]),
        ("*", []),
        ("[a", []),
        ("[z-a]", []),
        ("a\\", []),
    ],
)
def test_grep_selects_lines(pattern, lines):
    assert grep.grep(codes(pattern)) == lines


def test_grep_agrees_with_regular_expressions():
    chance = random.Random(5)
    items = ["a", "b", "c", "x", ".", "[ab]", "[^ab]", "\\d", "\\w", "\\s", " "]

    for _ in range(300):
        pattern = "".join(
            chance.choice(items) + chance.choice(["", "", "*", "+", "?"]) for _ in range(4)
        )
        pattern = chance.choice(["", "^"]) + pattern + chance.choice(["", "$", "|b"])
        expected = [n for n, line in enumerate(grep.TEXT) if re.search(pattern, line, re.ASCII)]
        assert grep.grep(codes(pattern)) == expected, pattern


@pytest.mark.parametrize(
    ("curve", "name"),
    [
        ((1, 0, 1, 0, 0, -1), "unit circle"),
        ((1, 0, 1, 0, 0, -4), "circle"),
        ((1, 0, 1, 0, 0, 0), "point"),
        ((1, 0, 1, 0, 0, 1), "none"),
        ((1, 0, 4, 0, 0, -4), "ellipse"),
        ((1, 0, 0, 0, -1, 0), "parabola"),
        ((0, 1, 0, 0, 0, -1), "right hyperbola"),
        ((0, 1, 0, 0, 0, 0), "crossing lines"),
        ((1, 0, 0, 0, 0, -1), "parallel lines"),
        ((0, 0, 1, 0, 0, 0), "double line"),
        ((0, 0, 0, 1, 2, 3), "line"),
        ((0, 0, 0, 0, 0, 0), "plane"),
    ],
)
def test_conic_names_curves(curve, name):
    assert conic.conic(*curve) == name


def test_descent_ends_as_speed_height_and_fuel_say():
    assert descent.descent(0.5, 1.0, 100.0, 0.0) == "perfect"
    assert descent.descent(0.5, 1.0, 10.0, 0.0) == "soft"
    assert descent.descent(1.0, 5.0, 10.0, 0.0) == "hard"
    assert descent.descent(1.0, 50.0, 10.0, 0.0) == "crash"
    assert descent.descent(9.0, 1.0, 100.0, 20.0) == "rises"
    assert descent.descent(900.0, 1.0, 0.0, 0.0) == "still high"
    assert descent.descent(-1.0, 1.0, 0.0, 0.0) == "no such lander"


def test_version_tells_releases_apart():
    assert version.version("v1.20.3") == "release"
    assert version.version("0.0.1") == "first"
    assert version.version("1.02.3") == "leading zero"
    assert version.version("1.2") == "not three parts"
    assert version.version("1..3") == "not a number"
    assert version.version("1.2.3-rc4") == "candidate"
    assert version.version("1.2.3-rcx") == "bad candidate"
    assert version.version("1.2.3-beta") == "preview"
    assert version.version("1.2.3-") == "empty label"
    assert version.version("1.2.3-mine") == "local"
