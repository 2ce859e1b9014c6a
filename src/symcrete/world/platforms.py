"""The platform: Linux, unless a branch needs another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, IntShape, Shape, TupleShape
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


def _known(*names: str) -> Shape:
    """The shape of a name of a platform: one of these, or any other text."""
    return ChoiceShape((*[ConstantShape(name) for name in names], StrShape(least=1)))


# The version of this interpreter, with 0 for the last number; or an older or newer one.
_VERSIONS = ChoiceShape(
    (
        ConstantShape((*sys.version_info[:2], 0)),
        TupleShape((IntShape(2, 4), IntShape(0, 40), IntShape(0, 40))),
    )
)
_ATTRIBUTES: dict[tuple[str, str], Shape] = {
    ("sys", "platform"): _known("linux", "win32", "darwin"),
    ("os", "name"): _known("posix", "nt"),
    ("sys", "byteorder"): ChoiceShape((ConstantShape("little"), ConstantShape("big"))),
    ("sys", "version_info"): _VERSIONS,
    ("sys", "_framework"): ChoiceShape((ConstantShape(""), StrShape(least=1))),  # on a Mac
}
_VERSION = "sys.version_info"
_FUNCTIONS: dict[tuple[str, str], Shape] = {
    ("platform", "system"): _known("Linux", "Windows", "Darwin"),
    ("platform", "machine"): _known("x86_64", "arm64"),
    ("platform", "node"): StrShape(),
    ("platform", "release"): StrShape(),
    ("platform", "python_implementation"): _known("CPython", "PyPy"),
}


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for (module, name), shape in _ATTRIBUTES.items():
        yield ReadAs(module, name, _reader(ask, f"{module}.{name}", shape))
    for (module, name), shape in _FUNCTIONS.items():
        yield Instead(module, name, _function(ask, module, name, shape))


def _reader(ask: Asking, root: str, shape: Shape) -> Callable[[Any], Any]:
    late = Late(root, shape, "platform")
    if root != _VERSION:
        return lambda real: ask.value(late)

    def version(real: Any) -> Version:
        major, minor, micro = ask.value(late)
        return Version(major, minor, micro, "final", 0)

    return version


class Version(NamedTuple):
    """What `sys.version_info` is, with terms."""

    major: int
    minor: int
    micro: int
    releaselevel: str
    serial: int


def _function(ask: Asking, module: str, name: str, shape: Shape) -> Callable[[], Any]:
    late = Late(f"{module}.{name}()", shape, "platform")

    def asked() -> Any:
        return ask.value(late) if ask.running else original(module, name)()

    return asked


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for each in answers:
        if each.root == _VERSION:
            yield from _told_version(each, targets)
            continue
        module, _, name = each.root.removesuffix("()").rpartition(".")
        value = f"lambda: {each.text}" if each.root.endswith("()") else each.text
        for target in targets(module, name):
            line = f"monkeypatch.setattr({literal(target)}, {value})"
            yield Setting(each.root, each.text, line)


def _told_version(answer: Answer, targets: Targets) -> Iterable[Setting]:
    text = literal((*answer.value, "final", 0))
    for target in targets("sys", "version_info"):
        fields = " ".join(Version._fields)
        line = (
            f'from collections import namedtuple\n\nVersion = namedtuple("Version", "{fields}")\n'
        )
        line += f"monkeypatch.setattr({literal(target)}, Version{text})"
        yield Setting(_VERSION, text, line)


PLATFORM = Source(
    name="platform",
    what="`sys.platform`, `os.name`, `sys.version_info`, `sys.byteorder`, `platform.system()`",
    stand_ins=_stand_ins,
    shown=_shown,
    accounts_for=frozenset(_ATTRIBUTES),
    attributes=frozenset(_ATTRIBUTES),
)
