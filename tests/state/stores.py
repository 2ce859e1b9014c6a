"""Lines that a store, through whatever name or call, makes reachable (rows 1, 2 and 23)."""

from tests.state.case import Case

STORES = [
    Case(
        1,
        "list that an append made longer",
        """
        def f(n: int) -> int:
            log = []
            mark = len(log)
            if n > 20:
                log.append(n)
            if len(log) != mark:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        2,
        "dict that a store made longer",
        """
        def f(n: int) -> int:
            seen = {}
            mark = len(seen)
            if n > 20:
                seen[n] = 1
            if len(seen) != mark:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        2,
        "dict that a pop made shorter",
        """
        def f(n: int) -> int:
            stock = {"a": 1, "b": 2}
            mark = len(stock)
            if n > 20:
                stock.pop("a")
            if len(stock) != mark:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        2,
        "set that an add made longer",
        """
        def f(n: int) -> int:
            seen = set()
            mark = len(seen)
            if n > 20:
                seen.add(n)
            if len(seen) != mark:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        2,
        "attribute that was set between two reads",
        """
        class Box:
            def __init__(self) -> None:
                self.value = 0


        def f(n: int) -> int:
            box = Box()
            mark = box.value
            if n > 20:
                box.value = n
            if box.value != mark:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        2,
        "item that was deleted between two reads",
        """
        def f(n: int) -> int:
            stock = {"a": 1}
            had = "a" in stock
            if n > 20:
                del stock["a"]
            if ("a" in stock) != had:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        2,
        "list passed to a helper that appends",
        """
        def note(log: list[int], n: int) -> None:
            if n > 20:
                log.append(n)


        def f(n: int) -> int:
            log: list[int] = []
            mark = len(log)
            note(log, n)
            if len(log) != mark:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "slice assignment",
        """
        def f(n: int) -> int:
            log = [0]
            if n > 20:
                log[:] = [n, n]
            if len(log) == 2:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "in-place addition through an alias",
        """
        def f(n: int) -> int:
            log = [0]
            same = log
            if n > 20:
                same += [n]
            if len(log) == 2:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "attribute set through an alias",
        """
        class Box:
            value = 0


        def f(n: int) -> int:
            box = Box()
            same = box
            same.value = n
            if box.value == 77:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "setattr with a computed name",
        """
        class Box:
            value = 0


        def f(n: int, name: str) -> int:
            box = Box()
            setattr(box, "val" + "ue", n)
            if box.value == 77:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "attribute set through vars",
        """
        class Box:
            def __init__(self) -> None:
                self.value = 0


        def f(n: int) -> int:
            box = Box()
            vars(box)["value"] = n
            if box.value == 77:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "class attribute read through an instance",
        """
        class Box:
            value = 0


        def f(n: int) -> int:
            box = Box()
            Box.value = n
            if box.value == 77:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "nonlocal that an inner function changes",
        """
        def f(n: int) -> int:
            total = 0

            def add() -> None:
                nonlocal total
                total += n

            before = total
            add()
            if total != before:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "global that a helper changes",
        """
        _total = 0


        def add(n: int) -> None:
            global _total
            _total += n


        def f(n: int) -> int:
            before = _total
            add(n)
            if _total == before + 5:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "element of an inner list",
        """
        def f(n: int) -> int:
            rows = [[0], [0]]
            first = rows[0]
            rows[0].append(n)
            if first[-1] == 77:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "sorted in place",
        """
        def f(n: int) -> int:
            xs = [3, n]
            first = xs[0]
            xs.sort()
            if xs[0] != first:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "heap that a library call changes",
        """
        import heapq


        def f(n: int) -> int:
            heap = [5]
            top = heap[0]
            heapq.heappush(heap, n)
            if heap[0] != top:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "method that changes its object",
        """
        class Account:
            def __init__(self) -> None:
                self.total = 0

            def pay(self, n: int) -> None:
                if n > 20:
                    self.total += n


        def f(n: int) -> int:
            account = Account()
            before = account.total
            account.pay(n)
            if account.total > before:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "default dict that a read makes longer",
        """
        from collections import defaultdict


        def f(n: int) -> int:
            groups: dict[int, list[int]] = defaultdict(list)
            before = len(groups)
            if n > 20:
                groups[n]
            if len(groups) != before:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "property whose getter counts",
        """
        class Counter:
            def __init__(self) -> None:
                self.reads = 0

            @property
            def value(self) -> int:
                self.reads += 1
                return self.reads


        def f(n: int) -> int:
            counter = Counter()
            if counter.value == 1 and counter.value == 2:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        0,
        "two reads of the clock of an object",
        """
        class Clock:
            def __init__(self) -> None:
                self.now = 0

            def tick(self, n: int) -> int:
                self.now += n
                return self.now


        def f(n: int) -> int:
            clock = Clock()
            if clock.tick(n) != clock.tick(n):
                return 1  # goal
            return 0
        """,
    ),
    Case(
        23,
        "annotated assignment of a float to an int",
        """
        def f(x: int) -> int:
            y: int = x / 2
            if y == 0.5:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        23,
        "attribute of an imported module",
        """
        import types

        cfg = types.ModuleType("cfg")
        cfg.DEBUG = False


        def f(x: int) -> int:
            cfg.DEBUG = x > 3
            if cfg.DEBUG:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        23,
        "walrus inside a generator expression",
        """
        def f(x: int) -> int:
            if any((y := v) > 3 for v in (1, x)) and y == 5:
                return 1  # goal
            return 0
        """,
    ),
    Case(
        23,
        "message of an assertion that divides by zero",
        """
        def f(x: int) -> int:
            try:
                assert x > 0, 1 // (x + 5)
            except ZeroDivisionError:
                return 1  # goal
            except AssertionError:
                return 2
            return 0
        """,
    ),
    Case(
        23,
        "recursion that passes None for an int",
        """
        def f(x: int) -> int:
            if x is None:
                return 1  # goal
            if x > 100:
                return f(None)
            return 0
        """,
    ),
    Case(
        23,
        "local that may be unbound",
        """
        def f(x: int) -> int:
            if x > 3:
                y = 1
            try:
                return y
            except UnboundLocalError:
                return -1  # goal
        """,
    ),
    Case(
        0,
        "local that a del unbinds",
        """
        def f(x: int) -> int:
            y = 1
            if x > 3:
                del y
            try:
                return y
            except NameError:
                return -1  # goal
        """,
    ),
    Case(
        0,
        "name of a handler that is unbound after it",
        """
        def f(x: int) -> int:
            error = None
            try:
                1 // x
            except ZeroDivisionError as error:
                pass
            try:
                return 0 if error is None else 2
            except UnboundLocalError:
                return -1  # goal
        """,
    ),
    Case(
        0,
        "loop variable of a loop without steps",
        """
        def f(xs: list[int]) -> int:
            for x in xs:
                pass
            try:
                return x
            except NameError:
                return -1  # goal
        """,
    ),
    Case(
        25,
        "return in a try whose finally returns",
        """
        def f(x: int) -> int:
            try:
                return 1  # goal
            finally:
                return 2
        """,
    ),
    Case(
        0,
        "continue in a try whose finally breaks",
        """
        def f(x: int) -> int:
            for i in range(3):
                try:
                    if x == 9:
                        continue  # goal
                finally:
                    break
            return 0
        """,
    ),
    Case(
        0,
        "raise in a try whose finally returns",
        """
        def f(x: int) -> int:
            try:
                if x == 9:
                    raise ValueError  # goal
            finally:
                return 2
        """,
    ),
]
