"""CORAL's chains of inequalities: values, or their sines, in falling order.

Six of the sines (numbers 70 to 75, with 7 to 24 variables) and two that are linear (76 and 77).
"""

from experiments.subjects.walk.ieee import sin


def benchmark70(
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    f: float,
    g: float,
    h: float,
    i: float,
    j: float,
    k: float,
    l: float,
    m: float,
    n: float,
    o: float,
    p: float,
    q: float,
    r: float,
    s: float,
    t: float,
    u: float,
    v: float,
    x: float,
    z: float,
) -> bool:
    if (
        sin(a) > sin(b)
        and sin(b) > sin(c)
        and sin(c) > sin(d)
        and sin(d) > sin(e)
        and sin(e) > sin(f)
        and sin(f) > sin(g)
        and sin(g) > sin(h)
        and sin(h) > sin(i)
        and sin(i) > sin(j)
        and sin(j) > sin(k)
        and sin(k) > sin(l)
        and sin(l) > sin(m)
        and sin(m) > sin(n)
        and sin(n) > sin(o)
        and sin(o) > sin(p)
        and sin(p) > sin(q)
        and sin(q) > sin(r)
        and sin(r) > sin(s)
        and sin(s) > sin(t)
        and sin(t) > sin(u)
        and sin(u) > sin(v)
        and sin(v) > sin(x)
        and sin(x) > sin(z)
    ):
        return True
    return False


def benchmark71(
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    f: float,
    g: float,
    h: float,
    i: float,
    j: float,
    k: float,
    l: float,
) -> bool:
    if (
        sin(a) > sin(b)
        and sin(b) > sin(c)
        and sin(c) > sin(d)
        and sin(d) > sin(e)
        and sin(e) > sin(f)
        and sin(f) > sin(g)
        and sin(g) > sin(h)
        and sin(h) > sin(i)
        and sin(i) > sin(j)
        and sin(j) > sin(k)
        and sin(k) > sin(l)
    ):
        return True
    return False


def benchmark72(a: float, b: float, c: float, d: float, e: float, f: float, g: float) -> bool:
    if (
        sin(a) > sin(b)
        and sin(b) > sin(c)
        and sin(c) > sin(d)
        and sin(d) > sin(e)
        and sin(e) > sin(f)
        and sin(f) > sin(g)
    ):
        return True
    return False


def benchmark73(
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    f: float,
    g: float,
    h: float,
    i: float,
    j: float,
) -> bool:
    if (
        sin(a) > sin(b)
        and sin(b) > sin(c)
        and sin(c) > sin(d)
        and sin(d) > sin(e)
        and sin(e) > sin(f)
        and sin(f) > sin(g)
        and sin(g) > sin(h)
        and sin(h) > sin(i)
        and sin(i) > sin(j)
    ):
        return True
    return False


def benchmark74(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float
) -> bool:
    if (
        sin(a) > sin(b)
        and sin(b) > sin(c)
        and sin(c) > sin(d)
        and sin(d) > sin(e)
        and sin(e) > sin(f)
        and sin(f) > sin(g)
        and sin(g) > sin(h)
    ):
        return True
    return False


def benchmark75(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float
) -> bool:
    if (
        sin(a) > sin(b)
        and sin(b) > sin(c)
        and sin(c) > sin(d)
        and sin(d) > sin(e)
        and sin(e) > sin(f)
        and sin(f) > sin(g)
        and sin(g) > sin(h)
        and sin(h) > sin(i)
    ):
        return True
    return False


def benchmark76(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float
) -> bool:
    if a > b and b > c and c > d and d > e and e > f and f > g and g > h and h > i:
        return True
    return False


def benchmark77(
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    f: float,
    g: float,
    h: float,
    i: float,
    j: float,
) -> bool:
    if a > b and b > c and c > d and d > e and e > f and f > g and g > h and h > i and i > j:
        return True
    return False
