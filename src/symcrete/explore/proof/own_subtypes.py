"""Classes of the program that extend a declared built-in type and answer otherwise than it does.

`n: int` may be given an object of `class Money(int)`. As long as the class leaves the operators
alone and nobody asks for it that is an int like any other; where it has an `__eq__` of its own,
what is known of ints says nothing about it. And a constructor or a class method also runs for
the classes derived from its own.
"""

from __future__ import annotations

import ast
import datetime
import enum
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from types import FunctionType, ModuleType

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.mentioned import (
    BITS,
    SHOWN,
    is_special,
    used_words,
)
from symcrete.explore.proof.object_state import given_kinds, shapes_given
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.shapes.containers import DictShape, SequenceShape, SetShape
from symcrete.inputs.shapes.library import DayShape
from symcrete.inputs.shapes.shape import ConstantShape, FloatShape, IntShape, TupleShape
from symcrete.program.source.module import parsed, walked
from symcrete.program.source.sites import functions

# The built-in classes that shapes give objects of.
_BUILT_IN: dict[type, tuple[type, ...]] = {
    IntShape: (int,),
    FloatShape: (float,),
    StrShape: (str,),
    BytesShape: (bytes,),
    SequenceShape: (list, tuple),
    TupleShape: (tuple,),
    SetShape: (set, frozenset),
    DictShape: (dict,),
    DayShape: (datetime.date,),
}
# Functions that make classes, apart from `type` and metaclasses, each with the place of the bases
# among its arguments; None where they are given by name only.
_MAKERS = {"new_class": 1, "make_dataclass": None}
# How that looks in a text: a class that is not at the top, a call of `type`, a class of classes.
_MAKING_CLASSES = re.compile(
    rb"\n[ \t]+class |\btype\((?!\w*\))[^\n]*(?:,|\n)|\(type\)|new_class|make_dataclass"
    rb"|\btype\(\w*\)\(|\b__class__\("
)
_OF_FIELDS = frozenset({"namedtuple", "NamedTuple", "TypedDict"})  # they extend no other class
_ANY_BASE = "*"  # stands for any class, where a text does not say which one is extended
_ANY_NAME = "*"  # stands for every attribute, where a text does not say which a class has
_TEXT = frozenset({"__str__", "__repr__", "__format__"})
_OF_BITS = frozenset({"__and__", "__or__", "__xor__", "__rand__", "__ror__", "__rxor__"})
_OF_BITS |= {"__invert__"}
_ON_BITS = _OF_BITS | {BITS}
_OPERATORS = "operator"  # the module whose functions stand for operators
# Words by which a program asks for the class of an object: for any class, for one that it names,
# and for one with an attribute that it names.
_ANY_CLASS = frozenset({"type", "__class__", "vars", "__dict__", "dir"})
_ASKING_CLASS = frozenset({"isinstance", "issubclass"})
_ASKING_ATTRIBUTE = frozenset({"hasattr", "getattr", "AttributeError"})
# What every class may have of its own without its objects behaving otherwise once they are made.
_HARMLESS = frozenset(
    [
        "__class_getitem__",
        "__delattr__",
        "__dir__",
        "__doc__",
        "__getnewargs__",
        "__getstate__",
        "__init__",
        "__init_subclass__",
        "__new__",
        "__reduce__",
        "__reduce_ex__",
        "__setattr__",
        "__sizeof__",
        "__subclasshook__",
    ]
)


def own_subtypes(parts: Parts) -> Iterator[Obstacle]:
    """The classes of the program that an argument may be of and that override methods of their
    built-in class, or that the program tells from it. One that overrides only how it is shown as a
    text, or only operators on bits as every `IntFlag` does, counts where the program uses these.
    """
    used = functools.cache(lambda: used_words(parts))  # few programs need to know
    given = {kind for _, shape in shapes_given(parts) for kind in _tried(shape)}
    said: set[type] = set()
    for _, shape in shapes_given(parts):
        for base in _BUILT_IN.get(type(shape), ()):
            for kind in _derived(parts, base):
                if kind in said:
                    continue
                overridden = _overridden(kind, base)
                if overridden & _TEXT and SHOWN not in used():
                    overridden -= _TEXT
                if overridden & _OF_BITS and not used() & _ON_BITS and not _has_operators(parts):
                    overridden -= _OF_BITS
                if overridden:
                    first = min(overridden)
                    what = f"may be a {kind.__qualname__}, whose `{first}` is its own"
                elif kind not in given and _can_be_made(kind) and _is_told(kind, base, used()):
                    what = f"may be a {kind.__qualname__}, which is told from others here"
                else:
                    continue
                said.add(kind)
                yield Obstacle(f"what is declared as {base.__name__} {what}")


def _has_operators(parts: Parts) -> bool:
    """Whether the program imports the functions that stand for operators, under whatever name."""
    for file in parts.imported.rewritten.files:
        for each in walked(parsed(file)):
            match each:
                case ast.Import(names=names) if any(one.name == _OPERATORS for one in names):
                    return True
                case ast.ImportFrom(module=module) if module == _OPERATORS:
                    return True
    return False


def _tried(shape: object) -> Iterator[type]:
    """The class of the value that a shape gives, where it has only one."""
    if isinstance(shape, ConstantShape):
        yield type(shape.value)


def _is_told(kind: type, base: type, used: Set[str]) -> bool:
    """Whether a program with these words may tell objects of a class from those of its built-in
    class.
    """
    if used & _ANY_CLASS:
        return True
    if used & _ASKING_CLASS and used & _names_above(kind, base):
        return True
    return bool(used & _ASKING_ATTRIBUTE) and bool(used & (set(dir(kind)) - set(dir(base))))


def derived_classes(parts: Parts) -> Iterator[Obstacle]:
    """The classes derived from the one whose constructor or class method is the target, where the
    target runs for them too and asks for something that they have of their own.
    """
    base = class_called_on(parts)
    if base is None:
        return
    used = used_words(parts)
    name = parts.coverage.scope.rpartition(".")[2]
    for kind in _derived(parts, base):
        between = kind.__mro__[: kind.__mro__.index(base)]
        makers = [vars(each)[name] for each in between if name in vars(each)]
        if makers and not _calls_on(makers[0], base):
            continue
        own = {word for each in between for word in vars(each) if not is_special(("", word))}
        own |= {word for each in makers for word in _stored_first(each, base)}
        if own & used:
            first = min(own & used)
            why = f"may be called for {kind.__qualname__}, whose `{first}` is its own"
            yield Obstacle(f"{parts.coverage.scope} {why}")


def made_by_functions(parts: Parts) -> Iterator[Obstacle]:
    """The classes that functions of the program make and that extend the class of an argument or
    of the target, where the target uses something that they have of their own: no input is of one.
    """
    made = class_called_on(parts)
    kinds = [*given_kinds(parts), *([made] if made is not None else [])]
    if not kinds:
        return
    tops = {each.__name__ for each in kinds if not getattr(each, "__final__", False)}
    used = functools.cache(lambda: used_words(parts))  # few programs need to know
    family: dict[str, set[str]] = {}  # by name of such a class: the names it may bind
    modules = {str(each.__file__): vars(each) for each in parts.imported.modules()}
    aliases = _other_names(modules.values())
    waiting = filter(_may_make_classes, parts.imported.rewritten.waiting)
    for file in dict.fromkeys([*parts.imported.rewritten.facts, *waiting]):
        for scope, name, bases, bound in _made_later(parsed(file), modules.get(file, {})):
            bases += [each for name in bases for each in sorted(aliases.get(name, ()))]
            above = [each for each in bases if each in tops or each in family]
            above = above or sorted(tops if _ANY_BASE in bases else ())
            if not above:
                continue
            bound = set().union(bound, *(family.get(each, ()) for each in above))
            family.setdefault(name, set()).update(bound)
            special = {each for each in bound if is_special(("", each))}
            own = bound & (used() | special | {_ANY_NAME})
            if own - _HARMLESS | own & {"__init__", "__new__"}:
                whose = "attributes are" if _ANY_NAME in own else f"`{min(own)}` is"
                what = f"may be a {name} that `{scope}` makes, whose {whose} its own"
                yield Obstacle(f"what is declared as {above[0]} {what}")


def _other_names(modules: Iterable[Mapping[str, object]]) -> dict[str, set[str]]:
    """By names that modules have for classes under which these were not defined: `Base` after
    `Base = shapes.Point`: the names of those classes.
    """
    found: dict[str, set[str]] = {}
    for names in modules:
        for name, value in names.items():
            if isinstance(value, type) and value.__name__ != name:
                found.setdefault(name, set()).add(value.__name__)
    return found


@functools.lru_cache(maxsize=1024)  # files; chosen, not measured
def _may_make_classes(file: str) -> bool:
    """Whether the text of a file may have a function that makes a class."""
    return _MAKING_CLASSES.search(Path(file).read_bytes()) is not None


def _made_later(
    tree: ast.Module, known: Mapping[str, object]
) -> Iterator[tuple[str, str, list[str], set[str]]]:
    """The classes that functions make: the function, the name of the class, the names of the
    classes that it extends, and what its body binds; `known` has the values of the module's names.
    """
    for scope, function in functions(tree):
        local = _bound_by_running(function)

        def extended(bases: list[ast.expr], local: Mapping[str, str] = local) -> list[str]:
            return [name for base in bases for name in _extended(base, local, known)]

        for each in walked(function):
            match each:
                case ast.ClassDef(name=name, bases=bases, body=body):
                    yield scope, name, extended(bases), _bound_in(body)
                case ast.Call(args=[ast.expr() as first, ast.expr() as written, namespace]):
                    # `type(name, bases, {...})`, or a metaclass in the place of `type`.
                    name = str(first.value) if isinstance(first, ast.Constant) else "class"
                    keys, bases = _keys_of(namespace), getattr(written, "elts", [])
                    of_class = _is_class_of(each.func) and _looks_like_body(written, namespace)
                    if _is_metaclass(each.func, known) or of_class:
                        is_tuple = isinstance(written, ast.Tuple)
                        yield scope, name, extended(bases) if is_tuple else [_ANY_BASE], keys
                    elif isinstance(written, ast.Tuple) and _ANY_NAME not in keys:
                        named = [*extended(bases), *(_last_name(base) for base in bases)]
                        yield scope, name, [one for one in named if one != _ANY_BASE], keys
                case ast.Call(func=func) if _last_name(func) in _MAKERS:
                    written_bases = _bases_given(each)
                    above = [_ANY_BASE] if written_bases is None else extended(written_bases)
                    yield scope, "class", above, {_ANY_NAME}


def _is_metaclass(function: ast.expr, known: Mapping[str, object]) -> bool:
    """Whether what is called is `type` or another class of classes."""
    match function:
        case ast.Name(id="type") | ast.Attribute(value=ast.Name(id="builtins"), attr="type"):
            return True
        case ast.Name(id=name):
            value = known.get(name)
        case ast.Attribute(value=ast.Name(id=of), attr=name):
            module = known.get(of)
            value = vars(module).get(name) if isinstance(module, ModuleType) else None
        case _:
            return False
    return isinstance(value, type) and type in value.__mro__


def _is_class_of(function: ast.expr) -> bool:
    """Whether what is called is the class of something, which of a class is a metaclass."""
    match function:
        case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
            return True
    return False


def _looks_like_body(bases: ast.expr, namespace: ast.expr) -> bool:
    """Whether arguments are written as bases and the namespace of a class: `type(self)(a, b, c)`
    makes another object of the class.
    """
    return isinstance(bases, ast.Tuple) or isinstance(namespace, ast.Dict)


def _bases_given(call: ast.Call) -> list[ast.expr] | None:
    """The bases that a call of a function which makes classes hands it; None if not written out."""
    place = _MAKERS[_last_name(call.func)]
    ahead = call.args[: place + 1] if place is not None else []
    if any(isinstance(each, ast.Starred) for each in ahead):
        return None
    given = [word.value for word in call.keywords if word.arg in ("bases", None)]
    given += ahead[place:] if place is not None else []
    if not given:
        return []
    return given[0].elts if len(given) == 1 and isinstance(given[0], ast.Tuple) else None


def _bound_by_running(function: ast.AST) -> dict[str, str]:
    """The names to which a function, or one inside it, may bind a class that others define, each
    with the name of that class.
    """
    found: dict[str, str] = {}
    for each in walked(function):
        match each:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found[name] = _ANY_BASE
            case ast.ImportFrom(names=names):
                for one in names:
                    if one.asname is not None:
                        same = found.get(one.asname, one.name) == one.name
                        found[one.asname] = one.name if same else _ANY_BASE
    return found


def _extended(base: ast.expr, local: Mapping[str, str], known: Mapping[str, object]) -> list[str]:
    """The names of the classes that one with this base extends, as far as the text and the values
    of its module tell.
    """
    if isinstance(base, ast.Call) and _last_name(base.func) in _OF_FIELDS:
        return []
    name, root = _last_name(base), base
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    if not isinstance(root, ast.Name) or local.get(root.id) == _ANY_BASE:
        return [_ANY_BASE]
    if isinstance(base, ast.Attribute):
        return [name]
    if root.id in local:
        return [local[root.id]]
    value = known.get(name, name)
    if isinstance(value, type):
        return [each.__name__ for each in value.__mro__ if each is not object]
    # A name that is bound later, or a table of classes, may stand for any.
    return [_ANY_BASE if value is None or isinstance(value, dict | list | tuple) else name]


def _keys_of(namespace: ast.expr) -> set[str]:
    """The keys of a dict as it is written."""
    match namespace:
        case ast.Dict(keys=keys):
            written = [getattr(key, "value", None) for key in keys]
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=words):
            written = [word.arg for word in words]
        case _:
            written = [None]
    return {each if isinstance(each, str) else _ANY_NAME for each in written}


def _bound_in(body: list[ast.stmt]) -> set[str]:
    """The names that the body of a class binds."""
    found: set[str] = set()
    for each in body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(each.name)
        else:
            inside = [one for one in walked(each) if isinstance(one, ast.Name)]
            found |= {one.id for one in inside if isinstance(one.ctx, ast.Store)}
    return found


def _last_name(base: ast.expr) -> str:
    """`Shape` for `Shape`, `shapes.Shape` and `Shape[int]`; "" for any other expression."""
    match base:
        case ast.Subscript(value=inner):
            return _last_name(inner)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def class_called_on(parts: Parts) -> type | None:
    """The class whose constructor or class method is the target; None if it is neither."""
    function = parts.runner.function
    if isinstance(function, functools.partial) and function.args:
        function = function.args[0]
    return function if isinstance(function, type) else None


def _calls_on(method: object, base: type) -> bool:
    """Whether a method that overrides one may call it; True where its text is not at hand."""
    return not isinstance(method, FunctionType) or _before_call(method, base) is not None


def _stored_first(method: object, base: type) -> Iterator[str]:
    """The attributes that a method assigns before it calls the one that it overrides."""
    for statement in _before_call(method, base) or ():
        for each in walked(statement):
            if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
                yield each.attr


def _before_call(method: object, base: type) -> list[ast.stmt] | None:
    """The statements of a method up to the first one that mentions `super` or the class it extends;
    None if none does, as in a constructor that `dataclass` made.
    """
    file = getattr(getattr(method, "__code__", None), "co_filename", "<none>")
    if file.startswith("<"):
        return None
    body = dict(functions(parsed(file)) if Path(file).is_file() else ()).get(
        getattr(method, "__qualname__", "")
    )
    if body is None:
        return []  # nothing is known of its text
    statements: list[ast.stmt] = getattr(body, "body", [])
    for place, statement in enumerate(statements):
        words = [each.id for each in walked(statement) if isinstance(each, ast.Name)]
        if {"super", base.__name__} & set(words):
            return statements[:place]
    return None


def _derived(parts: Parts, base: type) -> Iterator[type]:
    """The classes that the program's modules define and that extend a class."""
    for module in parts.imported.modules():
        for value in list(vars(module).values()):
            own = isinstance(value, type) and value.__module__ == module.__name__
            if own and value is not base and issubclass(value, base):
                yield value


def _overridden(kind: type, base: type) -> set[str]:
    """The names in `base` under which the class derived from it has something else."""
    if not _can_be_made(kind):
        return set()
    names = [each for each in dir(base) if each not in _HARMLESS]
    return {each for each in names if _found(kind, each) is not _found(base, each)}


def _can_be_made(kind: type) -> bool:
    """Whether there are objects of a class: of an enum without members there are none."""
    return not issubclass(kind, enum.Enum) or len(kind) > 0


def _names_above(kind: type, base: type) -> set[str]:
    """The names of a class and of those it extends, without those that `base` extends too."""
    return {each.__name__ for each in kind.__mro__ if each not in base.__mro__}


def _found(kind: type, name: str) -> object:
    """What the first class of the MRO that defines a name has there, as it is stored; None if none
    does.
    """
    return next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)
