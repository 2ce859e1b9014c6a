"""Lines that are entered otherwise than by calling the function around them (rows 3 to 5, 11, 28, 31)."""

from tests.state.case import Case

WAYS_IN = [
    Case(
        3,
        "closure that a caller in the module uses",
        """
        def adder(n: int):
            def add(x: int) -> int:
                if x == n:
                    return 1  # goal
                return 0

            return add


        def use(a: int, b: int) -> int:
            return adder(a)(b)
        """,
    ),
    Case(
        3,
        "closure that nobody in the module uses",
        """
        def adder(n: int):
            def add(x: int) -> int:
                if x == n:
                    return 1  # goal
                return 0

            return add
        """,
    ),
    Case(
        4,
        "wrapper of a decorator",
        """
        def twice(function):
            def wrapper(x: int) -> int:
                if x == 42:
                    return 1  # goal
                return function(x)

            return wrapper


        @twice
        def f(x: int) -> int:
            return x
        """,
    ),
    Case(
        4,
        "wrapper of a decorator with arguments",
        """
        import functools


        def limited(most: int):
            def decorate(function):
                @functools.wraps(function)
                def wrapper(x: int) -> int:
                    if x > most:
                        return most  # goal
                    return function(x)

                return wrapper

            return decorate


        @limited(10)
        def f(x: int) -> int:
            return x
        """,
    ),
    Case(
        0,
        "decorator that is a class",
        """
        class Counted:
            def __init__(self, function) -> None:
                self.function = function

            def __call__(self, x: int) -> int:
                if x == 42:
                    return 1  # goal
                return self.function(x)


        @Counted
        def f(x: int) -> int:
            return x
        """,
    ),
    Case(
        5,
        "line of an async function",
        """
        import asyncio


        async def f(x: int) -> int:
            await asyncio.sleep(0)
            if x == 42:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "async helper that is awaited",
        """
        async def helper(x: int) -> int:
            if x == 42:
                return 1  # goal
            return 0


        async def f(x: int) -> int:
            return await helper(x)
        """,
    ),
    Case(
        0,
        "body of an async generator",
        """
        async def f(x: int):
            yield 0
            if x == 42:
                yield 1  # goal
        """,
    ),
    Case(
        11,
        "generator that is sent a value",
        """
        def f():
            got = yield 0
            if got == 7:
                yield 1  # goal
        """,
    ),
    Case(
        0,
        "generator that is sent values until one stops it",
        """
        def f(limit: int):
            total = 0
            while True:
                got = yield total
                if got is None:
                    return
                total += got
                if total > limit:
                    yield -1  # goal
        """,
    ),
    Case(
        28,
        "context manager whose body raises",
        """
        from contextlib import contextmanager


        @contextmanager
        def f(x: int):
            try:
                yield x
            except ValueError:
                print("no")  # goal
        """,
    ),
    Case(
        28,
        "generator that something is thrown into",
        """
        def f(x: int):
            try:
                yield x
            except KeyError:
                yield -1  # goal
        """,
    ),
    Case(
        0,
        "generator that is closed early",
        """
        def f(x: int):
            try:
                yield x
            except GeneratorExit:
                print("closed")  # goal
                raise
        """,
    ),
    Case(
        0,
        "exit of a class used with with",
        """
        class Guard:
            def __enter__(self) -> "Guard":
                return self

            def __exit__(self, kind, error, trace) -> bool:
                if kind is ValueError:
                    return True  # goal
                return False


        def f(text: str) -> int:
            with Guard():
                return int(text)
            return -1
        """,
    ),
    Case(
        0,
        "callback that a library function calls",
        """
        def key(x: int) -> int:
            if x == 42:
                return -1  # goal
            return x


        def f(xs: list[int]) -> list[int]:
            return sorted(xs, key=key)
        """,
    ),
    Case(
        0,
        "callback in a table",
        """
        def small(x: int) -> int:
            return x


        def large(x: int) -> int:
            if x == 4242:
                return 1  # goal
            return 0


        TABLE = {"small": small, "large": large}


        def f(kind: str, x: int) -> int:
            return TABLE[kind](x)
        """,
    ),
    Case(
        0,
        "method of a subclass called through its base",
        """
        class Shape:
            def __init__(self, side: int) -> None:
                self.side = side

            def area(self) -> int:
                return 0


        class Square(Shape):
            def area(self) -> int:
                if self.side == 42:
                    return 1  # goal
                return self.side * self.side


        def f(shape: Shape) -> int:
            return shape.area()
        """,
    ),
    Case(
        0,
        "finaliser",
        """
        class Held:
            def __init__(self, n: int) -> None:
                self.n = n

            def __del__(self) -> None:
                if self.n == 42:
                    print("gone")  # goal


        def f(n: int) -> int:
            Held(n)
            return 0
        """,
    ),
    Case(
        0,
        "comparison of a class that operators call",
        """
        class Version:
            def __init__(self, n: int) -> None:
                self.n = n

            def __lt__(self, other: "Version") -> bool:
                if other.n == 42:
                    return True  # goal
                return self.n < other.n


        def f(a: int, b: int) -> bool:
            return max(Version(a), Version(b)).n == 1
        """,
    ),
    Case(
        0,
        "attribute that is looked up where it is missing",
        """
        class Lazy:
            def __getattr__(self, name: str) -> int:
                if name == "size":
                    return 1  # goal
                raise AttributeError(name)


        def f(n: int) -> int:
            return Lazy().size + n
        """,
    ),
    Case(
        0,
        "partial of an inner function",
        """
        from functools import partial


        def make(n: int):
            def add(m: int, x: int) -> int:
                if x == m:
                    return 1  # goal
                return 0

            return partial(add, n)


        def f(a: int, b: int) -> int:
            return make(a)(b)
        """,
    ),
    Case(
        0,
        "thread that runs a function",
        """
        import threading


        def work(n: int, out: list[int]) -> None:
            if n == 42:
                out.append(1)  # goal


        def f(n: int) -> int:
            out: list[int] = []
            thread = threading.Thread(target=work, args=(n, out))
            thread.start()
            thread.join()
            return len(out)
        """,
    ),
    Case(
        31,
        "what another task set",
        """
        import asyncio


        async def setter(box: dict[str, int]) -> None:
            box["done"] = 1


        async def reader(box: dict[str, int]) -> int:
            await asyncio.sleep(0)
            if "done" in box:
                return 1  # goal
            return 0


        async def f(n: int) -> int:
            box: dict[str, int] = {}
            first, second = await asyncio.gather(reader(box), setter(box))
            return first
        """,
    ),
    Case(
        31,
        "flag that another task clears",
        """
        import asyncio

        busy = False


        async def worker() -> int:
            global busy
            busy = True
            await asyncio.sleep(0)
            busy = False
            return 0


        async def watcher() -> int:
            if busy:
                return 1  # goal
            return 0


        async def f() -> list[int]:
            return await asyncio.gather(worker(), watcher())
        """,
    ),
]
