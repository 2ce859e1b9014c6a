"""Values that go through library code and come out plain (row 21)."""

from tests.state.case import Case


def _branch(imports: str, parameters: str, condition: str, before: str = "") -> str:
    """A function with one branch on the condition."""
    lines = [f"import {imports}", "", ""] if imports else []
    lines += [f"def f({parameters}) -> int:"]
    lines += [f"    {before}"] if before else []
    lines += [f"    if {condition}:", "        return 1", "    return 0"]
    return "\n".join(lines) + "\n"


LIBRARY = [
    Case(21, "in range", _branch("", "n: int", "5 in range(n)")),
    Case(
        21,
        "enumerate with a start",
        """
        def f(names: list[str], start: int) -> int:
            for number, name in enumerate(names, start):
                if number == 8:
                    return 1
            return 0
        """,
    ),
    Case(21, "round to tens", _branch("", "n: int", "n < 5 and round(12345, -n) == 12000")),
    Case(
        21,
        "power modulo",
        _branch("", "x: int", "0 < x and pow(2, x, 5) == 3"),
    ),
    Case(21, "indices of a slice", _branch("", "n: int", "slice(n).indices(5)[1] == 3")),
    Case(21, "step of a range", _branch("", "n: int", "n != 0 and range(0, 20, n).step == 4")),
    Case(
        21,
        "deque times n",
        _branch("collections", "n: int", "n < 9 and len(collections.deque([1]) * n) == 3"),
    ),
    Case(
        21,
        "user list",
        _branch("collections", "i: int", "0 <= i < 3 and collections.UserList([1, 2, 3])[i] == 2"),
    ),
    Case(
        21,
        "str beyond the digit limit",
        """
        def f(n: int) -> int:
            failed = False
            try:
                str(n)
            except ValueError:
                failed = True
            if failed:
                return 1
            return 0
        """,
    ),
    Case(0, "text indexed with a comparison", _branch("", "x: int", '"NY"[x > 3] == "Y"')),
    Case(
        0,
        "timedelta times n",
        _branch(
            "datetime",
            "n: int",
            "0 < n < 99 and datetime.timedelta(hours=1) * n == datetime.timedelta(days=2)",
        ),
    ),
    Case(
        0,
        "replacement function of re.sub",
        _branch("re", "n: int", 're.sub("x", lambda m: str(n), "axb") == "a5b"'),
    ),
    Case(
        0,
        "calendar.month_name",
        _branch("calendar", "i: int", '0 < i < 13 and calendar.month_name[i] == "May"'),
    ),
    Case(
        0,
        "print into a file",
        _branch(
            "io", "n: int", 'out.getvalue() == "5\\n"', "out = io.StringIO(); print(n, file=out)"
        ),
    ),
    Case(0, "itertools.count", _branch("itertools", "n: int", "next(itertools.count(n)) == 5")),
    Case(
        0,
        "itertools.accumulate",
        _branch("itertools", "n: int", "list(itertools.accumulate([1, n, 2])) == [1, 6, 8]"),
    ),
    Case(
        0,
        "functools.reduce with an operator",
        _branch("functools, operator", "n: int", "functools.reduce(operator.xor, [n, 3], 0) == 5"),
    ),
    Case(0, "hash of an int", _branch("", "n: int", "hash(n) == 5")),
    Case(0, "length of bytes(n)", _branch("", "n: int", "0 <= n < 99 and len(bytes(n)) == 7")),
    Case(0, "to_bytes", _branch("", "n: int", '0 <= n < 256 and n.to_bytes(1, "big") == b"A"')),
    Case(
        0,
        "struct.pack",
        _branch("struct", "n: int", '0 <= n < 256 and struct.pack("B", n) == b"A"'),
    ),
    Case(
        0,
        "array of ints",
        _branch("array", "n: int", '0 <= n < 99 and array.array("i", [n])[0] == 5'),
    ),
    Case(0, "math.comb", _branch("math", "n: int", "0 <= n < 20 and math.comb(n, 2) == 10")),
    Case(
        0,
        "bisect",
        _branch("bisect", "n: int", "bisect.bisect([10, 20, 30], n) == 2"),
    ),
    Case(
        0,
        "itemgetter",
        _branch("operator", "n: int", "operator.itemgetter(0)([n, 1]) == 5"),
    ),
    Case(
        0,
        "json.dumps",
        _branch("json", "n: int", 'json.dumps({"n": n}) == \'{"n": 5}\''),
    ),
    Case(
        0,
        "string.Template",
        _branch("string", "n: int", 'string.Template("a$n").substitute(n=n) == "a5"'),
    ),
    Case(
        0,
        "Fraction",
        _branch(
            "fractions",
            "n: int",
            "0 < n < 50 and fractions.Fraction(n, 10) == fractions.Fraction(1, 2)",
        ),
    ),
    Case(
        0,
        "statistics.mean",
        _branch("statistics", "n: int", "statistics.mean([n, 3]) == 4"),
    ),
    Case(
        0,
        "most common of a Counter",
        _branch(
            "collections", "s: str", 'collections.Counter(s + "b").most_common(1)[0] == ("b", 3)'
        ),
    ),
    Case(
        0,
        "text wrapped",
        _branch("textwrap", "n: int", '1 < n < 20 and len(textwrap.wrap("aaa bbb ccc", n)) == 2'),
    ),
    Case(
        0,
        "format with a width that is an input",
        _branch("", "n: int", '0 <= n < 20 and len(f"{1:{n}d}") == 6'),
    ),
    Case(
        0,
        "seeded chance",
        _branch("random", "n: int", "0 <= n < 9 and random.Random(n).random() > 0.9"),
    ),
    Case(
        0,
        "map over a method of a class in C",
        _branch("", "xs: list[int]", 'list(map(str, xs)) == ["7"]'),
    ),
    Case(
        0,
        "memory view",
        _branch("", "b: bytes", "len(b) == 1 and memoryview(b)[0] == 65"),
    ),
    Case(
        0,
        "namedtuple field",
        _branch(
            "collections",
            "n: int",
            "point(n, 2)._replace(y=3)._asdict() == {'x': 5, 'y': 3}",
            "point = collections.namedtuple('point', 'x y')",
        ),
    ),
    Case(
        0,
        "dict built by zip",
        _branch("", "n: int", 'dict(zip("ab", (n, 1)))["a"] == 5'),
    ),
    Case(
        0,
        "partial of a builtin",
        _branch("functools", "n: int", "functools.partial(pow, n)(2) == 49"),
    ),
    Case(0, "copy", _branch("copy", "xs: list[int]", "copy.deepcopy([xs])[0] == [5]")),
    Case(
        0,
        "pickled and back",
        _branch("pickle", "n: int", "pickle.loads(pickle.dumps(n)) == 5"),
    ),
    Case(
        0,
        "shared cell of a queue",
        _branch("queue", "n: int", "q.get() == 5", "q = queue.Queue(); q.put(n)"),
    ),
    Case(
        0,
        "name of the caller",
        """
        import sys

        def f(n: int) -> int:
            if sys._getframe(1).f_code.co_name == "main":
                return 1
            return 0
        """,
        open="sys._getframe()",
    ),
    Case(
        0,
        "frame of the caller",
        """
        import inspect

        def f(n: int) -> int:
            frame = inspect.currentframe()
            if frame.f_back.f_code.co_name == "main" and frame.f_locals["n"] == 7:
                return 1
            return 0
        """,
        open="inspect.currentframe()",
    ),
    Case(
        0,
        "warning that filters make an error",
        """
        import warnings

        def f(n: int) -> int:
            try:
                warnings.warn("odd")
            except UserWarning:
                if n == 7:
                    return 1
            return 0
        """,
        open="warnings.warn()",
    ),
    Case(
        0,
        "hash of the program's own, asked for by a dict",
        """
        class Key:
            def __init__(self, n: int) -> None:
                self.n = n

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Key)

            def __hash__(self) -> int:
                return self.n % 5


        def f(n: int) -> int:
            found = {Key(2): 1}
            if found.get(Key(n)) == 1 and n != 2:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "cached function that is called once for equal arguments",
        """
        import functools


        def f(n: int) -> int:
            calls: list[int] = []

            @functools.lru_cache
            def g(k: int) -> int:
                calls.append(k)
                return k

            g(2)
            g(n)
            if len(calls) == 1:
                return 1
            return 0
        """,
        open="depends on what a cached function gives",
    ),
    Case(
        0,
        "number stored in an array",
        """
        import array


        def f(n: int) -> int:
            numbers = array.array("q", [0])
            numbers[0] = n % 100
            if numbers[0] == 7:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "number stored in a field of a C structure",
        """
        import ctypes


        class Point(ctypes.Structure):
            _fields_ = [("x", ctypes.c_int)]


        def f(n: int) -> int:
            point = Point()
            point.x = n
            if point.x == 7:
                return 1
            return 0
        """,
    ),
]
