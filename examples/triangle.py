"""What kind of triangle do three sides make?"""


def triangle(a: int, b: int, c: int) -> str:
    if a <= 0 or b <= 0 or c <= 0:
        return "no triangle: a side is not positive"
    if a + b <= c or a + c <= b or b + c <= a:
        return "no triangle: one side is too long"
    if a == b and b == c:
        return "equilateral"
    if a in (b, c) or b == c:
        return "isosceles"
    return "scalene"
