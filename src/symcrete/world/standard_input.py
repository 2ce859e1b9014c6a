"""Standard input: at its end at once, unless a branch needs something to be there.

What is read line by line is an input for each line; `read()` gives the rest as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    ReadAs,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_LINE = ChoiceShape((ConstantShape(None), StrShape()))  # None: there is no other line
_LINES = "sys.stdin.readline()"
_REST = "sys.stdin.read()"
_TERMINAL = "sys.stdin.isatty()"
_YES_OR_NO = ChoiceShape((ConstantShape(False), ConstantShape(True)))


class Lines:
    """What stands for `sys.stdin` in a run."""

    encoding = "utf-8"
    errors = "strict"
    name = "<stdin>"
    closed = False

    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self._ended = False

    def line(self) -> Any:
        """The next line without its end; None if there is no other."""
        if self._ended:
            return None
        found = self._ask.next_value(_LINES, _LINE, "standard input")
        if found is None:
            self._ended = True
        elif "\n" in found:  # a branch, so that the search goes on with lines that have none
            raise AssumptionFailed("a line has no line end inside")
        return found

    def readline(self, size: int = -1, /) -> Any:
        found = self.line()
        if size >= 0:
            self._ask.lose("sys.stdin.readline() of so many characters")
        return "" if found is None else found + "\n"

    def read(self, size: int | None = -1, /) -> Any:
        if size is not None and size >= 0:
            self._ask.lose("sys.stdin.read() of so many characters")
        if self._ended:
            return ""
        self._ended = True
        return self._ask.next_value(_REST, StrShape(), "standard input")

    def readlines(self, hint: int = -1, /) -> list[Any]:
        return list(self)

    def __iter__(self) -> Iterator[Any]:
        while (found := self.line()) is not None:
            yield found + "\n"

    def __next__(self) -> Any:
        found = self.line()
        if found is None:
            raise StopIteration
        return found + "\n"

    def isatty(self) -> Any:
        return self._ask.value(Late(_TERMINAL, _YES_OR_NO, "standard input"))

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("no file behind this stream")

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    def lines() -> Lines:
        found: Lines = ask.remembered("sys.stdin", lambda: Lines(ask))
        return found

    yield ReadAs("sys", "stdin", lambda real: lines())
    yield Instead("builtins", "input", _input(ask, lines))


def _input(ask: Asking, lines: Callable[[], Lines]) -> Callable[..., Any]:
    def read(prompt: object = "", /) -> Any:
        if not ask.running:
            return original("builtins", "input")(prompt)
        str(prompt)
        found = lines().line()
        if found is None:
            raise EOFError("EOF when reading a line")
        return found

    return read


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    text = ""
    terminal = [each for each in answers if each.root == _TERMINAL]
    for each in answers:
        if each.value is not None and each.root != _TERMINAL:
            text += each.value if each.root.startswith(_REST) else f"{each.value}\n"
    made = f"io.StringIO({literal(text) if text else ''})"
    for target in targets("sys", "stdin"):
        yield Setting("sys.stdin", literal(text), f"monkeypatch.setattr({literal(target)}, {made})")
        for each in terminal:
            at = literal(f"{target}.isatty")
            yield Setting(_TERMINAL, each.text, f"monkeypatch.setattr({at}, lambda: {each.text})")


STANDARD_INPUT = Source(
    name="standard input",
    what="`input`, `sys.stdin`",
    stand_ins=_stand_ins,
    shown=_shown,
    accounts_for=frozenset({("sys", "stdin")}),
    attributes=frozenset({("sys", "stdin")}),
)
