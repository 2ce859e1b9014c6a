"""Where the program's text is, and under which name Python imports it."""

from __future__ import annotations

import ast
import functools
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
from pathlib import Path
from types import NoneType
from typing import Any

from symcrete.errors import ImportFailed, NothingToAnalyse, TargetNotFound
from symcrete.program.source import code_cells
from symcrete.slotted import dataclass

# syntax trees that are kept, and results that other modules derive from them and keep; chosen, not
# measured
SHARED_TREES = 16


@dataclass(frozen=True, slots=True)
class Source:
    """One module's file, the name it is imported by and the folder that makes the import work."""

    file: Path
    module: str
    root: Path
    beside: tuple[Path, ...] = ()  # more folders to import from, whose modules are the program's

    @property
    def path(self) -> tuple[str, ...]:
        """The folders that make the imports of the program work, in Python's order."""
        return tuple([str(each) for each in (self.root, *self.beside)])

    def tree(self) -> ast.Module:
        """The syntax tree of the file. Raises ImportFailed where it cannot be read."""
        try:
            return parsed(self.file)
        except SyntaxError as error:
            where = f"{self.file}:{error.lineno}:{error.offset}"
            raise ImportFailed(f"{where}: syntax error: {error.msg}") from None
        except (OSError, ValueError) as error:
            raise ImportFailed(f"cannot read {self.file}: {error}") from None

    def lines(self) -> list[str]:
        """The lines of the file, read in the encoding that it names, and counted as Python counts
        them. Raises ImportFailed where it cannot be read.
        """
        try:
            return importlib.util.decode_source(self.file.read_bytes()).split("\n")
        except (OSError, SyntaxError, ValueError) as error:
            raise ImportFailed(f"cannot read {self.file}: {error}") from None


def parsed(file: str | Path) -> ast.Module:
    """The syntax tree of a file, to be read only: all who ask share it until the file changes."""
    told = os.stat(file)
    return _parsed(str(file), told.st_mtime_ns, told.st_size)


@functools.lru_cache(maxsize=SHARED_TREES)
def _parsed(file: str, changed: int, size: int) -> ast.Module:
    return ast.parse(Path(file).read_bytes(), file)


def child_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, in the order of `ast.iter_child_nodes`, which makes two
    generators for it and takes twice as long.
    """
    found: list[ast.AST] = []
    for name in node._fields:
        below = getattr(node, name, None)
        if isinstance(below, list):
            found += [each for each in below if isinstance(each, ast.AST)]
        elif isinstance(below, ast.AST):
            found.append(below)
    return found


def locate(node: ast.AST, place: tuple[int, int, int, int] = (1, 0, 1, 0)) -> None:
    """Give each node without a place in the text that of the node around it, in the order and with
    the result of `ast.fix_missing_locations`, which makes two generators for every node.

    A place is the first line and column, and the last ones.
    """
    if node._attributes:  # operators and the like have none
        line: int | None = getattr(node, "lineno", None)
        column: int | None = getattr(node, "col_offset", None)
        end_line: int | None = getattr(node, "end_lineno", None)
        end_column: int | None = getattr(node, "end_col_offset", None)
        if line is None or column is None or end_line is None or end_column is None:
            changed: Any = node
            changed.lineno = line = place[0] if line is None else line
            changed.col_offset = column = place[1] if column is None else column
            changed.end_lineno = end_line = place[2] if end_line is None else end_line
            changed.end_col_offset = end_column = place[3] if end_column is None else end_column
        place = (line, column, end_line, end_column)
    for name in node._fields:
        below = getattr(node, name, None)
        if isinstance(below, list):
            for each in below:
                if isinstance(each, ast.AST) and (each._fields or each._attributes):
                    locate(each, place)
        elif isinstance(below, ast.AST) and (below._fields or below._attributes):
            locate(below, place)


def walked(tree: ast.AST) -> list[ast.AST]:
    """The nodes of a tree that is only read, in the order of `ast.walk`; kept with it since many
    questions are asked of the same one.
    """
    found: list[ast.AST] | None = getattr(tree, "_walked", None)
    if found is None:
        found = [tree]
        # It grows while it is gone through. `ast.walk` makes two generators for every node, which
        # takes twice as long.
        for node in found:
            for name in node._fields:
                below = getattr(node, name, None)
                if isinstance(below, list):
                    found += [each for each in below if isinstance(each, ast.AST)]
                elif isinstance(below, ast.AST):
                    found.append(below)
        tree._walked = found  # type: ignore[attr-defined]
    return found


_OF_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_OF_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.FloorDiv: "//",
}
_SHOWN_BY_REPR = frozenset({int, bool, NoneType, str, bytes})


def text_of(node: ast.AST) -> str:
    """What `ast.unparse` gives for an expression or a pattern.

    Most conditions compare names, attributes, elements, calls and numbers: those need no visitor,
    which takes 0.1 ms for `a + b <= c`.
    """
    found = _simple(node)
    return ast.unparse(node) if found is None else found


def _simple(node: ast.AST) -> str | None:
    """The text of an expression that stands alone or in brackets; None where it is not simple."""
    if type(node) is not ast.Compare:
        return _operand(node)
    found = _operand(node.left)
    for op, right in zip(node.ops, node.comparators, strict=True):
        other = None if found is None else _operand(right)
        if other is None:
            return None
        found = f"{found} {_OF_COMPARISONS[type(op)]} {other}"
    return found


def _operand(node: ast.AST) -> str | None:
    """The text of what a comparison compares; None where it may need brackets."""
    if type(node) is not ast.BinOp:
        return _atom(node)
    sign, left, right = _OF_ARITHMETIC.get(type(node.op)), _atom(node.left), _atom(node.right)
    return None if sign is None or left is None or right is None else f"{left} {sign} {right}"


def _atom(node: ast.AST) -> str | None:
    """The text of what needs no brackets wherever it stands; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return repr(node.value) if type(node.value) in _SHOWN_BY_REPR and not node.kind else None
    if isinstance(node, ast.Attribute):
        owner = None if isinstance(node.value, ast.Constant) else _atom(node.value)  # `1 .real`
        return None if owner is None else f"{owner}.{node.attr}"
    if isinstance(node, ast.Subscript):
        owner, place = _atom(node.value), _simple(node.slice)
        return None if owner is None or place is None else f"{owner}[{place}]"
    if isinstance(node, ast.Call) and not node.keywords:
        called, given = _atom(node.func), [_simple(each) for each in node.args]
        known = [each for each in given if each is not None]
        return f"{called}({', '.join(known)})" if called and len(known) == len(given) else None
    return None


def source_of_file(path: Path) -> Source:
    """The source of a file, as under pytest: the root is the first folder above without an
    `__init__.py`.

    A module that imports relatively is in a package all the same: then the root is the current
    folder, or `src` in it. The module of a notebook has its code cells, that of a script without
    the ending `.py` its text.
    """
    if not path.exists():
        raise TargetNotFound(f"no such file: {path}{_similar_file(path)}")
    if path.suffix == code_cells.ENDING:
        code = code_cells.module_of_notebook(path)
        return Source(code, code.stem, code.parent, (path.resolve().parent,))
    if path.is_file() and path.suffix != ".py" and code_cells.is_script(path):
        code = code_cells.module_of_script(path)
        return Source(code, code.stem, code.parent, (path.resolve().parent,))
    file = path.resolve()
    names = [] if file.stem == "__init__" else [file.stem]
    folder = file.parent
    while (folder / "__init__.py").exists():
        names.insert(0, folder.name)
        folder = folder.parent
    if len(names) == 1 and _imports_relatively(file):
        return _below_here(file) or Source(file, names[0], folder)
    return Source(file, ".".join(names), folder)


def _imports_relatively(file: Path) -> bool:
    try:
        body = parsed(file).body
    except (SyntaxError, OSError, ValueError):
        return False  # reported when it is read
    return any(isinstance(each, ast.ImportFrom) and each.level for each in body)


def _below_here(file: Path) -> Source | None:
    """The file as part of the packages below the current folder; None if it is elsewhere."""
    here = Path.cwd().resolve()
    for root in (here / "src", here):
        if file.is_relative_to(root) and file.parent != root:
            return Source(file, ".".join(file.relative_to(root).with_suffix("").parts), root)
    return None


def source_of_module(name: str) -> Source:
    """The source of a module found as Python would find it from the current folder."""
    spec = _spec_of(name)
    if spec.origin == "frozen":  # part of the interpreter, with its source beside it
        spec = importlib.machinery.PathFinder.find_spec(name) or spec
    if not spec.origin or not spec.origin.endswith(".py"):
        raise NothingToAnalyse(f"{name} has no Python code to cover: it is built in or compiled")
    file = Path(spec.origin)
    depth = name.count(".") + (file.stem == "__init__")
    return Source(file, name, file.parents[depth])


def sources_of_package(name: str) -> list[Source]:
    """The modules of a package, also of one without an `__init__.py`; none if it is no package."""
    sources = []
    for place in _spec_of(name).submodule_search_locations or ():
        folder = Path(place)
        root = folder.parents[name.count(".")]
        for file in files_below(folder):
            parts = file.relative_to(root).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            sources.append(Source(file, module, root))
    return sources


_SUFFIXES = (".py", "")  # of modules, and of folders with some
# By difflib: two letters exchanged in a short name give 0.86, alien names of one length up to 0.7.
_SIMILAR = 0.75
MOST_SUGGESTIONS = 3  # names that somebody may have meant; chosen, not measured


def _spec_of(name: str) -> importlib.machinery.ModuleSpec:
    """The spec of a module, found without importing anything: from the current folder, from `src`
    in it, where projects keep packages that need not be installed, then as Python finds it.
    """
    here = Path.cwd()
    added = [str(each) for each in (here, here / "src") if str(each) not in sys.path]
    sys.path[:0] = added
    try:
        spec = _found_without_importing(name)
    except (ImportError, ValueError, AttributeError) as error:
        raise TargetNotFound(f"no module {name!r}: {error}") from None
    finally:
        for each in added:
            sys.path.remove(each)
    if spec is None:
        similar = _similar_file(Path(name)) or _similar_file(Path(f"{name}.py"))
        raise TargetNotFound(f"no module {name!r} and no file of that name{similar}")
    return spec


def _found_without_importing(name: str) -> importlib.machinery.ModuleSpec | None:
    """As `importlib.util.find_spec`, but the packages that the module is in are not imported."""
    package, _, last = name.rpartition(".")
    around = _found_without_importing(package) if package else None
    if around is None or around.submodule_search_locations is None:
        return importlib.util.find_spec(name)
    places = list(around.submodule_search_locations)
    try:
        return importlib.machinery.PathFinder.find_spec(name, places)
    except KeyError:
        # A package without an `__init__.py` looks for its parent among what is imported.
        found = importlib.machinery.ModuleSpec(name, None, is_package=True)
        folders = [os.path.join(place, last) for place in places]
        found.submodule_search_locations = [each for each in folders if os.path.isdir(each)]
        return found


def files_below(folder: Path, *, notebooks: bool = False) -> list[Path]:
    """The Python files of a folder that hold the program, not its tests; its notebooks too, if
    wanted.
    """
    found = []
    every = [*folder.rglob("*.py"), *(folder.rglob(f"*{code_cells.ENDING}") if notebooks else ())]
    for path in sorted(every):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part in _NOT_PROGRAM for part in parts[:-1])
        if not hidden and not _is_test(path):
            found.append(path)
    return found


def _is_test(path: Path) -> bool:
    """Whether a file is named as pytest, unittest and Django name tests."""
    stem = path.stem
    return stem.startswith(("test_", "conftest")) or stem.endswith("_test") or stem == "tests"


_NOT_PROGRAM = {"tests", "test", "node_modules", "venv", "__pycache__", "build", "dist"}


def is_library(file: Path) -> bool:
    """Whether a file is part of Python or of an installed package."""
    return any(file.is_relative_to(folder) for folder in _library_folders())


def is_of_program(file: str, module: str, own: str) -> bool:
    """Whether a module belongs to the program that the module `own` is part of: it is of the same
    package, which may be an installed one, or of no installed package.
    """
    return module.partition(".")[0] == own.partition(".")[0] or not is_library(Path(file))


@functools.cache
def _library_folders() -> tuple[str, ...]:
    # With its variables put in, `get_paths` also reads what Python was built with, which takes a
    # twentieth of a short exploration.
    paths, version = sysconfig.get_paths(expand=False), sys.version_info
    known = {
        "base": sys.prefix,
        "platbase": sys.exec_prefix,
        "installed_base": sys.base_prefix,
        "installed_platbase": sys.base_exec_prefix,
        "platlibdir": sys.platlibdir,
        "py_version_short": f"{version.major}.{version.minor}",
    }
    keys = ("stdlib", "purelib", "platlib")
    try:
        return tuple([os.path.normpath(paths[key].format(**known)) for key in keys])
    except LookupError:  # another variable, as on other systems
        paths = sysconfig.get_paths()
        return tuple([paths[key] for key in keys])


def _similar_file(path: Path) -> str:
    """A hint at files or folders of nearly that name, or at a file in a folder of such a name."""
    import difflib

    folder, name = path.parent, path.name
    if folder.is_dir():
        known = {each.name: each for each in folder.iterdir() if each.suffix in _SUFFIXES}
    elif folder.parent.is_dir():
        name = folder.name
        known = {each.parent.name: each for each in folder.parent.glob(f"*/{path.name}")}
    else:
        return ""
    close = difflib.get_close_matches(name, known, n=MOST_SUGGESTIONS, cutoff=_SIMILAR)
    return f"; did you mean {' or '.join(str(known[each]) for each in close)}?" if close else ""
