"""The text of every module of the program, and what it says of special methods and of stores.

Read once, and only looked at from then on. A class may define what an operator, an attribute or a
truth test runs; any function may store into a module or rebind a global. Where the text is silent,
neither happens.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Set
from dataclasses import field
from pathlib import Path

from symcrete.program.source.module import SHARED_TREES, parsed, walked
from symcrete.program.state.patches import attribute_patched, is_patch_of_any, patch_names
from symcrete.program.state.scopes import Scopes
from symcrete.slotted import dataclass

# Calls by which names change that no assignment shows.
_BY_TEXT = frozenset({"setattr", "delattr", "exec", "eval", "globals", "vars", "__import__"})
# Attributes through which anything of a module, a class or a function can be replaced.
_INNARDS = frozenset({"__dict__", "__code__", "__defaults__", "__kwdefaults__", "__class__"})
# Special methods that may run whatever attribute is read or stored.
_OVERALL = frozenset({"__getattr__", "__getattribute__", "__get__", "__set__", "__setattr__"})
# Modules by which code runs that no statement calls: other threads, handlers, callbacks.
_UNFORESEEN = frozenset({"weakref", "threading", "_thread", "concurrent", "signal"})
_IN_THREADS = frozenset({"to_thread", "run_in_executor"})
# Names by which a class gets instances that it did not make: of an ABC, of a protocol.
_ADOPTING = frozenset({"register", "runtime_checkable", "__subclasshook__"})
_ADOPTING |= {"__instancecheck__", "__subclasscheck__"}


@dataclass(slots=True)
class ProgramText:
    """What the modules of a program define and store, by name."""

    # methods like __eq__ that a class defines, or that are mentioned where they may be given to one
    special: set[str] = field(default_factory=set)
    descriptors: set[str] = field(default_factory=set)  # attributes whose reading may run code
    stored: set[str] = field(default_factory=set)  # attributes that something assigns
    rebound: set[str] = field(default_factory=set)  # names in `global` statements
    rewrites: bool = False  # names may change in ways that no assignment shows
    replaced: set[str] = field(default_factory=set)  # built-in functions that something stores
    generators: bool = False
    # objects may change while statements run that do not touch them: by threads and signals, or
    # because the last reference to an object is gone
    unforeseen: bool = False
    # what is an instance of a class may change while the program runs, or be asked of its own code
    adopts: bool = False
    class_values: set[str] = field(default_factory=set)  # names that class bodies assign
    stored_anywhere: set[str] = field(default_factory=set)  # assigned of other objects than `self`
    trees: dict[str, ast.Module] = field(default_factory=dict)
    sources: dict[str, bytes] = field(default_factory=dict)
    _scopes: dict[str, Scopes] = field(default_factory=dict)

    def scopes(self, file: str) -> Scopes:
        """The scopes that the names of a module belong to; worked out when first asked for."""
        if file not in self._scopes:
            self._scopes[file] = Scopes(self.trees[file], self.sources[file], file)
        return self._scopes[file]

    def runs_code(self, *methods: str) -> bool:
        """Whether a class of the program defines one of these special methods."""
        return not self.special.isdisjoint(methods)

    def is_plain(self, attribute: str) -> bool:
        """Whether reading or storing the attribute runs no code of the program."""
        return attribute not in self.descriptors and self.special.isdisjoint(_OVERALL)


def program_text(files: Iterable[str]) -> ProgramText:
    """What the modules say; one that cannot be read means that anything may change."""
    read: list[tuple[str, bytes, ast.Module] | None] = []
    for file in files:
        try:
            read.append((file, Path(file).read_bytes(), parsed(file)))
        except (OSError, SyntaxError, ValueError):
            read.append(None)
    return _text_of(tuple(read))


@functools.lru_cache(maxsize=SHARED_TREES)
def _text_of(modules: tuple[tuple[str, bytes, ast.Module] | None, ...]) -> ProgramText:
    """What these files, texts and trees say, remembered; None is a module that cannot be read."""
    found = ProgramText(rewrites=None in modules)
    for each in modules:
        if each is not None:
            file, source, tree = each
            found.trees[file], found.sources[file] = tree, source
            nodes = walked(tree)
            patches = patch_names(nodes) if b"mock" in source else frozenset[str]()
            for node in nodes:
                _note(node, found)
                if isinstance(node, ast.Call):
                    _note_patch(node, patches, found)
    return found


def _note(node: ast.AST, found: ProgramText) -> None:
    match node:
        case ast.ClassDef(body=body):
            for inner in body:
                _of_class(inner, found)
        case ast.Global(names=names):
            found.rebound |= set(names)
        case ast.Attribute(value=base, attr=name, ctx=ast.Store() | ast.Del()):
            found.stored.add(name)
            found.rewrites |= name in _INNARDS or _is_of_builtins(base)
            found.replaced |= {name} if _is_of_builtins(base) else set()
            _mentioned(name, found)
            if not (isinstance(base, ast.Name) and base.id == "self"):
                found.stored_anywhere.add(name)
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[_, ast.Constant(value=name)]):
            found.stored.add(str(name))
        case ast.Call(func=ast.Name(id=name)) if name in _BY_TEXT:
            found.rewrites |= not (name == "vars" and not node.args)
        case ast.Attribute(attr="__dict__"):
            found.rewrites = True
        case ast.Yield() | ast.YieldFrom():
            found.generators = True
        case ast.Constant(value=str() as name):  # `setattr(kind, "__eq__", ...)`, `type(...)`
            _mentioned(name, found)
        case ast.alias(name=name):
            found.unforeseen |= name.partition(".")[0] in _UNFORESEEN
            found.adopts |= name in _ADOPTING
        case ast.ImportFrom(module=str() as name):
            found.unforeseen |= name.partition(".")[0] in _UNFORESEEN
        case ast.Attribute(attr=name) | ast.Name(id=name):
            found.adopts |= name in _ADOPTING
            found.unforeseen |= name in _IN_THREADS
        case _:
            pass


def _note_patch(node: ast.Call, patches: Set[str], found: ProgramText) -> None:
    """Note what a call replaces in a test; `patches` are the names of `mock.patch` there."""
    found.rewrites |= is_patch_of_any(node, patches)
    match attribute_patched(node):
        case [_, ast.Constant(value=name)]:
            found.stored.add(str(name))
        case [_, _]:
            found.rewrites = True


def _is_of_builtins(base: ast.expr) -> bool:
    """Whether what is stored into is the module of the built-in functions."""
    return isinstance(base, ast.Name) and base.id in ("builtins", "__builtins__")


def _mentioned(name: str, found: ProgramText) -> None:
    """Note a special method that a class may be given."""
    if name.startswith("__") and name.endswith("__"):
        found.special.add(name)
        found.unforeseen |= name == "__del__"
        found.adopts |= name in _ADOPTING


def _of_class(node: ast.stmt, found: ProgramText) -> None:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        found.class_values |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            _mentioned(name, found)
            if node.decorator_list:
                found.descriptors.add(name)
        case ast.Assign(targets=targets, value=value):
            made = any(
                isinstance(each, ast.Call | ast.Name | ast.Attribute) for each in walked(value)
            )
            for each in [each for target in targets for each in walked(target)]:
                if isinstance(each, ast.Name):
                    _mentioned(each.id, found)
                    found.descriptors |= {each.id} if made else set()
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            _mentioned(name, found)
            found.descriptors |= {name} if isinstance(value, ast.Call) else set()
        case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
            for inner in ast.walk(node):
                if isinstance(inner, ast.stmt) and inner is not node:
                    _of_class(inner, found)
        case _:
            pass
