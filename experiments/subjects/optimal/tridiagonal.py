"""Tridiagonal systems with four and five unknowns (GSL's solve_tridiag and its three relatives).

Subjects after those of the "optimal" paper: symmetric or not, and with or without corners (cyclic).
Every pivot is tested for 0; there is no pivoting, so a regular matrix may be refused. Parameters
are the diagonal d, the diagonal e above it (and f below it), and the right-hand side b; in cyclic
systems the last e (and f) is the corner.
"""

Row = list[float]


class ZeroPivotError(ZeroDivisionError):
    """The elimination met a pivot of 0."""


def solve_tridiag(
    d0: float,
    d1: float,
    d2: float,
    d3: float,
    e0: float,
    e1: float,
    e2: float,
    b0: float,
    b1: float,
    b2: float,
    b3: float,
) -> Row:
    return symmetric([d0, d1, d2, d3], [e0, e1, e2], [b0, b1, b2, b3])


def solve_tridiag_nonsym(
    d0: float,
    d1: float,
    d2: float,
    d3: float,
    e0: float,
    e1: float,
    e2: float,
    f0: float,
    f1: float,
    f2: float,
    b0: float,
    b1: float,
    b2: float,
    b3: float,
) -> Row:
    return nonsymmetric([d0, d1, d2, d3], [e0, e1, e2], [f0, f1, f2], [b0, b1, b2, b3])


def solve_cyc_tridiag(
    d0: float,
    d1: float,
    d2: float,
    d3: float,
    d4: float,
    e0: float,
    e1: float,
    e2: float,
    e3: float,
    e4: float,
    b0: float,
    b1: float,
    b2: float,
    b3: float,
    b4: float,
) -> Row:
    return cyclic_symmetric([d0, d1, d2, d3, d4], [e0, e1, e2, e3, e4], [b0, b1, b2, b3, b4])


def solve_cyc_tridiag_nonsym(
    d0: float,
    d1: float,
    d2: float,
    d3: float,
    e0: float,
    e1: float,
    e2: float,
    e3: float,
    f0: float,
    f1: float,
    f2: float,
    f3: float,
    b0: float,
    b1: float,
    b2: float,
    b3: float,
) -> Row:
    """The corner above is f3 (first row, last column), the one below e3."""
    return cyclic_nonsymmetric(
        [d0, d1, d2, d3], [e0, e1, e2, e3], [f0, f1, f2, f3], [b0, b1, b2, b3]
    )


def symmetric(diagonal: Row, off: Row, right: Row) -> Row:
    """L D L^T, forward and back."""
    n = len(diagonal)
    pivots = [diagonal[0]]
    factors: Row = []
    for i in range(n - 1):
        if pivots[i] == 0.0:
            raise ZeroPivotError(f"pivot {i}")
        factors.append(off[i] / pivots[i])
        pivots.append(diagonal[i + 1] - off[i] * factors[i])
    if pivots[n - 1] == 0.0:
        raise ZeroPivotError(f"pivot {n - 1}")
    z = [right[0]]
    for i in range(1, n):
        z.append(right[i] - factors[i - 1] * z[i - 1])
    x = [z[i] / pivots[i] for i in range(n)]
    for i in range(n - 2, -1, -1):
        x[i] = x[i] - factors[i] * x[i + 1]
    return x


def nonsymmetric(diagonal: Row, above: Row, below: Row, right: Row) -> Row:
    """Gaussian elimination downwards, then back substitution."""
    n = len(diagonal)
    pivots = list(diagonal)
    z = list(right)
    for i in range(1, n):
        if pivots[i - 1] == 0.0:
            raise ZeroPivotError(f"pivot {i - 1}")
        t = below[i - 1] / pivots[i - 1]
        pivots[i] = pivots[i] - t * above[i - 1]
        z[i] = z[i] - t * z[i - 1]
    if pivots[n - 1] == 0.0:
        raise ZeroPivotError(f"pivot {n - 1}")
    x = list(z)
    x[n - 1] = z[n - 1] / pivots[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (z[i] - above[i] * x[i + 1]) / pivots[i]
    return x


def cyclic_symmetric(diagonal: Row, off: Row, right: Row) -> Row:
    """Border the system without its last unknown: two solutions, then the last row."""
    n = len(diagonal)
    inner = diagonal[: n - 1]
    border = [0.0] * (n - 1)
    border[0] = off[n - 1]
    border[n - 2] = border[n - 2] + off[n - 2]
    x = symmetric(inner, off[: n - 2], right[: n - 1])
    y = symmetric(inner, off[: n - 2], border)
    return close_cycle(diagonal[n - 1], border, x, y, right[n - 1])


def cyclic_nonsymmetric(diagonal: Row, above: Row, below: Row, right: Row) -> Row:
    """Sherman and Morrison: a rank-one change removes both corners."""
    n = len(diagonal)
    if diagonal[0] != 0.0:
        gamma = -diagonal[0]
    else:
        gamma = 1.0
    changed = list(diagonal)
    changed[0] = diagonal[0] - gamma
    changed[n - 1] = diagonal[n - 1] - above[n - 1] * below[n - 1] / gamma
    column = [0.0] * n
    column[0] = gamma
    column[n - 1] = above[n - 1]
    x = nonsymmetric(changed, above[: n - 1], below[: n - 1], right)
    z = nonsymmetric(changed, above[: n - 1], below[: n - 1], column)
    denominator = 1.0 + z[0] + below[n - 1] * z[n - 1] / gamma
    if denominator == 0.0:
        raise ZeroPivotError("the corners make the matrix singular")
    factor = (x[0] + below[n - 1] * x[n - 1] / gamma) / denominator
    return [x[i] - factor * z[i] for i in range(n)]


def close_cycle(last: float, border: Row, x: Row, y: Row, right: float) -> Row:
    """The last unknown from its row, then the others."""
    pivot = last
    value = right
    for i in range(len(x)):
        pivot = pivot - border[i] * y[i]
        value = value - border[i] * x[i]
    if pivot == 0.0:
        raise ZeroPivotError("the corners make the matrix singular")
    unknown = value / pivot
    return [*(x[i] - unknown * y[i] for i in range(len(x))), unknown]
