"""Whether a place that reads state reads what something in the program can change.

Through a module of the program that is used as a value (`helper(settings)`, `getattr(settings,
name)`, `s = settings`) any of its names may be read, and no text says which.
"""

from __future__ import annotations

import ast
import builtins
import random
import re
import sys
from collections.abc import Iterable, Iterator, Set
from functools import cached_property
from logging import Logger
from pathlib import Path
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import assert_never

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.closures import TAKEN, taken_of
from symcrete.explore.proof.mentioned import (
    is_special,
    mentions,
    own_scopes,
    reached,
    used_words,
)
from symcrete.explore.proof.object_state import reads_in
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.explore.proof.unchanging import CONTAINERS, holds_constants, is_constant
from symcrete.explore.rewritten import ImportedProgram
from symcrete.program.source.module import parsed, walked
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target
from symcrete.program.state.at_import import Taken
from symcrete.program.state.by_name import ANY_ATTRIBUTE, BINDING_WORDS
from symcrete.program.state.facts import Change, ModuleFacts, StateRead
from symcrete.program.state.looked_up import LOOKUP_WORDS
from symcrete.run.module_reads import is_of_system, may_take
from symcrete.world.reading_calls import reads_the_world_as

_MISSING = object()
_METHODS = (FunctionType, staticmethod, classmethod)
_SLOTS = (MemberDescriptorType, GetSetDescriptorType)
# Who asks a module for a name this way reckons with other systems, versions and settings.
_BY_NAME = ("getattr(", "hasattr(")
# The names of the module whose functions all others have, and how it is changed but by `x.abs = f`.
_BUILT_INS = frozenset({"builtins", "__builtins__"})
_STORING = frozenset({"setattr", "delattr", "vars", "__dict__"})
_WHOLE = "__dict__"  # the attribute of a module that has all the others
_WAYS = (
    "`globals`, `exec`, `setattr`, `mock.patch`, a module that is looked up, a `__dict__` or a "
    "`__code__`"
)
_IMPORT_INSIDE = re.compile(rb"\n[ \t]+(?:import|from)\b([^\n]+)")  # in a function, say
_WORD = re.compile(rb"\w+")
_BINDS = f"names are bound through {_WAYS}"


class Changing:
    """Tells for the reads of a program's functions whether something can change what they read."""

    def __init__(
        self, imported: ImportedProgram, target: Target, parameters: frozenset[str]
    ) -> None:
        self._rewritten = imported.rewritten
        self._modules = {str(module.__file__): module for module in imported.modules()}
        self._target, self._parameters = target, parameters

    def why(self, read: StateRead) -> str:
        """What the read depends on, in the user's words; "" where it reads a constant."""
        match read.kind:
            case "name":
                module = self._modules.get(read.file)
                return "" if module is None else self._of_name(module, read.name, read)
            case "imported":
                return self._imported(read)
            case "attribute":
                facts = self._rewritten.facts_of(read.file)
                change = facts.attributes.get(read.name)
                taken = facts.taken.get(f"{read.owner}.{read.name}")
                if change is None and taken is not None:
                    return f"depends on `{read.shown}`{TAKEN}" if self._is_of_system(taken) else ""
                return f"depends on `{read.shown}`{_by(change, read)}"
            case "sent" | "thrown":
                outermost = read.scope == self._target.scope
                return f"depends on {read.name}" if outermost else ""
            case "default":
                given = read.scope == self._target.scope and read.name in self._parameters
                if read.scope.startswith(f"{self._target.scope}."):
                    return ""  # every call of the target makes the function and its defaults anew
                shared = f"depends on `{read.name}`, a default value that earlier calls of "
                return "" if given else f"{shared}`{read.scope}` may have changed"
            case _:
                assert_never(read.kind)

    def _is_of_system(self, taken: Taken | None) -> bool:
        modules = list(self._modules.values())
        return is_of_system(taken, modules, self._rewritten.facts_of, or_moment=True)

    def anything(self) -> str:
        """Why every name of the program may change, where one is bound in a way that no text
        shows; "" if none is.
        """
        for facts in self._rewritten.facts_with(*BINDING_WORDS):
            if facts.anything is not None and not _is_ours(self._target, facts.file):
                where = f"{Path(facts.file).name}:{facts.anything.line}"
                return f"{_BINDS} at {where}"
        return ""

    def _imported(self, read: StateRead) -> str:
        if read.shown.startswith(_BY_NAME):
            return f"depends on `{read.origin}.{read.name}`, which is no input"
        chosen = self._rewritten.facts_of(read.file).taken.get(read.shown)
        if chosen is not None and chosen.chosen and self._is_of_system(chosen):
            return f"depends on `{read.shown}`{TAKEN}"
        found = self._module(read.origin)
        if found is not None:
            return self._of_name(found, read.name, read)
        module = sys.modules.get(read.origin)
        if module is None and "." in read.shown:
            return ""  # of an object, not of a module: its name is a read of its own
        value = getattr(module, read.name, _MISSING)
        if isinstance(value, ModuleType | type) or callable(value):
            return ""
        if reads_the_world_as(read.origin, read.name) or self._stored(read.origin, read.name):
            return f"depends on `{read.origin}.{read.name}`, which is no input"
        if value is _MISSING or isinstance(value, CONTAINERS) or is_constant(value):
            return ""
        return f"depends on the state of `{read.shown}`, an object of its module"

    def _module(self, origin: str) -> ModuleType | None:
        for module in self._modules.values():
            if _is_same(origin, module.__name__):
                return module
        return None

    def _stored(self, origin: str, name: str) -> Change | None:
        for facts in self._rewritten.facts_naming(name):
            for (module, stored), change in facts.stores.items():
                if stored == name and _is_same(module, origin):
                    return change
        return None

    @cached_property
    def modules_are_values(self) -> bool:
        """Whether the program looks modules up, or uses one of its own as a value, so that what an
        attribute is stored on may be one of them.
        """
        if not self._rewritten.words.isdisjoint(LOOKUP_WORDS):
            return True
        own = set(self._modules.values())
        named = {
            file: _names_of_modules(each, own) | _imported_inside(file, own)
            for file, each in self._modules.items()
        }
        return any(
            handed_on(node, names)
            for file, names in named.items()
            if names and not _is_ours(self._target, file)
            for node in (_at_import(parsed(file)), *dict(functions(parsed(file))).values())
        )

    def _stored_on_any(self, name: str) -> Change | None:
        for facts in self._rewritten.facts_naming(name, *_STORING):
            change = facts.stored_on_any.get(name) or facts.stored_on_any.get(ANY_ATTRIBUTE)
            if change is not None and not _is_ours(self._target, facts.file):
                return change
        return None

    def _of_name(self, module: ModuleType, name: str, read: StateRead) -> str:
        facts = self._rewritten.facts_of(str(module.__file__))
        rebound = facts.rebound.get(name) or self._stored(module.__name__, name)
        if rebound is None and self.modules_are_values:
            rebound = self._stored_on_any(name)
        if rebound is not None:
            return f"depends on `{read.shown}`{_by(rebound, read)}"
        value = vars(module).get(name, _MISSING)
        if value is _MISSING and name in facts.imported:
            return ""
        if name == "__file__":
            return "depends on `__file__`, which tells where the program lies"
        taken = taken_of(facts, name)
        if not isinstance(value, Logger) and self._is_of_system(taken):
            return f"depends on `{read.shown}`{TAKEN}"
        if isinstance(value, bool) or value is None:
            return f"depends on `{read.shown}`, a setting of the module"
        if value is _MISSING or is_constant(value):
            return ""
        changes = self._changes(facts, module.__name__, name)
        if isinstance(value, CONTAINERS):
            if not changes and holds_constants(value):
                return ""
            first = next((each for each in changes if each.how == "changed"), None)
            return f"depends on `{read.shown}`{_by(first, read)}"
        if isinstance(value, random.Random):
            return (
                f"depends on `{read.shown}`, a generator of random numbers that every call changes"
            )
        return f"depends on the state of `{read.shown}`, an object of the module"

    def _changes(self, facts: ModuleFacts, module: str, name: str) -> list[Change]:
        found = list(facts.uses.get(("", name), []))
        for others in self._rewritten.facts_naming(name):
            for (origin, used), changes in others.uses.items():
                if origin and used == name and _is_same(origin, module):
                    found += changes
        return found


def _by(change: Change | None, read: StateRead) -> str:
    """The end of a sentence that says who changes what is read."""
    if change is None or not change.scope:
        return ", which something in the program may change"
    return f", which earlier calls of `{change.scope}` change"


def _is_same(origin: str, module: str) -> bool:
    """Whether an import means this module; relative ones are known by their last name."""
    return origin == module or module.endswith("." + origin) or origin.endswith("." + module)


def modules_handed_on(parts: Parts) -> Iterator[Obstacle]:
    """The places of the target, of what it may call, and of what its modules do at import, that use
    a module of the program as a value.
    """
    modules = {str(each.__file__): each for each in parts.imported.modules()}
    own = set(modules.values())
    trees = {file: parsed(file) for file in parts.imported.rewritten.files}
    named = {
        file: _names_of_modules(modules.get(file), own) | _imported_inside(file, own)
        for file in trees
    }
    if not any(named.values()):
        return
    mentioned = mentions(trees)
    may_run = reached([*own_scopes(parts), *filter(is_special, mentioned)], mentioned)
    for file, tree in trees.items():
        inside = {scope: node for scope, node in functions(tree) if (file, scope) in may_run}
        at_import = {} if _is_ours(parts.target, file) else {"": _at_import(tree)}
        for scope, node in {**at_import, **inside}.items():
            for each in handed_on(node, named[file]):
                why = f"depends on `{each.id}`, a module that is used as a value"
                yield Obstacle(why, file, each.lineno, scope or None)


def attributes_of_system(imported: ImportedProgram) -> dict[str, set[str]]:
    """By file: the attributes, as `Config.token`, that bodies of classes took from the system."""
    rewritten, modules = imported.rewritten, imported.modules()
    files = [*rewritten.files, *filter(may_take, rewritten.waiting)]
    found: dict[str, set[str]] = {}
    for file in files:
        for name, each in rewritten.facts_of(file).taken.items():
            if "." in name and is_of_system(each, modules, rewritten.facts_of, or_moment=True):
                found.setdefault(file, set()).add(name)
    return found


def taken_by_classes(parts: Parts) -> Iterator[Obstacle]:
    """Where the target or what it may call reads an attribute that the body of a class took from
    the system at import, other than through the class in its own module, where it is an input.
    """
    rewritten = parts.imported.rewritten
    by_file = attributes_of_system(parts.imported)
    if not by_file:
        return
    taken = {name.rpartition(".")[2] for names in by_file.values() for name in names}
    # As it is written, since `c.debug` and `C.debug` may stand on one line. What a class has of a
    # library is a constant of it, but not of a class that derives from it.
    modules = parts.imported.modules()
    inputs = {
        (each.file, each.line, each.shown)
        for each in rewritten.reads
        if (name := f"{each.owner}.{each.name}") in by_file.get(each.file, ())
        and is_of_system(rewritten.facts_of(each.file).taken[name], modules, rewritten.facts_of)
    }
    trees = {file: parsed(file) for file in rewritten.files}
    may_run = reached(own_scopes(parts), mentions(trees))
    for file, scope, _, each, name in reads_in(trees, may_run):
        shown = ast.unparse(each) if name in taken else ""
        if shown and (file, each.lineno, shown) not in inputs:
            yield Obstacle(f"depends on `{shown}`{TAKEN}", file, each.lineno, scope)


def constants_changed(parts: Parts, changing: Changing) -> Iterator[Obstacle]:
    """Where the target or what it may call reads a name that its own module leaves alone and
    another one of the program changes, or an attribute of a class that is set under another name.
    """
    rewritten = parts.imported.rewritten
    constants = [each for file in rewritten.files for each in rewritten.facts_of(file).constants]
    values, methods, fields = _of_classes(parts.imported.modules())
    if not constants and not values | methods | fields:
        return
    trees = {file: parsed(file) for file in rewritten.files}
    may_run = reached(own_scopes(parts), mentions(trees))
    for read in constants:
        if (read.file, read.scope) in may_run and (why := changing.why(read)):
            yield Obstacle(why, read.file, read.line, read.scope)
    classes = _names_of_classes(parts.imported.modules())
    reads = [
        (file, scope, each, name)
        for file, scope, node, each, name in reads_in(trees, may_run)
        if name in values | methods or (name in fields and _through_class(each, classes, node))
    ]
    named = {name for *_, name in reads}
    stores = rewritten.facts_naming(*named, *_STORING) if named else []
    for file, scope, each, name in reads:
        for facts in stores:
            change = facts.stored_on_any.get(name)
            if name in values | fields:  # nobody is taken to replace a method without naming it
                change = change or facts.stored_on_any.get(ANY_ATTRIBUTE)
            if facts.file != file:
                change = change or facts.attributes.get(name)
            if change is not None and not _is_ours(parts.target, facts.file):
                why = f"depends on `{ast.unparse(each)}`, which {change.told} sets"
                yield Obstacle(why, file, each.lineno, scope)


def functions_replaced(parts: Parts, changing: Changing) -> Iterator[Obstacle]:
    """Functions and classes named by the target that another module of the program replaces."""
    rewritten = parts.imported.rewritten
    modules = {each.__name__: vars(each) for each in parts.imported.modules()}
    defined = {
        name
        for values in modules.values()
        for name, value in values.items()
        if isinstance(value, FunctionType | type)
    }
    names = defined & used_words(parts)
    if not names:
        return
    for facts in rewritten.facts_naming(*names):
        if _is_ours(parts.target, facts.file):
            continue
        for (origin, name), change in facts.stores.items():
            owners = [values for each, values in modules.items() if _is_same(origin, each)]
            if name in names and any(name in values for values in owners):
                yield Obstacle(f"depends on `{name}`, which {change.told} sets")
        for name in sorted(names) if changing.modules_are_values else ():
            by = facts.stored_on_any.get(name) or facts.stored_on_any.get(ANY_ATTRIBUTE)
            if by is not None:
                yield Obstacle(f"depends on `{name}`, which {by.told} sets")


def _of_classes(modules: Iterable[ModuleType]) -> tuple[set[str], set[str], set[str]]:
    """The attributes of classes that these modules define, and of those inside them: those that
    hold values, those that are methods or properties, and the fields of dataclasses, of which each
    object has its own. Slots are none of them.
    """
    ahead = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]
    seen: set[int] = set()  # by identity: a metaclass may take the hash from its classes
    values, methods, fields = set[str](), set[str](), set[str]()
    while ahead:
        kind = ahead.pop()
        if id(kind) in seen:
            continue
        seen.add(id(kind))
        for name, value in vars(kind).items():
            if isinstance(value, type) and value.__module__ == kind.__module__:
                ahead.append(value)
            if is_special(("", name)) or isinstance(value, _SLOTS):
                continue
            is_field = name in vars(kind).get("__dataclass_fields__", ())
            is_method = isinstance(value, _METHODS) or hasattr(type(value), "__get__")
            (fields if is_field else methods if is_method else values).add(name)
    return values, methods, fields


def _names_of_classes(modules: Iterable[ModuleType]) -> set[str]:
    named = [row for module in modules for row in vars(module).items()]
    return {name for name, value in named if isinstance(value, type)}


def _through_class(read: ast.AST, classes: Set[str], function: ast.AST) -> bool:
    """Whether an attribute may be read through a class: one by its name, or what a function has
    given a name.
    """
    match read:
        case ast.Attribute(value=owner) | ast.Call(args=[owner, *_]):
            pass
        case _:
            return False  # a pattern that looks at an object
    match owner:
        case ast.Name(id="cls") | ast.Call(func=ast.Name(id="type")):
            return True
        case ast.Name(id=name):
            names = [each for each in walked(function) if isinstance(each, ast.Name)]
            stored = {each.id for each in names if isinstance(each.ctx, ast.Store)}
            return name in classes or name in stored
        case ast.Attribute(attr=name):
            return name in classes or name == "__class__"
    return False


def _is_ours(target: Target, file: str) -> bool:
    """Whether a file is part of a program of ours that compares or judges functions: at import it
    takes these functions out of their modules, and keeps nothing else of a module.
    """
    return bool(target.subjects) and Path(file).is_relative_to(target.source.root)


def _at_import(tree: ast.Module) -> ast.Module:
    """The statements of a module without its functions; classes are looked into with theirs."""
    defined = (ast.FunctionDef, ast.AsyncFunctionDef)
    return ast.Module([each for each in tree.body if not isinstance(each, defined)], [])


def replaced_built_ins(parts: Parts) -> Iterator[Obstacle]:
    """The places that may replace a built-in function, whatever name they have for `builtins`."""
    rewritten = parts.imported.rewritten
    if not rewritten.words & _BUILT_INS:
        return
    for file in rewritten.files:
        for each in walked(parsed(file)):
            if isinstance(each, ast.Attribute | ast.Name) and _may_store_built_in(each):
                yield Obstacle("built-in functions may be replaced", file, each.lineno)
                return


def _may_store_built_in(node: ast.Attribute | ast.Name) -> bool:
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return hasattr(builtins, name)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in _STORING
    return False


def _names_of_modules(module: ModuleType | None, own: Set[ModuleType]) -> set[str]:
    """The names that a module has for modules of the program."""
    values = vars(module).items() if module is not None else ()
    return {name for name, each in values if isinstance(each, ModuleType) and each in own}


def _imported_inside(file: str, own: Set[ModuleType]) -> set[str]:
    """The names that functions of a file import modules of the program by. Only a text that has the
    name of one in such an import is parsed: parsing all of a package takes seconds.
    """
    if not Path(file).is_file():  # a package may be a folder only
        return set()
    last = {each.__name__.rpartition(".")[2] for each in own}
    lines = _IMPORT_INSIDE.findall(Path(file).read_bytes())
    if not any(word.decode() in last for line in lines for word in _WORD.findall(line)):
        return set()
    found: set[str] = set()
    for each in walked(parsed(file)):
        if isinstance(each, ast.Import | ast.ImportFrom):
            for one in each.names:
                if one.name.rpartition(".")[2] in last:
                    found.add((one.asname or one.name).partition(".")[0])
    return found


def handed_on(function: ast.AST, names: Set[str]) -> list[ast.Name]:
    """Where a function uses one of these names otherwise than by `name.attribute`, unless it binds
    the name itself.
    """
    nodes = list(walked(function))
    looked_into = {
        id(each.value) for each in nodes if isinstance(each, ast.Attribute) and each.attr != _WHOLE
    }
    bound = {each.arg for each in nodes if isinstance(each, ast.arg)}
    read: list[ast.Name] = []
    for each in nodes:
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            read += [each] if id(each) not in looked_into else []
        elif isinstance(each, ast.Name):
            bound.add(each.id)
    return [each for each in read if each.id in names - bound]
