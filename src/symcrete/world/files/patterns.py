"""Which paths below a folder a pattern such as `*.log` or `**/*.py` finds, with their terms."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from typing import Any

from symcrete.world.files.file_tree import FOLDER
from symcrete.world.files.files import Files
from symcrete.world.source import Asking

_MAGIC = re.compile(r"[*?[]")


def matching(ask: Asking, files: Files, folder: str, pattern: str, *, hidden: bool) -> list[Any]:
    """The paths, relative to the folder, that the pattern matches. With `hidden`, `*` also matches
    names that begin with a dot.
    """
    parts = [each for each in pattern.split("/") if each]
    return list(_Matching(ask, files, hidden).below(folder, "", parts))


class _Matching:
    def __init__(self, ask: Asking, files: Files, hidden: bool) -> None:
        self._ask, self._files, self._hidden = ask, files, hidden

    def below(self, folder: str, before: Any, parts: list[str]) -> Iterator[Any]:
        """The paths that match these parts of a pattern below a folder, which is written as
        `before` in them.
        """
        if not parts:
            yield before
            return
        first, *rest = parts
        if self._files.tree.at(folder) is not FOLDER:
            return
        if first == "**":
            yield from self._at_any_depth(folder, before, rest)
        elif not _MAGIC.search(first):
            inside = _joined(folder, first)
            if self._files.tree.at(inside) is not None:
                yield from self.below(inside, _joined(before, first), rest)
        else:
            yield from self._named(folder, before, first, rest)

    def _named(self, folder: str, before: Any, pattern: str, rest: list[str]) -> Iterator[Any]:
        match = re.compile(fnmatch.translate(pattern)).match
        for name in self._names(folder):
            plain = str.__str__(name)
            if plain.startswith(".") and not self._hidden and not pattern.startswith("."):
                continue
            if self._ask.callee(match)(name):
                yield from self.below(_joined(folder, plain), _joined(before, name), rest)

    def _at_any_depth(self, folder: str, before: Any, rest: list[str]) -> Iterator[Any]:
        if rest:
            yield from self.below(folder, before, rest)
        for name in self._names(folder):
            inside = _joined(folder, str.__str__(name))
            if self._files.tree.at(inside) is FOLDER:
                yield from self._at_any_depth(inside, _joined(before, name), rest)
            elif not rest:
                yield _joined(before, name)

    def _names(self, folder: str) -> list[Any]:
        return self._files.names(folder, folder, "os.scandir")


def _joined(folder: Any, name: Any) -> Any:
    return name if folder in (".", "") else folder + "/" + name
