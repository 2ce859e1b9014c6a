"""Values of subtypes of the declared types, which the program can tell from the obvious ones."""

from tests.state.case import Case

_MAY_BE = "may be a "  # the class of the program that an argument may be of
_EXECUTES = "executes the line"  # a call of the attack that refuted the proof

# Branches that only such a value takes.
BRANCHES = [
    Case(
        0,
        "int of a class with an __eq__ of its own",
        """
        class Never(int):
            def __eq__(self, other: object) -> bool:
                return False

            __hash__ = int.__hash__

        def f(n: int) -> int:
            if n == 3:
                return 1
            if int(n) == 3:
                return 2  # goal
            return 0
        """,
        open=_MAY_BE,
    ),
    Case(
        0,
        "list of a class with a length of its own",
        """
        class Seven(list):
            def __len__(self) -> int:
                return 7

        def f(xs: list[int]) -> int:
            if len(xs) == 7:
                if len(list(xs)) == 1:
                    return 1  # goal
                return 2
            return 0
        """,
        open=_MAY_BE,
    ),
    Case(
        0,
        "member of an enumeration of texts, formatted",
        """
        import enum

        class Color(str, enum.Enum):
            RED = "red"

        def f(s: str) -> int:
            if f"{s}" != s:
                return 1  # goal
            return 0
        """,
        open=_MAY_BE,
    ),
    Case(
        0,
        "tuple for a Sequence that is compared",
        """
        from collections.abc import Sequence

        def f(xs: Sequence[int]) -> int:
            if xs == (1,):
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "text for a Sequence of texts that is searched",
        """
        from collections.abc import Sequence

        def f(xs: Sequence[str]) -> int:
            if "ab" in xs and len(xs) == 4:
                for x in xs:
                    if len(x) != 1:
                        return 2
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "int beyond all doubles for a float",
        """
        def f(x: float) -> int:
            if x > 1e308 and x * 2 - x == x and x < float("inf"):
                return 1  # goal
            return 0
        """,
        open="f(x=10",
    ),
    Case(
        0,
        "bool for an int that is shown, behind many branches",
        """
        def f(n: int, m: int) -> int:
            if m in (1, 2, 3):
                return m
            if m == 4 or m == 5 or m == 6:
                return m + 10
            if m == 7 and str(n) == "True":
                return 1  # goal
            return 0
        """,
        open="",
    ),
]

# Lines behind an error that only such a value raises, or does not.
LINES = [
    Case(
        0,
        "int for a complex that is compared",
        """
        def f(z: complex) -> int:
            try:
                z < 5
            except TypeError:
                return 0
            return 1  # goal
        """,
        open=_EXECUTES,
    ),
    Case(
        0,
        "int beyond all doubles that is divided",
        """
        def f(x: float) -> int:
            try:
                x / 2
            except OverflowError:
                return 1  # goal
            return 0
        """,
        open=_EXECUTES,
    ),
    Case(
        0,
        "datetime for a date that is compared",
        """
        import datetime

        def f(d: datetime.date) -> int:
            try:
                d < datetime.date(2021, 1, 1)
            except TypeError:
                return 1  # goal
            return 0
        """,
        open=_EXECUTES,
    ),
    Case(
        0,
        "set for a Collection that is indexed",
        """
        from collections.abc import Collection

        def f(xs: Collection[int]) -> int:
            try:
                xs[0]
            except TypeError:
                return 1  # goal
            except IndexError:
                return 2
            return 0
        """,
    ),
    Case(
        0,
        "dict that makes what is missing",
        """
        def f(d: dict[str, int]) -> int:
            if "a" in d:
                return 0
            try:
                d["a"]
            except KeyError:
                return 1
            return 2  # goal
        """,
        open="",
    ),
]
