"""factor: the prime factors of an unsigned 8-bit number (IPPC paper).

The paper gives no text, but says that divisibility is decided by subtraction and comparison only.
Chosen: repeated division by 2, 3, 4, ..., each by repeated subtraction; the quotient is the number
of subtractions, hence concrete on its path. A number out of range has no factors.
"""

DOMAIN = {"n": (0, 255)}


def factor(n: int) -> list[int]:
    """The prime factors in ascending order; none for 0 and 1."""
    factors: list[int] = []
    if n < 2 or n > 255:
        return factors
    divisor = 2
    while n > 1:
        quotient, rest = divide(n, divisor)
        if rest == 0:
            factors.append(divisor)
            n = quotient
        else:
            divisor = divisor + 1
    return factors


def divide(number: int, divisor: int) -> tuple[int, int]:
    """Quotient and remainder by repeated subtraction."""
    quotient = 0
    while number >= divisor:
        number = number - divisor
        quotient = quotient + 1
    return quotient, number
