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
    reads: bool = False  # whether importing it may read something outside of the program


_SCRIPT = "if __name__ == '__main__':\n"
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
    web = _web(tuple([_stated(file) for file in _files(target.source)]))
    return web.digest(str(target.source.file), target.called, target.scope.split(".")[0])


class _Web:
    """The pieces of some files, and which of them count for a function: the names that are known
    to count lead to more pieces, whose names count too.
    """

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.pieces = pieces
        self._hashes = [
            hashlib.sha256(f"{piece.file}\0{piece.text}".encode()).digest() for piece in pieces
        ]
        self._defining: dict[str, list[int]] = {}
        self._mentioning: dict[str, list[int]] = {}
        for number, piece in enumerate(pieces):
            if piece.defines:
                self._defining.setdefault(piece.defines, []).append(number)
                for name in piece.mentions:
                    self._mentioning.setdefault(name, []).append(number)
        self._variables = {name for piece in pieces for name in piece.binds}
        at_import = [number for number, piece in enumerate(pieces) if not piece.defines]
        self._always = self._grown(set(), set(), at_import)
        self._reads_at_import = any(piece.reads for piece in pieces)
        self._digests: dict[tuple[str, str, str], str | None] = {}

    def digest(self, file: str, called: str, first: str) -> str | None:
        """The hash of what counts for the function `called` in the definition `first` of a file;
        None if that cannot be told. It is kept: it is asked for before a function is covered and
        again after it.
        """
        asked = (file, called, first)
        if asked not in self._digests:
            self._digests[asked] = self._new_digest(*asked)
        return self._digests[asked]

    def _new_digest(self, file: str, called: str, first: str) -> str | None:
        names, counted = self.around(first)
        if names & _BRINGS_IN or self._reads_at_import:
            return None
        # Reports name lines, so a function that moved is explored again.
        at = [piece.line for piece in self.pieces if piece.defines == first]
        digest = hashlib.sha256(f"{file}:{called}:{at}".encode())
        for number in sorted(counted):
            digest.update(self._hashes[number])
        return digest.hexdigest()

    def around(self, name: str) -> tuple[set[str], set[int]]:
        """The names that count for a function or class, and the numbers of the pieces that do."""
        names, counted = self._always
        callers = [number for number in self._mentioning.get(name, ()) if number not in counted]
        own = [number for number in self._defining.get(name, ()) if number not in counted]
        return self._grown(names | {name}, set(counted), [*own, *callers])

    def _grown(
        self, names: set[str], counted: set[int], waiting: list[int]
    ) -> tuple[set[str], set[int]]:
        """The names and pieces that count because these pieces do, with those that did before."""
        while waiting:
            number = waiting.pop()
            if number in counted:
                continue
            counted.add(number)
            new = self.pieces[number].mentions - names
            names |= new
            for name in new:
                waiting += self._defining.get(name, ())
                if name in self._variables:
                    waiting += self._mentioning.get(name, ())
        return names, counted


@functools.lru_cache(maxsize=32)  # projects as they stood; chosen, not measured
def _web(files: tuple[tuple[str, int, int], ...]) -> _Web:
    """The web of some files, each given by name, time of its last change and size, so that a file
    that has changed is read again.
    """
    return _Web(tuple([piece for file in files for piece in _pieces_of(*file)]))


def _stated(file: Path) -> tuple[str, int, int]:
    """The file, when it was last changed, and its size; zeros if it is gone."""
    try:
        changed = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), changed.st_mtime_ns, changed.st_size


def _files(source: Source) -> list[Path]:
    """The target's file and the files of the project that it imports, directly or not, and the
    stubs beside them.

    Of a target that is installed, or part of Python, those of its own package: the versions of all
    others are part of the key of a result, and reading half of the library would take a minute.
    """
    found: dict[Path, None] = {source.file: None}
    waiting = [source.file]
    package = source.root / source.module.partition(".")[0]
    everywhere = not is_library(source.file)
    while waiting:
        file = waiting.pop()
        if file.with_suffix(".pyi").is_file():
            found[file.with_suffix(".pyi")] = None
        for other in _imported(*_stated(file), source.root):
            if other not in found and (everywhere or other.is_relative_to(package)):
                found[other] = None
                waiting.append(other)
    return sorted(found)


# Looked up once for each text of a file: a module that is added while functions are covered is
# only seen by the next command.
@functools.lru_cache(maxsize=4096)  # files; chosen, not measured
def _imported(file: str, changed: int, size: int, root: Path) -> list[Path]:
    """Files below the root that a file may import, and the packages around them."""
    try:
        tree = parsed(file)
    except (OSError, SyntaxError, ValueError):
        return []
    names: set[tuple[str, ...]] = set()
    try:
        inside = Path(file).relative_to(root).parent.parts
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


@functools.lru_cache(maxsize=256)  # files; chosen, not measured
def _pieces_of(file: str, changed: int, size: int) -> tuple[Piece, ...]:
    try:
        return tuple(_pieces_in(parsed(file), file))
    except (OSError, SyntaxError, ValueError):
        return (Piece(file, 0, "unreadable", "", frozenset(), frozenset()),)


def _pieces_in(tree: ast.Module, file: str) -> Iterator[Piece]:
    for node in tree.body:
        defines = node.name if isinstance(node, _Definition) else ""
        binds = frozenset() if defines else frozenset(_bound(node))
        # Binding a variable at import does not read it; in a function it may change it.
        mentions = frozenset(_mentioned(node, bound=bool(defines)))
        text = ast.unparse(node)
        yield Piece(file, node.lineno, text, defines, binds, mentions, _reads(node, text))


def _reads(node: ast.stmt, text: str) -> bool:
    """Whether a statement may read something outside of the program when the module is imported.
    Imports do not, and what a script does is never run.
    """
    if isinstance(node, ast.Import | ast.ImportFrom) or text.startswith(_SCRIPT):
        return False
    walked = [each for part in _at_import(node) for each in ast.walk(part)]
    named = {each.id for each in walked if isinstance(each, ast.Name)}
    named |= {each.attr for each in walked if isinstance(each, ast.Attribute)}
    return bool(named & _READS)


def _at_import(node: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are run with it: all but the bodies of functions."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from node.decorator_list
            yield node.args
        case ast.ClassDef():
            yield from (*node.decorator_list, *node.bases, *node.keywords)
            for each in node.body:
                yield from _at_import(each)
        case _:
            yield node


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
