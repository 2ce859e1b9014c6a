"""Rows 21 to 33: state, chance, output and the interpreter itself."""

from tests.hostile.case import Case, Seen

RETURNED = frozenset({"returned"})
FLAKY = frozenset({"flaky"})


def covers_all(seen: Seen) -> None:
    for target in seen.targets:
        assert target["branches"]["open"] == 0, target["open"]


CASES = [
    Case(
        21,
        "arguments that are changed",
        """
        def f(items: list[int]) -> str:
            items.append(7)
            if len(items) > 2 and items[0] == 5:
                items.clear()
                return "many"
            return "few"
        """,
        outcomes=RETURNED,
        never=FLAKY,
        emits=("many", "few"),
        also=covers_all,
    ),
    Case(
        22,
        "a counter of the module",
        """
        COUNT = 0

        def f(x: int) -> int:
            global COUNT
            COUNT += 1
            if x > 5:
                return COUNT + 1000
            return COUNT
        """,
        outcomes=RETURNED,
        never=FLAKY,
        emits=("prog.COUNT", "1001"),
    ),
    Case(
        22,
        "a list of the module",
        """
        SEEN: list[int] = []

        def f(x: int) -> str:
            SEEN.append(x)
            if len(SEEN) > 3:
                return "late"
            if x > 5:
                return "big"
            return "small"
        """,
        outcomes=RETURNED,
        never=FLAKY,
        emits=("prog.SEEN", "late"),
        slow=True,
    ),
    Case(
        23,
        "chance",
        """
        import random

        def f(x: int) -> int:
            if x > 5:
                return random.randrange(1000000)
            return x
        """,
        outcomes=RETURNED,
        never=FLAKY,
        emits=("random.randrange",),
    ),
    Case(
        23,
        "chance that often agrees",
        """
        import random

        def f(x: int) -> str:
            if x > 5:
                return "heads" if random.random() < 0.5 else "tails"
            return "none"
        """,
        outcomes=RETURNED,
        never=FLAKY,
        emits=("heads", "tails"),
        slow=True,
    ),
    Case(
        24,
        "the clock",
        """
        import time

        def f(x: int) -> int:
            if x > 5:
                return int(time.time() * 1000)
            return x
        """,
        outcomes=RETURNED,
        never=FLAKY,
        emits=("time.time",),
    ),
    Case(
        24,
        "the date",
        """
        from datetime import datetime

        def f(x: int) -> str:
            if x > 5:
                return datetime.now().isoformat()
            return "then"
        """,
        outcomes=RETURNED,
        never=FLAKY,
        emits=("def now(",),
        slow=True,
    ),
    Case(
        25,
        "hashes of texts",
        """
        def f(x: int) -> int:
            if x > 5:
                return hash("abc")
            return x
        """,
        outcomes=RETURNED | FLAKY,
        says=("hash",),
    ),
    Case(
        25,
        "the order of a set",
        """
        def f(x: int) -> list[str]:
            if x > 5:
                return list({"a", "b", "c", "d", "e"})
            return []
        """,
        outcomes=RETURNED | FLAKY,
        slow=True,
    ),
    Case(
        26,
        "addresses",
        """
        class Thing:
            pass

        def f(x: int) -> str:
            if x > 5:
                return str(Thing())
            return str(x > 3)
        """,
        outcomes=RETURNED | FLAKY,
        emits_not=("0x",),
    ),
    Case(
        26,
        "identities",
        """
        def f(x: int) -> int:
            if x > 5:
                return id(object())
            return 0
        """,
        outcomes=RETURNED | FLAKY,
        says=("id(",),
        slow=True,
    ),
    Case(
        27,
        "input from the keyboard",
        """
        def f(x: int) -> str:
            if x > 5:
                return input("your name? ")
            return "nobody"
        """,
        outcomes=frozenset({"raised", "returned"}),
        says=("EOFError", "standard input is empty"),
        emits_not=("your name",),
    ),
    Case(
        28,
        "ten megabytes of output",
        """
        def f(x: int) -> int:
            if x > 5:
                print("chatter " * 1310720)
                print("the end")
                return 1
            return 0
        """,
        budget=2.0,
        outcomes=RETURNED,
        says=("printed 10.5 MB", "the end"),
        also=lambda seen: short(seen),
    ),
    Case(
        29,
        "descriptors 1 and 2 written and closed",
        """
        import os

        def f(x: int) -> int:
            if x > 5:
                os.write(1, b'{"event": "report"}\\n')
                os.write(2, b"noise")
                os.close(1)
                os.close(2)
                return 1
            return 0
        """,
        outcomes=RETURNED,
        silent_about=("Traceback", "noise"),
        says=("closes descriptor 1, 2",),
        emits_not=("6",),
        slow=True,
    ),
    Case(
        29,
        "every descriptor closed",
        """
        import os

        def f(x: int) -> int:
            if x > 5:
                os.closerange(0, 4096)
                return 1
            return 0
        """,
        outcomes=RETURNED,
        says=("closes descriptor 0, 1, 2",),
        emits_not=("6",),
    ),
    Case(
        30,
        "built-in functions replaced",
        """
        import builtins

        def f(x: int, items: list[int]) -> int:
            builtins.len = lambda thing: 42
            builtins.isinstance = lambda thing, kind: False
            if x > 5:
                return len("abc")
            return x
        """,
        outcomes=RETURNED,
        says=('"42"', "replaces isinstance, len"),
        emits_only_the_import=True,
    ),
    Case(
        31,
        "tracing of its own",
        """
        import sys

        def f(x: int) -> int:
            if x > 5:
                sys.settrace(None)
            if x > 7:
                return 1
            return 0
        """,
        outcomes=RETURNED,
        also=covers_all,
    ),
    Case(
        32,
        "modules blocked and imported again",
        """
        import importlib
        import json
        import sys

        def f(x: int) -> str:
            if x > 5:
                sys.modules["json"] = None
                sys.modules["re"] = None
                sys.modules["symcrete"] = None
                return "blocked"
            if x > 3:
                importlib.reload(json)
                return "again"
            return json.dumps(x)
        """,
        outcomes=RETURNED,
        says=("impossible to import",),
        also=covers_all,
    ),
    Case(
        33,
        "another folder and environment",
        """
        import os

        def f(x: int) -> str:
            if os.environ.get("FROM_BEFORE") == "1":
                return "dirty"
            if x > 5:
                os.environ["FROM_BEFORE"] = "1"
                os.chdir("/")
                return "moved"
            return "stayed"
        """,
        outcomes=RETURNED,
        emits=("dirty", "stayed"),
    ),
]


def short(seen: Seen) -> None:
    assert len(seen.said) < 20_000
