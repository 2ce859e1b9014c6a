"""stat: median, mean and standard deviation of the values added so far.

Subject of the concolic walk's evaluation: a sorted list kept in module state, to which one value is
added four times. The original never clears the list between runs; here each run starts empty, so
that an input's path does not depend on the inputs before it. Four equal values then have a
deviation of exactly 0, unless their squares overflow (from about 1e154 on) and leave nan; and the
insertion of a new value before others is out of reach.
"""

import math

values: list[int] = []
total = 0.0
squares = 0.0


def stat(v: int) -> str:
    """What the numbers say after four additions."""
    clear()
    add(v)
    add(v)
    add(v)
    add(v)
    if median() == 3:
        verdict = "three"
    else:
        verdict = "other"
    if deviation() <= 0.82915619758885:
        return verdict + ", narrow"
    return verdict + ", wide"


def clear() -> None:
    global total, squares
    values.clear()
    total = 0.0
    squares = 0.0


def add(value: int) -> None:
    """Keep the list sorted; equal values stay beside each other."""
    global total, squares
    place = search(value)
    if place >= 0:
        values.insert(place, value)
    else:
        place = -place - 1
        if place == len(values):
            values.append(value)
        else:
            values.insert(place, value)
    total = total + value
    squares = squares + float(value) * float(value)


def search(value: int) -> int:
    """Where the value stands, or -1 minus the place where it would."""
    low = 0
    high = len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        elif values[middle] > value:
            high = middle - 1
        else:
            return middle
    return -low - 1


def median() -> int:
    return values[len(values) // 2]


def mean() -> float:
    return total / len(values)


def deviation() -> float:
    average = mean()
    return math.sqrt(squares / len(values) - average * average)
