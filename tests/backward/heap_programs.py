"""Random programs over two small ints with objects, closures, exceptions, generators and state.

Each is a module with a function `f(a, b)`; running it on every small input tells which of its lines
can be executed.
"""

from __future__ import annotations

import sys
from random import Random
from types import FrameType
from typing import Any

SMALL = range(-3, 5)
MOST_LINES = 4000  # traced in one call, after which it is taken for endless

PRELUDE = """\
LIMIT = {limit}
TABLE = [1, 2]
calls = 0


class Box:
    def __init__(self, v: int) -> None:
        self.v = v
        self.items: list[int] = []

    @property
    def twice(self) -> int:
        self.v = self.v + 1
        return self.v * 2

    def put(self, n: int) -> None:
        if n > 0:
            self.items.append(n)

    def __enter__(self) -> "Box":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        self.items.append(0)
        return kind is ValueError


def helper(xs: list, n: int) -> int:
    if n > 1:
        xs.append(n)
        return len(xs)
    if n < -1:
        raise ValueError(n)
    return n


def count() -> int:
    global calls
    calls = calls + 1
    return calls


def pairs(n: int):
    k = 0
    while k < 2:
        got = yield n + k
        if got is not None:
            k = k + got
        k = k + 1


def adder(n: int):
    def add(x: int) -> int:
        nonlocal n
        if x == n:
            n = n + 1
        return x + n

    return add


"""


class HeapWriter:
    """Writes one program."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._lines: list[str] = []
        self._fresh = 0
        self._asked: list[str] = []  # conditions, to be asked again behind a write or none

    def program(self) -> str:
        self._emit(1, "xs = [0]")
        self._emit(1, "d = {}")
        self._emit(1, "box = Box(0)")
        self._emit(1, "n = 0")
        self._block(1, 2, first=True)
        self._emit(1, "return 0")
        prelude = PRELUDE.format(limit=self._random.randint(-1, 2))
        return "\n".join([prelude + "def f(a: int, b: int) -> int:", *self._lines]) + "\n"

    def _emit(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def _name(self) -> str:
        self._fresh += 1
        return f"v{self._fresh}"

    def _block(self, depth: int, budget: int, *, first: bool = False) -> None:
        for _ in range(self._random.randint(2, 4) if first else self._random.randint(1, 2)):
            self._statement(depth, budget)

    def _statement(self, depth: int, budget: int) -> None:
        compound = ["if", "if", "if", "for", "try", "with", "finally", "while", "match", "closure"]
        simple = ["store", "store", "store", "read", "read", "assign", "call", "odd"]
        kind = self._random.choice(simple + (compound if budget > 0 else []))
        getattr(self, f"_{kind}")(depth, budget - 1)

    # -- values

    def _int(self) -> str:
        atoms = ["a", "b", "n", "LIMIT", str(self._random.randint(-2, 3))]
        heap = [
            "len(xs)",
            "len(d)",
            "box.v",
            "len(box.items)",
            "xs[-1]",
            "d.get(a, 0)",
            "box.twice",
        ]
        pick = self._random.random()
        if pick < 0.5:
            return self._random.choice(atoms)
        if pick < 0.8:
            return self._random.choice(heap)
        sign = self._random.choice(["+", "-"])
        return f"({self._random.choice(atoms)} {sign} {self._random.choice(atoms + heap)})"

    def _condition(self) -> str:
        sign = self._random.choice(["<", "<=", "==", "!=", ">", ">="])
        plain = f"{self._int()} {sign} {self._int()}"
        if self._asked and self._random.random() < 0.4:
            again = self._random.choice(self._asked)  # what nothing changed cannot differ
            return self._random.choice([f"not ({again})", again])
        self._asked.append(plain)
        return self._random.choice(
            [
                plain,
                plain,
                plain,
                f"{self._int()} in xs",
                f"a in d and {plain}",
                f"not xs or {plain}",
                f"(n := {self._int()}) > 1",
                "xs is box.items",
                "calls > 1",
                "len(TABLE) > 2",
                f"any((n := each) > {self._int()} for each in (a, b))",
            ]
        )

    # -- statements

    def _store(self, depth: int, budget: int) -> None:
        self._emit(
            depth,
            self._random.choice(
                [
                    f"xs.append({self._int()})",
                    f"d[{self._int()}] = {self._int()}",
                    f"box.v = {self._int()}",
                    f"box.put({self._int()})",
                    "box.items = xs",
                    "xs = box.items",
                    "xs += [1]",
                    "xs = xs + [2]",
                    f"box.v += {self._int()}",
                    "ys = xs",
                    "xs.pop()",
                    "d.pop(a, None)",
                    "del xs[0]",
                    "d.clear()",
                    "count()",
                    "TABLE.append(a)",
                    f"setattr(box, 'v', {self._int()})",
                    "xs.extend(TABLE)",
                    "xs.sort()",
                    "d.update({a: b})",
                ]
            ),
        )

    def _read(self, depth: int, budget: int) -> None:
        source = self._random.choice(["len(xs)", "box.v", "len(d)", "count()", "len(box.items)"])
        self._emit(depth, f"n = {source}")

    def _assign(self, depth: int, budget: int) -> None:
        self._emit(depth, f"{self._random.choice('nab')} = {self._int()}")

    def _call(self, depth: int, budget: int) -> None:
        self._emit(
            depth,
            self._random.choice(
                [
                    f"n = helper(xs, {self._int()})",
                    f"helper(box.items, {self._int()})",
                    f"n = adder({self._int()})({self._int()})",
                    f"n = sum(pairs({self._int()}))",
                    f"n = f(b, {self._random.randint(-2, 0)}) if a > 2 and b > 2 else 0",
                ]
            ),
        )

    def _odd(self, depth: int, budget: int) -> None:
        self._emit(
            depth,
            self._random.choice(
                [
                    f"w: int = {self._int()} / 2",
                    f"assert {self._condition()}, 1 // (a + 1)",
                    "n, *rest = xs",
                    "a, b = b, a",
                    f"n = [each for each in (a, b) if each > {self._int()}][0]",
                    "n = min(xs)",
                    "n = n // a",
                    "n = {1: 5}[b]",
                ]
            ),
        )

    def _if(self, depth: int, budget: int) -> None:
        self._emit(depth, f"if {self._condition()}:")
        self._block(depth + 1, budget)
        if self._random.random() < 0.4:
            self._emit(depth, "else:")
            self._block(depth + 1, budget)

    def _for(self, depth: int, budget: int) -> None:
        name = self._name()
        over = self._random.choice(["range(2)", "(a, b)", "list(xs)", "pairs(a)", "list(d)"])
        self._emit(depth, f"for {name} in {over}:")
        self._block(depth + 1, budget)
        if self._random.random() < 0.4:
            self._emit(depth + 1, f"if {name} == {self._int()}:")
            self._emit(depth + 2, self._random.choice(["break", "continue", f"n = {name}"]))

    def _while(self, depth: int, budget: int) -> None:
        name = self._name()
        self._emit(depth, f"{name} = 2")
        self._emit(depth, f"while {name} > 0 and {self._condition()}:")
        self._emit(depth + 1, f"{name} -= 1")
        self._block(depth + 1, budget)

    def _try(self, depth: int, budget: int) -> None:
        name = self._name()
        self._emit(depth, "try:")
        self._emit(depth + 1, f"{name} = {self._int()}")
        self._block(depth + 1, budget)
        if self._random.random() < 0.5:
            self._emit(depth + 1, f"if {self._condition()}:")
            self._emit(depth + 2, self._random.choice(["raise ValueError(a)", "raise KeyError"]))
        errors = ["ValueError", "KeyError", "(IndexError, ZeroDivisionError)", "NameError"]
        for error in self._random.sample([*errors, "Exception"], 2):
            self._emit(depth, f"except {error}:")
            self._block(depth + 1, budget)
        if self._random.random() < 0.5:
            self._emit(depth, "try:")
            self._emit(depth + 1, f"n = {name}")
            self._emit(depth, "except NameError:")
            self._emit(depth + 1, "n = 7")

    def _finally(self, depth: int, budget: int) -> None:
        self._emit(depth, "try:")
        self._block(depth + 1, budget)
        self._emit(depth + 1, f"if {self._condition()}:")
        self._emit(depth + 2, "return 1")
        self._emit(depth, "finally:")
        self._emit(depth + 1, f"if {self._condition()}:")
        self._emit(depth + 2, self._random.choice(["return 2", "n = 3", "xs.append(a)"]))

    def _with(self, depth: int, budget: int) -> None:
        self._emit(depth, "with box:")
        self._block(depth + 1, budget)
        if self._random.random() < 0.5:
            self._emit(depth + 1, f"if {self._condition()}:")
            self._emit(depth + 2, "raise ValueError(b)")

    def _match(self, depth: int, budget: int) -> None:
        self._emit(depth, f"match {self._int()}:")
        self._emit(depth + 1, f"case {self._random.randint(0, 2)}:")
        self._block(depth + 2, budget)
        self._emit(depth + 1, f"case n if {self._condition()}:")
        self._block(depth + 2, budget)

    def _closure(self, depth: int, budget: int) -> None:
        name = self._name()
        self._emit(depth, f"def {name}(m: int) -> int:")
        self._emit(depth + 1, "nonlocal n")
        self._emit(depth + 1, f"if m > {self._random.randint(-1, 2)}:")
        self._emit(depth + 2, self._random.choice(["n = m", "xs.append(m)", "d[m] = n"]))
        self._emit(depth + 1, "return m")
        self._emit(depth, f"{name}({self._int()})")


class _Endless(BaseException):
    """A call that goes on for too long."""


def executed(text: str) -> dict[int, list[tuple[int, int]]]:
    """By line, the small inputs whose call of `f` in a fresh module executes it."""
    code = compile(text, "<generated>", "exec")
    found: dict[int, list[tuple[int, int]]] = {}
    for a in SMALL:
        for b in SMALL:
            for line in _lines(code, a, b):
                found.setdefault(line, []).append((a, b))
    return found


def _lines(code: Any, a: int, b: int) -> set[int]:
    namespace: dict[str, Any] = {"__name__": "generated"}
    exec(code, namespace)
    seen: set[int] = set()
    left = MOST_LINES

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename != "<generated>":
            return None
        if event == "line":
            seen.add(frame.f_lineno)
            left -= 1
            if left < 0:
                raise _Endless
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        namespace["f"](a, b)
    except (Exception, _Endless):
        pass
    finally:
        sys.settrace(former)
    return seen
