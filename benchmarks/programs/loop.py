"""A loop of 1,024 steps over the input, with one rare branch."""


def loop(x: int) -> int:
    total = 0
    for i in range(1024):
        total += x
        if total == 5000:
            return i
    return total
