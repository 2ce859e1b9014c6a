"""conic: what a quadratic equation in two unknowns describes (ours: non-linear integers).

a x^2 + b x y + c y^2 + d x + e y + f = 0 with small whole coefficients. Every decision is about
products of inputs, and most of them share variables with all that were taken before.
"""

DOMAIN = dict.fromkeys("abcdef", (-50, 50))


def conic(a: int, b: int, c: int, d: int, e: int, f: int) -> str:
    """The name of the curve; "none" where no point can satisfy the equation."""
    if a == 0 and b == 0 and c == 0:
        return straight(d, e, f)
    bend = b * b - 4 * a * c
    size = determinant(a, b, c, d, e, f)
    if size == 0:
        return degenerate(a, c, d, e, f, bend)
    if bend > 0:
        return "right hyperbola" if a + c == 0 else "hyperbola"
    if bend == 0:
        return "parabola"
    if (a + c) * size > 0:
        return "none"
    if a == c and b == 0:
        return "unit circle" if d * d + e * e - 4 * a * f == 4 * a * a else "circle"
    return "ellipse"


def determinant(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Four times the determinant of the curve's matrix."""
    return 4 * a * c * f - a * e * e - b * b * f + b * d * e - c * d * d


def straight(d: int, e: int, f: int) -> str:
    """The same without quadratic parts."""
    if d == 0 and e == 0:
        return "plane" if f == 0 else "none"
    return "line"


def degenerate(a: int, c: int, d: int, e: int, f: int, bend: int) -> str:
    """A curve that falls apart."""
    if bend < 0:
        return "point"
    if bend > 0:
        return "crossing lines"
    apart = d * d - 4 * a * f if a != 0 else e * e - 4 * c * f
    if apart == 0:
        return "double line"
    return "parallel lines" if apart > 0 else "none"
