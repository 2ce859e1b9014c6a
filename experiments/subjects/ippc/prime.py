"""prime: is an unsigned 8-bit number prime? (IPPC paper)

The paper gives no text, but says that divisibility is decided by subtraction and comparison only.
Chosen: trial division by 2, 3, 4, ... while the divisor's square is at most n, each by repeated
subtraction. A number out of range is not prime.
"""

DOMAIN = {"n": (0, 255)}


def prime(n: int) -> bool:
    """Whether n is a prime number."""
    if n < 2 or n > 255:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if remainder(n, divisor) == 0:
            return False
        divisor = divisor + 1
    return True


def remainder(number: int, divisor: int) -> int:
    """What repeated subtraction of the divisor leaves."""
    while number >= divisor:
        number = number - divisor
    return number
