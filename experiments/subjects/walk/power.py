"""power: a square as a branch condition, and a second condition that depends on it.

Subject of the concolic walk's evaluation. The four outcomes are named after the statements that
run: S0 or S1, then S3 or S4; S4 after S0 needs a small square (x is 1 or 2).
"""


def power(x: int, y: int) -> str:
    if x > 0:
        if y == x * x:
            first = "S0"
        else:
            first = "S1"
        if y > 8:
            if first == "S0":
                return "S0 S3"
            return "S1 S3"
        if first == "S0":
            return "S0 S4"
        return "S1 S4"
    return "none"
