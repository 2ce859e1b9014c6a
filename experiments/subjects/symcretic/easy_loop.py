"""easy_loop: a loop that counts its input down (dissertation, Table 4.1).

The text is not printed; the dissertation takes it from JAUT's evaluation and calls it a simple
data-dependent loop. Chosen: count the steps from x down to 0 and ask for exactly STEPS of them; the
1318 path segments of a forward search suggest a constant of this size.
"""

STEPS = 500


def easy_loop(x: int) -> bool:
    steps = 0
    while x > 0:
        x = x - 1
        steps = steps + 1
    if steps == STEPS:
        return True  # target: easy_loop
    return False
