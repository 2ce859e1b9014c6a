"""hash: find two records with the same hash value.

Subject of the concolic walk's evaluation: the customary Java hash (31 times the hash so far, plus
the next field) of a 32-bit x, a 64-bit y and a 32-bit z, in 32-bit arithmetic. In the five targets
ever more of the fields are fixed. Every int stands for the machine number it wraps to.
"""

from experiments.subjects.machine import int32, uint64

# The bits of the double 3.14159e123, the fixed y of the last two targets.
FIXED_Y = 0x599302703BDE2182


def hash_code(x: int, y: int, z: int) -> int:
    """The hash of one record."""
    bits = uint64(y)
    result = x
    result = 31 * result + int32(bits ^ (bits >> 32))
    result = 31 * result + z
    return int32(result)


def collision1(x1: int, y1: int, z1: int, x2: int, y2: int, z2: int) -> bool:
    """All six fields are free; equal records count too."""
    if hash_code(x1, y1, z1) == hash_code(x2, y2, z2):
        return True
    return False


def collision2(y1: int, z1: int, y2: int, z2: int) -> bool:
    """The x's are fixed and differ."""
    if hash_code(1, y1, z1) == hash_code(2, y2, z2):
        return True
    return False


def collision3(y1: int, y2: int) -> bool:
    """Only the y's are free."""
    if hash_code(1234, y1, 3141) == hash_code(5678, y2, 3141):
        return True
    return False


def collision4(x: int, y: int, z: int) -> bool:
    """A free record against a fixed one."""
    if hash_code(1234, FIXED_Y, 3141) == hash_code(x, y, z):
        return True
    return False


def collision5(y: int, z: int) -> bool:
    """The same with another x, so that the records must differ."""
    if hash_code(1234, FIXED_Y, 3141) == hash_code(5678, y, z):
        return True
    return False
