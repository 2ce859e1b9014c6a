"""Pure paths over a tracked text: its name, suffix and parts are pieces of that text."""

from __future__ import annotations

import contextlib
import pathlib
import types
from typing import Any

from symcrete.values.rows.model_rows import Model
from symcrete.values.text.content.strings import ConcolicStr
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import foreign, standing_in
from symcrete.values.tracking.numeric import untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.subscripts import item
from symcrete.values.tracking.unchanging_values import Unchanging


class TrackedPath(Unchanging):
    """The attributes of a path that are computed from its tracked text; POSIX paths only."""

    __slots__ = ()
    tracked_text: Any

    @property
    def _pieces(self) -> list[Any]:
        """The components: what is between slashes, but for empty ones and single dots."""
        found = []
        for piece in self.tracked_text.split("/"):
            if OPERATORS["ne"](piece, "") and OPERATORS["ne"](piece, "."):
                found.append(piece)
        return found

    @property
    def name(self) -> Any:
        pieces = self._pieces
        return pieces[-1] if pieces else ""

    @property
    def suffix(self) -> Any:
        name, at = self._last_dot()
        return "" if at is None else item(name, slice(at, None))

    @property
    def stem(self) -> Any:
        name, at = self._last_dot()
        return name if at is None else item(name, slice(None, at))

    def _last_dot(self) -> tuple[Any, Any]:
        """The name, and where its suffix begins, None if it has none: a dot that is its first or
        last character begins none.
        """
        name = self.name
        if not OPERATORS["in_"](".", name):
            return name, None
        if name.startswith(".") and not OPERATORS["in_"](".", item(name, slice(1, None))):
            return name, None
        if name.endswith("."):
            return name, None
        return name, name.rfind(".")

    @property
    def parts(self) -> Any:
        root = untracked(self).root
        if self.tracked_text.startswith("/"):
            return (root, *self._pieces)
        return tuple(self._pieces)

    def is_absolute(self) -> bool:
        return bool(self.tracked_text.startswith("/"))


_OWN = frozenset({"name", "suffix", "stem", "parts", "is_absolute"})  # of TrackedPath itself


def _dropping(name: str, plain: Any) -> Any:
    """The attribute `name` for tracked paths, a method or a property: what stands in for it where
    files are inputs, else that of the plain path, with the loss noted.
    """

    def drop(self: Any, *args: Any, **kwargs: Any) -> Any:
        stands_in = standing_in(pathlib.Path, name)
        if stands_in is not None:  # files are inputs
            return stands_in(self, *args, **kwargs)
        recording.active().lose(f"Path.{name}")
        found = getattr(untracked(self), name)
        return found(*[untracked(arg) for arg in args], **kwargs) if callable(plain) else found

    return drop if callable(plain) else property(drop)


def _tracked_kind(kind: Any) -> Any:
    """The tracked class that stands for a class of paths."""
    namespace = {"__slots__": ("tracked_text",), "__class__": property(lambda self: kind)}
    made: Any = type(kind.__name__, (TrackedPath, kind), namespace)
    for name in dir(kind):
        plain = getattr(kind, name)
        if name in _OWN or (name.startswith("_") and name not in _OPERATORS):
            continue
        if isinstance(plain, type) or not hasattr(kind, name):
            continue
        if isinstance(getattr(kind, name), property) or callable(plain):
            setattr(made, name, _dropping(name, plain))
    return made


def plain_path(value: Any) -> Any:
    """The plain path behind a tracked one."""
    return value.__class__(str(untracked(value.tracked_text)))


# The methods with names in underscores that tracked paths replace too.
_OPERATORS = frozenset(
    f"__{name}__"
    for name in (
        "str",
        "fspath",
        "repr",
        "bytes",
        "truediv",
        "rtruediv",
        "eq",
        "lt",
        "le",
        "gt",
        "ge",
    )
)


TRACKED_PATHS: dict[type, Any] = {
    kind: _tracked_kind(kind) for kind in (pathlib.PurePosixPath, pathlib.PosixPath)
}


def concolic_path(kind: Any, value: Any) -> Any:
    """A path over a tracked text; a plain one over a plain text."""
    plain = kind(untracked(value))
    if type(value) is not ConcolicStr or type(plain) not in TRACKED_PATHS:
        return plain
    return made_of(type(plain), value)


def made_of(kind: Any, value: Any) -> Any:
    """The tracked path over a tracked text that stands for a path of the class `kind`."""
    made_kind = TRACKED_PATHS[kind]
    plain = kind(untracked(value))
    made = object.__new__(made_kind)
    for base in kind.__mro__:
        for name in base.__dict__.get("__slots__", ()):
            slot = base.__dict__.get(name)  # a subclass may have a property of the same name
            if isinstance(slot, types.MemberDescriptorType):
                with contextlib.suppress(AttributeError):  # not set yet
                    slot.__set__(made, slot.__get__(plain))
    object.__setattr__(made, "tracked_text", value)
    return made


def _model(kind: Any) -> Model:
    """The model of a class of paths that is called with one text."""

    def call(*args: Any, **named: Any) -> Any:
        if len(args) == 1 and not named and type(args[0]) is ConcolicStr:
            return concolic_path(kind, args[0])
        return foreign(kind, *args, **named)

    return Model(kind, call)


MODELS = (
    _model(pathlib.PurePath),
    _model(pathlib.PurePosixPath),
    _model(pathlib.Path),
    _model(pathlib.PosixPath),
)
