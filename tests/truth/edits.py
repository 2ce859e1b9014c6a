"""Programs with a line that nothing executes, and the smallest edit that makes it run."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

GOAL = "# goal"


@dataclass(frozen=True, slots=True)
class Edit:
    """A program, the text in it to replace, and by what."""

    name: str
    program: str
    old: str
    new: str

    def __str__(self) -> str:
        return self.name

    @property
    def before(self) -> str:
        return dedent(self.program).lstrip()

    @property
    def after(self) -> str:
        assert self.before.count(self.old) == 1, self.name
        return self.before.replace(self.old, self.new)

    @property
    def line(self) -> int:
        """Of the mark; the edit keeps the number of lines."""
        return 1 + next(i for i, line in enumerate(self.before.splitlines()) if GOAL in line)


def _one(
    name: str, signature: str, condition: str, old: str, new: str, first: str = "pass"
) -> Edit:
    """A function with one statement and one condition."""
    body = f"def f({signature}):\n    {first}\n    if {condition}:  {GOAL}\n        return 1\n    return 0\n"
    return Edit(name, body, old, new)


# The condition in the marked line is never true.
CONDITIONS = [
    _one("two bounds", "x: int", "x > 5 and x < 6", "< 6", "< 7"),
    _one("remainder", "x: int", "x % 4 == 4", "== 4", "== 3"),
    _one("square", "x: int", "x * x == 50", "50", "49"),
    _one("even and odd", "x: int", "2 * x == 2 * y + 1", "+ 1", "+ 4", "y = 3 * x"),
    _one("absolute value", "x: int", "abs(x) < 0", "< 0", "< 1"),
    _one("bits", "x: int", "x & 3 == 4", "== 4", "== 2"),
    _one("minimum", "a: int, b: int", "min(a, b) > a", "> a", "< a"),
    _one("order of three", "a: int, b: int, c: int", "a < b and b < c and c < a", "c < a", "a < c"),
    _one("two texts", "s: str", "s == 'a' and s == 'b'", "== 'b'", "< 'b'"),
    _one("prefix", "s: str", "s.startswith('ab') and s[0] == 'b'", "s[0] == 'b'", "s[1] == 'b'"),
    _one("text and its length", "s: str", "s == 'abc' and len(s) == 4", "== 4", "== 3"),
    _one("upper case", "s: str", "s == 'q' and s.upper() == 'q'", "upper", "lower"),
    _one("truth", "p: bool, q: bool", "p and q and p != q", "!=", "=="),
    _one("bool as a number", "p: bool", "p + p == 1", "== 1", "== 2"),
    _one("None", "x: int | None", "x is None and y is not None", "is not None", "is None", "y = x"),
    _one("empty list", "xs: list[int]", "not xs and len(xs) > 0", "> 0", "== 0"),
    _one("tuple", "t: tuple[int, int]", "t[0] == 1 and t == (2, t[1])", "(2,", "(1,"),
    _one("ternary", "x: int", "y > 10", "> 10", "> 9", "y = 10 if x > 3 else 0"),
    Edit(
        "loop with a bound",
        """
        def f(n: int):
            total = 0
            for i in range(3):
                total += i
            if total == 4 and n > 0:  # goal
                return 1
            return 0
        """,
        "range(3)",
        "range(2, 3 if n else 5) if n > 5 else (1, 3)",
    ),
    Edit(
        "call of a helper",
        """
        def clamp(x: int) -> int:
            if x > 10:
                return 10
            return x

        def f(x: int):
            if clamp(x) > 10:  # goal
                return 1
            return 0
        """,
        "if x > 10",
        "if x > 11",
    ),
    Edit(
        "division that raises before",
        """
        def f(x: int):
            y = 10 // x
            if x == 0 and y < 100:  # goal
                return 1
            return 0
        """,
        "10 // x",
        "10 // (x + 1)",
    ),
    Edit(
        "handler that does not see it",
        """
        def f(x: int):
            failed = False
            try:
                10 // x
            except ZeroDivisionError:
                failed = True
            if failed and x != 0:  # goal
                return 1
            return 0
        """,
        "10 // x",
        "10 // (x - 1)",
    ),
    Edit(
        "loop until a bound",
        """
        def f(n: int):
            i = 0
            while i < 4:
                i += 1
            if i == 5 and n == 7:  # goal
                return 1
            return 0
        """,
        "i < 4",
        "i < 5",
    ),
    Edit(
        "members of an enumeration",
        """
        import enum

        class Color(enum.Enum):
            RED = 1
            BLUE = 2

        def f(color: Color):
            if color is not Color.RED and color.value == 1:  # goal
                return 1
            return 0
        """,
        "value == 1",
        "value == 2",
    ),
    Edit(
        "dict with fixed keys",
        """
        def f(x: int):
            table = {1: 10, 2: 20}
            if x > 2 and x in table:  # goal
                return 1
            return 0
        """,
        "x > 2",
        "x > 1",
    ),
]

# Nothing executes the marked line.
LINES = [
    Edit(
        "contradiction of two ifs",
        """
        def f(x: int):
            if x > 5:
                if x < 3:
                    return 1  # goal
            return 0
        """,
        "x < 3",
        "x < 7",
    ),
    Edit(
        "else of the opposite",
        """
        def f(x: int):
            if x > 5:
                y = 1
            else:
                y = 2
            if y == 1 and x < 0:
                return 1  # goal
            return 0
        """,
        "y = 2",
        "y = 1",
    ),
    Edit(
        "value that is never assigned",
        """
        def f(x: int):
            kind = "a"
            if x > 3:
                kind = "b"
            if kind == "c":
                return 1  # goal
            return 0
        """,
        'kind = "b"',
        'kind = "c"',
    ),
    Edit(
        "after a return",
        """
        def f(x: int):
            if x > 3:
                return 1
            if x > 4:
                return 2  # goal
            return 0
        """,
        "x > 4",
        "x > 2",
    ),
    Edit(
        "after a raise",
        """
        def f(x: int):
            if x < 0:
                raise ValueError("negative")
            if x == -1:
                return 1  # goal
            return 0
        """,
        "x < 0",
        "x < -1",
    ),
    Edit(
        "after an assertion",
        """
        def f(x: int):
            assert x > 10
            if x == 10:
                return 1  # goal
            return 0
        """,
        "x > 10",
        "x >= 10",
    ),
    Edit(
        "result of a helper",
        """
        def sign(x: int) -> int:
            if x > 0:
                return 1
            if x < 0:
                return -1
            return 0

        def f(x: int):
            if sign(x) == 2:
                return 1  # goal
            return 0
        """,
        "return -1",
        "return 2",
    ),
    Edit(
        "sum and difference",
        """
        def f(a: int, b: int):
            if a + b == 10 and a - b == 1:
                return 1  # goal
            return 0
        """,
        "== 10",
        "== 11",
    ),
    Edit(
        "swap",
        """
        def f(a: int, b: int):
            if a > b:
                a, b = b, a
            if a > b:
                return 1  # goal
            return 0
        """,
        "a, b = b, a",
        "a, b = b, b - 1",
    ),
    Edit(
        "counter in a loop",
        """
        def f(x: int):
            n = 0
            for i in range(3):
                if x == i:
                    n += 1
            if n == 2:
                return 1  # goal
            return 0
        """,
        "x == i",
        "x >= i",
    ),
    Edit(
        "counter that only grows",
        """
        def f(x: int):
            n = 0
            if x > 0:
                n += 1
            if x > 10:
                n += 1
            if n < 0:
                return 1  # goal
            return 0
        """,
        "n = 0",
        "n = -1",
    ),
    Edit(
        "character that is no digit",
        """
        def f(s: str):
            if len(s) == 1 and s.isdigit():
                if s == "x":
                    return 1  # goal
            return 0
        """,
        '"x"',
        '"7"',
    ),
    Edit(
        "text that is too short",
        """
        def f(s: str):
            if len(s) < 3:
                if s == "abc":
                    return 1  # goal
            return 0
        """,
        "< 3",
        "< 4",
    ),
    Edit(
        "handler of another error",
        """
        def f(x: int):
            try:
                y = 10 // x
            except ZeroDivisionError:
                return 0
            if x == 0:
                return 1  # goal
            return y
        """,
        "return 0",
        "y = 0",
    ),
    Edit(
        "handler that is not reached",
        """
        def f(x: int):
            if x == 0:
                x = 1
            try:
                return 10 // x
            except ZeroDivisionError:
                return 1  # goal
        """,
        "x = 1",
        "x = 0",
    ),
    Edit(
        "flag that is cleared",
        """
        def f(x: int):
            done = False
            if x > 3:
                done = True
            if x > 5:
                done = False
            if done and x == 6:
                return 1  # goal
            return 0
        """,
        "x > 5",
        "x > 6",
    ),
    Edit(
        "bool parameters",
        """
        def f(a: bool, b: bool):
            if a or b:
                return 0
            if a:
                return 1  # goal
            return 2
        """,
        "a or b",
        "b",
    ),
    Edit(
        "chain of comparisons",
        """
        def f(a: int, b: int):
            if a < b < a + 1:
                return 1  # goal
            return 0
        """,
        "a + 1",
        "a + 2",
    ),
    Edit(
        "floor division",
        """
        def f(x: int):
            if x // 3 == 4 and x > 14:
                return 1  # goal
            return 0
        """,
        "> 14",
        "> 13",
    ),
    Edit(
        "difference that is a multiple",
        """
        def f(x: int, y: int):
            if 4 * x - 2 * y == 7:
                return 1  # goal
            return 0
        """,
        "== 7",
        "== 8",
    ),
    Edit(
        "maximum of two",
        """
        def f(a: int, b: int):
            m = a
            if b > m:
                m = b
            if m < a:
                return 1  # goal
            return 0
        """,
        "m = b",
        "m = b - 2",
    ),
    Edit(
        "recursion",
        """
        def down(n: int) -> int:
            if n <= 0:
                return 0
            return 0 if n > 3 else down(n - 1)

        def f(x: int):
            if down(x) == 1:
                return 1  # goal
            return 0
        """,
        "return 0 if",
        "return 1 if",
    ),
    Edit(
        "dead code",
        """
        def f(x: int):
            if x > 0:
                return 1
            else:
                return 2
            return 3  # goal
        """,
        "else",
        "elif x < 0",
    ),
    Edit(
        "while that is not left",
        """
        def f(x: int):
            i = 0
            while i < 3:
                i += 1
                if i == 5:
                    return 1  # goal
            return 0
        """,
        "i < 3",
        "i < 6",
    ),
    Edit(
        "optional",
        """
        def f(x: int | None):
            if x is None:
                return 0
            if x is None or x > 5 and x < 6:
                return 1  # goal
            return 2
        """,
        "x < 6",
        "x < 7",
    ),
]
