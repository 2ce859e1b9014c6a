"""The machine and the interpreter on it: names, folders, sizes and load.

Numbers of processes are in `settings.py`. A call that gives a record of several values gives one
with the same fields. The plain machine is one that nobody has: what this one answers is never seen.
"""

from __future__ import annotations

import ast
import os
import platform
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.containers import SequenceShape, SetShape
from symcrete.inputs.shapes.shape import (
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    TupleShape,
)
from symcrete.slotted import dataclass
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

_NAME = "machine"


def _text(*common: str) -> Shape:
    """The shape of a text: one of these, or any other."""
    return ChoiceShape((*[ConstantShape(each) for each in common], StrShape()))


_GROUP = IntShape(0, 65_535)
_LIMIT = IntShape(-1, 2**63 - 1)  # of a resource; -1: none
_SIZE = IntShape(0, 2**60)  # bytes, or blocks of them: more than any disk has
_LOAD = FloatShape()
_OFFSET = IntShape(-86_400, 86_400)  # seconds from Greenwich: less than a day
_UNAME = TupleShape(
    (_text("Linux"), _text("host"), _text("5.10.0"), _text("#1 SMP"), _text("x86_64"))
)
_ATTRIBUTES: dict[tuple[str, str], Shape] = {
    ("sys", "executable"): _text("/usr/bin/python3"),
    ("sys", "prefix"): _text("/usr"),
    ("sys", "base_prefix"): _text("/usr"),
    ("sys", "exec_prefix"): _text("/usr"),
    ("sys", "base_exec_prefix"): _text("/usr"),
    ("sys", "version"): _text("3.11.0 (main, Jan  1 2024, 00:00:00) [GCC 12.2.0]"),
    ("time", "tzname"): TupleShape((_text("UTC"), _text("UTC"))),
    ("time", "timezone"): _OFFSET,
    ("time", "altzone"): _OFFSET,
    ("time", "daylight"): IntShape(0, 1),
}


@dataclass(frozen=True, slots=True)
class _Record:
    """How the record that a call gives is made, and how a test writes one."""

    make: Callable[[Any], Any]  # of the values of its fields
    imports: str
    written: str  # with the values for `{}`


_Usage = namedtuple("_Usage", "total used free")  # as shutil's
_RECORDS: dict[str, _Record] = {
    "os.uname": _Record(os.uname_result, "import os", "os.uname_result({})"),
    "platform.uname": _Record(
        lambda found: platform.uname_result(*found), "import platform", "platform.uname_result(*{})"
    ),
    "os.times": _Record(os.times_result, "import os", "os.times_result({})"),
    "os.statvfs": _Record(os.statvfs_result, "import os", "os.statvfs_result({})"),
    "os.get_terminal_size": _Record(os.terminal_size, "import os", "os.terminal_size({})"),
    "shutil.get_terminal_size": _Record(os.terminal_size, "import os", "os.terminal_size({})"),
    "resource.getrusage": _Record(
        lambda found: original("resource", "struct_rusage")(found),
        "import resource",
        "resource.struct_rusage({})",
    ),
    "shutil.disk_usage": _Record(
        lambda found: _Usage(*found),
        'from collections import namedtuple\n\nusage = namedtuple("usage", "total used free")',
        "usage(*{})",
    ),
}
_TERMINAL = ChoiceShape(
    (ConstantShape((80, 24)), TupleShape((IntShape(0, 10_000), IntShape(0, 10_000))))
)
_NO_TERMINAL = 'OSError(25, "Inappropriate ioctl for device")'
_FUNCTIONS: dict[tuple[str, str], Shape] = {
    ("os", "uname"): _UNAME,
    ("platform", "uname"): _UNAME,
    ("platform", "version"): _text("#1 SMP"),
    ("platform", "platform"): _text("Linux-5.10.0-x86_64-with-glibc2.36"),
    ("platform", "processor"): _text("x86_64"),
    ("platform", "architecture"): TupleShape((_text("64bit", "32bit"), _text("ELF"))),
    ("platform", "python_version"): _text("3.11.0"),
    ("platform", "python_compiler"): _text("GCC 12.2.0"),
    ("platform", "libc_ver"): TupleShape((_text("glibc"), _text("2.36"))),
    ("socket", "getfqdn"): _text("host"),
    ("os", "getgid"): _GROUP,
    ("os", "getegid"): _GROUP,
    ("os", "getgroups"): SequenceShape(_GROUP),
    ("os", "getloadavg"): TupleShape((_LOAD, _LOAD, _LOAD)),
    ("os", "times"): TupleShape((_LOAD,) * 5),
    ("os", "sched_getaffinity"): SetShape(IntShape(0, 1_023), least=1),
    ("os", "get_terminal_size"): ChoiceShape((*_TERMINAL.choices, ConstantShape(None))),
    ("os", "statvfs"): TupleShape((_SIZE,) * 10),
    ("shutil", "get_terminal_size"): _TERMINAL,
    ("shutil", "disk_usage"): TupleShape((_SIZE, _SIZE, _SIZE)),
    ("resource", "getrusage"): TupleShape((_LOAD, _LOAD, *[_SIZE] * 14)),
    ("resource", "getrlimit"): TupleShape((_LIMIT, _LIMIT)),
    ("sys", "getfilesystemencoding"): _text("utf-8"),
    ("site", "getuserbase"): _text("/home/someone/.local"),
    ("site", "getusersitepackages"): _text("/home/someone/.local/lib/python3.11/site-packages"),
    ("sysconfig", "get_platform"): _text("linux-x86_64"),
    ("tempfile", "gettempdir"): _text("/tmp"),
}
# Functions whose first argument says which of many values is asked for.
_BY_KEY: dict[tuple[str, str], Shape] = {
    ("sysconfig", "get_path"): _text("/usr/lib/python3"),
    ("sysconfig", "get_config_var"): ChoiceShape(
        (ConstantShape("/usr"), StrShape(), IntShape(), ConstantShape(None))
    ),
    ("os", "sysconf"): IntShape(-1, 2**63 - 1),
}


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for (module, name), shape in _ATTRIBUTES.items():
        yield ReadAs(module, name, _reader(ask, Late(f"{module}.{name}", shape, _NAME)))
    for (module, name), shape in _FUNCTIONS.items():
        yield Instead(module, name, _function(ask, module, name, shape))
    for (module, name), shape in _BY_KEY.items():
        yield Instead(module, name, _by_key(ask, module, name, shape))


def _reader(ask: Asking, late: Late) -> Callable[[Any], Any]:
    return lambda real: ask.value(late)


def _function(ask: Asking, module: str, name: str, shape: Shape) -> Callable[..., Any]:
    late = Late(f"{module}.{name}()", shape, _NAME)
    record = _RECORDS.get(f"{module}.{name}")

    def asked(*given: Any, **named: Any) -> Any:
        if not ask.running or not ask.by_program:
            return original(module, name)(*given, **named)
        ask.lose(f"{late.root}, of which only the commonest values are inputs")
        found = ask.value(late)
        if found is None:
            raise eval(_NO_TERMINAL)
        return found if record is None else record.make(found)

    return asked


def _by_key(ask: Asking, module: str, name: str, shape: Shape) -> Callable[..., Any]:
    def asked(key: Any, *given: Any, **named: Any) -> Any:
        if not ask.running or not ask.by_program:
            return original(module, name)(key, *given, **named)
        ask.lose(f"{module}.{name}(), of which only the commonest values are inputs")
        return ask.value(Late(f"{module}.{name}({ask.plain(key)!r})", shape, _NAME))

    return asked


# -- tests


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    by_key: dict[str, dict[Any, Answer]] = {}
    for each in answers:
        path, _, key = each.root.removesuffix(")").partition("(")
        if key:
            by_key.setdefault(path, {})[ast.literal_eval(key)] = each
            continue
        imports, value = "", each.text
        if each.value is None:
            value = f"Mock(side_effect={_NO_TERMINAL})"
            imports = "from unittest.mock import Mock"
            yield from _replaced(path, each.root, _NO_TERMINAL, imports, value, targets)
            continue
        if path in _RECORDS:
            imports, value = _RECORDS[path].imports, _RECORDS[path].written.format(value)
        value = f"lambda *_, **__: {value}" if each.root.endswith(")") else value
        yield from _replaced(path, each.root, each.text, imports, value, targets)
    for path, asked in by_key.items():
        values = ", ".join([f"{literal(key)}: {each.text}" for key, each in asked.items()])
        value = f"lambda key, *_, **__: {{{values}}}[key]"
        for each in asked.values():
            yield from _replaced(path, each.root, each.text, "", value, targets)


def _replaced(
    path: str, root: str, text: str, imports: str, value: str, targets: Targets
) -> Iterable[Setting]:
    module, _, name = path.rpartition(".")
    for target in targets(module, name):
        line = f"monkeypatch.setattr({literal(target)}, {value})"
        yield Setting(root, text, f"{imports}\n\n{line}" if imports else line)


MACHINE = Source(
    name=_NAME,
    what="`os.uname`, `sys.executable`, `sys.prefix`, `time.tzname`, `os.getloadavg`, "
    "`shutil.disk_usage`, `os.get_terminal_size`, `resource.getrusage`, `sysconfig.get_path`",
    stand_ins=_stand_ins,
    shown=_shown,
    accounts_for=frozenset(_ATTRIBUTES),
    attributes=frozenset(_ATTRIBUTES),
)
