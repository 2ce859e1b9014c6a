"""Environment variables: unset, unless a branch needs one."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, TupleShape
from symcrete.world.source import Answer, AsA, Asking, Instead, Setting, Source, StandIn, Targets

_UNSET = ConstantShape(None)
SHAPE = ChoiceShape((_UNSET, StrShape()))
# Without these the library asks the system's data base of users, which may go over a socket: they
# are there unless a branch needs them not to be.
_ALWAYS_THERE = {"HOME": ChoiceShape((ConstantShape("/home/someone"), StrShape(), _UNSET))}
_WHOLE = "os.environ"
# Those that a run comes by where it goes through all; a test sets them like those it names.
_OTHERS = "other variables"
_OTHER_VARIABLES = SequenceShape(TupleShape((StrShape(least=1), StrShape())), most=2)
# What a run remembers: names that it asked for, whether it went through all.
_ASKED, _LISTED = "asked variables", "listed variables"
# How messages are shown and the interpreter is set: asyncio, gettext and argparse look at these by
# the way, whatever the program does. They are inputs where the program itself asks for them.
_BY_THE_WAY = ("PYTHON", "LANG", "LC_", "COLUMNS", "LINES", "TERM", "NO_COLOR", "FORCE_COLOR")


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    def getenv(key: Any, default: Any = None) -> Any:
        return os.environ.get(key, default)

    kind = type("Environment", (Environment,), {"_ask": ask})
    return (AsA("os", "environ", kind), Instead("os", "getenv", getenv))


class Environment(os._Environ):  # type: ignore[type-arg]
    """The class of `os.environ` while runs are made: what a run stores, only that run sees."""

    _ask: ClassVar[Asking]

    def _stored(self) -> dict[str, Any]:
        found: dict[str, Any] = self._ask.remembered(_WHOLE, dict)
        return found

    def _asked(self, key: Any) -> Any:
        """What the run has for a variable; None if that is not set."""
        if _is_no_name(_text(key)):
            return None
        name = self._ask.plain(key)
        if name in self._stored():
            return self._stored()[name]
        if name.startswith(_BY_THE_WAY) and not self._ask.by_program:
            return None
        value = self._ask.value(
            Late(f"os.environ[{name!r}]", _ALWAYS_THERE.get(name, SHAPE), "environment")
        )
        if value is not None and "\x00" in value:  # a branch: the search goes on without
            raise AssumptionFailed("no environment variable holds a NUL")
        if (
            value is not None
            and name not in self._asked_for()
            and self._ask.remembered(_LISTED, list)
        ):
            raise AssumptionFailed("it was not among all variables")
        self._asked_for()[name] = value
        return value

    def __getitem__(self, key: Any) -> Any:
        if not self._ask.running:
            return super().__getitem__(key)
        value = self._asked(key)
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: Any) -> bool:
        return self._asked(key) is not None if self._ask.running else super().__contains__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        if not self._ask.running:
            return super().get(key, default)
        value = self._asked(key)
        return default if value is None else value

    def __setitem__(self, key: Any, value: Any) -> None:
        if not self._ask.running:
            super().__setitem__(key, value)
        elif _is_no_name(_text(key)) or "\x00" in _text(value):
            # Python refuses it, in its own words.
            super().__setitem__(self._ask.plain(key), self._ask.plain(value))
        else:
            self._stored()[self._ask.plain(key)] = value

    def __delitem__(self, key: Any) -> None:
        if not self._ask.running:
            super().__delitem__(key)
        elif self._asked(key) is None:
            raise KeyError(key)
        else:
            self._stored()[self._ask.plain(key)] = None

    def pop(self, key: Any, *default: Any) -> Any:
        if default and key not in self:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def setdefault(self, key: Any, value: Any = None) -> Any:
        if key not in self:
            self[key] = value
        return self[key]

    def __iter__(self) -> Iterator[str]:
        if not self._ask.running:
            return super().__iter__()
        self._ask.value(Late(_WHOLE, ConstantShape(None), "environment"))
        self._ask.lose("all of os.environ, of which only a few variables are inputs")
        others: dict[str, Any] = self._ask.remembered(_OTHERS, self._others)
        values = {**self._asked_for(), **dict.fromkeys(others, ""), **self._stored()}
        return iter([others.get(name, name) for name in values if values[name] is not None])

    def _asked_for(self) -> dict[str, Any]:
        """The variables that the run has asked for by name, with what it got: None if unset."""
        found: dict[str, Any] = self._ask.remembered(_ASKED, dict)
        return found

    def _others(self) -> dict[str, Any]:
        """The names, with their terms, of variables that the run has not asked for by name; by the
        plain names. Their values are stored.
        """
        found: dict[str, Any] = {}
        stored = self._stored()
        self._ask.remembered(_LISTED, list).append(None)
        for name, value in self._ask.value(Late(_OTHERS, _OTHER_VARIABLES, "environment")):
            if _is_no_name(name) or "\x00" in value:  # branches, as above
                raise AssumptionFailed("no environment variable is called so")
            plain = str(self._ask.plain(name))
            if plain in stored or plain in self._asked_for():
                raise AssumptionFailed("it is known what this variable is")
            found[plain], stored[plain] = name, value
        return found

    def __len__(self) -> int:
        return len(list(iter(self))) if self._ask.running else super().__len__()

    def __repr__(self) -> str:
        return f"environ({self.copy()!r})" if self._ask.running else super().__repr__()

    def copy(self) -> dict[str, str]:
        return {name: self[name] for name in self}


def _text(value: Any) -> Any:
    if not isinstance(value, str):
        raise TypeError(f"str expected, not {type(value).__name__}")
    return value


def _is_no_name(text: Any) -> bool:
    """Whether no variable can be called so; the comparisons are branches for a name that has a
    term.
    """
    return text == "" or "=" in text or "\x00" in text


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    single = [each for each in answers if each.root not in (_WHOLE, _OTHERS)]
    if len(single) < len(answers):
        named = {_name(each.root): each.value for each in single if each.value is not None}
        named |= dict([pair for each in answers if each.root == _OTHERS for pair in each.value])
        text = literal(named)
        for target in targets("os", "environ"):
            yield Setting(_WHOLE, text, f"monkeypatch.setattr({literal(target)}, {text})")
        return
    for each in single:
        name = literal(_name(each.root))
        if each.value is None:
            yield Setting(each.root, "None", f"monkeypatch.delenv({name}, raising=False)")
        else:
            yield Setting(each.root, each.text, f"monkeypatch.setenv({name}, {each.text})")


def _name(root: str) -> str:
    """The name of the variable that a root such as `os.environ['SHOP']` stands for."""
    found: str = ast.literal_eval(root.removeprefix("os.environ[").removesuffix("]"))
    return found


ENVIRONMENT = Source(
    name="environment",
    what="`os.environ`, `os.getenv`",
    stand_ins=_stand_ins,
    shown=_shown,
    accounts_for=frozenset({("os", "environ")}),
)
