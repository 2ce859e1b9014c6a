"""Put tests into a file that is there already: other tests and what people wrote stay as they are.

A file of ours ends in a list of its tests with a digest of each. A test that fits its digest is
ours and can be rewritten when its function is explored again; one that does not was edited, and is
kept. One that was removed stays away, as long as we would write the same again.
"""

from __future__ import annotations

import ast
import hashlib
import io
import itertools
import tokenize
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from symcrete.errors import SymcreteError
from symcrete.report.tests.cases import WrittenTest
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import Import, import_block
from symcrete.sandbox.journal.writing import is_edited
from symcrete.slotted import dataclass

OPENING = "# Written by symcrete, which rewrites the tests that are as listed and keeps the others."
TITLE = "Tests of {}, found by Symcrete."  # the first line of a file of ours, with its module
BESIDE = "_symcrete"  # in the names of files beside those that somebody wrote by hand
HEAD = "(imports)"  # listed beside the functions: no function has this name
# How the line begins that `sandbox.journal.writing` adds at the end of the file.
STAMP = "# written by symcrete, may be rewritten while unchanged: "
_DIGEST_DIGITS = 8  # of a digest: one in four billion edits goes unnoticed
_SPACE = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class NotPython(SymcreteError):
    """A file that we should add to does not parse."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class Block:
    """A statement of a file, with the comments and empty lines above it."""

    text: str
    name: str = ""  # of a function or class

    @property
    def digest(self) -> str:
        return digest_of(self.text)


@dataclass(frozen=True, slots=True)
class There:
    """A file that is there."""

    head: str
    blocks: tuple[Block, ...]
    listed: dict[str, dict[str, str]]  # digests of our tests by function and name

    @property
    def is_ours(self) -> bool:
        """Whether the file ends in a list of tests that we wrote."""
        return bool(self.listed)

    def scopes(self) -> list[str]:
        """The functions that it has tests of ours for."""
        return [scope for scope in self.listed if scope != HEAD]

    def imports(self) -> list[Import]:
        """What its head imports."""
        return [each for node in ast.parse(self.head).body for each in _imports_of(node)]

    def owner(self, block: Block) -> str | None:
        """The function whose test it is, if it is as we wrote it."""
        for scope, tests in self.listed.items():
            if block.name and tests.get(block.name) == block.digest:
                return scope
        return None

    def edited(self) -> list[str]:
        """Tests of ours that somebody changed."""
        ours = {name for tests in self.listed.values() for name in tests}
        return [each.name for each in self.blocks if each.name in ours and self.owner(each) is None]

    def without(self, scopes: Iterable[str]) -> There:
        """The file without our tests of these functions; changed ones stay."""
        gone = set(scopes)
        kept = tuple([each for each in self.blocks if self.owner(each) not in gone])
        return replace(self, blocks=kept)

    def as_written(self) -> There:
        """The file with nothing in it but what is as we wrote it."""
        ours = tuple([each for each in self.blocks if self.owner(each) is not None])
        names = {each.name for each in ours}
        listed = {s: {n: d for n, d in t.items() if n in names} for s, t in self.listed.items()}
        return There(self.head, ours, {**listed, HEAD: {"": digest_of(self.head)}})

    def names(self) -> set[str]:
        """The names that new tests must not have: those of all functions and classes in the file,
        except tests of ours that somebody edited, which are kept in place of new ones.
        """
        return {each.name for each in self.blocks if each.name} - set(self.edited())


def file_for(folder: Path, module: str, claimed: Collection[Path], *, force: bool) -> Path:
    """The file for the tests of a module: none that is claimed, nor that of another module which is
    called alike, as `a.b` and `a_b` are. Tests that somebody wrote by hand stay where they are:
    ours then have a file beside theirs.
    """
    flat = f"test_{module.replace('.', '_')}"
    for number in itertools.count(1):
        name = flat if number == 1 else f"{flat}_{number}"
        path = folder / f"{name}.py"
        if not force and path.is_file() and is_edited(str(path)):
            path = path if there_at(path, force=False) else folder / f"{name}{BESIDE}.py"
        if path not in claimed and _is_free_for(module, path):
            return path
    raise AssertionError("there is always another number")


def _is_free_for(module: str, path: Path) -> bool:
    """Whether a file does not say at its beginning that it has the tests of another module."""
    try:
        first = path.read_text(encoding="utf-8-sig").partition("\n")[0]
    except (OSError, UnicodeDecodeError):
        return True
    before, after = TITLE.split("{}")
    owner = first.removeprefix(f'"""{before}').removesuffix(after)
    return first != f'"""{TITLE.format(owner)}' or owner == module


def there_at(path: Path, *, force: bool) -> There | None:
    """The file taken apart, if it is one of ours that can be added to."""
    try:
        found = read_there(path.read_text(encoding="utf-8-sig"), str(path))
    except (OSError, UnicodeDecodeError):
        return None
    except NotPython:
        if force:
            return None
        raise
    if not found.is_ours:
        return None
    return found.as_written() if force else found


def read_there(text: str, path: str) -> There:
    """A file taken apart. Raises `NotPython` where it does not parse."""
    body, listed, rest = _listed(text)
    try:
        tree = ast.parse(body + rest)
    except SyntaxError as error:
        where = f"{path}:{error.lineno}"
        raise NotPython(
            f"{where}: {error.msg}; mend the file, or use --force to write it anew"
        ) from None
    lines = (body + rest).removesuffix("\n").split("\n")  # a form feed ends no line for Python
    pieces = _pieces(tree)
    above: list[list[ast.stmt]] = [[], *pieces[:-1]] if pieces else []
    starts = [_first_line(*each, lines) for each in zip(pieces, above, strict=True)]
    defining = [n for n, piece in enumerate(pieces) if isinstance(piece[0], _DEFINITIONS)]
    first = defining[0] if defining else len(pieces)
    end = starts[first] if defining else len(lines)
    blocks: list[Block] = []
    bounds = [*starts[first:], len(lines)]
    for piece, start, stop in zip(pieces[first:], bounds, bounds[1:], strict=False):
        name = piece[0].name if isinstance(piece[0], _DEFINITIONS) else ""
        last = _last_line(piece)
        blocks.append(Block("\n".join(lines[start:last]), name))
        if any(line.strip() for line in lines[last:stop]):  # comments that belong to nothing
            blocks.append(Block("\n".join(lines[last:stop]).rstrip()))
    return There("\n".join(lines[:end]).rstrip(), tuple(blocks), listed)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _pieces(tree: ast.Module) -> list[list[ast.stmt]]:
    """The statements of a file; those that share a line, as in `x = 1; y = 2`, are one piece."""
    pieces: list[list[ast.stmt]] = []
    for node in tree.body:
        if pieces and node.lineno <= _last_line(pieces[-1]):
            pieces[-1].append(node)
        else:
            pieces.append([node])
    return pieces


def _last_line(piece: Sequence[ast.stmt]) -> int:
    return max([node.end_lineno or node.lineno for node in piece], default=0)


def merged(
    there: There,
    tests: Sequence[WrittenTest],
    explored: Sequence[str],
    head: Callable[[set[Import]], str],
    layout: Layout,
) -> tuple[str, list[str]]:
    """The text of the file with these tests of the explored functions in it, and the names of
    tests that were kept as somebody edited them.

    `head` gives what we write above the first test, for what has to be imported. Names of tests
    are free in the file, or those of tests of ours.
    """
    kept = there.without(explored)
    edited = set(there.edited())
    former = {name: d for scope in explored for name, d in there.listed.get(scope, {}).items()}
    present = {each.name for each in there.blocks}
    removed = {n for n, d in former.items() if n not in present and (n, d) in _digests(tests)}
    new = [each for each in tests if each.name not in edited | removed]
    listed = {s: {} if s in explored else dict(t) for s, t in there.listed.items() if s != HEAD}
    for each in new:
        listed.setdefault(each.scope, {})[each.name] = digest_of(each.text)
    for name in sorted((edited | removed) & former.keys()):
        scope = next(s for s in explored if name in there.listed.get(s, {}))
        listed.setdefault(scope, {})[name] = former[name]
    above, is_ours = _head(there, kept, new, head, layout)
    blocks = _placed(there, kept, new)
    text = "\n".join([above, *blocks]).rstrip() + "\n"
    marks = [f"# {HEAD}: {digest_of(above)}"] if is_ours else []
    return text + "\n\n" + _footer(listed, marks), sorted(edited & former.keys())


def listing(tests: Iterable[WrittenTest], head: str) -> str:
    """The list of tests and digests that ends a file of ours."""
    listed: dict[str, dict[str, str]] = {}
    for each in tests:
        listed.setdefault(each.scope, {})[each.name] = digest_of(each.text)
    return _footer(listed, [f"# {HEAD}: {digest_of(head)}"])


def _digests(tests: Iterable[WrittenTest]) -> set[tuple[str, str]]:
    return {(each.name, digest_of(each.text)) for each in tests}


def digest_of(text: str) -> str:
    """A digest of the words of a piece of source, the same however the source is laid out."""
    words: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text.strip() + "\n").readline):
            if token.type in _SPACE:
                continue
            if token.string in (")", "]", "}") and words and words[-1] == ",":
                words.pop()  # a formatter put it there, or took it away
            words.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        words = text.split()
    return hashlib.sha256("\x00".join(words).encode()).hexdigest()[:_DIGEST_DIGITS]


def _footer(listed: dict[str, dict[str, str]], marks: list[str]) -> str:
    lines = [OPENING, *marks]
    for scope, tests in listed.items():
        shown = ", ".join(f"{name} {digest}" for name, digest in tests.items())
        lines += [f"# {scope}: {shown}"] if tests else []
    return "\n".join(lines) + "\n"


def _listed(text: str) -> tuple[str, dict[str, dict[str, str]], str]:
    """What stands above the list, the list, and what somebody wrote below it."""
    before, found, after = text.partition(OPENING + "\n")
    if not found:
        return text, {}, ""
    # A file whose last test of ours went is ours still: what people wrote in it has to stay.
    listed: dict[str, dict[str, str]] = {HEAD: {}}
    rest = after.split("\n")
    while rest and rest[0].startswith("# ") and ": " in rest[0]:
        line = rest.pop(0)
        if line.startswith(STAMP):
            break
        scope, _, tests = line.removeprefix("# ").partition(": ")
        pairs = [each.rpartition(" ") for each in tests.split(", ")]
        listed[scope] = {name: digest for name, _, digest in pairs}
    below = "\n".join(rest).strip()
    return before.rstrip() + "\n", listed, f"\n\n{below}\n" if below else ""


def _first_line(piece: Sequence[ast.stmt], above: Sequence[ast.stmt], lines: list[str]) -> int:
    """Where a piece begins: with its decorators, and the comments right above them. What looks like
    a comment may be the end of a text in the piece above.
    """
    decorators = getattr(piece[0], "decorator_list", [])
    start: int = min([piece[0].lineno, *[each.lineno for each in decorators]]) - 1
    first = _last_line(above)
    while start > first and lines[start - 1].startswith("#"):
        start -= 1
    while start > first and not lines[start - 1].strip():
        start -= 1
    return start


def _imports_of(node: ast.AST) -> Iterator[Import]:
    match node:
        case ast.Import(names=names):
            yield from (Import(each.name, "", each.asname or "") for each in names)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            yield from (Import(module, each.name, each.asname or "") for each in names)
        case _:
            pass


def _used(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def _head(
    there: There,
    kept: There,
    new: Sequence[WrittenTest],
    head: Callable[[set[Import]], str],
    layout: Layout,
) -> tuple[str, bool]:
    """What stands above the first test, and whether it is as we write it."""
    used = {name for each in kept.blocks for name in _used(each.text)}
    wanted = {each for test in new for each in test.imports}
    still = {each for each in there.imports() if each.bound in used}
    intact = there.listed.get(HEAD, {}).get("") == digest_of(there.head)
    if intact or not there.head.strip():
        return head(wanted | still), True
    others = _used("\n".join(_not_imports(there.head)))
    needless = {
        each.bound
        for each in there.imports()
        if each.bound not in used | others | {need.bound for need in wanted}
    } & {name for each in there.blocks for name in _used(each.text)}
    text = _without_imports(there.head, needless)
    missing = sorted(wanted - set(there.imports()))
    return _with_more(text, missing, layout), False


def _not_imports(head: str) -> list[str]:
    """The lines of a head that import nothing."""
    taken: set[int] = set()
    for node in ast.parse(head).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            taken.update(range(node.lineno - 1, node.end_lineno or node.lineno))
    return [line for number, line in enumerate(head.split("\n")) if number not in taken]


def _without_imports(head: str, names: set[str]) -> str:
    """The head without what it imports under these names."""
    lines = head.split("\n")
    for node, *others in reversed(_pieces(ast.parse(head))):
        if isinstance(node, ast.Import | ast.ImportFrom) and not others:
            left = [each for each in node.names if (each.asname or each.name) not in names]
            if len(left) < len(node.names):
                shown = [ast.unparse(_importing(node, left))] if left else []
                lines[node.lineno - 1 : node.end_lineno] = shown
    return "\n".join(lines)


def _importing(node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> ast.stmt:
    """The statement that imports these names from where another one does."""
    if isinstance(node, ast.Import):
        return ast.Import(names)
    return ast.ImportFrom(node.module, names, node.level)


def _with_more(head: str, imports: list[Import], layout: Layout) -> str:
    """The head with these imports behind those it has."""
    nodes = [n for n in ast.parse(head).body if isinstance(n, ast.Import | ast.ImportFrom)]
    place = (nodes[-1].end_lineno or nodes[-1].lineno) if nodes else len(head.split("\n"))
    lines = head.split("\n")
    sections = import_block(imports, (), layout)
    lines[place:place] = [line for section in sections for line in section]
    return "\n".join(lines)


def _placed(there: There, kept: There, new: Sequence[WrittenTest]) -> list[str]:
    """The texts of the kept blocks and the new tests, in the order of the file: new tests stand
    where those of their function were, else at the end.
    """
    waiting = {scope: [t for t in new if t.scope == scope] for scope in {t.scope for t in new}}
    staying = list(kept.blocks)
    texts: list[str] = []
    for block in there.blocks:
        scope = there.owner(block)
        if block in staying:
            texts.append(block.text)
        elif scope in waiting:
            texts += ["\n\n" + each.text for each in waiting.pop(scope)]
    for each in new:
        if each.scope in waiting:
            texts.append("\n\n" + each.text)
    return texts
