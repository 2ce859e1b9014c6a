"""Rewrite nothing but the conditions of one module, so that it tells which sides a call takes.

The values are plain ones and everything else stays as its author wrote it; this needs no engine.
The numbers of the conditions are those of `program.source.sites`, as everywhere.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib.abc
import importlib.machinery
import operator
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from types import CodeType, ModuleType
from typing import Any

from symcrete.instrument.matching import case_hooks
from symcrete.instrument.naming import PREFIX
from symcrete.instrument.operands import operand_hooks
from symcrete.instrument.places import place_hooks
from symcrete.instrument.reporting import ReportingConditions
from symcrete.program.source.sites import ModuleSites, Outcome, SiteTable

_FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "is_": operator.is_,
    "is_not": operator.is_not,
    "in_": lambda left, right: left in right,
    "not_in": lambda left, right: left not in right,
}


class Watched(importlib.abc.MetaPathFinder):
    """Finds modules as Python does, and rewrites the conditions of one file so that they tell
    their sides.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.sites: ModuleSites | None = None  # set when the file is imported
        self._covered = bytearray()
        # cases whose patterns matched and whose guards have not answered yet
        self._matched_cases: set[int] = set()

    def start(self) -> None:
        """Forget the sides taken so far: a new call begins."""
        self._covered[:] = bytes(len(self._covered))
        self._matched_cases.clear()

    def taken(self) -> Iterator[Outcome]:
        """The outcomes since the start, lowest number first."""
        for index, seen in enumerate(self._covered):
            if seen:
                yield index >> 1, bool(index & 1)

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """A context for calls of the file's code that do not count: sides taken in it are
        forgotten.
        """
        taken = bytes(self._covered)
        try:
            yield
        finally:
            self._covered[:] = taken

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin != self.file:
            return None
        if not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        spec.loader = _Loader(name, self.file, self)
        return spec

    def compile(self, source: bytes) -> CodeType:
        """The code of the file; its conditions report here."""
        tree = ast.parse(source, self.file)
        table = SiteTable()
        self.sites = ModuleSites(tree, self.file, table)
        self._covered.extend(bytes(2 * len(table) - len(self._covered)))
        for name, hook in _hooks(self._covered, self._matched_cases).items():
            setattr(builtins, PREFIX + name, hook)
        rewritten = ast.fix_missing_locations(ReportingConditions(self.sites).visit(tree))
        code: CodeType = compile(rewritten, self.file, "exec", dont_inherit=True)
        return code


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads the watched file from its source, never from or to a cache."""

    def __init__(self, name: str, path: str, watched: Watched) -> None:
        super().__init__(name, path)
        self._watched = watched

    def get_code(self, fullname: str) -> CodeType:
        return self._watched.compile(self.get_data(self.get_filename(fullname)))


def _hooks(covered: bytearray, matched_cases: set[int]) -> dict[str, Callable[..., Any]]:
    """The functions that rewritten conditions call, by name; a site is given as twice its number,
    so that the side can be added.
    """

    def branch(site: int, value: Any) -> bool:
        taken = bool(value)
        covered[site + taken] = 1
        return taken

    def step(site: int) -> None:
        covered[site + 1] = 1

    def done(site: int) -> None:
        covered[site] = 1

    def steps(site: int, iterable: Any) -> Iterator[Any]:
        return stepping(site, iter(iterable))

    def stepping(site: int, items: Iterable[Any]) -> Iterator[Any]:
        for each in items:
            covered[site + 1] = 1
            yield each
        covered[site] = 1

    async def async_steps(site: int, iterable: Any) -> AsyncIterator[Any]:
        async for each in iterable:
            covered[site + 1] = 1
            yield each
        covered[site] = 1

    hooks: list[Callable[..., Any]] = [
        branch,
        step,
        done,
        steps,
        async_steps,
        *place_hooks(covered),
    ]
    hooks += [*operand_hooks(branch, _FUNCTIONS), *case_hooks(covered, matched_cases)]
    return _FUNCTIONS | {hook.__name__: hook for hook in hooks}
