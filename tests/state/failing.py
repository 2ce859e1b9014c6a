"""Errors of built-in functions and of the library that some input brings about."""

from tests.state.case import Case

_WHERE = [
    ("chr beyond an int of C", "n: int", "OverflowError", "chr(n)"),
    ("shift that does not fit", "n: int", "OverflowError", "1 << n if n > 10**20 else n"),
    ("character of a number", "n: int", "OverflowError", '"%c" % n'),
    ("character in a format", "n: int", "OverflowError", 'f"{n:c}"'),
    ("float of an int by %", "n: int", "OverflowError", '"%f" % n'),
    ("float of an int in a format", "n: int", "OverflowError", 'f"{n:.2f}"'),
    ("digits in an f-string", "n: int", "ValueError", 'f"{n}"'),
    ("digits by %", "n: int", "ValueError", '"%d" % n'),
    ("digits by format", "n: int", "ValueError", '"{}".format(n)'),
    ("digits behind a star", "n: int", "ValueError", '"%*d" % (3, n)'),
]

FAILING = [
    Case(
        0,
        name,
        f"""
        def f({parameters}) -> int:
            failed = False
            try:
                {expression}
            except {error}:
                failed = True
            if failed:
                return 1
            return 0
        """,
    )
    for name, parameters, error, expression in _WHERE
]
FAILING.append(
    Case(
        0,
        "length that does not fit",
        """
        class Long:
            def __init__(self, n: int) -> None:
                self.n = n

            def __len__(self) -> int:
                return self.n


        def f(n: int) -> int:
            failed = False
            try:
                if Long(n):
                    failed = False
            except OverflowError:
                failed = True
            if failed:
                return 1
            return 0
        """,
    )
)
