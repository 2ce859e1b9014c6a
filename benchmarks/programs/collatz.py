"""The Collatz sequence, cut after some steps."""


def collatz(n: int) -> int:
    steps = 0
    while n > 1 and steps < 12:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
