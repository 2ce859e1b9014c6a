"""What of a target does not count: lines with a pragma, and what earlier tests cover already.

Earlier tests are known by coverage.py's data file. It tells arcs between lines, or, measured
without branches, lines only: then a side counts as covered if the line that it leads to was run.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from symcrete.errors import BadOption
from symcrete.explore.cover.plan import branch_name, name_of, sites_of
from symcrete.explore.project.excluded_lines import excluded_lines
from symcrete.explore.project.line_flow import Fork, forks
from symcrete.program.source.definitions import lines_of_other_accessors
from symcrete.program.source.module import Source
from symcrete.program.source.sites import Branch, functions
from symcrete.program.source.target import Target
from symcrete.slotted import dataclass

if TYPE_CHECKING:
    from coverage import CoverageData as Data


def without_excluded(target: Target, patterns: Sequence[str]) -> Target:
    """The target without the conditions and branches that a pragma leaves out, or that belong to
    the other function of a property.
    """
    source = target.source
    excluded = _excluded(source, source.file.stat().st_mtime_ns, tuple(patterns))
    excluded = excluded | lines_of_other_accessors(target)
    if not excluded:
        return target
    sites = sites_of(source)
    own, places = sites.own(target.scope), forks(source.tree())
    first = own[0].number if own else 0
    names = {
        name_of(site, side, first) for site in own for side in site.sides if site.line in excluded
    }
    for branch in sites.own_branches(target.scope):
        fork = places.get((branch.line, branch.column))
        if fork is None or not excluded & {branch.line, fork.inside, fork.otherwise}:
            continue
        names.add(branch_name(branch))  # with one way left it is no branch any more
        leads_to = fork.inside if branch.side else fork.otherwise
        if leads_to in excluded:
            names |= {f"{number - first}{'+' if side else '-'}" for number, side in branch.outcomes}
    return replace(target, uncounted=target.uncounted | names)


@functools.lru_cache(maxsize=1)  # the functions of a module are looked at one after the other
def _excluded(source: Source, changed: int, patterns: tuple[str, ...]) -> set[int]:
    text = source.file.read_text(encoding="utf-8", errors="replace")
    return excluded_lines(source.tree(), text, patterns)


@dataclass(frozen=True, slots=True)
class FileData:
    """What was measured of one file."""

    lines: frozenset[int]
    arcs: frozenset[tuple[int, int]] | None  # None: only lines were measured

    def took(self, fork: Fork, side: bool) -> bool:
        """Whether one side of a branch was taken."""
        if self.arcs is None:
            return (fork.inside if side else fork.otherwise) in self.lines
        ends = {to for start, to in self.arcs if fork.first <= start <= fork.last}
        left = {to for to in ends if not fork.first <= to <= fork.last}
        return fork.inside in ends if side else bool(left - {fork.inside})


class CoverageData:
    """A data file of coverage.py's."""

    def __init__(self, file: str) -> None:
        try:
            import coverage
            from coverage.exceptions import CoverageException
        except ImportError:
            raise BadOption("--coverage needs coverage.py: pip install coverage") from None
        if not os.path.exists(file):
            raise BadOption(f"--coverage: there is no {file}; `coverage run` writes it")
        data = coverage.CoverageData(basename=os.path.abspath(file))
        try:
            data.read()
            self._files = {
                Path(name).resolve(): _of_file(data, name) for name in data.measured_files()
            }
        except CoverageException as error:
            raise BadOption(f"--coverage: {error}") from None
        self._measured = os.stat(file).st_mtime

    def lacking(self, targets: Iterable[Target]) -> list[Target]:
        """The targets that were not covered whole, each without what was covered of it."""
        found = [self._lacking(target) for target in targets]
        return [target for target in found if target is not None]

    def covered(self, target: Target) -> frozenset[str]:
        """The names of the target's branches that were covered; none of a file that never ran."""
        data = self._files.get(target.source.file.resolve())
        if data is None or not _entered(target, data):
            return frozenset()
        took = _taken(forks(target.source.tree()), data)
        own = sites_of(target.source).own_branches(target.scope)
        return frozenset([branch_name(branch) for branch in own if took(branch)])

    def changed_since(self, targets: Iterable[Target]) -> list[Path]:
        """Files whose lines may have moved since they were measured."""
        files = dict.fromkeys(target.source.file for target in targets)
        return [
            file
            for file in files
            if file.resolve() in self._files and file.stat().st_mtime > self._measured
        ]

    def _lacking(self, target: Target) -> Target | None:
        source = target.source
        data = self._files.get(source.file.resolve())
        if data is None:
            return target
        sites = sites_of(source)
        own, branches = sites.own(target.scope), sites.own_branches(target.scope)
        if not _entered(target, data):
            return target
        places = forks(source.tree())
        took = _taken(places, data)
        covered = [branch for branch in branches if took(branch)]
        missing = {
            outcome for branch in branches if not took(branch) for outcome in branch.outcomes
        }
        counted = {branch_name(branch) for branch in branches} - target.uncounted
        if counted <= {branch_name(branch) for branch in covered}:
            return None
        first = own[0].number
        names = {
            name_of(site, side, first)
            for site in own
            for side in site.sides
            if (site.number, side) not in missing
        }
        names |= {branch_name(branch) for branch in covered}
        return replace(target, uncounted=target.uncounted | names)


def _taken(places: dict[tuple[int, int], Fork], data: FileData) -> Callable[[Branch], bool]:
    def took(branch: Branch) -> bool:
        fork = places.get((branch.line, branch.column))
        return fork is not None and data.took(fork, branch.side)

    return took


def _entered(target: Target, data: FileData) -> bool:
    """Whether a line of the function's body was run."""
    for scope, node in functions(target.source.tree()):
        if scope == target.scope:
            body = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
            return any(line in data.lines for line in body)
    return False


def _of_file(data: Data, name: str) -> FileData:
    arcs = frozenset(data.arcs(name) or ()) if data.has_arcs() else None
    return FileData(frozenset(data.lines(name) or ()), arcs)
