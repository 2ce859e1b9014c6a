"""What the text of a class says about the attributes of its objects.

An attribute is *fixed* if an object has one value of it for good: only constructors store it, and
what they store cannot be changed in place. Every other attribute may have been changed by calls
that came before, of which an input has a few at most.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Generic, Protocol

from symcrete.program.state.by_name import ANY_ATTRIBUTE, sets_by_name
from symcrete.slotted import dataclass

_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_UNCHANGEABLE = frozenset({"int", "str", "float", "bool", "bytes", "complex", "None"})  # types
_TO_UNCHANGEABLE = frozenset(  # built-in functions whose results cannot be changed
    {"len", "int", "str", "float", "bool", "abs", "round", "ord", "chr", "repr", "hash", "divmod"}
)
# Types whose values can be changed only if those of the types inside them can.
_AROUND = frozenset({"Optional", "Union", "Final", "ClassVar", "Literal"})
# What changes attributes without naming them.
_BY_NAME = frozenset({"setattr", "delattr", "vars", "__dict__", "__setattr__", "__setstate__"})
_LIBRARIES = ("pydantic.",)  # whose classes leave declared fields alone once they are set
# Bases whose text need not be known: they change no attributes.
_BASES: frozenset[Any] = frozenset({object, tuple, Enum, Generic, Protocol})


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of the objects of a class."""

    all: frozenset[str]
    fixed: frozenset[str]
    changed: Mapping[str, str]  # by attribute: a method that changes it
    given: frozenset[str]  # that the constructor stores in every object
    of_class: frozenset[str]  # that the class has, and that an object may have of its own instead
    by_name: str  # a method that may set any attribute, without naming it; "" if none does


def attributes_of(kind: type, texts: Mapping[str, ast.ClassDef]) -> Attributes:
    """What the texts of a class and of its bases say; `texts` has those that are known by
    `module.qualname`. Where one is not known, nothing is fixed.
    """
    stored: dict[str, list[bool]] = {}  # whether each value that a constructor stores is fixed
    changed: dict[str, str] = {}
    known, by_name = True, ""
    for base in kind.__mro__:
        text = texts.get(f"{base.__module__}.{base.__qualname__}")
        if text is None:
            known = known and (base in _BASES or base.__module__.startswith(_LIBRARIES))
            continue
        for name, unchangeable in _declared(text):
            stored.setdefault(name, []).append(unchangeable)
        for method in text.body:
            if isinstance(method, _FUNCTIONS):
                known = known and not _names(method) & _BY_NAME
                for name in sets_by_name(method):
                    if name == ANY_ATTRIBUTE:
                        by_name = by_name or f"{base.__qualname__}.{method.name}"
                    elif method.name not in _CONSTRUCTORS:
                        changed.setdefault(name, f"{base.__qualname__}.{method.name}")
                for name, value in _stores(method):
                    if method.name in _CONSTRUCTORS and value is not None:
                        stored.setdefault(name, []).append(_is_fixed(value, _parameters(method)))
                    else:
                        changed.setdefault(name, f"{base.__qualname__}.{method.name}")
    slots = [str(each) for base in kind.__mro__ for each in _slots(base)]
    fixed = {name for name, values in stored.items() if known and all(values)} - changed.keys()
    given = frozenset(_always_stored(kind, texts))
    every = frozenset({*stored, *changed, *slots})
    return Attributes(every, frozenset(fixed), changed, given, _of_class(kind), by_name)


def _of_class(kind: type) -> frozenset[str]:
    """What classes give their objects that these may replace: methods and values, no properties."""
    if not kind.__dictoffset__:
        return frozenset()
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__[:-1]):
        found |= vars(base)
    return frozenset(
        name
        for name, value in found.items()
        if not hasattr(type(value), "__set__") and not (name[:2] == name[-2:] == "__")
    )


def class_texts(module: str, tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef]]:
    """Every class of a module, by the names of the module and of the class in it."""

    def below(node: ast.AST, scope: str) -> Iterator[tuple[str, ast.ClassDef]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                yield f"{scope}.{child.name}", child
                yield from below(child, f"{scope}.{child.name}")
            elif isinstance(child, _FUNCTIONS):
                yield from below(child, f"{scope}.{child.name}.<locals>")
            elif isinstance(child, ast.stmt):
                yield from below(child, scope)

    yield from below(tree, module)


def _always_stored(kind: type, texts: Mapping[str, ast.ClassDef]) -> Iterator[str]:
    """The attributes that `__init__` stores whatever it is given, before it may return early."""
    base = next(each for each in kind.__mro__ if "__init__" in vars(each))
    text = texts.get(f"{base.__module__}.{base.__qualname__}")
    for method in text.body if text is not None else ():
        if isinstance(method, ast.FunctionDef) and method.name == "__init__" and method.args.args:
            own = method.args.args[0].arg
            for each in method.body:
                if any(isinstance(inner, ast.Return) for inner in ast.walk(each)):
                    break
                targets = each.targets if isinstance(each, ast.Assign) else []
                if isinstance(each, ast.AnnAssign) and each.value is not None:
                    targets = [each.target]
                for target in targets:
                    if isinstance(target, ast.Attribute) and _is_of(target, own):
                        yield target.attr


def _declared(text: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """Fields that the body of a class names, and whether their values are fixed: by their types,
    or by what a `Final` without a type is given.
    """
    for each in text.body:
        match each:
            case ast.AnnAssign(
                target=ast.Name(id=name), annotation=ast.Name(id="Final"), value=ast.expr() as value
            ):
                yield name, _is_fixed(value, set())
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield name, _is_unchangeable(annotation)


def _stores(
    method: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[str, ast.expr | None]]:
    """Attributes of its first parameter that a method stores, each with its value.

    None for what is not a plain assignment, and for what a function inside the method stores.
    """
    parameters = [*method.args.posonlyargs, *method.args.args]
    own = parameters[0].arg if parameters else ""
    plain: set[ast.AST] = set()
    for each in _outside_functions(method):
        match each:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if _is_of(target, own):
                        plain.add(target)
                        yield target.attr, value  # type: ignore[attr-defined]
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_of(target, own):
                plain.add(target)
                yield target.attr, value  # type: ignore[union-attr]
    for each in ast.walk(method):
        if _is_of(each, own) and each not in plain:
            assert isinstance(each, ast.Attribute)
            if not isinstance(each.ctx, ast.Load):
                yield each.attr, None


def _outside_functions(method: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a method but for those of functions inside it."""
    for child in ast.iter_child_nodes(method):
        if not isinstance(child, (*_FUNCTIONS, ast.Lambda)):
            yield child
            yield from _outside_functions(child)


def _is_of(node: ast.AST, name: str) -> bool:
    """Whether a node is `name.attribute`."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner)):
            return owner == name
    return False


def _names(method: ast.AST) -> set[str]:
    """The names and attributes that stand in a method."""
    found = {each.id for each in ast.walk(method) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(method) if isinstance(each, ast.Attribute)}


def _parameters(method: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Parameters whose declared types are of values that cannot be changed."""
    listed = [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]
    return {each.arg for each in listed if each.annotation and _is_unchangeable(each.annotation)}


def _is_unchangeable(annotation: ast.expr) -> bool:
    match annotation:
        case ast.Name(id=name):
            return name in _UNCHANGEABLE
        case ast.Constant(value=str() as text):
            try:
                return _is_unchangeable(ast.parse(text, mode="eval").body)
            except SyntaxError:
                return False
        case ast.Constant(value=None):
            return True
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_unchangeable(left) and _is_unchangeable(right)
        case ast.Subscript(value=ast.Name(id="Literal")):
            return True
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=inner)):
            return name in _AROUND and all(_is_unchangeable(each) for each in inner)
        case ast.Subscript(value=ast.Name(id=name), slice=inner):
            return name in _AROUND and _is_unchangeable(inner)
    return False


def _is_fixed(value: ast.expr, parameters: set[str]) -> bool:
    """Whether an expression over these parameters gives something that cannot be changed."""
    match value:
        case ast.Constant() | ast.JoinedStr() | ast.Compare():
            return True
        case ast.Name(id=name):
            return name in parameters
        case ast.UnaryOp(operand=operand):
            return _is_fixed(operand, parameters)
        case ast.BinOp(left=left, right=right):
            return _is_fixed(left, parameters) and _is_fixed(right, parameters)
        case ast.BoolOp(values=values):
            return all(_is_fixed(each, parameters) for each in values)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_fixed(body, parameters) and _is_fixed(orelse, parameters)
        case ast.Call(func=ast.Name(id=name)):
            return name in _TO_UNCHANGEABLE
    return False


def _slots(base: type) -> tuple[Any, ...]:
    slots = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
