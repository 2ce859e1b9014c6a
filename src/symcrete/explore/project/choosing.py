"""Which functions of a project are targets: what the user names, without what is excluded.

A file that cannot be read is no reason to leave out the others: it is told beside them.
"""

from __future__ import annotations

import ast
import contextlib
import fnmatch
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from symcrete.errors import NothingToAnalyse, SymcreteError
from symcrete.explore.project.uncounted import without_excluded
from symcrete.program.source.module import Source, files_below, sources_of_package
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target, targets_of, targets_of_source
from symcrete.slotted import dataclass

NO_COVER = r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)"  # coverage.py's own pattern


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that cannot be analysed."""

    file: str
    error: str
    exit_code: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """The functions to be covered, and the files that cannot be analysed."""

    targets: tuple[Target, ...]
    broken: tuple[Broken, ...] = ()
    excluded: int = 0  # functions that were left out


def chosen(
    texts: Sequence[str],
    *,
    exclude: Sequence[str] = (),
    patterns: Sequence[str] = (NO_COVER,),
    only: Callable[[Target], bool] = lambda target: True,
) -> Chosen:
    """The targets that the texts name. A file that cannot be analysed is told in `broken`, or
    raised if it is all that was named.

    `exclude` are globs for files or functions. A function whose head has a line in which one of the
    `patterns` is found is left out, unless it was named itself. `only` tells whether a target is
    wanted.
    """
    found: dict[tuple[str, str], Target] = {}
    broken: list[Broken] = []
    excluded = 0
    for text in texts:
        files = _files(text)
        for place in files:
            try:
                targets = (
                    targets_of_source(place) if isinstance(place, Source) else targets_of(place)
                )
            except NothingToAnalyse:
                if len(files) == len(texts) == 1:
                    raise
                continue  # a file without functions is no reason to stop
            except SymcreteError as error:
                if len(files) == len(texts) == 1:
                    raise
                broken.append(Broken(_file(place), str(error), error.exit_code))
                continue
            heads = _Heads(patterns)
            wanted = [
                (target, heads.leave_out(target))
                for target in targets
                if not _is_excluded(target, place, exclude) and only(target)
            ]
            # A function that is named though its head leaves it out is covered whole.
            kept = [
                target if left_out else without_excluded(target, patterns)
                for target, left_out in wanted
                if _is_named(place) or not left_out
            ]
            excluded += len(targets) - len(kept)
            found |= {(str(target.source.file), target.called): target for target in kept}
    if not found and not broken:
        left = f"; {excluded} are excluded" if excluded else ""
        raise NothingToAnalyse(f"no functions in {', '.join(texts)}{left}")
    return Chosen(tuple(found.values()), tuple(broken), excluded)


def _files(text: str) -> Sequence[str | Source]:
    """The files of a folder or a package; else the text itself, as a target."""
    folder = Path(text)
    if not folder.exists() and text.replace(".", "").isidentifier():
        with contextlib.suppress(SymcreteError):
            return sources_of_package(text) or [text]
    if not folder.is_dir():
        return [text]
    files = [str(file) for file in files_below(folder, notebooks=True)]
    if not files:
        raise NothingToAnalyse(f"no functions below {folder}")
    return files


def _file(place: str | Source) -> str:
    return str(place.file) if isinstance(place, Source) else place


def _is_named(place: str | Source) -> bool:
    return isinstance(place, str) and ":" in place


def _is_excluded(target: Target, place: str | Source, globs: Iterable[str]) -> bool:
    file = Path(_file(place).partition("::")[0]).as_posix()
    names = (file, f"{file}::{target.scope}", target.scope, target.label)
    return any(
        fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(name, f"*/{glob}")
        for glob in globs
        for name in names
    )


class _Heads:
    """What the heads of functions say of whether they are left out, read once for each file."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = patterns
        self._files: dict[Path, tuple[list[str], dict[str, tuple[int, int]]]] = {}

    def leave_out(self, target: Target) -> bool:
        """Whether a line of the function's head, or of its class's, matches one of the patterns."""
        if not self._patterns:
            return False
        source = target.source
        if source.file not in self._files:
            self._files[source.file] = _lines(source.file), _heads(source.tree())
        lines, heads = self._files[source.file]
        parts = target.scope.split(".")
        scopes = [".".join(parts[: n + 1]) for n in range(len(parts))]
        head = [line for scope in scopes for line in lines[slice(*heads.get(scope, (0, 0)))]]
        return any(re.search(pattern, line) for pattern in self._patterns for line in head)


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="replace").splitlines()


def _heads(tree: ast.Module) -> dict[str, tuple[int, int]]:
    """The lines of decorators and signature, by scope, as a slice."""
    heads = {scope: _head(node) for scope, node in functions(tree)}
    ahead: list[tuple[str, ast.stmt]] = [("", node) for node in tree.body]
    for before, node in ahead:
        if isinstance(node, ast.ClassDef):
            heads[f"{before}{node.name}"] = _head(node)
            ahead += [(f"{before}{node.name}.", each) for each in node.body]
    return heads


def _head(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[int, int]:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return first - 1, max(node.lineno, node.body[0].lineno - 1)


def excluding_patterns(folder: Path) -> list[str]:
    """coverage.py's own exclusions: its default, or what its configuration says instead.

    From `.coveragerc`, `setup.cfg` or `pyproject.toml` of the folder, the first that has a section
    about coverage.py's reports.
    """
    for name, section in ((".coveragerc", "report"), ("setup.cfg", "coverage:report")):
        if not (folder / name).is_file():
            continue
        from configparser import ConfigParser, Error  # many folders have no such file

        parser = ConfigParser(interpolation=None)
        try:
            parser.read(folder / name, encoding="utf-8")
        except (Error, OSError, UnicodeDecodeError):
            continue
        if parser.has_section(section):
            return _patterns({k: v.splitlines() for k, v in parser.items(section)})
    if not (folder / "pyproject.toml").is_file():
        return [NO_COVER]
    import tomllib  # many folders have no such file

    try:
        table = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return [NO_COVER]
    return _patterns(table.get("tool", {}).get("coverage", {}).get("report", {}))


def _patterns(report: dict[str, object]) -> list[str]:
    def lines(name: str) -> list[str]:
        given = report.get(name)
        return [str(each) for each in given if str(each).strip()] if isinstance(given, list) else []

    wanted = [*(lines("exclude_lines") or [NO_COVER]), *lines("exclude_also")]
    return [pattern for pattern in wanted if _is_pattern(pattern)]


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True
