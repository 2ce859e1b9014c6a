"""Settings of the process: current folder, user, host, locale, logging level, terminal.

The plain ones are those of a machine that nobody has. What this one has is never seen, but for the
numbers of processes in a program that sends signals.
"""

from __future__ import annotations

import ast
import functools
import grp
import logging
import os
import pwd
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, IntShape, Shape, TupleShape
from symcrete.world.setting_roots import CURRENT_FOLDER, SETTINGS_NAME, YES_OR_NO
from symcrete.world.source import (
    Answer,
    Asking,
    Everywhere,
    Instead,
    InsteadOfMethod,
    ReadAs,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_NAME = SETTINGS_NAME
_FOLDER = ChoiceShape(
    (ConstantShape("home/someone"), StrShape())
)  # without the slash it begins with
_USER = ChoiceShape((ConstantShape("someone"), StrShape(least=1)))
_PROCESS = ChoiceShape((ConstantShape(1234), IntShape(1, 4_194_304)))  # Linux has no more
# A program that sends signals is told the real number of its process: a test that sets another one
# would send them to a stranger.
_SIGNALLING = ("kill", "killpg", "pidfd_send_signal")
_FUNCTIONS: dict[tuple[str, str], Shape] = {
    ("os", "getcwd"): _FOLDER,
    ("getpass", "getuser"): _USER,
    ("os", "getlogin"): _USER,
    ("os", "getuid"): IntShape(0, 65535),
    ("os", "geteuid"): IntShape(0, 65535),
    ("os", "getpid"): _PROCESS,
    ("os", "getppid"): _PROCESS,
    ("os", "cpu_count"): ChoiceShape((IntShape(1, 1024), ConstantShape(None))),
    ("socket", "gethostname"): ChoiceShape((ConstantShape("host"), StrShape(least=1))),
    ("locale", "getlocale"): ChoiceShape(
        (
            *[ConstantShape(each) for each in (("en_US", "UTF-8"), (None, None))],
            TupleShape((StrShape(least=1), ConstantShape("UTF-8"))),
        )
    ),
    ("sys", "getrecursionlimit"): ChoiceShape((ConstantShape(1000), IntShape(1, 2**31 - 1))),
    ("os", "isatty"): YES_OR_NO,
    ("locale", "getpreferredencoding"): ChoiceShape(
        tuple([ConstantShape(each) for each in ("UTF-8", "ISO-8859-1", "cp1252")])
    ),
}
_AS_BYTES = "os.getcwdb()"  # the same folder
_ALSO_BY_LIBRARIES = frozenset({("os", "getcwd")})  # `os.path.abspath` asks for it
_LEVELS = (logging.WARNING, logging.DEBUG, logging.INFO, logging.ERROR, logging.CRITICAL)
_LEVEL = ChoiceShape(tuple([ConstantShape(each) for each in _LEVELS]))
_LOGGED = "logging level of "
_OWN_LEVEL = ChoiceShape(tuple([ConstantShape(each) for each in (logging.NOTSET, *_LEVELS)]))
_SET_UP = ("level", "handlers", "disabled")  # attributes of a logger
_OF_LOGGER = " of logger "
_NO_OUTPUT = "NullHandler"  # what a logger has where the program names none of these
_HANDLERS: dict[str, type[logging.Handler]] = {
    _NO_OUTPUT: logging.NullHandler,
    "StreamHandler": logging.StreamHandler,
}
_KNOWN_USER = TupleShape((_USER, _FOLDER))
_ENTRY = ChoiceShape((_KNOWN_USER, ConstantShape(None)))  # None: there is no such user
_ENTRIES = ("getpwuid", "getpwnam")
_GROUP_ENTRY = ChoiceShape(  # the name of a group; None: there is none
    (ConstantShape("someone"), StrShape(least=1), ConstantShape(None))
)
_GROUPS = ("getgrgid", "getgrnam")
# Functions that list all users or groups, and those that look one up.
_LISTS = {"getpwall": "getpwnam", "getgrall": "getgrnam"}
_A_USER = 1000  # the number of every user, as most systems give it to the first
_A_GROUP = 1000  # the number of every group: which one a group has nobody knows


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for (module, name), shape in _FUNCTIONS.items():
        by_anyone = (module, name) in _ALSO_BY_LIBRARIES
        yield (Everywhere if by_anyone else Instead)(
            module, name, _function(ask, module, name, shape)
        )
    yield InsteadOfMethod("pathlib", "Path", "cwd", _current(ask))
    yield Instead("os", "getcwdb", _current_bytes(ask))
    for name in _ENTRIES:
        yield Instead("pwd", name, _entry(ask, name))
    for name in _GROUPS:
        yield Instead("grp", name, _group(ask, name))
    yield Instead("pwd", "getpwall", _all_of("pwd", "getpwall", _entry(ask, "getpwnam"), ask))
    yield Instead("grp", "getgrall", _all_of("grp", "getgrall", _group(ask, "getgrnam"), ask))
    yield Instead("os.path", "expanduser", _expanded(ask))
    yield InsteadOfMethod("pathlib", "Path", "home", _home(ask))
    yield InsteadOfMethod("logging", "Logger", "isEnabledFor", _enabled(ask))
    yield InsteadOfMethod("logging", "Logger", "getEffectiveLevel", _level(ask))
    set_up = LoggersAsSetUp(ask)
    yield from set_up.reads()
    yield InsteadOfMethod("logging", "Logger", "hasHandlers", set_up.has_handlers)


def _function(ask: Asking, module: str, name: str, shape: Shape) -> Callable[..., Any]:
    late = Late(f"{module}.{name}()", shape, _NAME)
    system = original(module, name)
    by_anyone = (module, name) in _ALSO_BY_LIBRARIES

    def asked(*given: Any) -> Any:
        if not ask.running or not (by_anyone or ask.by_program):
            return system(*given)
        if late.shape is _PROCESS and any(ask.mentions(each) for each in _SIGNALLING):
            ask.reads(late.root)
            return system(*given)
        found = ask.value(late)
        ask.lose(f"{late.root}, of which only the commonest values are inputs")
        return _as_folder(ask, found) if late.root == CURRENT_FOLDER else found

    return asked


def _as_folder(ask: Asking, rest: Any) -> Any:
    """The absolute path of a folder that an input names, written as the system writes it."""
    plain = f"/{str.__str__(rest)}"
    ask.lose("folders, of which only those with plain names are built")
    if not plain.isascii() or not plain.isprintable() or os.path.normpath(plain) != plain:
        raise AssumptionFailed("only folders with plain names are built")
    return "/" + rest


def _current(ask: Asking) -> Callable[[Any], Any]:
    def cwd(kind: Any) -> Any:
        if not ask.running:
            return kind.cwd()
        found = _as_folder(ask, ask.value(Late("os.getcwd()", _FOLDER, _NAME)))
        return ask.callee(kind)(found)

    return cwd


def _current_bytes(ask: Asking) -> Callable[[], Any]:
    def getcwdb() -> Any:
        if not ask.running or not ask.by_program:
            return original("os", "getcwdb")()
        ask.value(Late(_AS_BYTES, ConstantShape(None), _NAME))
        return _as_folder(ask, ask.value(Late("os.getcwd()", _FOLDER, _NAME))).encode()

    return getcwdb


# -- users


def _entry(ask: Asking, name: str) -> Callable[[Any], Any]:
    def entry(key: Any) -> Any:
        if not ask.running:
            return original("pwd", name)(key)
        found = ask.value(Late(f"pwd.{name}()", _ENTRY, _NAME))
        if found is None:
            raise KeyError(f"{name}(): not found")
        user, home = found
        return pwd.struct_passwd(
            (user, "x", _A_USER, _A_GROUP, "", _as_folder(ask, home), "/bin/sh")
        )

    return entry


def _group(ask: Asking, name: str) -> Callable[[Any], Any]:
    def group(key: Any) -> Any:
        if not ask.running:
            return original("grp", name)(key)
        found = ask.value(Late(f"grp.{name}()", _GROUP_ENTRY, _NAME))
        if found is None:
            raise KeyError(f"{name}(): not found")
        return grp.struct_group((found, "x", _A_GROUP, []))

    return group


def _all_of(
    module: str, name: str, one: Callable[[Any], Any], ask: Asking
) -> Callable[[], list[Any]]:
    """Stands in for what lists all users or groups: there is at most one, the input's."""

    def everybody() -> list[Any]:
        if not ask.running:
            found: list[Any] = original(module, name)()
            return found
        ask.value(Late(f"{module}.{name}()", ConstantShape(None), _NAME))
        try:
            return [one(None)]
        except KeyError:
            return []

    return everybody


def _home_folder(ask: Asking) -> Any:
    """The variable HOME if it is set; else what the system knows of the user."""
    found = os.environ.get("HOME")
    return found if found is not None else _entry(ask, "getpwuid")(None).pw_dir


def _expanded(ask: Asking) -> Callable[[Any], Any]:
    def expanduser(path: Any) -> Any:
        plain = os.fspath(path)
        if not ask.running or not isinstance(plain, str):
            return original("os.path", "expanduser")(path)
        if not plain.startswith("~"):
            return plain
        user, slash, rest = plain[1:].partition("/")
        try:
            home = _entry(ask, "getpwnam")(user).pw_dir if user else _home_folder(ask)
        except KeyError:
            return plain
        return (home.rstrip("/") + slash + rest) or "/"

    return expanduser


def _home(ask: Asking) -> Callable[[Any], Any]:
    def home(kind: Any) -> Any:
        if not ask.running:
            return kind.home()
        try:
            return ask.callee(kind)(_home_folder(ask))
        except KeyError:
            raise RuntimeError("Could not determine home directory.") from None

    return home


# -- logging


def _asked_level(ask: Asking, logger: Any) -> Any:
    """The level that is set for a logger or one above it, but for the root; an input if none is."""
    each = logger
    while each is not None:
        if each.level and each is not logging.getLogger():
            return each.level
        each = each.parent
    ask.lose("logging levels, of which only those with names are inputs")
    return ask.value(Late(f"{_LOGGED}{logger.name!r}", _LEVEL, _NAME))


def _level(ask: Asking) -> Callable[[Any], Any]:
    def level(logger: Any) -> Any:
        if not ask.running or not ask.by_program:
            return type(logger).getEffectiveLevel(logger)
        return _asked_level(ask, logger)

    return level


def _enabled(ask: Asking) -> Callable[[Any, Any], Any]:
    def enabled(logger: Any, level: Any) -> Any:
        if not ask.running or not ask.by_program:
            return type(logger).isEnabledFor(logger, level)
        return level >= _asked_level(ask, logger)

    return enabled


class LoggersAsSetUp:
    """What others have set up of the loggers that the run under way reads: their own level, their
    handlers, whether they are switched off. What the import has set up is left as it is.
    """

    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self._root_handlers = list(logging.getLogger().handlers)  # pytest's, say, or none

    def reads(self) -> Iterable[StandIn]:
        for attribute in _SET_UP:
            by = functools.partial(self._read, attribute)
            yield ReadAs("logging", f"Logger.{attribute}", by)

    def has_handlers(self, logger: Any) -> bool:
        """What `logger.hasHandlers()` gives."""
        each = logger
        while each is not None:
            if self._ask.running:
                self._read("handlers", each)
            if each.handlers or not each.propagate:
                return bool(each.handlers)
            each = each.parent
        return False

    def _read(self, attribute: str, logger: Any) -> None:
        """Give the logger what the input of the run has for this attribute, if it is read for the
        first time.
        """
        seen: set[tuple[str, str]] = self._ask.remembered("loggers that were read", set)
        if (attribute, logger.name) in seen:
            return
        seen.add((attribute, logger.name))
        former = getattr(logger, attribute)
        if former != self._untouched(attribute, logger):
            return
        shape = self._shape(attribute, is_root=logger is logging.getLogger())
        found = self._ask.value(Late(_of_logger(attribute, logger), shape, _NAME))
        if attribute == "level":
            _set_level(logger, int(found))
            self._ask.afterwards(functools.partial(_set_level, logger, former))
            return
        value = [_HANDLERS[each]() for each in found] if attribute == "handlers" else bool(found)
        setattr(logger, attribute, value)
        self._ask.afterwards(functools.partial(setattr, logger, attribute, former))

    def _untouched(self, attribute: str, logger: Any) -> Any:
        is_root = logger is logging.getLogger()
        match attribute:
            case "level":
                return logging.WARNING if is_root else logging.NOTSET
            case "handlers":
                return self._root_handlers if is_root else []
        return False

    def _shape(self, attribute: str, *, is_root: bool) -> Shape:
        match attribute:
            case "level":
                return _LEVEL if is_root else _OWN_LEVEL
            case "handlers":
                known = [each for each in _HANDLERS if self._ask.mentions(each)]
                return ChoiceShape(
                    tuple(map(ConstantShape, [(), *[(each,) for each in known or [_NO_OUTPUT]]]))
                )
        return YES_OR_NO


def _of_logger(attribute: str, logger: Any) -> str:
    return f"{attribute}{_OF_LOGGER}{logger.name!r}"


def _set_level(logger: Any, level: int) -> None:
    logger.setLevel(level)


# -- tests


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for each in answers:
        if each.root.startswith(_LOGGED):
            logger = ast.literal_eval(each.root.removeprefix(_LOGGED))
            named = f", logger={literal(logger)}" if logger != "root" else ""
            yield Setting(each.root, each.text, f"caplog.set_level({each.text}{named})")
            continue
        if _OF_LOGGER in each.root:
            yield _logger_as_set_up(each)
            continue
        module, _, name = each.root.removesuffix("()").rpartition(".")
        for target in targets(module, name):
            at = literal(target)
            if name in _ENTRIES:
                text = (
                    "None" if each.value is None else literal((each.value[0], f"/{each.value[1]}"))
                )
                yield Setting(each.root, text, _entry_lines(at, each.value))
            elif each.root == _AS_BYTES:
                (folder,) = [one.value for one in answers if one.root == CURRENT_FOLDER]
                text = literal(f"/{folder}".encode())
                yield Setting(each.root, text, f"monkeypatch.setattr({at}, lambda: {text})")
            elif name in _LISTS:
                one = f"{module}.{_LISTS[name]}"
                listed = f"[{one}(0)]" if _is_known(answers, one) else "[]"
                text = literal(listed) if _is_known(answers, one) else "[]"
                line = f"import {module}\n\nmonkeypatch.setattr({at}, lambda: {listed})"
                yield Setting(each.root, text, line)
            elif name in _GROUPS:
                yield Setting(each.root, each.text, _group_lines(at, each.value))
            else:
                text = literal(f"/{each.value}") if each.root == CURRENT_FOLDER else each.text
                yield Setting(each.root, text, f"monkeypatch.setattr({at}, lambda *_: {text})")


def _logger_as_set_up(answer: Answer) -> Setting:
    """What gives a logger the level or handlers of an input, or switches it off."""
    attribute, _, logger = answer.root.partition(_OF_LOGGER)
    name = ast.literal_eval(logger)
    given = "" if name == "root" else literal(name)
    if attribute == "level":
        named = f", logger={given}" if given else ""
        return Setting(answer.root, answer.text, f"caplog.set_level({answer.text}{named})")
    value = answer.text
    if attribute == "handlers":
        value = f"[{', '.join([f'logging.{each}()' for each in answer.value])}]"
    line = f'monkeypatch.setattr(logging.getLogger({given}), "{attribute}", {value})'
    return Setting(answer.root, value, f"import logging\n\n{line}")


def _is_known(answers: Sequence[Answer], function: str) -> bool:
    """Whether this function finds somebody in the run that gave these answers."""
    return any(each.root == f"{function}()" and each.value is not None for each in answers)


def _entry_lines(target: str, found: tuple[str, str] | None) -> str:
    """Statements after which the system knows a user, or none."""
    if found is None:
        return f"monkeypatch.setattr({target}, lambda key: {{}}[key])"
    row = (found[0], "x", _A_USER, _A_GROUP, "", f"/{found[1]}", "/bin/sh")
    return (
        f"import pwd\n\nentry = pwd.struct_passwd({literal(row)})\n"
        f"monkeypatch.setattr({target}, lambda key, entry=entry: entry)"
    )


def _group_lines(target: str, found: str | None) -> str:
    """Statements after which the system knows a group, or none."""
    if found is None:
        return f"monkeypatch.setattr({target}, lambda key: {{}}[key])"
    return (
        f"import grp\n\ngroup = grp.struct_group({literal((found, 'x', _A_GROUP, []))})\n"
        f"monkeypatch.setattr({target}, lambda key, group=group: group)"
    )


SETTINGS = Source(
    name=_NAME,
    what="`os.getcwd`, `Path.cwd`, `Path.home`, `os.path.expanduser`, `getpass.getuser`, `pwd`, "
    "`grp`, `socket.gethostname`, `locale.getlocale`, `Logger.isEnabledFor`, "
    "the level and handlers of a logger",
    stand_ins=_stand_ins,
    shown=_shown,
    attributes=frozenset({("logging", f"Logger.{each}") for each in _SET_UP}),
)
