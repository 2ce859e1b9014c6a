"""A loop over concrete values: what rewriting costs where nothing is tracked."""


def concrete(n: int) -> int:
    total = 0
    for i in range(200_000):
        if i % 3 == 0:
            total += i * i
        else:
            total -= 1
        total %= 1_000_003
    return total if n > 0 else -total
