"""Rows 34 to 39: kinds of functions."""

from tests.hostile.case import Case, Seen

RETURNED = frozenset({"returned"})


def covers_all(seen: Seen) -> None:
    for target in seen.targets:
        assert target["branches"]["open"] == 0, target["open"]


CASES = [
    Case(
        34,
        "a generator without end",
        """
        from collections.abc import Iterator

        def f(x: int) -> Iterator[int]:
            while x > 3:
                yield x
                x += 1
            yield -1
        """,
        outcomes=RETURNED,
        emits=("itertools.islice(f(",),
        also=covers_all,
    ),
    Case(
        35,
        "a coroutine",
        """
        import asyncio

        async def f(x: int) -> str:
            await asyncio.sleep(0)
            if x > 5:
                return "big"
            return "small"
        """,
        outcomes=RETURNED,
        emits=("asyncio.run(f(", "big"),
        also=covers_all,
    ),
    Case(
        36,
        "a function inside a function",
        """
        def make():
            def inner(x: int) -> int:
                return x
            return inner
        """,
        target="prog.py::make.inner",
        code=4,
        says=("cannot be imported by a test",),
    ),
    Case(
        36,
        "a lambda with a name",
        """
        f = lambda x: 1 if x > 5 else 0
        """,
        code=4,
        says=("lambda",),
    ),
    Case(
        37,
        "methods of all kinds",
        """
        import functools

        class Acc:
            def __init__(self, start: int) -> None:
                self.value = start

            def take(self, x: int) -> int:
                if x > self.value:
                    return 0
                return self.value - x

            @property
            def rich(self) -> bool:
                if self.value > 1000:
                    return True
                return False

            @functools.cached_property
            def poor(self) -> bool:
                if self.value < 10:
                    return True
                return False

            @classmethod
            def of(cls, x: int) -> "Acc":
                if x < 0:
                    raise ValueError("negative")
                return cls(x)

            @staticmethod
            def twice(x: int) -> int:
                return 2 * x if x > 5 else 0
        """,
        target="prog.py",
        budget=2.0,
        outcomes=frozenset({"returned", "raised"}),
        emits=(".take(", ".rich", ".poor", "Acc.of(", "Acc.twice("),
        emits_not=("Acc.rich(Acc", "Acc.of(Acc", " at 0x"),
        also=covers_all,
    ),
    Case(
        38,
        "decorated functions",
        """
        import functools
        from collections.abc import Iterator
        from contextlib import contextmanager

        def loud(function):
            @functools.wraps(function)
            def wrapper(*args):
                return function(*args)
            return wrapper

        @functools.lru_cache
        def cached(x: int) -> str:
            if x == 41:
                return "found"
            return "other"

        @loud
        def wrapped(x: int) -> str:
            if x == 41:
                return "found"
            return "other"

        @contextmanager
        def held(x: int) -> Iterator[str]:
            if x == 41:
                yield "found"
            else:
                yield "other"
        """,
        target="prog.py",
        budget=2.0,
        outcomes=RETURNED,
        emits=("cached(x)", "wrapped(x)", "41"),
        also=covers_all,
    ),
    Case(
        39,
        "a function written in C",
        target="math:gcd",
        code=5,
        says=("no Python code to cover",),
    ),
]
