"""Import modules rewritten.

A finder in front of Python's own takes over the modules it was asked for and leaves the rest alone;
functions keep their file name and line numbers, so that tracebacks, `inspect.getsource` and
doctests see the author's text. Rewriting takes six to ten times as long as compiling, and a package
imports much that a function of it never calls: a module that is not the target's own is loaded as
written and rewritten when the first of its functions is entered.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from symcrete.folders import real_folder
from symcrete.instrument.code_names import NO_NAMES, CodeNames, all_code, names_in
from symcrete.instrument.rewrite import rewrite
from symcrete.program.source.module import SHARED_TREES
from symcrete.program.source.sites import ModuleSites, Site, SiteTable
from symcrete.program.state.facts import ModuleFacts, StateRead
from symcrete.program.state.reads import Collector
from symcrete.program.state.scopes import Scopes
from symcrete.slotted import dataclass
from symcrete.values.tracking.followed import alias, rewritten_files, to_be_rewritten

# Functions and methods that set an attribute by its name.
_SETTERS = frozenset({"setattr", "delattr", "__setattr__", "__delattr__"})


@dataclass(frozen=True, slots=True)
class _RewrittenText:
    """All that rewriting the text of a file gives."""

    code: CodeType
    sites: tuple[Site, ...]
    reads: tuple[StateRead, ...]
    facts: ModuleFacts
    numbers: ModuleSites


# Files as they were rewritten, for whoever asks next about a function or a line of one of them: by
# the text, its name and the first free numbers, which decide all of it.
_known: dict[tuple[str | bytes, str, int, int], _RewrittenText] = {}


@dataclass(slots=True)
class Rewritten:
    """What is known of the program's modules: the sites of files that are rewritten, the files that
    wait for it, the names they mention.
    """

    sites: SiteTable = field(default_factory=SiteTable)
    files: dict[str, ModuleSites] = field(default_factory=dict)
    reads: list[StateRead] = field(default_factory=list)  # where state is read, by number
    waiting: set[str] = field(default_factory=set)  # files that nothing has entered
    words: set[str] = field(default_factory=set)  # every name that the texts mention
    modules: dict[str, ModuleType] = field(default_factory=dict)  # by the names they have
    builtins: ModuleType | None = None  # a copy, for programs that may change them
    on_numbered: Callable[[], None] = lambda: None  # told when a file was given its numbers
    facts: dict[str, ModuleFacts] = field(default_factory=dict)  # of files that were looked into
    _texts: dict[str, bytes] = field(default_factory=dict)  # of files that wait
    _asked: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    _codes: dict[str, CodeType] = field(default_factory=dict)  # of files that wait
    _names: dict[str, CodeNames] = field(default_factory=dict)  # the same, once they were asked

    def facts_with(self, *words: str) -> list[ModuleFacts]:
        """What the modules whose text has one of these words in it say about their names.

        A module that waits counts as well: what it has may change what another one reads. Reading
        all of a package takes seconds, so one is looked into only if it has the word at all.
        """
        wanted = [word.encode() for word in words]
        asked = self._asked.setdefault(words, set())  # whose text has none of them
        for file in self.waiting - self.facts.keys() - asked:
            text = self._texts.get(file)
            if text is None:
                with open(file, "rb") as written:  # `Path.read_bytes` takes twice as long
                    text = self._texts[file] = written.read()
            if any(word in text for word in wanted):
                self._read(file)
            else:
                asked.add(file)
        return list(self.facts.values())

    def facts_naming(self, *names: str) -> list[ModuleFacts]:
        """As `facts_with`, of the modules that name one of these, as a name, attribute or text."""
        return self._facts_where(lambda code: not code.words.isdisjoint(names))

    def facts_storing(self, names: Set[str]) -> list[ModuleFacts]:
        """As `facts_with`, of the modules that store or delete an attribute of one of these
        names.
        """
        return self._facts_where(lambda code: not code.stored.isdisjoint(names))

    def facts_setting(self, is_meant: Callable[[str], bool]) -> list[ModuleFacts]:
        """As `facts_with`, of the modules that store or delete an attribute of such a name, or name
        one and set attributes by their names.
        """

        def is_wanted(code: CodeNames) -> bool:
            by_name = not code.words.isdisjoint(_SETTERS) and any(map(is_meant, code.words))
            return by_name or any(map(is_meant, code.stored))

        return self._facts_where(is_wanted)

    def _facts_where(self, is_wanted: Callable[[CodeNames], bool]) -> list[ModuleFacts]:
        for file in self.waiting - self.facts.keys():
            names = self._names.get(file)
            if names is None:
                code = self._codes.pop(file, None)  # None: its text could not be compiled
                names = self._names[file] = names_in(code) if code is not None else NO_NAMES
            if is_wanted(names):
                self._read(file)
        return list(self.facts.values())

    def facts_of(self, file: str) -> ModuleFacts:
        """What one module says about its names; nothing if it is none of the program's."""
        if file in self.waiting and file not in self.facts:
            self._read(file)
        return self.facts.get(file, ModuleFacts(file))

    def _read(self, file: str) -> None:
        text = Path(file).read_bytes()
        scopes = Scopes(ast.parse(text, file), text, file)
        self.facts[file] = Collector(scopes, file, []).facts

    def compile(self, source: str | bytes, file: str) -> CodeType:
        """Rewritten code for a file; the sites of a file that comes again are numbered again."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are given when the original is compiled
            return self._compile(source, file)

    def _compile(self, source: str | bytes, file: str) -> CodeType:
        key = source, file, len(self.sites), len(self.reads)
        known = _known.pop(key, None) or self._rewritten(source, file)
        _known[key] = known  # the latest is the last
        if len(_known) > SHARED_TREES:
            del _known[next(iter(_known))]
        self.sites.sites += known.sites
        self.reads += known.reads
        self.waiting.discard(file)
        self.facts[file] = known.facts
        self.files[file] = known.numbers.within(self.sites)
        rewritten_files.add(file)
        self.on_numbered()
        return known.code

    def _rewritten(self, source: str | bytes, file: str) -> _RewrittenText:
        tree = ast.parse(source, file)
        sites, reads = SiteTable(list(self.sites.sites)), list(self.reads)
        numbers = ModuleSites(tree, file, sites)
        facts = Collector(Scopes(tree, source, file), file, reads).facts
        code: CodeType = compile(rewrite(tree, numbers), file, "exec", dont_inherit=True)
        own = tuple(sites.sites[len(self.sites) :])
        marked = tuple(reads[len(self.reads) :])
        return _RewrittenText(code, own, marked, facts, numbers.within(SiteTable()))

    @contextlib.contextmanager
    def telling(self, on_numbered: Callable[[], None]) -> Iterator[None]:
        """A context in which this function is called whenever a file was given its numbers, in
        place of the one that is called so far.
        """
        former, self.on_numbered = self.on_numbered, on_numbered
        try:
            yield
        finally:
            self.on_numbered = former

    def read_words(self, code: CodeType, file: str = "") -> None:
        """Remember the names that the code of a module mentions; `file` is one that waits."""
        if file:
            self._codes[file] = code
        for each in all_code(code):
            self.words.update(each.co_names)


class ProgramLoader(importlib.machinery.SourceFileLoader):
    """Loads one module of the program under test; `waits_for` is its file if that waits."""

    def __init__(self, name: str, path: str, rewritten: Rewritten, waits_for: str = "") -> None:
        super().__init__(name, path)
        self.rewritten = rewritten
        self._waits_for = waits_for

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of the module. If the program names `builtins` it gets a copy of them, so
        that one that replaces `len` does so for itself and not for the engine.
        """
        self.rewritten.modules[self.name] = module
        code = self.get_code(module.__name__)
        assert code is not None
        self.rewritten.read_words(code, self._waits_for)
        if not self.rewritten.words & {"builtins", "__builtins__"}:
            exec(code, vars(module))
            return
        if self.rewritten.builtins is None:
            self.rewritten.builtins = _copy_of_builtins()
        vars(module)["__builtins__"] = self.rewritten.builtins
        with builtins_are(self.rewritten.builtins):
            exec(code, vars(module))


class RewritingLoader(ProgramLoader):
    """Loads one module from its source, rewritten; never from or to a cache."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.rewritten.compile(self.get_data(path), path)


class LateLoader(ProgramLoader):
    """Loads one module as written; its functions are rewritten when the first is entered.

    Until then its code has the second name of its file, so that whoever looks at a function sees
    whether it is rewritten, even if it is one that could not be found when the others were.
    """

    def __init__(self, name: str, path: str, rewritten: Rewritten) -> None:
        super().__init__(name, alias(path), rewritten, path)
        self._file = path

    def exec_module(self, module: ModuleType) -> None:
        self.rewritten.waiting.add(self._file)
        to_be_rewritten[self.path] = self.rewrite
        super().exec_module(module)

    def rewrite(self) -> None:
        """Give every function of the file its rewritten code, from its next call on."""
        try:
            code = self.rewritten.compile(self.get_data(self._file), self._file)
        except RecursionError:
            return  # entered where the program had used up the stack: it stays as written
        for function, found in recoded(self.path, code):
            function.__code__ = found


def recoded(file: str, code: CodeType) -> list[tuple[FunctionType, CodeType]]:
    """Every function object whose code is of `file`, with the same function's code in `code`,
    another compilation of that file. Functions with the same name in the same line are left out.
    """
    known: dict[tuple[str, int], CodeType | None] = {}
    for each in all_code(code):
        key = each.co_qualname, each.co_firstlineno
        known[key] = None if key in known else each  # two lambdas in a line: it may be either
    pairs = []
    for function in _functions_of(file):
        written = function.__code__
        found = known.get((written.co_qualname, written.co_firstlineno))
        if found is not None and found.co_freevars == written.co_freevars:
            pairs.append((function, found))
    return pairs


def _functions_of(file: str) -> list[FunctionType]:
    """All functions there are whose code is of a file."""
    aside = gc.get_freeze_count() > 0
    if aside:
        gc.unfreeze()  # frozen objects are not listed
    found = [
        each
        for each in gc.get_objects()
        if type(each) is FunctionType and each.__code__.co_filename == file
    ]
    if aside:
        gc.freeze()
    return found


def _copy_of_builtins() -> ModuleType:
    copy = ModuleType("builtins", builtins.__doc__)
    vars(copy).update(vars(builtins))
    return copy


@contextlib.contextmanager
def builtins_are(module: ModuleType) -> Iterator[None]:
    """A context in which `import builtins` gives this module."""
    former = sys.modules["builtins"]
    sys.modules["builtins"] = module
    try:
        yield
    finally:
        sys.modules["builtins"] = former


class RewritingFinder(importlib.abc.MetaPathFinder):
    """Finds modules as Python does, and takes over those that `wanted` picks by name and file.

    `at_once` are the names of modules that do not wait until they are entered; None: none waits.
    """

    def __init__(
        self,
        rewritten: Rewritten,
        wanted: Callable[[str, str], bool],
        at_once: Collection[str] | None = None,
    ) -> None:
        self._rewritten = rewritten
        self._wanted = wanted
        self._at_once = at_once

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not spec.origin or not isinstance(spec.loader, _SOURCE):
            return None
        if not self._wanted(name, spec.origin):
            return None
        waits = self._at_once is not None and name not in self._at_once
        loader = LateLoader if waits else RewritingLoader
        spec.loader = loader(name, spec.origin, self._rewritten)
        return spec


_SOURCE = importlib.machinery.SourceFileLoader


def in_project(root: Path, extra: frozenset[str]) -> Callable[[str, str], bool]:
    """A function that tells, by name and file, whether a module is of the project (installed
    packages are not) or is named in `extra`, or below a package that is.
    """
    base = real_folder(str(root)) + "/"
    others = {real_folder(path) for path in sys.path if path.endswith("-packages")}
    library = os.path.dirname(ast.__file__)
    others.add(real_folder(library))
    elsewhere = tuple(folder + "/" for folder in others)
    below = tuple(each + "." for each in extra)
    own_folders: dict[str, bool] = {}  # the answers so far: a program may import a thousand modules

    def wanted(name: str, file: str) -> bool:
        if name in extra or name.startswith(below):
            return True
        head, slash, _ = file.rpartition("/")
        folder = head or slash
        own = own_folders.get(folder)
        if own is None:
            if folder.startswith(library) and "-packages" not in folder:
                own_folders[folder] = False  # no link leads out of the standard library
                return False
            path = real_folder(folder) + "/"
            own = own_folders[folder] = path.startswith(base) and not path.startswith(elsewhere)
        return own

    return wanted
