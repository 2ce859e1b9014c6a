"""gcd: the binary greatest common divisor of two unsigned 8-bit numbers (IPPC paper).

The paper gives no text, but says that divisibility is decided by subtraction and comparison only.
Chosen: parity by taking away 2 until less than 2 remains; the number of times is the half, so a
halved value is concrete on its path, as CREST's division makes it. Numbers out of range give -1.
"""

DOMAIN = {"a": (0, 255), "b": (0, 255)}


def gcd(a: int, b: int) -> int:
    """The greatest common divisor, 0 for two zeros, -1 for numbers that are not 8-bit."""
    if a < 0 or a > 255:
        return -1
    if b < 0 or b > 255:
        return -1
    return binary_gcd(a, b)


def binary_gcd(a: int, b: int) -> int:
    """The same without the range check, for a tester that bounds its inputs itself."""
    if a == 0:
        return b
    if b == 0:
        return a
    common = 1
    half_a, odd_a = halve(a)
    half_b, odd_b = halve(b)
    while odd_a == 0 and odd_b == 0:
        a, b = half_a, half_b
        common = common + common
        half_a, odd_a = halve(a)
        half_b, odd_b = halve(b)
    a = strip_twos(a)
    b = strip_twos(b)
    while a != b:
        if a > b:
            a = strip_twos(a - b)
        else:
            b = strip_twos(b - a)
    return a * common


def halve(number: int) -> tuple[int, int]:
    """How often 2 goes into a number, and what is left."""
    half = 0
    while number >= 2:
        number = number - 2
        half = half + 1
    return half, number


def strip_twos(number: int) -> int:
    """The odd part of a positive number."""
    half, odd = halve(number)
    while odd == 0:
        number = half
        half, odd = halve(number)
    return number
