"""The program as its author wrote it, in this interpreter: call it and tell what happened.

Nothing of the engine is imported here.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import linecache
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from symcrete.inputs.literal import NoLiteral, importable_class, literal
from symcrete.program.source.mangling import mangled
from symcrete.program.source.module import is_library
from symcrete.program.source.special import spelling_of
from symcrete.run.drain import drain, drained_as
from symcrete.run.state import ModuleState
from symcrete.run.untouched.given import Given, given_by
from symcrete.run.untouched.harm import Interpreter
from symcrete.run.untouched.left import Watch, compared, text_of
from symcrete.run.untouched.monkeypatch import MonkeyPatch
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.untouched.self_contained import is_self_contained
from symcrete.run.use import Ending
from symcrete.world.importing.concealed import CONCEALED

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}")  # of an object, as its `repr` tells it
# elements; containers with more are taken to be constant tables; chosen, not measured
_LARGEST_TABLE = 100_000
_KEPT_A_FILE = (
    "it reads a file beside the program that may hold a secret: its name begins with a dot, or the "
    "repository does not know it"
)
_READ_TOO_OFTEN = "something reads the clock more often than the program itself did in the run"


class Replayer:
    """The untouched module, imported in this interpreter."""

    def __init__(
        self,
        path: tuple[str, ...],
        module: str,
        file: str,
        begin: Callable[[], None] = lambda: None,
        aside: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
        imported: Callable[[], None] = lambda: None,
    ) -> None:
        """`begin` is called before every call, once its arguments are built; what a call left
        behind is looked at in the context that `aside` gives; `imported` is called after the
        import, and what it changes in this interpreter is not counted as done by a call.
        """
        warnings.simplefilter("ignore")
        sys.path[:0] = path
        self._module = imported_plainly(module, file)
        imported()
        # Some modules of the library are frozen into the interpreter, under another file name.
        self._files = (file, f"<frozen {module}>")
        self._state = self._now()
        self._interpreter = Interpreter()
        self._begin = begin
        self._aside = aside
        self._contained: dict[str, bool] = {}  # by scope

    def play(self, scope: str, call: Call) -> Replayed:
        """What one call does now in this interpreter, with the names of what it changed."""
        try:
            function = function_called(self._module, scope, call)
        except AttributeError:
            return Replayed(Ending.FAILED, reason=f"there is no {scope} after import")
        did = self._answer(function, call)
        harm = self._interpreter.harm()
        changed = {*self._state.changes(), *self._interpreter.moved()}
        return replace(did, changed=tuple(sorted(changed)), harm=harm)

    def _answer(self, function: Callable[..., Any], call: Call) -> Replayed:
        with patching(call) as monkeypatch:
            try:
                given = given_by(call, monkeypatch)
                watch = Watch(self._module, call, given, monkeypatch)
            except BaseException as error:
                return Replayed(Ending.FAILED, reason=f"the input cannot be built: {error!r}")
            self._begin()
            CONCEALED.kept_a_file()
            with watch.listening():
                did, result = _played(function, call, given, self._files)
            if CONCEALED.kept_a_file():
                return Replayed(Ending.FLAKY, reason=_KEPT_A_FILE, lines=did.lines)
            if monkeypatch.ran_out:
                return Replayed(Ending.FLAKY, reason=_READ_TOO_OFTEN, lines=did.lines)
            did = replace(_without_folder(did, monkeypatch.folder), idle=monkeypatch.idle())
            if did.outcome == Ending.RAISED or did.compared == "==":
                result = None  # the test has its exact value
            # Properties are code of the program: whatever they raise is no fact about the call.
            with self._aside(), contextlib.suppress(BaseException):
                did = replace(did, seen=watch.seen(result))
            return did

    def leaves_nothing(self, scope: str, call: Call) -> bool:
        """Whether it is known that the call cannot change what later calls do."""
        if call.imports or call.setup or call.called or call.situation or call.uses:
            return False  # arguments may be objects of the program
        if scope not in self._contained:
            with contextlib.suppress(AttributeError):
                self._contained[scope] = is_self_contained(_find(self._module, scope))
        return self._contained.get(scope, False)

    def _now(self) -> ModuleState:
        package = self._module.__name__.partition(".")[0]
        modules = [
            module
            for name, module in list(sys.modules.items())
            if type(module) is ModuleType and name.partition(".")[0] == package
        ]
        return ModuleState(modules, _LARGEST_TABLE)


def imported_plainly(module: str, file: str) -> ModuleType:
    """A module, imported while this machine's environment, user and files are concealed from it; if
    that fails because it asked for them, they are revealed and it is imported once more.
    """
    with _without_namesake(module, file):
        return _imported_plainly(module)


@contextlib.contextmanager
def _without_namesake(module: str, file: str) -> Iterator[None]:
    """Let a file of the program be imported under the name of a module of the library, such as
    `queue`, that this process uses itself and keeps.
    """
    found = sys.modules.get(module)
    namesake = (
        module in sys.stdlib_module_names and found is not None and not is_library(Path(file))
    )
    if not namesake:
        yield
        return
    del sys.modules[module]
    try:
        yield
    finally:
        sys.modules[module] = found  # type: ignore[assignment]


def _imported_plainly(module: str) -> ModuleType:
    before = set(sys.modules)
    try:
        return importlib.import_module(module)
    except (Exception, SystemExit):
        if not CONCEALED.reveal():
            raise
    for name in sys.modules.keys() - before:
        file = getattr(sys.modules[name], "__file__", None)
        if name.partition(".")[0] == module.partition(".")[0] or not (
            file is None or is_library(Path(file))
        ):
            del sys.modules[name]
    return importlib.import_module(module)


def function_called(module: Any, scope: str, call: Call) -> Callable[..., Any]:
    """The function that this call calls, as a test would spell it. Raises AttributeError if it is
    not there.
    """
    function = _find(module, call.called or scope)
    spelling = spelling_of(scope, len(call.args))
    return function if spelling is None else spelling.function  # as a test will call it


@contextlib.contextmanager
def patching(call: Call) -> Iterator[MonkeyPatch]:
    """A context with a MonkeyPatch that sets the situation of a call, with a folder if it needs
    one; undone at the end.
    """
    monkeypatch = MonkeyPatch()
    if any("tmp_path" in each.set for each in call.situation):
        monkeypatch.make_folder()
    try:
        yield monkeypatch
    finally:
        monkeypatch.undo()


def _find(module: Any, scope: str) -> Callable[..., Any]:
    found, owner = module, None
    for name in scope.split("."):
        stored = mangled(found.__name__, name) if isinstance(found, type) else name
        owner, found = found, getattr(found, stored)
    if name == "__new__":
        return functools.partial(found, owner)
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, functools.cached_property):
        found = found.func
    elif _dispatches_for_objects(owner, stored):
        found = functools.partial(_of_object, stored)
    return found  # type: ignore[no-any-return]


def _dispatches_for_objects(owner: Any, name: str) -> bool:
    """Whether a name of a class is a `singledispatchmethod` that objects have."""
    found = inspect.getattr_static(owner, name, None) if isinstance(owner, type) else None
    if not isinstance(found, functools.singledispatchmethod):
        return False
    return not isinstance(found.func, staticmethod | classmethod)


def _of_object(name: str, owner: Any, /, *args: Any, **keywords: Any) -> Any:
    """What a method of an object returns, called as a method: by its class, a
    `singledispatchmethod` would choose the implementation for the object itself.
    """
    return getattr(owner, name)(*args, **keywords)


def _played(
    function: Callable[..., Any], call: Call, given: Given, files: tuple[str, ...]
) -> tuple[Replayed, Any]:
    """What the call did, and the object that it returned; None if it raised."""
    lines: set[int] = set()
    drained = ""
    sys.settrace(_line_tracer(files, lines))
    try:
        result = given.played(function)
        driven = bool(call.uses) and call.uses[-1].how != "call"
        drained = "" if driven else drained_as(result)
        result = result if driven else drain(result)
    except BaseException as error:
        sys.settrace(None)
        caught = importable_class(type(error))
        raised = Replayed(
            Ending.RAISED,
            raised=_raised(error),
            error=_class_name(error),
            caught=caught.__qualname__,
            caught_module=caught.__module__,
            message=_message(error, files),
            drained=drained,
            lines=frozenset(lines),
        )
        return raised, None
    sys.settrace(None)
    text, imports = text_of(result)
    returned = Replayed(
        Ending.RETURNED,
        returned=text,
        compared=compared(result, text, imports),
        result_type=type(result).__qualname__,
        imports=imports if text is not None else (),
        drained=drained,
        lines=frozenset(lines),
    )
    return returned, result


def _without_folder(did: Replayed, folder: Path | None) -> Replayed:
    """What a call did, with the folder of the test taken out of its error, as every test has
    another one. A message that names the folder is left out.
    """
    if folder is None or did.raised is None or str(folder) not in did.raised:
        return did
    told = did.message is not None and str(folder) in did.message
    return replace(
        did,
        raised=did.raised.replace(str(folder), ""),
        message=None if told else did.message,
    )


def _line_tracer(files: tuple[str, ...], lines: set[int]) -> Any:
    def local(frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            lines.add(frame.f_lineno)
        return local

    def calls(frame: FrameType, event: str, arg: Any) -> Any:
        return local if frame.f_code.co_filename in files else None

    return calls


def _class_name(error: BaseException) -> str:
    return type(error).__qualname__


def _message(error: BaseException, files: tuple[str, ...]) -> str | None:
    """The text of an exception raised by the program's own `raise`; CPython's words may change."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or last.tb_frame.f_code.co_filename not in files or len(error.args) != 1:
        return None
    line = linecache.getline(files[0], last.tb_lineno).strip()
    raised_here = "raise " in line and isinstance(error.args[0], str)
    text = str(error) if raised_here else ""
    return text if text and not shows_address(text) else None


def shows_address(text: str) -> bool:
    """Whether a text tells where an object lies, which is another place in every process."""
    return _ADDRESS.search(text) is not None


def _raised(error: BaseException) -> str:
    name = importable_class(type(error)).__qualname__
    if isinstance(error, RecursionError | MemoryError):
        return f"{name}()"  # their message is CPython's, not the program's
    try:
        text = f"{name}({', '.join([literal(arg) for arg in _made_of(error)])})"
        return f"{name}(...)" if shows_address(text) else text
    except (NoLiteral, RecursionError):
        return f"{name}(...)"


def _made_of(error: BaseException) -> tuple[Any, ...]:
    """The arguments that the class makes the exception from, which are not always its `args`
    (JSONDecodeError).
    """
    with contextlib.suppress(Exception):
        how = error.__reduce__()
        if isinstance(how, tuple) and how[0] is type(error) and isinstance(how[1], tuple):
            return how[1]
    return error.args
