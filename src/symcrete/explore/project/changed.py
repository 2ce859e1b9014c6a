"""Functions that a diff touches: those whose text it changes, and those that mention what it
changes.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from symcrete.errors import BadOption
from symcrete.program.source.module import parsed
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target


class Changed:
    """The functions and names below a folder that differ from a git revision; untracked files are
    new.
    """

    def __init__(self, revision: str, folder: Path) -> None:
        # names of functions, methods, classes and variables that differ
        self._names: set[str] = set()
        self._scopes: set[tuple[Path, str]] = set()
        listed = _git(folder, "diff", "--name-only", "--relative", revision, "--", "*.py")
        new = _git(folder, "ls-files", "--others", "--exclude-standard", "--", "*.py")
        for name in [*listed.splitlines(), *new.splitlines()]:
            file = (folder / name).resolve()
            if file.exists():
                self._compare(file, _before(folder, revision, name))

    def touches(self, target: Target) -> bool:
        """Whether the target differs, or mentions something that does."""
        file = target.source.file
        if (file, target.scope) in self._scopes:
            return True
        for scope, node in functions(target.source.tree()):
            if scope == target.scope:
                return bool(self._names & set(_mentioned(node)))
        return False

    def differs(self, target: Target) -> bool:
        """Whether the text of the target itself differs, or is new."""
        return (target.source.file, target.scope) in self._scopes

    def _compare(self, file: Path, before: str) -> None:
        try:
            now, then = parsed(file), ast.parse(before)
        except (SyntaxError, ValueError):
            return  # a broken file is reported elsewhere; or the former text was broken
        former = {scope: ast.unparse(node) for scope, node in functions(then)}
        for scope, node in functions(now):
            if former.get(scope) != ast.unparse(node):
                self._scopes.add((file, scope))
                self._names.add(scope.rpartition(".")[2])
        # Whoever still mentions what is gone does something else now, too.
        gone = former.keys() - {scope for scope, _ in functions(now)}
        self._names |= {scope.rpartition(".")[2] for scope in gone}
        before_it, after_it = _statements(then.body), _statements(now.body)
        for statement in before_it.keys() ^ after_it.keys():
            self._names |= {**before_it, **after_it}[statement]


def _statements(body: Sequence[ast.stmt]) -> dict[str, set[str]]:
    """The statements that run when the module is imported or a class is made, each with the names
    that it binds.
    """
    found: dict[str, set[str]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.ClassDef):
            head = ast.unparse([*node.decorator_list, *node.bases, *node.keywords])  # type: ignore[arg-type]
            inner = _statements(node.body)
            found[f"class {node.name}({head})"] = {node.name}
            found |= {f"{node.name}: {text}": names | {node.name} for text, names in inner.items()}
            continue
        binds = {
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        if isinstance(node, ast.Import | ast.ImportFrom):
            binds = {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        found[ast.unparse(node)] = binds
    return found


def _mentioned(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Name(name) | ast.Attribute(attr=name):
                yield name


def _before(folder: Path, revision: str, name: str) -> str:
    """The text of a file at the revision; empty if it is new."""
    command = ["git", "show", f"{revision}:./{name}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=folder, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise BadOption(f"git cannot be run: {error}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["git failed"]
        raise BadOption(f"--changed: {lines[0]}")
    return done.stdout
