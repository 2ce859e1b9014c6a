"""isSorted(a, b, c): the three comparisons of the IPPC paper's overview (its Figures 1 to 3).

The figure's graph is not legible; the paths in the paper's worked runs fix the order of the
conditions: a <= b, then a <= c, then b <= c, and a failed one ends the function.
"""

DOMAIN = {"a": (-(2**31), 2**31 - 1), "b": (-(2**31), 2**31 - 1), "c": (-(2**31), 2**31 - 1)}


def is_sorted(a: int, b: int, c: int) -> bool:
    """Whether a <= b <= c. Left without a range check: the worked example has three conditions."""
    if a <= b:
        if a <= c:
            if b <= c:
                return True
    return False
