"""blind: a product that simplification by concrete values gets wrong.

Subject of the concolic walk's evaluation. Replacing one factor by its value commits blindly: only
a = 1 (or b = 0, which the first condition forbids) lets b equal a * b.
"""


def blind(a: int, b: int) -> bool:
    c = a * b
    if b > 2:
        if b == c:
            return True
    return False
