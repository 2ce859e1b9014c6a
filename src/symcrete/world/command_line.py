"""The command line: no arguments, unless a branch needs some; argparse reads it too."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    IntShape,
    Shape,
    TupleShape,
)
from symcrete.world.source import (
    Answer,
    Asking,
    InsteadOfMethod,
    ReadAs,
    Setting,
    Source,
    StandIn,
    Targets,
)

PROGRAM = "prog"  # what a program is called in its runs and tests
_ROOT = "sys.argv[1:]"
_WORD = "sys.argv: "  # before the option or positional that an argument is for
_EACH = "sys.argv, each: "  # the same, before each of several values
_ABSENT = ConstantShape(None)
_ANY_WORDS = SequenceShape(StrShape())
_ONE_TOO_MANY = SequenceShape(
    StrShape(most=1), most=1
)  # at most one short word that the parser does not know: any such word is an error
_ENDING = "--help"  # the program ends there, whatever else is typed
_APPENDING = ("_AppendAction", "_ExtendAction")  # classes of options that may be repeated
_NUMBERS = (int, float)
MOST_VALUES = 3  # of one option or positional that takes any number; chosen, not measured


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    def whole(words: Callable[[], list[Any]] = list, shape: Shape = _ANY_WORDS) -> Any:
        """The command line: the program, these words, and others of this shape."""

        def make() -> Any:
            first = [PROGRAM, *words()]
            if _ENDING in first:
                return first
            found = ask.value(Late(_ROOT, shape, "command line"))
            if any("\x00" in each for each in (*first, *list.__iter__(found))):
                raise AssumptionFailed("no argument of a command holds a NUL")
            for word in reversed(first):
                found.insert(0, word)
            return found

        return ask.remembered("sys.argv", make)

    yield ReadAs("sys", "argv", lambda real: whole())
    for name in ("parse_args", "parse_known_args"):
        yield InsteadOfMethod("argparse", "ArgumentParser", name, _parser(ask, name, whole))


def _parser(
    ask: Asking, name: str, whole: Callable[[Callable[[], list[Any]], Shape], Any]
) -> Callable[..., Any]:
    """Stands in for a method of parsers: without arguments it parses a command line of the input
    that is made for this parser, by `whole`.
    """
    rest = _ANY_WORDS if name == "parse_known_args" else _ONE_TOO_MANY

    def parse(parser: Any, args: Any = None, namespace: Any = None) -> Any:
        method = getattr(type(parser), name)
        if not ask.running or args is not None:
            return method(parser, args, namespace)
        ask.lose("argparse, which looks at arguments without our knowing")
        flags: dict[str, Any] = {}
        line = whole(lambda: list(_words(parser, ask, flags)), rest)
        with _converting(parser, ask):
            found = method(parser, list(line)[1:], namespace)
        options = found[0] if isinstance(found, tuple) else found
        for dest, given in flags.items():
            if getattr(options, dest, None) is ask.plain(given):
                setattr(options, dest, given)
        return found

    return parse


def _words(parser: Any, ask: Asking, flags: dict[str, Any]) -> Iterator[Any]:
    """The words that the input has for the options and positionals of a parser. Whether an option
    is there that stands for True is put into `flags`, with its term, so that it is a branch only
    where the program asks for it.
    """
    for action in parser._actions:
        name = (action.option_strings or [action.dest])[-1]
        if _is_flag(action):
            given = ask.value(Late(f"{_WORD}{name}", BoolShape(), "command line"))
            flags[action.dest] = given
            if ask.plain(given):
                yield name
            continue
        is_append = action.option_strings and action.__class__.__name__ in _APPENDING
        root = f"{_EACH if is_append else _WORD}{name}"
        value = ask.value(Late(root, _shape(action, name, is_append=is_append), "command line"))
        if value is None:
            continue
        yield from _as_words(name, value, each=is_append)
        if name == _ENDING:
            return
        if isinstance(action.choices, dict):  # parsers of commands
            inner = action.choices.get(ask.plain(value))
            if inner is not None:
                yield from _words(inner, ask, flags)


def _is_flag(action: Any) -> bool:
    """Whether an option stands for True by being there."""
    return isinstance(action, argparse._StoreTrueAction) and action.default is False


def _shape(action: Any, name: str, *, is_append: bool) -> Shape:
    """The shape of what an option or positional is given: a text or a number, several in a tuple,
    or None if it is not there.
    """
    optional = bool(action.option_strings)
    if optional and action.nargs == 0:
        most = MOST_VALUES if isinstance(action, argparse._CountAction) else 1
        repeated = [ConstantShape((name,) * count) for count in range(1, most + 1)]
        return ChoiceShape((_ABSENT, *repeated))
    choices = [ConstantShape(str(each)) for each in action.choices or ()]
    usual = [IntShape()] if action.type in _NUMBERS and not choices else []
    values: tuple[Shape, ...] = (*choices, *usual, StrShape())
    one = values[0] if len(values) == 1 else ChoiceShape(values)
    counts = _counts(action.nargs, is_append=is_append)
    if counts is not None:
        several = tuple([TupleShape((one,) * count) for count in counts])
        return ChoiceShape((_ABSENT, *several) if optional else (*several, _ABSENT))
    if optional or action.nargs == "?":
        return ChoiceShape((_ABSENT, *values))
    return ChoiceShape((*values, _ABSENT))


def _counts(nargs: Any, *, is_append: bool) -> Sequence[int] | None:
    """The numbers of values that are tried for an action; None for one that takes at most one."""
    if isinstance(nargs, int):
        return (nargs,)
    if nargs == "+" or (is_append and nargs is None):
        return range(1, MOST_VALUES + 1)
    return range(MOST_VALUES + 1) if nargs in ("*", argparse.REMAINDER) else None


def _as_words(name: str, value: Any, *, each: bool) -> Iterator[Any]:
    """The words by which a command line gives an option or positional its value."""
    values = value if isinstance(value, tuple) else (value,)
    values = tuple([_Number(one) if isinstance(one, int) else one for one in values])
    if not name.startswith("-") or (values and all(one == name for one in values)):
        yield from values
        return
    if not each:
        yield name
    for one in values:
        if each:
            yield name
        yield one


class _Number(str):
    """An argument that is a whole number, with its term."""

    number: Any

    def __new__(cls, number: Any) -> _Number:
        made = super().__new__(cls, int.__repr__(number))
        made.number = number
        return made


@contextlib.contextmanager
def _converting(parser: Any, ask: Asking) -> Iterator[None]:
    """A context in which numbers that the parser makes of arguments keep their terms."""
    former = [(each, each.type) for each in _actions(parser)]
    for action, kind in former:
        if kind is not None and callable(kind):
            action.type = _converter(kind, ask)
    try:
        yield
    finally:
        for action, kind in former:
            action.type = kind


def _actions(parser: Any) -> Iterator[Any]:
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for inner in action.choices.values():
                yield from _actions(inner)


def _converter(kind: Callable[[Any], Any], ask: Asking) -> Callable[[Any], Any]:
    def convert(text: Any) -> Any:
        if type(text) is _Number and kind in _NUMBERS:
            text = text.number
        return ask.callee(kind)(text)

    convert.__name__ = getattr(kind, "__name__", repr(kind))  # for the words of an error
    return convert


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    words: list[str] = [PROGRAM]
    for each in answers:
        if each.root == _ROOT:
            words += each.value
        elif each.value is True:
            words.append(each.root.removeprefix(_WORD))
        elif each.value is not None and each.value is not False:
            name = each.root.removeprefix(_WORD).removeprefix(_EACH)
            words += _as_words(name, each.value, each=each.root.startswith(_EACH))
    text = literal([str.__str__(each) for each in words])
    for target in targets("sys", "argv"):
        yield Setting("sys.argv", text, f"monkeypatch.setattr({literal(target)}, {text})")


COMMAND_LINE = Source(
    name="command line",
    what="`sys.argv`, `argparse`",
    stand_ins=_stand_ins,
    shown=_shown,
    accounts_for=frozenset({("sys", "argv")}),
    attributes=frozenset({("sys", "argv")}),
)
