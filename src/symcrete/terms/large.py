"""Whole numbers as people can read them: large ones as sums of powers of two, or in hexadecimal.

CPython refuses to print decimals of more than 4,300 digits; and of 300 digits nobody reads the
last. The bounds of floats and machine words, which is what large numbers in conditions mostly are,
have short sums; the limit of printed digits is a power of ten.
"""

from __future__ import annotations

# digits of a number that is written out: more do not fit beside an argument's name
MOST_DIGITS = 40
LEAST_EXPONENT_WRITTEN = 4  # smaller powers of two are shorter as numbers: 8, not 2**3
BITS_OF_A_DIGIT = 3  # a decimal digit has more: a power of ten with n zeros has above 3 * n bits
MOST_POWERS = 3  # powers of two in a sum: with more, hexadecimal digits are easier to read


def written(value: int) -> str:
    """A Python expression for the number."""
    if abs(value) < 10**MOST_DIGITS:
        return str(value)
    exponent = _decimal_exponent(abs(value))
    if exponent is not None:
        return f"10**{exponent}" if value > 0 else f"-(10**{exponent})"
    powers = _powers(value)
    if powers is None:
        return f"{value:#X}".replace("0X", "0x")
    text = ""
    for sign, exponent in powers:
        piece = f"2**{exponent}" if exponent >= LEAST_EXPONENT_WRITTEN else str(1 << exponent)
        if text:
            text += f" {'+' if sign > 0 else '-'} {piece}"
        else:
            text = piece if sign > 0 else f"-({piece})"
    return text


def _decimal_exponent(size: int) -> int | None:
    """The exponent of a power of ten; None for any other number."""
    # A power of ten is divisible by as high a power of two, and by no higher one.
    exponent = (size & -size).bit_length() - 1
    within = BITS_OF_A_DIGIT * exponent < size.bit_length()  # else 10**exponent may be huge
    return exponent if within and 10**exponent == size else None


def _powers(value: int) -> list[tuple[int, int]] | None:
    """Signs and exponents of few powers of two that add up to the number, largest first; None if
    it takes more.
    """
    found: list[tuple[int, int]] = []
    rest = value
    while rest and len(found) < MOST_POWERS:
        size = abs(rest)
        exponent = size.bit_length() - 1
        if size - (1 << exponent) > (1 << exponent) // 2:
            exponent += 1  # the next power is nearer
        sign = 1 if rest > 0 else -1
        found.append((sign, exponent))
        rest -= sign << exponent
    return None if rest else found
