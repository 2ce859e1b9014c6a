"""Functions whose emitted tests did not hold (rows 16 to 19 and 30)."""

from tests.state.case import Case

EMITTED = [
    Case(
        16,
        "abstract method that subclasses override",
        """
        from abc import ABC, abstractmethod


        class Base(ABC):
            @abstractmethod
            def f(self, n: int) -> int:
                if n > 3:
                    return 1
                return 0


        class Real(Base):
            def f(self, n: int) -> int:
                return 100
        """,
        function="Base.f",
    ),
    Case(
        17,
        "end of standard input that is swallowed",
        """
        def f(n: int) -> int:
            try:
                text = input()
            except EOFError:
                text = "none"
            if text == "none":
                return n
            return len(text)
        """,
    ),
    Case(
        18,
        "generator expression returned by a plain function",
        """
        def f(n: int):
            if n > 5:
                return None
            return (i for i in range(n))
        """,
    ),
    Case(
        19,
        "class made at run time",
        """
        from collections import namedtuple


        def make(names: list[str]):
            return namedtuple("Made", names)


        Point = make(["x", "y"])
        Other = type("Other", (), {"__init__": lambda self, n: setattr(self, "n", n)})


        def f(n: int):
            if n > 3:
                return Point(n, 1)
            return Other(n)
        """,
    ),
    Case(
        19,
        "method wrapped with star arguments",
        """
        import functools


        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)

            return wrapper


        class Shop:
            def __init__(self, rate: int) -> None:
                self.rate = rate

            @logged
            def f(self, n: int) -> int:
                if n > self.rate:
                    return 1
                return 0
        """,
        function="Shop.f",
    ),
    Case(
        30,
        "decimal that is not a number",
        """
        from decimal import Decimal


        def f(n: int) -> Decimal:
            if n > 3:
                return Decimal("NaN")
            return Decimal(n)
        """,
    ),
    Case(
        30,
        "async generator",
        """
        async def f(n: int):
            yield 0
            if n > 3:
                yield n
        """,
    ),
    Case(
        30,
        "namedtuple made inside the function",
        """
        from collections import namedtuple


        def f(n: int):
            pair = namedtuple("pair", "a b")
            if n > 3:
                return pair(n, 1)
            return pair(0, 0)
        """,
    ),
    Case(
        0,
        "today's date in the result",
        """
        from datetime import date


        def f(n: int) -> str:
            if n > 3:
                return f"{date.today()}"
            return ""
        """,
    ),
    Case(
        0,
        "counter that earlier tests move on",
        """
        import itertools

        _numbers = itertools.count(1)


        def f(n: int) -> int:
            if n > 3:
                return next(_numbers)
            return 0
        """,
    ),
    Case(
        0,
        "set of texts in the result",
        """
        def f(n: int) -> list[str]:
            if n > 3:
                return list({"one", "two", "three"})
            return []
        """,
    ),
    Case(
        0,
        "float that is not a number in a list",
        """
        def f(n: int) -> list[float]:
            if n > 3:
                return [float("nan")]
            return [float("inf")]
        """,
    ),
    Case(
        0,
        "object without equality",
        """
        class Plain:
            def __init__(self, n: int) -> None:
                self.n = n


        def f(n: int) -> list[Plain]:
            if n > 3:
                return [Plain(n)]
            return []
        """,
    ),
    Case(
        0,
        "lambda in the result",
        """
        def f(n: int):
            if n > 3:
                return {"key": lambda: n}
            return {}
        """,
    ),
    Case(
        0,
        "context manager",
        """
        from contextlib import contextmanager


        @contextmanager
        def f(n: int):
            if n > 3:
                yield n
            else:
                yield 0
        """,
    ),
    Case(
        0,
        "environment in the result",
        """
        import os


        def f(n: int) -> str:
            if n > 3:
                return os.environ.get("HOME", "nowhere")
            return ""
        """,
    ),
    Case(
        0,
        "state of a thread, which one test would leave to the next",
        """
        from threading import local

        _here = local()


        def speak(language: str) -> None:
            _here.language = language


        def f() -> str:
            if getattr(_here, "language", "") == "de":
                return ","
            return "."
        """,
    ),
]
