"""Whatever an argument can be besides the obvious is tried where the program could notice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.explore.exploring import explore

TOKENS = """
        class Comment:
            type = "comment"

            def __init__(self, line):
                self.line = line


        class Ident:
            type = "ident"

            def __init__(self, line, value):
                self.line = line
                self.value = value


        class Literal:
            type = "literal"

            def __init__(self, line, value):
                self.line = line
                self.value = value

            def __eq__(self, other):
                return self.value == other


        def next_word(tokens):
            for token in tokens:
                if token.type != "comment":
                    return token
"""
COVERED = {
    "elements of classes with different constants": TOKENS
    + """

        def f(tokens):
            for token in tokens:
                if token == ";":
                    return 0
                if token.type == "ident" and token.value == "red":
                    return 1
                if token.type == "number" and token.is_integer:
                    return 2
            return 3
    """,
    "what a function asks of what a constructor keeps": """
        class Case:
            def __init__(self, value):
                self.value = value


        class Block:
            def __init__(self, items, line=None):
                self.items = items
                self.line = line


        class Switch:
            def __init__(self, on, body):
                self.on = on
                self.body = body


        def f(switch: Switch):
            if not isinstance(switch.body, Block):
                return 0
            for each in switch.body.items or []:
                if isinstance(each, Case):
                    return 1 if each.value == "default" else 2
            return 3
    """,
    "elements that a function of the program picks": TOKENS
    + """

        def f(tokens):
            first = next_word(tokens)
            if first is None:
                return 0
            if first == ":":
                return 1
            if first.type == "ident" and first.value == "red":
                return 2
            return 3
    """,
    "an object that the module has a name for": """
        NOTHING = object()


        def f(x):
            return 1 if x is NOTHING else 0
    """,
    "a class that is asked for by a function of the program": """
        def derives(kind, wanted):
            try:
                return issubclass(kind, wanted)
            except TypeError:
                return False


        def f(kind):
            if derives(kind, str):
                return 1
            if derives(kind, (int, float)):
                return 2
            return 0
    """,
    "a type that is about itself": """
        from typing import Dict, List, Union

        Raw = Union[str, Dict["Raw", "Raw"], List["Raw"]]


        def f(raw: Raw) -> int:
            if isinstance(raw, dict):
                return 1
            if isinstance(raw, list):
                return 2 if raw and isinstance(raw[0], list) else 3
            return 4
    """,
    "a record within a record that is declared as a dict of anything": """
        from typing import Any


        def f(context: dict[str, Any]) -> int:
            for key, value in context["top"].items():
                if key.startswith("_"):
                    return 1
                if isinstance(value, list):
                    return 2
                if isinstance(value, bool):
                    return 3
            return 0
    """,
    "the fields of a dataclass": """
        from dataclasses import fields


        def f(record):
            found = []
            for field in fields(record):
                if field.name.startswith("file"):
                    found.append(field)
            return found
    """,
    "a bool for an int": """
        def f(x: int) -> int:
            return 1 if isinstance(x, bool) else 0
    """,
    "True itself for an int": """
        def f(x: int) -> int:
            return 1 if x is True else 0
    """,
    "a bool for an int that is handed on": """
        def is_flag(value):
            return isinstance(value, bool)


        def f(x: int) -> int:
            if is_flag(x):
                return 1
            return 0
    """,
    "an int for a float": """
        def f(x: float) -> int:
            if type(x) is int and x > 3:
                return 1
            return 0
    """,
    "a tuple, a set and a text for an Iterable": """
        from collections.abc import Iterable


        def f(s: Iterable[str]) -> int:
            match s:
                case str():
                    return 1
                case tuple():
                    return 2
                case set():
                    return 3
            return 0
    """,
    "a datetime with a time zone": """
        from datetime import datetime


        def f(d: datetime) -> int:
            if d.tzinfo is None:
                return 0
            if d.utcoffset().total_seconds() < 0:
                return 1
            return 2
    """,
    "an enum of ints for an int": """
        import enum


        class Level(enum.IntEnum):
            LOW = 1
            HIGH = 2


        def f(x: int) -> int:
            return 1 if isinstance(x, Level) else 0
    """,
    "one of several errors that a callable raises": """
        from collections.abc import Callable


        def f(g: Callable[[], int]) -> int:
            caught = ""
            try:
                g()
            except KeyError:
                caught = "key"
            except (ValueError, TypeError):
                caught = "value"
            if caught == "key":
                return 1
            if caught == "value":
                return 2
            return 0
    """,
    "a sentinel as the default of an int": """
        UNSET = object()


        def f(n: int = UNSET) -> int:
            if n is UNSET:
                return 1
            return 0
    """,
    "None as the default of a text": """
        def f(unit: str = None) -> int:
            if unit is None:
                return 1
            return 2 if unit == "km" else 0
    """,
    "None among the elements of a bare list": """
        def f(xs: list) -> int:
            return 1 if len(xs) == 2 and xs[1] is None else 0
    """,
    "keys and values of a bare dict": """
        def f(d: dict) -> int:
            if "name" in d and isinstance(d["name"], str):
                return 1
            return 0
    """,
    "a function in place of the number that is its default": """
        def f(size=128):
            if callable(size):
                return 1
            return 2 if size > 4 else 3
    """,
    "what is no function": """
        def f(act):
            if not callable(act):
                raise TypeError(act)
            return act(3)
    """,
    "neither a mapping nor a sequence": """
        from collections.abc import Mapping, Sequence

        def f(doc, part):
            if isinstance(doc, Mapping):
                return part not in doc
            if isinstance(doc, Sequence) and not isinstance(doc, str):
                return part == "-"
            return False
    """,
    "the elements of a list with a constructor of its own": """
        class Line:
            def __init__(self, kind: str) -> None:
                self.kind = kind


        class Hunk(list[Line]):
            def __init__(self, start: int = 0) -> None:
                super().__init__()
                self.start = start


        def f(hunk: Hunk) -> int:
            return 1 if len(hunk) == 2 and hunk[1].kind == "+" and hunk.start == 7 else 0
    """,
    "the elements of a list that is filled by a method of its own": """
        class Names(list):
            def __init__(self, first: str) -> None:
                super().__init__()

            def append(self, name: str) -> None:
                super().append(name.strip())


        def f(names: Names) -> int:
            return 1 if "ab" in names else 0
    """,
    "the keys of a dict with a constructor of its own": """
        class Bag(dict):
            def __init__(self, size: int = 0) -> None:
                super().__init__()
                self.size = size


        def f(bag: Bag, key: str) -> int:
            return 1 if key in bag else 0
    """,
    "the keys of a dict whose class is declared with too few arguments": """
        class Bag(dict[str]):
            def __init__(self) -> None:
                super().__init__()


        def f(bag: Bag) -> int:
            return 1 if "ab" in bag else 0
    """,
    "the elements of a list whose class is declared with too many arguments": """
        class Lines(list[str, int]):
            def __init__(self) -> None:
                super().__init__()


        def f(lines: Lines) -> int:
            return 1 if len(lines) == 2 else 0
    """,
    "the elements of a set with a constructor of its own": """
        class Seen(set[int]):
            def __init__(self, size: int = 0) -> None:
                super().__init__()
                self.size = size


        def f(seen: Seen) -> int:
            return 1 if 42 in seen else 0
    """,
    "pairs of a bare iterator": """
        from typing import Iterator

        def f(lines: Iterator) -> int:
            for _, line in lines:
                if line.startswith("a"):
                    return 1
            return 0
    """,
    "pairs of a bare iterable": """
        from typing import Iterable

        def f(lines: Iterable) -> int:
            for _, line in lines:
                if line.startswith("a"):
                    return 1
            return 0
    """,
    "pairs of a bare generator": """
        from collections.abc import Generator

        def f(lines: Generator) -> int:
            for _, line in lines:
                if line == 7:
                    return 1
            return 0
    """,
    "a text in a bare deque": """
        from collections import deque

        def f(xs: deque) -> int:
            return 1 if len(xs) == 1 and xs[0] == "ab" else 0
    """,
    "a text as key of a bare ordered dict": """
        from collections import OrderedDict

        def f(d: OrderedDict) -> int:
            return 1 if "ab" in d else 0
    """,
    "a text as key of a bare counter": """
        from collections import Counter

        def f(d: Counter) -> int:
            return 1 if d["ab"] == 3 else 0
    """,
    "a text as value of a bare default dict": """
        from collections import defaultdict

        def f(d: defaultdict) -> int:
            return 1 if d["ab"] == "x" else 0
    """,
    "a text in a bare tuple": """
        def f(t: tuple) -> int:
            return 1 if len(t) == 2 and t[1] == "b" else 0
    """,
    "one of two kinds for an object": """
        def f(x: object) -> int:
            if isinstance(x, bytes):
                return 1
            return 2 if isinstance(x, tuple) and len(x) == 2 else 0
    """,
    "half of an odd number": """
        def f(x):
            return 1 if x * 2 == 7 else 0
    """,
    "a key that is not required": """
        from __future__ import annotations

        from typing import NotRequired, Required, TypedDict


        class Order(TypedDict, total=False):
            total: Required[int]
            code: NotRequired[str]


        def f(order: Order) -> int:
            if "code" not in order:
                return 1
            return 2 if order["code"] == "x" else order["total"]
    """,
    "two of three lists that are one": """
        def f(a: list[int], b: list[int], c: list[int]) -> int:
            return 1 if b is c and a is not b else 0
    """,
    "two rows that are one": """
        def f(rows: list[list[int]]) -> int:
            if len(rows) == 2:
                rows[0].append(1)
                if len(rows[1]) == 1 and len(rows[0]) == 1 and rows[1][0] == 1:
                    return 1 if rows[0] is rows[1] else 2
            return 0
    """,
    "a field and a parameter that are one": """
        from dataclasses import dataclass


        @dataclass
        class Holder:
            items: list[int]


        def f(holder: Holder, items: list[int]) -> int:
            return 1 if holder.items is items else 0
    """,
    "two values of a dict that are one": """
        def f(d: dict[str, list[int]]) -> int:
            return 1 if len(d) == 2 and "a" in d and "b" in d and d["a"] is d["b"] else 0
    """,
    "two tuples that are one": """
        def f(a: tuple[int, int], b: tuple[int, int]) -> int:
            return 1 if a is b else 0
    """,
    "two ints that are one": """
        def f(a: int, b: int) -> int:
            return 1 if a is b else 0
    """,
    "an iterator that is used up": """
        from collections.abc import Iterable


        def f(xs: Iterable[int]) -> int:
            return 1 if list(xs) and not list(xs) else 0
    """,
    "a tree whose nodes hold a list of nodes": """
        from __future__ import annotations

        from dataclasses import dataclass, field


        @dataclass
        class Node:
            value: int
            children: list[Node] = field(default_factory=list)


        def f(root: Node) -> int:
            if len(root.children) == 2 and root.children[1].value == 7:
                return 2 if root.children[1].children else 1
            return 0
    """,
    "an expression of subclasses that hold each other": """
        class Expr:
            pass


        class Add(Expr):
            def __init__(self, left: Expr, right: Expr) -> None:
                self.left, self.right = left, right


        class Num(Expr):
            def __init__(self, value: int) -> None:
                self.value = value


        def f(e: Expr) -> int:
            if isinstance(e, Add) and isinstance(e.right, Add):
                return 1
            return 2 if isinstance(e, Num) and e.value == 5 else 0
    """,
    "a linked list that ends where it began": """
        from __future__ import annotations


        class Node:
            def __init__(self, value: int, next: Node | None = None) -> None:
                self.value = value
                self.next = next


        def f(head: Node) -> int:
            if head.next is head:
                return 1
            if head.next is not None and head.next.next is head:
                return 2
            return 0
    """,
    "an object inside its with": """
        class Door:
            def __init__(self) -> None:
                self.opened = False

            def __enter__(self):
                self.opened = True
                return self

            def __exit__(self, *error: object) -> None:
                self.opened = False


        def f(door: Door) -> int:
            return 1 if door.opened else 0
    """,
    "numbers for min": """
        def f(a, b):
            return 1 if min(a, b) == 3 else 0
    """,
    "lists for zip": """
        def f(x, y):
            for a, b in zip(x, y):
                if a == b + 1:
                    return 1
            return 0
    """,
    "numbers for a lambda in filter": """
        def f(xs):
            return 1 if list(filter(lambda x: x > 3, xs)) else 0
    """,
    "what a local tuple holds": """
        def f(x):
            allowed = ("red", "green")
            return 0 if x not in allowed else 1
    """,
    "what a global table holds": """
        TABLE = {"red": 1, "green": 2}


        def f(x):
            return 1 if x in TABLE else 0
    """,
    "texts under other names": """
        def f(a, b):
            t, u = a, b
            return 1 if t.upper() == u.lower() else 0
    """,
    "texts as the keys of a dict": """
        def f(d):
            for key in d.keys():
                if key.startswith("x"):
                    return 1
            return 0
    """,
    "a generic class of the program, with what its variable stands for": """
        from typing import Generic, TypeVar

        T = TypeVar("T")


        class Tree(Generic[T]):
            def __init__(self, value: T, left: "Tree[T] | None" = None) -> None:
                self.value, self.left = value, left


        def f(tree: Tree[str]) -> int:
            if tree.left is not None and tree.left.value == "leaf":
                return 1
            return 0
    """,
    "a callable that returns an awaitable, asked twice": """
        from collections.abc import Awaitable, Callable


        async def f(get: Callable[[str], Awaitable[int]]) -> int:
            if await get("a") + await get("a") == 8:
                return 1
            return 0
    """,
    "what a dataclass takes for `__post_init__` only": """
        from dataclasses import InitVar, dataclass, field


        @dataclass
        class Account:
            opening: InitVar[int] = 0
            balance: int = field(init=False, default=0)

            def __post_init__(self, opening: int) -> None:
                self.balance = opening * 100


        def f(account: Account) -> int:
            return 1 if account.balance == 4200 else 0
    """,
    "further arguments of a constructor": """
        class Box:
            def __init__(self, n: int = 0, *rest: int, **options: int) -> None:
                self.last = rest[-1] if rest else n
                self.deep = "depth" in options


        def f(box: Box) -> int:
            if box.last == 7 and box.deep:
                return 1
            return 0
    """,
}


@pytest.mark.parametrize("program", COVERED.values(), ids=COVERED)
def test_both_sides_are_covered(program: str, tmp_path: Path) -> None:
    report = explore(program, tmp_path)

    assert not report.error
    assert report.conditions.total > 0
    assert report.conditions.covered == report.conditions.total, [
        (spot.line, spot.text, spot.reason, spot.proof) for spot in report.open + report.infeasible
    ]


ACCOUNT = """
    class Account:
        def __init__(self):
            self._limit = 0
            self.level = 0

        @property
        def limit(self) -> int:
            return self._limit

        @limit.setter
        def limit(self, value: int) -> None:
            self._limit = value

        def is_rich(self):
            return 1 if self._limit > 50 else 0

        def is_high(self):
            return 1 if self.level > 50 else 0
"""


def test_a_property_is_set_to_get_an_object_into_a_state(tmp_path: Path) -> None:
    report = explore(ACCOUNT, tmp_path, "Account.is_rich", max_runs=60)

    assert report.conditions.open == 0
    assert any('setattr(self, "limit"' in found.args["self"] for found in report.inputs)


def test_a_state_that_only_other_code_sets_is_given_without_the_constructor(tmp_path: Path) -> None:
    report = explore(ACCOUNT, tmp_path, "Account.is_high", max_runs=200)

    assert report.conditions.open == 0


# Nobody finds an input for these, but they are no proof either: with what the reason has to name.
OPEN = {
    "a type that was guessed": (
        "def f(n):\n    if isinstance(n, int) and n > 3 and n < 3:\n        return 1\n    return 0\n",
        "f.n has no declared type",
    ),
    "an object": (
        "def f(x: object) -> int:\n    if x != x and x == x:\n        return 1\n    return 0\n",
        "f.x may be of any type",
    ),
    "a type variable": (
        "from typing import TypeVar\n\nT = TypeVar('T')\n\n\n"
        "def f(x: T) -> int:\n    if x != x:\n        return 1\n    return 0\n",
        "f.x may be of any type",
    ),
    "a bare list": (
        "def f(xs: list) -> int:\n    if len(xs) < 0:\n        return 1\n    return 0\n",
        "f.xs says nothing of its elements",
    ),
    "texts that are one": (
        "def f(a: str, b: str) -> int:\n    if a is b:\n        return 1\n    return 0\n",
        "`is` between values",
    ),
    "what a constructor is never given": (
        "from types import CodeType\n\n"
        "class A:\n    def __init__(self, code: CodeType | None = None, *rest, **more) -> None:\n"
        "        self.full = code is not None or len(rest) > 1 or more != {}\n\n"
        "def f(a: A) -> int:\n    if a.full:\n        return 1\n    return 0\n",
        "is always left out",
    ),
}


@pytest.mark.parametrize(("program", "reason"), OPEN.values(), ids=OPEN)
def test_what_no_input_was_found_for_is_open_and_the_reason_says_why(
    program: str, reason: str, tmp_path: Path
) -> None:
    report = explore(program, tmp_path, budget=2.0)

    assert not report.infeasible
    assert report.open
    assert all(reason in spot.reason for spot in report.open), report.open


REFUSING = {
    "a class that cannot be built": "    def __init__(self, n: int) -> None:\n        raise ValueError('never')\n",
    "a class that takes one of its own": (
        "    def __init__(self, other: 'A') -> None:\n        self.other = other\n"
    ),
}


@pytest.mark.parametrize("made", REFUSING.values(), ids=REFUSING)
def test_where_a_constructor_refuses_a_stand_in_does(made: str, tmp_path: Path) -> None:
    rest = "def f(a: A, n: int) -> int:\n    if a.size + n > 3:\n        return 1\n    return 0\n"

    report = explore(f"class A:\n{made}\n\n{rest}", tmp_path, budget=2.0)

    assert not report.open
    assert not report.infeasible
    assert all("SimpleNamespace(" in found.args["a"] for found in report.inputs)


def test_what_the_program_cannot_notice_is_not_tried(tmp_path: Path) -> None:
    program = """
        def f(a: list[int], b: list[int], n: int, x: float) -> int:
            if n > 3 and len(a) > len(b) and x < 1.5:
                return 1
            return 0
    """

    report = explore(program, tmp_path, max_runs=60, paths=True)

    assert not any("same_" in text for found in report.inputs for text in found.args.values())
    assert not any(found.args["n"] in ("True", "False") for found in report.inputs)


RECEIVERS: list[Any] = [
    pytest.param("Base.f", {"Plain()"}, True, id="one that inherits the method"),
    pytest.param("Hidden.g", {"Loud()"}, False, id="one that overrides it, called explicitly"),
]


@pytest.mark.parametrize(("name", "objects", "is_method"), RECEIVERS)
def test_a_method_is_called_on_an_object_that_has_that_very_method(
    name: str, objects: set[str], is_method: bool, tmp_path: Path
) -> None:
    program = """
        import abc


        class Base(abc.ABC):
            def f(self, x: int) -> int:
                return 1 if x > 3 else 0

            @abc.abstractmethod
            def other(self) -> int: ...


        class Other(Base):
            def f(self, x: int) -> int:
                return 7

            def other(self) -> int:
                return 0


        class Plain(Base):
            def other(self) -> int:
                return 0


        class Hidden(abc.ABC):
            @abc.abstractmethod
            def g(self, x: int) -> int:
                return 1 if x > 3 else 0


        class Loud(Hidden):
            def g(self, x: int) -> int:
                return 7
    """

    report = explore(program, tmp_path, name)

    assert report.branches.covered == report.branches.total
    assert {found.args["self"] for found in report.inputs} == objects
    assert report.is_method is is_method


def test_a_class_made_at_run_time_is_written_under_the_name_that_the_module_has_for_it(
    tmp_path: Path,
) -> None:
    program = """
        def make():
            class Inner:
                def __init__(self, v: int) -> None:
                    self.v = v

            return Inner


        Box = make()


        def f(box: Box) -> int:
            return 1 if box.v > 3 else 0
    """

    report = explore(program, tmp_path, replay=True)

    assert all(found.args["box"].startswith("Box(") for found in report.inputs)
    assert {found.returned for found in report.inputs} == {"0", "1"}
