"""What a run gets that reads a name of the program, or an attribute of its classes and objects,
which something changes.

What another function of the program sets keeps the value that it has; a flag, a setting, or what
only its readers change, is an input. Both are noted with the run, so that a test sets them.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import dis
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from symcrete.inputs.infer.class_source import has_written_constructor
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ConstantShape, Shape
from symcrete.program.state.at_import import OF_THE_PROCESS, Taken
from symcrete.program.state.facts import Change, ModuleFacts, StateRead
from symcrete.program.state.origins import origins_behind
from symcrete.program.state.owners import CACHE
from symcrete.slotted import dataclass
from symcrete.values.build.late_inputs import RunUnderWay, late_input
from symcrete.values.tracking import recording
from symcrete.world.importing.concealed import names_own_folder
from symcrete.world.module_state import (
    CLEARED,
    UNSET,
    shape_of_chosen,
    shape_of_name,
    shape_of_taken,
)
from symcrete.world.source import InsteadOfMethod
from symcrete.world.sources import sources_by_name

SOURCE = "module state"
# Sources whose answers are not those of another machine, or of this one at another time, and that
# keep proofs away where the import kept one; what it reads of files is told as a constant.
_OF_THE_MOMENT = (
    *("clock", "calendar time", "chance", "random objects", "processes"),
    *("network", "sockets", "standard input"),
)
_OF_THE_MACHINE = ("environment", "settings", "machine", "command line")  # sources, by name
# What differs between machines and is no input of a run.
_NO_INPUTS = frozenset({("shutil", "which"), ("sys", "byteorder")})
_MISSING = object()  # for an attribute that a class does not give: None is a value
_READING = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "DELETE_GLOBAL"})


def changes_of(facts: ModuleFacts, name: str) -> list[Change]:
    """The places that rebind a name of this module, or change what it holds."""
    found = [facts.rebound[name]] if name in facts.rebound else []
    return found + [each for each in facts.uses.get(("", name), []) if each.how == "changed"]


def reader_of(
    read: StateRead,
    modules: Sequence[ModuleType],
    facts: ModuleFacts,
    facts_of: Callable[[str], ModuleFacts] = ModuleFacts,
) -> Callable[[Any], Any] | None:
    """The function that gives the value for a read of a name; None where the name is read as it
    is. `facts` are those of the file it is in, `facts_of` gives those of others.
    """
    module = next((each for each in modules if str(each.__file__) == read.file), None)
    if module is not None and read.kind == "attribute":
        return _reader_of_attribute(read, module, facts, modules, facts_of)
    if module is not None and read.kind == "imported":
        return _reader_of_imported(read, module, modules, facts_of)
    if module is None or read.kind != "name" or read.name not in vars(module):
        return None
    value = vars(module)[read.name]
    changes = changes_of(facts, read.name)
    if not changes and _is_taken(facts, module, read.name, modules, facts_of):
        return _reader_of_taken(module, read.name, facts.taken.get(read.name))
    if read.name in facts.stored_otherwise or (not changes and type(value) is not bool):
        return None
    free = all(each.scope == read.scope or _is_told_nothing(module, each) for each in changes)
    late = late_of(module, read.name, free=free)
    return None if late is None else _reader(late, value)


def _is_taken(
    facts: ModuleFacts,
    module: ModuleType,
    name: str,
    modules: Sequence[ModuleType],
    facts_of: Callable[[str], ModuleFacts],
) -> bool:
    """Whether the import took the value of a name from this machine: the module's text says so, or
    the value names a folder of this worker, as after `CACHE = cache_folder()`.
    """
    value = vars(module)[name]
    if names_own_folder(value):
        return True
    own_kind = any(type(value).__module__ == each.__name__ for each in modules)
    return not own_kind and is_of_system(facts.taken.get(name), modules, facts_of)


def is_of_system(
    taken: Taken | None,
    modules: Sequence[ModuleType] = (),
    facts_of: Callable[[str], ModuleFacts] = ModuleFacts,
    *,
    or_moment: bool = False,
) -> bool:
    """Whether a name got its value at import from something that differs between machines, also by
    way of other modules of the program; `or_moment`: or between two imports, as the clock does.
    """
    known = _system() | _moment() if or_moment else _system()
    return any(each in known for each in origins_behind(taken, modules, facts_of))


@functools.lru_cache(maxsize=1)
def _system() -> frozenset[tuple[str, str]]:
    """What the rows about the machine and its user stand in for, by module and name."""
    return _rows_of(_OF_THE_MACHINE)


@functools.lru_cache(maxsize=1)
def _moment() -> frozenset[tuple[str, str]]:
    """What differs between two imports: the clock, chance, other processes, and this process."""
    return _rows_of(_OF_THE_MOMENT) | OF_THE_PROCESS | _NO_INPUTS


def _rows_of(sources: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (each.module, f"{each.kind}.{each.name}")
        if isinstance(each, InsteadOfMethod)
        else (each.module, each.name)
        for source in sources
        for each in sources_by_name()[source].stand_ins(RunUnderWay())
    )


def _reader_of_taken(
    module: ModuleType, name: str, taken: Taken | None
) -> Callable[[Any], Any] | None:
    value = vars(module)[name]
    shape = _shape_of(value, taken)
    if shape is None:
        return None
    return _reader(Late(f"{module.__name__}.{name}", shape, SOURCE), value)


def _shape_of(value: Any, taken: Taken | None) -> Shape | None:
    """The shape of what the import took from the system; None where there is none that tells which
    values it can have, as of a number that is computed in one of two ways.
    """
    if taken is None:
        return shape_of_taken(value, ())
    if taken.chosen and type(value) is not bool:
        return shape_of_chosen(value, taken.choices)
    return shape_of_taken(value, taken.defaults)


def _reader_of_imported(
    read: StateRead,
    module: ModuleType,
    modules: Sequence[ModuleType],
    facts_of: Callable[[str], ModuleFacts],
) -> Callable[[Any], Any] | None:
    """The reader of a name that another module of the program has, or had when it was imported from
    there; None unless that module took its value from the system.
    """
    # A relative import names the end of a module's name only.
    end = f".{read.origin}"
    owner = next((each for each in modules if f".{each.__name__}".endswith(end)), None)
    if owner is None or read.name not in vars(owner):
        return None
    if not names_own_folder(vars(owner)[read.name]) and not may_take(str(owner.__file__)):
        return None
    facts = facts_of(str(owner.__file__))
    if changes_of(facts, read.name):
        return None
    if not _is_taken(facts, owner, read.name, modules, facts_of):
        return None
    if "." in read.shown:
        return _reader_of_taken(owner, read.name, facts.taken.get(read.name))
    if vars(module).get(read.shown) is not vars(owner)[read.name]:
        return None  # the name is imported inside a function, and is none of the module
    return _reader_of_taken(module, read.shown, facts.taken.get(read.name))


@functools.lru_cache(maxsize=1024)  # files; chosen, not measured
def may_take(file: str) -> bool:
    """Whether a file's text imports what asks the system and has a word for it, such as `getenv`:
    analysing the file takes a thousand times as long.
    """
    with contextlib.suppress(OSError):
        text = Path(file).read_bytes()
        words, modules = _system_words()
        return any(word in text for word in words) and any(word in text for word in modules)
    return False


@functools.lru_cache(maxsize=1)
def _system_words() -> tuple[frozenset[bytes], frozenset[bytes]]:
    """The last names of what asks the system, and its modules as they stand behind `import`."""
    words = frozenset(name.rpartition(".")[2].encode() for _, name in _system())
    return words, frozenset(f" {module}".encode() for module, _ in _system())


def late_of(module: ModuleType, name: str, *, free: bool) -> Late | None:
    """A name of a module as an input; None where its value cannot be written down."""
    shape = shape_of_name(vars(module)[name], free=free)
    return None if shape is None else Late(f"{module.__name__}.{name}", shape, SOURCE)


def cache_of(module: ModuleType, name: str) -> Late | None:
    """What a cached function of a module remembers, as an input that a test empties; None where
    the name means no such function.
    """
    if not hasattr(vars(module).get(name), CACHE):
        return None
    return Late(f"{module.__name__}.{name}{CLEARED}", ConstantShape(None), SOURCE)


def memory_of(function: Callable[..., Any]) -> Late | None:
    """What a function remembers, as `cache_of` gives it; None unless its module has it under its
    name, and cached.
    """
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    name = getattr(function, "__name__", "")
    if module is None:
        return None
    public = vars(module).get(name)
    is_it = public is function or getattr(public, "__wrapped__", None) is function
    return cache_of(module, name) if is_it else None


def unset_by_import(
    function: Callable[..., Any], modules: Sequence[ModuleType], facts: Mapping[str, ModuleFacts]
) -> tuple[Late, ...]:
    """The names that the import leaves unbound, a `global` statement binds and a call of this
    function may read: as inputs, since a test has to unbind what an earlier call has bound.
    """
    unset = [
        (module, name)
        for module in modules
        if (known := facts.get(str(module.__file__))) is not None
        for name in known.rebound
        if name not in vars(module)
    ]
    if not unset:
        return ()
    read = _read_by(function, modules)
    return tuple(
        Late(f"{module.__name__}.{name}{UNSET}", ConstantShape(None), SOURCE)
        for module, name in unset
        if name in read or "globals" in read
    )


def _read_by(function: Callable[..., Any], modules: Sequence[ModuleType]) -> set[str]:
    """Every name of a module that the code of a function reads, and that of the functions of these
    modules that it may call.
    """
    by_name: dict[str, list[CodeType]] = {}
    for module in modules:
        for each in vars(module).values():
            inside = vars(each).values() if isinstance(each, type) else (each,)
            for one in inside:
                code = getattr(one, "__code__", None)
                if isinstance(code, CodeType):
                    by_name.setdefault(code.co_name, []).append(code)
    read: set[str] = set()
    seen: set[str] = set()
    waiting = [code] if isinstance(code := getattr(function, "__code__", None), CodeType) else []
    while waiting:
        code = waiting.pop()
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
        read.update(each.argval for each in dis.get_instructions(code) if each.opname in _READING)
        for name in set(code.co_names) - seen:
            seen.add(name)
            waiting += by_name.get(name, ())
    return read


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a class, object or function of a module."""

    owner: Any
    name: str  # as it is stored: two underscores in front are written with the name of the class
    root: str
    value: Any  # what the import gave it; None for the cache of a function

    def late(self, *, free: bool) -> Late | None:
        """It as an input; None where its value cannot be written down."""
        shape = shape_of_name(self.value, free=free)
        return None if shape is None else Late(self.root, shape, SOURCE)


def attribute_of(read: StateRead, module: ModuleType) -> Attribute | None:
    """The attribute that a place reads; None where the module has none such, and where objects
    have one of their own from their constructor.
    """
    owner = vars(module).get(read.owner)
    if read.name == CACHE and hasattr(owner, CACHE):
        return Attribute(owner, CACHE, f"{module.__name__}.{read.owner}{CLEARED}", None)
    kind = owner if isinstance(owner, type) else type(owner)
    if kind.__module__ != module.__name__ or not isinstance(vars(kind), Mapping):
        return None
    if owner is kind and read.shown != f"{read.owner}.{read.name}" and _is_field(kind, read.name):
        return None
    hidden = read.name.startswith("__") and not read.name.endswith("__")
    name = f"_{kind.__name__.lstrip('_')}{read.name}" if hidden else read.name
    holders = (owner, *kind.__mro__[:1]) if owner is not kind else (kind,)
    for each in holders:
        held = getattr(each, "__dict__", {})
        if name in held:
            return Attribute(owner, name, f"{module.__name__}.{read.owner}.{name}", held[name])
    return None


def _is_field(kind: Any, name: str) -> bool:
    """Whether each object of a dataclass has this attribute of its own: its class has the default
    under the same name, which the constructor written by `dataclass` stores in the object.
    """
    if not has_written_constructor(kind) or not dataclasses.is_dataclass(kind):
        return False
    return any(each.init and each.name == name for each in dataclasses.fields(kind))


def _reader_of_attribute(
    read: StateRead,
    module: ModuleType,
    facts: ModuleFacts,
    modules: Sequence[ModuleType],
    facts_of: Callable[[str], ModuleFacts],
) -> Callable[[Any], Any] | None:
    found = attribute_of(read, module)
    if found is None:
        return None
    changes = facts.attribute_changes.get(read.name, [])
    taken = facts.taken.get(f"{read.owner}.{read.name}")
    is_exact = read.shown == f"{read.owner}.{read.name}"
    if taken is not None and not changes and is_of_system(taken, modules, facts_of):
        reader = _setting_taken(found, taken) if _can_be_set(found) else None
        return reader if reader is None or is_exact else _of_its_own(reader, found)
    is_flag = taken is not None and taken.chosen and type(found.value) is bool
    if taken is not None and not changes and not is_flag and read.name not in facts.attributes:
        return None  # made of a library's names, and nothing changes it: a constant
    free = read.name not in facts.attributes_set and all(
        each.scope == read.scope or _is_told_nothing(module, each) for each in changes
    )
    late = found.late(free=free and _can_be_set(found))
    if late is None:
        return None
    if found.name == CACHE or _stays(late, found.value):
        return _noting(late, found)
    reader = _setting(late, found)
    return reader if is_exact else _of_its_own(reader, found)


def _setting_taken(attribute: Attribute, taken: Taken) -> Callable[[Any], Any] | None:
    """The reader of an attribute of a class whose value the import took from the system."""
    shape = _shape_of(attribute.value, taken)
    return None if shape is None else _setting(Late(attribute.root, shape, SOURCE), attribute)


def _of_its_own(reader: Callable[[Any], Any], attribute: Attribute) -> Callable[[Any], Any]:
    """A reader for `self.x`, whose object may be of a derived class: one with an attribute `x` of
    its own and of the same value, so that nothing tells whose the value is. Another value is no
    longer the attribute's, which the reader sees.
    """

    def read(value: Any) -> Any:
        return value if _is_given_again(attribute, attribute.owner) else reader(value)

    return read


def _is_given_again(attribute: Attribute, owner: Any) -> bool:
    """Whether a class derived from the owner gives this attribute the very object that it has."""
    derived: list[type] = type.__subclasses__(owner) if isinstance(owner, type) else []
    return any(
        vars(each).get(attribute.name, _MISSING) is attribute.value
        or _is_given_again(attribute, each)
        for each in derived
    )


def _can_be_set(attribute: Attribute) -> bool:
    """Whether storing the attribute runs no code of the program, as a setter or metaclass would."""
    owner = attribute.owner
    if isinstance(owner, type):
        return type(owner) is type
    inside = vars(type(owner)).get(attribute.name)
    stores: Any = type(owner).__setattr__
    return stores is object.__setattr__ and not hasattr(inside, "__set__")


def _noting(late: Late, attribute: Attribute) -> Callable[[Any], Any]:
    """A reader that leaves the value and notes with the run that a test has to set it."""

    def read(value: Any) -> Any:
        if recording.active().given is not None and (
            value is attribute.value or attribute.name == CACHE
        ):
            late_input(late)
        return value

    return read


def _setting(late: Late, attribute: Attribute) -> Callable[[Any], Any]:
    """A reader that gives the attribute the value of the input, until the run is over."""

    def read(value: Any) -> Any:
        record = recording.active()
        if record.given is None or value is not attribute.value or late.root in record.late:
            return value
        found = late_input(late)
        if found is value:
            return value
        own = vars(attribute.owner)
        is_own = attribute.name in own
        setattr(attribute.owner, attribute.name, found)

        def back() -> None:
            if is_own:
                setattr(attribute.owner, attribute.name, value)
            else:
                delattr(attribute.owner, attribute.name)

        RunUnderWay().afterwards(back)
        return found

    return read


def _is_told_nothing(module: ModuleType, change: Change) -> bool:
    """Whether the function that makes a change has no parameters besides its object: it may count
    up, but nobody can tell it which value to set.
    """
    found: Any = module
    for part in change.scope.split("."):
        found = getattr(found, part, None)
    code = getattr(found, "__code__", None)
    bound = "." in change.scope  # to an object or a class, which says nothing
    return not change.scope or (
        code is not None and code.co_argcount + code.co_kwonlyargcount - bound <= 0
    )


def _stays(late: Late, initial: Any) -> bool:
    """Whether a run finds the very object that the import made, which others may hold too: its
    shape is this one constant. It is not where the shape has another constant in its place, as for
    a path of a folder that no test has.
    """
    return isinstance(late.shape, ConstantShape) and late.shape.plain("", {}) == initial


def _reader(late: Late, initial: Any) -> Callable[[Any], Any]:
    is_constant, stays = isinstance(late.shape, ConstantShape), _stays(late, initial)

    def read(value: Any) -> Any:
        if recording.active().given is None or value is not initial:
            return value
        found = late_input(late)
        if stays:
            return value
        return copy.deepcopy(found) if is_constant else found

    return read
