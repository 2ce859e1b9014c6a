"""The program that this process has imported, its functions followed while a property is explored.

Nothing is imported a second time, unlike in `explore.rewritten`, which has a process of its own:
functions that exist get rewritten code for the time of a run, and their own code back after it. A
file of the project is rewritten once in a process, when a run of some property first enters it.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from symcrete.explore.rewritten import ImportedProgram
from symcrete.folders import OUR_FILES
from symcrete.instrument.hooks import Hooks
from symcrete.instrument.loader import Rewritten, in_project, recoded
from symcrete.program.source.module import Source
from symcrete.slotted import dataclass
from symcrete.values.tracking.followed import alias, enter, to_be_rewritten
from symcrete.values.tracking.recording import Recording

# What tells the top folder of a project, as other tools for tests have it too.
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", ".git", ".hg")


@dataclass(slots=True)
class _Recoded:
    """A function with its two bodies."""

    function: FunctionType
    written: CodeType
    followed: CodeType


class _Files:
    """The files of this process that have been rewritten, and their functions."""

    def __init__(self) -> None:
        self.rewritten = Rewritten()
        self.functions: list[_Recoded] = []
        self.depth = 0  # explorations under way, one inside the other

    def add(self, file: str) -> None:
        """Rewrite a file; its functions are followed from now on."""
        to_be_rewritten.pop(file, None)
        to_be_rewritten.pop(alias(file), None)
        try:
            code = self.rewritten.compile(Path(file).read_bytes(), file)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return  # gone, changed since, or entered where the stack was used up: left as it is
        for function, followed in recoded(file, code):
            self.functions.append(_Recoded(function, function.__code__, followed))
            function.__code__ = followed

    @contextlib.contextmanager
    def followed(self) -> Iterator[None]:
        """A context in which the functions run rewritten code. Of nested ones, the outermost gives
        them their own code back.
        """
        self.depth += 1
        try:
            for each in self.functions:
                each.function.__code__ = each.followed
            yield
        finally:
            self.depth -= 1
            if self.depth == 0:
                for each in self.functions:
                    each.function.__code__ = each.written


@functools.cache
def _files() -> _Files:
    return _Files()


class ProgramInPlace(ImportedProgram):
    """The program around a test: its module, and the modules of the project it calls."""

    def __init__(self, source: Source, module: ModuleType, instrument: tuple[str, ...]) -> None:
        self.source = source
        self.module = module
        self._files = _files()
        self.rewritten = self._files.rewritten
        self.record = Recording(self.rewritten.sites)
        self.hooks = Hooks(self.record)
        root = project_of(source.file)
        self._wanted = in_project(root, frozenset({source.module, *instrument}))

    def modules(self) -> list[ModuleType]:
        return [self.module]

    @contextlib.contextmanager
    def followed(self) -> Iterator[None]:
        """A context in which the functions of the test's module run rewritten code, and so do those
        of the project's other modules once a run has entered them.
        """
        with self.rewritten.telling(self.record.fit):
            self.record.fit()
            self.hooks.install()
            with self._files.followed():
                self._wait()
                enter(str(self.source.file))
                yield

    def _wait(self) -> None:
        """Have the imported modules of the project rewritten when a run first enters them."""
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if not file or file in self.rewritten.files or file in to_be_rewritten:
                continue
            name = getattr(module, "__name__", "")
            if file.endswith(".py") and not file.startswith(OUR_FILES) and self._wanted(name, file):
                # A class is looked up by the second name of its file, a function by its code's.
                rewrite = functools.partial(self._files.add, file)
                to_be_rewritten[file] = to_be_rewritten[alias(file)] = rewrite


def project_of(file: Path) -> Path:
    """The top folder of the project that a file is part of; its own folder where nothing tells."""
    for folder in file.parents:
        if any((folder / name).exists() for name in _PROJECT_FILES):
            return folder
    return file.parent
