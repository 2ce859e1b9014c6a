"""Which functions of a program may be called before a target, since it reads what they change."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import CodeType, FunctionType, ModuleType
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.rewritten import ImportedProgram
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.instrument.code_names import all_code
from symcrete.program.source.target import Target
from symcrete.program.state.facts import ModuleFacts, StateRead
from symcrete.program.state.owners import CACHE
from symcrete.run.history import Earlier, History
from symcrete.run.module_reads import attribute_of, cache_of, changes_of, late_of
from symcrete.slotted import dataclass

# functions that are tried: each is one more side of the first branches of every run; chosen, not
# measured
MOST_EARLIER_FUNCTIONS = 4
_CONSTRUCTORS = ("__init__", "__new__")
_DOES_NOTHING = "lambda *args, **kwargs: None"  # as a test writes `_does_nothing`


def history_of(imported: ImportedProgram, target: Target, types: Mapping[str, str]) -> History:
    """The functions of the target's module that change what the target, or what it calls, reads."""
    module = imported.module
    if not isinstance(vars(module).get(target.scope.partition(".")[0]), FunctionType | type):
        return History()
    facts = imported.rewritten.facts.get(str(module.__file__))
    if facts is None:
        return History()
    reaching = _reaching(module, target.scope)
    reads = [
        read
        for read in imported.rewritten.reads
        if read.file == facts.file and read.scope in reaching
    ]
    state = [*_names(reads, module, facts), *_attributes(reads, module, facts)]
    scopes = dict.fromkeys([scope for each in state for scope in each.scopes])
    scopes |= dict.fromkeys(_of_kept_objects(module, facts, state, reaching))
    changing = sorted(scopes, key=lambda scope: (scope == target.scope, scope))
    found: list[Earlier] = []
    for scope in changing:
        if len(found) < MOST_EARLIER_FUNCTIONS:
            known = types if scope == target.scope else {}
            found += _callable(module, target.source.module, scope, known, state)
    noted = {each.late.root: each.late for each in state if each.late is not None and each.scopes}
    counted = _counted(facts, module, reaching)
    read = {each.late.root for each in state if each.late}
    updated = [each for each in counted if each.root not in read]
    # A cached function changes nothing when called again with the same: tests empty the cache.
    caches = {scope: cache_of(module, scope) for scope in changing}
    noted |= {each.root: each for each in caches.values() if each is not None}
    called = [each for scope, each in caches.items() if each is not None and scope in reaching]
    also_read = tuple([each for each in counted if each.root in read])
    changed = tuple(noted.values()) if found else ()
    return History(tuple(found), changed, (*updated, *called), also_read)


def _of_kept_objects(
    module: ModuleType, facts: ModuleFacts, state: Iterable[_State], reaching: Iterable[str]
) -> Iterator[str]:
    """Methods that change an attribute which is read, of classes that keep their objects, as
    singletons do: what their constructor returns may be an object that earlier calls have changed.
    """
    keeping = [vars(module).get(each.owner) for each in state if each.scopes]
    kept = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and (each in keeping or type(each) in keeping)
    ]
    read = {name for scope in reaching for name in _names_in(module, scope)}
    for name in sorted(read & facts.attribute_changes.keys()):
        for change in facts.attribute_changes[name]:
            owner, _, method = change.scope.rpartition(".")
            if method not in _CONSTRUCTORS and owner in [each.__name__ for each in kept]:
                yield change.scope


def _counted(facts: ModuleFacts, module: ModuleType, reaching: Collection[str]) -> list[Late]:
    """As inputs, the attributes that one of these functions updates by `x.name += ...`."""
    updates = [each for each in facts.updates if each.scope in reaching]
    found = [attribute_of(each, module) for each in updates]
    lates = [each.late(free=False) for each in found if each is not None]
    return [each for each in lates if each is not None]


@dataclass(frozen=True, slots=True)
class _State:
    """Something that a target reads and functions change."""

    late: Late | None  # it as an input; None where its value cannot be written down
    scopes: tuple[str, ...]  # the functions
    owner: str = ""  # of an attribute: the class, object or function of the module that has it


def _names(reads: Iterable[StateRead], module: ModuleType, facts: ModuleFacts) -> Iterator[_State]:
    for name in sorted({read.name for read in reads if read.kind == "name"}):
        scopes = tuple([each.scope for each in changes_of(facts, name)])
        there = name in vars(module)
        yield _State(late_of(module, name, free=False) if there else None, scopes)


def _attributes(
    reads: Iterable[StateRead], module: ModuleType, facts: ModuleFacts
) -> Iterator[_State]:
    places = {(each.owner, each.name): each for each in reads if each.kind == "attribute"}
    for (owner, name), read in sorted(places.items()):
        found = attribute_of(read, module)
        if found is not None:
            by = (owner,) if name == CACHE else _changing(facts, name)
            yield _State(found.late(free=False), by, owner)


def _changing(facts: ModuleFacts, name: str) -> tuple[str, ...]:
    return tuple([each.scope for each in facts.attribute_changes.get(name, ())])


def _callable(
    module: ModuleType, named: str, scope: str, types: Mapping[str, str], state: Iterable[_State]
) -> Iterator[Earlier]:
    """The call by which a test has the code of a scope executed; nothing where the scope is
    private, or where too little is known of what to call it with.
    """
    first, _, method = scope.partition(".")
    owner = vars(module).get(first)
    if first.startswith("_") or "." in method:
        return
    with contextlib.suppress(SymcreteError):
        if type(owner) is FunctionType and method:
            yield from _decorating(named, owner, method, arguments_of(owner, types, first))
        elif isinstance(owner, type) and method == "__init_subclass__":
            yield from _subclass(named, owner, scope)
        elif isinstance(owner, type) and method in _CONSTRUCTORS:
            yield Earlier(named, first, owner, arguments_of(owner, types, scope))
        elif isinstance(owner, type) and method and _is_callable(owner, method):
            yield _method(module, named, owner, method, state)
        elif callable(owner) and not method:
            yield Earlier(named, first, owner, arguments_of(owner, types, scope))


def _subclass(named: str, owner: type, scope: str) -> Iterator[Earlier]:
    """The call that makes a subclass, which runs `__init_subclass__`: registries are filled so."""
    if type(owner) is type:
        bound = vars(owner)["__init_subclass__"].__get__(None, owner)
        taken = arguments_of(bound, {}, scope)
        named_ones = [replace(each, by_keyword=True) for each in taken.parameters]
        taken = replace(taken, parameters=tuple([p for p in named_ones if not p.spread]))
        text = f'type("Other", ({owner.__name__},), {{}}'
        made = functools.partial(type, "Other", (owner,), {})
        yield Earlier(named, owner.__name__, made, taken, begun=text)


def _does_nothing(*args: Any, **kwargs: Any) -> None:
    """Stands for a function that is registered."""


def _decorating(named: str, owner: FunctionType, inner: str, taken: Arguments) -> Iterator[Earlier]:
    """The call of what a function returns with a function that does nothing, where it may return
    one of its own that takes one argument: registries are filled so, by `@handler("name")`.
    """
    codes = [each for each in owner.__code__.co_consts if type(each) is CodeType]
    if any((each.co_name, each.co_argcount) == (inner, 1) for each in codes):

        def decorated(*args: Any, **kwargs: Any) -> Any:
            return owner(*args, **kwargs)(_does_nothing)

        yield Earlier(named, owner.__name__, decorated, taken, ended=f"({_DOES_NOTHING})")


def _is_callable(owner: type, method: str) -> bool:
    kind = type(vars(owner).get(method))
    return not method.startswith("_") and kind in (FunctionType, classmethod, staticmethod)


def _method(
    module: ModuleType, named: str, owner: type, method: str, state: Iterable[_State]
) -> Earlier:
    """A method called on its class, on the object of the module that has the state, or on a new
    object.
    """
    scope, kind = f"{owner.__name__}.{method}", type(vars(owner)[method])
    if kind in (classmethod, staticmethod):
        function = getattr(owner, method)
        return Earlier(named, scope, function, arguments_of(function, {}, scope))
    for each in state:
        held = vars(module).get(each.owner)
        if type(held) is owner:
            made = arguments_of(vars(owner)[method], {}, scope, skip=1)
            return Earlier(named, f"{each.owner}.{method}", getattr(held, method), made)
    function = vars(owner)[method]
    return Earlier(named, scope, function, arguments_of(function, {}, scope, owner=owner))


def _reaching(module: ModuleType, scope: str) -> set[str]:
    """The functions of a module that a function names, and those that they name."""
    found, ahead = {scope}, [scope]
    while ahead:
        current = ahead.pop()
        names = _names_in(module, current)
        new = [each for each in _named(module, current, names) if each not in found]
        found.update(new)
        ahead += new
    return found


def _names_in(module: ModuleType, scope: str) -> tuple[str, ...]:
    """The names that a function of a module mentions."""
    function: Any = module
    for part in scope.split("."):
        function = getattr(function, part, None)
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    # Until Python 3.12 a comprehension is a code object of its own, as functions inside are.
    return tuple([name for each in all_code(code) for name in each.co_names]) if code else ()


def _named(module: ModuleType, scope: str, names: Collection[str]) -> Iterator[str]:
    """Functions of a module, and methods of its classes, that names in a function may mean."""
    around = scope.partition(".")[0]
    for name in (*names, around):
        value = vars(module).get(name)
        if isinstance(getattr(value, "__wrapped__", value), FunctionType):
            yield name
        kind = value if isinstance(value, type) else type(value)
        if type(kind).__module__ == module.__name__ and "__call__" in vars(type(kind)):
            yield f"{type(kind).__name__}.__call__"  # of the metaclass: it makes the object
        if kind.__module__ == module.__name__:
            methods = {*names, *(_CONSTRUCTORS if name in names else ())}
            yield from [f"{kind.__name__}.{each}" for each in methods & vars(kind).keys()]
