"""The command line: no arguments, unless a branch needs some; argparse reads it too."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, Shape
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
_ABSENT = ConstantShape(None)


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    def whole(words: Callable[[], list[Any]] = list) -> Any:
        """The command line: the program, these words, and any others."""

        def make() -> Any:
            first = [PROGRAM, *words()]
            found = ask.value(Late(_ROOT, SequenceShape(StrShape()), "command line"))
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
    ask: Asking, name: str, whole: Callable[[Callable[[], list[Any]]], Any]
) -> Callable[..., Any]:
    def parse(parser: Any, args: Any = None, namespace: Any = None) -> Any:
        method = getattr(type(parser), name)
        if not ask.running or args is not None:
            return method(parser, args, namespace)
        ask.lose("argparse, which looks at arguments without our knowing")
        line = whole(lambda: list(_words(parser, ask)))
        with _converting(parser, ask):
            return method(parser, list(line)[1:], namespace)

    return parse


def _words(parser: Any, ask: Asking) -> Iterator[Any]:
    """An argument for each option and each positional that the input has."""
    for action in parser._actions:
        name = (action.option_strings or [action.dest])[-1]
        choices = [ConstantShape(str(each)) for each in action.choices or ()]
        values: tuple[Shape, ...] = (*choices, StrShape())
        is_flag = bool(action.option_strings) and action.nargs == 0
        if is_flag:
            shape = ChoiceShape((_ABSENT, ConstantShape(name)))
        elif action.option_strings or action.nargs in ("?", "*"):
            shape = ChoiceShape((_ABSENT, *values))
        else:
            shape = ChoiceShape((*values, _ABSENT))
        value = ask.value(Late(f"{_WORD}{name}", shape, "command line"))
        if value is None:
            continue
        if action.option_strings and not is_flag:
            yield name
        yield value
        if isinstance(action.choices, dict):  # parsers of commands
            inner = action.choices.get(ask.plain(value))
            if inner is not None:
                yield from _words(inner, ask)


@contextlib.contextmanager
def _converting(parser: Any, ask: Asking) -> Iterator[None]:
    """Meanwhile the parser converts arguments so that the numbers it makes of them keep their
    terms.
    """
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
        return ask.callee(kind)(text)

    convert.__name__ = getattr(kind, "__name__", repr(kind))  # for the words of an error
    return convert


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    words: list[str] = [PROGRAM]
    for each in answers:
        name = each.root.removeprefix(_WORD)
        if each.root == _ROOT:
            words += each.value
        elif each.value is not None:
            words += [name] if name.startswith("-") and each.value != name else []
            words.append(each.value)
    text = literal(words)
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
