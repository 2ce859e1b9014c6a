"""Arguments of other kinds than the engine tries first (rows 13 to 15, 20, 22, 24, 26, 27)."""

from tests.state.case import Case

KINDS = [
    Case(
        13,
        "min of two parameters",
        """
        def f(a, b):
            if min(a, b) == 3:
                return 1
            return 0
        """,
    ),
    Case(
        13,
        "zip of two parameters",
        """
        def f(x, y):
            for a, b in zip(x, y):
                if a == b:
                    return 1
            return 0
        """,
    ),
    Case(
        13,
        "filter with a lambda",
        """
        def f(xs):
            kept = list(filter(lambda x: x > 3, xs))
            if kept:
                return 1
            return 0
        """,
    ),
    Case(
        13,
        "not in a local tuple",
        """
        def f(x):
            allowed = ("red", "green")
            if x not in allowed:
                return 1
            return 0
        """,
    ),
    Case(
        13,
        "parameters unpacked into locals",
        """
        def f(a, b):
            t, u = a, b
            if t > u:
                return 1
            return 0
        """,
    ),
    Case(
        13,
        "keys of a dict",
        """
        def f(d):
            for key in d.keys():
                if key.startswith("x"):
                    return d[key]
            return 0
        """,
    ),
    Case(
        0,
        "parameter that is called",
        """
        def f(g, x):
            if g(x) == 3:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "parameter that is joined",
        """
        def f(parts):
            text = "-".join(parts)
            if text == "a-b":
                return 1
            return 0
        """,
    ),
    Case(
        14,
        "class whose constructor rejects nearly everything",
        """
        class Code:
            def __init__(self, text: str) -> None:
                if sum(text.encode()) * 7919 % 1000003 != 424242:
                    raise ValueError("no code")
                self.text = text

            def f(self, n: int) -> int:
                if n > 3:
                    return 1
                return 0
        """,
        open="no Code could be built",
        function="Code.f",
    ),
    Case(
        20,
        "recursive dataclass",
        """
        from __future__ import annotations

        from dataclasses import dataclass, field


        @dataclass
        class Category:
            name: str
            children: list[Category] = field(default_factory=list)


        def f(root: Category) -> int:
            if root.children and root.children[0].name == "x":
                return 1
            return 0
        """,
    ),
    Case(
        22,
        "two of three lists that are the same",
        """
        def f(a: list[int], b: list[int], c: list[int]) -> int:
            if b is c and a is not b:
                return 1
            return 0
        """,
    ),
    Case(
        22,
        "two dataclasses that are one",
        """
        from dataclasses import dataclass


        @dataclass
        class Account:
            total: int


        def f(src: Account, dst: Account, n: int) -> int:
            if src is dst:
                return 1
            return 0
        """,
    ),
    Case(
        22,
        "rows of a nested list that are one",
        """
        def f(rows: list[list[int]]) -> int:
            if len(rows) > 1 and rows[0] is rows[1]:
                return 1
            return 0
        """,
    ),
    Case(
        22,
        "ints that are the same object",
        """
        def f(a: int, b: int) -> int:
            if a is b:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "append through one of two names of a list",
        """
        def f(a: list[int], b: list[int]) -> int:
            before = len(b)
            a.append(1)
            if len(b) != before:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "dict that is a value of itself",
        """
        def f(a: dict[str, int], b: dict[str, int]) -> int:
            b["k"] = 1
            a["k"] = 2
            if b["k"] == 2:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "element that is also an argument",
        """
        def f(rows: list[list[int]], row: list[int]) -> int:
            for each in rows:
                if each is row:
                    return 1
            return 0
        """,
    ),
    Case(
        0,
        "field that is also an argument",
        """
        from dataclasses import dataclass


        @dataclass
        class Holder:
            items: list[int]


        def f(holder: Holder, items: list[int]) -> int:
            if holder.items is items:
                return 1
            return 0
        """,
    ),
    Case(
        24,
        "aware datetime",
        """
        from datetime import datetime


        def f(d: datetime) -> int:
            if d.tzinfo is not None:
                return 1
            return 0
        """,
    ),
    Case(
        24,
        "bool for an int",
        """
        def f(x: int) -> int:
            if isinstance(x, bool):
                return 1
            return 0
        """,
    ),
    Case(
        24,
        "tuple for a Sequence",
        """
        from collections.abc import Sequence


        def f(s: Sequence[int]) -> int:
            if isinstance(s, tuple):
                return 1
            return 0
        """,
    ),
    Case(
        24,
        "typed dict with a key that is not required",
        """
        from __future__ import annotations

        from typing import NotRequired, TypedDict


        class Order(TypedDict):
            total: int
            code: NotRequired[str]


        def f(order: Order) -> int:
            if "code" in order:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "int for a float",
        """
        def f(x: float) -> int:
            if isinstance(x, int):
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "anything for an object",
        """
        def f(x: object) -> int:
            if isinstance(x, str) and x == "no":
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "anything for a type variable",
        """
        from typing import TypeVar

        T = TypeVar("T")


        def f(x: T, y: T) -> int:
            if isinstance(x, list):
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "subclass of a class that is declared",
        """
        class Animal:
            pass


        class Dog(Animal):
            pass


        def f(x: Animal) -> int:
            if isinstance(x, Dog):
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "datetime for a date",
        """
        from datetime import date, datetime


        def f(d: date) -> int:
            if isinstance(d, datetime):
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "callable that raises",
        """
        from collections.abc import Callable


        def f(g: Callable[[int], int]) -> int:
            failed = False
            try:
                g(1)
            except KeyError:
                failed = True
            if failed:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "default outside its annotation",
        """
        def f(n: int, unit: str = None) -> int:
            if unit is None:
                return 1
            if unit == "km":
                return 2
            return 0
        """,
    ),
    Case(
        0,
        "iterable that can be read once",
        """
        from collections.abc import Iterable


        def f(xs: Iterable[int]) -> int:
            first = list(xs)
            if first and not list(xs):
                return 1
            return 0
        """,
    ),
    Case(
        26,
        "element of a bare list",
        """
        def f(xs: list) -> int:
            if xs and isinstance(xs[0], str):
                return 1
            return 0
        """,
    ),
    Case(
        26,
        "key of a bare dict",
        """
        def f(d: dict) -> int:
            if "name" in d:
                return 1
            return 0
        """,
    ),
    Case(
        26,
        "element of a bare tuple",
        """
        def f(t: tuple) -> int:
            if t and isinstance(t[0], str):
                return 1
            return 0
        """,
    ),
    Case(
        26,
        "element of a bare set",
        """
        def f(s: set) -> int:
            if "x" in s:
                return 1
            return 0
        """,
    ),
    Case(
        26,
        "list of anything",
        """
        from typing import Any


        def f(xs: list[Any]) -> int:
            if xs and isinstance(xs[0], str):
                return 1
            return 0
        """,
    ),
    Case(
        26,
        "half of an odd number",
        """
        def f(x):
            if x * 2 == 7:
                return 1
            return 0
        """,
    ),
    Case(
        27,
        "linked list with a cycle",
        """
        from __future__ import annotations

        from dataclasses import dataclass


        @dataclass
        class Node:
            value: int
            next: Node | None = None


        def f(head: Node | None) -> bool:
            slow = fast = head
            while fast is not None and fast.next is not None:
                slow = slow.next
                fast = fast.next.next
                if slow is fast:
                    return True
            return False
        """,
    ),
    Case(
        27,
        "class used through with",
        """
        class Door:
            def __init__(self) -> None:
                self.opened = False

            def __enter__(self) -> "Door":
                self.opened = True
                return self

            def __exit__(self, *error: object) -> None:
                self.opened = False

            def f(self, n: int) -> int:
                if self.opened:
                    return 1
                return 0
        """,
        function="Door.f",
    ),
    Case(
        0,
        "object that only its methods change",
        """
        class Light:
            def __init__(self) -> None:
                self._on = False

            def press(self) -> None:
                self._on = not self._on

            def f(self, n: int) -> int:
                if self._on:
                    return 1
                return 0
        """,
        function="Light.f",
    ),
    Case(
        0,
        "truth inside a pattern",
        """
        from dataclasses import dataclass


        @dataclass
        class Switch:
            n: int
            on: bool


        def f(switch: Switch) -> int:
            match switch:
                case Switch(0, True):
                    return 1
                case Switch(on=False):
                    return 2
            return 0
        """,
    ),
    Case(
        0,
        "keywords that nothing looks up",
        """
        def f(*, a: int, **rest: int) -> int:
            if rest.get("c") == 5:
                return 1
            if len(rest) > 1:
                return 2
            return 0
        """,
    ),
    Case(
        0,
        "object of the own class for an object",
        """
        class Key:
            def __init__(self, n: int) -> None:
                self.n = n

            def __eq__(self, other: object) -> bool:
                if not isinstance(other, Key):
                    return False
                return self.n == other.n
        """,
        function="Key.__eq__",
    ),
    Case(
        0,
        "class that extends int",
        """
        class Money(int):
            def f(self, n: int) -> int:
                if self == 5:
                    return 1
                if self > n:
                    return 2
                return 0
        """,
        function="Money.f",
    ),
    Case(
        0,
        "class that extends dict",
        """
        class Table(dict):
            def f(self) -> int:
                if len(self) == 2:
                    return 1
                return 0
        """,
        function="Table.f",
    ),
    Case(
        0,
        "two definitions of one name",
        """
        import functools


        @functools.singledispatch
        def show(x: object) -> int:
            return 0


        @show.register
        def _(x: int) -> int:
            if x > 3:
                return 1
            return 2


        @show.register
        def _(x: str) -> int:
            return 3
        """,
        function="_",
        open="`_` means another definition, the one at line 16",
    ),
    Case(
        0,
        "generator that hands on to another what is sent to it",
        """
        def inner(n: int):
            got = 0
            for i in range(n % 4):
                got += yield i
            return got


        def f(n: int):
            result = yield from inner(n)
            if result == 5:
                yield 100
            yield result
        """,
        open="depends on what is sent to it",
    ),
    Case(
        0,
        "inner generator that raises in the end",
        """
        def f(n: int):
            def inner():
                got = yield n
                if got == 7:
                    yield 1
                raise ValueError

            if n < 3:
                yield from inner()
        """,
        open="depends on what is sent to it",
    ),
    Case(
        0,
        "inner generator that keeps what is sent to it",
        """
        def f(n: int):
            seen: list[int] = []

            def inner():
                got = yield n
                if got:
                    seen.append(got)

            yield from inner()
            if seen:
                yield 1
        """,
        open="depends on what is sent to it",
    ),
    Case(
        0,
        "bits of an IntFlag that no member has",
        """
        from enum import IntFlag

        class Mode(IntFlag):
            READ = 1
            WRITE = 2

        def f(mode: Mode) -> int:
            if mode > 3:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "bits of a Flag without members of one bit",
        """
        from enum import KEEP, Flag

        class Mode(Flag, boundary=KEEP):
            BOTH = 3

        def f(mode: Mode) -> int:
            if mode == Mode.BOTH:
                return 1
            if mode.value == 1:
                return 2
            return 0
        """,
    ),
    Case(
        0,
        "member of a StrEnum beside a text",
        """
        from enum import StrEnum

        class Unit(StrEnum):
            DAY = "day"
            WEEK = "week"

        def f(unit: Unit, text: str) -> int:
            if unit == text:
                return 1
            if unit in text:
                return 2
            if (unit, 1) > (text, 1):
                return 3
            return 0
        """,
    ),
    Case(
        24,
        "time of day with a time zone",
        """
        import datetime

        def f(start: datetime.time) -> int:
            if start.tzinfo is not None and start.hour == 3:
                return 1
            if start.isoformat().endswith("+00:00"):
                return 2
            return 0
        """,
    ),
    Case(
        24,
        "offset of a time zone",
        """
        import datetime

        def f(zone: datetime.tzinfo) -> int:
            if zone.utcoffset(None) == datetime.timedelta(hours=1):
                return 1
            return 0
        """,
        open="zone may be any time zone",
    ),
    Case(
        0,
        "UUID that says how it was made",
        """
        import uuid

        def f(key: uuid.UUID) -> int:
            if key.is_safe is uuid.SafeUUID.safe:
                return 1
            return 0
        """,
        open="UUID.is_safe",
    ),
]
