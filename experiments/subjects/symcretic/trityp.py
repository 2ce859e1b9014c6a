"""trityp: the classification of a triangle by its sides (dissertation, Table 4.1).

The classic program with weights for equal sides and ten if statements. The three targets are the
three kinds of triangle.
"""

SCALENE = 1
ISOSCELES = 2
EQUILATERAL = 3
NO_TRIANGLE = 4


def trityp(i: int, j: int, k: int) -> int:
    if i <= 0 or j <= 0 or k <= 0:
        return NO_TRIANGLE
    weight = 0
    if i == j:
        weight = weight + 1
    if i == k:
        weight = weight + 2
    if j == k:
        weight = weight + 3
    if weight == 0:
        if i + j <= k or j + k <= i or i + k <= j:
            return NO_TRIANGLE
        return SCALENE  # target: trityp_scalene
    if weight > 3:
        return EQUILATERAL  # target: trityp_equilateral
    kind = NO_TRIANGLE
    if weight == 1 and i + j > k:
        kind = ISOSCELES
    elif weight == 2 and i + k > j:
        kind = ISOSCELES
    elif weight == 3 and j + k > i:
        kind = ISOSCELES
    if kind == ISOSCELES:
        return ISOSCELES  # target: trityp_isosceles
    return NO_TRIANGLE
