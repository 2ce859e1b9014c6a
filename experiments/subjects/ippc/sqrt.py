"""sqrt: the whole part of a square root by binary search (IPPC paper).

The paper gives no text and rules out floats. Chosen: one non-negative 32-bit number, and a search
over 0..46340 whose squares are constants, so that every condition compares the input to a number.
A number out of range gives -1.
"""

DOMAIN = {"n": (0, 2**31 - 1)}


def sqrt(n: int) -> int:
    """The largest integer whose square is at most n."""
    if n < 0 or n > 2**31 - 1:
        return -1
    low = 0
    high = 46340
    while low < high:
        middle = (low + high + 1) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle - 1
    return low
