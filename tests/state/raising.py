"""Exceptions that an operation raises (rows 12 and 29)."""

from tests.state.case import Case

# The name of the exception is the word after "goal:".
RAISING = [
    Case(
        12,
        "error that is caught in the same function",
        """
        def f(x: int) -> int:
            try:
                if x == 9:
                    raise ValueError("no")  # goal: ValueError
            except ValueError:
                return -1
            return 0
        """,
    ),
    Case(
        29,
        "text of a number beyond the digit limit",
        """
        def f(x: int) -> str:
            return str(x)  # goal: ValueError
        """,
    ),
    Case(
        29,
        "chr of a huge number",
        """
        def f(x: int) -> str:
            return chr(x)  # goal: OverflowError
        """,
    ),
    Case(
        29,
        "shift by a huge number",
        """
        def f(x: int) -> int:
            return 1 << x  # goal: OverflowError
        """,
    ),
    Case(
        0,
        "float of a huge number",
        """
        def f(x: int) -> float:
            return x / 3  # goal: OverflowError
        """,
    ),
    Case(
        0,
        "key that is missing",
        """
        def f(d: dict[str, int]) -> int:
            return d["a"]  # goal: KeyError
        """,
    ),
    Case(
        0,
        "recursion without end",
        """
        def f(x: int) -> int:
            if x == 9:
                return f(x)  # goal: RecursionError
            return 0
        """,
    ),
    Case(
        0,
        "surrogate that cannot be encoded",
        """
        def f(s: str) -> bytes:
            return s.encode()  # goal: UnicodeEncodeError
        """,
    ),
]
