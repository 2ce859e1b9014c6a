"""What a result depends on in the text of a project: the function, what it may call, read or meet.

Taken too large rather than too small: by names, not by types. Code that runs when a module is
imported always counts; a definition counts if something that counts mentions its name; whoever
mentions a variable of a module counts if the variable does, since it may change it. So do callers
of a function (they tell its types) and all methods of a class.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

from symcrete.program.source.module import Source, is_library, parsed
from symcrete.program.source.target import Target
from symcrete.slotted import dataclass

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement at the top of a module."""

    file: str
    line: int
    text: str
    defines: str  # the name of a function or class; "" for what runs at import
    binds: frozenset[str]  # variables of the module
    mentions: frozenset[str]

    @property
    def is_idle(self) -> bool:
        """Whether it is an import or a docstring: it names things and does nothing with them."""
        return self.text.startswith(("import ", "from ", "'", '"'))


# Names through which code that no import names, or data, gets into a program.
_BRINGS_IN = frozenset({"__import__", "import_module", "exec", "eval", "runpy", "pkgutil"})
# Names by which code reads something outside of the program. What it reads at import is as it is on
# this machine today; a function that does so has it as an input.
_READS = frozenset({"open", "read_text", "read_bytes", "load", "environ", "getenv", "argv", "now"})
_READS |= {"today", "time", "getcwd", "listdir", "glob", "random", "subprocess", "socket"}


def depends_on(target: Target) -> str | None:
    """A hash of everything that the result may depend on, the same while that is the same.

    None if it may depend on what no text shows: code or data that is brought in while it runs.
    """
    pieces = [piece for file in _files(target.source) for piece in _pieces_of(file)]
    variables = frozenset(name for piece in pieces for name in piece.binds)
    first = target.scope.split(".")[0]
    names = {first}
    counted: dict[int, Piece] = {}
    grown = True
    while grown:
        grown = False
        for number, piece in enumerate(pieces):
            if number in counted or not _counts(piece, names, variables, first):
                continue
            counted[number] = piece
            names |= piece.mentions
            grown = True
    doing = [piece for piece in counted.values() if not (piece.defines or piece.is_idle)]
    at_import = {name for piece in doing for name in piece.mentions}
    if names & _BRINGS_IN or at_import & _READS:
        return None
    # Reports name lines, so a function that moved is explored again.
    at = [piece.line for piece in pieces if piece.defines == first]
    digest = hashlib.sha256(f"{target.source.file}:{target.called}:{at}".encode())
    for number in sorted(counted):
        digest.update(f"\0{counted[number].file}\0{counted[number].text}".encode())
    return digest.hexdigest()


def _counts(piece: Piece, names: set[str], variables: frozenset[str], first: str) -> bool:
    """Whether a piece is part of what the target depends on, given the names that are so far."""
    if not piece.defines:
        return True
    calls_it = first in piece.mentions
    return piece.defines in names or calls_it or bool(piece.mentions & variables & names)


def _files(source: Source) -> list[Path]:
    """The target's file and the files of the project that it imports, directly or not.

    Of a target that is installed, or part of Python, those of its own package: the versions of all
    others are part of the key of a result, and reading half of the library would take a minute.
    """
    found: dict[Path, None] = {source.file: None}
    waiting = [source.file]
    package = source.root / source.module.partition(".")[0]
    everywhere = not is_library(source.file)
    while waiting:
        for file in _imported(waiting.pop(), source.root):
            if file not in found and (everywhere or file.is_relative_to(package)):
                found[file] = None
                waiting.append(file)
    return sorted(found)


def _imported(file: Path, root: Path) -> list[Path]:
    """Files below the root that a file may import, and the packages around them."""
    try:
        tree = parsed(file)
    except (OSError, SyntaxError, ValueError):
        return []
    names: set[tuple[str, ...]] = set()
    try:
        inside = file.relative_to(root).parent.parts
    except ValueError:
        inside = ()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = inside[: len(inside) - node.level + 1] if node.level else ()
            start = (*above, *(node.module.split(".") if node.module else ()))
            names |= {start, *((*start, alias.name) for alias in node.names)}
    places = {name[:length] for name in names for length in range(1, len(name) + 1)}
    found = [root.joinpath(*place).with_suffix(".py") for place in places]
    found += [root.joinpath(*place, "__init__.py") for place in places]
    return [each for each in found if each.is_file()]


def _pieces_of(file: Path) -> tuple[Piece, ...]:
    try:
        changed = file.stat()
        return _pieces(str(file), changed.st_mtime_ns, changed.st_size)
    except (OSError, SyntaxError, ValueError):
        return (Piece(str(file), 0, "unreadable", "", frozenset(), frozenset()),)


@functools.lru_cache(maxsize=256)
def _pieces(file: str, changed: int, size: int) -> tuple[Piece, ...]:
    return tuple(_pieces_in(parsed(file), file))


def _pieces_in(tree: ast.Module, file: str) -> Iterator[Piece]:
    for node in tree.body:
        defines = node.name if isinstance(node, _Definition) else ""
        binds = frozenset() if defines else frozenset(_bound(node))
        # Binding a variable at import does not read it; in a function it may change it.
        mentions = frozenset(_mentioned(node, bound=bool(defines)))
        yield Piece(file, node.lineno, ast.unparse(node), defines, binds, mentions)


def _bound(node: ast.stmt) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id


def _mentioned(node: ast.AST, *, bound: bool) -> Iterator[str]:
    """Every word in a node that may be a name, also in strings, where annotations and `getattr`
    have them.
    """
    for each in ast.walk(node):
        match each:
            case ast.Name(ctx=ast.Store()) if not bound:
                continue
            case ast.Name(name) | ast.Attribute(attr=name) | ast.alias(name):
                yield from name.split(".")
            case ast.Constant(str(text)):
                yield from _words(text)
            case ast.Global(names) | ast.Nonlocal(names):
                yield from names


def _words(text: str) -> list[str]:
    return "".join(char if char == "_" or char.isalnum() else " " for char in text).split()
