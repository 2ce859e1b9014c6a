"""Files that comments, docstrings and pages name, and whether they are there.

A name with a folder (`benchmarks/paths.py`) is looked for from the root, from the package's folder,
from `tests` and beside the file that names it; a bare one anywhere in the repository; dotted names
that begin with a folder at the root (`python -m benchmarks.paths`) as modules. Programs that stand
for the user's own (`shop.py`) are listed below; a page may also show one, in a block that begins
with its name.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGES = ("*.md", "docs/**/*.md")
CODE = ("src", "tests", "benchmarks", "experiments", "examples", "tools")
# Programs of an imaginary user, other projects, and data of the papers that is given with --data.
ELSEWHERE = frozenset(
    {
        "shop.py", "prog.py", "file.py", "m.py", "old.py", "test_m.py", "test_shop.py",
        "test_codes.py", "fees.py", "mode.py", "stock.py", "test_fees.py", "test_mode.py",
        "test_stock.py",
        "coverage.py", "coral.json", "opti.json",
    }
)  # fmt: skip

_PATH = re.compile(
    r"(?<![\w/.<>{}*~-])((?:[\w.-]+/)*[\w-]+\.(?:py|md|toml|yml|yaml|json|typed))(?![\w/*{-])"
)
_DOTTED = re.compile(r"(?<![\w/.])((?:benchmarks|experiments|tests|tools)(?:\.[a-z_]\w*)+)")
_SHOWN = re.compile(r"^```python\n# (\w+\.py)$", re.MULTILINE)
_SUFFIXES = ("py", "md", "toml", "yml", "yaml", "json", "typed")


@dataclass(frozen=True, slots=True)
class Citation:
    """A file named in prose."""

    file: Path  # that names it, relative to the root
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name} is named, but is not there"


def broken_citations(root: Path) -> list[Citation]:
    """Every citation below the root of a file that does not exist."""
    names = {path.name for path in _files(root)}
    found = []
    for file, line, text in _prose(root):
        shown = set(_SHOWN.findall(text)) if file.suffix == ".md" else set()
        for match in _PATH.finditer(text):
            if match[1] not in shown and not _exists(root, file, match[1], names):
                found.append(Citation(file, line + text[: match.start()].count("\n"), match[1]))
        for match in _DOTTED.finditer(text):
            if match[1].split(".")[-1] not in _SUFFIXES and not _is_module(root, match[1]):
                found.append(Citation(file, line + text[: match.start()].count("\n"), match[1]))
    return found


def _exists(root: Path, file: Path, name: str, names: set[str]) -> bool:
    stem, _, suffix = name.rpartition(".")
    stands_for_another = stem.isupper() and suffix != "md"  # OUT.json in a usage line
    if name in ELSEWHERE or name.startswith("../") or stands_for_another:
        return True
    if "/" not in name:
        return name in names
    places = (root, root / "src" / "symcrete", root / "tests", (root / file).parent)
    return any((place / name).exists() for place in places) or _is_users(root, name)


def _is_users(root: Path, name: str) -> bool:
    """Whether a path begins in no folder of ours (`path/to/file.py`) or ends in a user's file."""
    first = name.partition("/")[0]
    ours = any((place / first).is_dir() for place in (root, root / "src" / "symcrete"))
    return name.rpartition("/")[2] in ELSEWHERE or not ours


def _is_module(root: Path, name: str) -> bool:
    """Whether a dotted name is a module or a folder, or something in a module."""
    place = root.joinpath(*name.split("."))
    return (
        place.is_dir()
        or place.with_suffix(".py").exists()
        or place.parent.with_suffix(".py").exists()
    )


def _files(root: Path) -> Iterator[Path]:
    for folder in CODE:
        yield from (root / folder).rglob("*.*")
    yield from root.glob("*.*")
    yield from (root / "docs").rglob("*.*")


def _prose(root: Path) -> Iterator[tuple[Path, int, str]]:
    """Each comment, docstring and page: the file, the first line and the text."""
    for folder in CODE:
        for path in sorted((root / folder).rglob("*.py")):
            file, text = path.relative_to(root), path.read_text()
            if not _PATH.search(text) and not _DOTTED.search(text):
                continue  # most files name none, and reading them closely takes seconds
            yield from ((file, line, said) for line, said in _comments(text))
            yield from ((file, line, said) for line, said in _docstrings(text))
    for pattern in PAGES:
        for path in sorted(root.glob(pattern)):
            yield path.relative_to(root), 1, path.read_text()


def _comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _docstrings(text: str) -> Iterator[tuple[int, str]]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, holders) and (said := ast.get_docstring(node, clean=False)):
            yield node.body[0].lineno, said
