"""Large whole numbers in conditions and literals."""

import random

import pytest

from symcrete.terms.large import written


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (17, "17"),
        (-(10**39), str(-(10**39))),
        (2**1024 - 2**970 - 1, "2**1024 - 2**970 - 1"),
        (-(2**200) + 4, "-(2**200) + 4"),
        (2**14000, "2**14000"),
    ],
)
def test_numbers_near_powers_of_two_are_short(value: int, text: str):
    assert written(value) == text


def test_a_power_of_ten_is_written_as_one():
    assert written(10**4300) == "10**4300"
    assert written(-(10**40)) == "-(10**40)"
    for value in (10**4300 + 10**9, 5 * 10**60):
        assert eval(written(value)) == value


def test_the_text_is_the_number():
    chance = random.Random(0)
    for _ in range(500):
        value = chance.choice((1, -1)) * chance.getrandbits(chance.choice((8, 64, 300, 20_000)))

        assert eval(written(value)) == value
