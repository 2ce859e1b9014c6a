"""The target's module imported rewritten, beside whatever Python has imported already."""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import importlib
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.machinery import BuiltinImporter, FrozenImporter
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from symcrete.errors import ImportFailed, NothingToAnalyse, TargetNotFound
from symcrete.explore.stubs import annotate
from symcrete.folders import OUR_FILES
from symcrete.instrument.code_names import all_code
from symcrete.instrument.hooks import Hooks
from symcrete.instrument.loader import (
    ProgramLoader,
    RewritingFinder,
    Rewritten,
    in_project,
)
from symcrete.program.source.mangling import mangled
from symcrete.program.source.module import Source, is_library, is_of_program, walked
from symcrete.program.source.sites import SiteTable
from symcrete.program.source.target import INNER_TEST, Target
from symcrete.program.state.facts import ModuleFacts
from symcrete.values.tracking.followed import alias, enter, rewritten_files, to_be_rewritten
from symcrete.values.tracking.recording import Recording, activate
from symcrete.world.importing.concealed import CONCEALED
from symcrete.world.sources import every_source

_ENGINE = "symcrete"
_LENGTH = len(_ENGINE)
_WITHIN_ENGINE = f"{_ENGINE}."
# built-in names by which a program reads what is outside it without importing anything
_READING = frozenset(
    {"open", "input", "exec", "eval", "compile", "globals", "breakpoint", "__import__"}
    | {"__builtins__", "__loader__", "__spec__"}
)


class ImportedProgram:
    """A program as it was imported: its rewritten modules, and what their hooks report to."""

    def __init__(
        self,
        source: Source,
        instrument: tuple[str, ...],
        *,
        steps: int,
        at_once: bool,
        ordered: bool = False,
    ) -> None:
        """`steps` is how many loop steps importing the program may take; `at_once` whether modules
        beside the target's are rewritten as they are imported or as they are entered;
        `ordered` whether runs keep the order of all branches.
        """
        self.source = source
        self._steps = steps
        self.module: ModuleType  # set by `load`
        sites = SiteTable()
        self.record = Recording(sites, ordered=ordered)
        self.rewritten = Rewritten(sites, on_numbered=self.record.fit)
        self.hooks = Hooks(self.record)
        self._at_once = at_once
        self._may_read_state = bool(instrument) or may_read_state(source)
        self._wanted = _wanted(source, instrument, at_once)
        self._fresh = {source.module, *instrument}

    def load(self) -> ModuleType:
        """Import the module; an error raised by it becomes ImportFailed with the user's own
        traceback.
        """
        if _is_built_in(self.source.module) and not is_library(self.source.file):
            raise ImportFailed(
                f"{self.source.file.name} cannot be imported: Python takes its own module "
                f"{self.source.module} instead, wherever the file is"
            )
        if self.source.module == _ENGINE and not self.source.file.samefile(str(_own_file())):
            raise ImportFailed(
                f"{self.source.file.name} has the name of this tool: rename a copy of the file to "
                "explore it"
            )
        if self._may_read_state:
            # Before the program is found first, which may have modules of the names they need.
            every_source()
        to_be_rewritten.clear()  # left of an earlier target
        _leave_earlier_program()
        self.hooks.install()
        self.hooks.allow(self._steps)
        former = activate(self.record)
        try:
            with self._importing():
                self.module = importlib.import_module(self.source.module)
            annotate(self.module, self.source.file)
            return self.module
        except Exception as error:
            raise ImportFailed(_import_error(self.source, error)) from None
        except SystemExit as error:
            code = error.code
            raise ImportFailed(
                f"importing {self.source.module} ended the process ({code})"
            ) from None
        finally:
            activate(former)

    def modules(self) -> list[ModuleType]:
        """The modules that were rewritten for this target, or wait for it."""
        # A module that Python itself has imported exists twice, and `sys.modules` has the other
        # one.
        return [
            module
            for name, module in self.rewritten.modules.items()
            if module is self.module or sys.modules.get(name) is module
        ]

    def facts_with(self, *words: str) -> list[ModuleFacts]:
        """What the modules of the program whose text has one of these words in it say about their
        names; the library's, which may be rewritten with it, are none of them.
        """
        found = self.rewritten.facts_with(*words)
        library = {each.file for each in found if is_library(Path(each.file))}
        if library:
            for name, module in self.rewritten.modules.items():
                file = os.path.normpath(str(module.__file__))  # one that waits has its second name
                if file in library and is_of_program(file, name, self.source.module):
                    library.remove(file)
        return [each for each in found if each.file not in library]

    @contextlib.contextmanager
    def _importing(self) -> Iterator[None]:
        at_once = None if self._at_once else self._fresh
        finder = RewritingFinder(self.rewritten, self._wanted, at_once)
        hidden = {
            name: sys.modules.pop(name)
            for name, module in list(sys.modules.items())
            # Most modules of this process are the engine's: those are not asked any further.
            if name in self._fresh
            or (
                name[:_LENGTH] != _ENGINE
                and (file := getattr(module, "__file__", None)) is not None
                and self._wanted(name, file)
            )
        }
        packages = _taken_from_packages(hidden)
        sys.meta_path.insert(0, finder)
        sys.path[:0] = self.source.path
        try:
            yield
        finally:
            sys.meta_path.remove(finder)
            # What Python imported stays; copies rewritten for an earlier target go.
            sys.modules.update(
                (name, module) for name, module in hidden.items() if _is_as_written(module)
            )
            for package, name, module in packages:
                # A copy stays: the program finds it as `package.module` while it runs.
                if name not in vars(package):
                    setattr(package, name, module)


def load_program(
    source: Source, instrument: tuple[str, ...], *, steps: int, at_once: bool, ordered: bool
) -> ImportedProgram:
    """The program, imported while this machine's environment, user and files are concealed from it.

    If that fails because it asked for them, they are revealed and it is imported once more.
    """
    imported = ImportedProgram(source, instrument, steps=steps, at_once=at_once, ordered=ordered)
    try:
        imported.load()
    except ImportFailed:
        if not CONCEALED.reveal():
            raise
        return load_program(source, instrument, steps=steps, at_once=at_once, ordered=ordered)
    return imported


def may_read_state(source: Source) -> bool:
    """Whether a program may read what the sources of state tell: it imports something, has classes
    or names that change, or names a built-in function by which it could.
    """
    return any(
        isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.Global)
        or (isinstance(node, ast.Name) and node.id in _READING)
        for node in walked(source.tree())
    )


def enter_mentioned(function: Callable[..., Any]) -> None:
    """Rewrite the modules of what a function mentions before its first run.

    Those are what it will call, and the classes of its parameters, whose objects are made before it
    is called.
    """
    written = inspect.unwrap(getattr(function, "func", function))
    if not inspect.isfunction(written):
        return
    names = {name for code in all_code(written.__code__) for name in code.co_names}
    for annotation in written.__annotations__.values():
        names.update(_NAME.findall(str(annotation)))
    for name in names & written.__globals__.keys():
        found = written.__globals__[name]
        owner = found if isinstance(found, type | FunctionType) else type(found)
        module = sys.modules.get(owner.__module__)
        enter(alias(getattr(module, "__file__", None) or ""))


_NAME = re.compile(r"\w+")


def _taken_from_packages(
    hidden: dict[str, ModuleType],
) -> list[tuple[ModuleType, str, ModuleType]]:
    """Remove the hidden modules, and copies for an earlier target, from the packages around them,
    where `from package import module` would find them; returns what to put back.
    """
    found: list[tuple[ModuleType, str, ModuleType]] = []
    for full, module in hidden.items():
        parent, _, name = full.rpartition(".")
        package = sys.modules.get(parent)
        if isinstance(package, ModuleType) and isinstance(vars(package).get(name), ModuleType):
            delattr(package, name)
            if _is_as_written(module):
                found.append((package, name, module))
    return found


def _own_file() -> str | None:
    """The file that `import symcrete` executes here."""
    return sys.modules[_ENGINE].__file__


def _is_built_in(module: str) -> bool:
    """Whether a module is part of the interpreter, which looks there before any folder."""
    return any(each.find_spec(module) for each in (BuiltinImporter, FrozenImporter))


def _leave_earlier_program() -> None:
    """Let objects of an earlier program die now: their `__del__` must not call the hooks of the
    next one. Files that were rewritten for it, and that the next one finds as written, drop terms
    again as any other code.
    """
    if not rewritten_files:
        return  # this is the first
    # Most modules are the engine's: they are passed over, unless it was itself the program.
    is_own = any(file.startswith(OUR_FILES) for file in rewritten_files)
    passed_over = () if is_own else _WITHIN_ENGINE
    has_finalisers = False
    for name, module in list(sys.modules.items()):
        if name.startswith(passed_over):
            continue
        loader = getattr(module, "__loader__", None)
        if isinstance(loader, ProgramLoader):
            has_finalisers = has_finalisers or "__del__" in loader.rewritten.words
        else:
            rewritten_files.discard(str(getattr(module, "__file__", "")))
    if has_finalisers:
        gc.collect()


def _is_as_written(module: ModuleType) -> bool:
    return not isinstance(getattr(module, "__loader__", None), ProgramLoader)


def _wanted(
    source: Source, instrument: tuple[str, ...], at_once: bool
) -> Callable[[str, str], bool]:
    """The test, by name and file, whether a module is the program's: one of the project, or of an
    installed target's package.

    A package that Python itself or the engine uses is left to them but for the target's module: a
    second copy of it would not know the objects of the first.
    """
    if not is_library(source.file):
        named = frozenset({source.module, *instrument})
        ours = [in_project(root, named) for root in (source.root, *source.beside)]
        if len(ours) == 1:
            return ours[0]
        return lambda name, file: any(wanted(name, file) for wanted in ours)
    extra = {source.module, *instrument}
    package = source.module.partition(".")[0]
    in_use = any(
        name.partition(".")[0] == package and name not in extra for name in list(sys.modules)
    )
    folders = instrument if at_once or in_use else (*instrument, package)
    return lambda name, file: (
        name in extra or any(name == each or name.startswith(each + ".") for each in folders)
    )


def _import_error(source: Source, error: Exception) -> str:
    """The user's own traceback, without the frames of the import system and ours."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "importlib" not in frame.filename and "/symcrete/" not in frame.filename
    ]
    lines = traceback.format_list(frames) if frames else []
    last = "".join(traceback.format_exception_only(error)).strip()
    return f"cannot import {source.module}\n{''.join(lines)}{last}"


def is_property(module: ModuleType, scope: str) -> bool:
    """Whether a target is read as an attribute instead of being called."""
    found: Any = module
    for name in scope.split("."):
        stored = mangled(found.__name__, name) if isinstance(found, type) else name
        found = inspect.getattr_static(found, stored, None)
    return isinstance(found, property | functools.cached_property)


def as_context(module: ModuleType, scope: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as the program calls it, if it gives a context: a generator under
    `contextlib.contextmanager`. Any other function as it is.
    """
    found: Any = module
    for name in scope.split("."):
        stored = mangled(found.__name__, name) if isinstance(found, type) else name
        found = inspect.getattr_static(found, stored, None)
    found = found.__func__ if isinstance(found, staticmethod | classmethod) else found
    if id(getattr(found, "__wrapped__", None)) != id(function):
        return function
    decorators: tuple[Any, ...] = (contextlib.contextmanager, contextlib.asynccontextmanager)
    for decorate in decorators:
        made: Callable[..., Any] = decorate(function)
        if getattr(found, "__code__", None) is getattr(made, "__code__", function):
            return made
    return function


def find_function(module: ModuleType, scope: str) -> Callable[..., Any]:
    """The function itself, without decorators that wrap it; a class where one is called."""
    found: Any = module
    for name in scope.split("."):
        try:
            found = (
                inspect.getattr_static(found, mangled(found.__name__, name))
                if isinstance(found, type)
                else getattr(found, name)
            )
        except AttributeError:
            raise TargetNotFound(f"{module.__name__} has no {scope} after import") from None
    if isinstance(found, type):
        return found
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, functools.cached_property | functools.singledispatchmethod):
        found = found.func
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    found = inspect.unwrap(found)
    if inspect.isfunction(found):
        return found
    if inspect.isbuiltin(found):
        raise NothingToAnalyse(f"{scope} is no Python function: there is no code to cover")
    raise NothingToAnalyse(f"{scope} is no function after import, but a {type(found).__name__}")


def callable_of(module: Any, target: Target) -> tuple[Callable[..., Any], type | None]:
    """What is called, and the class of its first argument if it is a method of objects."""
    function = find_function(module, target.called)
    if not target.is_method or isinstance(function, type):
        return function, None
    owner: Any = module
    *path, name = target.called.removesuffix(".fset").removesuffix(INNER_TEST).split(".")
    for part in path:
        owner = getattr(owner, part)
    if not isinstance(owner, type):
        return function, None
    stored = inspect.getattr_static(owner, mangled(owner.__name__, name))
    match stored.func if isinstance(stored, functools.singledispatchmethod) else stored:
        case staticmethod() if name != "__new__":
            return function, None
        case classmethod() | staticmethod():
            return functools.partial(function, owner), None
        case _:
            return function, owner
