"""Machine integers: what a 32-bit or 64-bit register keeps of a Python int.

The subjects of chapter 4 and 5 of the dissertation are Java programs whose targets need overflow.
Wrapping is arithmetic without branches, so it adds no path of its own.
"""


def int32(value: int) -> int:
    """The signed 32-bit number with the same low 32 bits."""
    return (value + 0x80000000) % 0x100000000 - 0x80000000


def uint64(value: int) -> int:
    """The unsigned 64-bit number with the same low 64 bits."""
    return value % 0x10000000000000000
