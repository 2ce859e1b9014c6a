"""How a user writes a choice with its parameters: `name`, or `name:key=value,key=value`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from symcrete.errors import BadOption
from symcrete.slotted import dataclass

Value: TypeAlias = int | float | bool | str

YES = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that can be set; a value is read as the type of the default, or as `kind`."""

    name: str
    default: Value
    what: str
    least: float | None = None
    words: tuple[str, ...] = ()  # values besides those of its type; if that is text, the only ones
    kind: type[Value] | None = None  # of its values, where the default is a word

    def read(self, text: str, of: str) -> Value:
        """The value that a text stands for; `of` is whose parameter this is, for the error."""
        if text in self.words:
            return text
        try:
            value = _read(text, self.kind or type(self.default))
        except ValueError:
            raise BadOption(f"{of}: {self.name} is {self._kind()}, not {text!r}") from None
        if self.least is not None and not float(value) >= self.least:
            raise BadOption(f"{of}: {self.name} is at least {self.least:g}, not {text}")
        return value

    def shown(self) -> str:
        """`k=5 (branches of a context)`, as the lists of strategies and solvers have it."""
        default = self.default
        if isinstance(default, bool):
            default = "yes" if default else "no"
        return f"{self.name}={default} ({self.what})"

    def _kind(self) -> str:
        kinds = {bool: "yes or no", int: "a whole number", float: "a number", str: ""}
        kind = kinds[self.kind or type(self.default)]
        return " or ".join([*self.words, *([kind] if kind else [])])


def _read(text: str, kind: type[Value]) -> Value:
    if kind is bool:
        if text.lower() not in YES:
            raise ValueError(text)
        return YES[text.lower()]
    if kind is str:  # one of the words, and it was none
        raise ValueError(text)
    return int(text) if kind is int else float(text)


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name, and the parameters as they are written."""
    name, colon, rest = text.partition(":")
    name = name.strip()
    given: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = (each.strip() for each in part.partition("="))
        if not equals or not key or not value:
            raise BadOption(
                f"{text.strip()!r}: parameters are written {name}:name=value,name=value"
            )
        if key in given:
            raise BadOption(f"{text.strip()!r} gives {key} twice")
        given[key] = value
    return name, given


def read(given: Mapping[str, str], parameters: Sequence[Parameter], of: str) -> dict[str, Value]:
    """The values of the parameters that are given, by name. `of` is whose parameters they are, for
    the error where one does not exist or cannot be read.
    """
    known = {each.name: each for each in parameters}
    for name in given:
        if name not in known:
            if not known:
                raise BadOption(f"{of} has no parameters, so no {name!r}")
            raise BadOption(f"{of} has no parameter {name!r}; {nearest(name, known)}")
    return {name: known[name].read(text, of) for name, text in given.items()}


def several(count: int, what: str) -> str:
    """A number of things in words: "1 run", "2 runs"."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for somebody who wrote a name that does not exist: the names like it, or all."""
    import difflib  # few commands have a mistake in them

    names = list(known)
    close = difflib.get_close_matches(name, names, n=3)  # as many as one reads
    return f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(names)}"
