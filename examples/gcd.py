"""Euclid's algorithm by subtraction."""


def gcd(a: int, b: int) -> int:
    if a <= 0 or b <= 0:
        raise ValueError("both numbers must be positive")
    while a != b:
        if a > b:
            a -= b
        else:
            b -= a
    return a
