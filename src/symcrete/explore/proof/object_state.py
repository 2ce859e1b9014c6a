"""States of given objects that no input has.

An object is given as its constructor, and a few calls of its methods, leave it. What is read of an
attribute that is not fixed may be otherwise: after more calls, or after other code of the program
that stores it. And its class may have got other special methods, or be registered with an abstract
one, while the program ran.
"""

from __future__ import annotations

import abc
import ast
import builtins
import enum
import functools
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from types import ModuleType
from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.fixed_attributes import (
    Attributes,
    attributes_of,
    class_texts,
)
from symcrete.explore.proof.mentioned import (
    is_special,
    mentions,
    own_scopes,
    reached,
    used_words,
)
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.explore.proof.unchanging import CONTAINERS
from symcrete.inputs.infer.class_source import free_fields
from symcrete.inputs.shapes.objects import InstanceShape
from symcrete.inputs.shapes.shape import ConstantShape
from symcrete.program.source.module import SHARED_TREES, parsed, walked
from symcrete.program.source.sites import functions
from symcrete.program.state.aliased_fields import (
    changed_through_names,
    containers_changed,
    elements_of,
)
from symcrete.program.state.by_name import ANY_ATTRIBUTE, sets_by_name
from symcrete.program.state.declared_stores import as_text, misfits
from symcrete.program.state.facts import Change
from symcrete.program.state.scopes import Scopes
from symcrete.slotted import field_names

# How members of enumerations keep what their properties give, and the methods that make members.
_KEPT_AS = {"value": "_value_", "name": "_name_"}
_MAKING = frozenset({"__new__", "__init__", "_missing_", "_generate_next_value_"})
_ALL = "__dict__"  # what stands for reading whichever attributes there are
# Functions that read them too; the last two where the name is no constant.
_READERS = frozenset({"vars", "dir", "getattr", "hasattr"})
# Special attributes that are no methods; all others may be called without being named.
_NO_METHODS = frozenset(
    ["__annotations__", "__cause__", "__context__", "__dict__", "__doc__", "__file__", "__name__"]
)
_NO_METHODS |= {"__match_args__", "__module__", "__notes__", "__package__", "__path__", "__spec__"}
_NO_METHODS |= {"__qualname__", "__signature__", "__slots__", "__suppress_context__"}
_NO_METHODS |= {"__text_signature__", "__traceback__", "__type_params__", "__version__"}
_NO_METHODS |= {"__wrapped__"}
# Classes of what most fields of shapes hold besides shapes, such as bounds.
_NO_SHAPES = frozenset({type(None), bool, int, float, str})


def states_not_tried(parts: Parts) -> Iterator[Obstacle]:
    """The places of the program that read an attribute of a given object whose value may be one
    that no input gives it.
    """
    kinds = given_kinds(parts)
    if not kinds:
        return
    _look_into_stores(parts, kinds)
    trees = {file: parsed(file) for file in parts.imported.rewritten.facts}
    blamed = _blamed(parts, kinds, trees)
    mentioned = mentions(trees)
    may_run = reached([*own_scopes(parts), *filter(is_special, mentioned)], mentioned)
    for file, scope, _, each, name in reads_in(trees, may_run):
        if name in blamed:
            why = f"depends on `{ast.unparse(each)}`, {blamed[name]}"
            yield Obstacle(why, file, each.lineno, scope)


def _look_into_stores(parts: Parts, kinds: list[type]) -> None:
    """Look into the modules that nothing called yet and that may store, by its name, an attribute
    which the target or what it may call reads, or change a container in it.
    """
    if not parts.imported.rewritten.waiting:
        return
    declared: dict[str, str] = {}
    for base in [base for kind in kinds for base in kind.__mro__]:
        of_base = vars(base).get("__annotations__", {})
        declared |= {name: as_text(each) for name, each in of_base.items()}
    names = used_words(parts)
    containers = {name for name in names & declared.keys() if elements_of(declared[name])}
    parts.imported.rewritten.facts_storing(names)
    parts.imported.rewritten.facts_naming(*containers)


def members_changed(parts: Parts) -> Iterator[Obstacle]:
    """The places of the target, and of what it may call, that read the value, the name or another
    attribute of a member of an enumeration, where something in the program sets it.
    """
    given = {kind for _, shape in shapes_given(parts) for kind in _enumerations(shape)}
    kinds = given | _enumerations_defined(parts)
    if not kinds:
        return
    by_methods = dict(_set_by_methods(parts, kinds))
    kept = {  # what reads an attribute of members, and under which name they keep it
        name: _KEPT_AS.get(name, name)
        for kind in kinds
        for member in kind.__members__.values()
        for name in (*_KEPT_AS, *vars(member), *by_methods)
    }
    trees = {file: parsed(file) for file in parts.imported.rewritten.files}
    may_run = reached(own_scopes(parts), mentions(trees))
    reads = [
        (file, scope, each, name)
        for file, scope, _, each, name in reads_in(trees, may_run)
        # Whether an object has an attribute may be asked of one that only other code gives it.
        if name in kept or (given and (name == _ALL or isinstance(each, ast.Call)))
    ]
    read = {name for *_, name in reads}
    asked = read - kept.keys() - {_ALL}
    names = {kept[name] for name in kept if _ALL in read or name in read}
    changes = _changes_of_members(parts, names, asked, given, kinds)
    changes = {**by_methods, **changes}
    for file, scope, each, name in reads:
        by = changes.get(kept.get(name, name)) or changes.get(ANY_ATTRIBUTE)
        if name == _ALL:
            by = next(iter(changes.values()), None)
        if by is not None:
            why = f"depends on `{ast.unparse(each)}`, which {by.told} sets"
            yield Obstacle(why, file, each.lineno, scope)


def _enumerations_defined(parts: Parts) -> set[type[enum.Enum]]:
    """The enumerations that modules of the program have, also inside their classes."""
    ahead = [
        (module.__name__, each)
        for module in parts.imported.modules()
        for each in vars(module).values()
        if isinstance(each, type)
    ]
    seen: dict[int, type] = {}  # by identity: a metaclass may leave classes without a hash
    for module, kind in ahead:
        if id(kind) not in seen:
            seen[id(kind)] = kind
            inner = vars(kind).values() if kind.__module__ == module else ()
            ahead += [(module, each) for each in inner if isinstance(each, type)]
    return {each for each in seen.values() if issubclass(each, enum.Enum)}


def _set_by_methods(parts: Parts, kinds: Set[type]) -> Iterator[tuple[str, Change]]:
    """The attributes that methods of enumerations set, those aside that make members."""
    bases = {base for kind in kinds for base in kind.__mro__}
    for module in parts.imported.modules():
        names = {each.__name__ for each in bases if each.__module__ == module.__name__}
        tree = parsed(str(module.__file__)) if names else None
        classes = [each for each in walked(tree) if isinstance(each, ast.ClassDef)] if tree else []
        for method in [
            each
            for kind in classes
            if kind.name in names
            for each in kind.body
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
            if each.name not in _MAKING
        ]:
            first = [each.arg for each in (*method.args.posonlyargs, *method.args.args)][:1]
            stored = [
                each.attr
                for each in walked(method)
                if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
                if getattr(each.value, "id", "") in first
            ]
            for name in (*stored, *sets_by_name(method)):
                yield name, Change("changed", method.lineno, method.name)


def _changes_of_members(
    parts: Parts,
    names: Set[str],
    asked: Set[str],
    given: Set[type],
    kinds: Set[type[enum.Enum]],
) -> dict[str, Change]:
    """What sets these attributes of members, by attribute: `names` are some that they have, `asked`
    others that are asked for. `given` are the enumerations of the members in the arguments, whose
    attributes may also be set without a name.
    """
    modules = {str(each.__file__): each for each in parts.imported.modules()}
    bases = {base for kind in kinds for base in kind.__mro__}
    held = names & _holding_containers(kinds)
    texts = {name: {name} | {each for each, of in _KEPT_AS.items() if of == name} for name in held}
    words = {text for name in names | asked for text in (name, f"'{name}'", f'"{name}"')}
    words |= {text for each in texts.values() for text in each}
    changes: dict[str, Change] = {}
    for facts in parts.imported.rewritten.facts_with(*words, "setattr", "__dict__", "vars("):
        module = modules.get(facts.file)
        name_of_module = getattr(module, "__name__", "")
        of_members = tuple(
            f"{each.__qualname__}." for each in bases if each.__module__ == name_of_module
        )
        for name in names | asked:
            # what methods of others set of their own objects is no attribute of a member
            found = [*facts.attribute_changes.get(name, ())] if name in names else []
            found += [
                each[name] for each in (facts.stored_outside, facts.attributes) if name in each
            ]
            if name in held:
                scopes = _scopes_of(parsed(facts.file), facts.file)
                found += containers_changed(scopes, texts[name])
            for each in found:
                makes = each.scope.rpartition(".")[2] in _MAKING
                if not makes or not each.scope.startswith(of_members):
                    changes.setdefault(name, each)
        for declared, each in facts.stored_unnamed if given else ():
            if not _is_of_others(vars(module).get(declared) if module else None, given):
                changes.setdefault(ANY_ATTRIBUTE, each)
    return changes


def _holding_containers(kinds: Set[type[enum.Enum]]) -> set[str]:
    """The attributes of members of these enumerations that hold what can be changed in place."""
    members = [member for kind in kinds for member in kind.__members__.values()]
    return {
        name
        for member in members
        for name, value in vars(member).items()
        if isinstance(value, CONTAINERS)
    }


def _is_of_others(declared: Any, kinds: Set[type]) -> bool:
    """Whether what is declared so is a plain class, of which no member of these is an object."""
    if type(declared) is not type or declared is object or hasattr(declared, "_is_protocol"):
        return False
    return all(declared not in kind.__mro__ for kind in kinds)


@functools.lru_cache(maxsize=SHARED_TREES)
def _scopes_of(tree: ast.Module, file: str) -> Scopes:
    return Scopes(tree, Path(file).read_bytes(), file)


def special_methods_set(parts: Parts) -> Iterator[Obstacle]:
    """Where the target is given objects of a class of the program, or uses one, while a function
    sets a method that operators, statements or `len` call: `Box.__len__ = length`.
    """
    own = parts.imported.modules()
    names = {module.__name__ for module in own}
    used = used_words(parts)
    of_program = any(
        name in used and isinstance(each, type) and each.__module__ in names
        for module in own
        for name, each in vars(module).items()
    )
    if not of_program and not given_kinds(parts):
        return
    for facts in parts.imported.rewritten.facts_setting(_is_special_method):
        for stores in (facts.attributes, facts.stored_on_any):
            for name in sorted(stores):
                if _is_special_method(name):
                    yield Obstacle(f"depends on `{name}`, which {stores[name].told} sets")


def _is_special_method(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _NO_METHODS


def _enumerations(shape: Any) -> Iterator[type[enum.Enum]]:
    """The enumeration of whose members a shape gives one."""
    kind = type(shape.value) if isinstance(shape, ConstantShape) else getattr(shape, "kind", None)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        yield kind


def given_kinds(parts: Parts) -> list[type]:
    """The classes of the objects in the arguments, however deep."""
    shapes = [shape for _, shape in shapes_given(parts)]
    return list(dict.fromkeys(each.kind for each in shapes if isinstance(each, InstanceShape)))


def attributes_of_classes(parts: Parts, kinds: list[type]) -> dict[type, Attributes]:
    """What is known of the attributes of the objects of each class."""
    trees = {file: parsed(file) for file in parts.imported.rewritten.facts}
    return _attributes(parts, kinds, trees)


def _attributes(
    parts: Parts, kinds: list[type], trees: dict[str, ast.Module]
) -> dict[type, Attributes]:
    names = {str(each.__file__): each.__name__ for each in parts.imported.modules()}
    texts = {
        name: text
        for file, tree in trees.items()
        for name, text in class_texts(names.get(file, ""), tree)
    }
    return {kind: attributes_of(kind, texts) for kind in kinds}


def _blamed(parts: Parts, kinds: list[type], trees: dict[str, ast.Module]) -> dict[str, str]:
    """By attribute whose value may be one that no input gives it: why, as the end of a sentence."""
    stored: dict[str, Change] = {}
    for facts in parts.imported.rewritten.facts.values():
        stored = {**facts.stored_outside, **stored}
    if "__dict__" in stored:
        stored.setdefault(ANY_ATTRIBUTE, stored["__dict__"])
    found: dict[str, str] = {}
    for kind, known in _attributes(parts, kinds, trees).items():
        found[_ALL] = f"and not all that {kind.__qualname__} objects may hold was tried"
        free = free_fields(kind)
        for name, by_whom in _misfits(kind, free, trees):
            found[name] = f"which {by_whom} may set to something else than is declared"
        for name in free if ANY_ATTRIBUTE in stored else ():
            found.setdefault(name, f"which {stored[ANY_ATTRIBUTE].told} sets")
        for name in known.all - free:
            by = stored.get(name) or stored.get(ANY_ATTRIBUTE)
            if by is not None:
                found[name] = f"which {by.told} sets"
            elif name in known.changed:
                found.setdefault(name, f"which `{known.changed[name]}` sets")
            elif name not in known.fixed:
                found.setdefault(name, f"which may be changed after a {kind.__qualname__} is made")
        found |= _replaced(known, known.of_class - known.all - free, kind, stored)
    return found


def _replaced(
    known: Attributes, names: Set[str], kind: type, stored: Mapping[str, Change]
) -> Iterator[tuple[str, str]]:
    """Those of these attributes of a class that an object may have of its own instead, because
    something sets them there, and who. Nobody is taken to replace a method without naming it.
    """
    unnamed = stored.get(ANY_ATTRIBUTE)
    for name in names:
        if name in stored:
            yield name, f"which {stored[name].told} sets"
        elif callable(getattr(kind, name, None)):
            continue
        elif unnamed is not None:
            yield name, f"which {unnamed.told} sets"
        elif known.by_name:
            yield name, f"which `{known.by_name}` sets"


def _misfits(kind: type, free: set[str], trees: dict[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """Fields that constructors take as they are, and who may give them a value of another type."""
    declared = {
        name: as_text(each)
        for base in reversed(kind.__mro__)
        for name, each in vars(base).get("__annotations__", {}).items()
        if name in free
    }
    family = {each.__qualname__ for each in (*kind.__mro__[:-1], *kind.__subclasses__())}
    found = [each for tree in trees.values() for each in misfits(tree, family, declared)]
    for each in (*found, *changed_through_names(trees.values(), family, declared)):
        yield each.field, f"`{each.scope}`" if each.scope else f"line {each.line}"


def attribute_reads(node: ast.AST) -> Iterator[tuple[ast.expr | ast.MatchClass, str]]:
    """Where a function reads an attribute, and which."""
    for each in walked(node):
        match each:
            case ast.Attribute(attr=name, ctx=ast.Load()):
                yield each, name
            case ast.Call(
                func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=name), *_]
            ):
                yield each, str(name)
            case ast.Call(func=ast.Name(id=name)) if name in _READERS:
                yield each, _ALL
            case ast.MatchClass(kwd_attrs=names):
                yield from ((each, name) for name in names)


def reads_in(
    trees: Mapping[str, ast.Module], may_run: Set[tuple[str, str]]
) -> Iterator[tuple[str, str, ast.AST, ast.expr | ast.MatchClass, str]]:
    """Where functions that may run, by file, scope and node, read an attribute, and which."""
    for file, tree in trees.items():
        for scope, node in functions(tree):
            for each, name in attribute_reads(node) if (file, scope) in may_run else ():
                yield file, scope, node, each, name


def shapes_given(parts: Parts) -> Iterator[tuple[str, Any]]:
    """The shapes in the arguments, however deep, each with the parameter that it belongs to; other
    things that shapes hold may be among them.
    """
    ahead: list[tuple[str, Any]] = [(each.name, each.shape) for each in parts.arguments.parameters]
    seen: set[tuple[str, int]] = set()
    while ahead:
        name, shape = ahead.pop()
        if (name, id(shape)) in seen:
            continue
        seen.add((name, id(shape)))
        yield name, shape
        inner: list[Any] = []
        if isinstance(shape, InstanceShape):
            inner = [part.shape for part in shape.parts]
        elif not isinstance(shape, type):
            for each in field_names(type(shape)):
                value = getattr(shape, each, None)
                inner += value if isinstance(value, tuple | list) else [value]
        ahead += [(name, each) for each in inner if type(each) not in _NO_SHAPES]


def registered_later(parts: Parts) -> Iterator[Obstacle]:
    """Where the program asks whether an object is of some class, if a function of it registers
    classes with an abstract one: the answer depends on whether that was called before.
    """
    if "register" not in parts.imported.rewritten.words:
        return
    modules = {str(each.__file__): each for each in parts.imported.modules()}
    facts = parts.imported.facts_with(".register")
    trees = {each.file: parsed(each.file) for each in facts}
    by = [
        scope
        for file, tree in trees.items()
        for scope, node in functions(tree)
        if any(_registers(each, modules.get(file)) for each in walked(node))
    ]
    by += [name for file, tree in trees.items() for name in _kept(tree, modules.get(file))]
    if not by:
        return
    mentioned = mentions(trees)
    may_run = reached([*own_scopes(parts), *filter(is_special, mentioned)], mentioned)
    for file, tree in trees.items():
        for scope, node in functions(tree):
            for asked in walked(node) if (file, scope) in may_run else ():
                if _asks_for_class(asked):
                    told = f"depends on `{ast.unparse(asked)}`, and `{by[0]}` registers classes"
                    yield Obstacle(told, file, getattr(asked, "lineno", 0), scope)


def _registers(node: ast.AST, module: ModuleType | None) -> bool:
    """Whether this calls `register` of what may be an abstract class: `Shape.register(kind)` or
    `ABCMeta.register(Shape, kind)`.
    """
    match node:
        case ast.Call(func=ast.Attribute(attr="register") as method, args=[_]):
            return _is_of_abstract(method, module)
        case ast.Call(func=ast.Attribute(value=of, attr="register"), args=[_, _]):
            kind = _value_of(of, module)
            return kind is None or (isinstance(kind, type) and issubclass(kind, abc.ABCMeta))
        case ast.ClassDef(decorator_list=decorators):
            return any(
                isinstance(each, ast.Attribute)
                and each.attr == "register"
                and _is_of_abstract(each, module)
                for each in decorators
            )
    return False


def _kept(tree: ast.Module, module: ModuleType | None) -> Iterator[str]:
    """The methods `register` of what may be abstract classes that a text mentions without a call,
    so that it may call them under another name: `put = Shape.register`.
    """
    called = {id(each.func) for each in walked(tree) if isinstance(each, ast.Call)}
    decorators = {id(each) for node in walked(tree) for each in getattr(node, "decorator_list", ())}
    for each in walked(tree):
        if isinstance(each, ast.Attribute) and each.attr == "register":
            if id(each) not in called | decorators and _is_of_abstract(each, module):
                yield ast.unparse(each)


def _is_of_abstract(method: ast.Attribute, module: ModuleType | None) -> bool:
    """Whether a method may be one of an abstract class, or of the class of these."""
    if not isinstance(method.value, ast.Name):
        return True
    value = getattr(module, method.value.id, abc.ABC)
    return isinstance(value, abc.ABCMeta) or value is abc.ABCMeta


def _value_of(node: ast.expr, module: ModuleType | None) -> object:
    """What a dotted name of a module stands for; None where that is not known."""
    match node:
        case ast.Name(id=name):
            return getattr(module, name, None)
        case ast.Attribute(value=of, attr=name):
            return getattr(_value_of(of, module), name, None)
    return None


def _asks_for_class(node: ast.AST) -> bool:
    """Whether this asks for a class that is not one of the built-in ones."""
    match node:
        case (
            ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds])
            | ast.MatchClass(cls=kinds)
        ):
            names = [each.id for each in ast.walk(kinds) if isinstance(each, ast.Name)]
            return not names or any(not hasattr(builtins, each) for each in names)
    return False
