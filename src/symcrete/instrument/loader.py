"""Import modules rewritten.

A finder in front of Python's own rewrites the modules it was asked for and leaves the rest alone;
functions keep their file name and line numbers, so that tracebacks, `inspect.getsource` and
doctests see the author's text.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType

from symcrete.instrument.rewrite import rewrite
from symcrete.program.source.sites import ModuleSites, SiteTable
from symcrete.program.state.reads import Collector, ModuleFacts, StateRead
from symcrete.program.state.scopes import Scopes
from symcrete.values.tracking.followed import rewritten_files


@dataclass(slots=True)
class Rewritten:
    """What has been rewritten so far: the sites of each file."""

    sites: SiteTable = field(default_factory=SiteTable)
    files: dict[str, ModuleSites] = field(default_factory=dict)
    reads: list[StateRead] = field(default_factory=list)  # where state is read, by number
    facts: dict[str, ModuleFacts] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)  # every name that the texts mention
    builtins: ModuleType | None = None  # a copy, for programs that may change them
    on_numbered: Callable[[], None] = lambda: None

    def compile(self, source: str | bytes, file: str) -> CodeType:
        """Rewritten code for a file; the sites of a file that comes again are numbered again."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python has said it, or will, of the original
            return self._compile(source, file)

    def _compile(self, source: str | bytes, file: str) -> CodeType:
        tree = ast.parse(source, file)
        module_sites = ModuleSites(tree, file, self.sites)
        self.facts[file] = Collector(tree, Scopes(tree, source, file), file, self.reads).facts
        self.files[file] = module_sites
        rewritten_files.add(file)
        self.on_numbered()
        code: CodeType = compile(rewrite(tree, module_sites), file, "exec", dont_inherit=True)
        pending = [code]
        while pending:
            each = pending.pop()
            self.words.update(each.co_names)
            pending += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
        return code


class RewritingLoader(importlib.machinery.SourceFileLoader):
    """Loads one module from its source, rewritten; never from or to a cache."""

    def __init__(self, name: str, path: str, rewritten: Rewritten) -> None:
        super().__init__(name, path)
        self.rewritten = rewritten

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.rewritten.compile(self.get_data(path), path)

    def exec_module(self, module: ModuleType) -> None:
        """A program that replaces `len` replaces it for itself: the engine needs its own."""
        code = self.get_code(module.__name__)
        if self.rewritten.words & {"builtins", "__builtins__"}:
            if self.rewritten.builtins is None:
                self.rewritten.builtins = _copy_of_builtins()
            vars(module)["__builtins__"] = self.rewritten.builtins
            with builtins_are(self.rewritten.builtins):
                exec(code, vars(module))
        else:
            exec(code, vars(module))


def _copy_of_builtins() -> ModuleType:
    copy = ModuleType("builtins", builtins.__doc__)
    vars(copy).update(vars(builtins))
    return copy


@contextlib.contextmanager
def builtins_are(module: ModuleType) -> Iterator[None]:
    """What `import builtins` gives meanwhile."""
    former = sys.modules["builtins"]
    sys.modules["builtins"] = module
    try:
        yield
    finally:
        sys.modules["builtins"] = former


class RewritingFinder(importlib.abc.MetaPathFinder):
    """Finds modules as Python does, and takes over those that `wanted` picks by name and file."""

    def __init__(self, rewritten: Rewritten, wanted: Callable[[str, str], bool]) -> None:
        self._rewritten = rewritten
        self._wanted = wanted

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not spec.origin or not isinstance(spec.loader, _SOURCE):
            return None
        if not self._wanted(name, spec.origin):
            return None
        spec.loader = RewritingLoader(name, spec.origin, self._rewritten)
        return spec


_SOURCE = importlib.machinery.SourceFileLoader


def in_project(root: Path, extra: frozenset[str]) -> Callable[[str, str], bool]:
    """Modules of the project, installed packages aside, and those asked for by name."""
    base = str(root.resolve()) + "/"
    others = {str(Path(path).resolve()) for path in sys.path if path.endswith("-packages")}
    others.add(str(Path(ast.__file__).resolve().parent))  # the standard library
    elsewhere = tuple(folder + "/" for folder in others)
    own_folders: dict[str, bool] = {}  # resolving a path costs as much as a short run

    def wanted(name: str, file: str) -> bool:
        if name in extra or any(name.startswith(each + ".") for each in extra):
            return True
        folder = os.path.dirname(file)
        own = own_folders.get(folder)
        if own is None:
            path = os.path.realpath(folder) + "/"
            own = own_folders[folder] = path.startswith(base) and not path.startswith(elsewhere)
        return own

    return wanted
