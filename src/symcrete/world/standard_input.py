"""Standard input: at its end at once, unless a branch needs something to be there.

What is read line by line is an input for each line; `read()` gives the rest as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape
from symcrete.world.files.opened import Opened
from symcrete.world.setting_roots import YES_OR_NO
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
_BYTES = "sys.stdin.buffer.read()"
_READ = "lines of sys.stdin"  # what a run remembers: that it has read some
_SECRET = "getpass.getpass()"
_TERMINAL = "sys.stdin.isatty()"


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
        self._ask.remembered(_READ, list).append(None)
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

    @property
    def buffer(self) -> Opened:
        """The bytes of standard input, for a run that has read no text of it."""
        return self._ask.remembered(_BYTES, self._bytes)  # type: ignore[no-any-return]

    def _bytes(self) -> Opened:
        if self._ended or self._ask.remembered(_READ, list):
            raise AssumptionFailed("standard input is read as text or as bytes, not as both")
        self._ended = True
        return Opened("<stdin>", self._ask.next_value(_BYTES, BytesShape(), "standard input"))

    def isatty(self) -> Any:
        return self._ask.value(Late(_TERMINAL, YES_OR_NO, "standard input"))

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
    yield Instead("getpass", "getpass", _secret(ask))


def _input(ask: Asking, lines: Callable[[], Lines]) -> Callable[..., Any]:
    def read(prompt: object = "", /) -> Any:
        if not ask.running:
            return original("builtins", "input")(prompt)
        str(prompt)  # as the original does: it may raise
        found = lines().line()
        if found is None:
            raise EOFError("EOF when reading a line")
        return found

    return read


def _secret(ask: Asking) -> Callable[..., Any]:
    def getpass(prompt: str = "Password: ", stream: Any = None) -> Any:
        if not ask.running:
            return original("getpass", "getpass")(prompt, stream)
        return ask.next_value(_SECRET, StrShape(odd=False), "standard input")

    return getpass


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    typed = [each for each in answers if each.root.startswith(_SECRET)]
    yield from _told_typed(typed, targets)
    if len(typed) == len(answers):
        return
    terminal = [each for each in answers if each.root == _TERMINAL]
    content = [each for each in answers if each not in typed and each not in terminal]
    text, made = _told_content(content)
    for target in targets("sys", "stdin"):
        yield Setting("sys.stdin", text, f"monkeypatch.setattr({literal(target)}, {made})")
        for each in terminal:
            at = literal(f"{target}.isatty")
            yield Setting(_TERMINAL, each.text, f"monkeypatch.setattr({at}, lambda: {each.text})")


def _told_content(answers: Sequence[Answer]) -> tuple[str, str]:
    """What standard input holds, and the stream that a test makes of it, as expressions."""
    for each in answers:
        if each.root == _BYTES:
            made = each.text if each.value else ""
            return each.text, f"io.TextIOWrapper(io.BytesIO({made}))"
    text = ""
    for each in answers:
        if each.value is not None:
            text += each.value if each.root.startswith(_REST) else f"{each.value}\n"
    return literal(text), f"io.StringIO({literal(text) if text else ''})"


def _told_typed(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    """Statements after which `getpass` gives what somebody typed, once for each time it is
    called.
    """
    values = [each.value for each in answers]
    if not values:
        return
    same = len(set(values)) == 1
    text = literal(values[0] if same else values)
    for target in targets("getpass", "getpass"):
        by = f"lambda *_, **__: {text}"
        head = ""
        if not same:
            head, by = f"typed = iter({text})\n", "lambda *_, **__: next(typed)"
        yield Setting(_SECRET, text, f"{head}monkeypatch.setattr({literal(target)}, {by})")


STANDARD_INPUT = Source(
    name="standard input",
    what="`input`, `sys.stdin`, `getpass.getpass`",
    stand_ins=_stand_ins,
    shown=_shown,
    accounts_for=frozenset({("sys", "stdin")}),
    attributes=frozenset({("sys", "stdin")}),
)
