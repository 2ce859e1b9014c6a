"""Small random programs with a marked line, and the truth about it by running every small input."""

from __future__ import annotations

import sys
from random import Random
from types import FrameType
from typing import Any

MARK = "# target"
SMALL = range(-6, 7)


class Writer:
    """Writes one program over the ints a and b."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._lines: list[str] = []
        self._marked = False
        self._loops = 0

    def program(self) -> str:
        helper = ["def helper(p: int, q: int) -> int:"]
        helper += [
            f"    if {self._condition(['p', 'q'])}:",
            f"        return {self._value(['p', 'q'])}",
        ]
        helper += [f"    return {self._value(['p', 'q'])}", "", ""]
        names = ["a", "b"]
        self._block(1, names, 3)
        if not self._marked:
            self._emit(1, f"return 7  {MARK}")
        else:
            self._emit(1, "return 0")
        body = ["def f(a: int, b: int) -> int:", *self._lines]
        return "\n".join([f"LIMIT = {self._random.randint(-3, 3)}", "", "", *helper, *body]) + "\n"

    def _emit(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def _block(self, depth: int, names: list[str], budget: int) -> None:
        for _ in range(self._random.randint(1, 3)):
            self._statement(depth, names, budget)

    def _statement(self, depth: int, names: list[str], budget: int) -> None:
        kind = self._random.choice(
            ["assign", "assign", "if", "if", "if", "for", "try", "call", "while", "mark", "ternary"]
        )
        if kind == "mark" and depth > 1 and not self._marked:
            self._marked = True
            self._emit(depth, f"return 7  {MARK}")
        elif kind in ("if", "for", "try", "while") and budget > 0:
            getattr(self, f"_{kind}")(depth, names, budget - 1)
        elif kind == "call":
            name = self._random.choice("xyz")
            args = f"{self._atom(names)}, {self._atom(names)}"
            self._emit(depth, f"{name} = helper({args})")
            self._know(names, name)
        elif kind == "ternary":
            name = self._random.choice("xyz")
            test = self._condition(names)
            self._emit(depth, f"{name} = {self._value(names)} if {test} else {self._atom(names)}")
            self._know(names, name)
        else:
            name = self._random.choice("xyzab")
            self._emit(depth, f"{name} = {self._value(names)}")
            self._know(names, name)

    def _know(self, names: list[str], name: str) -> None:
        if name not in names:
            names.append(name)

    def _if(self, depth: int, names: list[str], budget: int) -> None:
        self._emit(depth, f"if {self._condition(names)}:")
        self._block(depth + 1, list(names), budget)
        if self._random.random() < 0.5:
            self._emit(depth, "else:")
            self._block(depth + 1, list(names), budget)

    def _for(self, depth: int, names: list[str], budget: int) -> None:
        self._loops += 1
        self._emit(depth, f"for i{self._loops} in range({self._random.randint(0, 3)}):")
        self._turns(depth, [*names, f"i{self._loops}"], names, budget)

    def _while(self, depth: int, names: list[str], budget: int) -> None:
        self._loops += 1
        name = f"n{self._loops}"
        self._emit(depth, f"{name} = {self._random.randint(0, 2)}")
        self._emit(depth, f"while {name} > 0 and ({self._condition(names)}):")
        self._emit(depth + 1, f"{name} = {name} - 1")
        self._turns(depth, list(names), names, budget)

    def _turns(self, depth: int, inside: list[str], names: list[str], budget: int) -> None:
        """The body of a loop, which may be left early, and perhaps its `else`."""
        self._block(depth + 1, inside, budget)
        if self._random.random() < 0.4:
            self._emit(depth + 1, f"if {self._condition(names)}:")
            self._emit(depth + 2, "break")
            self._emit(depth, "else:")
            self._block(depth + 1, list(names), budget)

    def _try(self, depth: int, names: list[str], budget: int) -> None:
        self._emit(depth, "try:")
        inner = list(names)
        self._emit(depth + 1, f"z = {self._value(names)} // {self._atom(names)}")
        if self._random.random() < 0.4:
            self._emit(depth + 1, f"if {self._condition(inner)}:")
            self._emit(depth + 2, 'raise ValueError("no")')
        self._block(depth + 1, [*inner, "z"], budget)
        error = self._random.choice(["ZeroDivisionError", "ValueError", "ArithmeticError"])
        self._emit(depth, f"except {error}:")
        self._block(depth + 1, list(names), budget)
        if self._random.random() < 0.4:
            self._emit(depth, "finally:")
            self._emit(depth + 1, f"y = {self._value(names)}")

    def _condition(self, names: list[str]) -> str:
        kind = self._random.random()
        left, right = self._value(names), self._atom(names)
        sign = self._random.choice(["<", "<=", "==", "!=", ">", ">="])
        if kind < 0.6:
            return f"{left} {sign} {right}"
        if kind < 0.7:
            return f"{right} < {self._atom(names)} <= {left}"
        if kind < 0.8:
            return f"not {self._atom(names)}"
        word = self._random.choice(["and", "or"])
        other = self._random.choice(["<", "==", ">"])
        return f"{left} {sign} {right} {word} {self._atom(names)} {other} {self._atom(names)}"

    def _value(self, names: list[str]) -> str:
        kind = self._random.random()
        if kind < 0.4:
            return self._atom(names)
        if kind < 0.5:  # by a constant: squares of squares in loops would fill the memory
            return f"{self._atom(names)} * {self._random.randint(-2, 3)}"
        sign = self._random.choice(["+", "-"])
        return f"{self._atom(names)} {sign} {self._atom(names)}"

    def _atom(self, names: list[str]) -> str:
        if self._random.random() < 0.6:
            return self._random.choice(names)
        return self._random.choice(["LIMIT", str(self._random.randint(-3, 3))])


def marked_line(text: str) -> int:
    return 1 + next(i for i, line in enumerate(text.splitlines()) if MARK in line)


def executes(function: Any, line: int, *args: Any) -> bool:
    """Whether a call executes the line, whatever else comes of it."""
    seen = False

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal seen
        if event == "line" and frame.f_lineno == line:
            seen = True
        return trace if frame.f_code is function.__code__ else None

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*args)
    except Exception:
        pass
    finally:
        sys.settrace(former)
    return seen


def small_inputs(function: Any, line: int) -> list[tuple[int, int]]:
    """Every small input that executes the line."""
    return [(a, b) for a in SMALL for b in SMALL if executes(function, line, a, b)]
