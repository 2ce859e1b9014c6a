"""Rows 48 to 59: values that are hard to write down, compare or compute."""

from tests.hostile.case import Case, Seen

RETURNED = frozenset({"returned"})


def covers_all(seen: Seen) -> None:
    for target in seen.targets:
        assert target["branches"]["open"] == 0, target["open"]


CASES = [
    Case(
        48,
        "a huge int as input and result",
        """
        def f(x: int) -> int:
            if x > 10**5000:
                return x + 1
            return x
        """,
        outcomes=RETURNED,
        silent_about=("4300 digits", "Exceeds the limit", "Traceback"),
        also=covers_all,
    ),
    Case(
        49,
        "a power that cannot be computed",
        """
        def f(x: int) -> int:
            if x > 5:
                return 2 ** (x * 10**9) % 7
            return x
        """,
        budget=3.0,
        outcomes=RETURNED,
        says=("too expensive to run",),
        emits_not=("6",),
    ),
    Case(
        50,
        "nan and infinity",
        """
        import math

        def f(x: float) -> float:
            if math.isnan(x):
                return x
            if math.isinf(x):
                return x
            return 1.0
        """,
        outcomes=RETURNED,
        emits=("math.isnan(f(", 'float("inf")'),
        also=covers_all,
    ),
    Case(
        51,
        "negative zero",
        """
        import math

        def f(x: float) -> float:
            if x == 0 and math.copysign(1.0, x) < 0:
                return x
            return 1.0
        """,
        budget=2.0,
        outcomes=RETURNED,
        emits=("math.copysign(1.0, ",),
        also=covers_all,
    ),
    Case(
        52,
        "lone surrogates",
        """
        def f(text: str) -> str:
            if text == chr(0xD800) + "x":
                return text
            return "plain"
        """,
        outcomes=RETURNED,
        emits=(r"\ud800",),
        also=covers_all,
    ),
    Case(
        53,
        "characters that editors hide",
        r"""
        def f(text: str) -> str:
            if text == "a\0b":
                return "nul" + text
            if text == "\u2028":
                return "line" + text
            if text == "\u202eabc":
                return "right to left" + text
            return "plain"
        """,
        budget=2.0,
        outcomes=RETURNED,
        emits=(r"\x00", r"\u2028", r"\u202e"),
        emits_not=("\0", "\u2028", "\u202e"),
        also=covers_all,
    ),
    Case(
        54,
        "lists in lists",
        """
        def f(items: list[list[list[list[int]]]]) -> str:
            if items and items[0] and items[0][0] and items[0][0][0]:
                if items[0][0][0][0] == 41:
                    return "found"
            return "other"
        """,
        budget=4.0,
        outcomes=RETURNED,
        emits=("[[[[41]]]]",),
        also=covers_all,
    ),
    Case(
        54,
        "a result a thousand deep",
        """
        def f(x: int) -> list:
            found: list = []
            for _ in range(1000 if x > 5 else 1):
                found = [found]
            return found
        """,
        outcomes=RETURNED,
        also=covers_all,
    ),
    Case(
        55,
        "a list that holds itself",
        """
        def f(x: int) -> list:
            found: list = [x]
            if x > 5:
                found.append(found)
            return found
        """,
        outcomes=RETURNED,
        also=covers_all,
    ),
    Case(
        56,
        "objects that lie and raise",
        """
        class Odd:
            def __init__(self, x: int) -> None:
                self.x = x

            def __eq__(self, other: object) -> bool:
                raise RuntimeError("not to be compared")

            def __hash__(self) -> int:
                raise RuntimeError("not to be hashed")

            def __repr__(self) -> str:
                raise RuntimeError("not to be shown")

            def __bool__(self) -> bool:
                raise RuntimeError("neither true nor false")

        def f(x: int) -> Odd:
            if x == 41:
                return Odd(1)
            return Odd(0)
        """,
        outcomes=RETURNED,
        emits=("41", "Odd"),
        silent_about=("not to be", "neither true", "Traceback"),
        also=covers_all,
    ),
    Case(
        56,
        "an unhashable key",
        """
        def f(x: int) -> int:
            if x == 41:
                return {[]: 1}[0]
            return 0
        """,
        outcomes=frozenset({"returned", "raised"}),
        emits=("pytest.raises(TypeError)",),
        also=covers_all,
    ),
    Case(
        57,
        "identity of numbers",
        """
        def f(x: int, y: int) -> str:
            if x is y:
                return "same"
            if x == y:
                return "equal"
            return "other"
        """,
        outcomes=RETURNED,
    ),
    Case(
        58,
        "floats that are no real numbers",
        """
        def f(x: float) -> str:
            if x + 1.0 == x and x - x == 0:
                return "large"
            return "small"
        """,
        budget=3.0,
        outcomes=RETURNED,
        emits=("large",),
        also=covers_all,
    ),
    Case(
        59,
        "a pattern that backtracks for ever",
        r"""
        import re

        def f(x: int) -> bool:
            if x == 12:
                return re.match(r"(a+)+b", "a" * 60) is not None
            return False
        """,
        budget=4.0,
        outcomes=frozenset({"returned", "timeout"}),
        says=("does not end within",),
        emits_not=("12",),
    ),
]
