"""Another version of a module, in a folder where both versions can be imported at once.

The files are copied into a package of their own, with those of the project that they import, and
their imports of one another name that package.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from symcrete.errors import BadOption, TargetNotFound
from symcrete.program.source.module import Source
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target
from symcrete.slotted import dataclass

PACKAGE = "other_version"  # the name of the package that holds the files
# files that are copied for one version; few functions import as many; chosen, not measured
MOST_FILES = 500

Read = Callable[[str], str | None]  # the text of a file of a version by its path; None: no such


@dataclass(frozen=True, slots=True)
class Version:
    """Another version of a target, and what its modules are called."""

    target: Target
    modules: dict[str, str]  # the name of a module, and that of the other version of it


def at_revision(target: Target, revision: str, folder: Path) -> Version:
    """The same function as it was at a git revision, with the modules it used then."""
    root = target.source.root
    _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", asked=revision)

    def read(path: str) -> str | None:
        done = _run(root, "show", f"{revision}:./{path}")
        return done.stdout if done.returncode == 0 else None

    return copied(target, read, folder, f"{target.label} at {revision}")


def beside_another(target: Target, folder: Path) -> Version:
    """The same function under another name of its module, for two modules of one name."""
    root = target.source.root

    def read(path: str) -> str | None:
        file = root / path
        return file.read_text(encoding="utf-8") if file.is_file() else None

    return copied(target, read, folder, target.label)


def copied(target: Target, read: Read, folder: Path, label: str) -> Version:
    """A copy of the target's file, and of what it imports, below the folder."""
    source = target.source
    first = source.file.relative_to(source.root.resolve()).as_posix()
    folder = folder / "versions"  # beside other files that are none of the program's
    base = folder / PACKAGE
    waiting, done = [first], dict[str, bool]()
    while waiting and len(done) < MOST_FILES:
        path = waiting.pop()
        if path in done:
            continue
        text = read(path)
        done[path] = text is not None
        if text is None:
            continue
        try:
            tree = ast.parse(text, path)
        except (SyntaxError, ValueError) as error:
            raise BadOption(f"{label}: {path} is no Python: {error}") from None
        renaming = _Renaming(read, path)
        place = base / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(ast.unparse(renaming.visit(tree)) + "\n", encoding="utf-8")
        waiting += [*_packages(path), *renaming.used]
    if not done[first]:
        raise TargetNotFound(f"{label}: there was no {first}")
    (base / "__init__.py").touch()
    file = base / first
    if target.scope not in [scope for scope, _ in functions(ast.parse(file.read_text("utf-8")))]:
        raise TargetNotFound(f"{label}: there was no {target.scope}")
    made = Source(file.resolve(), f"{PACKAGE}.{source.module}", folder)
    modules = {_module(path): f"{PACKAGE}.{_module(path)}" for path, found in done.items() if found}
    return Version(Target(made, target.scope, label, target.name), modules)


class _Renaming(ast.NodeTransformer):
    """Rewrites imports of the version's own modules to the names that these have in the package."""

    def __init__(self, read: Read, path: str) -> None:
        self._read = read
        self._path = PurePosixPath(path)
        self.used: list[str] = []  # paths that the imports may mean; some do not exist

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        """An `import` of modules that are copied names the copies; one of `shop.tax` still binds
        `shop`, by a second import.
        """
        names: list[ast.alias] = []
        for each in node.names:
            if not self._is_own(each.name):
                names.append(each)
                continue
            self._use(each.name)
            top = each.name.partition(".")[0]
            names.append(ast.alias(f"{PACKAGE}.{each.name}", each.asname or _UNUSED))
            if not each.asname:
                names.append(ast.alias(f"{PACKAGE}.{top}", top))
        return ast.copy_location(ast.Import(names), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        """A `from ... import` of a module that is copied names the copy; a relative one stays as it
        is.
        """
        module = node.module or ""
        if node.level:
            above = self._path.parents[node.level - 1].parts
            self._use(".".join([*above, *([module] if module else [])]), node.names)
            return node
        if not self._is_own(module):
            return node
        self._use(module, node.names)
        renamed = ast.ImportFrom(f"{PACKAGE}.{module}", node.names, 0)
        return ast.copy_location(renamed, node)

    def _is_own(self, module: str) -> bool:
        top = module.partition(".")[0]
        inner = module.replace(".", "/")
        found = (f"{top}.py", f"{top}/__init__.py", f"{inner}.py", f"{inner}/__init__.py")
        return any(self._read(path) is not None for path in found)

    def _use(self, module: str, names: list[ast.alias] | None = None) -> None:
        inner = module.replace(".", "/")
        meant = [inner, *[f"{inner}/{each.name}".lstrip("/") for each in names or ()]]
        for each in meant:
            self.used += [f"{each}.py", f"{each}/__init__.py"]


_UNUSED = "_imported_version"  # a name for a module that is imported and not bound


def _packages(path: str) -> Iterator[str]:
    for folder in PurePosixPath(path).parents:
        if folder.parts:
            yield f"{folder}/__init__.py"


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["git", *words], cwd=folder, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise BadOption(f"git cannot be run: {error}") from None


def _git(folder: Path, *words: str, asked: str) -> None:
    done = _run(folder, *words)
    if done.returncode:
        told = done.stderr.strip().splitlines()
        raise BadOption(f"no revision {asked!r} here{': ' + told[0] if told else ''}")
