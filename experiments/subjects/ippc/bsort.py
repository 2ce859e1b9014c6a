"""bsort: plain bubble sort of 30 32-bit integers, 435 comparisons (IPPC paper).

The paper took a textbook program; the text here is our own. `bsort` takes a list of LENGTH numbers,
`bsort_flat` the same as 30 parameters (no symbolic length), `bubble_sort` a list of any length
without the range check. Lists of another length or with a number out of range come back unsorted.
"""

LENGTH = 30

# Of every element of the list, and of every flat parameter.
DOMAIN = {"values": (-(2**31), 2**31 - 1)}


def bsort(values: list[int]) -> list[int]:
    """The numbers in ascending order."""
    if len(values) != LENGTH:
        return values
    for value in values:
        if value < -(2**31) or value > 2**31 - 1:
            return values
    return bubble_sort(values)


def bubble_sort(values: list[int]) -> list[int]:
    """A sorted copy; every pair that may be out of order is compared, without an early exit."""
    result = list(values)
    last = len(result) - 1
    while last > 0:
        i = 0
        while i < last:
            if result[i] > result[i + 1]:
                swap = result[i]
                result[i] = result[i + 1]
                result[i + 1] = swap
            i = i + 1
        last = last - 1
    return result


# fmt: off
def bsort_flat(
    v00: int, v01: int, v02: int, v03: int, v04: int, v05: int, v06: int, v07: int, v08: int,
    v09: int, v10: int, v11: int, v12: int, v13: int, v14: int, v15: int, v16: int, v17: int,
    v18: int, v19: int, v20: int, v21: int, v22: int, v23: int, v24: int, v25: int, v26: int,
    v27: int, v28: int, v29: int,
) -> list[int]:
    """`bubble_sort` of 30 separate inputs."""
    return bubble_sort([
        v00, v01, v02, v03, v04, v05, v06, v07, v08, v09, v10, v11, v12, v13, v14,
        v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29,
    ])
# fmt: on
